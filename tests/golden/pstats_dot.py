# SPDX-License-Identifier: MIT
"""Golden tests of the report dot for Python's profiles: gprof2dot's pictures, line by line."""

import glob
import os
import subprocess

import oracle as o


def vptop_dot(path, options):
    command = [o.VPTOP, '--report=dot', '--glyphs=blocks', '--quiet', '--output=-', *options, path]
    p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    if p.returncode != 0:
        raise o.Failure('status %d: %s' % (p.returncode, p.stderr.decode('utf-8', 'replace')))
    return p.stdout.decode('utf-8')


def compare(name, path, oracle):
    options = ['--nodefraction=0', '--edgefraction=0'] if name.endswith('-all') else []
    checks = o.Checks('gprof2dot of ' + name, 'lines')
    ours, theirs = vptop_dot(path, options).splitlines(), o.read(oracle).splitlines()
    checks.equal('lines', len(ours), len(theirs))
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        checks.equal('line %d' % number, a, b)
    checks.done()


def main():
    seen = set()
    for folder in filter(None, (o.DATA, o.SHARED and os.path.join(o.SHARED, 'profiles'))):
        for found in sorted(glob.glob(os.path.join(folder, 'pstats', 'oracle', '*.dot*'))):
            oracle = found[:-3] if found.endswith('.gz') else found
            profile, _, name = os.path.basename(oracle).partition('.gprof2dot')
            paths = [os.path.join(folder, 'pstats', profile + end) for end in ('', '.gz')]
            path = next((p for p in paths if os.path.exists(p)), None)
            if not path or (profile, name) in seen:
                continue
            seen.add((profile, name))
            o.guarded(profile, compare, profile + name[:-len('.dot')], path, oracle)
    if not seen:
        o.skip('gprof2dot', 'its pictures are not here')
    o.finish()


if __name__ == '__main__':
    main()
