"""A trace as arrays, read strictly and quickly: a day of call has a million lines and more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf, nan
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.support.errors import TestbedError

SENDER, RECEIVER = "sender", "receiver"
# Each element's trace has a column of its own that the other one lacks.
_KINDS = {"a_s_bps": SENDER, "a_r_bps": RECEIVER}
# Columns of words; all others are numbers.
WORDS = frozenset(
    ("event", "reason", "feedback", "signal", "state", "competition", "loss_state")
    + ("verdict", "probe_abandoned")
)
# Bytes taken at once: a trace need not be in memory as a whole.
_CHUNK = 1 << 20
# The longest value an element writes has 20 letters, and a column has a dozen words.
_LONGEST_VALUE = 100
_MOST_WORDS = 1000
_SHOWN = 40
# A file that is no trace may be one long line.
_LONGEST_HEADER = 10_000

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Header:
    """The first line of a trace: which element's it is, and its columns."""

    name: str
    kind: str
    columns: tuple[str, ...]

    @staticmethod
    def of(name: str, line: str) -> Header:
        columns = tuple(line.rstrip("\r\n").split(","))
        kind = next((kind for column, kind in _KINDS.items() if column in columns), None)
        if kind is None or columns[:2] != ("time_s", "event"):
            raise TestbedError(
                f"{name}:1: expected the header of a trace, time_s,event,..., got {_quoted(line)}"
            )
        return Header(name, kind, columns)

    def split(self, line: str, number: int) -> list[str]:
        """The values of a line."""
        values = line.rstrip("\r\n").split(",")
        if len(values) != len(self.columns):
            raise TestbedError(
                f"{self.name}:{number}: expected {len(self.columns)} values, got {len(values)}"
            )
        return values

    def number(self, column: str, text: str, number: int) -> float:
        """A value as a number; NaN where it is not known."""
        if not text and column != "time_s":
            return nan
        try:
            value = float(text)
            if -inf < value < inf:
                return value
        except ValueError:
            pass
        raise TestbedError(
            f'{self.name}:{number}: expected a number in "{column}", got {_quoted(text)}'
        )


@dataclass(frozen=True)
class Words:
    """A column of words: the words there are, and for each line which one it has."""

    names: list[str]
    codes: NDArray[np.int16]

    def are(self, *words: str) -> NDArray[np.bool_]:
        """Which lines have one of these words."""
        wanted = [code for code, name in enumerate(self.names) if name in words]
        return np.isin(self.codes, wanted)


@dataclass(frozen=True)
class Table:
    """Columns of a trace. Those that it lacks are empty throughout."""

    kind: str
    # Seconds since 1970. Where the clock was set back the time stands still, so it never falls.
    time_s: Numbers
    numbers: dict[str, Numbers] = field(default_factory=dict)
    words: dict[str, Words] = field(default_factory=dict)

    def number(self, column: str) -> Numbers:
        """A column of numbers; NaN where a value is not known."""
        found = self.numbers.get(column)
        return np.full(len(self.time_s), np.nan) if found is None else found

    def word(self, column: str) -> Words:
        """A column of words."""
        found = self.words.get(column)
        return Words([""], np.zeros(len(self.time_s), np.int16)) if found is None else found

    def points(self, column: str) -> tuple[Numbers, Numbers]:
        """Times and values of a column of numbers, where it has a value."""
        values = self.number(column)
        known = ~np.isnan(values)
        return self.time_s[known], values[known]

    def times_of(self, *events: str) -> Numbers:
        """The times of the lines that were written for these events."""
        return self.time_s[self.word("event").are(*events)]


def read(file: Path, wanted: Iterable[str]) -> Table:
    """The time, the event and the wanted columns of a trace, as far as it has them."""
    try:
        if not file.is_file():
            raise TestbedError(f"{file}: expected the trace of an element, and there is no file")
        with file.open("rb") as content:
            return _read(str(file), content, {"time_s", "event", *wanted})
    except OSError as problem:
        raise TestbedError(f"{file}: {problem.strerror}") from None


def _read(name: str, content: BinaryIO, wanted: set[str]) -> Table:
    header = Header.of(name, content.readline(_LONGEST_HEADER).decode(errors="replace"))
    places = {column: at for at, column in enumerate(header.columns) if column in wanted}
    parts: dict[str, list[Numbers]] = {column: [] for column in places if column not in WORDS}
    codes: dict[str, list[NDArray[np.int16]]] = {column: [] for column in places if column in WORDS}
    known: dict[str, dict[bytes, int]] = {column: {} for column in codes}
    first = 2
    for lines in _chunks(header, content, first):
        for column, numbers in parts.items():
            numbers.append(_numbers(lines, column, places[column]))
        for column, coded in codes.items():
            coded.append(_codes(lines, places[column], known[column]))
        first += len(lines.ends)
    if first == 2:
        raise TestbedError(f"{name}: no whole line below its header yet")
    whole = {column: np.concatenate(numbers) for column, numbers in parts.items()}
    return Table(
        header.kind,
        np.maximum.accumulate(whole.pop("time_s")),
        whole,
        {column: Words(_names(known[column]), np.concatenate(codes[column])) for column in codes},
    )


def _names(known: Iterable[bytes]) -> list[str]:
    return [name.decode(errors="replace").strip() for name in known]


@dataclass(frozen=True)
class _Lines:
    """Whole lines of a trace: their bytes with room behind, and where each value ends."""

    header: Header
    first: int
    data: NDArray[np.uint8]
    # A row for each line, a column for each of the trace's.
    ends: NDArray[np.int64]

    def changes(self, at: int) -> tuple[NDArray[np.int64], NDArray[np.bytes_]]:
        """The lines whose value in a column differs from that of the line before, and those values.

        Most columns seldom change, and text is what takes time.
        """
        ends = self.ends[:, at]
        begins = (self.ends[:, at - 1] if at else np.append(-1, self.ends[:-1, -1])) + 1
        lengths = ends - begins
        width = max(int(lengths.max()), 1)
        if width > _LONGEST_VALUE:
            number = self.first + int(lengths.argmax())
            raise TestbedError(f"{self.header.name}:{number}: expected values, got {width} letters")
        letters = np.lib.stride_tricks.sliding_window_view(self.data, width)[begins]
        letters *= np.arange(width) < lengths[:, None]
        values = letters.view(f"S{width}").ravel()
        where = np.append(0, np.flatnonzero(values[1:] != values[:-1]) + 1)
        return where, values[where]

    def spread(self, where: NDArray[np.int64], values: NDArray[Any]) -> NDArray[Any]:
        """A value for each line, from those that differ."""
        return np.repeat(values, np.diff(np.append(where, len(self.ends))))


def _chunks(header: Header, content: BinaryIO, first: int) -> Iterator[_Lines]:
    """The whole lines. The text after the last line's end is still being written."""
    rest = b""
    while read := content.read(_CHUNK):
        end = read.rfind(b"\n") + 1
        whole, rest = rest + read[:end], read[end:] if end else rest + read
        if len(rest) > _CHUNK:
            header.split(rest.decode(errors="replace"), first)
        if end:
            lines = _lines(header, whole.replace(b"\r\n", b"\n"), first)
            yield lines
            first += len(lines.ends)


def _lines(header: Header, whole: bytes, first: int) -> _Lines:
    data = np.frombuffer(whole, np.uint8)
    ends = np.flatnonzero((data == ord(",")) | (data == ord("\n")))
    count = whole.count(b"\n")
    columns = len(header.columns)
    if len(ends) != count * columns or (data[ends[columns - 1 :: columns]] != ord("\n")).any():
        for number, line in enumerate(whole.decode(errors="replace").split("\n"), first):
            header.split(line, number)
    padded = np.append(data, np.zeros(_LONGEST_VALUE, np.uint8))
    return _Lines(header, first, padded, ends.reshape(count, columns))


def _numbers(lines: _Lines, column: str, at: int) -> Numbers:
    where, values = lines.changes(at)
    unknown = values == b""
    try:
        numbers = np.where(unknown, b"nan", values).astype(float)
        # The time is always known.
        wrong = ~np.isfinite(numbers) & ~(unknown & (column != "time_s"))
    except ValueError:
        wrong = np.array([True])
    if wrong.any():
        for line, value in zip(where.tolist(), values.tolist(), strict=True):
            lines.header.number(column, value.decode(errors="replace"), lines.first + line)
    return lines.spread(where, numbers)


def _codes(lines: _Lines, at: int, known: dict[bytes, int]) -> NDArray[np.int16]:
    where, values = lines.changes(at)
    codes = [known.setdefault(value, len(known)) for value in values.tolist()]
    if len(known) > _MOST_WORDS:
        column = lines.header.columns[at]
        raise TestbedError(f'{lines.header.name}:{lines.first}: expected words in "{column}"')
    return lines.spread(where, np.array(codes, np.int16))


def _quoted(text: str) -> str:
    """The text that was found, as one short printable line."""
    shown = text.rstrip("\r\n")
    shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."
    return '"' + "".join(each if each.isprintable() else "?" for each in shown) + '"'
