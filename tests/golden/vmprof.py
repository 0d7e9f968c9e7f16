# SPDX-License-Identifier: MIT
"""Golden tests of vmprof profiles: every figure of the oracles against vptop's reports.

The oracles are by vmprof-python's own reader and Stats. Where that tool is known to be wrong, the
comparison says so and leaves that figure out, or compares what is right instead.
"""

import collections
import re

import oracle as o

NAMES = [
    'cpython27-lines.prof', 'cpython27-mem.prof', 'cpython311-lines-mem-native.prof',
    'cpython311-lines-unknown-line.prof', 'cpython311-lines.prof', 'cpython311-mem.prof',
    'cpython311-native.prof', 'cpython311-realtime-threads.prof', 'pypy-cli.prof',
    'pypy-cpu-threads.prof', 'pypy-cpu.prof', 'pypy-cut-in-record.prof', 'pypy-killed.prof',
    'pypy-lines.prof', 'pypy-mem-long.prof', 'pypy-mem.prof', 'pypy-mem.prof.gz',
    'pypy-native.prof', 'pypy-realtime-threads.prof', 'vmprof-server-test.prof',
]

# The first format (marker 4), which only an old reader reads.
OLD_NAMES = ['richards.cpython.prof', 'richards.pypy.prof', 'simple_nested.pypy.prof', 'wsgi.prof']


def parts(samples, left_out):
    """Options for the stretches of samples that the oracle counted; it leaves some samples out."""
    if not left_out:
        return [()]
    stretches, first = [], 0
    for i in left_out + [samples]:
        if i > first:
            stretches.append(('--from=#%d' % first, '--to=#%d' % i))
        first = i + 1
    return stretches


def rows_of(path, left_out, samples, *options):
    """Rows of the report top, summed over the stretches: a row's cum adds over samples."""
    named, unnamed = collections.defaultdict(lambda: (0, 0)), collections.defaultdict(lambda: (0, 0))
    for stretch in parts(samples, left_out):
        for row in o.vptop('top', path, *options, *stretch)['rows']:
            table, key = (unnamed, row['name']) if row['name'].startswith(o.UNKNOWN) else (
                named, o.key_of(row))
            table[key] = table[key][0] + row['cum'], table[key][1] + row['flat']
    return named, unnamed


def compare_head(title, path, d):
    checks = o.Checks(title, 'figures of the head')
    head = o.vptop('info', path)['profile']
    checks.equal('format', head['format'], 'vmprof')
    checks.equal('samples', head['samples'], d['samples_all'])
    checks.equal('version', head['version'], d['version'])
    checks.equal('interpreter', head['interpreter'], d['interp'])
    checks.equal('period', head['period_ns'], d['period_usec'] * 1000)
    start, end = d['start_time_usec_utc'], d['end_time_usec_utc']
    checks.equal('start', head['start_unix_ns'], start and start * 1000)
    if start is not None and end is not None:
        checks.equal('duration', head['duration_ns'], (end - start) * 1000)
        # The ticks of one thread's real-time clock are an exact clock (mode bit 0x10).
        is_exact = d['mode'] & 0x10 and len(d['threads']) == 1
        checks.equal('clock', head['clock'], 'nominal' if is_exact else 'stretched')
    checks.equal('sampled time', head['sampled_ns'], d['samples_all'] * d['period_usec'] * 1000)
    checks.equal('truncated', head['truncated'],
                 bool(d['reader_error']) or (d['version'] >= 5 and not d['has_trailer_time']))
    checks.equal('threads', head['threads'], len(d['threads']))
    # Entries count a line or a kind beside each frame's address; here a frame is one.
    entries = d['stack_entries_max']
    if not d['samples_left_out']:
        checks.equal('depth', head['max_depth'], entries // 2 if d['profile_lines'] else entries)
    total = next(t['total'] for t in head['types'] if t['name'] == 'samples')
    checks.equal('total', total, d['samples_all'])
    rows = o.vptop('threads', path)['rows']
    ours = {int(str(r['id']), 0): r['value'] for r in rows}
    if not d['samples_left_out']:
        checks.equal('samples of each thread', ours, {int(k): v for k, v in d['threads']})
    checks.done()


def compare_memory(title, path, d):
    m = d.get('memory')
    if not m:
        return
    checks = o.Checks(title, 'figures of memory')
    one = o.vptop('timeline', path, '--bins=1')['bins']
    checks.equal('bins', len(one), 1)
    checks.equal('max', one[0]['max'], m['peak_kib'] * 1024)
    checks.equal('min', one[0]['min'], m['min_kib'] * 1024)
    checks.equal('count', one[0]['count'], d['samples'])
    checks.equal('mean', one[0]['mean'], m['sum_kib'] * 1024 / d['samples'])
    peak = o.vptop('summary', path)['peak']
    checks.equal('peak', (peak['value'], peak['unit'], peak['sample']),
                 (m['peak_kib'] * 1024, 'bytes', m['peak_first_index']))
    bins = o.vptop('timeline', path, '--bins=0')['bins']
    values = [b['max'] // 1024 for b in bins]
    checks.equal('one bin a sample', len(bins), d['samples'])
    checks.equal('first', values[0], m['first_kib'])
    checks.equal('last', values[-1], m['last_kib'])
    checks.equal('sum', sum(values), m['sum_kib'])
    checks.equal('index of the peak', values.index(max(values)), m['peak_first_index'])
    checks.equal('samples at the peak', values.count(max(values)), m['peak_count'])
    checks.equal('samples of 0', values.count(0), m['zero_samples'])
    checks.done()


def compare_names(title, path, d, names, *options):
    """names: [name, samples with it, samples that end in it]."""
    checks = o.Checks(title, 'function figures')
    named, unnamed = rows_of(path, d['samples_left_out'], d['samples_all'], *options)
    left = dict(named)
    for name, total, self_count in names:
        if name == '<unknown code>':
            # One row in the oracle, one for each address here.
            checks.equal('self of unknown code', sum(v[1] for v in unnamed.values()), self_count)
            checks.true('total of unknown code',
                        max((v[0] for v in unnamed.values()), default=0) <= total <=
                        sum(v[0] for v in unnamed.values()), 'not between the largest and the sum')
            continue
        key = o.parse_name(name)
        ours = left.pop(key, (None, None))
        checks.equal('total of %s' % name, ours[0], total)
        checks.equal('self of %s' % name, ours[1], self_count)
    checks.true('no other functions', not left, str(list(left.items())[:3]))
    checks.done()


def compare_addresses(title, path, d):
    """Each address by itself: at this granularity a row's label ends in it."""
    checks = o.Checks(title, 'address figures')
    ours = {}
    for stretch in parts(d['samples_all'], d['samples_left_out']):
        document = o.vptop('top', path, '--granularity=addresses', '--show-assembler', *stretch)
        for r in document['rows']:
            address = int(re.search(r'0x([0-9a-f]+)>?$', r['label']).group(1), 16)
            name = None if r['name'].startswith(o.UNKNOWN) else o.key_of(r)
            _, cum, flat = ours.get(address, (name, 0, 0))
            ours[address] = name, cum + r['cum'], flat + r['flat']
    for f in d['functions']:
        address = int(f['addr']) & 0xffffffffffffffff
        name = None if f['name'] == '<unknown code>' else o.parse_name(f['name'])
        row = ours.pop(address, (None, None, None))
        checks.equal('name of %#x' % address, row[0], name)
        checks.equal('total of %#x' % address, row[1], f['total'])
        checks.equal('self of %#x' % address, row[2], f['self'])
    checks.true('no other addresses', not ours, str(list(ours.items())[:3]))
    checks.done()


def short(name):
    return o.parse_name(name)[0] if name != '<unknown code>' else '<unknown>'


def short_sums(rows):
    sums = collections.defaultdict(lambda: (0, 0))
    for name, total, self_count in rows:
        old = sums[name]
        sums[name] = old[0] + total, old[1] + self_count
    return dict(sums)


def our_short(node):
    return '<unknown>' if node['name'].startswith(o.UNKNOWN) else node['name']


def compare_tree(title, path, d):
    t = d.get('tree')
    if not t or d['samples_left_out']:
        return
    checks = o.Checks(title, 'figures of the reference tree')
    root = o.top_root(o.vptop('flame', path, '--reference-tree', '--granularity=addresses'))
    checks.equal('root', our_short(root), short(t['root']))
    checks.equal('count of the root', root['total'], t['root_count'])
    checks.equal('self of the root', root['self'], t['root_self'])
    nodes = list(o.walk(root))
    checks.equal('nodes', len(nodes), t['nodes'])
    checks.equal('depth', max(depth for _, depth in nodes), t['max_depth'])
    ours = short_sums((our_short(n), n['total'], n['self']) for n, _ in nodes)
    theirs = short_sums((short(name), a, b) for name, a, b in t['sums_by_name'])
    for name in sorted(set(ours) | set(theirs)):
        checks.equal('sums of %s' % name, ours.get(name), theirs.get(name))
    children = sorted((our_short(c), c['total'], c['self']) for c in root['children'])
    checks.equal('children of the root', children,
                 sorted((short(n), a, b) for n, a, b in t['root_children']))
    # The heaviest path, as long as its next node is not one of several with the same count.
    node = root
    for name, count, self_count, child_count in t['heaviest_path']:
        checks.equal('on the heaviest path',
                     (our_short(node), node['total'], node['self'], len(node['children'])),
                     (short(name), count, self_count, child_count))
        best = max((c['total'] for c in node['children']), default=0)
        heaviest = [c for c in node['children'] if c['total'] == best]
        if len(heaviest) != 1:
            break
        node = heaviest[0]
    checks.done()


def compare_lines(title, path, d):
    if 'lines' not in d:
        return
    checks = o.Checks(title, 'line figures')
    named, _ = rows_of(path, d['samples_left_out'], d['samples_all'], '--granularity=lines')
    by_function = collections.defaultdict(dict)
    for (name, file, line), (cum, _) in named.items():
        by_function[name, file][line] = cum
    names = {(n, f): total for (n, f, _), total in
             ((o.parse_name(r[0]), r[1]) for r in d['names'])}
    functions = collections.Counter(tuple(key.rsplit(':', 2)[:2]) for key in d['lines'])
    left_out = 0
    for key, lines in d['lines'].items():
        file, name, _ = key.rsplit(':', 2)
        # The oracle's hits are of its tree, once a node: where a function is in a stack twice they
        # are more than its samples. Two functions of one name in one file share rows here.
        if sum(lines.values()) != names.get((name, file)) or functions[file, name] > 1:
            left_out += 1
            continue
        # It writes an unknown line (-1) as line 1 or leaves it out; 0 is none.
        theirs = {int(k): v for k, v in lines.items() if int(k) > 0}
        ours = {k: v for k, v in by_function[name, file].items() if k > 0}
        for line in sorted(set(theirs) | set(ours)):
            checks.equal('%s line %d' % (key, line), ours.get(line), theirs.get(line))
    checks.true('not too many left out', left_out <= len(d['lines']) // 4, str(left_out))
    checks.done()


FLAT = re.compile(r'^ *([0-9.]+)% - (.*):([^:]*):([0-9]+|None)$')


def compare_flat(title, path, oracles, name):
    for kind, index in (('flat', 1), ('flatcum', 0)):
        text = o.read('%s/%s.vmprofshow-%s.txt' % (oracles, name, kind))
        if text is None:
            continue
        checks = o.Checks('%s, vmprofshow %s' % (title, kind), 'shares')
        root = o.top_root(o.vptop('flame', path, '--reference-tree'))
        total = root['total']
        ours = short_sums((our_short(n), n['total'], n['self']) for n, _ in o.walk(root))
        # vmprofshow adds the nodes of its tree by function, so do we; names alone on both sides.
        theirs = collections.defaultdict(list)
        for line in text.splitlines():
            share, function, _, _ = FLAT.match(line).groups()
            theirs['<unknown>' if function.startswith('<unknown code>') else function].append(
                float(share))
        for function, shares in theirs.items():
            share = 100 * ours.get(function, (0, 0))[index] / total
            checks.true('share of ' + function,
                        abs(share - sum(shares)) < 0.0006 * len(shares),
                        'ours %.4f, oracle %.4f' % (share, sum(shares)))
        checks.equal('functions', set(ours), set(theirs))
        checks.done()


def compare(name, path, oracles):
    d = o.oracle_of(name, oracles)
    for title, function, arguments in (
            ('head', compare_head, ()),
            ('memory', compare_memory, ()),
            ('functions', compare_names, (d['names_without_assembler'],)),
            ('functions with assembler', compare_names, (d['names'], '--show-assembler')),
            ('addresses', compare_addresses, ()),
            ('tree', compare_tree, ()),
            ('lines', compare_lines, ())):
        title = '%s: %s' % (name, title)
        o.guarded(title, function, title, path, d, *arguments)
    o.guarded(name + ': flat', compare_flat, name, path, oracles, name)


def compare_old(name, path, oracles):
    """
    The old reader knows nothing of tagged addresses, kinds and zeros: it has native addresses as
    '<unknown code>' leaves and misses PyPy's frames that are flagged with bit 0. So self counts are
    not compared, and on PyPy its totals are lower bounds.
    """
    d = o.oracle_of(name, oracles)
    checks = o.Checks(name + ': functions', 'figures')
    head = o.vptop('info', path)['profile']
    checks.equal('samples', head['samples'], d['samples'])
    checks.equal('interpreter', head['interpreter'], d['interp'])
    checks.equal('period', head['period_ns'], d['period_usec'] * 1000)
    checks.equal('version', head['version'], 0)
    checks.equal('threads', head['threads'], len(d['threads']))
    checks.equal('start', head['start_unix_ns'], None)
    named, unnamed = o.rows_by_function(o.vptop('top', path))
    for text, total, _ in d['names']:
        if text == '<unknown code>':
            continue
        ours = named.get(o.parse_name(text), (None, None))[0]
        if d['interp'] == 'cpython':
            checks.equal('total of ' + text, ours, total)
        else:
            checks.true('total of ' + text, ours is not None and total <= ours <= d['samples'],
                        'ours %r, oracle at least %d' % (ours, total))
    checks.done()
    if name == 'simple_nested.pypy.prof':
        # What vmprof's own test of its day expected of this file.
        checks = o.Checks(name + ': jitted functions', 'figures')
        cum = {(n, f): v for (n, f, _), v in named.items()}
        checks.equal('<module>', cum.get(('<module>', 'foo.py')), (120, 0))
        checks.equal('foo', cum.get(('foo', 'foo.py')), (120, 19))
        checks.equal('bar', cum.get(('bar', 'foo.py')), (101, 101))
        checks.done()


def main():
    for name, path, oracles in o.profiles('vmprof', NAMES):
        if path is None:
            o.skip(name, 'not in data/, and VPTOP_SHARED is not set')
            continue
        compare(name, path, oracles)
    for name, path, oracles in o.profiles('vmprof', OLD_NAMES):
        if path is None:
            o.skip(name, 'not in data/, and VPTOP_SHARED is not set')
            continue
        o.guarded(name, compare_old, name, path, oracles)
    o.finish()


main()
