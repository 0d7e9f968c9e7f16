# SPDX-License-Identifier: MIT
"""Golden tests of several profiles: merged, subtracted, normalized, and one after the other.

Compared as in pprof.py, with what `go tool pprof` printed for the same files; and what vptop says of a
difference in three parts and of a series must agree with what it says of the files one by one.
"""

import glob
import json
import os
import re
import shlex

import oracle as o
import pprof as p

CASE = o.SHARED and os.path.join(o.SHARED, 'cases', 'dev', '03-pprof-diff-signs')


# ---- commands ----------------------------------------------------------------------------------

def take_bases(words, folder):
    """(options of vptop that name other files, the words that are left)"""
    options, rest = [], []
    for word in words:
        name, _, value = word.lstrip('-').partition('=')
        if word.startswith('-') and name in ('base', 'diff_base'):
            path = os.path.join(folder, value)
            if not os.path.exists(path):
                raise p.Inexpressible('profile not here')
            options.append('--%s=%s' % (name.replace('_', '-'), path))
        elif word == '-normalize':
            options.append('--normalize')
        else:
            rest.append(word)
    return options, rest


def is_ours(words):
    bases = [w for w in words if re.match(r'^--?(diff_)?base=', w)]
    files = [w for w in words if not w.startswith('-')]
    return bool(bases) or len(files) > 1 or files[0].startswith('labelled/')


def compare_traces(checks, lines, document, index):
    """Each sample with its labels; those of the base have pprof::base."""
    theirs, ours, blocks, labels = {}, {}, [], {}
    for line in lines:
        if line.startswith('-----'):
            blocks.append([])
        elif blocks:
            blocks[-1].append(line)
    for block in blocks:
        labels = tuple(sorted(line.strip() for line in block
                              if re.match(r'^ *[\w:]+:  \S', line)))
        traces = p.parse_traces(['-----'] + [line for line in block if line.strip() not in labels]
                                + ['-----'])
        for value, stack in traces:
            theirs.setdefault((labels, stack), []).append(value)
    for t in document['traces']:
        key = tuple(sorted('%s:  %s' % (k, ' '.join(v) if isinstance(v, list) else v)
                           for k, v in t['labels'].items()))
        ours.setdefault((key, tuple(t['stack'])), []).append(t['values'][index])
    checks.equal('samples', len(ours), len(theirs))
    for key, values in theirs.items():
        p.ALL.rows += 1
        mine = ours.get(key)
        if mine is None:
            checks.true('sample', False, 'there is no %r %r' % key)
        elif len(values) == 1:
            checks.true('value', p.same_amount(values[0], sum(mine)),
                        '%r, oracle %s' % (mine, values[0]))
        else: # pprof prints each sample of a stack at this granularity, rounded
            sizes = [re.match(r'(-?[\d.]+)([A-Za-z]*)', v).groups() for v in values]
            total = sum(float(v) * p.UNITS[u] for v, u in sizes)
            slack = sum(p.UNITS[u] for _, u in sizes) * 0.00501
            checks.true('sum', abs(total - sum(mine)) <= slack, '%r, oracle %r' % (mine, values))


def compare_edges(checks, name, edges, ours, cum):
    """Of edges that are equally heavy, up and down, pprof's order is that of a random walk."""
    mine = {p.marked(e): e['value'] for e in ours}
    checks.equal('edges of ' + name, sorted(mine), sorted(e[2] for e in edges))
    sizes = [abs(e['value']) for e in ours]
    checks.equal('order of the edges of ' + name, sizes, sorted(sizes, reverse=True))
    for value, share, label in edges:
        p.ALL.rows += 1
        if label not in mine:
            continue # said above
        checks.true('edge of ' + name, p.same_amount(value, mine[label]),
                    '%s: %r, oracle %s' % (label, mine[label], value))
        checks.equal('share of an edge of ' + name, p.percentage(mine[label], cum), share)


def same_amount(token, value):
    """pprof writes 0 for what rounds to it in the unit of the total, here ms."""
    return abs(value) < 5000 if token == '0' and IS_SCALED else SAME_AMOUNT(token, value)


IS_SCALED = False
SAME_AMOUNT, p.same_amount = p.same_amount, same_amount
p.compare_edges = compare_edges


def compare(title, words, folder, lines):
    global IS_SCALED
    try:
        bases, words = take_bases(words, folder)
        IS_SCALED = '--normalize' in bases
        files = [os.path.join(folder, w) for w in words if not w.startswith('-')]
        report, options, _ = p.translate([w for w in words if w.startswith('-')] + files[:1])
        if not all(os.path.exists(f) for f in files):
            raise p.Inexpressible('profile not here')
    except p.Inexpressible as e:
        p.ALL.left_out[str(e)] += 1
        return
    checks = o.Checks(title, 'figures')
    p.ALL.oracles += 1
    document = o.vptop(report, files[0], *options, *bases, '--merge', *files[1:])
    names = ['%s/%s' % (t['name'], t['unit']) for t in document['profile']['types']]
    index = names.index(document['query']['type'])
    if report == 'top':
        p.compare_top(checks, lines, document)
    elif report == 'traces':
        compare_traces(checks, lines, document, index)
    else:
        p.compare_tree(checks, lines, document, report == 'peek')
    if bases:
        check_parts(checks, files, bases, options)
    p.ALL.figures += checks.figures
    p.ALL.differing += len(checks.differences)
    checks.done()


def oracles(folder):
    for path in sorted(glob.glob(os.path.join(folder, 'oracle', '*.txt*'))):
        lines = o.read(os.path.splitext(path)[0] if path.endswith('.gz') else path).splitlines()
        words = shlex.split(lines[0].lstrip('# '))
        if words[:3] == ['go', 'tool', 'pprof'] and is_ours(words[3:]):
            yield re.sub(r'\.txt(\.gz)?$', '', os.path.basename(path)), words[3:], lines


# ---- a difference in three parts ---------------------------------------------------------------

KINDS = ('flat', 'cum')


def by_label(document):
    return {r['label']: (r['flat'], r['cum']) for r in document['rows']}


def check_parts(checks, files, bases, options):
    """base + delta = new in every row, and both are what the files say alone."""
    options = [x for x in options if not x.startswith(('--node', '--edge', '--function'))]
    both = o.vptop('diff', files[0], *options, *bases, '--merge', *files[1:])
    name = both['query']['type'].rsplit('/', 1)[0]
    own = [x for x in options if not x.startswith('--type=')] + ['--type=' + name, '--merge']
    alone = by_label(o.vptop('top', files[0], *own, *files[1:]))
    of_base = [b.partition('=')[2] for b in bases if '=' in b]
    before = by_label(o.vptop('top', of_base[0], *own, *of_base[1:]))
    check_rows(checks, both, alone, before, '--normalize' in bases)


def check_rows(checks, both, alone, before, is_scaled=False):
    seen = set()
    for row in both['rows']:
        seen.add(row['label'])
        for i, kind in enumerate(KINDS):
            now, was, change = row[kind], row['base_' + kind], row['delta_' + kind]
            checks.equal('sum of ' + row['label'], was + change, now)
            checks.equal('base of ' + row['label'], was, before.get(row['label'], (0, 0))[i])
            if not is_scaled:
                checks.equal('new of ' + row['label'], now, alone.get(row['label'], (0, 0))[i])
    missing = [label for label, values in list(alone.items()) + list(before.items())
               if label not in seen and values != (0, 0)]
    checks.equal('rows that are not there', missing if not is_scaled else [], [])
    checks.equal('totals', both['base_total'] + both['delta_total'], both['new_total'])


def check_labelled(title, path, now, base):
    """A difference that pprof wrote to a file has the three parts, as the two files say them."""
    checks = o.Checks(title, 'figures')
    types = [t['name'] for t in o.vptop('info', now)['profile']['types']]
    for name in types:
        for option in ('--granularity=functions', '--granularity=lines'):
            options = ['--type=' + name, option]
            both = o.vptop('diff', path, *options)
            check_rows(checks, both, by_label(o.vptop('top', now, *options)),
                       by_label(o.vptop('top', base, *options)))
            for part, file in (('base:', base), ('new:', now)):
                checks.equal(part + name, by_label(o.vptop('top', path, '--type=' + part + name, option)),
                             by_label(o.vptop('top', file, *options)))
    both, totals = o.vptop('diff', path), [sum(t['total'] for t in o.vptop('info', f)['profile']['types']
                                               if t['default']) for f in (base, now)]
    checks.equal('totals', [both['base_total'], both['new_total']], totals)
    checks.done()


def check_self(title, path):
    """A profile against itself: nothing has changed anywhere."""
    checks = o.Checks(title, 'figures')
    for option in ('--base=', '--diff-base='):
        document = o.vptop('diff', path, option + path)
        checks.equal('total', document['delta_total'], 0)
        checks.true('rows', len(document['rows']) > 0)
        for row in document['rows']:
            checks.equal(row['label'], (row['delta_flat'], row['delta_cum']), (0, 0))
            checks.equal(row['label'], (row['base_flat'], row['base_cum']),
                         (row['flat'], row['cum']))
    checks.done()


def check_case(folder):
    """The signs of a difference, and what shares are of."""
    with open(os.path.join(folder, 'expect.json')) as f:
        run = json.load(f)['runs'][0]
    checks = o.Checks('signs of a difference', 'figures')
    paths = [os.path.join(folder, run['input']),
             '--diff-base=' + os.path.join(folder, run['base']), '--type=' + run['sample_type']]
    both = o.vptop('diff', *paths)
    for key, value in run['diff'].items():
        checks.equal(key, both[key], value)
    top = o.vptop('top', *paths)
    rows = {r['label']: r for r in top['rows']}
    for row in run['top']:
        checks.equal(row['name'], [rows[row['name']][k] for k in KINDS], [row[k] for k in KINDS])
    checks.equal('rows', len(rows), len(run['top']))
    for row in run['percent']:
        for kind in KINDS:
            share = 100 * rows[row['name']][kind] / top['total']
            checks.true('%s share of %s' % (kind, row['name']),
                        abs(share - row[kind + '_pct']) <= row['tol'], '%r' % share)
    checks.done()


# ---- a series ------------------------------------------------------------------------------------

def check_series(folder, paths):
    """Each snapshot of a series is what its file says; growth is the difference of two files."""
    checks = o.Checks('series of %d heap profiles' % len(paths), 'figures')
    timeline = o.vptop('timeline', paths[0], *paths[1:])
    checks.equal('bins', len(timeline['bins']), len(paths))
    for path, it in zip(paths, timeline['bins']):
        alone = o.vptop('top', path)
        total = sum(t['total'] for t in alone['profile']['types'] if t['name'] == 'inuse_space')
        checks.equal('value', [it[k] for k in ('mean', 'max', 'min')], [total] * 3)
        checks.equal('source', it['source'], path)
        chosen = o.vptop('top', paths[0], *paths[1:], '--type=inuse_space',
                         '--from=#%d' % it['first'], '--to=#%d' % (it['last'] + 1))
        mine = o.vptop('top', path, '--type=inuse_space')
        checks.equal('total', chosen['total'], mine['total'])
        checks.equal('rows', by_label(chosen), by_label(mine))
    last = o.vptop('top', paths[0], *paths[1:])
    checks.equal('the last one', by_label(last), by_label(o.vptop('top', paths[-1])))
    focused = o.vptop('timeline', paths[0], '--focus=openSession', *paths[1:])
    for path, it in zip(paths, focused['bins']):
        alone = o.vptop('top', path, '--type=inuse_space', '--focus=openSession')
        checks.equal('focused value', it['max'], sum(r['flat'] for r in alone['rows']))
    reverse = o.vptop('timeline', paths[-1], *reversed(paths[:-1]))
    checks.equal('order of time', [b['source'] for b in reverse['bins']], paths)
    checks.done()


# ---- all of it -------------------------------------------------------------------------------------

def main():
    here = os.path.join(o.DATA, 'merge')
    folders = [here]
    if p.SHARED and os.path.isdir(os.path.join(p.SHARED, 'go')):
        folders.append(os.path.join(p.SHARED, 'go'))
    else:
        o.skip('several profiles: the larger ones', 'they are not here')
    seen = set()
    for folder in folders:
        for name, words, lines in oracles(folder):
            if name not in seen:
                o.guarded(name, compare, name, words, folder, lines)
            seen.add(name)
    semantics = os.path.join(o.DATA, 'pprof', 'semantics')
    for section in o.read(os.path.join(semantics, 'golden.txt')).split('### ')[1:]:
        lines = section.splitlines()
        if is_ours(shlex.split(lines[0])):
            o.guarded(lines[0], compare, 'semantics ' + lines[0], shlex.split(lines[0]), semantics,
                      lines)
    for path in sorted(glob.glob(os.path.join(here, 'diff', '*'))):
        o.guarded('itself', check_self, 'a difference with itself: ' + os.path.basename(path), path)
    labelled = os.path.join(here, 'labelled')
    for path, now, base in (
            (os.path.join(o.DATA, 'pprof', 'diff', 'diff-fast-slow.pb.gz'),
             os.path.join(here, 'diff', 'fast.gocpuprof'), os.path.join(here, 'diff', 'slow.gocpuprof')),
            *((os.path.join(labelled, '%s-%s.pb.gz' % (x, y)), os.path.join(labelled, x + '.pb.gz'),
               os.path.join(labelled, y + '.pb.gz')) for x, y in ('ab', 'ba'))):
        title = 'a difference in a file: ' + os.path.basename(path)
        o.guarded(title, check_labelled, title, path, now, base)
    if CASE and os.path.isdir(CASE):
        o.guarded('signs', check_case, CASE)
    for folder in folders:
        paths = sorted(glob.glob(os.path.join(folder, 'leak', '*')))
        o.guarded('series', check_series, folder, paths)
    print('# %d oracles, %d rows, %d figures compared; %d differ' % (
        p.ALL.oracles, p.ALL.rows, p.ALL.figures, p.ALL.differing))
    print('# cannot be asked yet: ' + ', '.join(
        '%s %d' % item for item in sorted(p.ALL.left_out.items())))
    o.finish()


if __name__ == '__main__':
    main()
