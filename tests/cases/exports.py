# SPDX-License-Identifier: MIT
"""What other tools read, of profiles with odd names, of empty, deep and large ones."""

import gzip
import os
import pty
import re
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden'))
import oracle as o  # noqa: E402

SECONDS = 60
TEXTS = ('dot', 'callgrind', 'raw')
folder = tempfile.mkdtemp(prefix='vptop-exports-')


def file_of(data, name='input'):
    path = os.path.join(folder, name)
    with open(path, 'wb') as f:
        f.write(data)
    return path


def run(report, path, *options):
    p = subprocess.run([o.VPTOP, '--report=' + report, '--quiet', *options, path],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       timeout=SECONDS)
    return p.returncode, p.stdout, p.stderr.decode('utf-8', 'replace')


def varint(n):
    out = b''
    n &= (1 << 64) - 1
    while n >= 0x80:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def message(strings, samples=(), functions=1):
    """A profile of one location a function, each with its own name and file."""
    data = field(1, field(1, 1) + field(2, 2))
    for ids, value, labels in samples:
        data += field(2, b''.join(field(1, i) for i in ids) + field(2, value) +
                      b''.join(field(3, label) for label in labels))
    for i in range(1, functions + 1):
        data += field(4, field(1, i) + field(3, 16 * i) + field(4, field(1, i) + field(2, i)))
        data += field(5, field(1, i) + field(2, 2 + i) + field(3, 2 + i) + field(4, 2 + i))
    for s in strings:
        data += field(6, s)
    return data


def dot_is_sound(text):
    """Each line is a statement of words and closed strings."""
    line = re.compile(r'^(?:[\w{}=;,>\[\]\s#.-]|"(?:[^"\\]|\\.)*")*$')
    return [x for x in text.splitlines() if not line.match(x)]


ODD = [b'a"b', b'a\\', b'\\"', b'a\nb', b'\r\n\x1b[31m', b'\xff\xfe', b'"]; evil [label="', b'\\l\\n',
       b'{|<x>}', b'fn=(1) x\nfl=y', b'(2)', '\u202egnp'.encode(), b'a' * 5000, b' ', b'N1']


def check_table(checks, path, *options):
    """The table as a profile has the rows of the table, by self and by total."""
    target = os.path.join(folder, 'table.pb.gz')
    checks.equal('table written', run('topproto', path, '--output=' + target, '-n0', *options)[0], 0)
    rows = o.vptop('top', path, *options)['rows']
    for kind in ('flat', 'cum'):
        ours = {r['label']: r['flat'] for r in o.vptop('top', target, '--type=' + kind)['rows']}
        checks.equal('table read again by ' + kind, ours,
                     {r['label']: r[kind] for r in rows if r[kind] != 0})


def case_odd_names(checks):
    strings = [b'', b'samples"', b'count\n'] + ODD
    labels = [field(1, 3 + i) + field(2, 4 + i) for i in range(3)]
    samples = [([i, 1 + i % len(ODD)], 10 * i, labels) for i in range(1, len(ODD) + 1)]
    path = file_of(message(strings, samples, len(ODD)))
    for report in TEXTS:
        for options in ([], ['--call-tree', '-n', '0', '--trim=false'], ['-g', 'lines'], ['--ascii']):
            name = ' '.join([report] + options)
            status, out, err = run(report, path, *options)
            checks.equal('status of ' + name, (status, err), (0, ''))
            text = out.decode('utf-8', 'strict')
            checks.equal('controls in ' + name, re.findall('[\x00-\x09\x0b-\x1f\x7f-\x9f]', text), [])
            if report == 'dot':
                checks.equal('lines of ' + name, dot_is_sound(text), [])
                checks.equal('ends of ' + name, (text[:9], text[-2:]), ('digraph "', '}\n'))
            if report == 'callgrind':
                odd = [x for x in text.splitlines() if not re.match(
                    r'^$|^(positions|events): |^(ob|fl|fn|cfl|cfn)=(\(\d+\)( .*)?)?$|'
                    r'^calls=0 (\*|[+-]\d+|0x[0-9a-f]+) \d+$|^(\*|[+-]\d+|0x[0-9a-f]+) (\*|\d+) -?\d+$',
                    x)]
                checks.equal('lines of ' + name, odd, [])
    target = os.path.join(folder, 'odd.pb.gz')
    checks.equal('written', run('pprof', path, '--output=' + target)[0], 0)
    rows = [{r['label']: (r['flat'], r['cum']) for r in o.vptop('top', p)['rows']}
            for p in (path, target)]
    checks.equal('read again', rows[1], rows[0])
    check_table(checks, path)
    with gzip.open(target) as f:
        data = f.read()
    checks.equal('names as they were', [s for s in ODD if s not in data], [])


def case_empty(checks):
    for name, data in (('types alone', message([b'', b'a', b'count'], (), 0)),
                       ('no frames', message([b'', b'a', b'count'], [([], 5, [])], 0)),
                       ('zeros', message([b'', b'a', b'count', b'f'], [([1], 0, [])], 1))):
        path = file_of(data)
        for report in TEXTS + ('comments', 'folded'):
            status, _, err = run(report, path)
            checks.equal('%s as %s' % (name, report), (status, err), (0, ''))
        target = os.path.join(folder, 'empty.pb.gz')
        checks.equal(name + ' as pprof', run('pprof', path, '--output=' + target)[0], 0)
        checks.equal(name + ' again', o.vptop('top', target)['total'], o.vptop('top', path)['total'])
        check_table(checks, path)


def case_usage(checks):
    path = file_of(b'a;b 3\n')
    check_table(checks, path)
    for report in ('dot', 'callgrind', 'pprof', 'topproto'):
        status, out, _ = run(report, path, '--format=json')
        checks.equal('JSON of ' + report, (status, b'"usage"' in out), (2, True))
    for word in ('dot', 'callgrind', 'raw', 'folded'):
        checks.equal('--format=' + word, run('summary', path, '--format=' + word),
                     run(word, path))
    main, terminal = pty.openpty()
    p = subprocess.run([o.VPTOP, '--format=pprof', path], stdin=subprocess.DEVNULL, stdout=terminal,
                       stderr=subprocess.PIPE, timeout=SECONDS)
    os.close(terminal)
    os.close(main)
    checks.equal('to a terminal', (p.returncode, b'-o FILE' in p.stderr), (2, True))


def case_deep(checks):
    """100 000 frames: each export of it in time, and it is what it was."""
    line = b';'.join(b'f%d' % i for i in range(100000))
    path = file_of(line + b' 5\n' + line + b';x 2\n')
    for report in TEXTS:
        start = time.monotonic()
        checks.equal('status of ' + report, run(report, path, '--call-tree')[0], 0)
        checks.true('time of ' + report, time.monotonic() - start < SECONDS)
    target = os.path.join(folder, 'deep.pb.gz')
    checks.equal('written', run('pprof', path, '--output=' + target)[0], 0)
    document = o.vptop('top', target, '-n', '3')
    checks.equal('again', (document['total'], document['profile']['max_depth']), (7, 100001))


def case_large(checks):
    """200 000 different stacks: no more memory than a few times the profile's own."""
    with open(os.path.join(folder, 'large'), 'wb') as f:
        for i in range(200000):
            f.write(b'main;' + b';'.join(b'f%d' % (i // 7 ** k % 7 + 10 * k) for k in range(8)) +
                    b';leaf%d %d\n' % (i % 1000, 1 + i % 5))
    path = os.path.join(folder, 'large')
    for report in ('pprof', 'dot', 'callgrind'):
        target = os.path.join(folder, 'large.out')
        p = subprocess.Popen([o.VPTOP, '--report=' + report, '--output=' + target, path])
        _, status, usage = os.wait4(p.pid, 0)
        checks.equal('status of ' + report, status, 0)
        checks.true('memory of ' + report, usage.ru_maxrss < 800 << 10,
                    '%d KiB' % usage.ru_maxrss)
        if report == 'pprof':
            checks.equal('total', o.vptop('top', target, '-n', '1')['total'],
                         o.vptop('top', path, '-n', '1')['total'])


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name, case in sorted(globals().items()):
        if not name.startswith('case_'):
            continue
        title = 'exports, %s' % name[5:].replace('_', ' ')
        checks = o.Checks(title, 'figures')
        o.guarded(title, case, checks)
        checks.done()
    o.finish()


main()
