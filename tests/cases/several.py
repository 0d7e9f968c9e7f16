# SPDX-License-Identifier: MIT
"""Several profiles at once: sound, odd and unlike ones, made byte by byte."""

import gzip
import os
import shutil
import subprocess

import pprof as made
import oracle as o

CPU = (('samples', 'count'), ('cpu', 'nanoseconds'))
HEAP = (('inuse_objects', 'count'), ('inuse_space', 'bytes'))


def save(name, profile):
    return made.file_of(profile, name)


def simple(values, types=CPU, time=0, base=0x400000, labels=(), file='/bin/app', period='cpu'):
    """main calls work; the program lies at `base`."""
    p = made.Profile(types)
    p.add(3, made.number(1, 1) + made.number(2, base) + made.number(3, base + 0x1000) +
          made.number(5, p.string(file)))
    p.location(1, 'work', mapping=1, address=base + 16)
    p.location(2, 'main', mapping=1, address=base + 32)
    if period:
        p.add(11, made.number(1, p.string(period)) + made.number(2, p.string('nanoseconds')))
    if time:
        p.number(9, time)
    return p.sample(values, 1, 2, labels=labels)


def run(*arguments, stdin=subprocess.DEVNULL, data=None):
    return subprocess.run([o.VPTOP, *arguments], input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, **({} if data else {'stdin': stdin}))


def totals(document):
    return {t['name']: t['total'] for t in document['profile']['types']}


def case_merge(checks):
    a = save('a.pb', simple((1, 10)))
    b = save('b.pb', simple((2, 20), base=0x7f0000))
    d = o.vptop('traces', a, b, '--granularity=addresses')
    checks.equal('elsewhere in memory', [t['values'] for t in d['traces']], [[3, 30]])
    d = o.vptop('traces', a, a, a)
    checks.equal('the same file three times', [t['values'] for t in d['traces']], [[3, 30]])
    ms = save('ms.pb', simple((1, 2), types=(('samples', 'count'), ('cpu', 'milliseconds'))))
    checks.equal('other units', totals(o.vptop('top', a, ms)), {'samples': 2, 'cpu': 2000010})
    more = save('more.pb', simple((1, 2, 3), types=(('x', 'count'),) + CPU))
    checks.equal('common types', totals(o.vptop('top', a, more)), {'samples': 3, 'cpu': 13})
    checks.equal('and back', totals(o.vptop('top', more, a)), {'samples': 3, 'cpu': 13})
    labelled = save('labels.pb', simple((4, 40), labels=(('k', 'v'),)))
    d = o.vptop('traces', a, labelled)
    checks.equal('labels keep samples apart', sorted(t['values'] for t in d['traces']),
                 [[1, 10], [4, 40]])
    huge = save('huge.pb', simple((1, 2**63 - 1)))
    d = o.vptop('top', huge, a)
    checks.equal('past 64 bits', (totals(d)['cpu'], 'overflow' in made.classes(d)),
                 (2**63 - 1, True))


def case_unlike(checks):
    a = save('a.pb', simple((1, 10)))
    heap = save('heap.pb', simple((1, 10), types=HEAP, period='space'))
    folded = save('x.folded', b'main;work 3\n')
    broken = save('broken.pb', simple((1, 10)).bytes()[:40])
    other = save('other.pb', simple((1, 10), types=(('cpu', 'bytes'),), period=None))
    nowhere = os.path.join(made.folder, 'nowhere')
    empty = save('empty', b'')
    o.refused(checks, 'cpu and heap', [a, heap], 1, 'heap.pb: ', 'space')
    o.refused(checks, 'cpu against heap', [a, '--base=' + heap], 1, 'heap.pb: ')
    o.refused(checks, 'another unit', [a, other], 1, 'other.pb: ')
    o.refused(checks, 'names and places', [a, folded], 1, 'x.folded: ', 'folded')
    o.refused(checks, 'one is missing', [a, nowhere, a], 1, 'nowhere: ')
    o.refused(checks, 'the base is missing', [a, '--diff-base=' + nowhere], 1, 'nowhere: ')
    o.refused(checks, 'one is empty', [a, empty], 1, 'empty: ')
    o.refused(checks, 'one is broken', [a, a, broken], 1, 'broken.pb: ')
    o.refused(checks, 'standard input twice', ['-', '-'], 2, 'standard input')
    o.refused(checks, 'standard input twice', ['-', '--base=-'], 2, 'standard input')
    o.refused(checks, 'normalize without a base', [a, '--normalize'], 2, '--base')
    o.refused(checks, 'a series and a base', [a, '--series', '--base=' + a], 2, '--series')
    p = run('--report=top', '--format=json', a, heap)
    checks.true('class', b'"incompatible"' in p.stdout, '%r' % p.stdout)
    p = run('--report=diff', '--format=json', '-', '--base=' + a, data=simple((3, 30)).bytes())
    checks.true('standard input once', p.returncode == 0 and b'"delta_total": 20' in p.stdout,
                '%r' % p.stdout[-300:])


def case_difference(checks):
    a = save('a.pb', simple((1, 10)))
    b = save('b.pb', simple((4, 40)))
    zero = save('zero.pb', simple((0, 0)))
    d = o.vptop('diff', b, '--base=' + a, '--base=' + a)
    checks.equal('two bases', (d['base_total'], d['new_total'], d['delta_total']), (20, 40, 20))
    d = o.vptop('diff', a, '--diff-base=' + a)
    checks.equal('itself', (d['total'], d['delta_total']), (10, 0))
    d = o.vptop('diff', a, '--diff-base=' + b, '--normalize')
    checks.equal('normalized', (d['base_total'], d['new_total'], d['delta_total']), (40, 40, 0))
    d = o.vptop('diff', zero, '--diff-base=' + b, '--normalize')
    checks.equal('nothing to normalize', (d['new_total'], d['delta_total']), (0, -40))
    d = o.vptop('diff', a, '--diff-base=' + zero)
    checks.equal('shares of a base of 0', d['total'], 10)
    for name, total in (('base:cpu', 40), ('new:cpu', 10), ('cpu', 40)):
        d = o.vptop('top', a, '--diff-base=' + b, '--type=' + name)
        checks.equal('total of ' + name, d['total'], total)
    d = o.vptop('top', a, '--diff-base=' + b, '--drop-negative')
    checks.equal('only what grew', d['rows'], [])
    p = run('--report=diff', a)
    checks.equal('no base', (p.returncode, p.stdout), (2, b''))
    for report in ('summary', 'tree', 'traces', 'flame', 'timeline', 'folded', 'info', 'threads'):
        p = run('--report=' + report, a, '--diff-base=' + b)
        checks.equal(report, (p.returncode, p.stderr), (0, b''))


def case_series(checks):
    second = 10**9
    paths = [save('s%d.pb' % i, simple((i, 100 * i), types=HEAP, time=(10 + i) * second, period='space'))
             for i in (1, 2, 3)]
    d = o.vptop('timeline', *paths)
    checks.equal('values', [b['max'] for b in d['bins']], [100, 200, 300])
    checks.equal('times', [b['start_ns'] for b in d['bins']], [0, second, 2 * second])
    checks.equal('total', (totals(d)['inuse_space'], d['profile']['clock']), (300, 'stamped'))
    d = o.vptop('timeline', paths[2], paths[0], paths[1])
    checks.equal('in order of time', [b['source'] for b in d['bins']], paths)
    checks.equal('now', o.vptop('top', *paths)['total'], 300)
    checks.equal('at', o.vptop('top', *paths, '--at=+1s')['total'], 200)
    checks.equal('to', o.vptop('top', *paths, '--to=+1s')['total'], 100)
    checks.equal('merged', o.vptop('top', *paths, '--merge')['total'], 600)
    checks.equal('a base merges', o.vptop('top', *paths, '--base=' + paths[0])['total'], 500)
    d = o.vptop('timeline', paths[1], paths[1])
    checks.equal('the same file twice', [b['max'] for b in d['bins']], [200, 200])
    timeless = save('timeless.pb', simple((1, 7), types=HEAP, period='space'))
    given = paths[0], paths[1], timeless # the first of the three is the last on the command line
    d = o.vptop('timeline', *given)
    checks.equal('one without a time', ([b['max'] for b in d['bins']], d['profile']['clock'], made.classes(d)),
                 ([200, 7, 100], None, ['bad-time']))
    checks.equal('the last one given', o.vptop('top', *given)['total'], 100)
    empty = save('none.pb', simple((0, 0), types=HEAP, time=20 * second, period='space'))
    d = o.vptop('timeline', *paths, empty)
    checks.equal('nothing lives at last', [b['max'] for b in d['bins']], [100, 200, 300, 0])
    other = save('other.pb', simple((1, 5), types=HEAP, time=99 * second, period='space', file='/bin/other'))
    checks.equal('two programs are merged', o.vptop('top', paths[0], other)['total'], 105)
    cpu = [save('c%d.pb' % i, simple((i, i), time=i * second)) for i in (1, 2)]
    checks.equal('cpu is merged', o.vptop('top', *cpu)['total'], 3)
    checks.equal('unless asked for', o.vptop('top', *cpu, '--series')['total'], 2)
    for report in ('summary', 'tree', 'traces', 'flame', 'folded', 'info', 'threads', 'timeline'):
        for options in ([], ['--at=#0'], ['--focus=nothing']):
            p = run('--report=' + report, *options, *paths, empty)
            checks.equal(report, (p.returncode, p.stderr), (0, b''))
    p = run('--report=top', '--from=+200ms', '--to=+800ms', *paths)
    checks.equal('no snapshot there', (p.returncode, p.stdout), (2, b''))
    p = run('--keys=3v<Left><Enter>', '--dump-screen=120x24', *paths)
    checks.true('growth', b'against' in p.stdout, '%r' % p.stdout)


def case_many(checks):
    """Many small files, and a mapping table that is as long as a file can make it."""
    paths = [save('m%d.pb' % i, gzip.compress(simple((1, 10), base=i << 20).bytes())) for i in range(300)]
    checks.equal('300 files', o.vptop('top', *paths)['total'], 3000)
    p = made.Profile()
    for i in range(1, 50001):
        p.add(3, made.number(1, i) + made.number(2, i << 12) + made.number(3, (i << 12) + 4096))
    p.location(1, 'work', mapping=50000).sample((1, 10), 1)
    path = save('mappings.pb', p)
    checks.equal('50,000 mappings', o.vptop('top', path, path)['total'], 20)


CASES = [('merging', case_merge), ('unlike profiles', case_unlike), ('differences', case_difference),
         ('series', case_series), ('many', case_many)]


def main():
    for title, function in CASES:
        checks = o.Checks('several profiles: ' + title, 'figures')
        o.guarded('several profiles: ' + title, function, checks)
        checks.done()
    shutil.rmtree(made.folder)
    o.finish()


if __name__ == '__main__':
    main()
