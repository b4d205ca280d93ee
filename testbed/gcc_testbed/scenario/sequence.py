"""A test sequence as a call uses it: raw frames, one a file."""

from __future__ import annotations

from dataclasses import dataclass

_STAND_IN = "generated (in place of "


def stand_in(wanted: str) -> str:
    """The name of what is sent where a sequence is not to be had."""
    return f"{_STAND_IN}{wanted})"


def is_stand_in(result: dict[str, str] | None) -> bool:
    """Whether a result's sequence is one; None: no video was sent."""
    return (result or {}).get("name", "").startswith(_STAND_IN)


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
