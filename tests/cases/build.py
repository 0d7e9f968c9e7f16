# SPDX-License-Identifier: MIT
"""Makes profiles byte by byte: vmprof files and vmprof-viewer's MessagePack, sound or not."""

import gzip
import struct


class Vmprof:
    """A vmprof file of version 6, 64 bit, CPython unless said otherwise."""

    def __init__(self, mode=0, version=6, period_us=10000, interpreter=b'cpython'):
        self.mode, self.version = mode, version
        self.data = struct.pack('<5q', 0, 3, 0, period_us, 0)
        self.data += b'\x05' + struct.pack('>H', version)
        if version >= 4:
            self.data += bytes([mode])
        self.data += bytes([len(interpreter)]) + interpreter

    def raw(self, data):
        self.data += data
        return self

    def start(self, seconds=1600000000, microseconds=0):
        return self.raw(b'\x06' + struct.pack('<qq8x', seconds, microseconds))

    def sample(self, addresses, memory_kib=None, thread=1, count=1):
        """addresses: root first."""
        self.data += b'\x01' + struct.pack('<qq', count, len(addresses))
        self.data += struct.pack('<%dq' % len(addresses), *reversed(addresses))
        self.data += struct.pack('<q', thread)
        if memory_kib is not None:
            self.data += struct.pack('<q', memory_kib)
        return self

    def name(self, address, name, marker=2):
        name = name if isinstance(name, bytes) else name.encode('utf-8', 'surrogatepass')
        return self.raw(bytes([marker]) + struct.pack('<qq', address, len(name)) + name)

    def end(self, seconds=1600000008, microseconds=0):
        return self.raw(b'\x03' + struct.pack('<qq8x', seconds, microseconds))


def pack(value):
    """MessagePack, without recursion: stacks may be deep. bytes become "raw" as old writers have it."""
    out, todo = [], [value]
    while todo:
        v = todo.pop()
        if v is None:
            out.append(b'\xc0')
        elif isinstance(v, float):
            out.append(b'\xcb' + struct.pack('>d', v))
        elif isinstance(v, int):
            if 0 <= v < 128:
                out.append(bytes([v]))
            elif v >= 0:
                out.append(b'\xcf' + struct.pack('>Q', v))
            else:
                out.append(b'\xd3' + struct.pack('>q', v))
        elif isinstance(v, (bytes, str)):
            v = v if isinstance(v, bytes) else v.encode()
            out.append(bytes([0xa0 | len(v)]) if len(v) < 32 else
                       b'\xda' + struct.pack('>H', len(v)) if len(v) < 65536 else
                       b'\xdb' + struct.pack('>I', len(v)))
            out.append(v)
        elif isinstance(v, (list, tuple)):
            out.append(bytes([0x90 | len(v)]) if len(v) < 16 else b'\xdd' + struct.pack('>I', len(v)))
            todo.extend(reversed(v))
        else:
            out.append(bytes([0x80 | len(v)]) if len(v) < 16 else b'\xdf' + struct.pack('>I', len(v)))
            todo.extend(x for pair in reversed(list(v.items())) for x in reversed(pair))
    return b''.join(out)


def blob(value):
    return gzip.compress(pack(value), 1, mtime=0)


def cpu_chain(addresses, count):
    """The CPU tree of one stack."""
    node = None
    for address in reversed(addresses):
        node = [str(address), count, {}, [node] if node else []]
    return node


def envelope(samples, names, tree=None, **keys):
    """samples: [([address, ...] root first, KiB), ...]; names: {address: name}."""
    tree = tree or cpu_chain(samples[0][0] if samples else [1], len(samples))
    fields = {
        'version': 2, 'project': 'test', 'period': 10000.0, 'duration': 10000.0 * len(samples),
        'max_mem': max((m or 0 for _, m in samples), default=0), 'top_level_function': 'a.main',
        'start_date': '2016-09-14T13:29:13.123456+00:00', 'cpu_profile': blob(tree),
        'mem_profile': blob([[list(t), m] for t, m in samples]),
        'addr_name_map': blob({str(a): n for a, n in names.items()}),
    }
    fields.update(keys)
    return pack({k: v for k, v in fields.items() if v is not ...})
