"""The values of a growing trace that are shown at present, as words and points."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gcc_testbed.measure.trace_table import Header
from gcc_testbed.support.errors import TestbedError

WINDOW_S = 60.0
_MOST_REASONS = 8
# A trace has some twenty lines a second: this many points are a minute of any.
_MOST_POINTS = 20_000
_LONGEST_WORD = 40


@dataclass(frozen=True)
class Quantity:
    """A number of the trace and how it is shown: the first of its columns that has a value."""

    name: str
    columns: tuple[str, ...]
    unit: str
    # Size of the unit in units of the column.
    size: float = 1.0

    def text(self, value: float) -> str:
        """A value with its unit."""
        shown = value / self.size
        digits = 0 if abs(shown) >= 100 or self.unit == "" else 1
        return f"{shown:.{digits}f} {self.unit}".rstrip()


def _rate(name: str, column: str) -> Quantity:
    return Quantity(name, (column,), "kbit/s", 1000)


# The curves over the last minute, each with its chart.
_CHARTS: dict[str, dict[str, tuple[Quantity, ...]]] = {
    "sender": {
        "rate (kbit/s)": (_rate("A_s", "a_s_bps"), _rate("v", "v_bps")),
        "round trip (ms)": (Quantity("RTT", ("path_rtt_ms", "rtt_ms"), "ms"),),
    },
    "receiver": {
        "rate (kbit/s)": (_rate("A_r", "a_r_bps"), _rate("R(t)", "r_bps")),
        "detector (ms)": (
            Quantity("m", ("modified_m_ms",), "ms"),
            Quantity("gamma", ("gamma_ms",), "ms"),
        ),
    },
}
_FURTHER: dict[str, tuple[Quantity, ...]] = {
    "sender": (
        _rate("R(t)", "r_ack_bps"),
        _rate("A_r", "remb_bps"),
        Quantity("lost", ("fraction_lost",), "%", 0.01),
        Quantity("probes", ("probes",), ""),
        Quantity("probe results", ("probe_results",), ""),
    ),
    "receiver": (
        Quantity("packets", ("packets",), ""),
        Quantity("over-uses", ("overuses",), ""),
    ),
}
_WORDS = {
    "sender": ("feedback", "signal", "competition", "reason"),
    "receiver": ("signal", "state", "competition"),
}
# The rate that is watched, and the word that says why it changed.
_WATCHED = {"sender": (_rate("A_s", "a_s_bps"), "reason"),
            "receiver": (_rate("A_r", "a_r_bps"), "state")}  # fmt: skip


@dataclass(frozen=True)
class Curve:
    """A quantity over the last minute: seconds before the last line, and values in its unit."""

    name: str
    points: list[tuple[float, float]]


@dataclass(frozen=True)
class Chart:
    """Curves with one axis."""

    title: str
    curves: list[Curve]


@dataclass(frozen=True)
class Shown:
    """All that a view shows: text and numbers without any character that controls a terminal."""

    title: str
    status: str
    # Name and value with its unit.
    values: list[tuple[str, str]] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    # Time of day, reason, and the rate before and after; the last change first.
    reasons: list[tuple[str, str, str]] = field(default_factory=list)


class Live:
    """The last minute of a trace, fed line by line."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.bad = ""
        self._header: Header | None = None
        self._time = 0.0
        self._last: dict[str, float] = {}
        self._words: dict[str, str] = {}
        self._series: dict[str, deque[tuple[float, float]]] = {}
        self._reasons: deque[tuple[float, str, float, float]] = deque(maxlen=_MOST_REASONS)

    def feed(self, line: str, number: int) -> None:
        """Takes a line of that number; an unreadable line is reported and changes nothing."""
        try:
            if self._header is None:
                self._header = Header.of(self.name, line)
            else:
                self._take(self._header, line, number)
        except TestbedError as problem:
            self.bad = clean(str(problem), 200)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show yet."""
        return not self._last

    def _take(self, header: Header, line: str, number: int) -> None:
        fields = dict(zip(header.columns, header.split(line, number), strict=True))
        time = header.number("time_s", fields["time_s"], number)
        charted = [each for chart in _CHARTS[header.kind].values() for each in chart]
        found = {}
        for quantity in (*charted, *_FURTHER[header.kind]):
            for column in quantity.columns:
                if text := fields.get(column):
                    found[quantity.name] = header.number(column, text, number)
                    break
        # A clock that is set back, or far ahead, begins another minute.
        if not -WINDOW_S < time - self._time < WINDOW_S:
            self._series.clear()
        self._time = max(time, self._time) if self._series else time
        self._note_reason(header.kind, fields, found)
        self._last.update(found)
        self._words = {word: clean(fields.get(word, "")) for word in _WORDS[header.kind]}
        for quantity in charted:
            if quantity.name in found:
                self._add(quantity, found[quantity.name])

    def _note_reason(self, kind: str, fields: dict[str, str], found: dict[str, float]) -> None:
        watched, word = _WATCHED[kind]
        reason = clean(fields.get(word, ""))
        after = found.get(watched.name)
        if not reason or after is None:
            return
        before = self._last.get(watched.name, after)
        if self._reasons and self._reasons[-1][1] == reason:
            # The same reason goes on: its beginning is kept.
            begin, _, at_begin, _ = self._reasons[-1]
            self._reasons[-1] = (begin, reason, at_begin, after)
        else:
            self._reasons.append((self._time, reason, before, after))

    def _add(self, quantity: Quantity, value: float) -> None:
        points = self._series.setdefault(quantity.name, deque(maxlen=_MOST_POINTS))
        points.append((self._time, value / quantity.size))
        # One point before the minute has the value at its beginning.
        while len(points) > 1 and points[1][0] <= self._time - WINDOW_S:
            points.popleft()

    def shown(self, status: str) -> Shown:
        """The values for a view."""
        title = clean(self.name, 100)
        if self.bad:
            status = f"{status}; cannot be read: {self.bad}" if status else self.bad
        if self._header is None or not self._last:
            return Shown(title, status)
        kind = self._header.kind
        watched = _WATCHED[kind][0]
        charts = [
            Chart(label, [self._curve(quantity) for quantity in quantities])
            for label, quantities in _CHARTS[kind].items()
        ]
        quantities = [each for chart in _CHARTS[kind].values() for each in chart]
        values = [
            (each.name, each.text(self._last[each.name]))
            for each in (*quantities, *_FURTHER[kind])
            if each.name in self._last
        ]
        words = [(name, value) for name, value in self._words.items() if value]
        reasons = [
            (_time_of_day(at), reason, f"{watched.text(before)} to {watched.text(after)}")
            for at, reason, before, after in reversed(self._reasons)
        ]
        title += f", of gcc{kind}, last line {_time_of_day(self._time)} UTC"
        return Shown(title, status, values + words, charts, reasons)

    def _curve(self, quantity: Quantity) -> Curve:
        """Steps: a value holds until the next one."""
        points = self._series.get(quantity.name, ())
        ends = [at for at, _ in points][1:] + [self._time]
        found: list[tuple[float, float]] = []
        for (at, value), until in zip(points, ends, strict=False):
            begin = max(at - self._time, -WINDOW_S)
            found += [(round(begin, 3), value), (round(until - self._time, 3), value)]
        return Curve(quantity.name, found)


def clean(text: str, longest: int = _LONGEST_WORD) -> str:
    """A text of a file for a terminal: none of its characters controls it, nor is it endless."""
    shown = "".join(each if each.isprintable() else "?" for each in text[:longest])
    return shown if len(text) <= longest else shown + "..."


def _time_of_day(seconds: float) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%H:%M:%S.%f}"[:10]
    except (ValueError, OverflowError, OSError):
        return "--:--:--.-"
