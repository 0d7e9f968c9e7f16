# SPDX-License-Identifier: MIT
"""Cases with known answers: small files in data/, made profiles, and the shared cases where they are."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden'))
import oracle as o  # noqa: E402
import build  # noqa: E402

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'data')
# Those that are left out are in formats that are not read yet: perf (19, 20), cpuprofile, massif.
SHARED_CASES = tuple('%02d' % i for i in range(1, 32) if i not in (19, 20, 26, 27))
# Runs in which the checker asks for edges, traces or rows of the default type, which is pprof's last
# one, cpu, and compares them with samples. Their rows by samples are compared in pprof.py.
OTHER_TYPES = ('07-pprof-string-table [empty-name]', '09-pprof-inline-order [a]', '12-pprof-wire-variants',
               '15-pprof-zstd')


def rows(document):
    return {(r['name'], r['file'], r['line']): (r['flat'], r['cum']) for r in document['rows']}


def case_whole(checks):
    d = o.vptop('top', os.path.join(DATA, 'whole.vmprof'))
    checks.equal('rows', rows(d), {('work', '/srv/a.py', 9): (8, 8), ('main', '/srv/a.py', 1): (0, 8)})
    checks.equal('duration', d['profile']['duration_ns'], 8000000000)
    checks.equal('truncated', d['profile']['truncated'], False)
    checks.equal('warnings', d['warnings'], [])


def case_no_trailer(checks):
    d = o.vptop('top', os.path.join(DATA, 'no-trailer.vmprof'))
    checks.equal('rows', rows(d), {('work', '/srv/a.py', 9): (8, 8), ('main', '/srv/a.py', 1): (0, 8)})
    checks.equal('duration', d['profile']['duration_ns'], None)
    checks.equal('start', d['profile']['start_unix_ns'], 1600000000000000000)
    checks.equal('truncated', d['profile']['truncated'], True)


def case_mid_record(checks):
    d = o.vptop('top', os.path.join(DATA, 'mid-record.vmprof'))
    checks.equal('rows', rows(d), {('work', '/srv/a.py', 9): (7, 7), ('main', '/srv/a.py', 1): (0, 7)})
    checks.equal('warning', [w['class'] for w in d['warnings']], ['truncated'])


def case_colons(checks):
    d = o.vptop('top', os.path.join(DATA, 'colons-in-names.vmprof'))
    checks.equal('rows', rows(d), {
        ('<listcomp>', 'C:\\proj dir\\run me.py', 12): (5, 5), ('<lambda>', '<string>', 3): (3, 3),
        ('std::sort<int*>', 'C:\\src\\a:b.cpp', 42): (2, 2), ('operator::new', '-', 0): (1, 1),
        ('<module>', 'C:\\proj dir\\run me.py', 1): (0, 11),
        ('kernel', '<generated code>', 8): (0, 2)})


def case_memory(checks):
    path = os.path.join(DATA, 'memory-kib.vmprof')
    bins = o.vptop('timeline', path, '--bins=0')['bins']
    checks.equal('points', [(b['start_ns'], b['max']) for b in bins], [
        (0, 10485760), (100000000, 20971520), (200000000, 15728640), (300000000, 3072000000),
        (400000000, 15728640)])
    peak = o.vptop('summary', path)['peak']
    checks.equal('peak', (peak['value'], peak['sample']), (3072000000, 3))
    checks.equal('stack of the peak', [s if isinstance(s, str) else s['name'] for s in peak['stack']],
                 ['main', 'fill'])


def made(data, report, *options):
    with tempfile.NamedTemporaryFile(prefix='vptop-case-') as f:
        f.write(data)
        f.flush()
        return o.vptop(report, f.name, *options)


def case_depth(checks):
    """Deep stacks, in every reader."""
    for depth in (500, 1019, 20000):
        addresses = [2 * (i + 1) for i in range(depth)]
        v = build.Vmprof(mode=1).start().sample(addresses, 100).name(addresses[0], 'py:root:1:a.py')
        v.name(addresses[-1], 'py:leaf:2:a.py').end()
        names = {addresses[0]: 'py:root:1:a.py', addresses[-1]: 'py:leaf:2:a.py'}
        files = [('vmprof', v.data), ('envelope', build.envelope([(addresses, 100)], names)),
                 ('samples', build.pack([[addresses, 100]])),
                 ('CPU tree', build.pack(build.cpu_chain(addresses, 1)))]
        for what, data in files:
            d = made(data, 'top')
            checks.equal('%s of depth %d' % (what, depth), d['profile']['max_depth'], depth)
            if what in ('vmprof', 'envelope'):
                found = rows(d)
                checks.equal('root', found[('root', 'a.py', 1)], (0, 1))
                checks.equal('leaf', found[('leaf', 'a.py', 2)], (1, 1))
    # One function calling itself counts once a stack.
    d = made(build.Vmprof().sample([2] * 20000).name(2, 'py:rec:1:a.py').end().data, 'top')
    checks.equal('recursion', rows(d), {('rec', 'a.py', 1): (1, 1)})


def case_empty_stacks(checks):
    """Samples without a frame count in the total and in no function."""
    v = build.Vmprof(mode=1).sample([], 10).sample([2], 30).sample([], 20).name(2, 'py:f:1:a.py')
    d = made(v.end().data, 'top')
    checks.equal('total', d['total'], 3)
    checks.equal('rows', rows(d), {('f', 'a.py', 1): (1, 1)})
    data = build.envelope([([], 10), ([2], 30), ([], 20)], {2: 'py:f:1:a.py'},
                          tree=['2', 1, {}, []])
    d = made(data, 'bin', '--at=#0', '--bins=1')
    checks.equal('bin', (d['count'], d['prefix'], d['max']), (3, ['f'], 30 * 1024))


def case_zero_samples(checks):
    """A header alone, and an envelope without samples, are profiles of nothing."""
    for what, data in (('static header', build.Vmprof().data[:40]),
                       ('header', build.Vmprof().end().data),
                       ('samples', build.pack([]))):
        d = made(data, 'top')
        checks.equal(what, (d['total'], d['rows'], d['profile']['samples']), (0, [], 0))
        for report in ('summary', 'timeline', 'flame', 'tree', 'traces', 'threads', 'info'):
            checks.equal('%s, %s' % (what, report), made(data, report)['report'], report)


def case_period_zero(checks):
    d = made(build.Vmprof(period_us=0).sample([2]).name(2, 'py:f:1:a.py').data, 'summary')
    checks.equal('period', d['profile']['period_ns'], None)
    checks.equal('duration', d['profile']['duration_ns'], None)


def case_name_precedence(checks):
    """A Python name beats the placeholder of the native symbol with the same address."""
    v = build.Vmprof(mode=4).sample([2, 5]).name(2, 'n:<native symbol 0x2>:0:-', marker=8)
    v.name(5, 'n:std::a<b::c>:0:-', marker=8).name(2, 'py:f:1:C:\\a.py').end()
    checks.equal('rows', rows(made(v.data, 'top')),
                 {('f', 'C:\\a.py', 1): (0, 1), ('std::a<b::c>', '-', 0): (1, 1)})


def case_wide_memory(checks):
    """A memory of more than 2^32 KiB, and 2^53 bytes."""
    values = [1, (1 << 32) + 5, (1 << 43) + 1]
    v = build.Vmprof(mode=1)
    for m in values:
        v.sample([2], m)
    bins = made(v.name(2, 'py:f:1:a.py').end().data, 'timeline', '--bins=0')['bins']
    checks.equal('bytes', [b['max'] for b in bins], [m * 1024 for m in values])


def shared_cases():
    check = o.SHARED and os.path.join(o.SHARED, 'cases', 'check')
    if not check or not os.path.exists(check):
        o.skip('shared cases', 'VPTOP_SHARED is not set')
        return
    checks = o.Checks('shared cases', 'runs of %s' % ', '.join(SHARED_CASES))
    p = subprocess.run([sys.executable, check, '-v', '--vptop', o.VPTOP, *SHARED_CASES],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    lines = p.stdout.decode('utf-8', 'replace').splitlines()
    for line in lines:
        if line.startswith(('ok', 'not ok')) and not any(x in line for x in OTHER_TYPES):
            checks.true(line, line.startswith('ok'))
    checks.true('there were runs', checks.figures > 0, ' '.join(lines)[:300])
    checks.done()


def main():
    for name, function in sorted(globals().items()):
        if name.startswith('case_'):
            title = name[5:].replace('_', ' ')
            checks = o.Checks(title, 'figures')
            o.guarded(title, lambda f=function, c=checks: (f(c), c.done()))
    shared_cases()
    o.finish()


if __name__ == '__main__':
    main()
