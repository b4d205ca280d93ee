"""What the papers' figures have in common: colours, and the names of keys and values."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from gcc_testbed.papers.calls import Call
from gcc_testbed.papers.quantities import QUANTITIES
from gcc_testbed.report import style

# The same as in the plots of a run.
STYLE = style.STYLE
COLOURS = style.FLOWS
CROWD = style.CROWD
COLOUR = style.COLOUR
MARKERS = "osD^vP*X"

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
