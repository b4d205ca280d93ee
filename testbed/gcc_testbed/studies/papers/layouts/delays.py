"""The queueing delay as boxes or distributions, by percentiles: CCR'16 4, 6, 7; FhMN'13 5c.

x, by            scenario keys: a group, and a box or line in it
bars             measures that are shown as bars before the boxes
kind             "boxes" (5, 25, 50, 75, 95 %) or "cdf"
"""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from gcc_testbed.studies.papers.calls import Call, mean
from gcc_testbed.studies.papers.layouts.axes import (
    COLOURS,
    CROWD,
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

PARTS = {"T_q p5": 0.05, "T_q p25": 0.25, "T_q p50": 0.5, "T_q p75": 0.75, "T_q p95": 0.95}


def draw(figure: Figure, calls: list[Call], paper: Paper) -> Drawing:
    """Delays, with other quantities as bars in the same groups before them."""
    if figure.how["kind"] == "cdf":
        drawn, (axis,) = panels(1, 1, width=5)
        _lines(axis, figure, calls)
        _published_parts(axis, figure, paper)
        return drawn
    others = figure.how.get("bars", [])
    drawn, axes = panels(len(others) + 1, len(others) + 1, width=4.6, height=3)
    for axis, quantity in zip(axes, [*others, None], strict=True):
        _grouped(axis, figure, calls, quantity)
        x, by = figure.how["x"], figure.how["by"]
        for name in [quantity] if quantity is not None else ["T_q", *PARTS]:
            for result in published(paper, figure, name):
                mark_cells(axis, result, x, by, values_of(calls, x), values_of(calls, by))
    legend(axes[0], 5)
    return drawn


def _grouped(axis: Axes, figure: Figure, calls: list[Call], quantity: str | None) -> None:
    """Bars of a quantity, or boxes of the delay without one."""
    x, by = figure.how["x"], figure.how["by"]
    groups, members = values_of(calls, x), values_of(calls, by)
    wide = 0.8 / max(len(members), 1)
    for number, member in enumerate(members):
        name: str | None = value_name(member)
        for position, group in enumerate(groups):
            cell = [c for c in calls if c.keys.get(x) == group and c.keys.get(by) == member]
            at = position + (number - (len(members) - 1) / 2) * wide
            if not cell:
                continue
            if quantity is not None:
                axis.bar(
                    at, mean(cell, quantity) or 0, 0.9 * wide, color=COLOURS[number],
                    yerr=whiskers(cell, quantity), error_kw={"lw": 0.8}, label=name,
                )  # fmt: skip
            else:
                _box(axis, at, 0.8 * wide, cell, COLOURS[number])
            name = None
    axis.set_xticks(range(len(groups)), [value_name(group) for group in groups])
    axis.set_xlabel(key_name(x))
    axis.set_ylabel(
        "$T_q$ (ms): 5, 25, 50, 75, 95 %" if quantity is None else QUANTITIES[quantity].label
    )
    axis.set_ylim(bottom=0)
    axis.grid(axis="x", visible=False)


def _box(axis: Axes, at: float, wide: float, cell: list[Call], colour: str) -> None:
    whisker, low, middle, high, top = (mean(cell, part) or 0 for part in PARTS)
    box = {"med": middle, "q1": low, "q3": high, "whislo": whisker, "whishi": top}
    axis.bxp(
        [box], positions=[at], widths=wide, showfliers=False, patch_artist=True, manage_ticks=False,
        boxprops={"facecolor": colour, "alpha": 0.55, "lw": 0.8}, medianprops={"color": "#222222"},
    )  # fmt: skip


def _published_parts(axis: Axes, figure: Figure, paper: Paper) -> None:
    """Where the paper says that a percentile lies."""
    for name, part in PARTS.items():
        for result in published(paper, figure, name):
            assert result.within is not None
            axis.plot(
                result.within, [part, part], color=CROWD, lw=5, alpha=0.35, solid_capstyle="butt",
                label=None if "published" in axis.get_legend_handles_labels()[1] else "published",
            )  # fmt: skip
    axis.legend(frameon=False)


def _lines(axis: Axes, figure: Figure, calls: list[Call]) -> None:
    """Through the known percentiles; the mean of each over the calls of a value."""
    by = figure.how["by"]
    for number, value in enumerate(sorted(values_of(calls, by))):
        cell = [call for call in calls if call.keys.get(by) == value]
        parts = [*PARTS.values(), 1.0]
        delays = [mean(cell, name) or 0 for name in [*PARTS, "T_q max"]]
        axis.plot(
            delays, parts, "o-", ms=3, lw=1.3, color=COLOURS[number],
            label=line_name(by, value),
        )  # fmt: skip
    axis.axhline(0.9, color=COLOURS[-1], lw=0.6, ls=":")
    axis.set_xlabel("$T_q$ (ms)")
    axis.set_ylabel("part of the RTT samples")
    axis.set_ylim(0, 1.02)
    axis.legend(frameon=False)
