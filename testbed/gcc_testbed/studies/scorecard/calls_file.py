"""`calls.csv`: a line for each call of a card, with every measure.

A card that was made on one machine, or in one session, is continued on another from this file.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.studies.scorecard.measures import MEASURES, Values
from gcc_testbed.support.errors import TestbedError


@dataclass(frozen=True)
class Key:
    """Which call of a card: the names of its row and column, and its seed."""

    row: str
    column: str
    seed: int


@dataclass(frozen=True)
class Call:
    """The results of a finished call."""

    values: Values
    # The commit that made it; "" in older files.
    commit: str = ""


def write(calls: Iterable[tuple[Key, Call, float | None]], file: Path) -> None:
    """Each call with its points."""
    with file.open("w", newline="") as content:
        lines = csv.writer(content, lineterminator="\n")
        lines.writerow(["row", "column", "seed", "commit", "points", *MEASURES])
        for key, call, points in calls:
            numbers = [points, *(call.values.get(name) for name in MEASURES)]
            shown = ["" if number is None else f"{number:.6g}" for number in numbers]
            lines.writerow([key.row, key.column, key.seed, call.commit, *shown])


def read(file: Path) -> dict[Key, Call]:
    """The calls of a file that `write` wrote; points are not read, they follow from the rest."""
    try:
        with file.open(newline="") as content:
            return dict(_calls(csv.DictReader(content), file))
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise TestbedError(f"--with {file}: {problem}") from None


def _calls(lines: csv.DictReader[str], file: Path) -> Iterator[tuple[Key, Call]]:
    for number, line in enumerate(lines, 2):
        try:
            key = Key(line["row"], line["column"], int(line["seed"]))
            call = Call({name: _number(line, name) for name in MEASURES}, line.get("commit") or "")
        except (KeyError, TypeError, ValueError) as problem:
            raise TestbedError(
                f"--with {file}: line {number}: expected the calls.csv of a card ({problem})"
            ) from None
        yield key, call


def _number(line: Mapping[str, str], name: str) -> float | None:
    """None also for a measure that is newer than the file."""
    return float(line[name]) if line.get(name) else None
