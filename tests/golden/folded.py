# SPDX-License-Identifier: MIT
"""Folded stacks against speedscope and gprof2dot, and the report `folded` read back.

Where the reference tools count otherwise:
- speedscope takes comments that end in a number for stacks (with_comment.txt), and each of austin 1's
  "L12" for a frame of its own; so there only what is left of that is compared.
- speedscope's frames are whole texts: ours are put together again from name, file and line.
- Both take a stack without frames, " 4", for a frame without a name; "a;  4" ends for speedscope in a
  frame that is a blank, for us in one without a name.
- gprof2dot's totals of functions in a cycle of calls are estimates; only their self is compared.
  It gives shares of two decimals, and takes "name (file:12)" apart only without blanks in it.
"""

import json
import os
import re
import subprocess
import tempfile

import oracle as o

KIND = 'folded'
SPEEDSCOPE = (
    'inv.folded', 'two-processes.folded', 'simple.txt', 'simple_square.txt', 'with_comment.txt',
    'flameshow-pyspy-dump.txt', 'perf-vertx-stacks-01-collapsed-all.txt', 'keywords.collapse',
    'stackcollapse_alternating.txt', 'stackcollapse_recursion.txt', 'stackcollapse_simple-crlf.txt',
    'stackcollapse_simple-utf16-be.txt', 'stackcollapse_simple-utf16-le.txt',
    'stackcollapse_simple-with-invalids.txt', 'stackcollapse_simple.txt', 'stackcollapse_tall.txt')
AUSTIN_1 = ('austin-python38.folded', 'austin-memory-python38.folded')
GPROF2DOT = ('inv.folded', 'two-processes.folded', 'simple.txt', 'simple_square.txt',
             'flameshow-pyspy-dump.txt', 'perf-vertx-stacks-01-collapsed-all.txt',
             'keywords.collapse')
VMPROF = os.path.join(o.DATA, 'vmprof')
SUFFIXES = {'[kernel]': '_[k]', '[inlined]': '_[i]', '[jit]': '_[j]', '[waker]': '_[w]'}


def find(name, suffix=''):
    """The path of a profile, or the text of its oracle; None where it is not to be had here."""
    folders = [os.path.join(o.DATA, KIND)]
    if o.SHARED:
        other = os.path.join(o.SHARED, 'profiles', 'other')
        folders += [other] + [os.path.join(other, s) for s in ('gprof2dot-samples', 'oracle/samples')]
        folders += [os.path.join(other, 'oracle'), os.path.join(other, 'oracle', 'gprof2dot')]
    for folder in folders:
        if suffix:
            for path in (os.path.join(folder, name + suffix),
                         os.path.join(folder, 'oracle', name + suffix)):
                text = o.read(path)
                if text is not None:
                    return text
            continue
        for path in (os.path.join(folder, name), os.path.join(folder, name + '.gz')):
            if os.path.exists(path):
                return path
    return None


def frame_text(row, is_austin):
    """The text that the row's frame had in the file."""
    module = row['module'] or ''
    if module in SUFFIXES:
        return row['name'] + SUFFIXES[module]
    if module:
        return '%s`%s' % (module, row['name'])
    if not row['file']:
        return row['name']
    if is_austin:
        return '%s:%s:%d' % (row['file'], row['name'], row['line'])
    return '%s (%s%s)' % (row['name'], row['file'], ':%d' % row['line'] if row['line'] else '')


def frames_of(oracle):
    """{text: (total, self)} of speedscope's table, without what has neither."""
    (profile,) = json.loads(oracle)['profiles']
    return profile['totalWeight'], {
        '<empty>' if name == ' ' else name: (total, own)
        for name, _, _, total, own in profile['frames_name_file_line_total_self']
        if name and (total or own)}


def compare_speedscope(name, path, oracle):
    checks = o.Checks(name + ': frames', 'figures of speedscope')
    is_austin = name == 'with_comment.txt'
    document = o.vptop('top', path, '--granularity=lines')
    scale = 1000 if is_austin else 1
    total, theirs = frames_of(oracle)
    comments = {n: v for n, v in theirs.items() if n.startswith('#')}
    theirs = {n: v for n, v in theirs.items() if n not in comments}
    total -= sum(own for _, own in comments.values())
    ours = {}
    for row in document['rows']:
        key = frame_text(row, is_austin)
        ours[key] = tuple(a + b for a, b in zip(ours.get(key, (0, 0)), (row['cum'], row['flat'])))
    checks.equal('total', document['total'], total * scale)
    for text, (cum, own) in theirs.items():
        checks.equal('total and self of ' + text, ours.get(text), (cum * scale, own * scale))
    checks.equal('frames of one only', set(ours) ^ set(theirs), set())
    checks.equal('format', document['profile']['format'], 'folded')
    checks.done()


def compare_austin_1(name, path, oracle):
    checks = o.Checks(name + ': functions', 'figures of speedscope')
    document = o.vptop('top', path)
    total, theirs = frames_of(oracle)
    lines = {n: v for n, v in theirs.items() if re.fullmatch(r'L\d+', n)}
    ours = {frame_text(row, False): (row['cum'], row['flat']) for row in document['rows']}
    checks.equal('total', document['total'], total)
    for text, (cum, own) in theirs.items():
        if text in lines:
            continue
        checks.equal('total of ' + text, ours.get(text, (None,))[0], cum)
        if text.startswith('Thread '):
            checks.equal('self of ' + text, ours[text][1], own)
    checks.equal('functions of one only', set(ours) ^ (set(theirs) - set(lines)), set())
    checks.equal('self of all functions', sum(v[1] for n, v in ours.items() if ' (' in n),
                 sum(own for n, (_, own) in theirs.items() if not n.startswith('Thread ')))
    by_line = {}
    for row in o.vptop('top', path, '--granularity=lines')['rows']:
        if row['file']:
            by_line['L%d' % row['line']] = by_line.get('L%d' % row['line'], 0) + row['flat']
    for text, (_, own) in lines.items():
        checks.equal('self at ' + text, by_line.get(text, 0), own)
    checks.done()


def in_cycles(oracle):
    """Nodes of the graph that can be reached from themselves by two or more calls."""
    calls, found = {}, set()
    name = r'("(?:[^"\\]|\\.)*"|\w+)'
    for caller, callee in re.findall('^\t%s -> %s ' % (name, name), oracle, re.M):
        if caller != callee:
            calls.setdefault(caller, set()).add(callee)
    for start in calls:
        reached, left = set(), list(calls[start])
        while left:
            node = left.pop()
            if node not in reached:
                reached.add(node)
                left.extend(calls.get(node, ()))
        if start in reached:
            found.add(start)
    return found


def compare_gprof2dot(name, path, oracle):
    checks = o.Checks(name + ': shares', 'figures of gprof2dot')
    nodes, cycles = {}, in_cycles(oracle)
    for node, label in re.findall(
            r'^\t("(?:[^"\\]|\\.)*"|\w+) \[.*? label="((?:[^"\\]|\\.)*)"[],]', oracle, re.M):
        parts = label.encode().decode('unicode_escape').encode('latin-1').decode().split('\n')
        shares = [float(re.sub('[()%]', '', p)) for p in parts if re.fullmatch(r'\(?[\d.]+%\)?', p)]
        if len(shares) == 2:  # edges have one
            nodes['\n'.join(parts[:-2])] = shares, node in cycles
    document = o.vptop('top', path)
    ours = {}
    for row in document['rows']:
        text = frame_text(row, False)
        key = '%s\n%s' % (row['file'], row['name']) if row['file'] and ' ' not in row['name'] \
            else text
        known = ours.setdefault(key, [0, 0])
        known[0] += row['cum']
        known[1] += row['flat']
    checks.true('there are nodes', len(nodes) > 2, str(len(nodes)))
    for key, (shares, is_estimate) in nodes.items():
        if not key.strip():
            continue
        mine = ours.get(key)
        checks.true('share of ' + key.replace('\n', ' '), mine is not None and all(
            abs(100.0 * v / document['total'] - s) < 0.0051 for v, s in list(zip(mine, shares))[is_estimate:]),
            'ours %r of %r, oracle %r' % (mine, document['total'], shares))
    checks.done()


# ---- the report, read back -----------------------------------------------------------------------

def per_label(document):
    table = {}
    for row in document['rows']:
        known = table.setdefault(row['label'], [0, 0])
        known[0] += row['flat']
        known[1] += row['cum']
    return table


def exported(path, *options):
    p = subprocess.run([o.VPTOP, '--quiet', '--report=folded', *options, path],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       timeout=120)
    if p.returncode != 0:
        raise o.Failure('status %d: %s' % (p.returncode, p.stderr.decode('utf-8', 'replace')))
    return p.stdout


def stacks(lines):
    table = {}
    for line in lines.splitlines():
        stack, _, count = line.rpartition(b' ')
        table[stack] = table.get(stack, 0) + (float(count) if line[:1] != b'#' else 0)
    return table


def read_back(checks, what, path, *options):
    lines = exported(path, *options)
    with tempfile.NamedTemporaryFile(prefix='vptop-folded-') as f:
        f.write(lines)
        f.flush()
        again = o.vptop('top', f.name, '--input-format=folded')
        checks.equal(what + ': written again', stacks(exported(
            f.name, '--input-format=folded')), stacks(lines))
    document = o.vptop('top', path, *options)
    passed = sum(row['flat'] for row in document['rows'])
    checks.equal(what + ': sum of self', sum(row['flat'] for row in again['rows']), passed)
    if not options:
        checks.equal(what + ': total', again['total'], document['total'])
    mine, theirs = per_label(document), per_label(again)
    for label, values in mine.items():
        checks.equal('%s: %s' % (what, label), theirs.get(label), values)
    checks.equal(what + ': labels of one only', set(theirs) ^ set(mine), set())
    checks.equal(what + ': skipped lines',
                 [w for w in again['warnings'] if w['class'] == 'skipped-lines'], [])


def compare_export(name, path):
    checks = o.Checks(name + ': written and read back', 'figures')
    read_back(checks, 'all', path)
    read_back(checks, 'files', path, '--granularity=files')
    read_back(checks, 'lines', path, '--granularity=lines')
    if len(o.vptop('top', path)['rows']) > 30:
        read_back(checks, 'focus', path, '--focus=e', '--hide=run')
    checks.done()


TRAPS = [
    b'a;b 1', b'main;has\\x3bsemicolon;leaf 2', b'main;back\\x5cx3bslash 3', b'main;worker 12;x 4',
    b'main;worker\\x2012 5', b'main;end\\x20 6', b'\\x23comment;x 7', b'main;P1;T1 8',
    b'main;f (a.py:3) 9', b'main;f (b.py:3) 10', b'main;g (a.py\\x29 11', b'main;h\\x60i 12',
    b'main;lib.so`f 13', b'main;lib2.so`f 14', b'main;k_[k] 15', b'main;k 16', b'main;k_[i] 17',
    b'main;k_[j\\x5d 18', b' 19', b'main;;x 20', b'x: y:z\\x3a5 21', b'caf\xe9;L12 22',
    b'caf\xe8;\\x4c12 23', b' lead;x 24', b'tab\there;x 25', b'[unknown];{};() 26',
    'naïve;日本語 27'.encode(), b'main;<module> (<frozen x>:9) 28', b'z 0', b'1e5;1e5 29']
AUSTIN = [b'# austin: 3.7.0', b'# mode: %s', b'P1;T0:1;a.py:f:1;b.py:g:2 10',
          b'P1;T0:1;a.py:f:1;C:\\x y.py:g:3 20', b'P2;T0:2 30', b'P2;T0:2;a.py:f:4;:GC: -5']


def own_samples():
    lines = list(AUSTIN)
    yield 'traps', b'\n'.join(TRAPS)
    yield 'fractions', b'a;b 0.5\na;c 2\na 1.25\na;b .5\na;b 3e-1\n'
    yield 'differences', b'a;b 1 2\na;c 3 0\na 0 7\n'
    for mode in (b'wall', b'memory'):
        yield 'austin ' + mode.decode(), b'\n'.join(lines).replace(b'%s', mode)
    yield 'signed', b'# signed\na;b -5\na;c 3\n'


def compare_own():
    for name, data in own_samples():
        with tempfile.NamedTemporaryFile(prefix='vptop-folded-') as f:
            f.write(data)
            f.flush()
            checks = o.Checks(name + ': written and read back', 'figures')
            o.guarded(name, read_back, checks, name, f.name)
            checks.done()


def each(names, suffix, compare):
    for name in names:
        path, oracle = find(name), find(name, suffix)
        if path is None or oracle is None:
            o.skip(name, 'not in data/, and VPTOP_SHARED is not set')
            continue
        o.guarded(name, compare, name, path, oracle)


def main():
    each(SPEEDSCOPE, '.speedscope-oracle.json', compare_speedscope)
    each(AUSTIN_1, '.speedscope-oracle.json', compare_austin_1)
    each(GPROF2DOT, '.dot', compare_gprof2dot)
    profiles = [os.path.join(VMPROF, n) for n in sorted(os.listdir(VMPROF)) if '.prof' in n]
    profiles += [find(n) for n in SPEEDSCOPE + AUSTIN_1]
    for path in filter(None, profiles):
        o.guarded(path, compare_export, os.path.basename(path), path)
    o.guarded('own samples', compare_own)
    o.finish()


main()
