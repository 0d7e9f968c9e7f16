# SPDX-License-Identifier: MIT
"""Golden tests of vmprof-server's JSON.

The files in data/server are real profiles in the server's form, made from envelopes of data/viewer:
their CPU trees, and the first window of their oracles, which is the server's own computation. So the
oracles of those envelopes hold for them.
"""

import os

import oracle as o

NAMES = [('cpython27-mem', 'cpython27-mem.v2.msgpack.gz'), ('pypy-mem', 'pypy-mem.v2.msgpack.gz'),
         ('pypy-native', 'pypy-native.v2.msgpack.gz')]


def data(name):
    path = os.path.join(o.DATA, 'server', name)
    return path if os.path.exists(path) else path + '.gz'


def compare_flame(title, name, d):
    checks = o.Checks(title, 'figures')
    document = o.vptop('flame', data(name + '.flamegraph.json'), '--granularity=addresses')
    o.compare_cpu_tree(checks, document, d['cpu_tree'])
    head = document['profile']
    checks.equal('format', head['format'], 'vmprof-server')
    checks.equal('version', head['version'], 2)
    checks.equal('interpreter', head['interpreter'], 'pypy' if 'pypy' in name else 'cpython')
    checks.equal('total', head['types'][0]['total'], d['cpu_tree']['root_count'])
    for key in ('start', 'duration_ns', 'period_ns', 'clock'):
        checks.equal(key, head[key], None)
    checks.done()


def compare_memory(title, name, d):
    checks = o.Checks(title, 'figures')
    path = data(name + '.memorygraph.json')
    document = o.vptop('timeline', path, '--bins=0')
    theirs = d['windows'][0]['bins']
    checks.equal('bins', len(document['bins']), len(theirs))
    for ours, oracle in zip(document['bins'], theirs):
        checks.equal('max', ours['max'], oracle['max'] * 1024)
    checks.equal('warnings', [w['class'] for w in document['warnings']], ['estimate'])
    # Each bin's most common stack, by the frames' names.
    names = {}
    for oracle in theirs:
        key = len(oracle['prefix'] + oracle['rest'])
        names[key] = names.get(key, 0) + 1
    ours = {}
    for trace in o.vptop('traces', path, '--granularity=addresses', '--show-assembler')['traces']:
        key = len(trace['stack'])
        ours[key] = ours.get(key, 0) + trace['values'][0]
    checks.equal('bins by the depth of their stack', ours, names)
    checks.done()


def main():
    for name, envelope in NAMES:
        d = o.oracle_of(envelope, os.path.join(o.DATA, 'viewer', 'oracle'))
        for what, function in (('flame graph', compare_flame), ('memory graph', compare_memory)):
            title = '%s: %s' % (name, what)
            o.guarded(title, function, title, name, d)
    o.finish()


main()
