# SPDX-License-Identifier: MIT
"""The reference reader of vmprof logs at work: reads FILE and builds its tree.

usage: pypy3 peer_vmprof.py FILE     (the vmprof package on PYTHONPATH; its C extension is not needed)
"""
import sys
import types

sys.modules.setdefault("_vmprof", types.ModuleType("_vmprof"))
from vmprof.reader import _read_prof
from vmprof.stats import Stats


def main(path):
    with open(path, "rb") as f:
        state = _read_prof(f)
    stats = Stats(state.profiles, dict(state.virtual_ips), {}, interp=state.interp_name,
                  start_time=state.start_time, end_time=state.end_time, meta=state.meta,
                  state=state)
    print(len(state.profiles), stats.get_tree().count)


if __name__ == "__main__":
    main(sys.argv[1])
