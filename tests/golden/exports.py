# SPDX-License-Identifier: MIT
"""Golden tests of the reports that other tools read: dot, callgrind, raw, comments.

dot and callgrind are compared with what `go tool pprof` and pprof's own tests have, line by line:
of a graph every node, edge and box with all their attributes, whatever their order among equals
(pprof's own changes from run to run); of the legend what it says. raw is compared with pprof -raw:
every figure of every sample, location and mapping. The pictures of pstats are in pstats_dot.py.
"""

import collections
import glob
import gzip
import os
import re
import shlex
import subprocess

import oracle as o

SHARED = o.SHARED and os.path.join(o.SHARED, 'profiles', 'go')
GRANULARITIES = ('functions', 'filefunctions', 'files', 'lines', 'addresses')
PLAIN = {'focus', 'ignore', 'hide', 'show', 'tagfocus', 'tagignore', 'tagshow', 'taghide', 'unit',
         'nodecount', 'nodefraction', 'edgefraction', 'mean', 'tagroot', 'tagleaf'}
SAME = {'call_tree': 'call-tree', 'show_from': 'show-from', 'prune_from': 'prune-from',
        'sample_index': 'type', 'diff_base': 'diff-base', 'base': 'base', 'noinlines': 'noinlines',
        'relative_percentages': 'relative-percentages', 'drop_negative': 'drop-negative',
        'divide_by': 'divide-by', 'normalize': 'normalize'}
REPORTS = ('dot', 'callgrind', 'comments', 'raw')
counts = collections.Counter()


class Inexpressible(Exception):
    pass


def translate(words, folder):
    """(report, vptop's options, file) of pprof's arguments."""
    report, options, files = None, [], []
    for word in words:
        if not word.startswith('-'):
            files.append(os.path.join(folder, word))
            continue
        name, has_value, value = word.lstrip('-').partition('=')
        if name in REPORTS:
            report = name
        elif name in GRANULARITIES:
            options.append('--granularity=' + name)
        elif name == 'cum':
            options.append('--cum')
        elif name in ('base', 'diff_base'):
            path = os.path.join(folder, value)
            if not os.path.exists(path):
                raise Inexpressible('profile not here')
            options.append('--%s=%s' % (SAME[name], path))
        elif name in PLAIN or name in SAME:
            options.append('--' + SAME.get(name, name) + has_value + value)
        elif name == 'trim':
            options.append('--trim=' + (value or 'true'))
        elif name not in ('flat', 'symbolize', 'compact_labels'):
            raise Inexpressible(name)
    if report is None:
        raise Inexpressible('another report')
    if len(files) != 1 or not os.path.exists(files[0]):
        raise Inexpressible('profile not here')
    return report, options, files[0]


def run(report, options, path):
    command = [o.VPTOP, '--report=' + report, '--ascii' if report == 'raw' else '--glyphs=blocks',
               '--output=-', *options, path]
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    if p.returncode != 0:
        raise o.Failure('%s: status %d: %s' % (' '.join(command[1:]), p.returncode,
                                               p.stderr.decode('utf-8', 'replace')))
    return p.stdout.decode('utf-8')


# ---- dot ----------------------------------------------------------------------------------------

def parse_dot(text):
    """(legend, nodes and boxes, edges), each with names in place of numbers, sorted."""
    names, legend, nodes, edges = {}, [], [], []
    for line in text.splitlines():
        m = re.match(r'^(N\d+) \[label="((?:[^"\\]|\\.)*)" id="node\d+".* tooltip="((?:[^"\\]|\\.)*)"',
                     line)
        if m:
            names[m.group(1)] = m.group(3)
    numbers = re.compile(r'\bN+\d+(_\d+)*\b')

    def name(m):
        number = m.group(0)
        base, _, rest = number.partition('_')
        return names.get(base.lstrip('N') and 'N' + base.lstrip('N'), number) + (rest and '/box')
    for line in text.splitlines():
        m = re.match(r'^subgraph cluster_L .* label="((?:[^"\\]|\\.)*)"', line)
        if m:
            legend = [t.strip() for t in re.split(r'\\l', m.group(1))
                      if t and not t.startswith(('See ', 'Time: '))]
        elif re.match(r'^N\S+ -> ', line):
            edges.append(numbers.sub(name, line))
        elif re.match(r'^N\S+ \[', line):
            nodes.append(re.sub(r' id="\w+"', '', numbers.sub(name, line)))
    return legend, sorted(nodes), sorted(edges)


def compare_sets(checks, what, ours, theirs):
    left = collections.Counter(theirs)
    for line in ours:
        checks.true(what, left[line] > 0, 'the oracle has no ' + line)
        left[line] -= 1
    for line in left.elements():
        checks.true(what, False, 'there is no ' + line)


def compare_dot(checks, ours, theirs):
    legend, nodes, edges = parse_dot(ours)
    their_legend, their_nodes, their_edges = parse_dot(theirs)
    checks.equal('legend', legend, their_legend)
    compare_sets(checks, 'node', nodes, their_nodes)
    compare_sets(checks, 'edge', edges, their_edges)
    counts['nodes and boxes'] += len(their_nodes)
    counts['edges'] += len(their_edges)


# ---- lines --------------------------------------------------------------------------------------

def compare_lines(checks, ours, theirs):
    ours, theirs = ours.splitlines(), theirs.splitlines()
    checks.equal('lines', len(ours), len(theirs))
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        checks.equal('line %d' % number, a, b)
    counts['lines'] += len(theirs)


# ---- raw ----------------------------------------------------------------------------------------

def parse_labels(text):
    """[(key, [value])] of one line; values hold no brackets here."""
    return [(k, v.split(' ')) for k, v in re.findall(r'(\S+?):\[([^\]]*)\]', text)]


def parse_raw_line(text):
    m = re.match(r'^(.*) (\S*?):(-?\d+)(?::\d+)? s=(\d+)(?:\((.*)\))?$', text)
    return m.group(1), m.group(2), int(m.group(3)), int(m.group(4)), m.group(5) or m.group(1)


def parse_raw(text):
    """What pprof -raw prints, with locations as what they are in place of their numbers."""
    part, head, types, samples, locations, mappings = None, {}, [], [], {}, {}
    here = None
    for line in text.splitlines():
        if line in ('Samples:', 'Locations', 'Mappings'):
            part = line
        elif part is None:
            key, _, value = line.partition(': ')
            head.setdefault(key, []).append(value)
        elif part == 'Samples:' and not types:
            types = [t.replace('[dflt]', '').rpartition('/')[::2] for t in line.split()]
        elif part == 'Samples:':
            m = re.match(r'^((?: *-?\d+)+): ?([\d ]*)$', line)
            if m:
                samples.append((list(map(int, m.group(1).split())),
                                list(map(int, m.group(2).split())), []))
            else:
                samples[-1][2].extend(parse_labels(line))
        elif part == 'Locations':
            m = re.match(r'^ *(\d+): 0x([0-9a-f]+) (?:M=(\d+) ?)?(?:\[F\] ?)?(.*)$', line)
            if m:
                here = locations[int(m.group(1))] = [int(m.group(2), 16), m.group(3), []]
            rest = (m.group(4) if m else line).strip()
            if rest:
                here[2].append(parse_raw_line(rest))
        else:
            m = re.match(r'^(\d+): 0x([0-9a-f]+)/0x([0-9a-f]+)/0x([0-9a-f]+) (\S*) (\S*) ?(\S*)', line)
            mapping = tuple(int(x, 16) for x in m.groups()[1:4]) + m.groups()[4:]
            if mapping[:5] != (0, 0, 0, '', ''): # pprof makes one up where there is none
                mappings[m.group(1)] = mapping
    whole = {i: (a, mappings.get(m), tuple(lines)) for i, (a, m, lines) in locations.items()}
    return head, types, [(v, [whole[i] for i in ids], sorted(map(str, labels)))
                         for v, ids, labels in samples], mappings


SCALES = {'microseconds': 10**3, 'milliseconds': 10**6, 'kilobytes': 2**10, 'megabytes': 2**20}


def merge(samples):
    """pprof adds up samples of the same stack and labels, and leaves out those without a value."""
    sums = {}
    for values, stack, labels in samples:
        key = repr((stack, labels))
        sums[key] = [a + b for a, b in zip(sums.get(key, [0] * len(values)), values)]
    return {k: v for k, v in sums.items() if any(v)}


def compare_json(checks, path, samples):
    """The same facts in the other form."""
    document = o.vptop('raw', path)
    locations = {l['id']: l for l in document['locations']}
    mappings = {m['id']: m for m in document['mappings']}
    checks.equal('samples in JSON', len(document['samples']), len(samples))
    for (values, stack, labels), ours in zip(samples, document['samples']):
        checks.equal('values in JSON', ours['values'], values)
        theirs = [(int(l['address'], 16),
                   mappings[l['mapping']]['file'] or '' if l['mapping'] else None,
                   [(x['name'], x['file'] or '', x['line'], x['start_line'], x['system_name'])
                    for x in l['lines']]) for l in (locations[i] for i in ours['locations'])]
        checks.equal('stack in JSON', theirs, [(a, m and m[3], list(l)) for a, m, l in stack])
        checks.equal('labels in JSON', len({(l['key'], 'text' in l) for l in ours['labels']}),
                     len(labels))


def compare_raw(checks, path, text):
    head, types, samples, mappings = parse_raw(text)
    our_head, our_types, our_samples, our_mappings = parse_raw(run('raw', [], path))
    scales = [SCALES.get(unit, 1) for _, unit in types]
    checks.equal('types', [n for n, _ in our_types], [n for n, _ in types])
    if head.get('PeriodType') == [' ']: # likewise
        del head['PeriodType']
    for key in ('Comment', 'Doc', 'PeriodType', 'Period'):
        checks.equal(key, our_head.get(key), head.get(key))
    # Mappings that nothing uses are left out by pprof.
    theirs = list(mappings.values())
    checks.equal('mappings', [m for m in our_mappings.values() if m in theirs], theirs)
    ours, theirs = merge(our_samples), merge(samples)
    checks.equal('samples', len(ours), len(theirs))
    for key, values in theirs.items():
        checks.equal('values of ' + key, ours.get(key), [v * s for v, s in zip(values, scales)])
    counts['samples'] += len(samples)
    counts['locations of samples'] += sum(len(stack) for _, stack, _ in samples)
    compare_json(checks, path, our_samples)


# ---- which ----------------------------------------------------------------------------------------

def is_proto(path):
    with open(path, 'rb') as f:
        start = f.read(2)
    with (gzip.open if start == b'\x1f\x8b' else open)(path, 'rb') as f:
        return f.read(1) in (b'\x0a', b'\x12', b'\x48', b'\x5a', b'\x50', b'\x60')


def compare(title, words, folder, text):
    try:
        report, options, path = translate(words, folder)
        if report == 'raw' and not is_proto(path):
            raise Inexpressible('another format: see legacy.py')
    except Inexpressible:
        return
    checks = o.Checks(title, 'figures')
    counts['oracles'] += 1
    if report == 'raw':
        compare_raw(checks, path, text)
    elif report == 'dot':
        compare_dot(checks, run(report, options, path), text)
    else:
        compare_lines(checks, run(report, options, path), text)
    counts['figures'] += checks.figures
    counts['differ'] += len(checks.differences)
    checks.done()


def run_oracles(folder, seen):
    for path in sorted(glob.glob(os.path.join(folder, 'oracle', '*.txt*'))):
        name = re.sub(r'\.txt(\.gz)?$', '', os.path.basename(path))
        text = o.read(re.sub(r'\.gz$', '', path))
        first, _, rest = text.partition('\n')
        words = shlex.split(first)[4:]
        known = any(os.path.exists(os.path.join(folder, w)) for w in words if not w.startswith('-'))
        if name in seen or not known:
            continue
        seen.add(name)
        o.guarded(name, compare, name, words, folder, rest)


def run_driver(folder, seen):
    """The files that pprof's own tests expect, with the flags of these tests."""
    expected = os.path.join(folder, 'expected')
    for line in o.read(os.path.join(expected, 'FLAGS.txt')).splitlines():
        if line.startswith('#'):
            continue
        name, profile, flags, _ = line.split('\t')
        if not os.path.exists(os.path.join(expected, name)) or name in seen:
            continue
        seen.add(name)
        given = dict(nodecount='20', nodefraction='0.05', edgefraction='0.01')
        words = []
        for flag in flags.split(','):
            key, _, value = flag.partition('=')
            if key in given:
                given[key] = value
            elif re.match(r'^(alloc|inuse)_(objects|space)$', key):
                words.append('-sample_index=' + key)
            else:
                words.append('-' + flag)
        words += ['-%s=%s' % item for item in given.items()] + [profile + '.pb.gz']
        title = 'pprof\'s own ' + name
        o.guarded(title, compare, title, words, folder, o.read(os.path.join(expected, name)))


def main():
    seen = set()
    here = os.path.join(o.DATA, 'pprof')
    run_oracles(here, seen)
    run_driver(os.path.join(here, 'pprof-driver'), seen)
    if SHARED and os.path.isdir(SHARED):
        run_oracles(SHARED, seen)
        run_driver(os.path.join(SHARED, 'pprof-driver'), seen)
    else:
        o.skip('exports: the larger profiles', 'they are not here')
    print('# ' + ', '.join('%d %s' % (n, what) for what, n in counts.items()))
    o.finish()


if __name__ == '__main__':
    main()
