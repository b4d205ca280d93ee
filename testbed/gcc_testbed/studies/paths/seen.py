"""A call on a recording as a viewer has it, and its points."""

from __future__ import annotations

from dataclasses import dataclass, fields

from gcc_testbed.studies.drawn.points import Terms, points
from gcc_testbed.studies.scorecard.measures import MEASURES

_Value = float | None


@dataclass(frozen=True)
class Seen:
    """A call's parts that count; the names are those of the measures."""

    use: _Value
    delay_p95_ms: _Value
    frozen_s: _Value
    incomplete_percent: _Value

    @property
    def points(self) -> float:
        """As of any drawn call; what is lost counts where a frame lacks it."""
        seen = {
            "utilisation": self.use,
            "loss_percent": 0.0,
            "frame_delay_p95_ms": self.delay_p95_ms,
            "frozen_percent": None if self.frozen_s is None else 100 * self.frozen_s / 60,
            "incomplete_percent": self.incomplete_percent,
        }
        return points({**dict.fromkeys(MEASURES), **seen}, Terms())


PARTS = tuple(part.name for part in fields(Seen))
