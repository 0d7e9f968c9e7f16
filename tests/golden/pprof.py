# SPDX-License-Identifier: MIT
"""Golden tests of pprof profiles: every row and figure that `go tool pprof` printed.

An oracle is the output of pprof, whose command is its first line. Amounts are compared as pprof
printed them: ours, in the unit and with the digits of the oracle. Orders, names, shares are compared
exactly; of -raw, which prints whole numbers, the values of all types are.
"""

import collections
import glob
import gzip
import json
import os
import re
import shlex
import subprocess
import tempfile

import oracle as o

SHARED = o.SHARED and os.path.join(o.SHARED, 'profiles')

UNITS = {'': 1, 'ns': 1, 'us': 10**3, 'ms': 10**6, 's': 10**9, 'hrs': 3600 * 10**9, 'B': 1,
         'kB': 2**10, 'MB': 2**20, 'GB': 2**30, 'TB': 2**40}
BASE_UNITS = {'nanoseconds': 1, 'microseconds': 10**3, 'milliseconds': 10**6, 'seconds': 10**9,
              'kilobytes': 2**10, 'megabytes': 2**20}
GRANULARITIES = ('functions', 'filefunctions', 'files', 'lines', 'addresses')
FILTERS = {'focus': '--focus', 'ignore': '--ignore', 'hide': '--hide', 'show': '--show',
           'show_from': '--show-from', 'prune_from': '--prune-from'}
FLAGS = {'cum': '--cum', 'relative_percentages': '--relative-percentages', 'noinlines': '--noinlines',
         'all_frames': '--all-frames', 'mean': '--mean', 'drop_negative': '--drop-negative',
         'call_tree': '--call-tree'}
# What these change is not in the reports that are compared.
NO_MATTER = {'symbolize', 'functions', 'flat', 'compact_labels', 'taghide', 'tagshow'}
# Where options and reports are compared that are not here.
LEFT_TO = {'tags': 'labels.py', 'tagfocus': 'labels.py', 'tagignore': 'labels.py',
           'tagroot': 'labels.py', 'tagleaf': 'labels.py', 'base': 'merge.py', 'diff_base': 'merge.py',
           'normalize': 'merge.py', 'several files': 'merge.py', 'another format': 'legacy.py',
           'dot': 'exports.py', 'callgrind': 'exports.py', 'comments': 'exports.py'}
MARKS = {None: '', 'some': ' (partial-inline)', 'all': ' (inline)'}


class Inexpressible(Exception):
    """The option of a command that vptop does not have."""


# ---- as pprof writes ---------------------------------------------------------------------------

def percentage(value, total):
    ratio = abs(value / total) * 100 if total else 0.0
    if 99.95 <= ratio <= 100.05:
        return '100%'
    return ('%.2f%%' if ratio >= 1 else '%.2g%%') % ratio


def same_amount(token, value):
    """Whether our value, in the unit of the token, is written like it."""
    m = re.match(r'^(-?[\d.]+)([A-Za-z]*)$', token)
    if not m or m.group(2) not in UNITS:
        return False
    if token == '0':
        return value == 0
    text = '%.2f' % (value / UNITS[m.group(2)])
    return (text[:-3] if text.endswith('.00') else text) == m.group(1)


def bare(name):
    """Without what pprof says of edges."""
    return re.sub(r' \((partial-)?inline\)$', '', name)


def marked(row):
    """The name of our row or edge with what pprof says behind it."""
    inline = row.get('inline')
    return row['label'] + MARKS['all' if inline is True else inline or None]


# ---- what pprof wrote --------------------------------------------------------------------------

ROW = r'\s*(\S+)\s+(\S+%)\s+(\S+%)\s+(\S+)\s+(\S+%)\s+'


def parse_top(lines):
    rows = []
    for line in lines:
        m = re.match('^' + ROW + r'(\S.*)$', line)
        if m:
            rows.append(m.groups())
    return rows


def parse_blocks(lines):
    """[(callers, row, callees)] of -tree and -peek; an edge is (value, share, name)."""
    blocks, callers, row, callees = [], [], None, []
    for line in lines:
        if line.startswith('-----') and row:
            blocks.append((callers, row, callees))
        if line.startswith('-----'):
            callers, row, callees = [], None, []
            continue
        edge = re.match(r'^\s+(\S+)\s+(\S+%) \|   (\S.*)$', line)
        m = re.match('^' + ROW + r'\| (\S.*)$', line)
        if edge:
            (callees if row else callers).append(edge.groups())
        elif m:
            row = m.groups()
    return blocks


def parse_traces(lines):
    """[(value, (leaf, ..., root))]"""
    traces, value, stack = [], None, []
    for line in lines:
        if line.startswith('-----'):
            if stack:
                traces.append((value, tuple(stack)))
            value, stack = None, []
        elif value is None:
            m = re.match(r'^ *(-?[\d.]+[A-Za-z]*)   (\S.*)$', line)
            if m:
                value, stack = m.group(1), [bare(m.group(2))]
        elif line.startswith(' ' * 13):
            stack.append(bare(line[13:]))
    return traces


def label_of(address, name, file, line):
    """As pprof names a row at the granularity of addresses."""
    parts = (['%016x' % address] if address else []) + ([name] if name else [])
    if line or file:
        parts.append('%s:%d' % (file, line) if line else file)
    return ' '.join(parts)


def parse_raw_line(text):
    m = re.match(r'^(.*) (\S*?):(-?\d+)(?::\d+)? s=\d+(\(.*\))?$', text)
    return m.group(1), m.group(2), int(m.group(3))


def parse_raw(lines):
    """({type: unit}, {stack of labels: values}) of -raw."""
    part, types, samples, locations, modules = None, [], [], {}, {}
    here = None
    for line in lines:
        if line in ('Samples:', 'Locations', 'Mappings'):
            part = line
        elif part == 'Samples:' and not types:
            types = [t.replace('[dflt]', '').rpartition('/')[::2] for t in line.split()]
        elif part == 'Samples:':
            m = re.match(r'^((?: *-?\d+)+): ?([\d ]*)$', line)
            if m:
                samples.append((tuple(map(int, m.group(1).split())),
                                tuple(map(int, m.group(2).split()))))
        elif part == 'Locations':
            m = re.match(r'^ *(\d+): 0x([0-9a-f]+) (?:M=(\d+) ?)?(?:\[F\] ?)?(.*)$', line)
            if m:
                here = locations[int(m.group(1))] = [int(m.group(2), 16), m.group(3), []]
            text = (m.group(4) if m else line).strip()
            if text:
                here[2].append(parse_raw_line(text))
        elif part == 'Mappings':
            m = re.match(r'^(\d+): \S+ (\S*)', line)
            if m:
                modules[m.group(1)] = m.group(2)
    stacks = collections.Counter()
    by_stack = collections.defaultdict(lambda: [0] * len(types))
    for values, ids in samples:
        stack = []
        for i in ids:
            address, mapping, frames = locations[i]
            stack += [label_of(address, *f) for f in frames]
            if not frames:
                module = os.path.basename(modules.get(mapping, ''))
                name = '[%s]' % module if module else '<unknown>'
                stack.append('%016x %s' % (address, name) if address else name)
        for k, value in enumerate(values):
            by_stack[tuple(stack)][k] += value
        stacks[tuple(stack)] += 1
    return types, by_stack


# ---- comparing ------------------------------------------------------------------------------------

class Comparison:
    """All of it, counted."""

    def __init__(self):
        self.oracles, self.rows, self.figures, self.differing = 0, 0, 0, 0
        self.left_out = collections.Counter()


ALL = Comparison()


def compare_row(checks, row, ours, total, running):
    flat, flat_share, sum_share, cum, cum_share, name = row
    ALL.rows += 1
    checks.equal('name', marked(ours), name)
    checks.true('flat of ' + name, same_amount(flat, ours['flat']), '%r, oracle %s' % (ours['flat'], flat))
    checks.true('cum of ' + name, same_amount(cum, ours['cum']), '%r, oracle %s' % (ours['cum'], cum))
    checks.equal('share of ' + name, percentage(ours['flat'], total), flat_share)
    checks.equal('share with callees of ' + name, percentage(ours['cum'], total), cum_share)
    if running is not None:
        checks.equal('running share at ' + name, percentage(running, total), sum_share)


def compare_total(checks, lines, document):
    for line in lines:
        m = re.match(r'^Showing nodes accounting for (\S+), (\S+) of (\S+) total$', line)
        if not m:
            continue
        shown = sum(r['flat'] for r in document['rows'])
        checks.true('total', same_amount(m.group(3), document['total']),
                    '%r, oracle %s' % (document['total'], m.group(3)))
        return m.group(1), m.group(2), shown
    return None


def compare_top(checks, lines, document):
    rows, total, running = parse_top(lines), document['total'], 0
    checks.equal('rows', len(document['rows']), len(rows))
    shown = compare_total(checks, lines, document)
    if shown:
        checks.true('shown', same_amount(shown[0], shown[2]), '%r, oracle %s' % (shown[2], shown[0]))
        checks.equal('share shown', percentage(shown[2], total), shown[1])
    for row, ours in zip(rows, document['rows']):
        running += ours['flat']
        compare_row(checks, row, ours, total, running)


def compare_edges(checks, name, edges, ours, cum):
    checks.equal('edges of ' + name, [marked(e) for e in ours], [e[2] for e in edges])
    for edge, e in zip(edges, ours):
        ALL.rows += 1
        checks.true('edge of ' + name, same_amount(edge[0], e['value']),
                    '%s: %r, oracle %s' % (edge[2], e['value'], edge[0]))
        checks.equal('share of an edge of ' + name, percentage(e['value'], cum), edge[1])


def compare_tree(checks, lines, document, is_peek=False):
    blocks, rows, running = parse_blocks(lines), document['rows'], 0
    checks.equal('rows', len(rows), len(blocks))
    compare_total(checks, lines, document)
    if is_peek: # pprof has its own order and sum here; ours are the heaviest first
        by_label = {r['label']: r for r in rows}
        rows = [by_label.get(row[5]) for _, row, _ in blocks]
    for (callers, row, callees), ours in zip(blocks, rows):
        if ours is None:
            checks.true('row', False, 'there is no ' + row[5])
            continue
        running += ours['flat']
        compare_row(checks, row, ours, document['total'], None if is_peek else running)
        compare_edges(checks, row[5], callers, ours['callers'], ours['cum'])
        compare_edges(checks, row[5], callees, ours['callees'], ours['cum'])


def by_stack(document):
    """{stack: values of all types}, whatever the labels are."""
    sums = {}
    for trace in document['traces']:
        stack = tuple(trace['stack'])
        sums[stack] = [a + b for a, b in zip(sums[stack], trace['values'])] if stack in sums \
            else trace['values']
    return sums


def compare_traces(checks, lines, document, index):
    theirs = collections.defaultdict(list)
    for value, stack in parse_traces(lines):
        theirs[stack].append(value)
    # By stack alone; labels.py compares the labels, too.
    ours = {stack: values[index] for stack, values in by_stack(document).items() if stack}
    checks.equal('stacks', len(ours), len(theirs))
    for stack, values in theirs.items():
        ALL.rows += 1
        value = ours.get(stack)
        if value is None:
            checks.true('stack', False, 'there is no %r' % (stack,))
        elif len(values) == 1:
            checks.true('value', same_amount(values[0], value), '%r, oracle %s' % (value, values[0]))
        else: # pprof prints each sample, rounded
            sizes = [re.match(r'(-?[\d.]+)([A-Za-z]*)', v).groups() for v in values]
            total = sum(float(v) * UNITS[u] for v, u in sizes)
            slack = sum(UNITS[u] for _, u in sizes) * 0.00501
            checks.true('sum', abs(total - value) <= slack, '%r, oracle %r' % (value, values))


def compare_raw(checks, lines, document):
    types, theirs = parse_raw(lines)
    # Of a difference, the changes: what there was and is comes behind them.
    names = [t['name'] for t in document['profile']['types']
             if not t['name'].startswith(('base:', 'new:'))]
    checks.equal('types', names, [n for n, _ in types])
    scales = [BASE_UNITS.get(unit, 1) for _, unit in types]
    ours = by_stack(document)
    for stack, values in theirs.items():
        scaled = [v * s for v, s in zip(values, scales)]
        # A stack is in the report where the value that is counted is not 0.
        if stack in ours:
            ALL.rows += 1
            checks.equal('values', ours[stack][:len(names)], scaled)
        else:
            shown = next(k for k, t in enumerate(document['profile']['types'])
                         if '%s/%s' % (t['name'], t['unit']) == document['query']['type'])
            checks.equal('value of a stack that is not there: %r' % (stack,), scaled[shown], 0)
    # The pprof of Go 1.19 left out samples that have nothing of any type.
    checks.equal('stacks', [s for s in ours if s not in theirs and any(ours[s])], [])


def compare_text(checks, lines, report, path, options):
    """Amounts exactly as pprof prints them; its unit is `minimum` where none is given."""
    if not any(option.startswith('--unit=') for option in options):
        options = options + ['--unit=minimum']
    command = [o.VPTOP, '--quiet', '--report=' + report, '--columns=1000', *options, path]
    text = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=120,
                          check=True).stdout.decode('utf-8')
    ours = [(m.group(1), m.group(4)) for m in re.finditer('^' + ROW + r'\S', text, re.M)]
    theirs = [(row[0], row[3]) for row in parse_top(lines)]
    checks.equal('header', ours[:1], [('SELF', 'TOTAL')])
    checks.equal('rows as text', len(ours) - 1, len(theirs))
    for our, their in zip(ours[1:], theirs):
        checks.equal('amount as text', our[0], their[0])
        checks.equal('amount with callees as text', our[1], their[1])


def written_top(path, options, folder, *read):
    """What is read back of the table that was written as a profile."""
    target = os.path.join(folder, 'top.pb.gz')
    command = [o.VPTOP, '--quiet', '--report=topproto', '--output=' + target, *options, path]
    subprocess.run(command, stdin=subprocess.DEVNULL, timeout=120, check=True)
    return o.vptop('top', target, *read)


def compare_topproto(checks, lines, path, options):
    """pprof's own test writes it in the unit that fits all, without the rest."""
    with tempfile.TemporaryDirectory() as folder:
        document = written_top(path, options + ['--unit=minimum'], folder, '--granularity=lines')
    # The profile here has the names that this test gives its functions later.
    compare_top(checks, [re.sub(r'\bmangled(?=\d)', 'line', line) for line in lines], document)


def compare_written(checks, lines, path, options):
    """The same rows and figures in the profile that --report=topproto writes of them."""
    theirs = {bare(row[5]): (row[0], row[3]) for row in parse_top(lines)}
    grain = [option for option in options if option.startswith('--granularity')]
    for column, kind in enumerate(('flat', 'cum')):
        with tempfile.TemporaryDirectory() as folder:
            rows = written_top(path, options, folder, '--type=' + kind, *grain)['rows']
        ours = {row['label']: row['flat'] for row in rows}
        checks.equal('rows of %s in topproto' % kind, sorted(set(ours) - set(theirs)), [])
        for name, tokens in theirs.items():
            checks.true('%s of %s in topproto' % (kind, name),
                        same_amount(tokens[column], ours.get(name, 0)),
                        '%r, oracle %s' % (ours.get(name), tokens[column]))


# ---- commands ---------------------------------------------------------------------------------------

def translate(words):
    """(report, vptop's options, files) of pprof's arguments."""
    report, options, files, given = None, [], [], {}
    for word in words:
        if not word.startswith('-'):
            files.append(word)
            continue
        name, _, value = word.lstrip('-').partition('=')
        given[name] = value
        if name in ('top', 'text', 'topproto', 'tree', 'traces', 'raw'):
            report = 'top' if name == 'text' else name
        elif name == 'peek':
            report = name
            options.append('--function=' + value)
        elif name in FLAGS:
            options.append(FLAGS[name])
        elif name in ('unit', 'divide_by'):
            options.append('--%s=%s' % (name.replace('_', '-'), value))
        elif name == 'trim':
            options.append('--trim=' + (value or 'true'))
        elif name in FILTERS:
            options.append('%s=%s' % (FILTERS[name], value))
        elif name == 'sample_index':
            options.append('--type=' + value)
        elif name in GRANULARITIES:
            options.append('--granularity=' + name)
        elif name in NO_MATTER:
            pass
        elif name not in ('nodecount', 'nodefraction', 'edgefraction'):
            raise Inexpressible(name)
    if report is None:
        raise Inexpressible('no report')
    if len(files) != 1:
        raise Inexpressible('several files')
    if report in ('top', 'topproto', 'tree'):
        options += ['--nodecount=' + given.get('nodecount', '80' if report == 'tree' else '0'),
                    '--nodefraction=' + given.get('nodefraction', '0.005'),
                    '--edgefraction=' + given.get('edgefraction', '0.001')]
    return report, options, files[0]


def compare(title, words, folder, lines, is_written=False):
    try:
        report, options, path = translate(words)
        path = os.path.join(folder, path)
        if not os.path.exists(path):
            raise Inexpressible('profile not here')
        if not is_proto(path):
            raise Inexpressible('another format')
    except Inexpressible as e:
        ALL.left_out[str(e)] += 1
        return
    checks = o.Checks(title, 'figures')
    ALL.oracles += 1
    if report == 'raw':
        compare_raw(checks, lines, o.vptop('traces', path, '--granularity=addresses', *options))
    elif report == 'topproto':
        compare_topproto(checks, lines, path, options)
    else:
        document = o.vptop(report, path, *options)
        if report == 'top':
            compare_top(checks, lines, document)
            compare_text(checks, lines, report, path, options)
            if is_written:
                compare_written(checks, lines, path, options)
        elif report == 'traces':
            names = ['%s/%s' % (t['name'], t['unit']) for t in document['profile']['types']]
            compare_traces(checks, lines, document, names.index(document['query']['type']))
        else:
            compare_tree(checks, lines, document, report == 'peek')
    ALL.figures += checks.figures
    ALL.differing += len(checks.differences)
    checks.done()


def is_proto(path):
    with open(path, 'rb') as f:
        start = f.read(2)
    with (gzip.open if start == b'\x1f\x8b' else open)(path, 'rb') as f:
        return f.read(1) in (b'\x0a', b'\x12', b'\x48', b'\x5a', b'\x50', b'\x60')


def run(title, words, folder, lines, is_written=False):
    o.guarded(title, compare, title, words, folder, lines, is_written)


def run_oracles(folder, seen):
    for path in sorted(glob.glob(os.path.join(folder, 'oracle', '*.txt*'))):
        name = re.sub(r'\.txt(\.gz)?$', '', os.path.basename(path))
        if name in seen:
            continue
        seen.add(name)
        lines = o.read(os.path.splitext(path)[0] if path.endswith('.gz') else path).splitlines()
        run(name, shlex.split(lines[0])[4:], folder, lines)


def run_semantics(folder):
    text = o.read(os.path.join(folder, 'golden.txt'))
    for section in text.split('### ')[1:]:
        lines = section.splitlines()
        run('semantics ' + lines[0], shlex.split(lines[0]), folder, lines)


def run_driver(folder):
    """The files that pprof's own tests expect, with the flags of these tests."""
    expected = os.path.join(folder, 'expected')
    for line in o.read(os.path.join(expected, 'FLAGS.txt')).splitlines():
        if line.startswith('#'):
            continue
        name, profile, flags, _ = line.split('\t')
        if not os.path.exists(os.path.join(expected, name)):
            ALL.left_out[flags.split(',')[0].partition('=')[0]] += 1
            continue
        given = dict(nodecount='20', nodefraction='0.05', edgefraction='0.01')
        words = []
        for flag in flags.split(','):
            key, has_value, value = flag.partition('=')
            if key in given:
                given[key] = value
            elif re.match(r'^(alloc|inuse)_(objects|space)$', key):
                words.append('-sample_index=' + key)
            else:
                words.append('-' + flag)
        words += ['-%s=%s' % item for item in given.items()] + [profile + '.pb.gz']
        text = o.read(os.path.join(expected, name))
        words = ['-hide=line[X3]0' if word == '-hide=mangled[X3]0' else word for word in words]
        run('pprof\'s own ' + name, words, folder, text.splitlines(), True)


def main():
    seen = set()
    here = os.path.join(o.DATA, 'pprof')
    run_oracles(here, seen)
    run_semantics(os.path.join(here, 'semantics'))
    run_driver(os.path.join(here, 'pprof-driver'))
    if SHARED and os.path.isdir(os.path.join(SHARED, 'go')):
        run_oracles(os.path.join(SHARED, 'go'), seen)
    else:
        o.skip('pprof: the larger profiles', 'they are not here')
    print('# %d oracles, %d rows, %d figures compared; %d differ' % (
        ALL.oracles, ALL.rows, ALL.figures, ALL.differing))
    for what, count in sorted(ALL.left_out.items()):
        print('# %d with %s are not compared here%s' % (
            count, what, ', but in ' + LEFT_TO[what] if what in LEFT_TO else ''))
    o.finish()


if __name__ == '__main__':
    main()
