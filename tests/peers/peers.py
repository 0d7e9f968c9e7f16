# SPDX-License-Identifier: MIT
"""vptop beside the tools that are installed here: pprof ($PPROF, pprof or go tool pprof) and
gprof2dot ($GPROF2DOT), on the profiles of the golden tests and, where VPTOP_SHARED names them, more.

A few profiles, picked by a seed ($PEERS_SEED), or with PEERS=all all of them. Each is asked for its
tables, traces, labels and pictures; then pprof has to read what vptop wrote of it.
"""

import glob
import gzip
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'golden'))

import exports  # noqa: E402
import oracle as o  # noqa: E402
import pprof  # noqa: E402
import pstats_dot  # noqa: E402

IS_ALL = os.environ.get('PEERS') == 'all'
SEED = os.environ.get('PEERS_SEED', '1')
FEW = {'pprof': 4, 'pstats': 2, 'written': 3}
TABLES = (['-top'], ['-top', '-cum', '-lines'], ['-tree'], ['-peek=.'], ['-traces'], ['-tags'])
PICTURES = (['-dot'], ['-dot', '-call_tree', '-nodecount=0'], ['-callgrind'], ['-raw'])
WRITTEN = ('vmprof/*.prof*', 'viewer/*.msgpack*', 'server/*flame*', 'folded/*.gz', 'legacy/*.*',
           'pprof/work/*', 'pprof/pprof-driver/*.gz', 'pstats/*.pyprof*')


# In a difference pprof orders edges of opposite values by chance, by which it chooses some. Of nodes
# of a tree that are equal it shows the first few by chance, too: there all are asked for.
STEADY = (['-top'], ['-top', '-cum', '-lines'], ['-traces'], ['-tags'], ['-raw'])


def find_pprof():
    if os.environ.get('PPROF'):
        return os.environ['PPROF'].split()
    if shutil.which('pprof'):
        return ['pprof']
    return ['go', 'tool', 'pprof'] if shutil.which('go') else None


def find_gprof2dot():
    return os.environ.get('GPROF2DOT') or shutil.which('gprof2dot')


def ask(command):
    """What a tool prints; None where it refuses."""
    environment = dict(os.environ, PPROF_TMPDIR=tempfile.gettempdir(), TZ='UTC')
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL, timeout=300, env=environment)
    return p.stdout.decode('utf-8', 'replace') if p.returncode == 0 else None


def pick(kind, paths):
    paths = sorted(p for p in paths if os.path.isfile(p))
    if IS_ALL or len(paths) <= FEW[kind]:
        return paths
    return sorted(random.Random(SEED).sample(paths, FEW[kind]))


def of_data(*patterns):
    return [p for pattern in patterns for p in glob.glob(os.path.join(o.DATA, pattern))]


def of_shared(*patterns):
    root = o.SHARED and os.path.join(o.SHARED, 'profiles')
    return [p for pattern in patterns for p in glob.glob(os.path.join(root, pattern))] if root else []


# ---- pprof ----------------------------------------------------------------------------------------

def compare_reports(tool, path, name, reports):
    folder, file = os.path.split(path)
    for words in reports:
        text = ask(tool + ['-symbolize=none', *words, path])
        title = '%s %s' % (' '.join(words), name)
        if text is None:
            o.skip(title, 'pprof refuses it')
        elif words in PICTURES:
            o.guarded(title, exports.compare, title, words + [file], folder, text)
        else:
            o.guarded(title, pprof.compare, title, words + [file], folder, text.splitlines())


def compare_pprof(tool, folder):
    paths = [p for p in of_data('pprof/*/*') + of_shared('go/*/*', 'go/output/*/*', 'go/output/*/*/*')
             if '/oracle/' not in p and not p.endswith(('.txt', '.string')) and pprof_reads(p)]
    for path in pick('pprof', paths):
        reports = STEADY if 'diff' in os.path.basename(path) else TABLES + PICTURES
        compare_reports(tool, path, os.path.basename(path), reports)
        compare_topproto(tool, path, os.path.basename(path), folder)


def samples_of_top(tool, path):
    """[(cum, flat)] of a table that was written as a profile, and what they are counted in."""
    part, types, rows = None, None, []
    for line in ask(tool + ['-raw', path]).splitlines():
        if line in ('Samples:', 'Locations'):
            part = line
        elif part == 'Samples:' and types is None:
            types = line.replace('[dflt]', '').split()
        elif part == 'Samples:':
            rows.append(tuple(map(int, line.partition(':')[0].split())))
    return types, rows


def compare_topproto(tool, path, name, folder):
    """The table as a profile, as pprof itself writes it."""
    theirs, ours = os.path.join(folder, 'theirs.pb.gz'), os.path.join(folder, 'ours.pb.gz')
    title = '-topproto ' + name
    for grain in ('functions', 'lines'):
        if ask(tool + ['-symbolize=none', '-topproto', '-' + grain, '-output=' + theirs, path]) is None:
            o.skip(title, 'pprof refuses it')
            return
        subprocess.run([o.VPTOP, '--report=topproto', '--quiet', '--unit=minimum', '--nodecount=0',
                        '--granularity=' + grain, '--output=' + ours, path],
                       check=True, stdin=subprocess.DEVNULL, timeout=120)
        checks = o.Checks('%s -%s' % (title, grain), 'rows')
        types, rows = samples_of_top(tool, theirs)
        our_types, our_rows = samples_of_top(tool, ours)
        checks.equal('how many', len(our_rows), len(rows))
        if rows: # of none pprof knows no unit
            checks.equal('types', our_types, types)
        for number, (a, b) in enumerate(zip(our_rows, rows)):
            checks.equal('row %d' % number, a, b)
        pprof.ALL.figures += checks.figures
        pprof.ALL.differing += len(checks.differences)
        checks.done()


def pprof_reads(path):
    return os.path.isfile(path) and pprof.is_proto(path)


def compare_written(tool, folder):
    """pprof reads what vptop wrote, and shows in it what vptop shows."""
    for number, path in enumerate(pick('written', of_data(*WRITTEN))):
        target = os.path.join(folder, 'written-%d.pb.gz' % number)
        subprocess.run([o.VPTOP, '--format=pprof', '--quiet', '--output=' + target, path],
                       check=True, stdin=subprocess.DEVNULL, timeout=120)
        reports = TABLES + PICTURES if IS_ALL else (['-top'], ['-tree'], ['-raw'])
        compare_reports(tool, target, 'of what was written of ' + os.path.basename(path), reports)


# ---- gprof2dot ------------------------------------------------------------------------------------

def compare_gprof2dot(tool, folder):
    for path in pick('pstats', of_data('pstats/*.pyprof*') + of_shared('pstats/*')):
        name = os.path.basename(path)
        plain = os.path.join(folder, name[:-3] if name.endswith('.gz') else name)
        with (gzip.open if name.endswith('.gz') else open)(path, 'rb') as source:
            with open(plain, 'wb') as target:
                shutil.copyfileobj(source, target)
        for end, options in (('', []), ('-all', ['-n', '0', '-e', '0'])):
            text = ask([tool, '-f', 'pstats', *options, plain])
            if text is None:
                o.skip('gprof2dot ' + name, 'it refuses it')
                continue
            oracle = os.path.join(folder, 'oracle.dot')
            with open(oracle, 'w', encoding='utf-8') as f:
                f.write(text)
            o.guarded(name, pstats_dot.compare, name + end, plain, oracle)


def main():
    tool, gprof2dot = find_pprof(), find_gprof2dot()
    if o.HAS_SANITIZERS:
        o.skip('peers', 'the figures are compared in the build without sanitizers')
        o.finish()
    with tempfile.TemporaryDirectory() as folder:
        if tool:
            compare_pprof(tool, folder)
            compare_written(tool, folder)
        else:
            o.skip('pprof', 'it is not installed')
        if gprof2dot:
            compare_gprof2dot(gprof2dot, folder)
        else:
            o.skip('gprof2dot', 'it is not installed')
    print('# %d rows and %d figures of tables, %d figures of pictures; %d differ' % (
        pprof.ALL.rows, pprof.ALL.figures, exports.counts['figures'],
        pprof.ALL.differing + exports.counts['differ']))
    o.finish()


main()
