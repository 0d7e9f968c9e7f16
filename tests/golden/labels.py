# SPDX-License-Identifier: MIT
"""Golden tests of labels: -tags, -tagfocus, -tagignore, -tagshow, -taghide, -tagroot, -tagleaf and
the labels of -traces and -raw, against what `go tool pprof` printed, and prints where it is here.
"""

import collections
import glob
import os
import re
import shlex
import shutil
import subprocess

import oracle as o
import pprof as p

TAG_OPTIONS = ('tagfocus', 'tagignore', 'tagshow', 'taghide', 'tagroot', 'tagleaf')
# All of it with PEERS=all only: it takes minutes.
GO = shutil.which('go') if os.environ.get('PEERS') == 'all' else None


class Counted:
    oracles, figures, differing = 0, 0, 0


def translate(words):
    """(report, vptop's options, file) of pprof's arguments."""
    report, options, rest = None, [], []
    for word in words:
        name, _, value = word.lstrip('-').partition('=')
        if not word.startswith('-'):
            rest.append(word)
        elif name == 'tags':
            report = name
        elif name in TAG_OPTIONS:
            options.append('--%s=%s' % (name, value))
        elif name == 'unit':
            options.append('--unit=' + value)
        else:
            rest.append(word)
    if report:
        given, more, path = p.translate(['-top'] + rest)
        more = [m for m in more if not m.startswith(('--nodecount', '--nodefraction', '--edge'))]
    else:
        report, more, path = p.translate(rest)
    return report, options + more, path


# ---- -tags -------------------------------------------------------------------------------------

def parse_tags(lines):
    """[(key, total, all, share, [(amount, share, value)])]; all is None in the layout of Go 1.19."""
    keys = []
    for line in lines:
        head = re.match(r'^ *(.*?): +Total (\S+)(?: of (\S+)(?: \( *(\S+)\))?)?$', line)
        value = re.match(r'^ +(\S+)(?: \( *(\S+%)\))?: (.*)$', line)
        if head:
            keys.append(head.groups() + ([],))
        elif value and keys:
            keys[-1][4].append((value.group(1), value.group(2), value.group(3)))
    return keys


def same_figure(token, value):
    """As p.same_amount; Go 1.19 writes one decimal here."""
    m = re.match(r'^(-?\d+\.\d)([A-Za-z]*)$', token)
    if m and m.group(2) in p.UNITS:
        return '%.1f' % (value / p.UNITS[m.group(2)]) == m.group(1)
    return p.same_amount(token, value)


def compare_tags(checks, lines, document):
    theirs, ours = parse_tags(lines), document['tags']
    checks.equal('keys', [k['key'] for k in ours], [t[0] for t in theirs])
    for (key, amount, whole, share, values), k in zip(theirs, ours):
        checks.true('total of ' + key, same_figure(amount, k['total']), '%r, %s' % (k['total'], amount))
        of = k['total']
        if whole is not None:
            of = document['total']
            checks.true('total', same_figure(whole, of), '%r, %s' % (of, whole))
            if share:
                checks.equal('share of ' + key, p.percentage(k['total'], of), share)
        # Values that are equal may be in any order in Go 1.19.
        checks.equal('values of ' + key, [v['value'].strip() for v in k['values']],
                     [v[2].strip() for v in values])
        for (amount, share, name), v in zip(values, k['values']):
            checks.true('%s of %s' % (name, key), same_figure(amount, v['weight']),
                        '%r, oracle %s' % (v['weight'], amount))
            if share:
                checks.equal('share of %s of %s' % (name, key), p.percentage(v['weight'], of), share)
            ratio = v['share'] if whole is not None else v['share_of_key']
            checks.true('ratio', abs(ratio - (v['weight'] / of if of else 0)) < 1e-9, ratio)


# ---- labels of -traces and -raw ----------------------------------------------------------------

def parse_label_traces(lines):
    """[({key: text}, value, (leaf, ..., root))]; numbers are as pprof writes them."""
    traces, labels, value, stack = [], {}, None, []
    for line in lines:
        if line.startswith('-----'):
            if stack:
                traces.append((labels, value, tuple(stack)))
            labels, value, stack = {}, None, []
            continue
        label = re.match(r'^ *([^ ].*?):  (.*)$', line)
        m = re.match(r'^ *(-?[\d.]+[A-Za-z]*)   (\S.*)$', line)
        if value is None and label:
            key = label.group(1)
            labels[key] = (labels[key] + ' ' if key in labels else '') + label.group(2)
        elif value is None and m:
            value, stack = m.group(1), [p.bare(m.group(2))]
        elif value is not None and line.startswith(' ' * 13):
            stack.append(p.bare(line[13:]))
    return traces


def go_number(value, unit):
    """measurement.Label."""
    if unit == 'milliseconds':
        value, unit = value * 10**6, 'ns'
    for family, least in (([('B', 1), ('kB', 2**10), ('MB', 2**20), ('GB', 2**30), ('TB', 2**40),
                            ('PB', 2**50)], ('bytes', 'byte', 'b')),
                          ([('ns', 1), ('us', 10**3), ('ms', 10**6), ('s', 10**9),
                            ('hrs', 3600 * 10**9)], ('nanoseconds', 'nanosecond', 'ns'))):
        if unit in least:
            name, factor = [u for u in family if abs(value) >= u[1] or u[1] == 1][-1]
            if value == 0:
                return '0'
            text = '%.2f' % (value / factor)
            return (text[:-3] if text.endswith('.00') else text) + name
    return '%d' % value


def labels_of(trace, units):
    """Our labels as pprof prints them."""
    labels = {}
    for key, values in trace['labels'].items():
        values = values if isinstance(values, list) else [values]
        labels[key] = ' '.join(v if isinstance(v, str) else go_number(v, units[key]) for v in values)
    return tuple(sorted(labels.items()))


def compare_traces(checks, lines, document):
    names = ['%s/%s' % (t['name'], t['unit']) for t in document['profile']['types']]
    index = names.index(document['query']['type'])
    theirs = collections.defaultdict(list)
    for labels, value, stack in parse_label_traces(lines):
        theirs[tuple(sorted(labels.items())), stack].append(value)
    ours = collections.Counter()
    for trace in document['traces']:
        if trace['stack']:
            ours[labels_of(trace, document['label_units']), tuple(trace['stack'])] += \
                trace['values'][index]
    checks.equal('traces', sorted(set(ours) - set(theirs)), [])
    checks.equal('traces that are not there', sorted(set(theirs) - set(ours)), [])
    for key, values in theirs.items():
        value = ours.get(key, 0)
        if len(values) == 1:
            checks.true('value', p.same_amount(values[0], value), '%r, %s' % (value, values[0]))
            continue
        sizes = [re.match(r'(-?[\d.]+)([A-Za-z]*)', v).groups() for v in values]
        total = sum(float(v) * p.UNITS[u] for v, u in sizes)
        slack = sum(p.UNITS[u] for _, u in sizes) * 0.00501
        checks.true('sum', abs(total - value) <= slack, '%r, oracle %r' % (value, values))


def compare_raw(checks, lines, document):
    """All labels of -raw: how much of the last type the samples with these labels have."""
    theirs, value, labels, part, unit = collections.Counter(), None, [], None, None
    for line in lines + ['Locations']:
        m = re.match(r'^((?: *-?\d+)+): ', line)
        if part == 'Samples:' and unit is None:
            unit = line.split()[-1].replace('[dflt]', '').rpartition('/')[2]
            continue
        if value is not None and (m or line == 'Locations'):
            theirs[tuple(sorted(labels))] += value
            value, labels = None, []
        if line in ('Samples:', 'Locations', 'Mappings'):
            part = line
        elif part == 'Samples:' and m:
            value = int(m.group(1).split()[-1])
        elif value is not None:
            labels += re.findall(r'(\S+?:\[.*?\])(?: |$)', line.strip())
    ours = collections.Counter()
    is_legacy = document['profile']['format'] != 'pprof'
    last = sum(not t['name'].startswith(('base:', 'new:')) for t in document['profile']['types']) - 1
    for trace in document['traces']:
        if is_legacy and not trace['stack']: # pprof leaves samples without addresses out
            continue
        made = []
        for key, of in trace['labels'].items():
            of = of if isinstance(of, list) else [of]
            for kind in (str, int):
                values = [v for v in of if isinstance(v, kind)]
                if values:
                    made.append('%s:[%s]' % (key, ' '.join(map(str, values))))
        ours[tuple(sorted(made))] += trace['values'][last]
    scale = p.BASE_UNITS.get(unit, 1)
    # A number of the unit that the key has: "bytes:[1024 bytes]".
    same = collections.Counter()
    for key, amount in theirs.items():
        same[tuple(sorted(re.sub(r'(\[|\d )(-?\d+) [a-z]+', r'\1\2', l) for l in key))] += amount * scale
    for key in sorted(set(same) | set(ours)):
        checks.equal('labels %r' % (key,), ours.get(key, 0), same.get(key, 0))


# ---- one command -------------------------------------------------------------------------------

def compare(title, words, folder, lines):
    try:
        report, options, path = translate(words)
    except p.Inexpressible as e:
        o.skip('labels: ' + title, 'cannot be asked: %s' % e)
        return
    path = os.path.join(folder, path)
    if not os.path.exists(path):
        o.skip('labels: ' + title, 'the profile is not here')
        return
    checks = o.Checks('labels: ' + title, 'figures of pprof')
    if report == 'raw':
        compare_raw(checks, lines, o.vptop('traces', path, *options))
    else:
        document = o.vptop(report, path, *options)
        if report == 'tags':
            compare_tags(checks, lines, document)
        elif report == 'traces':
            compare_traces(checks, lines, document)
        elif report == 'tree':
            p.compare_tree(checks, lines, document, False)
        else:
            p.compare_top(checks, lines, document)
    Counted.oracles += 1
    Counted.figures += checks.figures
    Counted.differing += len(checks.differences)
    checks.done()


def run(title, words, folder, lines):
    o.guarded('labels: ' + title, compare, title, words, folder, lines)


def is_of_labels(words):
    names = [w.lstrip('-').partition('=')[0] for w in words if w.startswith('-')]
    return any(n in TAG_OPTIONS or n in ('tags', 'traces', 'raw') for n in names)


def run_oracles(folder, seen):
    for path in sorted(glob.glob(os.path.join(folder, 'oracle', '*.txt*'))):
        name = re.sub(r'\.txt(\.gz)?$', '', os.path.basename(path))
        lines = o.read(os.path.splitext(path)[0] if path.endswith('.gz') else path).splitlines()
        words = shlex.split(lines[0])[4:]
        if name in seen or not is_of_labels(words) or '_base' in lines[0] or '-base' in lines[0]:
            continue
        seen.add(name)
        run(name, words, folder, lines)


def run_semantics(folder):
    for section in o.read(os.path.join(folder, 'golden.txt')).split('### ')[1:]:
        lines = section.splitlines()
        words = shlex.split(lines[0])
        if is_of_labels(words):
            run('semantics ' + lines[0], words, folder, lines)


def run_driver(folder):
    expected = os.path.join(folder, 'expected')
    for line in o.read(os.path.join(expected, 'FLAGS.txt')).splitlines():
        if line.startswith('#'):
            continue
        name, profile, flags, _ = line.split('\t')
        words = ['-' + flag for flag in flags.split(',')] + [profile + '.pb.gz']
        # The test names its files by flags, and two of these commands have one file.
        if not os.path.exists(os.path.join(expected, name)) or '.dot' in name \
                or not is_of_labels(words):
            continue
        if '-tags' in words or '-traces' in words:
            run('pprof\'s own %s (%s)' % (name, flags), words, folder,
                o.read(os.path.join(expected, name)).splitlines())


# ---- the tool itself ---------------------------------------------------------------------------

LIVE = (('semantics/a.pb.gz', ('k', 'bytes', 'k,t', 'bytes,k', 'none'),
         ('x,u', 'k=x,y', 'k=,', '1kb:2kb', '1kb', ':1kb', '2kb:', 'bytes=4kb',
                               'bytes=1024b:4096b', 'k:x', 't=u', 'k=u', '1', 'k=1kb', '.*,x', 'nothing',
                               '1s:', '1kb:4', '5:6kb', '-1:', 'a-5kb', '=x')),
        ('semantics/units.pb.gz', ('id', 'request,wait', 'other'),
         ('1kb:', ':1kb', '5ms', '7', 'id=7', '3000', '3foo:', '3foo', '1kb:4kb', '1s:', 'other=3000',
          '-5b:0b', '0:10', '5us:', '+5000us', 'wait=:1s', '4ms:6ms')),
        ('pprof-driver/heap_request.pb.gz', ('bytes', 'request,bytes'),
         ('400kb:', '+400kb:', 'request=:200kb', '100kb:400kb',
                                             'bytes=1.5', '1mb:', '0.1mb:', '102400b')),
        ('pprof-driver/heap_sizetags.pb.gz', ('bytes',),
         ('16b:64b', ':8', '128b', 'bytes=2b')),
        ('pprof-driver/heap_tags.pb.gz', ('key1', 'request,key1'),
         ('key1=tag', 'tag', 'tag,tag', 'request=100kb', 'key1')),
        ('pprof-driver/cpu.pb.gz', ('key1', 'key3,key2'),
         ('tag1', 'key1=tag1', 'key1=tag1,tag2', 'tag[13]', 'key[12]',
                                    'key2:tag1', 'tag1,tag2', 'key3=')))


def go(words, path):
    command = [GO, 'tool', 'pprof', '-symbolize=none', '-nodecount=0', '-nodefraction=0',
               '-edgefraction=0', *words, os.path.basename(path)]
    done = subprocess.run(command, cwd=os.path.dirname(path), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                          env=dict(os.environ, PPROF_TMPDIR=os.environ.get('TMPDIR', '/tmp')))
    if done.returncode != 0:
        raise o.Failure('%s: %s' % (' '.join(command), done.stderr.decode('utf-8', 'replace')))
    return done.stdout.decode('utf-8').splitlines()


def run_live_one(title, words, path):
    lines = go(words, path)
    extra = ['-nodecount=0', '-nodefraction=0', '-edgefraction=0']
    compare(title, words + extra + [os.path.basename(path)], os.path.dirname(path), lines)


def run_live(folder):
    for name, keys, patterns in LIVE:
        path = os.path.join(folder, name)
        commands = [['-tags'], ['-traces'], ['-raw']]
        if 'heap' in name:
            commands.append(['-tags', '-unit=bytes'])
        for pattern in patterns:
            commands += [['-tags', '-tagfocus=' + pattern], ['-top', '-tagfocus=' + pattern],
                         ['-top', '-tagignore=' + pattern]]
        for key in keys:
            commands += [['-top', '-tagroot=' + key], ['-top', '-cum', '-tagleaf=' + key],
                         ['-top', '-filefunctions', '-tagroot=' + key, '-tagleaf=k'],
                         ['-traces', '-tagroot=' + key, '-taghide=k'],
                         ['-tags', '-tagshow=' + key], ['-traces', '-taghide=' + key.replace(',', '|')]]
        commands += [['-tags', '-tagfocus=' + patterns[0], '-tagignore=' + patterns[1]],
                     ['-top', '-relative_percentages', '-tagignore=' + patterns[0]],
                     ['-tags', '-relative_percentages', '-tagfocus=' + patterns[0]]]
        for words in commands:
            title = 'go tool pprof %s %s' % (' '.join(words), name)
            o.guarded('labels: ' + title, run_live_one, title, words, path)


def main():
    seen = set()
    here = os.path.join(o.DATA, 'pprof')
    run_oracles(here, seen)
    run_semantics(os.path.join(here, 'semantics'))
    run_driver(os.path.join(here, 'pprof-driver'))
    if p.SHARED and os.path.isdir(os.path.join(p.SHARED, 'go')):
        run_oracles(os.path.join(p.SHARED, 'go'), seen)
    else:
        o.skip('labels: the larger profiles', 'they are not here')
    if GO:
        run_live(here)
    else:
        o.skip('labels: pprof itself', 'runs with PEERS=all where there is go')
    print('# %d outputs, %d figures compared; %d differ' % (
        Counted.oracles, Counted.figures, Counted.differing))
    o.finish()


if __name__ == '__main__':
    main()
