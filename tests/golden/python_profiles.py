# SPDX-License-Identifier: MIT
"""Python's profiles against pstats: the oracles, and the pstats of the Python that runs this test.

Compared are calls, primitive calls, own and cumulative time of each function, and the same of each
entry of a caller. Times are seconds there and whole nanoseconds here. Where pstats has the caller's
entry as a number (profile), the time is an estimate here and none there: its share of the calls
(gprof2dot's rule, numbers.md 3.6).

A difference is that of pstats' figures, subtracted here; of a file for callgrind each cost line and
each call is compared, and what callgrind_annotate says of it.

Of the stacks, which are an estimate, what must hold is compared: they add up to the total, those of
a function to its own time, and nowhere is more of it than its cumulative time.
"""

import collections
import gzip
import marshal
import os
import pstats
import re
import shutil
import subprocess
import tempfile

import oracle as o

KIND = 'pstats'
OTHERS = {  # the same profile in other versions of marshal: checked to say the same
    'marshal-v%d-by-%s.pyprof' % (version, by): 'cpython311-m.pyprof'
    for version in range(5) for by in ('cpython', 'pypy')}
NAMES = ('cpython27.pyprof', 'cpython27-profile.pyprof', 'cpython311.pyprof', 'cpython311-m.pyprof',
         'cpython311-profile.pyprof', 'cpython311-threads.pyprof', 'cpython313.pyprof', 'pypy3.pyprof',
         'gprof2dot-memtrail.pstats') + tuple(OTHERS)
COPIES = {  # below profiles/go
    'output/daily-close/profiledata/node_rules.pyprof': 'pypy3.pyprof',
    'output/orders-load/profiledata/node_rules.pyprof': 'cpython311.pyprof',
    'output/orders-load/profiledata/node_score.pyprof': 'cpython311-threads.pyprof'}


def folders():
    yield os.path.join(o.DATA, KIND)
    if o.SHARED:
        yield os.path.join(o.SHARED, 'profiles', KIND)


def find(name):
    for folder in folders():
        for path in (os.path.join(folder, name), os.path.join(folder, name + '.gz')):
            if os.path.exists(path):
                return path
    return None


def oracle_stats(name):
    """{function: (cc, nc, tt, ct, {caller: int or [nc, cc, tt, ct]})} of the oracle; None without."""
    for folder in folders():
        folder = os.path.join(folder, 'oracle')
        if o.read(os.path.join(folder, name + '.oracle.json')) is not None:
            return {tuple(row['func']): (row['cc'], row['nc'], row['tt'], row['ct'],
                                         {tuple(c['func']): c['value'] for c in row['callers']})
                    for row in o.oracle_of(name, folder)['stats']}
    return None


def python_stats(path):
    """The same by this Python's pstats; None where its marshal cannot read the file."""
    data = gzip.open(path).read() if path.endswith('.gz') else open(path, 'rb').read()
    handle, plain = tempfile.mkstemp()
    os.write(handle, data)
    os.close(handle)
    try:
        stats = pstats.Stats(plain)
    except (ValueError, TypeError, EOFError):
        return None
    finally:
        os.unlink(plain)
    if any(isinstance(part, bytes) for function in stats.stats for part in function):
        return None  # of Python 2
    return stats


def text_of(report, path, *options):
    p = subprocess.run([o.VPTOP, '--quiet', '--report=' + report, *options, path], timeout=60,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode != 0:
        raise o.Failure('%s: %s' % (report, p.stderr.decode('utf-8', 'replace')))
    return p.stdout.decode('utf-8')


def ns(seconds):
    return max(round(seconds * 1e9), 0)


def function_of(row):
    return row['file'] or '', row['line'], row['name']


def compare_callers(checks, name, ours, functions, row):
    """Each entry of a caller of `name`; row: what pstats has of it."""
    cc, nc, tt, ct, callers = row
    checks.equal('callers of %s' % name[2], sorted(map(str, ours)), sorted(map(str, callers)))
    for caller, entry in callers.items():
        our = ours.get(caller)
        title = '%s > %s' % (caller[2], name[2])
        if our is None:
            continue
        if isinstance(entry, int):
            checks.equal(title + ': calls', our['calls'], entry)
            share = min(entry / nc, 1) if nc else 1
            checks.true(title + ': time', our.get('estimated') and
                        abs(our['value'] - share * ns(ct)) <= 1,
                        '%r, by share of calls %r' % (our, share * ns(ct)))
            continue
        groups = [entry[i:i + 4] for i in range(0, len(entry), 4)]
        calls = sum(max(g[0], g[1]) for g in groups)
        checks.equal(title + ': calls', our['calls'], calls)
        checks.equal(title + ': primitive', our['primitive_calls'],
                     sum(min(g[0], g[1]) for g in groups))
        checks.true(title + ': time',
                    abs(our['value'] - sum(ns(g[3]) for g in groups)) <= len(groups) - 1 and
                    'estimated' not in our, '%r, %r' % (our, entry))


def compare(title, path, stats, what):
    checks = o.Checks(title, what)
    top, tree = o.vptop('top', path), o.vptop('tree', path)
    labels = {row['label']: function_of(row) for row in top['rows']}
    checks.equal('labels', len(labels), len(top['rows']))
    ours = {function_of(row): row for row in top['rows']}
    checks.equal('functions', sorted(map(str, ours)), sorted(map(str, stats)))
    for name, (cc, nc, tt, ct, _) in stats.items():
        row = ours.get(name)
        if row is None:
            continue
        checks.equal(name[2] + ': calls', row['calls'], max(nc, cc))
        checks.equal(name[2] + ': primitive', row['primitive_calls'], min(nc, cc))
        checks.equal(name[2] + ': self', row['flat'], ns(tt))
        checks.equal(name[2] + ': total', row['cum'], ns(ct))
    checks.equal('total', top['total'], sum(ns(row[2]) for row in stats.values()))
    checks.equal('calls', top['profile']['calls'], sum(max(r[0], r[1]) for r in stats.values()))
    checks.true('is exact', 'estimated' not in top and 'estimated' not in tree)
    callees = {}
    for row in tree['rows']:
        name = function_of(row)
        if name in stats:
            compare_callers(checks, name, {labels[c['label']]: c for c in row['callers']}, ours,
                            stats[name])
        for callee in row['callees']:
            callees[name, labels[callee['label']]] = (callee['value'], callee['calls'])
    # The same edges, seen from the caller.
    callers = {(labels[c['label']], function_of(row)): (c['value'], c['calls'])
               for row in tree['rows'] for c in row['callers']}
    checks.equal('callees', callees, callers)
    checks.done()


def check_tree(title, path, stats):
    checks = o.Checks(title + ': stacks', 'figures of stacks')
    document = o.vptop('flame', path)
    checks.true('says that it is an estimate', document.get('estimated') and
                any(w['class'] == 'estimate' for w in document['warnings']))
    own, limit, total = {}, {}, {}
    for name, row in stats.items():
        own[name[2]] = own.get(name[2], 0) + ns(row[2])
        limit[name[2]] = limit.get(name[2], 0) + max(ns(row[3]), ns(row[2]))
    found = {}
    # The root is called "all", as a function may be.
    stack = [(child, ()) for child in document['root']['children']]
    slack = len(stats) + 16
    while stack:
        node, above = stack.pop()
        name = node['name']
        if name not in above:
            total[name] = total.get(name, 0) + node['total']
        found[name] = found.get(name, 0) + node['self']
        checks.true(name + ': parts', node['total'] == node['self'] +
                    sum(child['total'] for child in node['children']))
        stack.extend((child, above + (name,)) for child in node['children'])
    checks.equal('all', document['root']['total'], sum(own.values()))
    for name, value in own.items():
        checks.equal(name + ': self', found.get(name, 0), value)
        checks.true(name + ': total', total.get(name, 0) <= limit[name] + slack,
                    '%r of %r' % (total.get(name, 0), limit[name]))
    checks.done()


def check(name, path, stats):
    compare(name, path, stats, 'figures of pstats')
    check_tree(name, path, stats)
    here = python_stats(path)
    if here is None:
        o.skip(name + ': pstats', 'the Python here does not read it')
        return
    compare(name + ': pstats', path, here.stats, 'figures of the pstats here')
    checks = o.Checks(name + ': sums', 'sums of the pstats here')
    profile = o.vptop('top', path)['profile']
    checks.equal('calls', profile['calls'], here.total_calls)
    checks.equal('primitive', profile['primitive_calls'], here.prim_calls)
    checks.true('time', abs(profile['types'][0]['total'] - here.total_tt * 1e9) <= len(here.stats))
    checks.done()


def check_written(title, stats):
    """A profile that is written here, in each version of marshal that this Python has."""
    for version in range(marshal.version + 1):
        handle, path = tempfile.mkstemp(suffix='.pstats')
        os.write(handle, marshal.dumps(stats, version))
        os.close(handle)
        try:
            o.guarded(title, compare, '%s: version %d' % (title, version), path, stats,
                      'figures of what was written')
        finally:
            os.unlink(path)


for name in NAMES:
    path, stats = find(name), oracle_stats(OTHERS.get(name, name))
    if path is None or stats is None:
        o.skip(name, 'not here')
        continue
    o.guarded(name, check, name, path, stats)
for name, other in COPIES.items():
    path = o.SHARED and os.path.join(o.SHARED, 'profiles', 'go', name)
    stats = oracle_stats(other)
    if path and os.path.exists(path) and stats is not None:
        o.guarded(name, compare, name, path, stats, 'figures of pstats')
    else:
        o.skip(name, 'not here')



def check_merged(title, names):
    """Several files as one, as pstats.Stats(first, second) has them; each rounds to nanoseconds."""
    paths = [find(name) for name in names]
    plain = [python_stats(path) for path in paths]
    if None in paths or None in plain:
        o.skip(title, 'not here, or the Python here does not read it')
        return
    stats = plain[0]
    for other in plain[1:]:
        stats.add(other)
    checks = o.Checks(title, 'figures of pstats')
    top = o.vptop('top', paths[0], *paths[1:])
    tree = o.vptop('tree', paths[0], *paths[1:])
    ours = {function_of(row): row for row in top['rows']}
    labels = {row['label']: function_of(row) for row in top['rows']}
    checks.equal('functions', sorted(map(str, ours)), sorted(map(str, stats.stats)))
    for name, (cc, nc, tt, ct, callers) in stats.stats.items():
        row = ours[name]
        checks.equal(name[2] + ': calls', (row['calls'], row['primitive_calls']), (nc, cc))
        checks.true(name[2] + ': times', abs(row['flat'] - ns(tt)) <= len(paths) and
                    abs(row['cum'] - ns(ct)) <= len(paths), '%r %r %r' % (row, tt, ct))
    for row in tree['rows']:
        callers = {labels[c['label']]: c['calls'] for c in row['callers']}
        checks.equal('callers of %s' % row['name'], callers,
                     {c: v[0] for c, v in stats.stats[function_of(row)][4].items()})
    checks.equal('calls', top['profile']['calls'], stats.total_calls)
    checks.done()


o.guarded('merged', check_merged, 'merged', ('cpython311.pyprof', 'cpython311-threads.pyprof',
                                             'cpython311-m.pyprof'))


# ---- differences -----------------------------------------------------------------------------------

def figures_of(stats, scale=1.0):
    """{(function,) or (caller, function): [calls, primitive, own ns, ns]} of what pstats has, each of
    its numbers in whole nanoseconds; times are scaled. And the pairs whose time is an estimate."""
    def entry(calls, primitive, own, total):
        return [max(calls, primitive), min(calls, primitive), round(ns(own) * scale),
                round(ns(total) * scale)]
    figures, estimated = {}, set()
    for name, (cc, nc, tt, ct, callers) in stats.items():
        figures[name,] = entry(nc, cc, tt, ct)
        for caller, value in callers.items():
            if isinstance(value, int):
                share = min(value / nc, 1) if nc else 1
                figures[caller, name] = [value, value, int(ns(tt) * share * scale),
                                         int(ns(ct) * share * scale)]
                estimated.add((caller, name))
                continue
            groups = [entry(*value[i:i + 4]) for i in range(0, len(value), 4)]
            figures[caller, name] = [sum(column) for column in zip(*groups)]
    return figures, estimated


def subtract(now, base):
    zeros = [0, 0, 0, 0]
    return {key: [a - b for a, b in zip(now.get(key, zeros), base.get(key, zeros))]
            for key in now.keys() | base.keys()}


def check_part(checks, part, path, options, wanted, estimated, slack):
    """Top and tree of one of the three parts of a difference; wanted: figures_of it."""
    options += ('--sample-index=%stime' % part,)
    top, tree = o.vptop('top', path, *options), o.vptop('tree', path, *options)
    labels = {row['label']: function_of(row) for row in top['rows']}
    ours = {function_of(row): row for row in top['rows']}
    title = part or 'change: '
    checks.true(title + 'is exact', 'estimated' not in top and 'estimated' not in tree)
    checks.equal(title + 'functions', sorted(map(str, ours)),
                 sorted(str(key[0]) for key in wanted if len(key) == 1))
    pairs = {}
    for row in tree['rows']:
        pairs.update({(labels[c['label']], function_of(row)): c for c in row['callers']})
        for callee in row['callees']:
            same = pairs.setdefault((function_of(row), labels[callee['label']]), callee)
            checks.equal('both sides', (same['value'], same['calls']), (callee['value'], callee['calls']))
    checks.equal(title + 'pairs', sorted(map(str, pairs)),
                 sorted(str(key) for key in wanted if len(key) == 2 and (key[0],) in wanted))
    for key, (calls, primitive, own, total) in wanted.items():
        row = ours.get(key[0]) if len(key) == 1 else pairs.get(key)
        if row is None:
            continue
        name = '%s%s' % (title, ' > '.join(function[2] for function in key))
        checks.equal(name + ': calls', (row['calls'], row['primitive_calls']), (calls, primitive))
        near = max(slack, 2 if key in estimated else 0)
        if len(key) == 1:
            checks.true(name + ': self', abs(row['flat'] - own) <= slack, '%r, %r' % (row['flat'], own))
        value = row['cum'] if len(key) == 1 else row['value']
        checks.true(name + ': time', abs(value - total) <= near, '%r, %r' % (value, total))
    return top


def check_difference_report(checks, path, options, parts, slack):
    diff = o.vptop('diff', path, *options)
    checks.true('diff: is exact', 'estimated' not in diff)
    checks.equal('diff: functions', sorted(str(function_of(row)) for row in diff['rows']),
                 sorted(str(key[0]) for key in parts[''] if len(key) == 1))
    for row in diff['rows']:
        for part, calls in (('', 'delta_%s'), ('base:', 'base_%s'), ('new:', '%s')):
            wanted = parts[part].get((function_of(row),), [0, 0, 0, 0])
            flat, cum = calls % 'flat', calls % 'cum'
            checks.equal('diff: %s%s: calls' % (part, row['name']),
                         [row[calls % 'calls'], row[calls % 'primitive_calls']], wanted[:2])
            checks.true('diff: %s%s: times' % (part, row['name']),
                        abs(row[flat] - wanted[2]) <= slack and abs(row[cum] - wanted[3]) <= slack,
                        '%r %r, %r' % (row[flat], row[cum], wanted))


def check_difference(title, new, bases, *flags):
    """A file against others, subtracted here from what pstats has of them."""
    paths = [find(name) for name in (new, *bases)]
    plain = [path and (oracle_stats(name) or python_stats(path).stats)
             for name, path in zip((new, *bases), paths)]
    if None in plain:
        o.skip(title, 'not here')
        return
    checks = o.Checks(title, 'figures of pstats, subtracted')
    base, estimated = {}, set()
    for stats in plain[1:]:
        figures, more = figures_of(stats)
        base = subtract(base, {key: [-v for v in value] for key, value in figures.items()})
        estimated |= more
    scale = 1.0
    if '--normalize' in flags:
        scale = (sum(v[2] for k, v in base.items() if len(k) == 1) /
                 sum(ns(row[2]) for row in plain[0].values()))
    now, more = figures_of(plain[0], scale)
    parts = {'': subtract(now, base), 'base:': base, 'new:': now}
    kind = '--diff-base=' if '--diff-base' in flags else '--base='
    options = tuple(kind + path for path in paths[1:]) + tuple(
        flag for flag in flags if flag != '--diff-base')
    slack = 1 if scale != 1 else 0
    for part, wanted in parts.items():
        top = check_part(checks, part, paths[0], options, wanted, estimated | more, slack)
        own = [value[2] for key, value in wanted.items() if len(key) == 1]
        total = sum(map(abs, own))
        if kind == '--diff-base=' and part == '':
            total = sum(value[2] for key, value in base.items() if len(key) == 1)
        checks.true(part + 'total', abs(top['total'] - total) <= slack * len(own),
                    '%r, %r' % (top['total'], total))
        head = top['profile']
        checks.equal(part + 'calls of all', [head['calls'], head['base_calls'], head['new_calls']],
                     [sum(v[0] for k, v in parts[p].items() if len(k) == 1) for p in ('', 'base:', 'new:')])
    check_difference_report(checks, paths[0], options, parts, slack)
    checks.done()


def check_difference_of_one(name):
    """A profile with itself, as text too: all is 0, and nothing is an estimate."""
    path = find(name)
    checks = o.Checks('difference: %s with itself' % name, 'figures')
    for report in ('top', 'tree', 'diff'):
        text = text_of(report, path, '--base=' + path)
        checks.true(report + ' as text', '~' not in text and (report == 'diff' or not re.search(
            r' [\d.]*[1-9][\d.]* [num]?s\b', text.split('\n\n', 1)[1])), text)
    for row in o.vptop('tree', path, '--base=' + path)['rows']:
        figures = [row['flat'], row['cum'], row['calls'], row['primitive_calls']]
        for other in row['callers'] + row['callees']:
            figures += [other['value'], other['calls'], other['primitive_calls']]
        checks.equal(row['name'], set(figures), {0})
    checks.done()


for title, *arguments in (
        ('two Pythons', 'cpython313.pyprof', ['cpython311.pyprof']),
        ('other functions', 'pypy3.pyprof', ['cpython27.pyprof'], '--diff-base'),
        ('several bases', 'cpython311-m.pyprof', ['cpython311.pyprof', 'cpython311-threads.pyprof']),
        ('scaled', 'cpython313.pyprof', ['cpython311.pyprof'], '--normalize'),
        ('pairs without times', 'cpython311.pyprof', ['cpython311-profile.pyprof']),
        ('two marshals', 'marshal-v1-by-cpython.pyprof', ['cpython313.pyprof'], '--normalize', '--diff-base')):
    o.guarded('difference: ' + title, check_difference, 'difference: ' + title, *arguments)
o.guarded('difference with itself', check_difference_of_one, 'cpython311.pyprof')


# ---- callgrind -------------------------------------------------------------------------------------

def callgrind_names(stats):
    """{function: (file, name)} as the written file has them: two of one name have their lines."""
    functions = set(stats) | {caller for row in stats.values() for caller in row[4]}
    shown = {f: (f[0] or '~', pstats.func_std_string(f) if f[:2] == ('~', 0) else f[2])
             for f in functions}
    count = collections.Counter(shown.values())
    return {f: (file, name if count[file, name] == 1 else '%s:%d' % (name, f[1]))
            for f, (file, name) in shown.items()}


def parse_callgrind(text):
    """({(file, name): (line, own)}, {(caller, callee): (calls, line of the callee, time)}, total)."""
    numbers = {'f': {}, 'n': {}}

    def name_of(kind, value):
        number, _, name = value.partition(' ')
        return numbers[kind].setdefault(number, name)

    own, pairs, total, caller, callee, calls = {}, {}, None, [None, None], [None, None], None
    for line in text.splitlines():
        key, _, value = line.partition('=')
        if key in ('fl', 'cfl'):
            (caller if key == 'fl' else callee)[0] = name_of('f', value)
        elif key in ('fn', 'cfn'):
            (caller if key == 'fn' else callee)[1] = name_of('n', value)
        elif key == 'calls':
            calls = tuple(map(int, value.split()))
        elif line.startswith('totals: '):
            total = int(line[8:])
        elif line[:1].isdigit() and calls:
            pairs[tuple(caller), tuple(callee)] = (*calls, int(line.split()[1]))
            calls = None
        elif line[:1].isdigit():
            assert tuple(caller) not in own, caller
            own[tuple(caller)] = tuple(map(int, line.split()))
    return own, pairs, total


def check_callgrind(name):
    path, stats = find(name), oracle_stats(name)
    if path is None or stats is None:
        o.skip(name + ': callgrind', 'not here')
        return
    checks = o.Checks(name + ': callgrind', 'figures of pstats')
    text = text_of('callgrind', path)
    checks.equal('head', text.splitlines()[:2], ['positions: line', 'events: time(ns)'])
    own, pairs, total = parse_callgrind(text)
    figures, estimated = figures_of(stats)
    names = callgrind_names(stats)
    checks.equal('own', own, {shown: (f[1], figures.get((f,), [0, 0, 0, 0])[2])
                              for f, shown in names.items()})
    checks.equal('total', total, sum(ns(row[2]) for row in stats.values()))
    wanted = {tuple(names[f] for f in key): (value[0], key[1][1], value[3])
              for key, value in figures.items() if len(key) == 2 and (value[0] or value[3])}
    checks.equal('pairs', sorted(pairs), sorted(wanted))
    near = {tuple(names[f] for f in key) for key in estimated}
    for pair, value in wanted.items():
        ours = pairs.get(pair, (None, None, 0))
        checks.equal('%s: calls, line' % (pair,), ours[:2], value[:2])
        checks.true('%s: time' % (pair,), abs(ours[2] - value[2]) <= (pair in near),
                    '%r, %r' % (ours[2], value[2]))
    checks.done()
    if shutil.which('callgrind_annotate'):
        check_annotated(name, text, names, figures, estimated)
    else:
        o.skip(name + ': callgrind_annotate', 'it is not here')


def annotated(file, *options):
    p = subprocess.run(['callgrind_annotate', '--threshold=100', '--auto=no', *options, file],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=60)
    return p.stdout.decode('utf-8', 'replace').splitlines()


def check_annotated(name, text, names, figures, estimated):
    """What callgrind_annotate shows of it: own time of functions; time and number of calls of pairs."""
    checks = o.Checks(name + ': callgrind_annotate', 'figures of pstats')
    with tempfile.NamedTemporaryFile('w', suffix='.callgrind') as file:
        file.write(text)
        file.flush()
        flat, tree = annotated(file.name), annotated(file.name, '--tree=caller', '--inclusive=yes')
    row = re.compile(r'^\s*([\d,]+)(?: \([ \d.]+%\))?\s+(?:([*<])\s+)?(\S.*?)(?: \(([\d,]+)x\))?(?: \[\])?$')
    full = {f: '%s:%s' % shown for f, shown in names.items()}
    shown = [match.groups() for match in map(row.match, flat) if match]
    own = {place: int(cost.replace(',', '')) for cost, _, place, _ in shown}
    checks.equal('total', own.pop('PROGRAM TOTALS'), sum(v[2] for k, v in figures.items() if len(k) == 1))
    checks.equal('own', own, {full[f]: figures.get((f,), [0, 0, 0, 0])[2] for f in full})
    pairs, callers = {}, []
    for cost, mark, place, calls in (match.groups() for match in map(row.match, tree) if match):
        if mark == '<':
            callers.append((place, int(calls.replace(',', '')), int(cost.replace(',', ''))))
        elif mark == '*':
            pairs.update({(caller, place): rest for caller, *rest in callers})
            callers = []
    wanted = {(full[key[0]], full[key[1]]): [value[0], value[3]]
              for key, value in figures.items() if len(key) == 2 and value[0]}
    near = {tuple(full[f] for f in key) for key in estimated}
    checks.equal('pairs', sorted(pairs), sorted(wanted))
    for pair, (calls, time) in wanted.items():
        ours = pairs.get(pair, (None, 0))
        checks.true(' > '.join(pair), ours[0] == calls and abs(ours[1] - time) <= (pair in near),
                    '%r, %r' % (ours, (calls, time)))
    checks.done()


for name in NAMES:
    if name not in OTHERS:
        o.guarded(name + ': callgrind', check_callgrind, name)


# ---- profiles that are written here ----------------------------------------------------------------

A, B, C = ('a.py', 1, 'a'), ('b.py', 2, 'b'), ('~', 0, '<built-in method c>')
check_written('numbers past 32 bits', {
    A: (2**40, 2**62, 1e6, 2e6, {}), B: (2**33, 2**33, 3.5, 3.5, {A: (2**33, 2**33, 3.5, 3.5)}),
    C: (2**31, 2**31 + 1, 0, 7, {A: (5, 5, 0, 7), B: 0})})
check_written('times as whole numbers', {
    A: (1, 1, 0, 3, {}), B: (2, 3, 3, 3, {A: (2, 1, 3, 3), B: (1, 0, 1, 1)})})
check_written('yappi, the numbers swapped', {
    A: (1, 1, 1.0, 3.0, {}), B: (5, 2, 2.0, 2.0, {A: (4, 2, 2.0, 2.0)})})
check_written('several groups for one caller', {
    A: (1, 1, 1.0, 3.0, {}), B: (5, 5, 2.0, 2.0, {A: (2, 2, 0.5, 0.5, 3, 3, 1.5, 1.5)})})
check_written('names of all alphabets', {
    ('\u00fc/\u65e5\u672c.py', 7, '\u03bb'): (1, 1, 1.0, 1.0, {}),
    ('x.py', 1, 'na\u00efve'): (1, 1, 1.0, 1.0, {('\u00fc/\u65e5\u672c.py', 7, '\u03bb'): (1, 1, 1.0, 1.0)})})
o.finish()
