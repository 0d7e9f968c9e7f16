# SPDX-License-Identifier: MIT
"""The old formats of pprof, damaged or telling lies: read as far as they go, or refused in one line.

tests/unit/test_legacy cuts real files at every byte; here are the cases that need the program.
"""

import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden'))
import oracle as o  # noqa: E402

SECONDS = 30
MAX_MIB = 400
FOLDER = os.path.join(o.DATA, 'legacy')
folder = tempfile.mkdtemp(prefix='vptop-legacy-')


def words(*values, size=8, order='<'):
    return struct.pack('%s%d%s' % (order, len(values), 'Q' if size == 8 else 'I'), *values)


HEAD = words(0, 3, 0, 10000, 0)


def run(checks, what, data, *options):
    """The JSON of the report top, which is an error where the status is 1."""
    path = os.path.join(folder, 'input')
    with open(path, 'wb') as file:
        file.write(data)
    p = subprocess.run([o.VPTOP, '--report=top', '--format=json', '--nodecount=0',
                        '--nodefraction=0', *options, path], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    checks.true(what + ': status', p.returncode in (0, 1),
                '%d: %s' % (p.returncode, p.stderr[-200:]))
    checks.true(what + ': control bytes', not any(b < 32 and b != 10 for b in p.stdout), '')
    document = json.loads(p.stdout.decode('utf-8'))
    checks.equal(what + ': error', 'error' in document, p.returncode == 1)
    return document


def reads(checks, what, data, total, classes, samples=None):
    d = run(checks, what, data)
    checks.equal(what + ': total', d.get('total', d.get('error')), total)
    checks.equal(what + ': warnings', sorted({w['class'] for w in d.get('warnings', ())}), classes)
    if samples is not None:
        checks.equal(what + ': samples', d['profile']['samples'], samples)


def refuses(checks, what, data, code):
    d = run(checks, what, data)
    checks.equal(what, d.get('error', {}).get('code'), code)
    checks.true(what + ': message', d.get('error', {}).get('message'))


def case_words(checks):
    one = words(1, 1, 0x400000)
    end = words(0, 1, 0)
    reads(checks, 'whole', HEAD + one + end, 10000000, [], 1)
    reads(checks, 'empty but closed', HEAD + end, 0, ['note'], 0)
    reads(checks, 'not closed', HEAD + one, 10000000, ['truncated'], 1)
    reads(checks, 'cut in a word', HEAD + one + b'\x01', 10000000, ['truncated'], 1)
    reads(checks, 'depth past the end', HEAD + one + words(1, 1000, 1), 10000000, ['truncated'], 1)
    reads(checks, 'huge depth', HEAD + one + words(1, 1 << 62, 1), 10000000, ['malformed'], 1)
    reads(checks, 'negative count', HEAD + one + words(1 << 63, 1, 1), 10000000, ['malformed'], 1)
    reads(checks, 'no stack', HEAD + words(3, 0) + one + end, 40000000, [], 2)
    reads(checks, 'sum past 64 bits', HEAD + words((1 << 63) - 1, 1, 9) * 2 + one + end,
          (1 << 63) - 1, ['overflow'], 3)
    reads(checks, 'map of junk', HEAD + one + end + b'\xff\x00-\n' * 999 + b'1-2', 10000000,
          ['truncated'], 1)
    reads(checks, 'map of lies', HEAD + one + end + b'ffffffffffffffff-0 r-xp 0 0:0 0 /x\n'
          b'1-ffffffffffffffffff r-xp /y\n0-ffffffffffffffff: \x1b[31m\n', 10000000, [], 1)
    refuses(checks, 'depth past the end, first', HEAD + words(1, 1000, 1), 'truncated')
    java = words(0, 3, 1, 10000, 0) + words(1, 1, 3) + end
    reads(checks, 'java without names', java, 10000000, [], 1)
    reads(checks, 'java with odd names', java + b' 0x3 \x1b]0;x\x07 (a:b:-7)\n0x3\n 0x\n 0x4 (\n',
          10000000, [], 1)
    refuses(checks, 'symbols without a profile', b'--- symbol\nbinary=x\n0x1 f\n', 'truncated')
    refuses(checks, 'symbols before junk', b'--- symbol\n--- profile\n' + b'x' * 99, 'malformed')


def case_heap(checks):
    head = b'heap profile: 1: 8 [1: 8] @ heapprofile\n'
    row = b'1: 8 [1: 8] @ 0x10\n'
    reads(checks, 'whole', head + row, 8, [], 1)
    reads(checks, 'bytes without objects', head + row + b'0: 8 [0: 0] @ 0x10\n', 8, ['malformed'], 1)
    reads(checks, 'rows are missing', head.replace(b'8', b'9') + row, 8, ['malformed'], 1)
    reads(checks, 'half a row', head + row + row[:-3], 8, ['truncated'], 1)
    reads(checks, 'NUL bytes', head + row + b'\x00' * 1000 + b'\n', 8, ['malformed'], 1)
    names = b'--- symbol\nbinary=x\n0x10 work\n0x1f inner--outer\n---\n--- heap\n'
    two = b'1: 8 [1: 8] @ 0x10 0x20\n'
    reads(checks, 'names in front', names + head + two, 8, [], 1)
    checks.equal('names in front', [r['label'] for r in run(checks, 'names', names + head + two)['rows']],
                 ['work', 'inner', 'outer'])
    refuses(checks, 'names in front of junk', names + b'junk\n', 'malformed')
    refuses(checks, 'names in front of nothing', names.replace(b'--- heap', b''), 'truncated')
    reads(checks, 'no rows', b'heap profile: 0: 0 [0: 0] @ heap/1048576\n', 0, ['note'], 0)
    reads(checks, 'numbers at the limit', b'heap profile: 1: 1 [1: 1] @ heap_v2/524288\n'
          b'9223372036854775807: 9223372036854775807 [1: 1] @ 0x1\n', (1 << 63) - 1,
          ['malformed', 'overflow'], 1)
    deep = b'1: 8 [1: 8] @' + b' 0x10 0x20' * 600000 + b'\n'
    d = run(checks, 'stack of 1.2 million frames', head + deep)
    checks.equal('it is cut', [w['class'] for w in d['warnings']], ['truncated'])
    checks.equal('depth', d['profile']['max_depth'], 1 << 20)
    refuses(checks, 'no rows but junk', head + b'junk\n', 'malformed')
    refuses(checks, 'unknown kind', head.replace(b'heapprofile', b'heaps'), 'malformed')
    refuses(checks, 'head without end', head[:-1], 'truncated')


def case_go(checks):
    head = b'goroutine profile: total 3\n'
    reads(checks, 'whole', head + b'3 @ 0x11\n#\t0x10\tf+0x1\ta.go:1\n', 3, [], 1)
    reads(checks, 'empty stack', head + b'3 @\n#\t0x0\n', 3, [], 1)
    reads(checks, 'odd comments', head + b'3 @ 0x11 0x21\n#\t0x10\t\x1b[1m+0x\t:\n#\t0x20\t\n#\t0xzz\n'
          b'#\t0x20\t+0x1\n#\t0x20\tf\ta.go:99999999999999999999\n', 3, [], 1)
    inlined = b''.join(b'#\t0x10\tf%d+0x1\ta.go:1\n' % i for i in range(5000))
    d = run(checks, '5000 functions at one place', head + b'3 @' + b' 0x11 0x22' * 50000 + b'\n' +
            inlined)
    checks.equal('total', d['total'], 3)
    reads(checks, 'other addresses', head + b'3 @ 0x11\n' + inlined.replace(b'0x10', b'0x77'), 3, [], 1)
    reads(checks, 'not all', head + b'1 @ 0x11\n', 1, ['malformed'], 1)
    reads(checks, 'nonsense', head + b'3 @ 0x11\n-1 @ 0x1\n1 @ 0x11z\n1 @0x1\n', 3, ['malformed'], 1)
    refuses(checks, 'only nonsense', head + b'x\n', 'malformed')


def case_contention(checks):
    head = b'--- contentionz 1 ---\n'
    reads(checks, 'no clock', head + b'5 1 @ 0x11\n', 5, ['note'], 1)
    reads(checks, 'a clock of 0', head + b'cycles/second = 0\n5 1 @ 0x11\n', 5, ['note'], 1)
    reads(checks, 'a negative clock', head + b'cycles/second = -1\n5 1 @ 0x11\n', 5,
          ['malformed', 'note'], 1)
    reads(checks, 'numbers at the limit', head + b'cycles/second = 1\nsampling period = 9223372036854775807\n'
          b'9223372036854775807 9223372036854775807 @ 0x1\n', (1 << 63) - 1, ['overflow'], 1)
    refuses(checks, 'only a head', head + b'cycles/second = 1', 'truncated')


def case_threads(checks):
    head = b'--- threadz 1 ---\n'
    thread = b'--- Thread 7f01 (name: a/1) stack: ---\n'
    reads(checks, 'whole', head + thread + b' PC: 0x10: f\n', 1, [], 1)
    reads(checks, 'same as nothing', head + thread + b' [same as previous thread]\n', 0, ['note'], 0)
    reads(checks, 'odd sections', head + b'--- what ---\n' + thread + b' 0x10\n--- ?\n 0x20\n', 1,
          ['malformed'], 1)
    reads(checks, 'cut in a stack', head + thread + b' 0x10\n' + thread + b' 0x10\n 0x', 1,
          ['truncated'], 1)
    refuses(checks, 'no stack at all', head + thread, 'truncated')


def case_binary_junk(checks):
    """Real files in which every 50th byte is another one, and files that only begin like one."""
    for name in sorted(os.listdir(FOLDER)):
        path = os.path.join(FOLDER, name)
        if os.path.isdir(path):
            continue
        with open(path, 'rb') as file:
            data = file.read()
        for start in (60, 77):
            junk = bytearray(data)
            for i in range(start, len(junk), 50):
                junk[i] = (i * 37 + start) & 255
            run(checks, name, bytes(junk))
        run(checks, name + ', NULs', data[:60] + b'\x00' * 5000)


def chop():
    """Damaged copies through every reader and query, in one process."""
    program = os.path.join(os.path.dirname(o.VPTOP), 'tests', 'fuzz', 'chop')
    if not os.path.exists(program):
        o.skip('legacy: chop', 'not built')
        return
    names = ('cppbench.thread', 'gobench.heap', 'go.crc32.cpu', 'java.contention', 'block.debug1.txt',
             'goroutine.debug1.txt')
    p = subprocess.run([program, *(os.path.join(FOLDER, name) for name in names)],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(p.stdout.decode('utf-8', 'replace').strip())
    if p.returncode != 0:
        print('not ok - legacy: chop: status %d' % p.returncode)
        o.failed += 1


def main():
    for name, function in sorted(globals().items()):
        if name.startswith('case_'):
            title = 'legacy: ' + name[5:].replace('_', ' ')
            checks = o.Checks(title, 'checks')
            o.guarded(title, lambda f=function, c=checks: (f(c), c.done()))
    checks = o.Checks('legacy: memory', 'checks')
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    if not o.HAS_SANITIZERS:
        checks.true('largest run', peak <= MAX_MIB, '%d MiB' % peak)
    checks.done()
    shutil.rmtree(folder)
    chop()
    o.finish()


main()
