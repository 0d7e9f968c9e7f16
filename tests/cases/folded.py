# SPDX-License-Identifier: MIT
"""Folded stacks that are damaged, huge or odd: a figure or an error, in time, and never a guess."""

import bz2
import gzip
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden'))
import oracle as o  # noqa: E402

SHARED_CASES = ('01', '04', '16', '17', '22', '30', '31')
OTHER_FORMATS = ('[pprof]',)
DATA = os.path.join(o.HERE, 'data', 'folded')
SECONDS = 20

folder = tempfile.mkdtemp(prefix='vptop-folded-')


def file_of(data, name='input'):
    path = os.path.join(folder, name)
    with open(path, 'wb') as f:
        f.write(data)
    return path


def run(arguments, stdin=None):
    p = subprocess.run([o.VPTOP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       timeout=SECONDS, **({'input': stdin} if stdin is not None else
                                           {'stdin': subprocess.DEVNULL}))
    return p.returncode, p.stdout, p.stderr.decode('utf-8', 'backslashreplace')


def rows(document):
    return {r['name']: (r['flat'], r['cum']) for r in document['rows']}


def classes(document):
    return [w['class'] for w in document['warnings']]


def top(data, *options):
    return o.vptop('top', file_of(data), *options)


def case_deep(checks):
    """100 000 frames on one line; the same frame; and a few lines that share it all."""
    line = b';'.join(b'f%d' % i for i in range(100000))
    start = time.monotonic()
    d = top(line + b' 1\n' + line + b';x 2\n' + line + b' 3\n')
    checks.equal('total', d['total'], 6)
    checks.equal('depth', d['profile']['max_depth'], 100001)
    table = rows(d)
    checks.equal('first', table['f0'], (0, 6))
    checks.equal('last', table['f99999'], (4, 6))
    checks.equal('leaf', table['x'], (2, 2))
    d = top(b';'.join([b'r'] * 100000) + b' 7\n')
    checks.equal('recursion', rows(d), {'r': (7, 7)})
    checks.true('time', time.monotonic() - start < SECONDS, '%f s' % (time.monotonic() - start))
    status, out, _ = run(['--report=folded', file_of(line + b' 7\n')])
    checks.equal('written', (status, out), (0, line + b' 7\n'))


def case_max_depth(checks):
    d = top(b'a;b;c;d 5\na;b 2\nc;d 1\n', '--max-depth=2')
    checks.equal('rows', rows(d), {'d': (6, 6), 'c': (0, 6), 'b': (2, 2), 'a': (0, 2)})
    checks.equal('warnings', classes(d), ['truncated'])


def case_long_lines(checks):
    name = b'x' * (10 << 20)
    d = top(b'a;b 1\na;' + name + b' 2\na;c 4\n')
    checks.equal('total', d['total'], 7)
    checks.equal('rows', {n[:3]: v for n, v in rows(d).items()},
                 {'a': (0, 7), 'b': (1, 1), 'xxx': (2, 2), 'c': (4, 4)})
    many = b';'.join(b'function_%d' % (i % 1000) for i in range(800000))
    d = top(many + b' 3\n' + many + b';y 5\n')
    checks.equal('10 MB of frames', (d['total'], rows(d)['y'], rows(d)['function_0']), (8, (5, 5), (0, 8)))
    d = o.vptop('top', file_of(gzip.compress(many + b' 3\n')))
    checks.equal('the same in gzip', d['total'], 3)
    data = ('\ufeff' + many.decode()[:3000000] + ' 3\r\nz 4\r\n').encode('utf-16-be')
    d = top(data)
    checks.equal('UTF-16', (d['total'], rows(d)['z']), (7, (4, 4)))


def case_line_over_the_limit(checks):
    path = os.path.join(folder, 'long')
    with open(path, 'wb') as f:
        f.write(b'a;b 1\n')
        for _ in range(140):
            f.write(b'y' * (1 << 20))
        f.write(b' 2\na;c 4\n')
    d = o.vptop('top', path)
    os.remove(path)
    checks.equal('rows', rows(d), {'a': (0, 5), 'b': (1, 1), 'c': (4, 4)})
    checks.equal('warnings', classes(d), ['skipped-lines'])


def case_huge_counts(checks):
    d = top(b'a;b 9223372036854775807\na;c 1\n')
    checks.equal('total', d['total'], 9223372036854775807)
    checks.equal('warnings', set(classes(d)), {'overflow'})
    d = top(b'a;b 99999999999999999999999999\na;c 1e400\n')
    checks.equal('rows', rows(d)['b'], (9223372036854775807,) * 2)
    checks.true('warnings', 'overflow' in classes(d), str(classes(d)))


def case_bytes(checks):
    d = top(b'a;b\xff\xfe 1\na;b\xff 2\na;\x1b[2J 4\n')
    checks.equal('rows', len(d['rows']), 4)
    checks.equal('total', d['total'], 7)
    status, out, _ = run(['--report=top', '--input-format=folded', file_of(b'a;b\0c 1\na;b 2\n')])
    checks.true('NUL', status == 0 and b'b\\x00c' in out, repr(out[-200:]))
    status, out, _ = run(['--report=folded', file_of(b'a;b\xff 1\na;\x1b[2J 4\n')])
    checks.equal('written', (status, out), (0, b'a;b\\xff 1\na;\\x1b[2J 4\n'))


def case_nothing(checks):
    for what, data, wanted in (
            ('no counts', b'a;b\nc;d\n', 'unrecognized'), ('one word', b'hello', 'unrecognized'),
            ('counts in front', b'5 a;b\n6 c;d\n', 'unrecognized'), ('NUL', b'a;b\0 5\n', 'unrecognized'),
            ('only below 0', b'a;b -5\nc;d -3\n', 'malformed')):
        status, out, err = run(['--report=top', '--format=json', file_of(data)])
        checks.equal(what, (status, out.count(b'"code": "%s"' % wanted.encode()), err.count('\n')), (1, 1, 1))
    d = top(b'# a comment\na;b\n' + b'c;d\n' * 3 + b'a;b 5\n', '--input-format=folded')
    checks.equal('one in five', (d['total'], classes(d)), (5, ['skipped-lines']))


def case_junk(checks):
    """Random bytes between the lines cost those lines and no others."""
    generator = random.Random(5)
    data = b''
    for i in range(300):
        junk = bytes(generator.randrange(32, 256) for _ in range(generator.randrange(60)))
        data += b'main;work 2\n' + junk + b'x\n'
    d = top(data)
    checks.equal('main', rows(d)['main'], (0, 600))
    status, _, _ = run(['--report=top', file_of(bytes(
        generator.randrange(256) for _ in range(100000)))])
    checks.equal('random bytes', status, 1)


def case_cut(checks):
    """Cut off anywhere: what is read is a prefix, and a number that may be cut is not shown."""
    whole = b'\n'.join(b'main;f%d;g%d 1%04d' % (i % 7, i, i) for i in range(2000)) + b'\n'
    for size in (len(whole) - 1, len(whole) - 3, len(whole) - 5, len(whole) - 9, 1000, 20, 13):
        status, out, err = run(['--report=top', '--format=json', file_of(whole[:size])])
        checks.true('cut at %d' % size, status == 0 and out, err)
    packed = gzip.compress(whole)
    d = top(packed[:-2000])
    checks.true('cut gzip', d['profile']['truncated'] and 'truncated' in classes(d), str(classes(d)))
    values = {r['name']: r['flat'] for r in d['rows'] if r['name'].startswith('g')}
    checks.equal('its numbers are whole', {n: 10000 + int(n[1:]) for n in values}, values)
    checks.true('there are some', len(values) > 500, str(len(values)))
    status, _, err = run([file_of(bz2.compress(whole))])
    checks.true('bzip2 is named', status == 1 and 'bzip2' in err, err)


def case_standard_input(checks):
    data = b'a;b 1\n' * 100000
    status, out, _ = run(['--report=top', '--format=json', '-'], stdin=data)
    checks.true('total', status == 0 and b'"total": 100000' in out, repr(out[:300]))
    data = b''.join(b'a;b%d 1 2\n' % i for i in range(20000))  # a difference of more than a window
    for what, arguments, stdin in (('file', [file_of(data)], None), ('pipe', ['-'], data)):
        status, out, err = run(['--report=folded', *arguments], stdin=stdin)
        checks.equal(what, (status, out.count(b'\n'), out[:8]), (0, 20000, b'a;b0 2\na'))
    data += b'a;late 5\n'  # so it is none
    status, out, err = run(['--report=folded', file_of(data)])
    checks.equal('none after all', (status, out[:15]), (0, b'a;b0\\x201 2\na;b'))
    status, out, err = run(['--report=folded', '-'], stdin=data)
    checks.true('... as a pipe: said', status == 0 and b'late' not in out and 'left out' in err, err)


def case_report(checks):
    path = file_of(b'main;f;g 5\nmain;f 2\nmain;h;g 1\n 9\n')
    for options, wanted in (
            ([], b' 9\nmain;f 2\nmain;f;g 5\nmain;h;g 1\n'),
            (['--focus=f'], b'main;f 2\nmain;f;g 5\n'),
            (['--ignore=h', '--hide=main'], b'f 2\nf;g 5\n'),
            (['--show-from=h'], b'h;g 1\n')):
        status, out, _ = run(['--report=folded', *options, path])
        checks.equal(' '.join(options) or 'all', (status, sorted(out.splitlines())),
                     (0, sorted(wanted.splitlines())))
    d = o.vptop('folded', path)
    checks.equal('JSON', {s['stack']: s['value'] for s in d['stacks']},
                 {'': 9, 'main;f': 2, 'main;f;g': 5, 'main;h;g': 1})
    out = os.path.join(folder, 'out')
    status, _, _ = run(['--report=folded', '-o', out, path])
    checks.equal('to a file', status, 0)
    checks.equal('and back', rows(o.vptop('top', out)), rows(o.vptop('top', path)))


def case_type_and_window(checks):
    path = os.path.join(o.HERE, 'data', 'vmprof', 'cpython27-mem.prof')
    for options in (['--type=time'], ['--type=samples', '--from=+0s', '--to=+1s'], ['--type=growth']):
        d = o.vptop('top', path, *options)
        status, out, err = run(['--report=folded', *options, path])
        checks.equal(' '.join(options), sum(int(line.split()[-1]) for line in out.splitlines()),
                     sum(r['flat'] for r in d['rows']))
    status, out, err = run(['--report=folded', '--type=memory', path])
    checks.equal('a gauge is refused', (status, out), (2, b''))


def shared_cases():
    check = o.SHARED and os.path.join(o.SHARED, 'cases', 'check')
    if not check or not os.path.exists(check):
        o.skip('shared cases of folded stacks', 'VPTOP_SHARED is not set')
        return
    checks = o.Checks('shared cases of folded stacks', 'runs of %s' % ', '.join(SHARED_CASES))
    p = subprocess.run([sys.executable, check, '-v', '--vptop', o.VPTOP, *SHARED_CASES],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    lines = p.stdout.decode('utf-8', 'replace').splitlines()
    for line in lines:
        if line.startswith(('ok', 'not ok')) and not any(x in line for x in OTHER_FORMATS):
            checks.true(line, line.startswith('ok'))
    checks.true('there were runs', checks.figures > 7, ' '.join(lines)[:300])
    checks.done()


def main():
    for name, function in sorted(globals().items()):
        if name.startswith('case_'):
            title = 'folded: ' + name[5:].replace('_', ' ')
            checks = o.Checks(title, 'figures')
            o.guarded(title, lambda f=function, c=checks: (f(c), c.done()))
    shared_cases()
    o.finish()


main()
