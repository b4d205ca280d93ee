"""Progress messages on stderr. Standard library only."""

from __future__ import annotations

import sys
import time


class Progress:
    """A line that is rewritten on a terminal; elsewhere every ten seconds one that is new."""

    EVERY_S = 10.0

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._last_line_at = 0.0
        self._last_line = ""
        self._open_line = False

    def say(self, text: str) -> None:
        """A message shown even when quiet."""
        self.end_line()
        print(text, file=sys.stderr, flush=True)

    def step(self, text: str) -> None:
        """Announces the next stage."""
        if not self.quiet:
            self.say(text)

    def advance(self, what: str, fraction: float, detail: str = "") -> None:
        """Shows the progress of `what`."""
        if self.quiet:
            return
        text = f"{what}: {100 * min(fraction, 1.0):3.0f} %{detail}"
        if self._terminal:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
            self._open_line = True
        elif text != self._last_line and time.monotonic() - self._last_line_at >= self.EVERY_S:
            self._last_line_at = time.monotonic()
            self._last_line = text
            print(text, file=sys.stderr, flush=True)

    def end_line(self) -> None:
        """Ends the rewritten line."""
        if self._open_line:
            print(file=sys.stderr)
            self._open_line = False
