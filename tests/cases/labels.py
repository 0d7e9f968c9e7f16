# SPDX-License-Identifier: MIT
"""Labels of pprof profiles: odd and damaged ones, very many of them, and filters that have no match."""

import gzip
import random
import shutil
import subprocess
import sys

import pprof as p  # the one of this folder, which makes profiles

o = p.o

MAX_MIB = 300


def label(key=0, text=0, number=None, unit=0):
    data = p.number(1, key) + (p.number(2, text) if text else b'')
    if number is not None:
        data += p.number(3, number)
    return p.record(3, data + (p.number(4, unit) if unit else b''))


def profile():
    made = p.Profile()
    return made.location(1, 'work').location(2, 'main')


def add(made, values, *labels):
    return made.add(2, p.numbers(1, [1, 2], True) + p.numbers(2, values, True) + b''.join(labels))


def tags(data, *options):
    d = o.vptop('tags', p.file_of(data), *options)
    return {k['key']: {v['value']: v['weight'] for v in k['values']} for k in d['tags']}, d


def case_unit_of_frames(checks):
    """As pprof names the frames of --tagroot, whatever the values are counted in."""
    made = profile()
    key, byte = made.string('size'), made.string('bytes')
    add(made, (1, 10), label(key, number=4096, unit=byte))
    path = p.file_of(made)
    for options, name in (((), '4kB'), (('--unit=auto',), '4kB'), (('--unit=bytes',), '4096B'),
                          (('--unit=mb',), '0'), (('--unit=s',), '4096B'),
                          (('--unit=minimum',), '4kB')):
        rows = o.vptop('top', path, '--tagroot=size', *options)['rows']
        checks.true('name with %r' % (options,), name in [r['label'] for r in rows], repr(rows))


def case_values(checks):
    """Texts and numbers of one key, several of each, a text that is a number, units."""
    made = profile()
    key, a, b, unit = (made.string(s) for s in ('key', 'a', 'b', 'milliseconds'))
    add(made, (1, 1), label(key, a), label(key, number=3), label(key, b), label(key, number=3))
    add(made, (1, 2), label(key, number=2000, unit=unit))
    add(made, (1, 4), label(key), label(key, number=0)) # pprof has neither
    add(made, (1, 8), label(key, number=0, unit=unit))
    add(made, (1, 16), label(key, text=a, number=7, unit=unit)) # a text is no number
    sums, d = tags(made)
    checks.equal('sums', sums, {'key': {'a': 17, 'b': 1, '3ms': 2, '2s': 2, '0': 8}})
    checks.equal('unit', d['tags'][0]['unit'], 'milliseconds')
    traces = o.vptop('traces', p.file_of(made))['traces']
    checks.equal('labels', sorted(str(t['labels']) for t in traces),
                 sorted(str(x) for x in ({'key': ['a', 'b', 3, 3]}, {'key': 2000}, {}, {'key': 0}, {'key': 'a'})))
    checks.equal('in any order they are one trace', 1, len(o.vptop('traces', p.file_of(
        add(add(p.Profile().location(1, 'work').location(2, 'main'), (1, 1), label(5, 1), label(6, 2)),
            (1, 2), label(6, 2), label(5, 1))))['traces']))


def case_broken(checks):
    """Indices that lie, a label that is cut, wire types that do not fit."""
    made = profile()
    key, text = made.string('key'), made.string('text')
    for number, bad in enumerate((label(1 << 40, text), label(key, 1 << 63), label(999, text))):
        made = profile()
        key, text = made.string('key'), made.string('text')
        p.refusal(checks, 'index %d' % number, add(made, (1, 1), bad, label(key, text)), 'string table')
    for name, data in (('cut', p.record(3, p.number(1, key) + b'\x10')),
                       ('wire type', p.record(3, p.record(1, b'x'))), ('no record', p.number(3, 5))):
        p.refusal(checks, name, add(add(profile(), (1, 1), data), (1, 2)), 'broken', 'at byte')
    made = profile()
    add(made, (1, 1), label(made.string(b'\xff\x1b[31m'.decode('latin-1')), made.string('a\x00b\x1b]0;x\x07')))
    done = subprocess.run([o.VPTOP, '--report=tags', p.file_of(made)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, timeout=60)
    checks.true('nothing for the terminal', b'\x1b' not in done.stdout and b'\x00' not in done.stdout)


def run(report, path, *options):
    """(status, text of stderr, MiB)"""
    # Of a process of its own, whose peak is the largest of its children.
    watch = ('import resource, subprocess, sys\n'
             'd = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=100)\n'
             'print(d.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)')
    done = subprocess.run([sys.executable, '-c', watch, o.VPTOP, '--report=' + report, '--format=json',
                           *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    status, mib = done.stdout.split()
    return int(status), done.stderr.decode('utf-8', 'replace'), int(mib)


def bounded(checks, name, data, *words):
    path = p.file_of(gzip.compress(data.bytes(), 1), 'large.pb.gz')
    for report, options in (('info', ()), ('tags', ()), ('traces', ()), ('top', ('--tagfocus=key=v1,v2',)),
                            ('top', ('--tagroot=key', '--tagleaf=key'))):
        status, err, mib = run(report, path, *options)
        checks.equal('%s: %s' % (name, report), status, 0)
        for word in words:
            checks.true('%s: %s says it' % (name, report), word in err, err)
        if not o.HAS_SANITIZERS:
            checks.true('%s: memory of %s' % (name, report), mib < MAX_MIB, '%d MiB' % mib)


# The sanitizers cost that much, and look at the same code.
SLOWER = 10 if o.HAS_SANITIZERS else 1


def case_many(checks):
    dice = random.Random(1)
    made = profile()
    key = made.string('key')
    values = [made.string('v%d' % i) for i in range(500)]
    for i in range(50 // SLOWER):
        add(made, (1, 1), *[label(key, dice.choice(values)) for _ in range(10000)])
    bounded(checks, 'ten thousand labels a sample', made)
    made = add(profile(), (1, 1), *[label(2, number=i + 1) for i in range(20000)])
    bounded(checks, 'more labels than are read', made, '3616 labels are left out')
    made = profile()
    key = made.string('key')
    for i in range(60000 // SLOWER):
        add(made, (1, 1), label(key, made.string('v%d' % i)))
    bounded(checks, 'a value of its own in each sample', made)
    sums, d = tags(made)
    checks.equal('values', len(sums['key']), 60000 // SLOWER)
    made = profile()
    for i in range(70000):
        add(made, (1, 1), label(made.string('k%d' % i), 1))
    bounded(checks, 'more keys than are read', made, '4464 labels of samples are left out')


def case_filters(checks):
    made = profile()
    key, text = made.string('key'), made.string('text')
    add(add(made, (1, 1), label(key, text)), (1, 2))
    path = p.file_of(made)
    for option, total in (('--tagfocus=key=text', 1), ('--tagignore=key=text', 2), ('--tagfocus=none', 0),
                          ('--tagignore=none', 3)):
        for report in ('summary', 'top', 'tree', 'traces', 'flame', 'threads', 'info', 'tags'):
            d = o.vptop(report, path, option)
            if report == 'top':
                checks.equal(option, sum(r['flat'] for r in d['rows']), total)
    checks.equal('no labels', o.vptop('tags', p.file_of(p.small()))['tags'], [])
    for option in ('--tagfocus=(', '--tagignore=key=[', '--tagshow=(', '--tagfocus=' + '9' * 30):
        done = subprocess.run([o.VPTOP, '--report=tags', option, path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        checks.equal(option, done.returncode, 2)
        checks.equal(option + ': one line', done.stderr.count(b'\n'), 1)


CASES = [('values', case_values), ('unit of frames', case_unit_of_frames),
         ('broken ones', case_broken), ('filters', case_filters), ('very many', case_many)]


def main():
    for title, function in CASES:
        checks = o.Checks('labels: ' + title, 'figures')
        o.guarded('labels: ' + title, function, checks)
        checks.done()
    shutil.rmtree(p.folder)
    o.finish()


if __name__ == '__main__':
    main()
