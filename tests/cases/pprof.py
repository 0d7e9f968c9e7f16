# SPDX-License-Identifier: MIT
"""pprof profiles, sound, odd and damaged, made byte by byte."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden'))
import oracle as o  # noqa: E402

MAX_MIB = 400
folder = tempfile.mkdtemp(prefix='vptop-pprof-')


# ---- making one ---------------------------------------------------------------------------------

def varint(n):
    n &= 2**64 - 1
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def record(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def numbers(field, values, packed):
    if packed:
        return record(field, b''.join(map(varint, values)))
    return b''.join(number(field, v) for v in values)


class Profile:
    """A message whose records wait in `parts`, in the order of the file; the strings go last."""

    def __init__(self, types=(('samples', 'count'), ('cpu', 'nanoseconds'))):
        self.strings, self.parts, self.functions = {'': 0}, [], {}
        for name, unit in types:
            self.add(1, number(1, self.string(name)) + number(2, self.string(unit)))

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def add(self, field, data):
        self.parts.append(record(field, data))
        return self

    def number(self, field, value):
        self.parts.append(number(field, value))
        return self

    def function(self, name, file='', line=0):
        key = name, file, line
        if key not in self.functions:
            self.functions[key] = len(self.functions) + 1
            self.add(5, number(1, self.functions[key]) + number(2, self.string(name)) +
                     number(4, self.string(file)) + number(5, line))
        return self.functions[key]

    def mapping(self, id, file):
        return self.add(3, number(1, id) + number(5, self.string(file)))

    def location(self, id, *names, mapping=0, address=None):
        """names, innermost first: a name, or (name, file, line)."""
        data = [number(1, id), number(3, id * 16 if address is None else address)]
        data += [number(2, mapping)] if mapping else []
        for name in names:
            name, file, line = (name, name + '.c', 7) if isinstance(name, str) else name
            data.append(record(4, number(1, self.function(name, file)) + number(2, line)))
        return self.add(4, b''.join(data))

    def sample(self, values, *locations, labels=(), packed=True):
        """locations: leaf first."""
        data = numbers(1, locations, packed) + numbers(2, values, packed)
        for key, text in labels:
            data += record(3, number(1, self.string(key)) + number(2, self.string(text)))
        return self.add(2, data)

    def table(self):
        return b''.join(record(6, s if isinstance(s, bytes) else s.encode()) for s in self.strings)

    def bytes(self):
        return b''.join(self.parts) + self.table()


def small(types=(('samples', 'count'), ('cpu', 'nanoseconds')), values=(1, 10)):
    p = Profile(types)
    p.location(1, 'work').location(2, 'main')
    return p.sample(values, 1, 2)


# ---- looking at it ------------------------------------------------------------------------------

def file_of(data, name='input.pb'):
    path = os.path.join(folder, name)
    with open(path, 'wb') as f:
        f.write(data if isinstance(data, bytes) else data.bytes())
    return path


def top(data, *options):
    return o.vptop('top', file_of(data), *options)


def rows(document):
    return [(r['label'], r['flat'], r['cum']) for r in document['rows']]


def classes(document):
    return [w['class'] for w in document['warnings']]


def refusal(checks, what, data, *words):
    o.refused(checks, what, [file_of(data)], 1, *words)


SMALL = [('work', 10, 10), ('main', 0, 10)]


# ---- what is sound --------------------------------------------------------------------------------

def case_orders(checks):
    """Fields in any order, packed or not, strings first or last."""
    p = small()
    checks.equal('strings last', rows(top(p)), SMALL)
    checks.equal('strings first', rows(top(p.table() + b''.join(p.parts))), SMALL)
    checks.equal('backwards', rows(top(b''.join(reversed(p.parts)) + p.table())), SMALL)
    p = Profile()
    p.location(1, 'work').location(2, 'main').sample((1, 10), 1, 2, packed=False)
    checks.equal('not packed', rows(top(p)), SMALL)
    mixed = numbers(1, [1], True) + numbers(2, [1], False) + numbers(1, [2], False) + numbers(2, [10], True)
    p = Profile()
    p.location(1, 'work').location(2, 'main').add(2, mixed)
    checks.equal('both', rows(top(p)), SMALL)
    checks.equal('gzip', rows(top(gzip.compress(small().bytes()))), SMALL)
    half = len(small().bytes()) // 2
    two = gzip.compress(small().bytes()[:half]) + gzip.compress(small().bytes()[half:])
    checks.equal('gzip of two members', rows(top(two)), SMALL)
    p = small()
    for start in (b'\x48' + varint(1600000000 * 10**9), record(11, number(1, 3) + number(2, 4))):
        checks.equal('first byte %02x' % start[0], rows(top(start + p.bytes())), SMALL)
    unknown = record(99, b'any') + number(60, 5) + varint(61 << 3 | 1) + bytes(8) + varint(62 << 3 | 5) + bytes(4)
    d = top(unknown + p.bytes())
    checks.equal('unknown fields', (rows(d), d['warnings']), (SMALL, []))


def case_types(checks):
    types = (('alloc_objects', 'count'), ('alloc_space', 'kilobytes'), ('inuse_space', 'bytes'))
    p = small(types, (3, 2, 9))
    d = top(p)
    checks.equal('the last one', (d['query']['type'], rows(d)[0][1]), ('inuse_space/bytes', 9))
    checks.equal('kinds', [t['kind'] for t in d['profile']['types']], ['counter', 'counter', 'snapshot'])
    checks.equal('KiB', top(p, '--type=alloc_space')['rows'][0]['flat'], 2048)
    p.number(14, p.string('alloc_space'))
    checks.equal('the one it names', top(p)['query']['type'], 'alloc_space/bytes')
    refusal(checks, 'one that is not there', small(types, (3, 2, 9)).number(14, 1000000), 'string table')
    p = small(types, (3, 2, 9))
    p.number(14, p.string('elsewhere'))
    checks.equal('one of another name', top(p)['query']['type'], 'inuse_space/bytes')
    d = top(small(types, (3, 2, 0)))
    checks.equal('0 everywhere', (d['query']['type'], classes(d)), ('alloc_objects/count', ['note']))
    for unit, scale in (('ns', 1), ('MicroSeconds', 1000), ('ms', 10**6), ('second', 10**9), ('kb', 1024),
                        ('furlongs', 1)):
        d = top(small((('x', unit),), (5,)))
        checks.equal('unit ' + unit, d['rows'][0]['flat'], 5 * scale)
    many = [('type%d' % i, 'count') for i in range(40)]
    d = top(small(many, range(1, 41)))
    checks.equal('40 types', (len(d['profile']['types']), d['rows'][0]['flat'], classes(d)), (32, 32, ['note']))


def case_time(checks):
    p = small().number(9, 1600000000 * 10**9).number(10, 5 * 10**9).number(12, 10**7)
    p.add(11, number(1, p.string('cpu')) + number(2, p.string('nanoseconds')))
    d = o.vptop('info', file_of(p))['profile']
    checks.equal('start', d['start_unix_ns'], 1600000000 * 10**9)
    checks.equal('duration', d['duration_ns'], 5 * 10**9)
    checks.equal('period', d['period_ns'], 10**7)
    checks.equal('clock', d['clock'], None)
    p = small().number(9, -1).number(10, 2**63 - 1)
    d = o.vptop('info', file_of(p))
    checks.equal('before 1970', (d['profile']['start_unix_ns'], classes(d)), (None, ['bad-time']))


def case_inlined(checks):
    p = Profile()
    p.location(1, 'leaf', 'mid', 'outer').location(2, 'main').sample((1, 10), 1, 2)
    d = o.vptop('traces', file_of(p))
    checks.equal('order', d['traces'][0]['stack'], ['leaf', 'mid', 'outer', 'main'])
    checks.equal('flat', rows(top(p))[0], ('leaf', 10, 10))
    # show_from cuts the lines outside of a match in its location, wherever that is.
    p.location(3, 'mid').sample((1, 5), 1, 3, 2)
    d = o.vptop('traces', file_of(p), '--show-from=^mid$')
    checks.equal('show_from', sorted(t['stack'] for t in d['traces']), [['leaf', 'mid'], ['leaf', 'mid', 'mid']])


def case_names(checks):
    p = Profile()
    p.mapping(1, '/bin/prog')
    p.location(1, ('run', './a//b/../x.c', 3)).location(2, ('run', 'y.c', 3), mapping=1)
    p.location(3, mapping=1).location(4, mapping=1).location(5)
    for i in range(1, 6):
        p.sample((1, 10 ** i), i)
    checks.equal('functions', rows(top(p)), [
        ('<unknown>', 100000, 100000), ('[prog]', 11000, 11000), ('run', 110, 110)])
    checks.equal('files', [r[0] for r in rows(top(p, '--granularity=files'))],
                 ['<unknown>', '[prog]', 'y.c', 'a/x.c'])
    checks.equal('lines', [r[0] for r in rows(top(p, '--granularity=lines'))],
                 ['<unknown>', '[prog]', 'run y.c:3', 'run a/x.c:3'])
    checks.equal('addresses', [r[0] for r in rows(top(p, '--granularity=addresses'))], [
        '0000000000000050 <unknown>', '0000000000000040 [prog]', '0000000000000030 [prog]',
        '0000000000000020 run y.c:3', '0000000000000010 run a/x.c:3'])
    # Filters see files and modules whatever the rows are.
    checks.equal('focus on a file', rows(top(p, '--focus=y.c')), [('run', 100, 100)])
    checks.equal('focus on a module', rows(top(p, '--focus=/bin/prog')), [('[prog]', 11000, 11000), ('run', 100, 100)])
    checks.equal('hide a file', rows(top(p, '--hide=y[.]c')), [
        ('<unknown>', 100000, 100000), ('[prog]', 11000, 11000), ('run', 10, 10)])
    checks.equal('show a module', rows(top(p, '--show=/bin/prog')), [('run', 100, 100)])
    p = Profile()
    p.add(5, number(1, 9) + number(3, p.string('_ZSystem')))
    p.add(4, number(1, 1) + record(4, number(1, 9))).sample((1, 10), 1)
    checks.equal('system name', rows(top(p)), [('_ZSystem', 10, 10)])
    p = small()
    p.strings = {s if s != 'work' else b'w\xff\x1b[2J\0k': i for s, i in p.strings.items()}
    checks.equal('bytes', rows(top(p))[0][0], 'w\\xff\\x1b[2J\\x00k')


def case_drop(checks):
    p = Profile()
    p.location(1, 'malloc_hook').location(2, '.malloc(int)').location(3, 'work').location(4, 'main')
    p.location(5, 'inner', 'malloc', 'outer')
    p.sample((1, 10), 1, 2, 3, 4).sample((1, 100), 1, 2).sample((1, 1000), 1, 5).sample((1, 10000), 1, 5, 4)
    p.number(7, p.string('mal.*|inner'))
    checks.equal('dropped', rows(top(p)), [
        ('outer', 10000, 11000), ('malloc_hook', 1100, 1100), ('work', 10, 10), ('.malloc(int)', 0, 100),
        ('main', 0, 10010)])
    p.number(8, p.string('malloc'))
    checks.equal('kept', rows(top(p)), [
        ('malloc', 10000, 11000), ('malloc_hook', 1000, 1000), ('.malloc(int)', 110, 110), ('main', 0, 10010),
        ('outer', 0, 11000), ('work', 0, 10)])
    p.number(7, p.string('(')) # no pattern: nothing is dropped
    checks.equal('a broken pattern', rows(top(p))[0], ('malloc_hook', 11110, 11110))
    checks.equal('... is said', classes(top(p)), ['malformed'])
    p = small()
    p.location(3, 'a' * 4000).sample((1, 10), 3)
    p.number(7, p.string('(a+)+[bc]'))
    checks.equal('a pattern that takes too long', classes(top(p)), ['malformed'])
    p.number(7, p.string('work')).number(8, p.string('['))
    checks.equal('a broken keep_frames', (rows(top(p))[0], classes(top(p))), (('a' * 4000, 10, 10), ['malformed']))
    checks.equal('all frames', rows(top(p, '--all-frames', '--focus=work')), SMALL)


def case_values(checks):
    """--mean, --divide-by, --unit and what they cannot be."""
    p = Profile((('objects', 'count'), ('space', 'bytes')))
    p.location(1, 'work').location(2, 'main').sample((3, 100), 1, 2).sample((2, -7), 2).sample((0, 5), 2)
    d = top(p, '--mean', '--drop-negative')
    checks.equal('means', rows(d), [('work', 33, 33)])
    checks.equal('means', rows(top(p, '--mean')), [('work', 33, 33), ('main', -1, 19)])
    checks.equal('mean of all', d['total'], 112 // 5)
    checks.equal('divided', rows(top(p, '--divide-by=3')), [('work', 33, 33), ('main', 0, 32)])
    for report in ('flame', 'folded', 'callers'):
        q = subprocess.run([o.VPTOP, '--report=' + report, '--mean', '-F', 'work', file_of(p)],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        checks.equal('no %s of means' % report, (q.returncode, q.stdout), (2, b''))
        checks.true('... is said', b'means do not add up' in q.stderr, repr(q.stderr))


def case_difference(checks):
    p = Profile((('cpu', 'nanoseconds'),))
    p.location(1, 'up').location(2, 'down').location(3, 'main')
    p.sample((30,), 1, 3).sample((-50,), 2, 3, labels=[('a', 'b'), ('pprof::base', 'true')])
    d = top(p)
    checks.equal('rows', rows(d), [('down', -50, -50), ('up', 30, 30), ('main', 0, -20)])
    checks.equal('shares are of the base', d['total'], 50)
    parts = {r['label']: [r[k] for k in ('base_flat', 'flat', 'delta_flat', 'base_cum', 'cum', 'delta_cum')]
             for r in o.vptop('diff', file_of(p))['rows']}
    checks.equal('what was and is', parts, {'up': [0, 30, 30, 0, 30, 30], 'main': [0, 0, 0, 50, 30, -20],
                                            'down': [50, 0, -50, 50, 0, -50]})
    q = o.vptop('traces', file_of(p), '--type=base:cpu')
    checks.equal('types', [t['name'] for t in q['profile']['types']], ['cpu', 'base:cpu', 'new:cpu'])
    checks.equal('totals', [t['total'] for t in q['profile']['types']], [-20, 50, 30])
    p = Profile((('cpu', 'nanoseconds'),))
    p.location(1, 'up').location(2, 'down').location(3, 'main')
    p.sample((30,), 1, 3).sample((-50,), 2, 3)
    checks.equal('shares are of sizes', top(p)['total'], 80)
    checks.equal('and of those that pass', top(p, '--focus=down', '--relative-percentages')['total'], 50)
    for report in ('summary', 'flame', 'tree', 'traces', 'threads', 'info'):
        o.vptop(report, file_of(p))


# ---- what is not ------------------------------------------------------------------------------------

def case_counts(checks):
    for values in ((5,), (1, 2, 3), ()):
        refusal(checks, '%d values' % len(values), small().sample(values, 1, 2), 'more or fewer values')
    d = top(small().sample((1, 5)))
    checks.equal('no stack', (rows(d), d['total'], d['warnings']), (SMALL, 15, []))
    p = Profile()
    d = top(p)
    checks.equal('no samples', (rows(d), classes(d)), ([], ['note']))
    refusal(checks, 'no types', small(types=()), 'no sample types')
    d = top(small((('x', 'count'),), (2**63 - 1,)).sample((2**63 - 1,), 2))
    checks.equal('past 64 bits', (d['total'], 'overflow' in classes(d)), (2**63 - 1, True))
    checks.equal('the least number', top(small((('x', 'count'),), (-2**63,)))['total'], 2**63 - 1)


def case_ids(checks):
    p = small().sample((1, 5), 77, 2)
    d = top(p)
    checks.equal('unknown location', (rows(d), classes(d)), (
        [('work', 10, 10), ('<unknown location 77>', 5, 5), ('main', 0, 15)], ['malformed']))
    d = top(small().location(0, 'none').sample((1, 5), 0))
    checks.equal('a reserved id', (rows(d)[0], classes(d)), (('work', 10, 10), ['malformed', 'malformed']))
    refusal(checks, 'a repeated id', small().location(1, 'other'), 'the id of another')
    big = 2**64 - 1
    p = Profile()
    p.location(big, 'work', address=5).location(2**40, 'main').sample((1, 10), big, 2**40)
    checks.equal('any ids', rows(top(p)), SMALL)
    p = small()
    p.add(4, number(1, 5) + record(4, number(1, 99)) + record(4, number(1, 0)) + record(4, number(1, 1)))
    d = top(p.sample((1, 5), 5))
    checks.equal('lines without a function', (rows(d), classes(d)), (
        [('work', 15, 15), ('main', 0, 10)], ['malformed']))
    p = small()
    p.add(5, number(1, 50) + number(2, 10**9) + number(4, 2**63))
    p.add(4, number(1, 5) + number(2, 1000) + record(4, number(1, 50)))
    refusal(checks, 'names past the end', p.sample((1, 5), 5), 'string table')
    p = small()
    d = top(b''.join(p.parts) + record(6, b'x') + p.table()[2:])
    checks.equal('no "" in front', 'malformed' in classes(d), True)
    refusal(checks, 'no strings', b''.join(p.parts) + b'\x0a', 'names')


def case_broken(checks):
    whole = small().sample((1, 5), 1).bytes()
    p = small()
    strings_first = p.table() + b''.join(p.parts)
    tails = {'group': b'\x0b', 'type 7': b'\x0f', 'field 0': b'\x00\x00', 'wrong type': b'\x10\x01',
             'long number': b'\xff' * 11, 'length past the end': b'\x12' + varint(2**27)}
    for what, tail in tails.items():
        data = strings_first + tail + bytes(32)
        if 'length' not in what: # it may be that the file is cut
            refusal(checks, what, data, 'at byte %d' % len(strings_first))
            continue
        d = top(data)
        checks.equal(what, (rows(d), classes(d), d['profile']['truncated']), (SMALL, ['truncated'], True))
    refusal(checks, 'cut before the names', whole[:len(whole) - len(small().table()) - 1], 'names')
    for what, data in (('sample', b'\x0a\x7f\x01'), ('label', record(3, b'\x08')), ('location id', b'\x0b'),
                       ('value', b'\x11' + bytes(8))):
        refusal(checks, 'broken ' + what, small().add(2, data), 'broken', 'at byte')
    for field in (1, 3, 4, 5):
        refusal(checks, 'broken record %d' % field, small().add(field, b'\x0a\x7f'), 'broken', 'at byte')
    packed = gzip.compress(p.table() + b''.join(p.parts) + bytes(0) + p.sample((1, 7), 1).parts[-1] * 2000)
    d = top(packed[:-30])
    checks.equal('cut gzip', (classes(d), d['profile']['truncated'], rows(d)[0][1] > 10), (['truncated'], True, True))
    first = small().number(9, 5).bytes()
    refusal(checks, 'two profiles', first + first, 'two profiles', 'byte %d' % (2 * len(first) - len(small().table())))
    refusal(checks, 'two in gzip', gzip.compress(first) * 2, 'two profiles')


def peak_mib(data, *options):
    path = file_of(data)
    p = subprocess.run(['/usr/bin/env', 'python3', '-c',
                        'import resource, subprocess, sys\n'
                        'p = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n'
                        'print(p.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)',
                        o.VPTOP, '--report=top', '--format=json', *options, path],
                       stdout=subprocess.PIPE, timeout=120)
    return tuple(map(int, p.stdout.split()))


def case_large(checks):
    p = Profile()
    ids = list(range(1, 100001))
    for i in ids:
        p.location(i, 'f%d' % (i % 1000))
    p.sample((1, 10), *ids).sample((1, 5), *ids[1:])
    d = top(p)
    checks.equal('100,000 frames', (d['profile']['max_depth'], d['total'], d['rows'][0]['flat']), (100000, 15, 10))
    d = top(p, '--max-depth=1000')
    checks.equal('cut', (d['profile']['max_depth'], d['rows'][0]['label'], classes(d)), (1000, 'f1', ['truncated']))
    # Inlined lines make a stack deeper than its locations.
    p = Profile()
    p.location(1, *['f%d' % i for i in range(50)]).sample((1, 10), *[1] * 100).sample((1, 5), 1)
    d = top(p, '--max-depth=120')
    checks.equal('cut in lines', (d['profile']['max_depth'], rows(d)[0], d['total'], classes(d)), (
        120, ('f0', 15, 15), 15, ['truncated']))
    # Twenty kilobytes that say they are 10,000,000 frames.
    p = Profile()
    p.location(1, *['f'] * 1000)
    for i in range(2, 12):
        p.location(i, 'root%d' % i).sample((1, 10), *[1] * 1000, i)
    refusal(checks, 'lines without end', gzip.compress(p.bytes()), 'far more frames')
    lie = small().bytes() + b'\x12' + varint(2**28 - 1)
    status, mib = peak_mib(lie)
    checks.equal('a length that lies', status, 0)
    if not o.HAS_SANITIZERS:
        checks.true('memory', mib < 60, '%d MiB' % mib)


def case_by_samples(checks):
    """What the shared cases know in samples, which is not the default type."""
    found = o.SHARED and os.path.join(o.SHARED, 'cases', 'dev')
    for case in ('07-pprof-string-table', '09-pprof-inline-order', '12-pprof-wire-variants', '15-pprof-zstd'):
        if not found or not os.path.isdir(os.path.join(found, case)):
            return
        with open(os.path.join(found, case, 'expect.json')) as f:
            runs = json.load(f)['runs']
        for run in runs:
            for wanted in [run] + run.get('any_of', []):
                if wanted.get('top_type') == 'samples/count':
                    by_samples(checks, os.path.join(found, case, run['input']), run['id'], wanted)


def by_samples(checks, path, title, wanted):
    if 'top' in wanted:
        ours = sorted((r['flat'], r['cum'], r['name']) for r in o.vptop('top', path, '-t', 'samples')['rows'])
        theirs = sorted((r['flat'], r['cum'], r['name'] or '[demo]') for r in wanted['top'])
        checks.equal(title + ': rows', ours, theirs)
    if 'edges' in wanted:
        d = o.vptop('tree', path, '-t', 'samples')
        ours = sorted((r['name'], c['name'], c['value']) for r in d['rows'] for c in r['callees'])
        checks.equal(title + ': edges', ours, sorted((e['caller'], e['callee'], e['value']) for e in wanted['edges']))
    if 'traces' in wanted:
        d = o.vptop('traces', path, '-t', 'samples')
        ours = sorted((t['stack'][::-1], t['values'][0]) for t in d['traces'])
        checks.equal(title + ': traces', ours, sorted((t['stack'], t['value']) for t in wanted['traces']))


CASES = [('fields in any order', case_orders), ('value types', case_types), ('time', case_time),
         ('inlined functions', case_inlined), ('names and filters', case_names),
         ('frames to drop', case_drop), ('values', case_values), ('differences', case_difference), ('counts', case_counts),
         ('ids', case_ids), ('broken records', case_broken), ('large', case_large),
         ('cases by samples', case_by_samples)]


def main():
    for title, function in CASES:
        checks = o.Checks('pprof: ' + title, 'figures')
        o.guarded('pprof: ' + title, function, checks)
        checks.done()
    shutil.rmtree(folder)
    o.finish()


if __name__ == '__main__':
    main()
