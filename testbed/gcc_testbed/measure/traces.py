"""The elements' traces (CSV, one header row), read column by column name."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Trace:
    """Rows of text; columns are asked for by name, and a column may be missing."""

    rows: list[dict[str, str]] = field(default_factory=list)
    origin_s: float = 0.0

    def of(self, *events: str) -> Trace:
        """Only the rows of these events."""
        chosen = [row for row in self.rows if row.get("event") in events]
        return Trace(chosen, self.origin_s)

    def where(self, column: str, value: str) -> Trace:
        """Only the rows with this value in a column."""
        return Trace([row for row in self.rows if row.get(column) == value], self.origin_s)

    def number(self, column: str) -> NDArray[np.float64]:
        """A column as numbers; NaN where it is empty or missing."""
        return np.array([_number(row.get(column)) for row in self.rows], float)

    def text(self, column: str) -> list[str]:
        """A column as text; empty where it is missing."""
        return [row.get(column) or "" for row in self.rows]

    def points(self, column: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times and values of a column, where it has a value."""
        times, values = self.number("time_s") - self.origin_s, self.number(column)
        known = ~np.isnan(values) & ~np.isnan(times)
        return times[known], values[known]

    def last_before(self, column: str, time_s: float) -> float | None:
        """The value a column had at a time."""
        times, values = self.points(column)
        earlier = values[times <= time_s]
        return float(earlier[-1]) if len(earlier) else None

    def mean(self, column: str, begin_s: float, end_s: float) -> float | None:
        """Over an interval: a value holds until the next one."""
        times, values = self.points(column)
        edges = np.clip(np.append(times, end_s), begin_s, end_s)
        lengths = np.diff(edges)
        return float((values * lengths).sum() / lengths.sum()) if lengths.any() else None


def read(file: Path, origin_s: float = 0.0) -> Trace:
    """A trace; an empty one when there is no such file."""
    if not file.exists():
        return Trace([], origin_s)
    with file.open(newline="", errors="replace") as content:
        return Trace(list(csv.DictReader(content)), origin_s)


def _number(text: str | None) -> float:
    try:
        return float(text) if text else float("nan")
    except ValueError:
        return float("nan")
