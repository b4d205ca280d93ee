"""Rows in which nothing may be much worse than with the best contender of another owner."""

from __future__ import annotations

from dataclasses import dataclass

from gcc_testbed.studies.scorecard.card import Column, Row
from gcc_testbed.studies.scorecard.measures import MEASURES
from gcc_testbed.studies.scorecard.results import Results

# More than this fraction of the other's value is much.
MUCH = 0.1


@dataclass(frozen=True)
class Compared:
    """How a measure is compared; a difference up to `least` is none."""

    more_is_better: bool
    least: float
    # In the cells of the table.
    short: str

    def is_much_worse(self, ours: float, theirs: float) -> bool:
        better, worse = (ours, theirs) if self.more_is_better else (theirs, ours)
        return better < worse - max(MUCH * theirs, self.least)

    def best(self, values: list[float]) -> float:
        return max(values) if self.more_is_better else min(values)


COMPARED = {
    "utilisation": Compared(more_is_better=True, least=0.0, short="U"),
    "queueing_p95_ms": Compared(more_is_better=False, least=1.0, short="p95"),
    "loss_percent": Compared(more_is_better=False, least=0.1, short="lost"),
}


def ours(results: Results) -> list[Column]:
    """The columns of the first column's owner."""
    owner = results.card.columns[0].of
    return [column for column in results.columns() if column.of == owner]


def best_other(results: Results, row: Row, measure: str) -> float | None:
    """The best median of another owner; None where no other has it."""
    owner = results.card.columns[0].of
    medians = [
        median
        for column in results.columns()
        if column.of != owner and (cell := results.cell(row, column)) is not None
        if (median := cell.median(measure)) is not None
    ]
    return COMPARED[measure].best(medians) if medians else None


def much_worse(results: Results, row: Row, column: Column) -> list[str] | None:
    """The measures in which a contender is; None where it cannot be compared."""
    cell, found = results.cell(row, column), []
    if cell is None:
        return None
    for measure, compared in COMPARED.items():
        median, theirs = cell.median(measure), best_other(results, row, measure)
        if median is None or theirs is None:
            return None
        if compared.is_much_worse(median, theirs):
            found.append(measure)
    return found


def table(results: Results) -> list[str]:
    """A line for each row that asks for it; empty without any."""
    columns = ours(results)
    rows = [row for row in results.rows() if row.beside_peers]
    judged = [row for row in rows if any(much_worse(results, row, c) is not None for c in columns)]
    if not judged:
        return []
    titles = [MEASURES[measure].title for measure in COMPARED]
    return [
        "## Beside the best of the others",
        "",
        f"Goal: none of {', '.join(titles)} is more than a tenth worse than with the best of the "
        "other contenders. A difference of 1 ms or 0.1 % is none. A cell names the measures that "
        "are worse, ours and theirs.",
        "",
        f"| call | {' | '.join(column.title for column in columns)} |",
        f"|---|{'---|' * len(columns)}",
        *(
            f"| {row.title} | {' | '.join(_cell(results, row, column) for column in columns)} |"
            for row in judged
        ),
    ]


def _cell(results: Results, row: Row, column: Column) -> str:
    measures, cell = much_worse(results, row, column), results.cell(row, column)
    if measures is None or cell is None:
        return "–"
    return "✗ " + ", ".join(_pair(results, row, column, m) for m in measures) if measures else "✓"


def _pair(results: Results, row: Row, column: Column, measure: str) -> str:
    digits = MEASURES[measure].digits
    cell = results.cell(row, column)
    values = (None if cell is None else cell.median(measure), best_other(results, row, measure))
    shown = ("–" if value is None else f"{value:.{digits}f}" for value in values)
    return f"{COMPARED[measure].short} {'/'.join(shown)}"
