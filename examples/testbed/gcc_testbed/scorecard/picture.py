"""The card as one picture: a line for each call, a dot for each contender, better to the right."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from gcc_testbed.report.style import COLOUR, FLOWS, STYLE
from gcc_testbed.scorecard.results import Results

# Ours are filled and large, the others open.
OURS = "gst-gcc"
LINE_INCHES = 0.27


def draw(results: Results, file: Path) -> None:
    with plt.rc_context(STYLE):
        figure = _figure(results)
        figure.savefig(file, dpi=130, bbox_inches="tight", metadata={"Software": None})
        plt.close(figure)


def _figure(results: Results) -> Figure:
    rows, columns = results.rows(), results.columns()
    groups = [group for group in results.card.groups if any(r.group == group[0] for r in rows)]
    count = len(rows) + len(groups)
    figure, axis = plt.subplots(figsize=(10, 1.3 + LINE_INCHES * count))
    at, ticks, labels = 0, [], []
    for group, title in groups:
        axis.text(0, at + 0.25, title, fontweight="bold", va="center", fontsize=9)
        axis.axhline(at - 0.45, color=COLOUR["capacity"], lw=0.8)
        at += 1
        for row in (row for row in rows if row.group == group):
            winner = results.verdict(row).winner
            for number, column in enumerate(columns):
                cell = results.cell(row, column)
                if cell is None or cell.score is None:
                    continue
                ours = column.of == OURS
                colour = FLOWS[number % len(FLOWS)]
                axis.hlines(at, *cell.range, color=colour, lw=1.6, alpha=0.5)
                axis.plot(
                    cell.score,
                    at,
                    marker="o",
                    ms=8 if ours else 6.5,
                    mfc=colour if ours else "white",
                    mec=colour,
                    mew=1.6,
                    zorder=4 if ours else 3,
                    ls="none",
                )
                if column.name == winner:
                    axis.plot(cell.score, at, marker="o", ms=14, mfc="none", mec=colour, mew=0.9)
            ticks.append(at)
            labels.append(row.title)
            at += 1
    axis.set_yticks(ticks, labels)
    axis.set_ylim(at - 0.4, -0.6)
    axis.set_xlim(0, 100)
    axis.set_xlabel("points (100: the link full, no delay, no loss) – better to the right")
    axis.tick_params(axis="y", length=0)
    for number, column in enumerate(columns):
        ours = column.of == OURS
        colour = FLOWS[number % len(FLOWS)]
        axis.plot(
            [], [], marker="o", ls="none", ms=8 if ours else 6.5, label=column.title,
            mfc=colour if ours else "white", mec=colour, mew=1.6,
        )  # fmt: skip
    axis.plot([], [], marker="o", ls="none", ms=14, mfc="none", mec="#777777", label="wins the row")
    figure.legend(
        *axis.get_legend_handles_labels(),
        loc="lower left",
        bbox_to_anchor=(0.12, 0.985 - 0.6 / figure.get_figheight()),
        ncols=4,
        frameon=False,
        fontsize=8.5,
    )
    return figure
