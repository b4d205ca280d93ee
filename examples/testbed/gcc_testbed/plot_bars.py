"""Groups of bars with their deviation: FhMN'13 5a, 5b, 7, 10; CCR'16 4, 6, 7.

x                scenario key: a group for each value
by               scenario key, or "seed": a bar for each value in a group
panels           measures, or lists of measures that are stacked
stacked, named   names of the stacked measures, and of the values of `by`
"""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from gcc_testbed.made import Made, deviation, mean
from gcc_testbed.measures import MEASURES
from gcc_testbed.paper import Figure, Paper
from gcc_testbed.plots import COLOURS, key_name, legend, line_name, panels, value_name, values_of

WIDTH = 0.8


def draw(figure: Figure, calls: list[Made], _: Paper) -> plt.Figure:
    """One panel a measure, or a stack of measures."""
    shown = [[panel] if isinstance(panel, str) else panel for panel in figure.how["panels"]]
    drawn, axes = panels(len(shown), figure.how.get("columns", 2), width=5.2)
    groups = values_of(calls, figure.how["x"])
    for axis, stack in zip(axes, shown, strict=True):
        _bars(axis, figure, calls, stack)
        axis.set_xticks(range(len(groups)), [value_name(group) for group in groups])
        axis.set_xlabel(key_name(figure.how["x"]))
        axis.set_ylabel("part of b" if len(stack) > 1 else MEASURES[stack[0]].label)
        axis.grid(axis="x", visible=False)
        legend(axis, 3)
    return drawn


def _bars(axis: Axes, figure: Figure, calls: list[Made], stack: list[str]) -> None:
    """A bar, or a stack, for each value of `by` in each group."""
    x, by = figure.how["x"], figure.how["by"]
    bars = _values(calls, by)
    wide = WIDTH / max(len(bars), 1)
    for place, group in enumerate(values_of(calls, x)):
        for number, bar in enumerate(bars):
            cell = [call for call in calls if call.keys.get(x) == group and _value(call, by) == bar]
            if not cell:
                continue
            at, bottom = place + (number - (len(bars) - 1) / 2) * wide, 0.0
            for level, measure in enumerate(stack):
                height = mean(cell, measure) or 0.0
                axis.bar(
                    at,
                    height,
                    0.92 * wide,
                    bottom=bottom,
                    color=COLOURS[number if len(stack) == 1 else level],
                    yerr=deviation(cell, measure) or None,
                    error_kw={"lw": 0.8, "capsize": 1.5},
                    label=_label(axis, figure, stack, level, bar),
                )
                bottom += height
            if len(stack) > 1:
                _name(axis, at, figure.how.get("named", {}).get(str(bar), value_name(bar)))


def _name(axis: Axes, at: float, name: str) -> None:
    """At the foot of a stack."""
    where = {"ha": "center", "va": "bottom", "xytext": (0, 3), "textcoords": "offset points"}
    axis.annotate(name, (at, 0), fontsize=6, rotation=90, color="white", **where)


def _values(calls: list[Made], by: str) -> list[object]:
    return sorted({call.seed for call in calls}) if by == "seed" else values_of(calls, by)


def _value(call: Made, by: str) -> object:
    return call.seed if by == "seed" else call.keys.get(by)


def _label(axis: Axes, figure: Figure, stack: list[str], level: int, bar: object) -> str | None:
    """For the legend, once."""
    if len(stack) > 1:
        name = figure.how.get("stacked", [MEASURES[measure].label for measure in stack])[level]
    elif figure.how["by"] == "seed":
        name = f"run {bar}"
    else:
        name = line_name(figure.how["by"], bar)
    return None if name in axis.get_legend_handles_labels()[1] else name
