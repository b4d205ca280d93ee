"""Drawn calls as a page: points of the calls, contenders behind, and the worst calls."""

from __future__ import annotations

import statistics
import textwrap
from pathlib import Path

from gcc_testbed.studies.drawn import picture
from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.drawn.mean import cell, mean
from gcc_testbed.studies.drawn.results import (
    EVEN_POINTS,
    MUCH_POINTS,
    Pair,
    Results,
    worst_tenth,
    write_csv,
)
from gcc_testbed.studies.drawn.series import Series
from gcc_testbed.studies.scorecard.card import Column
from gcc_testbed.studies.scorecard.measures import MEASURES
from gcc_testbed.support import commits

WORST = 20
FURTHEST = 10
# Of a call in the table of the worst.
_SHOWN = (
    *("utilisation", "share", "frame_delay_p95_ms", "loss_percent"),
    *("incomplete_percent", "frozen_percent"),
)

POINTS = """\
*Points* are the [scorecard](scorecard.md)'s, 100 · use · delay · loss, with two more factors for
what a viewer sees: 100 is a full link, no delay, no loss, every frame. *Use* is U over the part of
the link that the call's own limits let it use; of several calls it is times Jain's index; beside
greedy TCP it is the share and the fair share, the smaller over the larger, where fair is that all
flows which are there at a time have the same. *Delay* is 200 ms / (200 ms + d), d the frames' p95.
*Loss* is the tenth power of what arrives of the packets that the path itself leaves. *Whole
frames* is the third power of the part of the frames that arrive whole: a fifth without a packet
halves the points, whoever lost it. *Standing pictures* is 5 % / (5 % + f), f the part of the time
in which the next picture is due and not there. Of several flows the one that fares worst counts.
± is the standard error of a mean over calls."""


def _rule(series: Series) -> list[str]:
    """How the page is read."""
    names = (
        f"A call's name says all of it: `gcc-testbed {series.name} NAME` makes it alone, and its "
        "scenario file is `drawn/NAME.toml` in the output directory. "
        f"`testbed/data/{series.file.name}` has the distributions and their reasons. "
        f"{series.about} One call of each: what a seed changes is not known of a single call."
    )
    return ["## How to read it", "", POINTS, "", *textwrap.wrap(names, 100)]


def write(results: Results, series: Series, order: tuple[Column, ...], file: Path) -> None:
    """The page, and beside it a directory of its name with the pictures and the data.

    `order` has all contenders, ours first: their colours, and whose worst calls are shown.
    """
    beside = file.with_suffix("")
    beside.mkdir(parents=True, exist_ok=True)
    lines = [f"# {series.title}", "", *_head(results, series)]
    if results.calls:
        picture.draw(results, order, beside / "points.png")
        write_csv(results, beside / "calls.csv")
        lines += [f"![points of all calls, sorted]({beside.name}/points.png)", ""]
        lines += [*_contenders(results), "", *_pairs(results)]
        if picture.draw_kinds(results, order, beside / "kinds.png"):
            lines += ["## Which calls are bad", ""]
            lines += [f"![mean points of each kind of call]({beside.name}/kinds.png)", ""]
        lines += [*_worst(results), *_furthest(results)]
    lines += _rule(series)
    if results.calls:
        lines += ["", f"A line for each call of each contender is in `{beside.name}/calls.csv`."]
    file.write_text("\n".join([*lines, ""]))


def _head(results: Results, series: Series) -> list[str]:
    lines = [f"* Not run: {name}: {reason}." for name, reason in results.missing.items()]
    if not results.calls:
        return ["No call has been made yet.", "", *lines, ""]
    first, last = results.calls[0].name, results.calls[-1].name
    hours = sum(call.tables["duration_s"] for call in _every(results)) / 3600
    headline = [f"* {line}" for line in series.headline(results)]
    return [
        *([*headline, ""] if headline else []),
        f"Written by `gcc-testbed {series.name}` from {len(results.calls)} drawn calls, {first} to "
        f"{last} ({len(results.made)} with all contenders, {hours:.1f} call-hours), "
        f"{commits.made_by(results.commits)}",
        "",
        *([*lines, ""] if lines else []),
    ]


def _every(results: Results) -> list[Drawn]:
    """Each call as often as it was made."""
    return [call for column in results.columns for call in results.calls_of(column)]


def _contenders(results: Results) -> list[str]:
    lines = [
        "| contender | calls | mean | worst tenth | quartiles | behind the best: mean | most | "
        f"within {EVEN_POINTS:g} of the best |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for column in results.columns:
        points = results.points_of(column)
        cells = [
            column.title,
            str(len(points)),
            cell(mean(points), 1),
            f"{worst_tenth(points):.1f}",
            _quartiles(points),
            *_behind_cells(results.behind_of(column)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    if len({len(results.calls_of(column)) for column in results.columns}) > 1:
        lines += [
            "",
            "Not all have made the same calls, so these means do not compare them. rtpgccbwe's "
            "flows need a real encoder, and have no retransmission.",
        ]
    return lines


def _pairs(results: Results) -> list[str]:
    """Each of our contenders beside each of the others', in the calls of both.

    And beside itself, where calls were repeated: by so much a call differs without a reason.
    """
    pairs = [(own.title, other.title, pair) for own, other, pair in results.pairs()]
    pairs += [
        (column.title, "itself, other random numbers", again)
        for column in results.columns
        if (again := results.repeats(column)).own
    ]
    rows = [f"| {own} | {other} | {' | '.join(_pair_cells(pair))} |" for own, other, pair in pairs]
    if not rows:
        return []
    return [
        *("## Call by call", ""),
        f"| contender | beside | calls | difference | worst tenths | better | worse | by more than "
        f"{MUCH_POINTS:g} |",
        "|---|---|---|---|---|---|---|---|",
        *rows,
        "",
    ]


def _pair_cells(pair: Pair) -> list[str]:
    calls = len(pair.own)
    counts = (pair.better(), pair.worse(), pair.worse(by=MUCH_POINTS))
    return [
        str(calls),
        cell(pair.gain, 1, "+"),
        f"{worst_tenth(pair.own):.1f} : {worst_tenth(pair.other):.1f}",
        *(f"{count} ({count / calls:.0%})" for count in counts),
    ]


def _quartiles(points: list[float]) -> str:
    if len(points) < 2:
        return "–"
    return " / ".join(f"{cut:.0f}" for cut in statistics.quantiles(points, method="inclusive"))


def _behind_cells(behind: list[float]) -> list[str]:
    if not behind:
        return ["–", "–", "–"]
    even = sum(value < EVEN_POINTS for value in behind)
    return [
        f"{statistics.fmean(behind):.1f}",
        f"{max(behind):.0f}",
        f"{even} of {len(behind)}",
    ]


def _worst(results: Results) -> list[str]:
    """Of each of our contenders."""
    lines = []
    for column in results.ours:
        calls = results.worst(column, WORST)
        lines += [
            f"## The worst {len(calls)} of {column.title}",
            "",
            *_table(results, column, calls),
        ]
    return lines


def _furthest(results: Results) -> list[str]:
    lines = []
    for column in results.ours:
        calls = results.furthest(column, FURTHEST)
        if calls:
            title = f"## Where {column.title} is furthest behind the best"
            lines += [title, "", *_table(results, column, calls)]
    return lines


def _table(results: Results, column: Column, calls: list[Drawn]) -> list[str]:
    """A line for each call: its points, the others' best, what went wrong, and its keys."""
    titles = " | ".join(MEASURES[name].title for name in _SHOWN)
    lines = [f"| call | points | best | {titles} | |", f"|---|---|---|{'---|' * len(_SHOWN)}---|"]
    for call in calls:
        made = results.of(call, column)
        assert made is not None
        best = max(results.rivals(call)) if len(results.rivals(call)) > 1 else None
        numbers = [
            "" if (value := made.call.values[name]) is None else f"{value:.{digits}f}"
            for name, digits in ((name, MEASURES[name].digits) for name in _SHOWN)
        ]
        cells = [call.name, f"{made.points:.0f}", "" if best is None else f"{best:.0f}", *numbers]
        lines.append(f"| {' | '.join(cells)} | {call.title} |")
    return [*lines, ""]
