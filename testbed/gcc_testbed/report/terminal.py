"""The screen of `watch` in a terminal: values, the last minute as charts, the last reasons."""

from __future__ import annotations

from math import ceil, floor, log10

import plotext
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gcc_testbed.measure.live import WINDOW_S, Chart, Shown

_COLOURS = ("yellow", "cyan")
_LEAST_ROWS = 6


def render(shown: Shown, columns: int, rows: int) -> RenderableType:
    """Everything on one screen of that size."""
    head = Text(shown.title, style="bold", no_wrap=True, overflow="ellipsis")
    status = Text(shown.status, style="dim", overflow="ellipsis")
    if not shown.values:
        return Group(head, status)
    values = [Text.assemble((f"{name} ", "dim"), (value, "bold")) for name, value in shown.values]
    in_a_row = max(1, columns // 34)
    reasons = Table.grid(padding=(0, 2))
    for time, reason, change in shown.reasons:
        reasons.add_row(Text(time, style="dim"), Text(reason), Text(change))
    taken = 4 + -(-len(values) // in_a_row) + len(shown.reasons)
    height = max(_LEAST_ROWS, (rows - taken) // max(1, len(shown.charts)))
    return Group(
        head,
        status,
        Columns(values, width=32, equal=True),
        *(_chart(chart, columns, height) for chart in shown.charts),
        Text("last reasons (UTC)", style="dim"),
        reasons,
    )


def _chart(chart: Chart, columns: int, rows: int) -> RenderableType:
    """A heading with the names in their colours, so that no legend covers the curves."""
    heading = Text(f"{chart.title}, last {WINDOW_S:.0f} s:", style="dim")
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.limit_size(False, False)
    plotext.plotsize(columns, rows - 1)
    highest, lowest = 1.0, 0.0
    for curve, colour in zip(chart.curves, _COLOURS, strict=False):
        heading.append(f"  {curve.name}", style=colour)
        if curve.points:
            at, values = zip(*curve.points, strict=True)
            plotext.plot(at, values, color=colour, marker="braille")
            highest, lowest = max(highest, *values), min(lowest, *values)
    ticks = _ticks(lowest, highest)
    plotext.xlim(-WINDOW_S, 0)
    plotext.ylim(ticks[0], ticks[-1])
    plotext.yticks(ticks, [f"{tick:g}" for tick in ticks])
    plotext.xticks([-60, -45, -30, -15, 0], ["-60 s", "-45 s", "-30 s", "-15 s", "now"])
    return Group(heading, Text.from_ansi(plotext.build(), no_wrap=True))


def _ticks(lowest: float, highest: float) -> list[float]:
    """Round numbers around a range: 1, 2 or 5 times a power of ten apart."""
    power = 10.0 ** floor(log10((highest - lowest) / 4))
    step = next(each * power for each in (1, 2, 5, 10) if (highest - lowest) / (each * power) <= 4)
    return [step * each for each in range(floor(lowest / step), ceil(highest / step) + 1)]
