"""Temporary directories; those left by a killed process are removed by the next run.

The owner holds a lock on a file within, which the kernel releases when the owner ends, however that
happens: a directory whose lock is free has no owner. Standard library only.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

LOCK = ".gcc-testbed-lock"
# Of what mkdtemp appends to the prefix.
_SUFFIX_LENGTH = 8


def plain() -> Path:
    """The system's directory for temporary files, by a name that a kernel's command line can hold.

    It has no quotes, so a space would end the name.
    """
    found = tempfile.gettempdir()
    return Path(found if re.fullmatch(r"[\w./+-]+", found, re.ASCII) else "/tmp")


@contextmanager
def directory(prefix: str, parent: Path) -> Iterator[Path]:
    """A new directory below `parent`, removed at the end; stale ones of that prefix go first."""
    with suppress(OSError):
        remove_stale(prefix, parent)
    path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        with _locked(path):
            yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def remove_stale(prefix: str, parent: Path) -> None:
    """Removes the directories of that prefix whose owners are dead."""
    for found in parent.iterdir():
        ours = found.name.startswith(prefix) and len(found.name) == len(prefix) + _SUFFIX_LENGTH
        if not ours or found.is_symlink():
            continue
        # Without a lock it is foreign or just being created; with a held lock it is in use.
        with suppress(OSError), (found / LOCK).open("r+") as lock:
            _take(lock)
            shutil.rmtree(found, ignore_errors=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    new = path / f"{LOCK}.new"
    with new.open("w") as lock:
        _take(lock)
        # Visible only once it is held.
        new.rename(path / LOCK)
        yield


def _take(lock: TextIO) -> None:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
