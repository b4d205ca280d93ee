"""A directory as one file, whose bytes depend on the directory's files alone."""

from __future__ import annotations

import tarfile
from pathlib import Path


def pack(directory: Path, file: Path) -> None:
    """Writes every file below the directory, in order and without owners and times."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(file, "w:xz") as archive:
        for each in sorted(path for path in directory.rglob("*") if path.is_file()):
            name = each.relative_to(directory.parent).as_posix()
            archive.add(each, name, filter=_without_origin)
    print(f"archive: {file}")


def _without_origin(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    entry.mode = 0o644
    return entry
