"""A mean over calls, never without its error."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Mean:
    """A mean over calls with its standard error; None of one call."""

    value: float
    error: float | None

    def shown(self, digits: int, sign: str = "") -> str:
        error = "" if self.error is None else f" ± {self.error:.{digits}f}"
        # A rounded zero has no sign.
        return f"{round(self.value, digits) + 0.0:{sign}.{digits}f}{error}"

    def signed(self, digits: int) -> str:
        """As a difference, which has a sign also above zero."""
        return self.shown(digits, "+")


def mean(values: list[float]) -> Mean | None:
    """None without any value."""
    if not values:
        return None
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
    return Mean(statistics.fmean(values), error)
