"""A test sequence as a call uses it: raw frames, one a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sequence:
    """Frames ready to be sent."""

    name: str
    file: str
    sha256: str
    width: int
    height: int
    fps: str
    frame_count: int
    frames: str

    def as_result(self) -> dict[str, str]:
        """What results say about the sequence they used."""
        return {"name": self.name, "file": self.file, "sha256": self.sha256}
