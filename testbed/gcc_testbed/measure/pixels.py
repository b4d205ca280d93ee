"""Lines, spans and marks made no finer than a picture shows them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure.trace_table import Words

Numbers = NDArray[np.float64]
# (begin, end) of each stretch, a row each.
Spans = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """A value over time: each of its points, or a summary for each column of a picture."""

    at: Numbers
    values: Numbers
    # The least and the greatest value of each column, whose mean `values` then are.
    least: Numbers | None = None
    greatest: Numbers | None = None


@dataclass(frozen=True)
class Row:
    """Stretches of time, and how much of each it holds: 0 to 1."""

    spans: Spans
    share: Numbers


@dataclass(frozen=True)
class Pixels:
    """The columns of a picture's time axis: finer data is summed up for each."""

    begin_s: float
    end_s: float
    count: int = 500
    # As many points, and stretches, are shown as they are.
    most_points: int = 8000
    most_spans: int = 1000

    @property
    def width_s(self) -> float:
        return max(self.end_s - self.begin_s, 1e-9) / self.count

    def of(self, times: Numbers) -> NDArray[np.int64]:
        """The column of each time."""
        return np.clip((times - self.begin_s) // self.width_s, 0, self.count - 1).astype(int)

    def line(self, times: Numbers, values: Numbers) -> Line:
        """The points; of many the mean, the least and the greatest of each column."""
        if len(times) <= self.most_points:
            return Line(times, values)
        first = np.flatnonzero(np.diff(self.of(times), prepend=-1))
        counts = np.diff(np.append(first, len(times)))
        return Line(
            times[first],
            np.add.reduceat(values, first) / counts,
            np.minimum.reduceat(values, first),
            np.maximum.reduceat(values, first),
        )

    def marks(self, times: Numbers) -> Row:
        """Moments; of many the columns that have some, the fullest one wholly."""
        if len(times) <= self.most_spans:
            return Row(np.column_stack([times, times]), np.ones(len(times)))
        counts = np.bincount(self.of(times), minlength=self.count).astype(float)
        return self._columns(counts / counts.max())

    def spans(self, spans: Spans) -> Row:
        """Stretches; of many the part of each column that they take."""
        if len(spans) <= self.most_spans:
            return Row(spans, np.ones(len(spans)))
        edges = self.begin_s + self.width_s * np.arange(self.count + 1)
        # The time taken until each edge: it grows within a stretch, and stands between two.
        taken = np.append(0.0, np.cumsum(spans[:, 1] - spans[:, 0]))
        until = np.interp(edges, spans.ravel(), np.repeat(taken, 2)[1:-1])
        return self._columns(np.diff(until) / self.width_s)

    def _columns(self, share: Numbers) -> Row:
        some = np.flatnonzero(share > 0)
        begins = self.begin_s + self.width_s * some
        return Row(np.column_stack([begins, begins + self.width_s]), share[some])


def spans_where(times: Numbers, held: NDArray[np.bool_]) -> Spans:
    """The stretches in which something holds: from its first line to the next without it."""
    edges = np.flatnonzero(np.diff(held, prepend=False, append=False))
    return np.append(times, times[-1:])[edges].reshape(-1, 2)


@dataclass(frozen=True)
class Falls:
    """Each fall of a rate: when it ended, from what to what, and the word that is its reason."""

    time_s: Numbers
    before: Numbers
    after: Numbers
    reasons: list[str]


def falls(times: Numbers, values: Numbers, reasons: Words, least: float) -> Falls:
    """Falls by a part of the rate and more; steps down for one reason are one fall."""
    known = np.flatnonzero(~np.isnan(values))
    steps = np.flatnonzero(np.diff(values[known])) + 1
    at, before = known[steps], known[steps - 1]
    down = values[at] < values[before]
    codes = reasons.codes[at]
    begins = np.flatnonzero(
        down & ~np.append(False, down[:-1] & (codes[1:] == codes[:-1]))[: len(down)]
    )
    ends = np.array([], int)
    if len(begins):
        falling = np.flatnonzero(down)
        ends = np.append(falling[np.searchsorted(falling, begins[1:]) - 1], falling[-1])
    high, low = values[before[begins]], values[at[ends]]
    large = low <= (1 - least) * high
    return Falls(
        times[at[ends]][large],
        high[large],
        low[large],
        [reasons.names[code] for code in codes[begins][large]],
    )
