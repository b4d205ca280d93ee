"""A quantity against a setting, a line for each value of another: PV'13 5, 8; CCR'16 5; IETF 88.

    x, by            scenario keys; without `by` one line
    panels           measures
    log              true: a logarithmic x axis
Published numbers of the same quantity are marked: crosses where they are of one x, else bands.
"""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from gcc_testbed.studies.papers.calls import Call, by_point, mean, spread
from gcc_testbed.studies.papers.layouts.axes import (
    COLOURS,
    CROWD,
    MARKERS,
    label,
    line_name,
    mark,
    panels,
    published,
    values_of,
)
from gcc_testbed.studies.papers.paper import Figure, Paper, Result


def draw(figure: Figure, calls: list[Call], paper: Paper) -> Drawing:
    """One panel a quantity."""
    x, by = figure.how["x"], figure.how.get("by")
    drawn, axes = panels(len(figure.how["panels"]), figure.how.get("columns", 2))
    for axis, quantity in zip(axes, figure.how["panels"], strict=True):
        lines = values_of(calls, by) if by else [None]
        for number, value in enumerate(lines):
            of_line = [call for call in calls if not by or call.keys.get(by) == value]
            points = sorted(
                (of_point[0].keys[x], middle, spread(of_point, quantity))
                for of_point in by_point(of_line).values()
                if (middle := mean(of_point, quantity)) is not None
            )
            name = line_name(by, value) if by else "ours"
            axis.errorbar(
                [point[0] for point in points],
                [point[1] for point in points],
                [[point[2][side] for point in points] for side in (0, 1)],
                color=COLOURS[number],
                marker=MARKERS[number],
                ms=4,
                lw=1.3,
                capsize=2,
                label=name,
            )
            _crosses(figure, quantity, paper, axis, {} if by is None else {by: value}, number)
        for result in published(paper, figure, quantity):
            if not (len(result.where.get(x, [])) == 1 and result.value is not None):
                mark(axis, result, *_span(result, x))
        label(axis, x, quantity)
        axis.set_ylim(bottom=0)
        if figure.how.get("log"):
            _make_logarithmic(axis, values_of(calls, x))
    if by or axes[0].get_legend_handles_labels()[0]:
        axes[0].legend(frameon=False, fontsize=8)
    return drawn


def _make_logarithmic(axis: Axes, values: list[Any]) -> None:
    """With a tick at each value; the limits found before were those of a linear axis."""
    axis.set_xscale("symlog")
    axis.set_xticks(values, [str(value) for value in values])
    axis.set_xlim(min(values) / 1.5 if min(values) > 0 else -0.5, max(values) * 1.5)


def _span(result: Result, x: str) -> tuple[float, float] | tuple[None, None]:
    """The part of the x axis that a result is about; all of it where it names none."""
    values = result.where.get(x, [])
    if not values:
        return None, None
    return 0.97 * min(values), 1.03 * max(values)


def _crosses(
    figure: Figure,
    quantity: str,
    paper: Paper,
    axis: Axes,
    line: dict[str, object],
    number: int,
) -> None:
    """Crosses, with the paper's own deviation, for the numbers of its text and tables."""
    x = figure.how["x"]
    crosses = [
        (result.where[x][0], result.value, result.tolerance or 0.0)
        for result in paper.results
        if result.figure == figure.name
        and result.quantity == quantity
        and result.value is not None
        and len(result.where.get(x, [])) == 1
        and all(result.where.get(key, [value]) == [value] for key, value in line.items())
    ]
    if crosses:
        axis.errorbar(
            [each[0] for each in crosses],
            [each[1] for each in crosses],
            [each[2] for each in crosses],
            color=COLOURS[number] if line else CROWD,
            marker="x",
            ms=7,
            lw=0.8,
            ls=":",
            alpha=0.75,
            label="published",
        )
