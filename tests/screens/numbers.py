# SPDX-License-Identifier: MIT
"""
How values are printed (--unit, --divide-by, --drop-negative): each figure on a screen is the one that
the report prints with the same options. What the reports print is compared with pprof elsewhere.
"""
import os
import re
import subprocess
import sys

TOP = os.environ.get("top_srcdir", ".")
VPTOP = os.path.abspath(os.environ.get("VPTOP", "./vptop"))
DATA = os.path.join(os.path.abspath(TOP), "tests", "golden", "data")
CPU = os.path.join(DATA, "pprof", "work", "cpu.gocpuprof")
HEAP = os.path.join(DATA, "merge", "leak", "heap-19.goheapprof")
FAST = os.path.join(DATA, "merge", "diff", "fast.gocpuprof")
SLOW = os.path.join(DATA, "merge", "diff", "slow.gocpuprof")
CALLS = os.path.join(DATA, "pstats", "cpython311.pyprof.gz")
ETL = os.path.join(os.path.abspath(TOP), "data", "samples", "etl-cpu.prof.gz")
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
failures = figures = 0


def run(*arguments):
    done = subprocess.run([VPTOP, "-q"] + list(arguments), env=ENVIRONMENT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    return done.stdout.splitlines()


def screen(keys, *arguments):
    return run("--dump-screen=300x400", "--keys=" + keys, *arguments)


VALUE = re.compile(r"[-+]?[\d.]+(?: [\d.]+)*(?: ?[A-Za-z]+)?$")


def column(lines, heading, is_broken=False):
    """
    What stands below a heading, right-aligned with it, from its first row to the first that is empty;
    `is_broken`: and below that.
    """
    found, end = [], None
    for line in lines:
        head = re.search(heading, line)
        if end is None and head:
            end = head.end()
            continue
        if end is None or line.startswith("─"):
            if found and not is_broken:
                break
            continue
        cell = VALUE.search(line[:end]) if line[end:end + 1] in ("", " ") else None
        if cell:
            found.append(cell.group().lstrip("+"))
        elif not is_broken:
            break
    return found


def check(name, ours, theirs):
    """Two lists of figures."""
    global failures, figures
    figures += len(theirs)
    if theirs and ours == theirs:
        print("ok - %s: %d figures" % (name, len(theirs)))
        return
    failures += 1
    at = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), min(len(ours), len(theirs)))
    print("not ok - %s: %d and %d figures, first unlike at %d: %r, the report has %r" % (
        name, len(ours), len(theirs), at, ours[at:at + 1], theirs[at:at + 1]))


def top(name, *arguments):
    """Self and total of all functions."""
    drawn = screen("4", *arguments)
    printed = run("--report=top", "--nodecount=0", "--columns=300", "--nodefraction=0", *arguments)
    is_change = any("SELF +-" in line for line in drawn)
    marks = ("SELF [+]-▼?", "TOTAL [+]-▼?") if is_change else ("SELF(?=[ ▼]|$)", "TOTAL(?= |$)")
    check(name + ": self", column(drawn, marks[0]), column(printed, "SELF(?= )"))
    check(name + ": total", column(drawn, marks[1]), column(printed, "TOTAL(?= )"))


def centre(name, function, *arguments):
    """The function's own figures, callers and callees."""
    pattern = "--function=^%s$" % re.escape(function)
    lines = screen("", "--view=callers", pattern, *arguments)
    own = next((line for line in lines if " total " in line and " self " in line), "")
    parts = {}
    for report in ("callers", "callees"):
        printed = run("--report=" + report, "--nodecount=0", "--columns=300", pattern, *arguments)
        parts[report] = column(printed, "VALUE(?= )")
        head = next((line for line in printed if line.startswith("Callers of")), None)
        if head:
            words = re.search(r"total (.*?) of .*; self (.*)$", head)
            seen = re.search(r"total (.*?) +-?[\d.]+%.* self (.*?) +-?[\d.]+%", own)
            check(name + ": the function", list(seen.groups()) if seen else [own], list(words.groups()))
    shown, side = {"callers": [], "callees": []}, None
    for line in lines:
        side = "callers" if "── CALLERS" in line else "callees" if "── CALLEES" in line else side
        if "═" in line:
            side = None
        if side and re.match(r"^[ ▸][▸▾·] ", line) and "(self)" not in line:
            shown[side].append(VALUE.search(line.rstrip()).group().lstrip("+"))
    for report in ("callers", "callees"):
        if parts[report]:
            check("%s: %s" % (name, report), shown[report][:len(parts[report])], parts[report])


def labels(name, *arguments):
    printed = run("--report=tags", "--nodecount=0", "--columns=200", *arguments)
    check(name, sorted(column(screen("8", *arguments), "AMOUNT")), sorted(column(printed, "VALUE", True)))


def whole(name, *arguments):
    """What shares are of: on the flame graph, and in the head of its report."""
    words = re.search(r"(?:all of|change of) (.*)$", screen("2", *arguments)[2].rstrip())
    head = next(line for line in run("--report=flame", "--columns=300", *arguments) if line.startswith("Counted"))
    theirs = re.search(r"shares are of (.*?) (?:of |in all)", head).group(1)
    ours = words.group(1) if words else ""
    # Counts have their noun on both: "12 samples".
    check(name, [ours.split("  ")[0][:len(theirs)]], [theirs])


def refuses(name, option, words):
    global failures
    lines = run("--dump-screen=80x24", option, CPU)
    if words in " ".join(lines):
        print("ok - " + name)
    else:
        failures += 1
        print("not ok - %s: %r" % (name, lines[:1]))


UNITS = [("ms", ["--unit=ms"]), ("a third in ns", ["--unit=ns", "--divide-by=3"]),
         ("a thousandth", ["--divide-by=1000"]), ("auto", ["--unit=auto"])]
for title, options in UNITS:
    top("cpu in " + title, *options, CPU)
    whole("cpu in %s: the whole" % title, *options, CPU)
    centre("cpu in " + title, "main.work", *options, CPU)
    top("a filter in " + title, "--focus=runtime", *options, CPU)
    top("python in " + title, *options, CALLS)
    centre("python in " + title, "expr", *options, CALLS)
    labels("labels in " + title, *options, CPU)
for title, options in [("kB", ["--unit=kB"]), ("a tenth in B", ["--unit=B", "--divide-by=10"])]:
    top("heap in " + title, *options, HEAP)
    centre("heap in " + title, "main.main", *options, HEAP)
    labels("labels of a heap in " + title, *options, HEAP)
top("samples of vmprof by 7", "--divide-by=7", ETL)
# pprof calls them milliseconds then, and so do reports: on a screen they stay what they are.
check("samples have no unit", screen("4", "--type=samples", "--unit=ms", CPU),
      screen("4", "--type=samples", CPU))
for base in ("--diff-base=", "--base="):
    for title, options in [("without what is less", ["--drop-negative"]),
                           ("... in ms", ["--drop-negative", "--unit=ms"]), ("all in us", ["--unit=us"])]:
        top("a change (%s) %s" % (base.strip("-="), title), base + SLOW, *options, FAST)
        top("a change the other way (%s) %s" % (base.strip("-="), title), base + FAST, *options, SLOW)
refuses("means stay with reports", "--mean", "--mean is for reports")
refuses("so does a unit for all rows", "--unit=minimum", "--unit=minimum is for reports")
print("# %d figures" % figures)
sys.exit(failures > 0)
