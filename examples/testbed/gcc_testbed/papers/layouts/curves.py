"""A quantity against a setting, a line for each value of another: PV'13 5, 8; CCR'16 5; IETF 88.

    x, by            scenario keys; without `by` one line
    panels           measures
    log              true: a logarithmic x axis
Published numbers with the same quantity are drawn as crosses.
"""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from gcc_testbed.papers.calls import Call, by_point, deviation, mean
from gcc_testbed.papers.layouts.axes import (
    COLOURS,
    CROWD,
    MARKERS,
    label,
    line_name,
    panels,
    values_of,
)
from gcc_testbed.papers.paper import Figure, Paper


def draw(figure: Figure, calls: list[Call], paper: Paper) -> Drawing:
    """One panel a quantity."""
    x, by = figure.how["x"], figure.how.get("by")
    drawn, axes = panels(len(figure.how["panels"]), figure.how.get("columns", 2))
    for axis, quantity in zip(axes, figure.how["panels"], strict=True):
        lines = values_of(calls, by) if by else [None]
        for number, value in enumerate(lines):
            of_line = [call for call in calls if not by or call.keys.get(by) == value]
            points = sorted(
                (of_point[0].keys[x], middle, deviation(of_point, quantity))
                for of_point in by_point(of_line).values()
                if (middle := mean(of_point, quantity)) is not None
            )
            name = line_name(by, value) if by else "ours"
            axis.errorbar(
                [point[0] for point in points],
                [point[1] for point in points],
                [point[2] for point in points],
                color=COLOURS[number],
                marker=MARKERS[number],
                ms=4,
                lw=1.3,
                capsize=2,
                label=name,
            )
            _published(figure, quantity, paper, axis, {} if by is None else {by: value}, number)
        label(axis, x, quantity)
        axis.set_ylim(bottom=0)
        if figure.how.get("log"):
            axis.set_xscale("symlog")
            axis.set_xticks(values_of(calls, x), [str(v) for v in values_of(calls, x)])
    if by or axes[0].get_legend_handles_labels()[0]:
        axes[0].legend(frameon=False, fontsize=8)
    return drawn


def _published(
    figure: Figure,
    quantity: str,
    paper: Paper,
    axis: Axes,
    line: dict[str, object],
    number: int,
) -> None:
    """Crosses, with the paper's own deviation, for the numbers of its text and tables."""
    x = figure.how["x"]
    published = [
        (result.where[x][0], result.value, result.tolerance or 0.0)
        for result in paper.results
        if result.figure == figure.name
        and result.quantity == quantity
        and result.value is not None
        and len(result.where.get(x, [])) == 1
        and all(result.where.get(key, [value]) == [value] for key, value in line.items())
    ]
    if published:
        axis.errorbar(
            [each[0] for each in published],
            [each[1] for each in published],
            [each[2] for each in published],
            color=COLOURS[number] if line else CROWD,
            marker="x",
            ms=7,
            lw=0.8,
            ls=":",
            alpha=0.75,
            label="published",
        )
