# SPDX-License-Identifier: MIT
"""Golden tests of the old formats that pprof reads: CPU profiles as words, the others as text.

An oracle *.string or *.raw.txt is what pprof's parser and `go tool pprof -raw` say of a file: types,
samples and the address or function of each frame; *.top*.txt are its tables, *.google-pprof-text.txt those of gperftools'
own pprof. data/legacy has pprof's own test files and small ones of a Go program; the rest is compared where
VPTOP_SHARED names a folder with profiles/.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

import oracle as o

FOLDER = os.path.join(o.DATA, 'legacy')
NAMES = ['cppbench.contention', 'cppbench.cpu', 'cppbench.growth', 'cppbench.heap',
         'cppbench.thread', 'cppbench.thread.all', 'cppbench.thread.none', 'go.crc32.cpu',
         'go.godoc.thread', 'gobench.cpu', 'gobench.heap', 'java.contention', 'java.cpu',
         'java.heap', 'block.debug1.txt', 'mutex.debug1.txt', 'goroutine.debug1.txt']
ALL = []
# pprof's unit -> how many of it are one of ours
UNITS = {'microseconds': ('nanoseconds', 1000)}


def shared(*parts):
    path = o.SHARED and os.path.join(o.SHARED, 'profiles', *parts)
    return path if path and os.path.exists(path) else None


class Raw:
    """The output of pprof -raw."""

    def __init__(self, path):
        text = (o.read(path + '.string') or o.read(path + '.raw.txt') or
                o.read(path + '-raw.txt'))
        # The command puts equal samples together and leaves out those without a stack.
        self.has_all_samples = os.path.exists(path + '.string')
        self.types, self.samples, self.locations, self.modules = [], [], {}, {}
        self.period, self.period_type, part, last = 0, [], '', None
        for line in text.splitlines():
            if line.rstrip(':') in ('Samples', 'Locations', 'Mappings'):
                part = line.rstrip(':')
            elif part == '' and line.startswith('Period:'):
                self.period = int(line.split()[1])
            elif part == '' and line.startswith('PeriodType:'):
                self.period_type = line.split()[1:]
            elif part == 'Samples' and not self.types:
                self.types = [t.replace('[dflt]', '').split('/') for t in line.split()]
            elif part == 'Samples' and re.match(r'^ *-?\d+.*:[ \d]*$', line):
                values, _, ids = line.partition(':')
                self.samples.append(([int(v) for v in values.split()], ids.split()))
            elif part == 'Locations':
                last = self.location(line, last)
            elif part == 'Mappings':
                m = re.match(r'(\d+): \S+ ?(\S*)', line)
                if m:
                    self.modules[m.group(1)] = os.path.basename(m.group(2))

    def location(self, line, last):
        m = re.match(r'^ *(\d+): (0x[0-9a-f]+)(?: M=(\d+))? *(.*)$', line)
        key, rest = (m.group(1), m.group(4)) if m else (last, line.strip())
        if m:
            self.locations[key] = [int(m.group(2), 16), m.group(3), []]
        if rest:
            self.locations[key][2].append(re.sub(r' s=\d+.*$', '', rest).split(' ')[0])
        return key

    def frame(self, key):
        """What stands for a frame: its function, or its address."""
        address, _, names = self.locations[key]
        return names[0] if names else address

    def module(self, key):
        return self.modules.get(self.locations[key][1], '')

    def stacks(self):
        """{stack: values}, leaf first."""
        return added((tuple(self.frame(key) for key in ids), values)
                     for values, ids in self.samples)


def added(pairs):
    sums = {}
    for stack, values in pairs:
        before = sums.get(stack, [0] * len(values))
        sums[stack] = [a + b for a, b in zip(before, values)]
    return {stack: values for stack, values in sums.items() if any(values)}


def our_frame(text, has_names):
    """A frame of the report traces: "ADDRESS function file:line" or "ADDRESS [module]"."""
    address, _, rest = text.partition(' ')
    return rest.split(' ')[0] if has_names else int(address, 16)


def compare_modules(checks, document, raw):
    """That frames without a name are in the module of their address."""
    modules = {raw.locations[key][0]: raw.module(key) for key in raw.locations}
    seen = {}
    for trace in document['traces']:
        for text in trace['stack']:
            address, _, rest = text.partition(' ')
            if rest == '<unknown>' or rest.startswith('['):
                seen[int(address, 16)] = rest.strip('[]') if rest[0] == '[' else ''
    for address, module in seen.items():
        checks.equal('module of %x' % address, module, modules.get(address))


def compare_raw(title, path, raw):
    checks = o.Checks(title, 'figures')
    document = o.vptop('traces', path, '--granularity=addresses', *ALL)
    head = document['profile']
    scales = [UNITS.get(unit, (unit, 1)) for _, unit in raw.types]
    checks.equal('types', [(t['name'], t['unit']) for t in head['types']],
                 [(name, unit) for (name, _), (unit, _) in zip(raw.types, scales)])
    checks.equal('type shown first', [t['default'] for t in head['types']].index(True),
                 len(raw.types) - 1)
    if raw.has_all_samples:
        checks.equal('samples', head['samples'], len(raw.samples))
    if raw.types[-1][0] == 'cpu':
        checks.equal('period', head['period_ns'], raw.period)
    else:
        facts = o.vptop('raw', path)
        checks.equal('period', facts['period'], raw.period)
        checks.equal('what it is of', [facts['period_type'], facts['period_unit']],
                     raw.period_type or [None, None])
    theirs = {stack: [v * scale for v, (_, scale) in zip(values, scales)]
              for stack, values in raw.stacks().items()}
    has_names = any(names for _, _, names in raw.locations.values())
    # Stacks of which the counted type is 0 are in no report.
    ours = {}
    for t in raw.types:
        traces = o.vptop('traces', path, '--granularity=addresses', '--type=' + t[0], *ALL)
        ours.update(added((tuple(our_frame(text, has_names) for text in trace['stack']),
                           trace['values']) for trace in traces['traces']))
    for i, t in enumerate(head['types']):
        checks.equal('total of ' + t['name'], t['total'], sum(v[i] for v in theirs.values()))
    checks.equal('stacks', len(ours), len(theirs))
    for stack, values in theirs.items():
        checks.equal(str(stack[:3]), ours.get(stack), values)
    if not has_names:
        compare_modules(checks, document, raw)
    checks.done()


SCALES = {'': 1, 'B': 1, 'kB': 1 << 10, 'MB': 1 << 20, 'GB': 1 << 30, 'ns': 1, 'us': 1000,
          'ms': 10 ** 6, 's': 10 ** 9, 'mins': 60 * 10 ** 9, 'hrs': 3600 * 10 ** 9}


def about(text):
    """(number, half of its last digit) of a number as pprof's tables have it."""
    number, unit = re.match(r'^(-?[\d.]+)([a-zA-Z]*)$', text).groups()
    digits = len(number.partition('.')[2])
    scale = SCALES[unit]
    return float(number) * scale, (0.5 * scale / 10 ** digits if unit or digits else 0) + 1


def compare_top(title, path, text, options=(), may_have=()):
    """A table of pprof or of google-pprof: flat, flat%, sum%, cum, cum%, name."""
    checks = o.Checks(title, 'figures of rows')
    document = o.vptop('top', path, *options)
    ours = {row['label'] if '--granularity=addresses' in options else row['name']: row
            for row in document['rows']}
    seen = set()
    for line in text.splitlines():
        m = re.match(r'^ *(\S+) +[\d.e-]+% +[\d.]+% +(\S+) +[\d.e-]+% +(.*)$', line)
        if not m:
            continue
        name = re.sub(r'( \(inline\)| \(partial-inline\)|<[0-9a-f]{16}>)$', '', m.group(3).strip())
        seen.add(name)
        row = ours.get(name, {'flat': -1, 'cum': -1})
        for key, value in (('flat', m.group(1)), ('cum', m.group(2))):
            number, error = about(value)
            checks.true('%s of %s' % (key, name), abs(row[key] - number) <= error,
                        'ours %r, oracle %s' % (row[key], value))
    checks.true('rows of the oracle', seen, 'none')
    checks.equal('rows of our own', sorted(set(ours) - seen - set(may_have)), [])
    checks.done()


def rewords(data, word, order):
    """A profile of 64-bit little-endian words in another layout; the text behind it stays."""
    count = len(data) // 8
    words = struct.unpack('<%dQ' % count, data[:count * 8])
    at = 5
    while words[at:at + 3] != (0, 1, 0):
        at += 2 + words[at + 1]
    head = struct.pack('%s%d%s' % (order, at + 3, 'I' if word == 4 else 'Q'), *words[:at + 3])
    return head + data[(at + 3) * 8:]


def compare_layouts(folder):
    path = os.path.join(FOLDER, 'gobench.cpu')
    with open(path, 'rb') as f:
        data = f.read()
    raw = Raw(os.path.join(FOLDER, 'oracle', 'gobench.cpu'))
    for word, order in ((4, '<'), (4, '>'), (8, '>')):
        other = os.path.join(folder, 'layout')
        with open(other, 'wb') as f:
            f.write(rewords(data, word, order))
        title = 'gobench.cpu as %d-bit words, %s-endian' % (
            8 * word, 'big' if order == '>' else 'little')
        o.guarded(title, compare_raw, title, other, raw)


def compare_line_ends(folder):
    for name in ('cppbench.heap', 'cppbench.thread', 'java.heap', 'block.debug1.txt',
                 'cppbench.contention', 'go.godoc.thread'):
        with open(os.path.join(FOLDER, name), 'rb') as f:
            data = f.read()
        other = os.path.join(folder, 'crlf')
        with open(other, 'wb') as f:
            f.write(b'\xef\xbb\xbf\r\n' + data.replace(b'\n', b'\r\n'))
        raw = Raw(os.path.join(FOLDER, 'oracle', name))
        title = name + ' with CR LF and a byte order mark'
        o.guarded(title, compare_raw, title, other, raw)


def compare_go_names():
    """The names in the text against the same profile as protobuf, by pprof."""
    for kind in ('block', 'mutex'):
        for value in ('contentions', 'delay'):
            title = '%s.debug1.txt: functions by %s' % (kind, value)
            text = o.read(os.path.join(FOLDER, 'oracle', '%s.top.%s.flat.txt' % (kind, value)))
            o.guarded(title, compare_top, title, os.path.join(FOLDER, kind + '.debug1.txt'), text,
                      ['--type=' + value], ('runtime.goexit',))
    heap = shared('go', 'work', 'heap.debug1.txt')
    if not heap:
        o.skip('heap.debug1.txt', 'VPTOP_SHARED has none')
        return
    for value in ('alloc_objects', 'alloc_space', 'inuse_objects', 'inuse_space'):
        title = 'heap.debug1.txt: functions by ' + value
        text = o.read(shared('go', 'oracle', 'heap.top.%s.flat.txt' % value))
        o.guarded(title, compare_top, title, heap, text, ['--type=' + value] + ALL,
                  ('runtime.goexit', 'runtime.<unnamed>'))


def compare_threadcreate():
    """Which pprof refuses: five threads without a stack."""
    checks = o.Checks('threadcreate.debug1.txt', 'figures')
    document = o.vptop('top', os.path.join(FOLDER, 'threadcreate.debug1.txt'))
    checks.equal('total', document['total'], 5)
    checks.equal('samples', document['profile']['samples'], 1)
    checks.equal('warnings', document['warnings'], [])
    checks.done()


def compare_testdata_tops():
    for name in NAMES[:14]:
        oracle = shared('go', 'oracle', 'testdata.%s.top.flat.txt' % name)
        title = name + ': rows of the last type'
        if not oracle:
            o.skip(title, 'VPTOP_SHARED has no oracle')
            continue
        if name.startswith('cppbench.thread') and name != 'cppbench.thread.none':
            continue  # pprof leaves the names out
        o.guarded(title, compare_top, title, os.path.join(FOLDER, name), o.read(oracle))


def compare_gperftools():
    cpu = shared('other', 'gperftools-cpu.prof')
    if not cpu:
        o.skip('gperftools', 'VPTOP_SHARED has no profiles of it')
        return
    oracles = os.path.join(os.path.dirname(cpu), 'oracle')
    title = 'gperftools-cpu.prof'
    o.guarded(title, compare_raw, title, cpu, Raw(
        os.path.join(oracles, title + '.gopprof')))
    o.guarded(title, compare_top, title + ': addresses', cpu, o.read(
        os.path.join(oracles, title + '.gopprof-top-addresses.txt')), ['--granularity=addresses'])
    title = 'gperftools-cpu.symbolized.prof'
    o.guarded(title, compare_top, title, shared('other', title), o.read(
        os.path.join(oracles, title + '.google-pprof-text.txt')))
    for i in range(4):
        for value in ('alloc_objects', 'alloc_space', 'inuse_objects', 'inuse_space'):
            name = 'gperftools-heap-%d.heap' % i
            title = '%s: addresses by %s' % (name, value)
            text = o.read(os.path.join(oracles, '%s.gopprof-top-%s.txt' % (name, value)))
            o.guarded(title, compare_top, title, shared('other', name), text,
                      ['--type=' + value, '--granularity=addresses'])


def main():
    for name in NAMES:
        raw = Raw(os.path.join(FOLDER, 'oracle', name))
        o.guarded(name, compare_raw, name, os.path.join(FOLDER, name), raw)
    with tempfile.TemporaryDirectory(prefix='vptop-legacy-') as folder:
        compare_layouts(folder)
        compare_line_ends(folder)
    compare_go_names()
    compare_threadcreate()
    compare_testdata_tops()
    compare_gperftools()
    o.finish()


main()
