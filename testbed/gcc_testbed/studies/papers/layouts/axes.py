"""Common parts of the papers' figures: colours, and the names of keys and values."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from gcc_testbed.report import style
from gcc_testbed.studies.papers.calls import Call, spread
from gcc_testbed.studies.papers.paper import Figure, Paper, Result
from gcc_testbed.studies.papers.quantities import QUANTITIES

# The same as in the plots of a run.
STYLE = style.STYLE
COLOURS = style.FLOWS
CROWD = style.CROWD
COLOUR = style.COLOUR
MARKERS = "osD^vP*X"

# Quantities with one level, whose published value can be marked on the axis.
LEVELS = ("mean", "least", "most")
UNBOUNDED = 1e6

KEYS = {
    "flow[0].overuse_threshold_ms": "γ̄ (1/60 ms)",
    "flow[1].count": "TCP flows",
    "link.forward.rate_kbps": "b (kbit/s)",
    "link.forward.queue": "queue",
    "link.forward.queue.bytes": "q (bytes)",
    "link.forward.queue.ms": "queue (ms)",
    "link.forward.queue.target_ms": "target (ms)",
    "link.one_way_delay_ms": "one-way delay (ms)",
    "link.loss_percent": "loss set (%)",
    "flow[0].start_s": "GCC starts at (s)",
    "": "",
}
QUEUES = {"droptail": "DT", "pie": "PIE", "codel": "CoDel", "sfq": "SFQ", "fq_codel": "FQ_CoDel"}


def key_name(key: str) -> str:
    """A scenario key on an axis."""
    return KEYS.get(key, key)


def line_name(key: str, value: object) -> str:
    """A key and its value in a legend."""
    return f"{key_name(key)} {value_name(value)}"


def value_name(value: object) -> str:
    """A setting in a legend: a queue by its kind."""
    return QUEUES[value["kind"]] if isinstance(value, dict) else str(value)


def values_of(calls: list[Call], key: str) -> list[Any]:
    """The values a key has, in the order of the sweep."""
    found: list[Any] = []
    for call in calls:
        if call.keys.get(key) not in found:
            found.append(call.keys.get(key))
    return found


def panels(
    count: int, columns: int, width: float = 4.2, height: float = 2.7
) -> tuple[Drawing, list[Axes]]:
    """A grid of axes, filled row by row."""
    columns = min(columns, count)
    rows = -(-count // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(width * columns, height * rows), squeeze=False, layout="constrained"
    )
    found = list(axes.flat)
    for axis in found[count:]:
        axis.set_visible(False)
    return figure, found[:count]


def legend(axis: Axes, columns: int) -> None:
    """In a strip of its own above what is drawn."""
    low, high = axis.get_ylim()
    lines = -(-len(axis.get_legend_handles_labels()[0]) // columns)
    axis.set_ylim(low, high + 0.14 * (high - low) * lines)
    axis.legend(frameon=False, fontsize=7, ncols=columns, loc="upper right", borderaxespad=0.1)


def label(axis: Axes, x: str, quantity: str) -> None:
    axis.set_xlabel(key_name(x))
    axis.set_ylabel(QUANTITIES[quantity].label)


def published(paper: Paper, figure: Figure, quantity: str) -> list[Result]:
    """The figure's results that give a number of this quantity."""
    name = figure.name.removesuffix(" over time")
    return [
        result
        for result in paper.results
        if result.figure == name
        and result.quantity == quantity
        and result.within is not None
        and result.take in LEVELS
    ]


def mark(axis: Axes, result: Result, left: float | None = None, right: float | None = None) -> None:
    """The interval of a published number as a band, from `left` to `right` of the axis' data.

    A dashed line is the number itself, or the bounds where the paper gives no more than them.
    """
    assert result.within is not None
    low, high = result.within
    bounds = [bound for bound in (low, high) if 0 < bound < UNBOUNDED]
    high = max(axis.get_ylim()[1], 1.1 * low) if high >= UNBOUNDED else high
    label = None if "published" in axis.get_legend_handles_labels()[1] else "published"
    band: dict[str, Any] = {"color": CROWD, "alpha": 0.18, "lw": 0, "zorder": 0, "label": label}
    line: dict[str, Any] = {"color": CROWD, "lw": 1.2, "ls": (0, (4, 2)), "zorder": 3}
    numbers = bounds or [high] if result.value is None else [result.value]
    if left is None or right is None:
        axis.axhspan(low, high, **band)
        for number in numbers:
            axis.axhline(number, **line)
    else:
        axis.fill_between([left, right], low, high, **band)
        for number in numbers:
            axis.plot([left, right], [number, number], **line)


def mark_cells(
    axis: Axes, result: Result, x: str, by: str, groups: list[Any], members: list[Any]
) -> None:
    """A published number on the bars that it is about: groups of `x`, in each a bar for `by`."""
    wide = 0.8 / max(len(members), 1)
    for position, group in enumerate(groups):
        if group not in result.where.get(x, [group]):
            continue
        about = [n for n, m in enumerate(members) if m in result.where.get(by, [m])]
        if about:
            left = position + (about[0] - len(members) / 2) * wide
            right = position + (about[-1] + 1 - len(members) / 2) * wide
            mark(axis, result, left, right)


def whiskers(calls: list[Call], quantity: str) -> list[list[float]] | None:
    """From the least to the most of the repeats of a bar; none of a single call."""
    least, most = spread(calls, quantity)
    return [[least], [most]] if least or most else None
