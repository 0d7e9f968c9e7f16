# SPDX-License-Identifier: MIT
"""Golden tests of vmprof-viewer profiles: the envelope, its CPU tree, and every bin of every window.

The oracles are by the code of vmprof-viewer-server itself (resample_memory_profile and
aggregate_trace); the windows go through tests/golden/viewer_windows.
"""

import gzip
import json
import os
import subprocess
import tempfile

import oracle as o

NAMES = [
    'cpython27-mem.v1.msgpack', 'cpython27-mem.v1.msgpack.gz', 'cpython27-mem.v2-bin.msgpack.gz',
    'cpython27-mem.v2.msgpack', 'cpython27-mem.v2.msgpack.gz',
    'cpython311-lines-mem-native.v2.msgpack.gz', 'cpython311-mem.cli.msgpack.gz',
    'long-3h.msgpack.gz', 'pypy-mem-long.v2.msgpack.gz', 'pypy-mem.v2.msgpack.gz',
    'pypy-native.v2.msgpack.gz',
    'runs/acme-shop/2016-08-17_nightly_import.msgpack.gz',
    'runs/acme-shop/2016-08-18_nightly_import.msgpack.gz',
    'runs/acme-shop/2016-08-19_nightly_import.msgpack.gz',
    'runs/acme-shop/2016-08-19_price_update.msgpack.gz',
    'runs/acme-shop/2016-09-02_stock_report.msgpack.gz',
    'runs/billing-batch/2016-07-31_close_month.msgpack.gz',
    'runs/billing-batch/2016-08-31_close_month.msgpack.gz',
    'runs/billing-batch/2016-09-01_send_reminders.msgpack.gz',
    'runs/billing-batch/2016-09-05_archive.msgpack.gz',
    'runs/mller-shne-test/2017-01-02_forecast.msgpack.gz',
    'runs/mller-shne-test/2017-01-03_forecast.msgpack.gz',
    'runs/mller-shne-test/2017-02-28_train_model.msgpack.gz',
]

WINDOWS = os.path.join(os.path.dirname(o.VPTOP), 'tests', 'golden', 'viewer_windows')


def compare_head(title, path, d):
    checks = o.Checks(title, 'figures of the head')
    document = o.vptop('summary', path)
    head = document['profile']
    checks.equal('format', head['format'], 'vmprof-viewer')
    checks.equal('samples', head['samples'], d['ntotal'])
    checks.equal('version', head['version'], d['version'])
    checks.equal('project', head['project'], d['project'])
    checks.equal('top-level function', head['top_level_function'], d['top_level_function'])
    checks.equal('period', head['period_ns'], d['period'] * 1000)
    # The client calls samples x period the duration; there is no end.
    checks.equal('sampled time', head['sampled_ns'], d['duration'] * 1000)
    checks.equal('duration', head['duration_ns'], d['duration'] * 1000)
    checks.equal('start', head['start'] is not None, d.get('start_date') is not None)
    if d.get('start_date'):
        ours = head['start']
        theirs = d['start_date']
        checks.equal('start, local part', ours[:19], theirs[:19])
        checks.equal('start, zone', ours[-6:], theirs[-6:])
    checks.equal('truncated', head['truncated'], False)
    peak = document['peak']
    m = d['mem']
    checks.equal('peak', (peak['value'], peak['unit'], peak['sample']),
                 (m['max'] * 1024, 'bytes', m['max_first_index']))
    checks.equal('max_mem', peak['value'], d['max_mem'] * 1024)
    one = o.vptop('timeline', path, '--bins=1')['bins'][0]
    checks.equal('max', one['max'], m['max'] * 1024)
    checks.equal('min', one['min'], m['min'] * 1024)
    checks.equal('mean', one['mean'], m['sum'] * 1024 / d['ntotal'])
    if d['ntotal'] <= 20000:
        bins = o.vptop('timeline', path, '--bins=0')['bins']
        checks.equal('first', bins[0]['max'], m['first'] * 1024)
        checks.equal('last', bins[-1]['max'], m['last'] * 1024)
        checks.equal('sum', sum(b['max'] for b in bins), m['sum'] * 1024)
    checks.done()


def compare_tree(title, path, d, *options):
    checks = o.Checks(title, 'figures of the CPU tree')
    document = o.vptop('flame', path, '--granularity=addresses', *options)
    o.compare_cpu_tree(checks, document, d['cpu_tree'])
    checks.done()


def unpack_envelope(data):
    """The blobs of an envelope: the few kinds of MessagePack that its top level has."""
    def length(i, size):
        return int.from_bytes(data[i:i + size], 'big'), i + size

    def item(i):
        b = data[i]
        i += 1
        if b < 0x80 or b >= 0xe0 or b in (0xc0, 0xc2, 0xc3):
            return b, i
        if 0xa0 <= b <= 0xbf:
            n = b & 31
        elif b in (0xc4, 0xc5, 0xc6):
            n, i = length(i, 1 << (b - 0xc4))
        elif b in (0xd9, 0xda, 0xdb):
            n, i = length(i, 1 << (b - 0xd9))
        elif b in (0xca, 0xcb):
            n = 4 << (b - 0xca)
        elif 0xcc <= b <= 0xd3:
            n = 1 << ((b - 0xcc) & 3)
        else:
            raise ValueError('MessagePack kind %#x' % b)
        return data[i:i + n], i + n

    count, i = (data[0] & 15, 1) if data[0] != 0xde else length(1, 2)
    blobs = {}
    for _ in range(count):
        key, i = item(i)
        value, i = item(i)
        blobs[key.decode()] = value
    return blobs


def envelope(path):
    with open(path, 'rb') as f:
        data = f.read()
    return unpack_envelope(gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data)


def compare_cpu_alone(title, path, d):
    """The CPU tree's blob as a file and in a folder with the names, as a server stores them."""
    blobs = envelope(path)
    with tempfile.TemporaryDirectory() as folder:
        for key, name in (('cpu_profile', 'cpu'), ('addr_name_map', 'addr_name_map')):
            with open(os.path.join(folder, name + '.msgpack.gz'), 'wb') as f:
                f.write(blobs[key])
        compare_tree(title, folder, d)


def with_lines(trace):
    """Addresses, each with the line that may follow it (negative, or 0 for unknown)."""
    frames = []
    for entry in map(int, trace):
        if entry > 0:
            frames.append([entry, None])
        elif frames:
            frames[-1][1] = -entry
    return frames


def frames_text(frames, has_lines):
    if not frames:
        return '-'
    return ','.join('%d/%d' % (a, line) if has_lines and line else '%d' % a for a, line in frames)


def has_lines_in(d):
    return any(int(a) < 0 for w in d['windows'] for b in w.get('bins', ())
               for a in b['prefix'] + b['rest'])


def window_table(d, has_lines):
    lines = []
    for w in d['windows']:
        # Where the server raises an error there is nothing to draw: no bins.
        lines.append('window %r %s %d' % (w['x0'], w['x1'], len(w.get('bins', ()))))
        for b in w.get('bins', ()):
            whole = with_lines(b['prefix'] + b['rest'])
            prefix = with_lines(b['prefix'])
            # Its prefix may end between an address and its line, ours ends before such a frame.
            common = len(prefix)
            if has_lines and prefix and prefix[-1][1] is None and whole[common - 1][1] is not None:
                common -= 1
            lines.append('bin %d %r %d %d %d %s %s' % (
                b['x'], b['mean'], b['max'], b['samples'], b['count'],
                frames_text(whole[:common], has_lines), frames_text(whole[common:], has_lines)))
    return '\n'.join(lines) + '\n'


def compare_windows(title, path, d):
    checks = o.Checks(title, 'figures of %d windows' % len(d['windows']))
    has_lines = has_lines_in(d)
    p = subprocess.run([WINDOWS, *(['-l'] if has_lines else []), path],
                       input=window_table(d, has_lines).encode(), stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=120)
    lines = p.stdout.decode('utf-8', 'replace').splitlines()
    checks.true('viewer_windows', p.returncode in (0, 1) and lines and
                lines[-1].startswith('figures '), 'status %d: %s' % (p.returncode, p.stderr.decode()))
    checks.figures += int(lines[-1].split()[1]) if lines and lines[-1].startswith('figures') else 0
    checks.differences += lines[:-1]
    checks.done()


def compare_report(title, path, d):
    """The same through the program: the report timeline with the server's bins, the whole run."""
    checks = o.Checks(title, 'figures of the report')
    for w in d['windows']:
        if 'bins' not in w or w['x0'] != w['start'] or w['x1'] not in ('inf', w['end']):
            continue
        options = ['--bins=viewer']
        if w['x0'] != 0 or w['x1'] != 'inf':
            options += ['--from=#%d' % w['x0'], '--to=#%d' % w['x1']]
        bins = o.vptop('timeline', path, *options)['bins']
        checks.equal('bins of %s..%s' % (w['x0'], w['x1']), len(bins), len(w['bins']))
        for i, (ours, theirs) in enumerate(zip(bins, w['bins'])):
            checks.equal('x', ours['first'] - (i > 0), theirs['x'])
            checks.equal('mean', ours['mean'], theirs['mean'] * 1024)
            checks.equal('max', ours['max'], theirs['max'] * 1024)
            checks.equal('samples', ours['count'], theirs['samples'])
    checks.done()


def compare(name, path, oracles):
    d = o.oracle_of(name, oracles)
    base = os.path.basename(name)
    for what, function, arguments in (
            ('head', compare_head, ()),
            ('tree from the samples', compare_tree, ('--reference-tree',)),
            ('CPU tree alone', compare_cpu_alone, ()),
            ('windows', compare_windows, ()),
            ('report', compare_report, ())):
        title = '%s: %s' % (base, what)
        o.guarded(title, function, title, path, d, *arguments)


def compare_storage(title, folder, envelope_path):
    """A stored profile has no period, date or project; everything else is as in its envelope."""
    checks = o.Checks(title, 'figures')
    ours, theirs = (o.vptop('top', p) for p in (folder, envelope_path))
    checks.equal('rows', ours['rows'], theirs['rows'])
    checks.equal('total', ours['total'], theirs['total'])
    for key in ('samples', 'stacks', 'functions', 'threads', 'max_depth', 'format'):
        checks.equal(key, ours['profile'][key], theirs['profile'][key])
    for key in ('start', 'period_ns', 'project', 'top_level_function'):
        checks.equal(key, ours['profile'][key], None)
    a, b = (o.vptop('timeline', p, '--bins=0')['bins'] for p in (folder, envelope_path))
    checks.equal('memory', [x['max'] for x in a], [x['max'] for x in b])
    checks.done()


def main():
    for name, path, oracles in o.profiles('viewer', NAMES):
        if path is None:
            o.skip(name, 'not in data/, and VPTOP_SHARED is not set')
            continue
        compare(name, path, oracles)
    storage = os.path.join(o.DATA, 'viewer', 'storage')
    for number in sorted(n for n in os.listdir(storage) if n.isdigit()):
        # The row of the server's table says which envelope the folder was.
        with open(os.path.join(storage, number + '.profilerun.json')) as f:
            base = json.load(f)['envelope']
        name = next(n for n in NAMES if os.path.basename(n) == base)
        title = 'storage/%s: as %s' % (number, base)
        o.guarded(title, compare_storage, title, os.path.join(storage, number),
                  os.path.join(o.DATA, 'viewer', name))
    o.finish()


main()
