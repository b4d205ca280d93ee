"""Groups of bars with their spread: FhMN'13 5a, 5b, 7, 10; CCR'16 4, 6, 7.

x                scenario key: a group for each value
by               scenario key, or "seed": a bar for each value in a group
panels           measures, or lists of measures that are stacked
stacked, named   names of the stacked measures, and of the values of `by`
"""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from gcc_testbed.studies.papers.calls import Call, mean
from gcc_testbed.studies.papers.layouts.axes import (
    COLOURS,
    key_name,
    legend,
    line_name,
    mark_cells,
    panels,
    published,
    value_name,
    values_of,
    whiskers,
)
from gcc_testbed.studies.papers.paper import Figure, Paper
from gcc_testbed.studies.papers.quantities import QUANTITIES

WIDTH = 0.8


def draw(figure: Figure, calls: list[Call], paper: Paper) -> Drawing:
    """One panel a quantity, or a stack of quantities; published numbers are marked."""
    shown = [[panel] if isinstance(panel, str) else panel for panel in figure.how["panels"]]
    drawn, axes = panels(len(shown), figure.how.get("columns", 2), width=5.2)
    groups = values_of(calls, figure.how["x"])
    for axis, stack in zip(axes, shown, strict=True):
        _bars(axis, figure, calls, stack)
        # In a stack only the height of its first part is one of the paper's quantities.
        for result in published(paper, figure, stack[0]):
            x, by = figure.how["x"], figure.how["by"]
            mark_cells(axis, result, x, by, groups, _values(calls, by))
        axis.set_xticks(range(len(groups)), [value_name(group) for group in groups])
        axis.set_xlabel(key_name(figure.how["x"]))
        axis.set_ylabel("part of b" if len(stack) > 1 else QUANTITIES[stack[0]].label)
        axis.grid(axis="x", visible=False)
        legend(axis, 3)
    return drawn


def _bars(axis: Axes, figure: Figure, calls: list[Call], stack: list[str]) -> None:
    """A bar, or a stack, for each value of `by` in each group."""
    x, by = figure.how["x"], figure.how["by"]
    bars = _values(calls, by)
    wide = WIDTH / max(len(bars), 1)
    for position, group in enumerate(values_of(calls, x)):
        for number, bar in enumerate(bars):
            cell = [call for call in calls if call.keys.get(x) == group and _value(call, by) == bar]
            if not cell:
                continue
            at, bottom = position + (number - (len(bars) - 1) / 2) * wide, 0.0
            for level, quantity in enumerate(stack):
                height = mean(cell, quantity) or 0.0
                axis.bar(
                    at,
                    height,
                    0.92 * wide,
                    bottom=bottom,
                    color=COLOURS[number if len(stack) == 1 else level],
                    # on top of others' it would mark no value
                    yerr=whiskers(cell, quantity) if level == 0 else None,
                    error_kw={"lw": 0.8, "capsize": 1.5},
                    label=_label(axis, figure, stack, level, bar),
                )
                bottom += height
            if len(stack) > 1:
                _name(axis, at, figure.how.get("named", {}).get(str(bar), value_name(bar)))


def _name(axis: Axes, at: float, name: str) -> None:
    """At the foot of a stack."""
    axis.annotate(
        name, (at, 0), xytext=(0, 3), textcoords="offset points", ha="center", va="bottom",
        fontsize=6, rotation=90, color="white",
    )  # fmt: skip


def _values(calls: list[Call], by: str) -> list[Any]:
    return sorted({call.seed for call in calls}) if by == "seed" else values_of(calls, by)


def _value(call: Call, by: str) -> object:
    return call.seed if by == "seed" else call.keys.get(by)


def _label(axis: Axes, figure: Figure, stack: list[str], level: int, bar: object) -> str | None:
    """For the legend, once."""
    if len(stack) > 1:
        name = figure.how.get("stacked", [QUANTITIES[quantity].label for quantity in stack])[level]
    elif figure.how["by"] == "seed":
        name = f"run {bar}"
    else:
        name = line_name(figure.how["by"], bar)
    return None if name in axis.get_legend_handles_labels()[1] else name
