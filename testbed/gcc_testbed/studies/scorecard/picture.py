"""The card as one picture: a line for each call, a dot for each contender, better to the right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gcc_testbed.report.style import COLOUR, FLOWS, STYLE
from gcc_testbed.studies.scorecard.card import Column, Row
from gcc_testbed.studies.scorecard.results import Results

LINE_INCHES = 0.29
# Contenders of one call lie this much of a line apart, so that their spreads can be told apart.
APART = 0.11


def draw(results: Results, file: Path) -> None:
    with plt.rc_context(STYLE):
        figure = _figure(results)
        figure.savefig(file, dpi=130, bbox_inches="tight", metadata={"Software": None})
        plt.close(figure)


def _figure(results: Results) -> Figure:
    rows = results.rows()
    groups = [group for group in results.card.groups if any(r.group == group[0] for r in rows)]
    lines = len(rows) + len(groups)
    figure, axis = plt.subplots(figsize=(10, 0.6 + LINE_INCHES * lines))
    at, ticks, labels = 0, [], []
    for group, title in groups:
        axis.text(0.5, at, title, fontweight="bold", va="center", fontsize=9)
        axis.axhline(at - 0.5, color=COLOUR["capacity"], lw=0.8)
        at += 1
        for row in (row for row in rows if row.group == group):
            _call(axis, at, results, row)
            ticks.append(at)
            labels.append(row.title)
            at += 1
    axis.set_yticks(ticks, labels)
    axis.set_ylim(at - 0.4, -0.6)
    axis.set_xlim(-1, 101)
    axis.set_xlabel("points; 100: the link full, no delay, no loss")
    axis.tick_params(axis="y", length=0)
    _legend(axis, results)
    return figure


def _call(axis: Axes, at: int, results: Results, row: Row) -> None:
    """The contenders of one call, each with its spread."""
    columns = results.columns()
    winner = results.verdict(row).winner
    for number, column in enumerate(columns):
        cell = results.cell(row, column)
        if cell is None or cell.score is None:
            continue
        y = at + APART * (number - (len(columns) - 1) / 2)
        look = _look(results, column)
        axis.hlines(y, *cell.range, color=look["mec"], lw=1.4, alpha=0.6)
        axis.plot(cell.score, y, zorder=3, **look)
        if column.name == winner:
            axis.plot(cell.score, y, zorder=4, **_ring(look["mec"]))


def _look(results: Results, column: Column) -> dict[str, Any]:
    """Ours, which come first, are filled and large."""
    columns = results.card.columns
    colour = FLOWS[columns.index(column) % len(FLOWS)]
    ours = column.of == columns[0].of
    face = colour if ours else "white"
    size = 7.5 if ours else 5.5
    return {"marker": "o", "ls": "none", "ms": size, "mfc": face, "mec": colour, "mew": 1.4}


def _ring(colour: str) -> dict[str, Any]:
    return {"marker": "o", "ls": "none", "ms": 13, "mfc": "none", "mec": colour, "mew": 1.0}


def _legend(axis: Axes, results: Results) -> None:
    for column in results.columns():
        axis.plot([], [], label=column.title, **_look(results, column))
    axis.plot([], [], label="wins the call", **_ring(COLOUR["text"]))
    axis.plot([], [], color=COLOUR["text"], lw=1.4, alpha=0.6, label="least to most of the seeds")
    axis.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=4, frameon=False, borderaxespad=0.3,
        fontsize=8.5, handletextpad=0.4, columnspacing=1.4,
    )  # fmt: skip
    axis.annotate(
        "better →", (1, 0), xycoords="axes fraction", xytext=(0, -24), textcoords="offset points",
        ha="right", fontsize=9, fontweight="bold",
    )  # fmt: skip
