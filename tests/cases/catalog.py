# SPDX-License-Identifier: MIT
"""The catalog of a folder: what it says of a profile is what the profile says, opened by itself."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'golden'))
import oracle as o  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
OUTPUT = os.path.join(HERE, '..', 'golden', 'data', 'output')
SHARED = o.SHARED and os.path.join(o.SHARED, 'profiles')
FOLDERS = ('go', 'pstats', 'viewer/runs', 'viewer/storage')
KEYS = ['path', 'project', 'top_level_function', 'format', 'start', 'duration_ns', 'peak_bytes', 'size',
        'error', 'process', 'node', 'kind']


def run(*arguments, cwd=None):
    return subprocess.run([o.VPTOP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd,
                          stdin=subprocess.DEVNULL)


def catalog(*arguments, cwd=None):
    return json.loads(run('--report=catalog', '--format=json', *arguments, cwd=cwd).stdout)


def compare_rows(checks, folder):
    """Each row with the summary of its profile."""
    document = catalog(folder)
    for row in document['profiles']:
        path = row['path']
        found = run('--report=summary', '--format=json', path)
        summary = json.loads(found.stdout)
        if 'error' in summary:
            checks.equal(path + ': error', row['error'], summary['error']['message'])
            continue
        profile = summary['profile']
        for key in ('project', 'top_level_function', 'format', 'start', 'start_unix_ns', 'duration_ns',
                    'truncated'):
            checks.equal('%s: %s' % (path, key), row[key], profile[key])
        default = [t for t in profile['types'] if t['default']][0]
        checks.equal(path + ': type', row['type'], default['name'])
        checks.equal(path + ': unit', row['unit'], default['unit'])
        checks.equal(path + ': total', row['total'], default['total'])
        peak = summary['peak']
        checks.equal(path + ': peak', row['peak_bytes'],
                     peak['value'] if peak and peak['unit'] == 'bytes' and any(
                         t['kind'] == 'gauge' for t in profile['types']) else None)
        checks.equal(path + ': error', row['error'], None)
        if os.path.isfile(path):
            checks.equal(path + ': size', row['size'], os.path.getsize(path))


def case_job_runner(checks):
    rows = catalog(OUTPUT)['profiles']
    checks.equal('keys', [k for k in rows[0] if k in KEYS], KEYS)
    checks.equal('process, node, kind', [(r['process'], r['node'], r['kind'], r['values']) for r in rows], [
        ('daily-close', 'node_parse', 'gocpuprof', 'cpu'),
        ('daily-close', 'node_parse', 'goheapprof', 'heap'),
        ('daily-close', 'node_rules', 'pyprof', 'python'),
        ('orders-load', 'node_parse', 'gocpuprof', 'cpu'),
        ('orders-load', 'node_score', 'pyprof', 'python')])
    paths = [r['path'] for r in rows]
    checks.equal('by path', paths, sorted(paths))


def case_figures_of_own_files(checks):
    compare_rows(checks, OUTPUT)
    compare_rows(checks, os.path.join(HERE, '..', '..', 'data', 'samples'))


def case_filters(checks):
    def paths(*arguments):
        return [os.path.basename(r['path']) for r in catalog(*arguments, OUTPUT)['profiles']]
    checks.equal('--project', paths('--project=^orders'), ['node_parse.gocpuprof', 'node_score.pyprof'])
    checks.equal('--filter', paths('--filter=RULES'), ['node_rules.pyprof'])
    checks.equal('both', paths('--project=daily', '--filter=heap'), ['node_parse.goheapprof'])
    bad = run('--report=catalog', '--project=(', OUTPUT)
    checks.equal('bad pattern', bad.returncode, 2)


def case_no_argument(checks):
    with tempfile.TemporaryDirectory() as folder:
        nothing = run(cwd=folder)
        checks.equal('exit where there is nothing', nothing.returncode, 2)
        checks.equal('nothing on stdout', nothing.stdout, b'')
        checks.equal('help on stderr', nothing.stderr[:6], b'Usage:')
        shutil.copytree(OUTPUT, os.path.join(folder, 'output'))
        here = run('--format=json', cwd=folder)
        checks.equal('exit', here.returncode, 0)
        checks.equal('paths', [r['path'] for r in json.loads(here.stdout)['profiles']][:1],
                     ['output/daily-close/profiledata/node_parse.gocpuprof'])
        text = run(cwd=folder)
        checks.equal('text', text.stdout.decode().splitlines()[0], '5 profiles in .')


def case_no_folder(checks):
    for path in ('nowhere', os.path.join(OUTPUT, 'daily-close', 'profiledata', 'node_rules.pyprof')):
        found = run('--report=catalog', path)
        checks.equal(path + ': exit', found.returncode, 1)
        checks.equal(path + ': stdout', found.stdout, b'')
        checks.equal(path + ': one line', found.stderr.count(b'\n'), 1)


def case_broken_files(checks):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(OUTPUT, 'daily-close', 'profiledata', 'node_parse.gocpuprof')
        with open(source, 'rb') as file:
            whole = file.read()
        names = {'empty.prof': b'', 'junk.pyprof': b'\0\1\2\3' * 9, 'cut.gocpuprof': whole[:900],
                 'notes.txt': b'not a profile\n', 'esc\x1b]0;x\x07\n.prof': whole}
        for name, data in names.items():
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(data)
        with open(os.path.join(os.fsencode(folder), b'bad\xff.prof'), 'wb') as file:
            file.write(whole)
        os.mkfifo(os.path.join(folder, 'pipe.prof'))
        document = catalog(folder)
        errors = {os.path.basename(r['path']): r['error'] is not None for r in document['profiles']}
        checks.equal('rows', errors, {'empty.prof': True, 'junk.pyprof': True, 'cut.gocpuprof': True,
                                      'esc\x1b]0;x\x07\n.prof': False, 'bad\ufffd.prof': False})
        for columns in ('40', '80', '200'):
            text = run('--columns=' + columns, folder)
            checks.equal('exit', text.returncode, 0)
            controls = [c for c in text.stdout if c < 32 and c != 10 or c == 127]
            checks.equal('control characters', controls, [])
            wide = [line for line in text.stdout.decode().splitlines() if len(line) > int(columns)]
            checks.equal('lines wider than ' + columns, wide, [])


def main():
    for name, function in sorted(globals().items()):
        if name.startswith('case_'):
            title = 'catalog: ' + name[5:].replace('_', ' ')
            checks = o.Checks(title, 'figures')
            o.guarded(title, lambda f=function, c=checks: (f(c), c.done()))
    if SHARED and os.path.isdir(SHARED):
        for name in FOLDERS:
            title = 'catalog: ' + name
            checks = o.Checks(title, 'figures')
            folder = os.path.join(SHARED, name)
            o.guarded(title, lambda f=folder, c=checks: (compare_rows(c, f), c.done()))
    else:
        o.skip('catalog: folders of profiles', 'they are not here')
    o.finish()


if __name__ == '__main__':
    main()
