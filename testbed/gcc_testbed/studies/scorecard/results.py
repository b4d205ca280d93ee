"""Finished calls of the card: medians and spread over the seeds, and the winner of each row."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from gcc_testbed.studies.scorecard import calls_file
from gcc_testbed.studies.scorecard.calls_file import Call, Key
from gcc_testbed.studies.scorecard.card import Card, Column, Row, run_of
from gcc_testbed.studies.scorecard.measures import Values, of_call, points
from gcc_testbed.studies.sweeps.directory import duration_s
from gcc_testbed.support.output import MARK

# Fewer points apart than this, two contenders are even.
EVEN_POINTS = 1.0


@dataclass(frozen=True)
class Cell:
    """A contender's calls of one row."""

    # Seed by seed.
    values: dict[int, Values]
    points: dict[int, float] = field(default_factory=dict)
    commits: dict[int, str] = field(default_factory=dict)

    def of(self, measure: str) -> list[float]:
        found = (values.get(measure) for values in self.values.values())
        return [value for value in found if value is not None]

    def median(self, measure: str) -> float | None:
        """None where nothing is known; a rate that was never reached took for ever."""
        known = self.of(measure)
        if measure == "reach_s":
            known += [math.inf] * (len(self.values) - len(known))
        found = statistics.median(known) if known else math.inf
        return None if math.isinf(found) else found

    @property
    def score(self) -> float | None:
        return statistics.median(self.points.values()) if self.points else None

    @property
    def range(self) -> tuple[float, float]:
        return min(self.points.values()), max(self.points.values())


@dataclass(frozen=True)
class Verdict:
    """The winner of a row: a contender or none, and its lead over the others' best in points."""

    winner: str | None
    by: float | None


@dataclass(frozen=True)
class Results:
    """All results."""

    card: Card
    # By row and column; only those with a finished call.
    cells: dict[tuple[str, str], Cell]
    # Columns and rows that could not be run, and why.
    missing: dict[str, str] = field(default_factory=dict)
    # That made the calls, "" where it was not recorded.
    commits: tuple[str, ...] = ()
    calls: int = 0
    hours: float = 0.0

    def rows(self) -> list[Row]:
        """Those with a finished call."""
        done = {row for row, _ in self.cells}
        return [row for row in self.card.rows if row.name in done]

    def columns(self) -> list[Column]:
        done = {column for _, column in self.cells}
        return [column for column in self.card.columns if column.name in done]

    def cell(self, row: Row, column: Column) -> Cell | None:
        return self.cells.get((row.name, column.name))

    def lost(self) -> list[Row]:
        """The rows in which the first column's owner is worse than every other contender."""
        ours, found = self.card.columns[0].of, []
        for row in self.rows():
            scores = [
                (column.of == ours, cell.score)
                for column in self.columns()
                if (cell := self.cell(row, column)) is not None and cell.score is not None
            ]
            own = [score for own, score in scores if own]
            others = [score for own, score in scores if not own]
            if own and others and max(own) <= min(others) - EVEN_POINTS:
                found.append(row)
        return found

    def verdict(self, row: Row) -> Verdict:
        """The best median wins, by what it is before the best of another owner.

        Nobody wins when that is less than a point, or when the two overlap within their spread.
        """
        scored = [
            (cell.score, column, cell)
            for column in self.columns()
            if (cell := self.cell(row, column)) is not None and cell.score is not None
        ]
        if not scored:
            return Verdict(None, None)
        score, best, cell = max(scored, key=lambda entry: entry[0])
        others = [entry for entry in scored if entry[1].of != best.of]
        if not others:
            return Verdict(best.name, None)
        second, _, other = max(others, key=lambda entry: entry[0])
        overlap = len(cell.points) > 1 and cell.range[0] <= other.range[1]
        even = score - second < EVEN_POINTS or overlap
        return Verdict(None if even else best.name, score - second)


def read(
    card: Card,
    out: Path,
    seeds: int,
    missing: dict[str, str],
    elsewhere: Mapping[Key, Call] = MappingProxyType({}),
) -> Results:
    """The finished calls below `out`, and those made elsewhere that are not among them."""
    cells: dict[tuple[str, str], Cell] = {}
    commits: dict[str, None] = {}
    hours = calls = 0.0
    for row in card.rows:
        for column in card.columns:
            cell = Cell({})
            for seed in range(1, seeds + 1):
                run = run_of(row, column, seed)
                key = Key(row.name, column.name, seed)
                call = made(out / run.directory, row) or elsewhere.get(key)
                if call is None:
                    continue
                cell.values[seed] = call.values
                cell.commits[seed] = call.commit
                won = points(
                    call.values,
                    fair_share=row.fair_share,
                    path_loss_percent=row.path_loss_percent,
                    reach=row.reach is not None,
                )
                if won is not None:
                    cell.points[seed] = won
                commits[call.commit] = None
                hours += duration_s(run) / 3600
                calls += 1
            if cell.values:
                cells[row.name, column.name] = cell
    return Results(card, cells, missing, tuple(commits), int(calls), hours)


def made(directory: Path, row: Row) -> Call | None:
    """A call of this card's own, None unless it is finished."""
    values = of_call(directory, None if row.reach is None else (row.reach.from_s, row.reach.kbps))
    if values is None:
        return None
    record = json.loads((directory / MARK).read_text())
    return Call(values, record["versions"].get("commit", ""))


def write_csv(results: Results, file: Path) -> None:
    """A line for each call, with every measure."""
    calls_file.write(
        (
            (Key(row, column, seed), Call(values, cell.commits[seed]), cell.points.get(seed))
            for (row, column), cell in results.cells.items()
            for seed, values in cell.values.items()
        ),
        file,
    )
