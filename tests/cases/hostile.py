# SPDX-License-Identifier: MIT
"""Hostile input through the program: status 0 or 1, in time, in bounds, one line on stderr.

tests/fuzz/chop does the same to damaged copies of real profiles, in one process; here are the cases
that need a file system, a pipe, or a lie told with care.
"""

import gzip
import json
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden'))
import oracle as o  # noqa: E402
import build  # noqa: E402

SECONDS = 20
MAX_MIB = 400

folder = tempfile.mkdtemp(prefix='vptop-hostile-')


def file_of(data, name='input'):
    path = os.path.join(folder, name)
    with open(path, 'wb') as f:
        f.write(data)
    return path


def has_control_bytes(text):
    """C0 but the newline, DEL, and C1 as characters."""
    return any(c != '\n' and (c < ' ' or '\x7f' <= c <= '\x9f') for c in text)


def run(checks, what, arguments, stdin=None):
    """One run; checks what must hold whatever the input is. (status, stdout, stderr)"""
    try:
        p = subprocess.run([o.VPTOP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=SECONDS, **({'input': stdin} if stdin is not None else
                                               {'stdin': subprocess.DEVNULL}))
    except subprocess.TimeoutExpired:
        checks.true(what, False, 'no end within %d s' % SECONDS)
        return None, '', ''
    out, err = p.stdout, p.stderr.decode('utf-8', 'backslashreplace')
    checks.true(what, p.returncode in (0, 1), 'status %d: %s' % (p.returncode, err[-300:]))
    try:
        out = out.decode('utf-8')
    except UnicodeDecodeError as e:
        checks.true(what, False, 'stdout is not UTF-8: %s' % e)
        out = out.decode('utf-8', 'replace')
    checks.true(what + ': stdout', not has_control_bytes(out), 'control byte in %r' % out[:200])
    checks.true(what + ': stderr', not has_control_bytes(err), 'control byte in %r' % err[:200])
    for line in err.splitlines():
        checks.true(what + ': stderr', line.startswith('vptop: '), line[:200])
    if p.returncode == 1:
        checks.true(what + ': one line', len(err.splitlines()) == 1, repr(err[:400]))
    return p.returncode, out, err


def error_class(checks, what, path, expected, *options, stdin=None):
    """The run must fail with one of the classes, in words and in JSON."""
    status, _, err = run(checks, what, [*options, path], stdin)
    checks.true(what + ': fails', status == 1, 'status %r' % status)
    status, out, _ = run(checks, what, ['--format=json', *options, path], stdin)
    try:
        error = json.loads(out)['error']
        checks.true(what + ': class', error['code'] in expected.split('|'),
                    '%s: %s' % (error['code'], error['message']))
        checks.true(what + ': message', bool(error['message']))
    except (ValueError, KeyError) as e:
        checks.true(what + ': JSON', False, '%s in %r' % (e, out[:200]))
    return err


def loads(checks, what, path, *options, stdin=None):
    """The run must give a report; returns its JSON."""
    status, out, err = run(checks, what, ['--report=summary', *options, path], stdin)
    checks.true(what + ': reads', status == 0, err)
    status, out, err = run(checks, what, ['--report=top', '--format=json', *options, path], stdin)
    try:
        return json.loads(out)
    except ValueError:
        checks.true(what + ': JSON', False, repr(out[:200]))
        return {'warnings': [], 'rows': [], 'profile': {}}


def hostile_nothing_there(checks):
    error_class(checks, 'empty file', file_of(b''), 'empty')
    error_class(checks, 'empty standard input', '-', 'empty', stdin=b'')
    error_class(checks, '/dev/null', '/dev/null', 'empty')
    error_class(checks, 'empty gzip', file_of(gzip.compress(b'')), 'empty')
    error_class(checks, 'no such file', os.path.join(folder, 'nothing'), 'io')
    error_class(checks, 'no such folder', os.path.join(folder, 'nothing', 'x'), 'io')
    os.makedirs(os.path.join(folder, 'empty'), exist_ok=True)
    listed = subprocess.run([o.VPTOP, os.path.join(folder, 'empty')], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    checks.equal('folder without profiles', (listed.returncode, listed.stdout.startswith(b'0 profiles')), (0, True))
    os.makedirs(os.path.join(folder, 'sub', 'cpu.msgpack.gz'), exist_ok=True)
    error_class(checks, 'folder instead of a blob', os.path.join(folder, 'sub'),
                'empty|io|unrecognized|malformed')


def hostile_unreadable(checks):
    path = file_of(build.Vmprof().sample([2]).data, 'unreadable')
    os.chmod(path, 0)
    if os.geteuid() == 0:
        o.skip('unreadable file', 'root reads everything')
        return
    error_class(checks, 'unreadable file', path, 'io')


def hostile_other_files(checks):
    generator = random.Random(7)
    for size in (1, 2, 3, 7, 8, 39, 40, 41, 100, 4096, 70000):
        data = bytes(generator.randrange(256) for _ in range(size))
        error_class(checks, '%d random bytes' % size, file_of(data),
                    'unrecognized|malformed|truncated')
    for what, data in (('text', b'Hello, world.\n' * 50), ('zeros', bytes(100000)),
                       ('ELF', b'\x7fELF' + bytes(60)), ('newlines', b'\n' * 5000),
                       ('PNG', b'\x89PNG\r\n\x1a\n' + bytes(50)),
                       ('perf.data', b'PERFILE2' + bytes(100)),
                       ('escapes', b'\x1b]0;owned\x07\x1b[2J' * 20),
                       ('open braces', b'{' * 100000), ('open brackets', b'[' * 100000)):
        error_class(checks, what, file_of(data), 'unrecognized|malformed|limit|truncated|empty')
    for what, data in (('bzip2', b'BZh91AY&SY' + bytes(40)), ('xz', b'\xfd7zXZ\x00' + bytes(40)),
                       ('zip', b'PK\x03\x04' + bytes(40))):
        error_class(checks, what, file_of(data), 'unsupported-compression')


def hostile_compression(checks):
    good = build.Vmprof().sample([2]).name(2, 'py:f:1:a.py').end().data
    data = good
    for layers in range(1, 5):
        data = gzip.compress(data)
        document = loads(checks, '%d layers of gzip' % layers, file_of(data))
        checks.equal('total', document.get('total'), 1)
    for _ in range(20):
        data = gzip.compress(data)
    error_class(checks, '24 layers of gzip', file_of(data), 'limit|unrecognized|unsupported-compression')
    document = loads(checks, 'two gzip members', file_of(
        gzip.compress(good[:50]) + gzip.compress(good[50:])))
    checks.equal('total', document.get('total'), 1)
    document = loads(checks, 'zlib', file_of(zlib.compress(good)))
    checks.equal('total', document.get('total'), 1)
    cut = gzip.compress(good + good[40:] * 0)[:-9]
    run(checks, 'cut gzip', [file_of(cut)])
    wrong = bytearray(gzip.compress(good))
    wrong[-6] ^= 0xff
    status, _, err = run(checks, 'gzip with a wrong checksum', [file_of(bytes(wrong))])
    checks.true('it says so', err != '', err)


def hostile_bombs(checks):
    # A sound profile that inflates a thousandfold: the limit stops it, early where asked to.
    sample = build.Vmprof().data
    record = build.Vmprof().sample([2, 4]).data[len(sample):]
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = record * 20000
    bomb = packer.compress(sample) + b''.join(packer.compress(piece) for _ in range(100))
    bomb = file_of(bomb + packer.flush(), 'bomb.gz')
    for option in ('--max-inflated=1M', '--max-inflated=10k'):
        status, _, err = run(checks, 'bomb with ' + option, [option, '--report=info', bomb])
        checks.true('the limit is said', 'inflate' in err or 'limit' in err, err)
    run(checks, 'bomb', ['--report=info', bomb])
    zeros = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = b''.join(zeros.compress(bytes(1 << 20)) for _ in range(200)) + zeros.flush()
    error_class(checks, 'gzip of 200 MiB of zeros', file_of(data), 'unrecognized|limit|malformed')
    error_class(checks, 'gzip of that', file_of(gzip.compress(data)), 'unrecognized|limit|malformed')
    array = b'\xdd' + struct.pack('>I', 100 << 20)
    pairs = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = pairs.compress(array) + b''.join(pairs.compress(b'\x92\x90\x01' * (1 << 18))
                                            for _ in range(100)) + pairs.flush()
    run(checks, 'samples in a bomb', ['--report=info', file_of(data)])


def hostile_lengths(checks):
    head = build.Vmprof().data
    word = lambda *v: struct.pack('<%dq' % len(v), *v)
    kept = build.Vmprof().sample([2]).name(2, 'py:f:1:a.py').data
    for what, tail in (
            ('depth 65537', b'\x01' + word(1, 65537)), ('depth -1', b'\x01' + word(1, -1)),
            ('depth 2^62', b'\x01' + word(1, 1 << 62)), ('count 0', b'\x01' + word(0, 1, 2, 1)),
            ('count -5', b'\x01' + word(-5, 1, 2, 1)),
            ('count 2^62', b'\x01' + word(1 << 62, 1, 2, 1)),
            ('name length -1', b'\x02' + word(2, -1)), ('name length 2^40', b'\x02' + word(2, 1 << 40)),
            ('meta length -1', b'\x07' + word(-1)), ('meta length 2^40', b'\x07' + word(1 << 40)),
            ('meta value length', b'\x07' + word(2) + b'os' + word(1 << 33)),
            ('marker 0', b'\x00'), ('marker 255', b'\xff'), ('second header', b'\x05\x00\x06\x00\x01x'),
            ('start of 2^63', b'\x06' + word(-1 << 63, (1 << 63) - 1, 0)),
            ('end before start', b'\x06' + word(1600000000, 0, 0) + b'\x03' + word(5, 0, 0)),
            ('end of 2^63', b'\x03' + word((1 << 63) - 1, (1 << 63) - 1, 0))):
        document = loads(checks, what, file_of(kept + tail))
        checks.true(what + ': what was read is kept', document['profile'].get('samples', 0) >= 1)
        run(checks, what + ' alone', [file_of(head + tail)])
    for what, data in (
            ('array32 of 4 billion', b'\xdd\xff\xff\xff\xff'),
            ('array32 of 4 billion samples', b'\xdd\xff\xff\xff\xff\x92\x91\x02\x05'),
            ('map32 of 4 billion', b'\xdf\xff\xff\xff\xff\xa7version\x02'),
            ('bin32 of 4 GiB', b'\x81\xabcpu_profile\xc6\xff\xff\xff\xff\x1f\x8b\x08'),
            ('str32 of 4 GiB', b'\x82\xa7version\x02\xabcpu_profile\xdb\xff\xff\xff\xffxx'),
            ('ext32 of 4 GiB', b'\x81\xa7version\xc9\xff\xff\xff\xff\x00'),
            ('trace of 4 billion', b'\x91\x92\xdd\xff\xff\xff\xff\x01'),
            ('nesting', b'\x91' * 1000000), ('map nesting', b'\x81\x01' * 1000000),
            ('tree nesting', b'\x94\xa11\x01\x80\x91' * 300000),
            ('never used byte', b'\x91\x92\x91\xc1\x05')):
        run(checks, what, [file_of(data)])
        run(checks, what + ' in gzip', [file_of(gzip.compress(data))])
    sound = build.envelope([([2], 5)], {2: 'py:f:1:a.py'})
    for key in ('version', 'cpu_profile', 'mem_profile', 'addr_name_map', 'period', 'project',
                'max_mem', 'duration', 'start_date', 'top_level_function'):
        for what, value in (('missing', ...), ('nil', None), ('an array', []), ('-1', -1),
                            ('2^63', 1 << 63), ('NaN', float('nan')), ('text', 'x' * 40),
                            ('an empty string', ''), ('infinite', float('inf'))):
            data = build.envelope([([2], 5)], {2: 'py:f:1:a.py'}, **{key: value})
            run(checks, '%s is %s' % (key, what), ['--report=summary', file_of(data)])
    for cut in range(0, len(sound), 7):
        run(checks, 'envelope cut at %d' % cut, ['--report=info', file_of(sound[:cut])])


def hostile_values(checks):
    names = {2: 'py:f:1:a.py'}
    for what, samples in (
            ('nil memory', [[[2], None]]), ('no memory', [[[2]]]), ('negative', [[[2], -5]]),
            ('float memory', [[[2], 2.5]]), ('NaN', [[[2], float('nan')]]), ('text', [[[2], 'x']]),
            ('2^63 KiB', [[[2], 1 << 63], [[2], 1]]), ('trace of text', [[['2', 'x', b'\0' * 4], 5]]),
            ('trace of nil', [[[None, 2], 5]]), ('trace is a number', [[5, 5]]),
            ('sample is a number', [5, [[2], 5]]), ('nested', [[[[2]], 5]])):
        envelope = build.envelope([([2], 5)], names, mem_profile=build.blob(samples))
        for where, data in (('alone', build.pack(samples)), ('in an envelope', envelope)):
            path = file_of(data)
            for report in ('summary', 'timeline', 'top'):
                run(checks, '%s %s, %s' % (what, where, report), ['--report=' + report, path])
    for what, tree in (
            ('negative count', ['2', -5, {}, []]), ('child above its parent', ['2', 1, {}, [['4', 9, {}, []]]]),
            ('huge counts', ['2', 1, {}, [['4', (1 << 63) - 1, {}, []], ['6', (1 << 63) - 1, {}, []]]]),
            ('float count', ['2', 1e300, {}, []]), ('no name', [None, 1, {}, []]),
            ('short node', ['2', 1]), ('children not a list', ['2', 1, {}, 5]),
            ('address of NULs', [b'\0' * 5044, 1, {}, []])):
        run(checks, what, ['--report=flame', file_of(build.pack(tree))])
        run(checks, what + ' as server JSON', ['--report=flame', file_of(json.dumps(
            {'profiles': ['py:f:1:a'] + [str(x) if isinstance(x, bytes) else x for x in tree]}).encode())])


NAMES = [
    b'clear\x1b[2J\x1b[Hscreen', b'clip\x1b]52;c;ZXZpbA==\x07board', b'two\nlines', b'tab\there',
    'c1\u009b31mred'.encode(), b'back\x08\x08space', b'del\x7fete', b'cr\rover', b'nul\0byte',
    b'title\x1b]0;owned\x1b\\', b'c1 byte\x9b31m', b'caf\xe9', b'caf\xe8', b'cut\xe6\x97',
    '\u202egnp.exe'.encode(), '\u2066x\u2069'.encode(), 'zero\u200bwidth'.encode(),
    '\u2028line\u2029'.encode(), '\U000e0041tag'.encode(), '\u65e5\u672c'.encode() * 40,
    b'x' * 1000, b'', b':', b'::1:', b'%s%n%d', b'"quoted\\', b'\xed\xa0\x80',
]


def hostile_names(checks):
    v = build.Vmprof(mode=1).start()
    for i, name in enumerate(NAMES):
        v.sample([2, 2 * (i + 2)], 1000 + i)
        v.name(2 * (i + 2), b'py:' + name + b':1:/srv/' + name + b'.py')
    path = file_of(v.name(2, 'py:main:1:/srv/a.py').end().data, 'names\x1b[31m')
    samples = [([2, 2 * (i + 2)], 1000 + i) for i in range(len(NAMES))]
    names = {2: 'py:main:1:/srv/a.py'}
    names.update({2 * (i + 2): b'py:' + n + b':1:/srv/x.py' for i, n in enumerate(NAMES)})
    envelope = file_of(build.envelope(samples, names, project=b'pro\x1b[2Jject\xff',
                                      top_level_function=b'a\nb'), 'envelope')
    for which, p in (('vmprof', path), ('envelope', envelope)):
        for report in ('summary', 'top', 'tree', 'peek', 'traces', 'flame', 'timeline', 'bin',
                       'threads', 'callers', 'callees', 'info'):
            arguments = ['--report=' + report, '--nodecount=0', '--nodefraction=0', p]
            if report in ('peek', 'callers', 'callees'):
                arguments.insert(1, '--function=main')
            what = '%s of names, %s' % (report, which)
            status, out, err = run(checks, what, arguments)
            checks.true(what, status == 0, err)
            status, out, err = run(checks, what + ' in ASCII', ['--ascii', *arguments])
            checks.true(what + ' in ASCII', out.isascii())
            status, out, err = run(checks, what + ' as JSON', ['--format=json', *arguments])
            try:
                json.loads(out)
            except ValueError as e:
                checks.true(what, False, 'JSON: %s' % e)
        rows = json.loads(run(checks, 'rows', ['--report=top', '--format=json', '--nodecount=0',
                                               '--nodefraction=0', p])[1])['rows']
        # caf\xe9 and caf\xe8 are two functions though both show a replacement.
        checks.equal('functions, ' + which, len(rows), len(NAMES) + 1)


def hostile_depth(checks):
    """Every report of a stack of 20,000 frames, and of one function that calls itself as often."""
    deep = [2 * (i + 1) for i in range(20000)]
    v = build.Vmprof(mode=1).start()
    v.sample(deep, 100).sample(deep[:10000], 50).sample([2] * 20000, 70)
    path = file_of(v.name(2, 'py:main:1:/srv/a.py').end().data, 'deep')
    for report in ('summary', 'top', 'tree', 'peek', 'traces', 'flame', 'timeline', 'bin',
                   'threads', 'callers', 'callees', 'info'):
        arguments = ['--report=' + report, path]
        if report in ('peek', 'callers', 'callees'):
            arguments.insert(1, '--function=main')
        for options in ([], ['--nodecount=0', '--nodefraction=0'], ['--format=json'],
                        ['--reference-tree']):
            what = ' '.join([report, 'of a deep stack', *options])
            status, out, err = run(checks, what, [*options, *arguments])
            checks.true(what, status == 0 and out != '', err)


def hostile_options(checks):
    path = file_of(build.Vmprof(mode=1).start().sample([2], 5).name(2, 'py:f:1:a').end().data)
    for option in ('--focus=(', '--focus=(a+)+$', '--from=x', '--from=+99999999h', '--to=-5',
                   '--bins=-3', '--bins=999999999', '--columns=0', '--columns=1', '--columns=99999',
                   '--nodecount=-1', '--at=#99999999999999999999', '--thread=77', '--type=9',
                   '--type=memory', '--type=', '--max-depth=0', '--max-inflated=0', '--function=['):
        for report in ('top', 'flame', 'timeline', 'bin', 'tree', 'peek'):
            p = subprocess.run([o.VPTOP, '--report=' + report, option, path],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, timeout=SECONDS)
            checks.true('%s %s' % (report, option), p.returncode in (0, 1, 2),
                        'status %d: %s' % (p.returncode, p.stderr.decode()[-300:]))
            checks.true('%s %s: says why' % (report, option), p.returncode == 0 or p.stderr != b'')


def hostile_pipes(checks):
    data = build.Vmprof().sample([2]).name(2, 'py:f:1:a').end().data
    document = loads(checks, 'standard input', '-', stdin=data)
    checks.equal('total', document.get('total'), 1)
    document = loads(checks, 'gzip on standard input', '-', stdin=gzip.compress(data))
    checks.equal('total', document.get('total'), 1)
    # A reader that goes away must not be a crash.
    big = build.Vmprof()
    for i in range(20000):
        big.sample([2 * i + 2])
    path = file_of(big.data)
    p = subprocess.Popen([o.VPTOP, '--report=top', '--nodecount=0', '--nodefraction=0', path],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    p.stdout.read(10)
    p.stdout.close()
    status = p.wait(SECONDS)
    p.stderr.close()
    checks.true('closed pipe', status in (0, 1, -13), 'status %d' % status)
    with open('/dev/full', 'wb') as full:
        p = subprocess.run([o.VPTOP, '--report=top', path], stdin=subprocess.DEVNULL, stdout=full,
                           stderr=subprocess.PIPE, timeout=SECONDS)
    checks.equal('full disk', p.returncode, 1)
    checks.true('full disk: says so', p.stderr.startswith(b'vptop: '), repr(p.stderr))


def main():
    for name, function in sorted(globals().items()):
        if name.startswith('hostile_'):
            title = name[8:].replace('_', ' ')
            checks = o.Checks('hostile: ' + title, 'checks')
            o.guarded('hostile: ' + title, lambda f=function, c=checks: (f(c), c.done()))
    checks = o.Checks('hostile: memory', 'checks')
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    if not o.HAS_SANITIZERS:
        checks.true('largest run', peak <= MAX_MIB, '%d MiB' % peak)
    checks.done()
    subprocess.run(['rm', '-rf', folder])
    o.finish()


main()
