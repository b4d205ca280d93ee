"""A test sequence as a call uses it: raw frames, one a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sequence:
    """A decoded sequence in the cache, ready to be sent."""

    name: str
    file: str
    sha256: str
    width: int
    height: int
    fps: str
    frame_count: int
    frames: str

    def as_result(self) -> dict[str, str]:
        """How results identify the sequence."""
        return {"name": self.name, "file": self.file, "sha256": self.sha256}
