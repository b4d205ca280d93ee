"""Calls on recordings as a page: the distance to the possible first."""

from __future__ import annotations

import statistics
from pathlib import Path

from gcc_testbed.studies.drawn.mean import cell
from gcc_testbed.studies.paths import encoded, picture, why
from gcc_testbed.studies.paths.results import MEASURES, Results, write_csv
from gcc_testbed.studies.scorecard.card import Column
from gcc_testbed.support import commits

FURTHEST = 10
# Of a call in the table of the furthest.
_SHOWN = ("use", "delay_p95_ms", "frozen_s", "incomplete_percent", "false_back_off_percent")
_OF_ORACLE = ("use", "delay_p95_ms", "frozen_s")

PERCENTILES = (
    "Percentiles 5, 50 and 95. Where a call lacks a measure, the number of calls is there: a limit "
    "that is never reached has no time."
)
FILMED = (
    f"The paths of {{calls}} of the calls again, with {encoded.SEQUENCE} of a real encoder, no "
    f"retransmission, and at most {encoded.MOST_KBPS} kbit/s: as flows of rtpgccbwe can make them."
)

RULE = """\
*The oracle* knows the recording: it sends what the link takes within 50 ms, at most the limit, and
half of the link beside a CUBIC flow or a second call. Web transfers are unknown to it. The
[testbed](testbed.md#recorded-paths) defines use, frozen time, false back-off and holes.

*Points* are use · 200 ms / (200 ms + d) · 5 % / (5 % + f) · w³: d the p95 of the frames' delay, f
the part of the time frozen, w the part of the frames that arrive whole. ± is the standard error of
the mean over calls. One seed of each call.

The line of a far call has the part that costs most of the oracle's 100 points, were the other parts
the oracle's. *Low* is below 0.9 of what limit and link allow, and *after* names the
[reason](stats.md#why-a_s-has-changed) of the last fall of A_s by 5 %. A stretch is the shortest one
with half of the loss; rates and path delay, above its least, are its means.

`gcc-testbed paths NAME` makes a call again. `testbed/data/paths.toml` has the distributions."""


def write(results: Results, filmed: Results, file: Path, recordings: str) -> None:
    """The page, and beside it a directory of its name with the picture and the data.

    `filmed` has the calls with a real encoder.
    """
    beside = file.with_suffix("")
    lines = ["# Calls on recorded paths", "", *_head(results, filmed, recordings)]
    some = bool(results.calls or filmed.calls)
    if some:
        beside.mkdir(parents=True, exist_ok=True)
        write_csv((results, filmed), beside / "calls.csv")
    if results.calls:
        picture.draw(results, beside / "distributions.png")
        lines += ["## Distance to the possible", "", *_distances(results), *_leads(results)]
        lines += [f"![distributions over calls]({beside.name}/distributions.png)", ""]
        lines += ["## Distributions over calls", "", PERCENTILES, "", *_distributions(results)]
        lines += _furthest(results)
    if filmed.calls:
        lines += ["## With a real encoder", "", FILMED.format(calls=len(filmed.calls)), ""]
        lines += [*_distances(filmed), *_leads(filmed), *_distributions(filmed)]
    lines += ["## How to read it", "", RULE]
    if some:
        lines += ["", f"A line for each call of each contender is in `{beside.name}/calls.csv`."]
    file.write_text("\n".join([*lines, ""]))


def _head(results: Results, filmed: Results, recordings: str) -> list[str]:
    every = (results, filmed)
    there = {column.title for each in every for column in each.columns}
    missing = [
        f"* Not run: {title}: {reason}."
        for title, reason in results.missing.items()
        if title not in there
    ]
    made = [each for each in every if each.calls]
    if not made:
        return ["No call has been made yet.", "", *missing, *([""] if missing else [])]
    counts = " and ".join(
        f"{len(each.calls)} drawn calls{' with a real encoder' if each is filmed else ''}, "
        f"{each.calls[0].name} to {each.calls[-1].name} ({len(each.made)} with all contenders)"
        for each in made
    )
    made_by = commits.made_by(commit for each in made for commit in each.commits)
    return [
        f"Written by `gcc-testbed paths` from {counts}, on {recordings}, {made_by}",
        "",
        *missing,
        *([""] if missing else []),
    ]


def _distances(results: Results) -> list[str]:
    """The headline: what each contender lacks of the oracle, and one number at the end."""
    lines = [
        "| contender | calls | less use than the oracle | later frames (p95, ms) | more frozen "
        "(s a minute) | of the oracle's points % |",
        "|---|---|---|---|---|---|",
    ]
    for column in results.columns:
        cells = [
            column.title,
            str(len(results.of(column))),
            f"**{cell(results.mean(column, lambda made: made.use_behind), 3)}**",
            f"**{cell(results.mean(column, lambda made: made.delay_beyond_ms), 0)}**",
            f"**{cell(results.mean(column, lambda made: made.frozen_beyond_s), 2)}**",
            cell(results.mean(column, lambda made: made.reached_percent), 1),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def _leads(results: Results) -> list[str]:
    """Ours beside the others, in the calls of both."""
    ours = _ours(results)
    found = []
    for own in ours:
        for other in (column for column in results.columns if column not in ours):
            calls, lead = results.lead(own, other)
            if lead is not None:
                found.append(
                    f"* {own.title} has {lead.shown(1)} more of the oracle's 100 points than "
                    f"{other.title}, in the same {calls} calls."
                )
    return [*found, ""] if found else []


def _distributions(results: Results) -> list[str]:
    """Of each measure the 5th, 50th and 95th percentile over calls."""
    titles = " | ".join(column.title for column in results.columns)
    lines = [
        f"| | {titles} |",
        f"|---|{'---|' * len(results.columns)}",
    ]
    for name, measure in MEASURES.items():
        if all(made.values[name] is None for made in results.made.values()):
            continue
        cells = [_spread(results, column, name, measure.digits) for column in results.columns]
        lines.append(f"| {measure.title} | {' | '.join(cells)} |")
    return [*lines, ""]


def _spread(results: Results, column: Column, name: str, digits: int) -> str:
    made = results.of(column)
    values = [value for each in made.values() if (value := each.values[name]) is not None]
    calls = f"{len(values)} call{'' if len(values) == 1 else 's'}"
    of = "" if len(values) == len(made) else f" ({calls})"
    if len(values) < 2:
        return f"{values[0]:.{digits}f}{of}" if values else "–"
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return ", ".join(f"{cuts[place]:.{digits}f}" for place in (0, 9, 18)) + of


def _furthest(results: Results) -> list[str]:
    """Of each of our contenders."""
    titles = " | ".join(MEASURES[name].title for name in _SHOWN)
    lines = []
    for column in _ours(results):
        calls = results.furthest(column, FURTHEST)
        lines += [
            f"## The {len(calls)} calls of {column.title} furthest from the oracle",
            "",
            f"In brackets the oracle's.\n\n| call | of its points % | {titles} | |",
            f"|---|---|{'---|' * len(_SHOWN)}---|",
        ]
        for call, made in calls:
            numbers = [
                _number(made.values[name], name)
                + (f" ({_number(getattr(made.best, name), name)})" if name in _OF_ORACLE else "")
                for name in _SHOWN
            ]
            cells = [call.name, f"{made.reached_percent:.0f}", *numbers, call.title]
            lines.append(f"| {' | '.join(cells)} |")
        lines += ["", *(f"* {call.name}: {why.line(made)}." for call, made in calls), ""]
    return lines


def _number(value: float | None, name: str) -> str:
    return "–" if value is None else f"{value:.{MEASURES[name].digits}f}"


def _ours(results: Results) -> list[Column]:
    """The columns of the first owner."""
    return [column for column in results.columns if column.of == results.columns[0].of]
