"""A folder of recordings: the kind of each is what its name has before the first dash."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from gcc_testbed.scenario import recording
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

# Synthetic ones: `scenario/synthetic_recordings.py`.
RECORDINGS = DATA / "recordings"
# The beginnings of the names, by the words of `draw.path`.
KINDS = {
    "wifi": ("wifi",),
    "fixed": ("eth",),
    "mobile": ("cell", "mobile", "uplink"),
    "office": ("office", "restaurant"),
    "train": ("train",),
    "starlink": ("starlink",),
}
# Delays alone, of phones: for paths of that kind whose recordings have rates alone.
DELAYS, DELAYED = "ping", "mobile"
SUFFIXES = (".csv", ".csv.gz")


def recordings(folder: Path) -> dict[str, dict[str, Path]]:
    """The files of each kind of path that a folder has, by their names without suffix."""
    files = _files(folder)
    found = {kind: _begin_with(names, files) for kind, names in KINDS.items()}
    found = {kind: named for kind, named in found.items() if named}
    if not found:
        names = ", ".join(name for names in KINDS.values() for name in names)
        raise TestbedError(
            f"--recordings {folder}: no file is named like wifi-1.csv.gz; "
            f"before the dash goes one of {names}"
        )
    return found


def delays(folder: Path) -> dict[str, Path]:
    """The recordings of delays alone, by their names."""
    return _begin_with((DELAYS,), _files(folder))


def _begin_with(kinds: tuple[str, ...], files: dict[str, Path]) -> dict[str, Path]:
    return {name: file for name, file in files.items() if name.partition("-")[0] in kinds}


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise TestbedError(f"--recordings {folder}: there is no such directory")
    return {
        file.name.partition(".csv")[0]: file.absolute()
        for file in sorted(folder.iterdir())
        if file.name.endswith(SUFFIXES)
    }


@cache
def columns(file: Path) -> tuple[str, ...]:
    """The names of what a recording has; a TestbedError names a file that is none."""
    try:
        return recording.columns(recording.read(file))
    except TestbedError as problem:
        raise TestbedError(f"{file}: {problem}") from None


def digest(folder: Path) -> str:
    """Some digits that stand for the recordings: their names and contents."""
    whole = hashlib.sha256()
    for name, file in _files(folder).items():
        whole.update(f"{name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()[:16]
