"""One measure against another, a colour and a regression line for each value of a setting: PV'13 7.

panels           [[x measure, y measure, scenario key], ...]
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from gcc_testbed.made import Made, by_point, mean
from gcc_testbed.measures import MEASURES
from gcc_testbed.paper import Figure, Paper
from gcc_testbed.plots import COLOURS, MARKERS, line_name, panels, values_of


def draw(figure: Figure, calls: list[Made], _: Paper) -> plt.Figure:
    """One panel a pair of measures; a dot is a point of the sweep."""
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
        axis.set_xlabel(MEASURES[across].label)
        axis.set_ylabel(MEASURES[up].label)
        axis.set_ylim(bottom=0)
        axis.legend(frameon=False, fontsize=8)
    return drawn
