"""A folder of recordings: the kind of each is what its name has before the first dash."""

from __future__ import annotations

from pathlib import Path

from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

# Synthetic ones: `scenario/synthetic_recordings.py`.
RECORDINGS = DATA / "recordings"
# The beginnings of the names, by the words of `draw.path`. `ping` is none: it has no rate.
KINDS = {
    "wifi": ("wifi",),
    "fixed": ("eth",),
    "mobile": ("cell", "mobile", "uplink"),
    "office": ("office", "restaurant"),
    "train": ("train",),
    "starlink": ("starlink",),
}
SUFFIXES = (".csv", ".csv.gz")


def recordings(folder: Path) -> dict[str, dict[str, Path]]:
    """The files of each kind of path that a folder has, by their names without suffix."""
    if not folder.is_dir():
        raise TestbedError(f"--recordings {folder}: there is no such directory")
    files = {
        file.name.partition(".csv")[0]: file.absolute()
        for file in sorted(folder.iterdir())
        if file.name.endswith(SUFFIXES)
    }
    found = {
        kind: {name: file for name, file in files.items() if name.partition("-")[0] in names}
        for kind, names in KINDS.items()
    }
    found = {kind: named for kind, named in found.items() if named}
    if not found:
        names = ", ".join(name for names in KINDS.values() for name in names)
        raise TestbedError(
            f"--recordings {folder}: no file is named like wifi-1.csv.gz; "
            f"before the dash goes one of {names}"
        )
    return found
