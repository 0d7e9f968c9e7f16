# SPDX-License-Identifier: MIT
"""Stacks of pprof's profiles, in all ways to write them: each sample is the one that was written.

Samples share what they end with, and ids are chosen so that their bytes look alike where they are
not the same. VPTOP_RANDOM=N tries N profiles."""

import os
import random
import shutil

import pprof as made
import oracle as o

IDS = [1, 2, 127, 128, 129, 130, 255, 256, 257, 385, 16384, 16385, 16513, 32769, 2097153,
       (1 << 20) + 1, (1 << 40) + 129, (1 << 63) + 1]


def varint(value, pad):
    """A number, with `pad` bytes more than it needs."""
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7f | 0x80)
        value >>= 7
    data.append(value)
    for _ in range(min(pad, 9 - len(data))):
        data[-1] |= 0x80
        data.append(0)
    return bytes(data)


def ids_field(rng, ids):
    """Location ids, leaf first: packed, one by one, or in pieces."""
    way = rng.random()
    pad = 1 if rng.random() < 0.2 else 0
    pieces = [ids]
    if way < 0.15:
        cut = rng.randrange(len(ids) + 1)
        pieces = [ids[:cut], ids[cut:]]
    data = b''
    for piece in pieces:
        if way > 0.9 or (way < 0.05 and rng.random() < 0.5):
            data += b''.join(b'\x08' + varint(i, pad) for i in piece)
        else:
            data += made.record(1, b''.join(varint(i, pad if rng.random() < 0.5 else 0)
                                            for i in piece))
    return data


def names_of(location, twins, is_plain):
    """Innermost first, one where it is plain. Two locations of each pair of twins are one place."""
    base = location if not twins or location not in IDS[1::2] else IDS[IDS.index(location) - 1]
    return ['f%d_%d' % (base, k) for k in range(1 if is_plain else 1 + base % 3)], base


def random_profile(seed):
    """The bytes of a profile, and its samples: names (root first) and value."""
    rng = random.Random(seed)
    twins, is_plain = rng.random() < 0.3, rng.random() < 0.4
    profile, expected, before = made.Profile((('samples', 'count'),)), [], []
    for _ in range(rng.choice((1, 5, 60))):
        ids = before[:rng.randrange(len(before) + 1)] if rng.random() < 0.8 else []
        ids = ids + [rng.choice(IDS) for _ in range(rng.choice((0, 1, 1, 2, 9)))]
        if before and rng.random() < 0.1:
            ids = before[rng.randrange(len(before)):]
        before = ids  # root first
        value = rng.randrange(1, 300)
        profile.add(2, ids_field(rng, ids[::-1]) + made.numbers(2, (value,), True))
        stack = [n for i in ids for n in reversed(names_of(i, twins, is_plain)[0])]
        expected.append((tuple(stack), value))
    for i in IDS:
        names, base = names_of(i, twins, is_plain)
        profile.location(i, *names, address=0x1000 + 16 * (base % 1000003))
    return profile.bytes(), expected


def summed(samples):
    sums = {}
    for stack, value in samples:
        sums[stack] = sums.get(stack, 0) + value
    return sorted(sums.items())


def stacks_of(path, *arguments):
    d = o.vptop('traces', path, *arguments)
    found = []
    for trace in d['traces']:
        found.append((tuple(reversed(trace['stack'])), trace['values'][0]))
    return found


def case_random(checks):
    for seed in range(int(os.environ.get('VPTOP_RANDOM', '60'))):
        data, expected = random_profile(seed)
        path = os.path.join(made.folder, 'stacks.pb')
        with open(path, 'wb') as file:
            file.write(data)
        checks.equal('profile %d' % seed, summed(stacks_of(path)), summed(expected))
        total = sum(v for _, v in expected)
        top = o.vptop('top', path, '--nodecount=0')
        checks.equal('self of %d' % seed, sum(r['flat'] for r in top['rows']),
                     total - sum(v for s, v in expected if not s))


def case_deep(checks):
    """What is deeper than the limit is cut at the root."""
    for seed in range(10):
        data, expected = random_profile(seed)
        path = os.path.join(made.folder, 'deep.pb')
        with open(path, 'wb') as file:
            file.write(data)
        cut = [(stack[-4:], value) for stack, value in expected]
        checks.equal('profile %d' % seed, summed(stacks_of(path, '--max-depth=4')),
                     summed(cut))


CASES = (('written in many ways', case_random), ('cut at the root', case_deep))


def main():
    for title, function in CASES:
        checks = o.Checks('stacks: ' + title, 'figures')
        o.guarded('stacks: ' + title, function, checks)
        checks.done()
    shutil.rmtree(made.folder)
    o.finish()


if __name__ == '__main__':
    main()
