"""One run at a time in a directory of results. Standard library only."""

from __future__ import annotations

import fcntl
import os
import platform
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from gcc_testbed.support.errors import TestbedError

# Within a directory of many calls; beside that of one.
NAME = ".lock"


@contextmanager
def only_one(out: Path, lock: Path | None = None) -> Iterator[None]:
    """Holds a directory, or a TestbedError that names the run which has it.

    The kernel releases the lock however the process ends, and the next run takes what is left.
    """
    path = lock or out / NAME
    with _held(out, path) as file:
        file.write(f"process {os.getpid()} on {platform.node()}, {_command()}, since {_now()}\n")
        file.flush()
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


@contextmanager
def _held(out: Path, path: Path) -> Iterator[TextIO]:
    while True:
        with path.open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                who = file.read().strip() or "one that has just begun"
                raise TestbedError(
                    f"--out {out}: another run is at work there: {who}; wait for it, or name "
                    "another directory"
                ) from None
            if not _is(file, path):
                continue  # Its owner has just ended and removed it.
            file.truncate(0)
            yield file
            return


def _is(file: TextIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _command() -> str:
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
