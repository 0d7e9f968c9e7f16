# SPDX-License-Identifier: MIT
"""Python's profiles against pstats: the oracles, and the pstats of the Python that runs this test.

Compared are calls, primitive calls, own and cumulative time of each function, and the same of each
entry of a caller. Times are seconds there and whole nanoseconds here. Where pstats has the caller's
entry as a number (profile), the time is an estimate here and none there: its share of the calls
(gprof2dot's rule, numbers.md 3.6).

Of the stacks, which are an estimate, what must hold is compared: they add up to the total, those of
a function to its own time, and nowhere is more of it than its cumulative time.
"""

import gzip
import marshal
import os
import pstats
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
