# SPDX-License-Identifier: MIT
"""Random profiles with random options, row by row against pprof itself, where there is one: $PPROF,
or `go tool pprof`. $VPTOP_RANDOM is how many (default 20), $VPTOP_SEED where they begin.
"""

import importlib.util
import os
import random
import shutil
import subprocess
import sys

import exports
import oracle as o
import pprof as p

IN_ORDER = p.compare_edges

import merge  # noqa: E402: it has a way of its own to compare edges


def load_builder():
    """tests/cases/pprof.py, which has the same name as the module of the golden tests."""
    path = os.path.join(o.HERE, '..', 'cases', 'pprof.py')
    spec = importlib.util.spec_from_file_location('pprof_builder', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = load_builder()

NAMES = ['f0', 'f1', 'f2', 'f3', 'f4', 'f5', '.dot(int)', 'ns::f(int)', 'operator()(x)',
         '(anonymous namespace)::g(char)', 'main']
FILES = ['a.c', 'b.c', 'lib/c.c', '']
PATTERNS = ['f1', 'f[2-4]', r'a\.c', 'lib', '^f5$', 'ns::f', 'dot', '^main$', 'int', 'g$', 'nothing']
GRAINS = ['functions', 'functions', 'functions', 'filefunctions', 'lines', 'addresses']


def make(r):
    """A profile: inlined lines, recursion, bare locations, empty stacks, zeros, values below 0."""
    profile = build.Profile((('objects', 'count'), ('space', 'bytes')))
    profile.mapping(1, '/usr/lib/lib1.so').mapping(2, '/bin/prog')
    names = r.sample(NAMES, r.randint(4, len(NAMES)))
    count = r.randint(4, 12)
    for i in range(1, count + 1):
        lines = [(r.choice(names), r.choice(FILES), r.randint(1, 3))
                 for _ in range(r.choice((0, 1, 1, 1, 2, 3, 4)))]
        profile.location(i, *lines, mapping=r.choice((0, 1, 2)))
    is_signed = r.random() < 0.3
    for _ in range(r.randint(1, 25)):
        low = -50 if is_signed else 0
        values = r.choice((0, 1, r.randint(low, 9))), 20011 * r.choice((0, r.randint(low, 400)))
        profile.sample(values, *(r.randint(1, count) for _ in range(r.choice((0, 1, 2, 4, 7)))))
    if r.random() < 0.3:
        profile.number(7, profile.string(r.choice(('f[12]', 'ns::f|dot', 'main', 'operator.*'))))
        if r.random() < 0.5:
            profile.number(8, profile.string(r.choice(('f1', 'dot'))))
    return profile


def choose(r):
    """pprof's words."""
    report = r.choice(('top', 'top', 'tree', 'peek=.', 'dot'))
    index = r.randint(0, 1)
    words = ['-' + report, '-' + r.choice(GRAINS), '-sample_index=%d' % index]
    for name in ('focus', 'ignore', 'hide', 'show', 'show_from', 'prune_from'):
        if r.random() < 0.2:
            words.append('-%s=%s' % (name, r.choice(PATTERNS)))
    for name in ('noinlines', 'drop_negative', 'relative_percentages', 'cum'):
        if r.random() < 0.2:
            words.append('-' + name)
    if r.random() < 0.25:
        words.append('-mean')
    if index == 1 and r.random() < 0.3:
        words.append('-unit=' + r.choice(('kb', 'bytes', 'auto', 'ms')))
    if r.random() < 0.15:
        words.append('-divide_by=' + r.choice(('2', '3', '0.5', '7')))
    words.append('-nodecount=' + r.choice(('0', '0', '3')))
    words.append('-nodefraction=' + r.choice(('0', '0', '0.1', '0.3')))
    words.append('-edgefraction=' + r.choice(('0', '0', '0.05')))
    if r.random() < 0.1:
        words.append('-trim=false')
    return words


def compare_edges(checks, name, edges, ours, cum):
    """Edges of opposite values pprof puts in any order."""
    is_signed = any(e['value'] < 0 for e in ours)
    (merge.compare_edges if is_signed else IN_ORDER)(checks, name, edges, ours, cum)


def compare(checks, command, seed):
    r = random.Random(seed)
    path = build.file_of(make(r), 'random.pb')
    words = choose(r)
    title = 'seed %d: %s: ' % (seed, ' '.join(words))
    run = subprocess.run([*command, '-symbolize=none', *words, path], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    if b'no matches found' in run.stderr: # of -peek=.: there is no row
        return
    if run.returncode != 0:
        raise o.Failure(title + run.stderr.decode('utf-8', 'replace'))
    one = o.Checks(title, 'figures')
    if words[0] == '-dot':
        report, options, _ = exports.translate(words + [os.path.basename(path)], os.path.dirname(path))
        exports.compare_dot(one, exports.run(report, options, path), run.stdout.decode('utf-8'))
    else:
        compare_table(one, run.stdout.decode('utf-8').splitlines(), words, path)
    checks.figures += one.figures
    checks.differences += [title + d for d in one.differences]


def compare_table(one, lines, words, path):
    report, options, _ = p.translate([*words, path])
    document = o.vptop(report, path, *options)
    # Shares of what --divide-by cut cannot be made again from what is left of it.
    is_cut = any(word.startswith('-divide_by') for word in words)
    if report == 'top' and not is_cut:
        p.compare_top(one, lines, document)
    elif not is_cut:
        p.compare_tree(one, lines, document, report == 'peek')
    if report == 'top':
        p.compare_text(one, lines, report, path, options)


p.compare_edges = compare_edges


def main():
    command = [os.environ['PPROF']] if os.environ.get('PPROF') else \
        ['go', 'tool', 'pprof'] if shutil.which('go') else None
    if command is None:
        o.skip('random profiles', 'there is no pprof here')
        o.finish()
    first = int(os.environ.get('VPTOP_SEED', '1'))
    checks = o.Checks('random profiles and options against ' + ' '.join(command), 'figures')
    for seed in range(first, first + int(os.environ.get('VPTOP_RANDOM', '20'))):
        try:
            compare(checks, command, seed)
        except (o.Failure, IndexError, TypeError) as e:
            checks.true('seed %d' % seed, False, str(e)[:300])
    checks.done()
    shutil.rmtree(build.folder, ignore_errors=True)
    o.finish()


if __name__ == '__main__':
    sys.exit(main())
