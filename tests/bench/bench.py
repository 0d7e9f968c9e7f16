# SPDX-License-Identifier: MIT
"""make bench: what loading, looking and typing cost, as ratios to yardsticks of the same run.

usage: bench.py VPTOP TOOLS WORK [small|full|huge]

VPTOP  the program; TOOLS: folder with genprof, genhard, gunzip_null, measure; WORK: folder for the
inputs (kept, they take a while). Only ratios of one run count; seconds depend on the machine.

VPTOP_BENCH_READER=COMMAND  a reader of vmprof logs to compare with; FILE is appended. Else
                            "pypy3 peer_vmprof.py" where pypy3 has the vmprof package.
VPTOP_BENCH_PAIRS=N         pairs of runs for each ratio (7)
"""
import os
import re
import shlex
import shutil
import statistics
import struct
import subprocess
import sys

from terminal import Terminal

NAME = rb"(get|load|parse|build|render|update|validate|resolve|encode|fetch|merge|apply)_[a-z]+_\d"
# Something of the profile is on the screen: a function, or one whose name is not read yet.
PICTURE = NAME + rb"|0x7f3a[0-9a-f]+"
PAIRS = max(1, int(os.environ.get("VPTOP_BENCH_PAIRS", "7")))
SIZES = {"small": 110000, "full": 1100000, "huge": 1100000}
LONG = 8600000
ESC, TAB, ENTER = "\x1b", "\t", "\r"
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
# Every key that moves, zooms, sorts or switches, on every view ("1" to "5" open the views).
KEYS = {
    "1": [DOWN, UP, "G", "g", "j", "k", TAB],
    "2": [DOWN, RIGHT, LEFT, ENTER, DOWN, ENTER, "-", "0", "i", "c", "O", "%", "G", "g"],
    "3": [RIGHT, LEFT, "+", "+", "+", "-", "0", "[", "]", "P", "a", "g", "G", "H", "L", "h", "l"],
    "4": [DOWN, UP, ">", "<", "I", "f", "G", "g", ENTER],
    "5": [DOWN, UP, " ", "}", "{", ENTER, "u"],
    "?": [DOWN, ESC],
}


class Bench:
    def __init__(self, vptop, tools, work, size):
        self.vptop, self.tools, self.work, self.size = vptop, tools, work, size
        self.count = SIZES[size]
        self.held = self.missed = self.skipped = 0
        os.makedirs(work, exist_ok=True)

    # ---- helpers -------------------------------------------------------------------------------

    def tool(self, name):
        return os.path.join(self.tools, name)

    def measure(self, command):
        """CPU seconds, wall seconds and peak MiB of a command."""
        out = subprocess.run([self.tool("measure")] + command, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=True).stdout.split()
        if int(out[0]) != 0:
            raise RuntimeError("%s: exit status %s" % (" ".join(command), out[0].decode()))
        return float(out[1]), float(out[2]), int(out[3]) / 1024

    def pairs(self, a, b, count=PAIRS):
        """Runs A B A B ...; returns the median ratio of CPU and the medians (cpu, wall, peak) of both."""
        runs = [(self.measure(a), self.measure(b)) for _ in range(count)]
        ratios = [x[0] / max(y[0], 1e-6) for x, y in runs]
        columns = [[statistics.median(run[side][i] for run in runs) for i in range(3)]
                   for side in range(2)]
        return statistics.median(ratios), min(ratios), max(ratios), columns[0], columns[1]

    def generated(self, name, command):
        path = os.path.join(self.work, name)
        if not os.path.exists(path):
            print("  making %s" % name, flush=True)
            with open(path + ".part", "wb") as f:
                subprocess.run(command, stdout=f, stderr=subprocess.DEVNULL, check=True)
            os.rename(path + ".part", path)
        return path

    def report(self, path):
        return [self.vptop, "--report=summary", "--format=json", path]

    def figure(self, what, value, unit="", target=None, note=""):
        """Prints one figure; a target is an upper limit."""
        verdict = ""
        if target is not None:
            verdict = "held" if value <= target else "MISSED"
            self.held += value <= target
            self.missed += value > target
            verdict = "%-6s (target %g)" % (verdict, target)
        print("%-58s %9.4g %-5s %s%s" % (what, value, unit, verdict, "  " + note if note else ""),
              flush=True)

    def skip(self, what, why):
        self.skipped += 1
        print("%-58s   skipped: %s" % (what, why), flush=True)

    # ---- the viewer's envelope -----------------------------------------------------------------

    def envelope(self, count):
        return self.generated("env-%d.msgpack" % count,
                              [self.tool("genprof"), "envelope", str(count)])

    def blobs(self, envelope):
        """The envelope's gzip'd halves as files of their own."""
        with open(envelope, "rb") as f:
            data = f.read()
        paths = []
        for match in re.finditer(rb"\xab(cpu_profile|mem_profile)|\xad(addr_name_map)", data):
            name = (match.group(1) or match.group(2)).decode()
            kind, at = data[match.end()], match.end() + 1
            size_format = {0xc4: ">B", 0xc5: ">H", 0xc6: ">I"}.get(kind)
            if size_format is None:
                continue
            (size,) = struct.unpack_from(size_format, data, at)
            at += struct.calcsize(size_format)
            paths.append("%s.%s.gz" % (envelope, name))
            with open(paths[-1], "wb") as f:
                f.write(data[at:at + size])
        assert len(paths) == 3, paths
        return paths

    def bench_envelope(self, count, limits, pairs=PAIRS):
        path = self.envelope(count)
        blobs = self.blobs(path)
        what = "envelope, %s samples" % human(count)
        note = ""
        for name, command, limit in (
                ("gzip -dc", ["gzip", "-dc"] + blobs, limits.get("gzip")),
                ("zlib to nowhere", [self.tool("gunzip_null")] + blobs, limits.get("zlib"))):
            ratio, low, high, mine, yours = self.pairs(self.report(path), command, pairs)
            note = "%.2f to %.2f; %.3f s / %.3f s CPU" % (low, high, mine[0], yours[0])
            self.figure("%s: CPU / %s" % (what, name), ratio, "x", limit, note)
            if name == "gzip -dc":
                gzip_cpu = yours[0]
        self.figure("%s: wall" % what, mine[1], "s")
        self.figure("%s: speed" % what, count / mine[0] / 1e6, "M/s", None, "samples a second of CPU")
        self.figure("%s: peak memory" % what, mine[2], "MiB", limits.get("memory"),
                    "%.1f bytes a sample" % (mine[2] * 1024 * 1024 / count))
        for kind, pattern in ("first picture", PICTURE), ("first names", NAME):
            firsts = [self.first_picture(path, pattern) for _ in range(5)]
            if None in firsts:
                self.skip("%s: %s" % (what, kind), "nothing was drawn")
                continue
            first = statistics.median(firsts)
            self.figure("%s: %s, CPU / gzip -dc" % (what, kind), first / gzip_cpu, "x",
                        limits.get("first"), "%.0f ms" % (first * 1000))

    def first_picture(self, path, pattern):
        terminal = Terminal([self.vptop, path], 200, 60)
        cpu = terminal.wait_for(pattern, 60)
        terminal.close()
        return cpu

    # ---- vmprof logs ---------------------------------------------------------------------------

    def reader(self):
        command = os.environ.get("VPTOP_BENCH_READER")
        if command:
            return shlex.split(command)
        peer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer_vmprof.py")
        for python in ("pypy3", "pypy"):
            if shutil.which(python) and subprocess.run(
                    [python, "-c", "import sys, types\n"
                     "sys.modules['_vmprof'] = types.ModuleType('_vmprof')\n"
                     "import vmprof.reader"], stderr=subprocess.DEVNULL).returncode == 0:
                return [python, peer]
        return None

    def bench_vmprof(self):
        path = self.generated("vm-%d.prof" % self.count,
                              [self.tool("genprof"), "vmprof", str(self.count)])
        what = "vmprof log, %s samples" % human(self.count)
        large = self.count >= 1000000
        reader = self.reader()
        if reader is None:
            self.skip("%s: CPU / reference reader" % what, "pypy3 with the vmprof package is not here")
            runs = [self.measure(self.report(path)) for _ in range(PAIRS)]
            mine = [statistics.median(column) for column in zip(*runs)]
        else:
            ratio, low, high, mine, yours = self.pairs(self.report(path), reader + [path], min(PAIRS, 5))
            self.figure("%s: CPU / reference reader" % what, ratio, "x", 0.06 if large else None,
                        "%.3f to %.3f; %.3f s / %.2f s CPU, its peak %.0f MiB"
                        % (low, high, mine[0], yours[0], yours[2]))
        self.figure("%s: CPU" % what, mine[0], "s")
        self.figure("%s: peak memory" % what, mine[2], "MiB", 30 if large else None)

    # ---- folded stacks -------------------------------------------------------------------------

    def bench_folded(self):
        count = 1000000 if self.size != "small" else 100000
        path = self.generated("stacks-%d.folded" % count,
                              [self.tool("genprof"), "folded", str(count)])
        what, size = "folded, %s different stacks" % human(count), os.path.getsize(path) / 1e6
        runs = [self.measure(self.report(path)) for _ in range(min(PAIRS, 5))]
        cpu, wall, peak = [statistics.median(column) for column in zip(*runs)]
        self.figure("%s: CPU / that of 150 MB/s" % what, cpu * 150 / size, "x",
                    1 if self.size != "small" else None,
                    "%.0f MB/s; %.0f MB/s of wall time" % (size / cpu, size / wall))
        self.figure("%s: peak memory" % what, peak, "MiB")

    # ---- inputs made to be slow ----------------------------------------------------------------

    def bench_hard(self):
        sizes = {"scattered": 100000, "deep": 32768, "wide": 500000, "names": 500000}
        for kind, n in sizes.items():
            if self.size == "small":
                n //= 8
            once, twice = [self.report(self.generated("%s-%d.prof" % (kind, size),
                                                      [self.tool("genhard"), kind, str(size)]))
                           for size in (n, 2 * n)]
            ratio, low, high, large, small = self.pairs(twice, once, 5)
            self.figure("%s, %s and twice that: time(2n) / time(n)" % (kind, human(n)), ratio, "x", 2.3,
                        "%.2f to %.2f; %.3f s, %.3f s; %.0f MiB"
                        % (low, high, small[0], large[0], large[2]))

    # ---- keys ----------------------------------------------------------------------------------

    def bench_keys(self, count, limits):
        what = "keys at 200x60, %s samples" % human(count)
        terminal = Terminal([self.vptop, self.envelope(count)], 200, 60)
        if terminal.wait_for(NAME, 60) is None or not terminal.settle(0.5):
            terminal.close()
            self.skip(what, "the program did not come to rest")
            return
        costs = []
        for view, keys in KEYS.items():
            for key in [view] + keys:
                cpu, _ = terminal.key(key)
                costs.append((cpu, view, key))
        # Once more, now that everything is built: what a key costs as a rule.
        for view, keys in KEYS.items():
            for key in [view] + keys:
                cpu, _ = terminal.key(key)
                costs.append((cpu, view, key))
        terminal.close()
        costs.sort()
        self.figure("%s: median, CPU" % what, 1000 * statistics.median(c[0] for c in costs), "ms",
                    limits.get("median"), "%d keys" % len(costs))
        worst = ", ".join("%s %r %.1f" % (view, key, 1000 * cpu) for cpu, view, key in costs[:-4:-1])
        self.figure("%s: worst, CPU" % what, 1000 * costs[-1][0], "ms", limits.get("worst"), worst)

    def bench_bytes(self):
        terminal = Terminal([self.vptop, self.envelope(SIZES["small"])], 100, 30)
        if terminal.wait_for(NAME, 60) is None or not terminal.settle(0.5):
            terminal.close()
            self.skip("bytes to the terminal", "the program did not come to rest")
            return
        frames, moves = [], []
        for view in "12345":
            terminal.key(view)
            frames.append((terminal.key("\x0c")[1], view))
            for key in (DOWN, DOWN, UP, RIGHT, LEFT) if view in "235" else (DOWN, DOWN, UP):
                size = terminal.key(key)[1]
                if size:
                    moves.append((size, view))
        terminal.close()
        self.figure("full frame at 100x30 (Ctrl-L)", max(frames)[0], "bytes", 10000,
                    ", ".join("%s: %d" % (view, size) for size, view in frames))
        for view in "12345":
            sizes = [size for size, of in moves if of == view]
            if sizes:
                self.figure("cursor move at 100x30, view %s" % view, statistics.median(sizes), "bytes",
                            200, "largest %d" % max(sizes))

    # ---- pprof ---------------------------------------------------------------------------------

    def bench_pprof(self, count, most, memory):
        """Loading, and the table of functions beside that of pprof itself. memory: MiB, of the table."""
        path = self.generated("pprof-%d.pb.gz" % count,
                              [self.tool("genprof"), "pprof", str(count)])
        what = "pprof, %s stacks" % human(count)
        pairs = PAIRS if count < 1000000 else 1
        info = [self.vptop, "--report=info", "--format=json", path]
        load = [self.measure(info) for _ in range(pairs)]
        self.figure(what + ": loading, CPU", statistics.median(x[0] for x in load), "s")
        self.figure(what + ": loading, peak", max(x[2] for x in load), "MiB", memory)
        top = [self.vptop, "--quiet", "--report=top", path]
        mine = [self.measure(top) for _ in range(pairs)]
        self.figure(what + ": top, CPU", statistics.median(x[0] for x in mine), "s")
        self.figure(what + ": top, peak", max(x[2] for x in mine), "MiB", memory)
        go = shutil.which("go")
        if not go:
            self.skip(what + ": top / go tool pprof -top, CPU", "there is no go")
            return
        theirs = [go, "tool", "pprof", "-symbolize=none", "-top", path]
        self.measure(theirs) # go builds its tools when they are first asked for
        ratio, low, high, ours, other = self.pairs(top, theirs, min(pairs, 3))
        self.figure(what + ": top / go tool pprof -top, CPU", ratio, "", most,
                    "%.3f to %.3f; %.2f s / %.2f s; %.0f MiB / %.0f MiB" % (
                        low, high, ours[0], other[0], ours[2], other[2]))

    # ---- all -----------------------------------------------------------------------------------

    def run(self):
        large = self.size != "small"
        self.bench_envelope(self.count, {"gzip": 0.5, "zlib": 3.0, "memory": 45, "first": 0.15}
                            if large else {})
        self.bench_vmprof()
        self.bench_folded()
        if large:
            self.bench_pprof(300000, 0.05, 38.1) # 40 MB
        else:
            self.bench_pprof(30000, None, None)
        self.bench_hard()
        self.bench_keys(self.count, {"median": 5, "worst": 60})
        self.bench_bytes()
        if self.size == "huge":
            self.bench_envelope(LONG, {"gzip": 0.6, "memory": 180}, 3)
            self.bench_keys(LONG, {"median": 5, "worst": 60})
            self.bench_pprof(3000000, 0.04, 286) # 300 MB
        print("\n%d targets held, %d missed, %d skipped" % (self.held, self.missed, self.skipped))
        return 1 if self.missed else 0


def human(count):
    return "%gM" % (count / 1e6) if count >= 1000000 else "%gk" % (count / 1000)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    size = sys.argv[4] if len(sys.argv) == 5 else "full"
    if size not in SIZES:
        sys.exit("BENCH is small, full or huge, not %r" % size)
    return Bench(sys.argv[1], sys.argv[2], sys.argv[3], size).run()


if __name__ == "__main__":
    sys.exit(main())
