"""Follows a trace as it grows. The trace may not exist yet, and may be replaced or cut off."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from gcc_testbed.measure.live import Live, Shown

# Bytes that are read from the end of an existing trace: ten times as much as a minute has.
_TAIL_BYTES = 4 << 20
# An element writes what it has once a second.
_QUIET_S = 3.0


class Follower:
    """A file's lines as they come."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._content: BinaryIO | None = None
        self._number = 0
        self._rest = b""

    def close(self) -> None:
        if self._content is not None:
            self._content.close()
        self._content, self._number, self._rest = None, 0, b""

    def is_another(self) -> bool:
        """Whether the file that is followed is gone, replaced or cut off; it is then closed."""
        if self._content is None:
            return False
        try:
            now, ours = self.file.stat(), os.fstat(self._content.fileno())
            same = (now.st_dev, now.st_ino) == (ours.st_dev, ours.st_ino)
            if same and now.st_size >= self._content.tell():
                return False
        except OSError:
            pass
        self.close()
        return True

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines that have become whole, by number; of a long file its header and its end."""
        if self._content is None:
            # A pipe without a writer would wait for ever.
            if not self.file.is_file():
                return
            self._content = self.file.open("rb")
            header = self._content.readline(_TAIL_BYTES)
            end = os.fstat(self._content.fileno()).st_size - _TAIL_BYTES
            if header.endswith(b"\n") and self._content.tell() < end:
                yield 1, header.decode(errors="replace")
                self._number = 1
                self._skip_to(self._content, end)
            else:
                self._content.seek(0)
        *whole, self._rest = (self._rest + self._content.read(_TAIL_BYTES)).split(b"\n")
        # A file that is no trace may be one line without an end.
        self._rest = self._rest[:_TAIL_BYTES]
        for line in whole:
            self._number += 1
            yield self._number, line.decode(errors="replace")

    def _skip_to(self, content: BinaryIO, end: int) -> None:
        """To the first line that begins behind a place."""
        while (left := end - content.tell()) > 0:
            self._number += content.read(min(left, _TAIL_BYTES)).count(b"\n")
        self._number += content.readline(_TAIL_BYTES).count(b"\n")


class Watch:
    """A trace that is followed, and the values to show."""

    def __init__(self, file: Path) -> None:
        self._follower = Follower(file)
        self._live = Live(str(file))
        self._grown_s: float | None = None
        self._began_again = False

    def step(self, now_s: float) -> Shown:
        """Reads the new lines, and returns the values to show. `now_s` is of a monotonic clock."""
        if self._follower.is_another():
            self._live, self._grown_s = Live(self._live.name), None
            self._began_again = True
        try:
            for number, line in self._follower.lines():
                self._live.feed(line, number)
                self._grown_s = now_s
        except OSError as problem:
            return self._live.shown(f"cannot be read: {problem.strerror}")
        return self._live.shown(self._status(now_s))

    def close(self) -> None:
        self._follower.close()

    def _status(self, now_s: float) -> str:
        if not self._follower.file.exists():
            return "the file does not exist yet: waits for it"
        if self._live.is_empty:
            return "no line yet: waits for one"
        quiet = 0.0 if self._grown_s is None else now_s - self._grown_s
        if quiet >= _QUIET_S:
            return f"no new line for {quiet:.0f} s"
        return (
            "follows the file, which has begun again" if self._began_again else "follows the file"
        )
