# SPDX-License-Identifier: MIT
"""Python's profiles (pstats), odd and damaged ones, and the shared cases of that format."""

import marshal
import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden'))
import oracle as o  # noqa: E402

SHARED_CASES = ('24', '25')
folder = tempfile.mkdtemp(prefix='vptop-pstats-')
A, B, C = ('a.py', 1, 'a'), ('b.py', 2, 'b'), ('c.py', 3, 'c')
S = 10**9


def file_of(data):
    """data: bytes, or what marshal is to write."""
    path = os.path.join(folder, 'x.pstats')
    with open(path, 'wb') as f:
        f.write(data if isinstance(data, bytes) else marshal.dumps(data))
    return path


def top(data, *options):
    return o.vptop('top', file_of(data), *options)


def rows(document):
    """{name: (calls, primitive, self, total)}, times in seconds."""
    return {r['name']: (r.get('calls'), r.get('primitive_calls'), r['flat'] / S, r['cum'] / S)
            for r in document['rows']}


def classes(document):
    return [w['class'] for w in document['warnings'] if w['class'] != 'estimate']


def refusal(checks, what, data, *words):
    o.refused(checks, what, [file_of(data)], 1, *words)


def case_odd_entries(checks):
    good = {A: (1, 1, 1.0, 3.0, {}), B: (2, 2, 2.0, 2.0, {A: (2, 2, 2.0, 2.0)})}
    wanted = {'a': (1, 1, 1.0, 3.0), 'b': (2, 2, 2.0, 2.0)}
    checks.equal('none', rows(top(good)), wanted)
    for what, entries in (
            ('a key that is a number', {7: (1, 1, 1.0, 1.0, {})}),
            ('a key of two', {('x.py', 1): (1, 1, 1.0, 1.0, {})}),
            ('a key in another order', {(1, 'x.py', 'x'): (1, 1, 1.0, 1.0, {})}),
            ('None for a value', {C: None}),
            ('a value of three', {C: (1, 1, 1.0)}),
            ('a value of six', {C: (1, 1, 1.0, 1.0, {}, {})}),
            ('texts for numbers', {C: ('1', '1', '1', '1', {})}),
            ('calls below 0', {C: (-1, -1, 1.0, 1.0, {})})):
        d = top({**good, **entries})
        # A function that only has a broken entry is not shown.
        ours = {name: row for name, row in rows(d).items() if name != 'c'}
        checks.equal(what, (ours, classes(d)), (wanted, ['malformed']))
    d = top({A: (1, 1, 1.0, 3.0), B: (2, 2, 2.0, 2.0, None)})
    checks.equal('no callers', (rows(d), classes(d)), (wanted, []))
    d = top({A: (1, 1, 1.0, 3.0, {}), B: (2, 2, 2.0, 2.0, {A: (1, 2, 3), 'x': 1, C: 'y'})})
    checks.equal('odd callers', (rows(d), classes(d)), (wanted, ['malformed']))
    checks.true('how many', '3 callers' in d['warnings'][0]['message'], d['warnings'][0]['message'])


def case_numbers(checks):
    d = top({A: (1, 1, -1e-7, 1.0, {}), B: (1, 1, 1.0, -1.0, {})})
    checks.equal('below 0', (rows(d), classes(d)),
                 ({'a': (1, 1, 0, 1.0), 'b': (1, 1, 1.0, 0)}, ['bad-time']))
    d = top({A: (2**70, 2**70, 1.0, 1e300, {})})
    checks.equal('past 64 bits', (d['rows'][0]['calls'], d['rows'][0]['cum'], classes(d)),
                 (2**63 - 1, 2**63 - 1, ['overflow']))
    d = top({A: (True, 1, 1.0, 1.0, {}), B: (2.0, 2.0, 2, 2, {})})
    checks.equal('other types', rows(d), {'a': (1, 1, 1.0, 1.0), 'b': (2, 2, 2.0, 2.0)})
    d = top({A: (1, 1, 0, 0, {}), B: (5, 4, 0, 0, {A: (5, 4, 0, 0)})})
    checks.equal('all 0', (rows(d), classes(d)), ({'a': (1, 1, 0, 0), 'b': (5, 4, 0, 0)}, ['note']))
    d = o.vptop('callers', file_of({A: (1, 1, 0, 0, {}), B: (5, 4, 0, 0, {A: (5, 4, 0, 0)})}), '-F', '^b$')
    checks.equal('callers without time', [(r['name'], r['value'], r['calls']) for r in d['rows']],
                 [('a', 0, 5)])
    for value in (float('nan'), float('inf'), float('-inf')):
        refusal(checks, '%r first' % value, {A: (1, 1, value, 1.0, {})}, 'not finite', 'at byte')
        d = top({A: (1, 1, 1.0, 1.0, {}), B: (1, 1, value, 1.0, {})})
        checks.equal('%r' % value, (rows(d), classes(d)), ({'a': (1, 1, 1.0, 1.0)}, ['malformed']))


def case_names(checks):
    d = top({('~', 0, '<built-in method sorted>'): (1, 1, 1.0, 1.0, {}),
             ('', 0, 'len'): (1, 1, 2.0, 2.0, {}), ('~', 0, '<x'): (1, 1, 3.0, 3.0, {}),
             ('x.py', 1, '<module>'): (1, 1, 4.0, 4.0, {}), ('y.py', 1, '<module>'): (1, 1, 5.0, 5.0, {})})
    checks.equal('labels', [r['label'] for r in d['rows']],
                 ['<module> y.py:1', '<module> x.py:1', '<x', 'len', '{built-in method sorted}'])
    checks.equal('raw', d['rows'][4]['name'], '<built-in method sorted>')
    # Bytes and characters are one function, as are keys that a broken writer gives twice.
    one, two = marshal.dumps({A: (1, 1, 1.0, 1.0, {})}, 2), marshal.dumps({A: (2, 2, 2.0, 2.0, {})}, 2)
    d = top(one[:-1] + two[1:])
    checks.equal('equal keys', rows(d), {'a': (3, 3, 3.0, 3.0)})
    d = top({A: (1, 1, 1.0, 1.0, {}), (b'a.py', 1, b'a'): (2, 2, 2.0, 2.0, {})})
    checks.equal('bytes', rows(d), {'a': (3, 3, 3.0, 3.0)})
    d = top({(b'\xff\x1b[2J', 1, b'f\xff\x00'): (1, 1, 1.0, 1.0, {})})
    checks.equal('no UTF-8', (d['rows'][0]['label'], d['rows'][0]['name']), ('f\\xff\\x00', 'f\ufffd\x00'))


def case_only_callers(checks):
    d = top({B: (2, 2, 2.0, 2.0, {A: (2, 2, 2.0, 2.0)})})
    checks.equal('not a row', rows(d), {'b': (2, 2, 2.0, 2.0)})
    d = o.vptop('callers', file_of({B: (2, 2, 2.0, 2.0, {A: (2, 2, 2.0, 2.0)})}), '-F', '^b$')
    checks.equal('a caller', [(r['name'], r['calls']) for r in d['rows']], [('a', 2)])


def case_sampled(checks):
    d = top({('__sampled__',): True, A: (7, 7, 0.7, 1.0, {})})
    checks.equal('rows', (rows(d), classes(d)), ({'a': (7, 7, 0.7, 1.0)}, []))
    p = subprocess.run([o.VPTOP, '--report=top', '-q', file_of({('__sampled__',): True, A: (7, 7, 0.7, 1.0, {})})],
                       stdout=subprocess.PIPE, timeout=60)
    checks.true('samples', b'7 samples of 1 function' in p.stdout, p.stdout[:300])


def case_empty(checks):
    for data in (b'{0', b'\xfb0'):
        d = top(data)
        checks.equal(repr(data), (d['rows'], d['total'], d['profile']['format']), ([], 0, 'pstats'))


def case_broken(checks):
    refusal(checks, 'a list', marshal.dumps([1]), 'unrecognised')
    refusal(checks, 'no function', {('x', 1, 2): (1, 1, 1.0, 1.0, {})}, 'none of its 1 entries')
    whole = marshal.dumps({A: (1, 1, 1.0, 3.0, {}), B: (2, 2, 2.0, 2.0, {A: (2, 2, 2.0, 2.0)})}, 2)
    refusal(checks, 'cut in the first entry', whole[:40], 'cut short at byte 40')
    d = top(whole[:-20])
    checks.equal('cut in the second', (rows(d), classes(d), d['profile']['truncated']),
                 ({'a': (1, 1, 1.0, 3.0)}, ['truncated'], True))
    d = top(whole[:-1])
    checks.equal('cut before its end', (len(d['rows']), classes(d)), (2, ['truncated']))
    d = top(whole + b'more')
    checks.equal('more behind it', (len(d['rows']), classes(d)), (2, ['note']))
    key = b'(\3\0\0\0s\1\0\0\0ai\1\0\0\0s\1\0\0\0a'
    refusal(checks, 'too deep', b'{' + key + b')\1' * 100 + b'N', 'nested too deep')
    refusal(checks, 'a cycle', b'{' + key + b'\xa9\1r\0\0\0\0' + b'0', 'contains it')
    refusal(checks, 'a long text', b'{' + key[:5] + b's\xff\xff\xff\x7f', '16 MiB')
    refusal(checks, 'many items', b'{' + key + b'(\xff\xff\xff\x7f', 'cut short')
    refusal(checks, 'code', b'{' + key + b'c', 'a type that no profile has')
    refusal(checks, 'cut gzip', __import__('gzip').compress(whole)[:40], '')


def case_bomb(checks):
    """Callers of which there is one dict for all functions; containers in containers in containers."""
    callers = {('f.py', i, 'f'): 1 for i in range(3000)}
    shared = {('g.py', i, 'g'): (1, 1, 1.0, 1.0, callers) for i in range(3000)}
    refusal(checks, 'callers', marshal.dumps(shared, 4), 'again and again')
    levels = b''.join(b'\xa9\2r' + struct.pack('<i', i) + b'r' + struct.pack('<i', i) for i in range(60))
    refusal(checks, 'levels', b'{)\3N[\x3d\0\0\0\xa9\0' + levels + b'N' + b'N' + b'0', '')


def case_flames(checks):
    """A filter counts stacks, which are estimates, and says so."""
    d = {A: (1, 1, 1.0, 10.0, {}), B: (1, 1, 4.0, 9.0, {A: (1, 1, 4.0, 9.0)}),
         C: (2, 2, 5.0, 5.0, {B: (2, 2, 5.0, 5.0)})}
    t = o.vptop('flame', file_of(d))
    node, path = t['root'], []
    while node['children']:
        node = node['children'][0]
        path.append((node['name'], node['self'] / S, node['total'] / S))
    checks.equal('chain', path, [('a', 1, 10), ('b', 4, 9), ('c', 5, 5)])
    checks.equal('says it', (t['estimated'], top(d).get('estimated'), top(d, '--focus=b').get('estimated')),
                 (True, None, True))
    checks.equal('filtered', rows(top(d, '--focus=^b$')),
                 {'a': (None, None, 0, 9), 'b': (None, None, 4, 9), 'c': (None, None, 5, 5)})
    p = subprocess.run([o.VPTOP, '--report=top', '-q', '--focus=b', file_of(d)], stdout=subprocess.PIPE, timeout=60)
    checks.true('text', '~5.00 s' in p.stdout.decode() and '~' not in subprocess.run(
        [o.VPTOP, '--report=top', '-q', file_of(d)], stdout=subprocess.PIPE, timeout=60).stdout.decode())


def text_of(report, *arguments):
    p = subprocess.run([o.VPTOP, '-q', '--report=' + report, *arguments], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return p.stdout.decode('utf-8', 'replace')


def case_difference(checks):
    """What functions had is known of both, what stacks had is not: it is marked, here and as text."""
    old = os.path.join(folder, 'old.pstats')
    with open(old, 'wb') as f:
        f.write(marshal.dumps({A: (1, 1, 1.0, 3.0, {}), B: (2, 2, 2.0, 2.0, {A: (2, 2, 2.0, 2.0)})}))
    new = {A: (1, 1, 1.0, 4.0, {}), B: (2, 2, 3.0, 3.0, {A: (2, 2, 3.0, 3.0)})}
    d = top(new, '--diff-base=' + old)
    checks.equal('change', {r['name']: (r['flat'], r['cum']) for r in d['rows']}, {'b': (S, S), 'a': (0, S)})
    checks.equal('estimated', d.get('estimated'), None)
    path = file_of(new)
    against = '--diff-base=' + old
    for report, option, is_estimate in (
            ('top', '', False), ('tree', '', False), ('diff', '', False), ('peek', '-Fb', False),
            ('callers', '-Fb', False), ('callees', '-Fa', False), ('top', '--sample-index=new:time', False),
            ('top', '--granularity=lines', False), ('top', '--relative-percentages', False),
            ('flame', '', True), ('traces', '', True), ('top', '--focus=b', True), ('diff', '--hide=a', True),
            ('top', '--granularity=files', True), ('tree', '--focus=b', True)):
        options = [against, option] if option else [against]
        d = o.vptop(report, path, *options)
        checks.equal('%s %s' % (report, option), d.get('estimated'), is_estimate or None)
        checks.equal('%s %s as text' % (report, option), '~' in text_of(report, *options, path), is_estimate)
    d = o.vptop('diff', path, against)
    for report in ('dot', 'callgrind'):
        words = 'stacks are estimated from a graph of calls'
        checks.true(report + ' with a filter says it', words in text_of(report, '--focus=b', path) and
                    words not in text_of(report, path) + text_of(report, against, path))
    checks.equal('calls', {r['name']: (r['base_calls'], r['calls'], r['delta_calls']) for r in d['rows']},
                 {'a': (1, 1, 0), 'b': (2, 2, 0)})
    checks.true('as text', ' +1 s' in text_of('diff', against, path) or
                ' +1.00 s' in text_of('diff', against, path))


def case_difference_without_times(checks):
    """All times are 0: calls are there to be seen, on the screens as well."""
    old = os.path.join(folder, 'old.pstats')
    with open(old, 'wb') as f:
        f.write(marshal.dumps({A: (1, 1, 0.0, 0.0, {}), B: (2, 2, 0.0, 0.0, {A: (2, 2, 0.0, 0.0)})}))
    path = file_of({A: (1, 1, 0.0, 0.0, {}), B: (5, 5, 0.0, 0.0, {A: (5, 5, 0.0, 0.0)})})
    d = o.vptop('top', path, '--base=' + old)
    checks.equal('rows', rows(d), {'a': (0, 0, 0, 0), 'b': (3, 3, 0, 0)})
    p = subprocess.run([o.VPTOP, '-q', '--base=' + old, '--keys=4', '--dump-screen=120x10', path],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    checks.true('screen', b'CALLS +-' in p.stdout and b'+3' in p.stdout, p.stdout)


def case_difference_at_the_ends(checks):
    """Numbers that do not fit: they stay at the largest there is, and that is said."""
    old = os.path.join(folder, 'old.pstats')
    with open(old, 'wb') as f:
        f.write(marshal.dumps({A: (1, 2**63 - 1, 9e9, 9.2e9, {}), B: (2, 2, 0.0, 0.0, {C: (2, 2, 0.0, 0.0)})}))
    path = file_of({A: (1, 1, 9e9, 9.2e9, {A: (1, 1, 1.0, 1.0)}), C: (2, 2, 9e9, 9e9, {A: (2, 2, 9e9, 9e9)})})
    d = o.vptop('top', path, '--base=' + old)
    checks.equal('rows', rows(d), {'a': (2 - 2**63, 0, 0, 0), 'b': (-2, -2, 0, 0), 'c': (2, 2, 9e9, 9e9)})
    checks.true('says it', 'overflow' in classes(d), d['warnings'])


def shared_cases():
    check = o.SHARED and os.path.join(o.SHARED, 'cases', 'check')
    if not check or not os.path.exists(check):
        o.skip('shared cases of pstats', 'VPTOP_SHARED is not set')
        return
    checks = o.Checks('shared cases of pstats', 'runs of %s' % ', '.join(SHARED_CASES))
    p = subprocess.run([sys.executable, check, '-v', '--vptop', o.VPTOP, *SHARED_CASES],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    lines = p.stdout.decode('utf-8', 'replace').splitlines()
    for line in lines:
        if line.startswith(('ok', 'not ok')):
            checks.true(line, line.startswith('ok'))
    checks.true('there were runs', checks.figures >= 4, ' '.join(lines)[:300])
    checks.done()


def main():
    for name, function in sorted(globals().items()):
        if name.startswith('case_'):
            title = 'pstats: ' + name[5:].replace('_', ' ')
            checks = o.Checks(title, 'figures')
            o.guarded(title, lambda f=function, c=checks: (f(c), c.done()))
    shared_cases()
    shutil.rmtree(folder)
    o.finish()


main()
