# SPDX-License-Identifier: MIT
"""
The program on a pseudo-terminal: what it switches on is off again after every end, sizes that are
none, keys, mouse and pasted text as a terminal sends them, and a terminal that goes away.
"""
import base64
import os
import re
import signal
import subprocess
import sys
import termios
import time

TOP = os.environ.get("top_srcdir", ".")
sys.path.insert(0, os.path.join(TOP, "tests", "bench"))
sys.path.insert(0, os.path.join(TOP, "tests", "cases"))
import build  # noqa: E402
from terminal import ESCAPES, Terminal, quiet_home  # noqa: E402

VPTOP = os.environ.get("VPTOP", "./vptop")
PROFILE = os.path.abspath(os.path.join(TOP, "data", "samples", "etl-memory.msgpack.gz"))
# Modes that terminals have; at first a cursor is on, lines wrap, nothing else.
MODES = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
failures = 0


def case(name, check):
    """Runs one case; it complains by an AssertionError."""
    global failures
    terminals = []

    def start(*arguments, term="xterm-256color", size=(80, 24), shows=rb"\[1 ", **more):
        terminal = Terminal([VPTOP] + list(arguments or [PROFILE]), size[0], size[1], term, **more)
        terminals.append(terminal)
        if shows:
            assert terminal.wait_for(shows, 10) is not None, "no picture: %r" % terminal.output[-300:]
            terminal.settle()
        return terminal

    try:
        check(start)
        print("ok - " + name)
    except (AssertionError, OSError, ValueError) as error:
        print("not ok - %s: %s" % (name, error))
        failures += 1
    for terminal in terminals:
        terminal.close()
    sys.stdout.flush()


def modes_on(output):
    on = {"7", "25"}
    for numbers, letter in MODES.findall(output):
        for number in numbers.decode().split(";"):
            (on.add if letter == b"h" else on.discard)(number)
    return on


def text_of(terminal):
    return ESCAPES.sub(b" ", terminal.output).decode("utf-8", "replace")


def after(terminal, keys):
    """The text that is drawn for some keys, and the whole picture after them."""
    terminal.key(keys)
    terminal.key("\x0c")
    return text_of(terminal)


def dump(keys, size="80x24", *options):
    """What the screen has to be after these keys."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", XDG_STATE_HOME=quiet_home(),
                       XDG_CONFIG_HOME=quiet_home())
    out = subprocess.run([VPTOP, "--dump-screen=" + size, "--keys=" + keys] + list(options) + [PROFILE],
                         stdout=subprocess.PIPE, env=environment, check=True).stdout.decode()
    return out


def same(terminal, keys, sent, size="80x24", *options):
    """The screen after `sent` has the words of the dump after `keys`."""
    picture = after(terminal, sent)
    words = re.sub(r"\s+", "", picture)
    wanted = re.sub(r"\s+", "", dump(keys, size, *options))
    assert words == wanted, "after %r not the picture of %s: %s, not %s" % (
        sent, keys, *differences(words, wanted))


def differences(a, b):
    """The places where two texts begin to differ."""
    at = len(os.path.commonprefix([a, b]))
    return a[max(0, at - 10):at + 40], b[max(0, at - 10):at + 40]


# ---- ends ----------------------------------------------------------------------------------------

def ends(number):
    def check(start):
        terminal = start()
        before = termios.tcgetattr(terminal.fd)
        output = terminal.output
        on = modes_on(output)
        assert {"1002", "1006", "2004", "1049"} <= on and "25" not in on, "switched on: %s" % on
        terminal.output = b""
        if number:
            os.kill(terminal.pid, number)
        else:
            os.write(terminal.fd, b"Q")
        status = terminal.wait(5)
        assert status == -number, "status %s" % status
        on = modes_on(output + terminal.output)
        # The keypad (1) is what terminfo's rmkx switches off.
        assert on == {"7", "25"}, "left on: %s" % on
        assert b"\x1b[?1l\x1b>" in terminal.output, "the keypad is left on"
        now = termios.tcgetattr(terminal.fd)
        shell = Settings.first
        assert now == shell, "settings %s became %s" % (shell, now)
        assert before != shell, "it did not take the terminal"
    return check


class Settings:
    """What a new terminal is set to."""
    master, slave = os.openpty()
    first = termios.tcgetattr(slave)


def goes_away(start):
    terminal = start()
    before = terminal.cpu()
    os.close(terminal.fd)
    terminal.fd = None
    started = time.monotonic()
    status = terminal.wait(5)
    assert status is not None, "it goes on without a terminal"
    assert time.monotonic() - started < 2, "it ends too late"
    assert before < 5, "it took %s s of CPU" % before


def input_goes_away(start):
    """End of file on the keys alone."""
    reader, writer = os.pipe()
    terminal = start()
    os.close(reader)
    os.close(writer)
    os.kill(terminal.pid, signal.SIGSTOP)
    os.close(terminal.fd)
    terminal.fd = None
    os.kill(terminal.pid, signal.SIGCONT)
    assert terminal.wait(2) is not None, "it goes on without a terminal"


def hidden_from_hangup(start):
    """Started by nohup, the signal does not come: the end of the input has to do."""
    terminal = Terminal(["sh", "-c", "trap '' HUP; exec \"$0\" \"$1\"", VPTOP, PROFILE], 80, 24)
    terminal.wait_for(rb"\[1 ", 10)
    terminal.settle()
    os.close(terminal.fd)
    terminal.fd = None
    started, cpu = time.monotonic(), terminal.cpu()
    status = terminal.wait(5)
    terminal.close()
    assert status is not None and time.monotonic() - started < 2, "it goes on without a terminal"
    assert cpu < 5, "it spins"


def stops_and_goes_on(start):
    terminal = start()
    terminal.key("M")  # the mouse off
    assert "1002" not in modes_on(terminal.output), "M leaves the mouse on"
    terminal.output = b""
    terminal.key("M")
    assert "1002" in modes_on(terminal.output), "M does not switch it on again"
    # In a session of its own nobody would wake it: stop it from outside.
    os.kill(terminal.pid, signal.SIGSTOP)
    time.sleep(0.05)
    terminal.output = b""
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.settle()
    on = modes_on(terminal.output)
    assert {"1002", "2004"} <= on, "not switched on again: %s" % on
    assert "Summary" in text_of(terminal), "not drawn again"


# ---- sizes ---------------------------------------------------------------------------------------

def no_size(start):
    terminal = start(size=(0, 0))
    same(terminal, "2", "2", "80x24")


def huge_size(start):
    terminal = start(size=(65535, 1), shows=None)
    assert terminal.wait_for(rb"vptop", 20) is not None, "nothing is drawn"
    terminal.resize(80, 24)
    terminal.settle()
    same(terminal, "2", "2")


def wrong_variables(start):
    terminal = start(environment={"LINES": "10", "COLUMNS": "40"}, size=(100, 30))
    same(terminal, "2", "2", "100x30")
    terminal.resize(60, 20)
    terminal.settle()
    same(terminal, "2", "", "60x20")


def many_sizes(start):
    terminal = start()
    for columns, rows in ((1, 1), (2, 50), (200, 3), (39, 9), (40, 10), (5, 5), (300, 100), (80, 24)):
        terminal.resize(columns, rows)
        terminal.settle(0.02)
    same(terminal, "", "")


# ---- keys ----------------------------------------------------------------------------------------

def escape_is_quick(start):
    terminal = start()
    terminal.key("?")
    started = time.monotonic()
    terminal.key("\x1b")
    assert time.monotonic() - started < 0.9, "Esc takes %.2f s" % (time.monotonic() - started)
    same(terminal, "", "")


def slow_arrow(start):
    """The bytes of an arrow key, on a slow line; a busy machine may make it too slow."""
    for attempts_left in (2, 1, 0):
        terminal = start()
        os.write(terminal.fd, b"2")
        for byte in b"\x1b[B":
            os.write(terminal.fd, bytes([byte]))
            time.sleep(0.015)
        try:
            same(terminal, "2<Down>", "")
            return
        except AssertionError:
            if not attempts_left:
                raise


def unknown_sequences(start):
    terminal = start()
    same(terminal, "2j", "2\x1b[27;5;9~j\x1b[1;5Q\x1b[?64;1c")


def names_of_keys(start):
    for term in ("xterm-256color", "screen", "linux", "vt100"):
        terminal = start(term=term, environment={"LC_ALL": "C"})
        for sent, name in (("\x1b[B", "Down"), ("\x1bOB", "Down"), ("\x1b[6~", "PgDn"),
                           ("\x1b[F", "End"), ("\x1b[4~", "End"), ("\x1b[1~", "Home"),
                           ("\x1b[H", "Home"), ("\x1bOP", "F1"), ("\x1b[11~", "F1")):
            same(terminal, "2<%s>" % name, "2" + sent, "80x24", "--ascii")
            terminal.key("\x1b")
            terminal.key("g")
        terminal.close()


def profile_on_stdin(start):
    terminal = start("-", stdin=PROFILE)
    picture = after(terminal, "2")
    assert "[2 Flame]" in picture, "keys do not come from the terminal"
    os.write(terminal.fd, b"Q")
    assert terminal.wait(5) == 0, "Q does not end it"


def pasted_text(start):
    terminal = start()
    terminal.key("2")
    # q and Q in it would end the program.
    picture = after(terminal, "\x1b[200~qQ1\x1b[A1\r\x1b[201~")
    assert "[2 Flame]" in picture, "pasted text is taken for keys"
    terminal.key("\x1b[200~Q")
    time.sleep(0.7)  # its end is lost
    assert "[3 Time]" in after(terminal, "3"), "keys are dead after half a paste"


def pasted_pattern(start):
    terminal = start()
    same(terminal, "4/<Paste:json_line><Enter>", "4/\x1b[200~json_line\x1b[201~\r")


# ---- mouse ---------------------------------------------------------------------------------------

def mouse(term, report):
    def check(start):
        terminal = start(term=term)
        terminal.key("4")
        rows = dump("4").split("\n")
        y = 8
        same(terminal, "4<Click:10,%d>" % y, report(0, 10, y, True) + report(0, 10, y, False))
        terminal.key("1")
        line = 0 if "2 Flame" in rows[0] else 1
        tab = rows[line].index("2 Flame")
        picture = after(terminal, report(0, tab, line, True) + report(0, tab, line, False))
        assert "[2 Flame]" in picture, "a click on a tab does not open it"
        assert "[2 Flame]" in after(terminal, report(1, 3, 3, True) + report(35, 4, 4, True)), "middle"
        before = after(terminal, "4g")
        assert after(terminal, report(65, 10, 10, True)) != before, "the wheel does nothing"
    return check


def newer(button, x, y, is_press):
    return "\x1b[<%d;%d;%d%s" % (button, x + 1, y + 1, "M" if is_press else "m")


def older(button, x, y, is_press):
    return "\x1b[M" + "".join(chr(32 + n) for n in (button if is_press else 3, x + 1, y + 1))


def broken_reports(start):
    terminal = start()
    same(terminal, "2j", "2\x1b[<0;5M\x1b[<;;M\x1b[<0;99999999999;1M\x1b[<0;0;0Mj")


# ---- what goes out -------------------------------------------------------------------------------

CLIPBOARD = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07")


def copies(term, environment, count):
    def check(start):
        terminal = start(term=term, environment=environment)
        terminal.key("4")
        terminal.key("y")
        terminal.output = b""
        terminal.key("c")
        found = CLIPBOARD.findall(terminal.output)
        assert len(found) == count, "copied %d times: %r" % (len(found), terminal.output)
        for text in found:
            text = base64.b64decode(text, validate=True).decode()
            assert "_insert" in text, "copied %r" % text
        wrapped = b"\x1bPtmux;\x1b\x1b]52;c;" in terminal.output
        assert wrapped == (count == 2), "the way through tmux"
    return check


PAGER = """#!/bin/sh
echo "pager-has $1 $2"
stty -a | tr ';' '\\n' | grep -E 'icanon|isig'
read -r line
echo "read $line"
read -r line # until an interrupt ends it
exit 0
"""


def another_program(start):
    """Opens the source: the terminal is as before in it, and taken again after it."""
    home = quiet_home()
    source, pager = os.path.join(home, "source file.py"), os.path.join(home, "pager")
    profile = os.path.join(home, "own.prof")
    made = build.Vmprof().start().sample([2]).sample([2]).name(2, "py:function:7:" + source).end()
    for path, text in ((source, b"text"), (pager, PAGER.encode()), (profile, made.data)):
        with open(path, "wb") as f:
            f.write(text)
    os.chmod(pager, 0o755)
    for stdin in (None, profile):
        terminal = start("-" if stdin else profile, stdin=stdin, environment={"PAGER": pager})
        terminal.key("4")
        terminal.output = b""
        os.write(terminal.fd, b"o")
        assert terminal.wait_for(rb"pager-has \+7 .*source file.py", 5) is not None, \
            "the program is not run: %s" % text_of(terminal)
        terminal.settle(0.1)
        on = modes_on(terminal.output)
        assert not on & {"1002", "1006", "2004", "1049"}, "left on: %s" % on
        assert b" icanon" in terminal.output and b"-icanon" not in terminal.output, "raw"
        os.write(terminal.fd, b"one\r")
        assert terminal.wait_for(rb"read one", 5) is not None, "no keys for the program"
        terminal.output = b""
        os.write(terminal.fd, b"\x03")  # for the program that runs, not for us
        assert terminal.wait_for(rb"\[4 Top\]", 5) is not None, "no signal for the program"
        terminal.settle()
        on = modes_on(terminal.output)
        assert {"1002", "1006", "2004", "1049"} <= on, "not taken again: %s" % on
        assert "[2 Flame]" in after(terminal, "2"), "keys are dead"
        os.write(terminal.fd, b"Q")
        assert terminal.wait(5) == 0, "Q does not end it"


def missing_program(start):
    home = quiet_home()
    terminal = start(os.path.join(home, "own.prof"), environment={"PAGER": "no-such-pager"})
    terminal.key("4")
    terminal.key("o")
    assert "could not be run" in text_of(terminal), "no word on it"
    assert "[2 Flame]" in after(terminal, "2"), "keys are dead"


# ---- colours -------------------------------------------------------------------------------------

COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8])[;m]")


def no_colour(environment, options, wanted):
    def check(start):
        terminal = start(*(options + [PROFILE]), environment=environment)
        terminal.key("2")
        has = bool(COLOUR.search(terminal.output))
        assert has == wanted, "colours are %s" % ("on" if has else "off")
    return check


def few_bytes(start):
    terminal = start(size=(100, 30))
    for view in "1234":
        terminal.key(view)
        size = terminal.key("\x0c")[1]
        assert 500 < size < 10000, "view %s takes %d bytes" % (view, size)
    assert terminal.key("\x1b")[1] < 600, "a key that changes nothing is drawn"


def unknown_terminal(start):
    terminal = start(term="xterm-no-such")
    assert "xterm-no-such" in text_of(terminal), "no word on the terminal's type"
    terminal = start(term="no-such", environment={"COLORTERM": "truecolor"})
    assert "no-such" in text_of(terminal), "no word on the terminal's type"
    for term in ("no-such", "dumb", ""):
        terminal = start(term=term, shows=None)
        assert terminal.wait(10) == 0, "TERM=%s: not ended" % term
        assert b"\x1b" not in terminal.output, "TERM=%s: escape sequences" % term
        assert b"Samples" in terminal.output, "TERM=%s: no summary" % term


CASES = [
    ("Q gives the terminal back", ends(0)),
] + [("%s gives the terminal back" % signal.Signals(n).name, ends(n))
     for n in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGSEGV,
               signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT)] + [
    ("ends when the terminal goes away", goes_away),
    ("ends when it went away while stopped", input_goes_away),
    ("ends when the terminal goes away, SIGHUP ignored", hidden_from_hangup),
    ("goes on after STOP and CONT; M switches the mouse", stops_and_goes_on),
    ("a terminal of 0x0 is taken for 80x24", no_size),
    ("a terminal of 65535x1", huge_size),
    ("LINES and COLUMNS of the environment are wrong", wrong_variables),
    ("many sizes", many_sizes),
    ("Esc is quick", escape_is_quick),
    ("an arrow key on a slow line", slow_arrow),
    ("unknown sequences are no keys", unknown_sequences),
    ("keys as terminals send them", names_of_keys),
    ("a profile on standard input", profile_on_stdin),
    ("pasted text is no keys", pasted_text),
    ("a pattern is pasted", pasted_pattern),
    ("mouse, newer reports", mouse("xterm-256color", newer)),
    ("mouse, older reports", mouse("screen", older)),
    ("broken reports of the mouse", broken_reports),
    ("copies to the clipboard", copies("xterm-256color", {}, 1)),
    ("copies inside tmux", copies("tmux-256color", {"TMUX": "/tmp/tmux-0/default,1,0"}, 2)),
    ("the console has no clipboard", copies("linux", {}, 0)),
    ("another program in between", another_program),
    ("another program that is not there", missing_program),
    ("NO_COLOR", no_colour({"NO_COLOR": "1"}, [], False)),
    ("NO_COLOR that is empty", no_colour({"NO_COLOR": ""}, [], True)),
    ("--color=always wins over NO_COLOR", no_colour({"NO_COLOR": "1"}, ["--color=always"], True)),
    ("--color=never", no_colour({}, ["--color=never"], False)),
    ("few bytes for a picture", few_bytes),
    ("terminals that are not known", unknown_terminal),
]


def main():
    wanted = sys.argv[1:]
    for name, check in CASES:
        if not wanted or any(word in name for word in wanted):
            case(name, check)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
