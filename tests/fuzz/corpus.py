#!/usr/bin/env python3
"""The inputs that a fuzz target begins with, in one archive.

    corpus.py pack FOLDER ARCHIVE     the files of FOLDER, the same bytes for the same inputs
    corpus.py unpack ARCHIVE FOLDER   the inputs alone, in place of what was in FOLDER

Standard library only: the build runs it.
"""

from __future__ import annotations

import io
import shutil
import sys
import tarfile
from pathlib import Path


def pack(folder: Path, archive: Path) -> None:
    """Writes nothing but names and contents, in order: no times and no owners."""
    with tarfile.open(archive, "w:xz", format=tarfile.USTAR_FORMAT) as tar:
        for file in sorted(folder.iterdir()):
            member = tarfile.TarInfo(file.name)
            content = file.read_bytes()
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def inputs(archive: Path) -> dict[str, bytes]:
    """The content of each file of the archive by its name."""
    with tarfile.open(archive) as tar:
        found = {member.name: tar.extractfile(member) for member in tar}
        return {name: file.read() for name, file in found.items() if file is not None}


def unpack(archive: Path, folder: Path) -> None:
    """An input that has left the archive leaves the folder, too."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in inputs(archive).items():
        (folder / Path(name).name).write_bytes(content)


COMMANDS = {"pack": pack, "unpack": unpack}

if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    COMMANDS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
