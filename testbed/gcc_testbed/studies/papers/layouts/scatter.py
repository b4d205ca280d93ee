"""Two quantities against each other, a colour and a regression line for each value: PV'13 7.

panels           [[x quantity, y quantity, scenario key], ...]
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure as Drawing

from gcc_testbed.studies.papers.calls import Call, by_point, mean
from gcc_testbed.studies.papers.layouts.axes import (
    COLOURS,
    MARKERS,
    line_name,
    mark,
    panels,
    published,
    values_of,
)
from gcc_testbed.studies.papers.paper import Figure, Paper
from gcc_testbed.studies.papers.quantities import QUANTITIES


def draw(figure: Figure, calls: list[Call], paper: Paper) -> Drawing:
    """One panel a pair of quantities; a dot is a point of the sweep."""
    drawn, axes = panels(len(figure.how["panels"]), 2, height=3.2)
    for axis, (across, up, by) in zip(axes, figure.how["panels"], strict=True):
        for number, value in enumerate(sorted(values_of(calls, by))):
            of_value = [call for call in calls if call.keys[by] == value]
            points = [
                (mean(of_point, across), mean(of_point, up))
                for of_point in by_point(of_value).values()
            ]
            known = np.array([p for p in points if None not in p], float).reshape(-1, 2)
            colour = COLOURS[number]
            axis.plot(
                known[:, 0], known[:, 1], MARKERS[number], color=colour, ms=4,
                label=line_name(by, value),
            )  # fmt: skip
            if len(set(known[:, 0])) > 1:
                slope, start = np.polyfit(known[:, 0], known[:, 1], 1)
                ends = np.array([known[:, 0].min(), known[:, 0].max()])
                axis.plot(ends, start + slope * ends, color=colour, lw=1)
        axis.set_xlabel(QUANTITIES[across].label)
        axis.set_ylabel(QUANTITIES[up].label)
        axis.set_ylim(bottom=0)
        for result in published(paper, figure, up):
            mark(axis, result)
        axis.legend(frameon=False, fontsize=8)
    return drawn
