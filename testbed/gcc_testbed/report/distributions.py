"""Plots of distributions over the measured interval, one file each."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gcc_testbed.measure.metrics import Record
from gcc_testbed.report.panels import colours
from gcc_testbed.report.style import COLOUR, CROWD


def _measured_delays(record: Record) -> list[tuple[str, str, NDArray[np.float64]]]:
    """(name, colour, delays in ms) of every flow, or crowd, over the measured interval."""
    begin, end = record.scenario.measure_from_s, record.scenario.duration_s
    found: list[tuple[str, str, NDArray[np.float64]]] = []
    crowd = []
    for flow, colour in zip(record.flows, colours(record), strict=True):
        sent = flow.journeys.between(begin, end)
        values = sent.delay_s[sent.arrived] * 1000
        if colour == CROWD:
            crowd.append(values)
        else:
            found.append((flow.flow.label, colour, values))
    if crowd:
        found.append((f"{len(crowd)} TCP", CROWD, np.concatenate(crowd)))
    return found


def delay_cdf(record: Record) -> Figure:
    figure, axis = plt.subplots(figsize=(5, 3.6))
    for name, colour, values in _measured_delays(record):
        if len(values):
            ordered = np.sort(values)
            part = np.arange(1, len(ordered) + 1) / len(ordered)
            # A thousand points draw the same line as a million.
            some = np.unique(np.linspace(0, len(ordered) - 1, 1000).astype(int))
            axis.step(ordered[some], part[some], where="post", color=colour, lw=1.4, label=name)
    axis.set_xlabel("one-way queueing (ms)")
    axis.set_ylabel("part of the packets")
    axis.set_xlim(left=0)
    axis.set_ylim(0, 1.01)
    if axis.lines:
        axis.legend(frameon=False, loc="lower right")
    return figure


def delay_boxes(record: Record) -> Figure:
    """Quartiles and median; whiskers at 5 and 95 %."""
    shown = [entry for entry in _measured_delays(record) if len(entry[2])]
    figure, axis = plt.subplots(figsize=(5, 3.6))
    if shown:
        drawn = axis.boxplot(
            [values for _, _, values in shown],
            whis=(5, 95),
            showfliers=False,
            widths=0.6,
            patch_artist=True,
            medianprops={"color": COLOUR["text"], "lw": 1.6},
        )
        for box, (_, colour, _) in zip(drawn["boxes"], shown, strict=True):
            box.set(facecolor=colour, alpha=0.55, lw=0.8)
        axis.set_xticks(
            range(1, len(shown) + 1),
            [name for name, _, _ in shown],
            rotation=0 if len(shown) <= 6 else 45,
        )
    axis.set_ylim(bottom=0)
    axis.set_ylabel("one-way queueing (ms)\n5, 25, 50, 75, 95 %")
    axis.grid(axis="x", visible=False)
    return figure


def shares(record: Record, metrics: dict[str, Any]) -> Figure:
    """Mean received rate of every flow while it was active, beside the equal share."""
    entries = list(zip(record.flows, colours(record), metrics["flows"], strict=True))
    figure, axis = plt.subplots(figsize=(5, max(1.6, 0.3 * min(len(entries), 40) + 0.9)))
    names = [flow.flow.label for flow, _, _ in entries]
    axis.barh(
        range(len(entries)),
        [measured["received_kbps"] for _, _, measured in entries],
        color=[colour for _, colour, _ in entries],
        height=0.75,
    )
    axis.set_yticks(range(len(entries)), names, fontsize=9 if len(entries) <= 40 else 3)
    axis.invert_yaxis()
    forward = [flow for flow in record.flows if flow.flow.direction == "forward"]
    if len(forward) > 1:
        equal = metrics["capacity_kbps"] / len(forward)
        axis.axvline(equal, color=COLOUR["capacity edge"], lw=1.2, ls="--")
        axis.annotate(
            "equal share",
            (equal, 1),
            xycoords=("data", "axes fraction"),
            xytext=(3, 2),
            textcoords="offset points",
            fontsize=7.5,
            color=COLOUR["capacity edge"],
        )
    axis.set_xlabel("received (kbit/s)")
    axis.grid(axis="y", visible=False)
    return figure
