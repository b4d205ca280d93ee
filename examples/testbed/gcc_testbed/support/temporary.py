"""Temporary directories that outlive nothing: what SIGKILL leaves, the next run removes.

The owner holds a lock on a file within. The kernel lets go of it when the owner ends, however that
happens: a directory whose lock is free is nobody's. Standard library only.
"""

from __future__ import annotations

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

LOCK = ".gcc-testbed-lock"
# What mkdtemp puts behind a prefix.
_SUFFIX_LENGTH = 8


@contextmanager
def directory(prefix: str, parent: Path) -> Iterator[Path]:
    """A new directory below `parent`, removed at the end; stale ones of that prefix go first."""
    with suppress(OSError):
        remove_stale(prefix, parent)
    made = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        with _locked(made):
            yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def remove_stale(prefix: str, parent: Path) -> None:
    """Removes the directories of that prefix whose owners are dead."""
    for found in parent.iterdir():
        ours = found.name.startswith(prefix) and len(found.name) == len(prefix) + _SUFFIX_LENGTH
        if not ours or found.is_symlink():
            continue
        # Without a lock it is not ours, or so new that it is empty; with a held one it is in use.
        with suppress(OSError), (found / LOCK).open("r+") as lock:
            _take(lock)
            shutil.rmtree(found, ignore_errors=True)


@contextmanager
def _locked(made: Path) -> Iterator[None]:
    new = made / f"{LOCK}.new"
    with new.open("w") as lock:
        _take(lock)
        # From the moment it is seen it is held.
        new.rename(made / LOCK)
        yield


def _take(lock: TextIO) -> None:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
