# SPDX-License-Identifier: MIT
"""What vptop writes it reads back to the same table: each format, as pprof and as folded stacks.

The tables of the originals are compared with reference tools elsewhere; here both tables are ours.
"""

import glob
import os
import subprocess
import tempfile

import oracle as o

KINDS = ('vmprof/*.prof*', 'viewer/*.msgpack*', 'server/*.json*', 'folded/*.gz', 'legacy/*.*',
         'pprof/work/*', 'pprof/diff/*', 'pprof/stripped/*', 'pprof/pprof-driver/*.pb.gz',
         'pprof/semantics/*.pb.gz', 'pstats/*')
FILTERS = (['--hide=^(runtime|py:)'], ['--ignore=e$', '--noinlines'], ['--prune-from=main'])
rows_compared = 0


def export(report, path, target, *options):
    command = [o.VPTOP, '--format=' + report, '--output=' + target, '--quiet', *options, path]
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120)
    if p.returncode != 0:
        raise o.Failure('%s: %s' % (' '.join(command[1:]), p.stderr.decode('utf-8', 'replace')))


def table(path, type_name, *options):
    """{label: (flat, cum)}, the total; labels that are there twice are one."""
    document = o.vptop('top', path, '--type=' + type_name, '--quiet', *options)
    rows = {}
    for row in document['rows']:
        flat, cum = rows.get(row['label'], (0, 0))
        rows[row['label']] = (flat + row['flat'], cum + row['cum'])
    rows = {label: figures for label, figures in rows.items() if any(figures)}
    return rows, document['total']


def compare(checks, name, ours, theirs, only_flat=False):
    global rows_compared
    checks.equal('total of ' + name, ours[1], theirs[1])
    checks.equal('rows of ' + name, len(ours[0]), len(theirs[0]))
    for label, figures in theirs[0].items():
        rows_compared += 1
        mine = ours[0].get(label)
        if only_flat and mine:
            mine, figures = mine[0], figures[0]
        checks.equal('%s: %s' % (name, label), mine, figures)


def types_of(path):
    types = o.vptop('info', path, '--quiet')['profile']['types']
    return [t for t in types if t['kind'] != 'gauge' and not t['name'].startswith(('base:', 'new:'))]


def round_trip(path, folder):
    name = os.path.relpath(path, o.DATA)
    checks = o.Checks('round trip of ' + name, 'figures')
    # Samples of one stack are one line there: what rose and fell in it no longer adds up.
    has_negative = 'diff' in name
    is_estimate = name.startswith('pstats')
    target, lines = os.path.join(folder, 'x.pb.gz'), os.path.join(folder, 'x.folded')
    export('pprof', path, target)
    written = {t['name'] for t in types_of(target)}
    types = types_of(path)
    checks.equal('types', sorted(t['name'] for t in types), sorted(written))
    for t in types:
        compare(checks, t['name'], table(target, t['name']), table(path, t['name']), is_estimate)
        export('folded', path, lines, '--type=' + t['name'])
        folded, theirs = table(lines, 'samples', '--input-format=folded'), table(path, t['name'])
        compare(checks, t['name'] + ' as folded stacks', folded,
                (theirs[0], folded[1] if has_negative else theirs[1]), is_estimate)
    if name.startswith(('pprof', 'legacy')):
        for grain in ('filefunctions', 'files', 'lines', 'addresses'):
            t = types[-1]['name']
            compare(checks, grain, table(target, t, '-g', grain), table(path, t, '-g', grain))
    for filters in FILTERS:
        t = types[-1]['name']
        export('pprof', path, target, *filters)
        theirs = table(path, t, *filters)
        compare(checks, ' '.join(filters), table(target, t), (theirs[0], table(target, t)[1]),
                is_estimate)
    checks.done()


def main():
    paths = [path for kind in KINDS for path in sorted(glob.glob(os.path.join(o.DATA, kind)))
             if os.path.isfile(path) and 'memorygraph' not in path]
    if o.HAS_SANITIZERS:  # six times as slow, and each figure is compared in the plain build
        paths = paths[::3]
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            o.guarded(path, round_trip, path, folder)
    print('# %d rows compared' % rows_compared)
    o.finish()


main()
