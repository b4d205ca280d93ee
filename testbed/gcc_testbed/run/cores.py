"""A core for each world that runs at the same time.

A user-mode kernel and the programs in it take turns, thousands of times a second. On one core a
turn is a switch; on two it wakes the other core each time, which makes a call take half as long
again.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def own_core(locks: Path) -> Iterator[int]:
    """A core that no other holder has; a shared one when there are more worlds than cores.

    A holder that dies gives its core back: the claim is a lock on a file in `locks`.
    """
    locks.mkdir(parents=True, exist_ok=True)
    # Highest first: the host's own work tends to run on the first cores.
    cores = sorted(os.sched_getaffinity(0), reverse=True)
    for core in cores:
        with (locks / str(core)).open("w") as file:
            if _claimed(file):
                yield core
                return
    yield cores[os.getpid() % len(cores)]


def _claimed(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
