"""The distributions over calls as a picture: a line for each contender, and the oracle's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from gcc_testbed.report.style import COLOUR, FLOWS, STYLE
from gcc_testbed.studies.paths.oracle import Possible
from gcc_testbed.studies.paths.results import Results
from gcc_testbed.studies.scorecard.card import Column

# An axis that is even up to this value, and logarithmic beyond.
EVEN_MS, EVEN_S = 50.0, 1.0
# That even part is as wide as this part of a factor of ten beyond.
EVEN_PART = 0.5


@dataclass(frozen=True)
class Panel:
    """A measure, and what the oracle has of it."""

    title: str
    measure: str
    of_oracle: Callable[[Possible], float | None]
    # As far as the axis is even; None: all of it.
    even: float | None = None
    ticks: tuple[float, ...] = ()


PANELS = (
    Panel("use  (better →)", "use", lambda best: best.use),
    Panel(
        "frame delay p95, ms  (← better)",
        "delay_p95_ms",
        lambda best: best.frame_delay_p95_ms,
        EVEN_MS,
        (0, 50, 100, 200, 500, 1000, 2000),
    ),
    Panel(
        "frozen, s a minute  (← better)",
        "frozen_s",
        lambda best: best.frozen_s_a_minute,
        EVEN_S,
        (0, 1, 3, 10, 30, 60),
    ),
    # It never asks for less than it may.
    Panel("false back-off, % of the time  (← better)", "false_back_off_percent", lambda _: 0.0),
)


def draw(results: Results, file: Path) -> None:
    """Four panels: of so many calls the measure is at most this."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(2, 2, figsize=(11, 6.4), sharey=True)
        for panel, axis in zip(PANELS, axes.flat, strict=True):
            _panel(axis, results, panel)
        for axis in axes[:, 0]:
            axis.set_ylabel("% of the calls")
        names, labels = axes.flat[0].get_legend_handles_labels()
        figure.legend(names, labels, loc="upper left", bbox_to_anchor=(0.06, 1.02), ncols=5,
                      frameon=False)  # fmt: skip
        figure.tight_layout(rect=(0, 0, 1, 0.97))
        figure.savefig(file, dpi=130, bbox_inches="tight", metadata={"Software": None})
        plt.close(figure)


def _panel(axis: Axes, results: Results, panel: Panel) -> None:
    for column in results.columns:
        values = [made.values[panel.measure] for made in results.of(column).values()]
        _steps(axis, values, label=column.title, **_look(results, column))
    best = [panel.of_oracle(possible) for possible in results.possible().values()]
    _steps(axis, best, label="oracle", color=COLOUR["text"], lw=1.6, ls=":")
    axis.set_title(panel.title, fontsize=10, loc="left")
    axis.set_ylim(0, 100)
    if panel.even is not None:
        axis.set_xscale("symlog", linthresh=panel.even, linscale=EVEN_PART)
        most = axis.get_xlim()[1]
        ticks = [tick for tick in panel.ticks if tick <= most]
        axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.minorticks_off()
    axis.set_xlim(left=0)


def _steps(axis: Axes, values: list[float | None], **look: Any) -> None:  # noqa: ANN401
    """A call that lacks the measure counts nowhere."""
    ranked = sorted(value for value in values if value is not None)
    if ranked:
        part = 100 * np.arange(len(ranked) + 1) / len(ranked)
        axis.step([ranked[0], *ranked], part, where="post", **look)


def _look(results: Results, column: Column) -> dict[str, Any]:
    """Ours, which come first, are thick and whole."""
    ours = column.of == results.columns[0].of
    return {
        "color": FLOWS[results.columns.index(column) % len(FLOWS)],
        "lw": 2.4 if ours else 1.5,
        "ls": "-" if ours else "--",
    }
