# SPDX-License-Identifier: MIT
"""What the golden tests share: where profiles and their oracles are, running vptop, counting figures.

An oracle is a file X.oracle.json[.gz] that a reference tool wrote for the profile X (see
data/README). Profiles are in data/, and where VPTOP_SHARED is set the larger ones are there.
"""

import gzip
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, 'data')
SHARED = os.environ.get('VPTOP_SHARED')
VPTOP = os.environ.get('VPTOP', './vptop')
SHOWN_DIFFERENCES = 12
with open(VPTOP, 'rb') as f:
    HAS_SANITIZERS = b'__asan_init' in f.read()

failed = 0


class Checks:
    """One comparison group: counts the figures, collects the differences, prints one line."""

    def __init__(self, title, what):
        self.title, self.what = title, what
        self.figures, self.differences = 0, []

    def equal(self, name, ours, oracle):
        self.figures += 1
        if ours != oracle:
            self.differences.append('%s: ours %r, oracle %r' % (name, ours, oracle))

    def true(self, name, condition, detail=''):
        self.figures += 1
        if not condition:
            self.differences.append('%s: %s' % (name, detail or 'is not so'))

    def done(self):
        global failed
        if not self.differences:
            print('ok - %s: %d %s' % (self.title, self.figures, self.what))
            return
        failed += 1
        print('not ok - %s: %d of %d %s differ' % (self.title, len(self.differences), self.figures,
                                                   self.what))
        for line in self.differences[:SHOWN_DIFFERENCES]:
            print('#   ' + line.encode('ascii', 'backslashreplace').decode()[:2000])
        if len(self.differences) > SHOWN_DIFFERENCES:
            print('#   ... and %d more' % (len(self.differences) - SHOWN_DIFFERENCES))


def skip(title, why):
    print('skip - %s: %s' % (title, why))


def finish():
    sys.exit(1 if failed else 0)


def read(path):
    """The text of a file, or of the same with .gz behind its name; None where there is neither."""
    if os.path.exists(path):
        with open(path, 'rb') as f:
            return f.read().decode('utf-8')
    if os.path.exists(path + '.gz'):
        with gzip.open(path + '.gz') as f:
            return f.read().decode('utf-8')
    return None


def profiles(kind, names):
    """(name, path, folder of oracles) of each name; path None where it is not to be had here."""
    for name in names:
        base = os.path.basename(name)
        for root in filter(None, (DATA, SHARED and os.path.join(SHARED, 'profiles'))):
            folder = os.path.join(root, kind)
            oracles = os.path.join(folder, 'oracle')
            if read(os.path.join(oracles, base + '.oracle.json')) is None:
                continue
            path = next((p for p in (os.path.join(folder, name), os.path.join(folder, name + '.gz'))
                         if os.path.exists(p)), None)
            if path:
                yield name, path, oracles
                break
        else:
            yield name, None, None


def oracle_of(name, oracles):
    return json.loads(read(os.path.join(oracles, os.path.basename(name) + '.oracle.json')))


def vptop(report, path, *options):
    """The JSON object of a report; exits with a message where there is none."""
    command = [VPTOP, '--report=' + report, '--format=json', '--nodecount=0', '--nodefraction=0',
               '--edgefraction=0', *options, path]
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    try:
        document = json.loads(p.stdout.decode('utf-8'))
    except ValueError as e:
        raise Failure('%s: status %d, no JSON (%s): %s' % (
            ' '.join(command[1:]), p.returncode, e, p.stderr.decode('utf-8', 'replace').strip()))
    if p.returncode != 0 or 'error' in document:
        raise Failure('%s: status %d: %s' % (' '.join(command[1:]), p.returncode,
                                              document.get('error')))
    return document


def refused(checks, what, arguments, status, *words, data=None):
    """A run of `top` that ends with that status and a message of one line, which has the words in it."""
    p = subprocess.run([VPTOP, '--report=top', *arguments], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=60,
                       **({'input': data} if data else {'stdin': subprocess.DEVNULL}))
    err = p.stderr.decode('utf-8', 'backslashreplace')
    checks.equal(what + ': status', p.returncode, status)
    checks.equal(what + ': nothing on stdout', p.stdout, b'')
    checks.equal(what + ': lines on stderr', err.count('\n'), 1)
    for word in words:
        checks.true(what, word in err, '%r is not in %r' % (word, err))


class Failure(Exception):
    pass


def guarded(title, function, *arguments):
    """Calls a comparison; what goes wrong in it is a failed test, not the end of the run."""
    global failed
    try:
        function(*arguments)
    except (Failure, subprocess.TimeoutExpired, KeyError, TypeError, IndexError, ValueError) as e:
        failed += 1
        print('not ok - %s: %s: %s' % (title, type(e).__name__, str(e).replace('\n', ' ')[:400]))


def parse_name(text):
    """(function, file, line) of "lang:function:line:file" (files and C++ names hold colons)."""
    lang, _, rest = text.partition(':')
    marks = list(re.finditer(r':(\d+):', rest))
    if not marks:
        return rest, None, 0
    mark = marks[-1] if lang == 'n' else marks[0]
    return rest[:mark.start()], rest[mark.end():] or None, int(mark.group(1))


# How names begin that vptop gives to addresses without one.
UNKNOWN = ('<unknown', '<assembler')


def key_of(row):
    return row['name'], row['file'], row['line'] or 0


def rows_by_function(document):
    """{(name, file, line): (cum, flat)} of the named rows, and the list of (cum, flat) of the others."""
    named, unnamed = {}, []
    for row in document['rows']:
        if row['name'].startswith(UNKNOWN):
            unnamed.append((row['cum'], row['flat']))
        else:
            named[key_of(row)] = (row['cum'], row['flat'])
    return named, unnamed


def walk(root):
    """(node, depth) of a tree as the report flame has it; without recursion."""
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        yield node, depth
        stack.extend((c, depth + 1) for c in node.get('children', ()))


def top_root(document):
    """The root as the reference has it: ours may hang below the synthetic "all"."""
    root = document['root']
    while root['name'] == 'all' and len(root['children']) == 1:
        root = root['children'][0]
    return root


def compare_cpu_tree(checks, document, t):
    """The report flame against the oracle of an envelope's CPU tree."""
    root = top_root(document)
    nodes = list(walk(root))
    checks.equal('root', root['name'], parse_name(t['root_name'])[0])
    checks.equal('count of the root', root['total'], t['root_count'])
    checks.equal('nodes', len(nodes), t['nodes'])
    checks.equal('depth', max(depth for _, depth in nodes), t['max_depth'])
    ours = {}
    for node, _ in nodes:
        name = '<unknown>' if node['name'].startswith(UNKNOWN) else node['name']
        ours[name] = ours.get(name, 0) + node['self']
    # The oracle has the first 20, by full name. By the name alone there may be more: functions that
    # are not among the first 20, each of them at most as heavy as the last that is.
    theirs = {}
    for name, count in t['self_by_name_top20']:
        name = '<unknown>' if name == '?' else parse_name(name)[0]
        theirs[name] = theirs.get(name, 0) + count
    is_all = len(t['self_by_name_top20']) < 20
    last = 0 if is_all else t['self_by_name_top20'][-1][1]
    for name, count in theirs.items():
        self_count = ours.get(name, -1)
        checks.true('self of ' + name, count <= self_count <= count + 3 * last,
                    'ours %r, oracle %r' % (self_count, count))
