"""A mean over calls, never without its error."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass


@dataclass(frozen=True)
class Mean:
    """A mean over calls with its standard error."""

    value: float
    error: float

    def shown(self, digits: int, sign: str = "") -> str:
        # A rounded zero is not negative.
        value = f"{round(self.value, digits) + 0.0:{sign}.{digits}f}"
        return f"{value} ± {self.error:.{digits}f}"

    def signed(self, digits: int) -> str:
        """As a difference, which has a sign also above zero."""
        return self.shown(digits, "+")


def mean(values: list[float]) -> Mean | None:
    """None of fewer than two values: they have no standard error."""
    if len(values) < 2:
        return None
    return Mean(statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values)))


def cell(found: Mean | None, digits: int, sign: str = "") -> str:
    """A mean in a table, which has a dash where there is none."""
    return "–" if found is None else found.shown(digits, sign)
