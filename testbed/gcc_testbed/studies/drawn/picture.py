"""Drawn calls as two pictures: how many calls are how good, and which kinds of calls are not."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gcc_testbed.report.style import COLOUR, FLOWS, STYLE
from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.drawn.results import Results
from gcc_testbed.studies.scorecard.card import Column

# Fewer calls of a kind than this say nothing of it.
LEAST_CALLS = 5
LINE_INCHES = 0.23
# Contenders of one kind lie this much of a line apart.
APART = 0.13


def draw(results: Results, order: tuple[Column, ...], file: Path) -> None:
    """The points of all calls, and how far they are behind the best; `order` gives the colours."""
    rivals = any(results.behind_of(column) for column in results.columns)
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(1, 2 if rivals else 1, figsize=(11 if rivals else 6, 4.4))
        points, *behind = axes if rivals else [axes]
        _points(points, results, order)
        if behind:
            _behind(behind[0], results, order)
        _save(figure, file)


def draw_kinds(results: Results, order: tuple[Column, ...], file: Path) -> bool:
    """The mean points of each kind of call; False: there are too few calls of any."""
    groups = list(kinds(results))
    if not groups:
        return False
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(9, 0.8 + LINE_INCHES * (len(groups) + 1)))
        _kinds(axis, results, order, groups)
        _save(figure, file)
    return True


def kinds(results: Results) -> Iterator[tuple[str, str, list[Drawn]]]:
    """(key, kind, calls) of each kind of which there are enough calls."""
    keys = dict.fromkeys(key for call in results.calls for key in call.kinds)
    for key in keys:
        found: dict[str, list[Drawn]] = {}
        for call in results.calls:
            if key in call.kinds:
                found.setdefault(call.kinds[key], []).append(call)
        enough = {kind: calls for kind, calls in found.items() if len(calls) >= LEAST_CALLS}
        # One alone is nearly all calls.
        if len(enough) > 1:
            for kind, calls in sorted(enough.items(), key=lambda entry: -len(entry[1])):
                yield key, kind, calls


def _save(figure: Figure, file: Path) -> None:
    figure.savefig(file, dpi=130, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)


def _line(column: Column, order: tuple[Column, ...]) -> dict[str, Any]:
    """Ours, which come first, are thick and whole."""
    ours = column.of == order[0].of
    return {
        "color": FLOWS[order.index(column) % len(FLOWS)],
        "lw": 2.4 if ours else 1.3,
        "ls": "-" if ours else "--",
    }


def _sorted(axis: Axes, values: list[float], **look: Any) -> None:  # noqa: ANN401
    """Each call is as wide as any other: steps from 0 to 100 % of the calls."""
    ranked = sorted(values)
    edges = [100 * number / len(ranked) for number in range(len(ranked) + 1)]
    axis.step(edges, [*ranked, ranked[-1]], where="post", **look)


def _points(axis: Axes, results: Results, order: tuple[Column, ...]) -> None:
    for column in results.columns:
        points = results.points_of(column)
        label = f"{column.title}: median {statistics.median(points):.0f}"
        _sorted(axis, points, label=label, **_line(column, order))
    axis.set_title("Points, from each contender's worst call to its best", fontsize=10, loc="left")
    axis.set_ylabel("points (higher is better)")
    axis.set_ylim(0, 100)
    _calls_below(axis)
    axis.legend(loc="upper left", frameon=False, fontsize=8.5)


def _behind(axis: Axes, results: Results, order: tuple[Column, ...]) -> None:
    for column in results.columns:
        behind = results.behind_of(column)
        if behind:
            label = f"{column.title}: at most {max(behind):.0f}"
            _sorted(axis, behind, label=label, **_line(column, order))
    axis.set_title("Points behind the best contender of the same call", fontsize=10, loc="left")
    axis.set_ylabel("points behind (lower is better)")
    axis.set_ylim(bottom=0)
    _calls_below(axis)
    axis.legend(loc="upper left", frameon=False, fontsize=8.5)


def _calls_below(axis: Axes) -> None:
    axis.set_xlabel("% of the calls")
    axis.set_xlim(0, 100)


def _kinds(
    axis: Axes,
    results: Results,
    order: tuple[Column, ...],
    groups: list[tuple[str, str, list[Drawn]]],
) -> None:
    labels, before = [], ""
    for at, (key, kind, calls) in enumerate(groups):
        if key != before:
            axis.axhline(at - 0.5, color=COLOUR["capacity"], lw=0.8)
        before = key
        labels.append(f"{key}: {kind} ({len(calls)})")
        for number, column in enumerate(results.columns):
            points = results.points_of(column, calls)
            if len(points) >= LEAST_CALLS:
                y = at + APART * (number - (len(results.columns) - 1) / 2)
                axis.plot(statistics.fmean(points), y, **_dot(column, order))
    for column in results.columns:
        axis.plot([], [], label=column.title, **_dot(column, order))
    axis.set_yticks(range(len(labels)), labels)
    axis.tick_params(axis="y", length=0)
    axis.set_ylim(len(groups) - 0.4, -0.6)
    axis.set_xlim(-1, 101)
    axis.set_xlabel("mean points of the calls of a kind (in brackets: how many)")
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=8.5)


def _dot(column: Column, order: tuple[Column, ...]) -> dict[str, Any]:
    colour = FLOWS[order.index(column) % len(FLOWS)]
    ours = column.of == order[0].of
    face = colour if ours else "white"
    size = 6.5 if ours else 5
    return {"marker": "o", "ls": "none", "ms": size, "mfc": face, "mec": colour, "mew": 1.3}
