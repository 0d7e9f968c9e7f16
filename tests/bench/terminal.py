# SPDX-License-Identifier: MIT
"""Drives vptop on a pseudo-terminal and tells what each key cost."""
import atexit
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import tempfile
import termios
import time

ESCAPES = re.compile(rb"\x1b(\[[0-9;?<>=]*[a-zA-Z]|[()][A-Z0-9]|\][^\x07]*\x07|[=>78])")


HOME = tempfile.mkdtemp(prefix="vptop-home.")
atexit.register(shutil.rmtree, HOME, True)


def quiet_home():
    """A folder for state and configuration of a user who has seen the tour already."""
    seen = os.path.join(HOME, "vptop", "tour-seen")
    os.makedirs(os.path.dirname(seen), exist_ok=True)
    open(seen, "a").close()
    return HOME


class Terminal:
    """
    A command on a terminal of columns x rows. `environment` is added to ours; None takes a name out
    of it. `stdin`: a file that is its standard input, in place of the terminal.
    """

    def __init__(self, command, columns, rows, term="xterm-256color", environment=None, stdin=None):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            time.sleep(0.01)  # the size is set before the program asks for it
            own = {k: v for k, v in os.environ.items()
                   if k not in ("LINES", "COLUMNS", "NO_COLOR", "TMUX", "COLORTERM", "ESCDELAY")}
            own.update(TERM=term, LC_ALL="C.UTF-8", TZ="UTC", XDG_STATE_HOME=quiet_home(),
                       XDG_CONFIG_HOME=quiet_home())
            own.update(environment or {})
            own = {k: v for k, v in own.items() if v is not None}
            if stdin:
                os.dup2(os.open(stdin, os.O_RDONLY), 0)
            try:
                os.setpriority(os.PRIO_PROCESS, 0, 0)
            except OSError:
                pass
            os.execvpe(command[0], command, own)
        try:
            # On a busy machine the program would run on for long before its output is seen here.
            os.setpriority(os.PRIO_PROCESS, 0, -10)
        except OSError:
            pass
        self.resize(columns, rows)
        os.set_blocking(self.fd, False)
        self.output = b""
        self.started = time.monotonic()

    def cpu(self):
        """Seconds of CPU that the program has used so far (nanoseconds exact on Linux)."""
        try:
            with open("/proc/%d/schedstat" % self.pid) as f:
                return int(f.read().split()[0]) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0

    def is_asleep(self):
        try:
            with open("/proc/%d/stat" % self.pid) as f:
                return f.read().rpartition(")")[2].split()[0] in "SZ"
        except OSError:
            return True

    def read(self, seconds):
        """Takes what comes within `seconds`; returns whether anything came."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            got = os.read(self.fd, 1 << 20)
        except OSError:
            got = b""
        self.output += got
        return bool(got)

    def wait_for(self, pattern, seconds):
        """Reads until the text (without escape sequences) matches; returns CPU seconds then, or None."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.read(0.05) and re.search(pattern, ESCAPES.sub(b"", self.output)):
                return self.cpu()
        return None

    def settle(self, quiet=0.04, seconds=120):
        """Reads until the program sleeps and has said and done nothing for `quiet` seconds."""
        end = time.monotonic() + seconds
        before, since = self.cpu(), time.monotonic()
        while time.monotonic() < end:
            came = self.read(0.005)
            now = self.cpu()
            if came or now != before or not self.is_asleep():
                before, since = now, time.monotonic()
            elif time.monotonic() - since >= quiet:
                return True
        return False

    def key(self, keys):
        """Types; returns (CPU seconds, bytes) that it took until the program rested again."""
        before, self.output = self.cpu(), b""
        os.write(self.fd, keys.encode())
        self.settle()
        return self.cpu() - before, len(self.output)

    def resize(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait(self, seconds):
        """Reads on until the program ends; returns its exit status, minus a signal, or None."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.fd is not None:
                self.read(0.01)
            else:
                time.sleep(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self.fd is not None and self.read(0):
                    pass
                return os.waitstatus_to_exitcode(status)
        return None

    def close(self):
        try:
            os.kill(self.pid, signal.SIGTERM)
            for _ in range(200):
                self.read(0.01)
                if os.waitpid(self.pid, os.WNOHANG)[0]:
                    break
            else:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        if self.fd is not None:
            os.close(self.fd)
        self.fd = None
