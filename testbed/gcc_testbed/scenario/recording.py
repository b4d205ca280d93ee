"""Recordings of a path: what a link takes, delays and loses, row by row.

A CSV file, also gzip: `time_s,kbps,delay_ms,loss_percent`, each row from its time until that of the
next. `delay_ms` is beyond the least of the path. An empty cell: as before, and a column without a
value was not recorded. A shorter recording than the call repeats. A path may be of several
recordings, such as rates of one and delays of another. Standard library only.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.scenario.link import MOST_KBPS, Condition, LinkTrace, RateSchedule, RateStep
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.input_file import read_text

COLUMNS = ("time_s", "kbps", "delay_ms", "loss_percent")
# The greatest value of each column.
_MOST = {"time_s": 1e6, "kbps": MOST_KBPS, "delay_ms": 60_000.0, "loss_percent": 100.0}
# 25 minutes in steps of 15 ms; a call has no more changes (`MOST_STEPS`).
MOST_ROWS = 100_000
# A change each 15 ms lets less pass beyond the rate than a rare one: measured, 390 to 550 bytes.
CHANGE_PASSES_BYTES = 500
# A row that is the only one lasts as long.
ONLY_ROW_S = 1.0


@dataclass(frozen=True)
class Row:
    """Rate, delay and loss of the path from `time_s` on; None: not recorded."""

    time_s: float
    kbps: float | None = None
    delay_ms: float | None = None
    loss_percent: float | None = None


@dataclass(frozen=True)
class Driven:
    """A recorded path as the settings of a link, for a call of some length."""

    # None: it has no rates.
    rate: tuple[RateSchedule, LinkTrace] | None
    # Empty: it has neither delays nor losses.
    conditions: tuple[Condition, ...]


def read(file: Path) -> tuple[Row, ...]:
    """The rows of a recording, or a TestbedError that names the line."""
    lines = csv.reader(io.StringIO(read_text(file)))
    header = tuple(next(lines, ()))
    if header != COLUMNS:
        raise TestbedError(f"line 1 is not the header {','.join(COLUMNS)}")
    rows: list[Row] = []
    before = Row(0.0)
    for number, cells in enumerate(lines, start=2):
        row = _row(cells, number, before)
        if rows and row.time_s <= before.time_s:
            raise TestbedError(f"line {number} is not later than the one before: times increase")
        if number > MOST_ROWS:
            raise TestbedError(f"more than {MOST_ROWS} lines")
        rows.append(row)
        before = row
    if not rows:
        raise TestbedError("it has no rows")
    return tuple(_completed(rows))


def _row(cells: list[str], number: int, before: Row) -> Row:
    if len(cells) != len(COLUMNS):
        raise TestbedError(f"line {number} has {len(cells)} cells, not {len(COLUMNS)}")
    values = {}
    for name, cell in zip(COLUMNS, cells, strict=True):
        if not cell.strip() and name != "time_s":
            values[name] = getattr(before, name)
            continue
        try:
            value = float(cell)
        except ValueError:
            value = math.nan
        if not 0 <= value <= _MOST[name]:
            raise TestbedError(
                f'line {number}: {name} is "{cell[:40]}", not a number from 0 to {_MOST[name]:g}'
            )
        values[name] = value
    return Row(**values)


def _completed(rows: list[Row]) -> Iterator[Row]:
    """The rows with the first value of each column in those before it."""
    kbps, delay_ms, loss_percent = (
        next((value for row in rows if (value := getattr(row, name)) is not None), None)
        for name in COLUMNS[1:]
    )
    for row in rows:
        yield Row(
            row.time_s,
            kbps if row.kbps is None else row.kbps,
            delay_ms if row.delay_ms is None else row.delay_ms,
            loss_percent if row.loss_percent is None else row.loss_percent,
        )


def length_s(rows: tuple[Row, ...]) -> float:
    """How long it lasts: its last row is as long as the one before."""
    if len(rows) == 1:
        return rows[0].time_s + ONLY_ROW_S
    return 2 * rows[-1].time_s - rows[-2].time_s


def over(rows: tuple[Row, ...], duration_s: float) -> Iterator[Row]:
    """The rows of a call: the first from second zero on, and all again where the recording ends."""
    begin, length = 0.0, length_s(rows)
    while begin < duration_s:
        for place, row in enumerate(rows):
            at = begin if place == 0 else begin + row.time_s
            if at >= duration_s:
                return
            yield Row(round(at, 6), row.kbps, row.delay_ms, row.loss_percent)
        begin += length


def together(recordings: Iterable[tuple[Row, ...]], duration_s: float) -> tuple[Row, ...]:
    """The rows of a call on all of them, of which no two have the same column."""
    changes: dict[float, dict[str, float]] = {}
    for rows in recordings:
        for row in over(rows, duration_s):
            changes.setdefault(row.time_s, {}).update(_recorded(row))
    played: list[Row] = []
    values: dict[str, float] = {}
    for at in sorted(changes):
        values |= changes[at]
        played.append(Row(at, **values))
    return tuple(played)


def columns(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """The names of what was recorded."""
    return tuple(_recorded(rows[0]))


def _recorded(row: Row) -> dict[str, float]:
    values = ((name, getattr(row, name)) for name in COLUMNS[1:])
    return {name: value for name, value in values if value is not None}


def driven(files: Sequence[Path], duration_s: float) -> Driven:
    """The settings of a link that recordings drive, for a call of this length."""
    recordings = {file: _read_of(file, files) for file in files}
    owners: dict[str, Path] = {}
    for file, rows in recordings.items():
        for name in columns(rows):
            if name in owners:
                both = f"{owners[name].name} and {file.name}"
                raise TestbedError(f"{both} have {name}: expected it in one of them")
            owners[name] = file
    played = together(recordings.values(), duration_s)
    rate = None
    if "kbps" in owners:
        rate = _rate(owners["kbps"], recordings[owners["kbps"]], played)
    return Driven(rate, _conditions(played))


def _read_of(file: Path, files: Sequence[Path]) -> tuple[Row, ...]:
    """The rows of one of the files, whose errors name it where there are several."""
    try:
        return read(file)
    except TestbedError as problem:
        if len(files) == 1:
            raise
        raise TestbedError(f"{file.name}: {problem}") from None


def _rate(
    file: Path, rows: tuple[Row, ...], played: tuple[Row, ...]
) -> tuple[RateSchedule, LinkTrace]:
    mean = RateSchedule(_steps(rows)).mean_kbps(0.0, length_s(rows))
    if mean <= 0:
        raise TestbedError("its rate is always 0")
    return RateSchedule(_steps(played)), LinkTrace(str(file), mean, CHANGE_PASSES_BYTES)


def _steps(rows: Iterable[Row]) -> tuple[RateStep, ...]:
    """The rates of the rows, each where it differs from the one before."""
    steps: list[RateStep] = []
    for row in rows:
        at = 0.0 if not steps else row.time_s
        if not steps or steps[-1].kbps != row.kbps:
            steps.append(RateStep(at, row.kbps or 0.0))
    return tuple(steps)


def _conditions(rows: Iterable[Row]) -> tuple[Condition, ...]:
    """Delays and losses of the rows, each where it differs from the one before."""
    found: list[Condition] = []
    for row in rows:
        if row.delay_ms is None and row.loss_percent is None:
            return ()
        condition = Condition(row.time_s, row.delay_ms or 0.0, row.loss_percent or 0.0)
        if not found or found[-1].differs(condition):
            found.append(condition)
    return tuple(found)
