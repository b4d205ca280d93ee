"""Calls on recordings as a page: the distance to the possible first."""

from __future__ import annotations

import statistics
from pathlib import Path

from gcc_testbed.studies.drawn.mean import cell
from gcc_testbed.studies.paths.results import MEASURES, Results, write_csv
from gcc_testbed.studies.scorecard.card import Column
from gcc_testbed.support import commits

FURTHEST = 10
# Of a call in the table of the furthest.
_SHOWN = ("use", "delay_p95_ms", "frozen_s", "incomplete_percent", "false_back_off_percent")

RULE = """\
*The oracle* knows the recording: it sends what the link takes within 50 ms, at most the limit. It
is computed, not simulated. Beside a CUBIC flow or a second call it has half of the link; of web
transfers it knows nothing. *Use* is what arrives over what the application wants and the link
takes, at most 1: the smaller of the limit and the link's rate, averaged over time. *Frozen* is the
time in which the next picture is due and not there, in waits over 150 ms. *False back-off* is the
part of the time in which the link takes at least twice the limit, and the target is below 0.9 of
it. A *hole*: for 200 ms or longer less than half passes of what passed in the second before.

*Points* are use · 200 ms / (200 ms + d) · 5 % / (5 % + f) · w³: d the p95 of the frames' delay, f
the part of the time frozen, w the part of the frames that arrive whole. ± is the standard error of
the mean over calls. One seed of each call.

A call's name says all of it, with the folder of recordings: `gcc-testbed paths NAME` makes it
alone, and its scenario file is `drawn/NAME.toml` in the output directory. `testbed/data/paths.toml`
has the distributions and their sources."""


def write(results: Results, file: Path, recordings: str) -> None:
    """The page, and beside it a directory of its name with the data."""
    beside = file.with_suffix("")
    lines = ["# Calls on recorded paths", "", *_head(results, recordings)]
    if results.calls:
        beside.mkdir(parents=True, exist_ok=True)
        write_csv(results, beside / "calls.csv")
        lines += [*_distances(results), *_leads(results), *_distributions(results)]
        lines += _furthest(results)
    lines += ["## How to read it", "", RULE]
    if results.calls:
        lines += ["", f"A line for each call of each contender is in `{beside.name}/calls.csv`."]
    file.write_text("\n".join([*lines, ""]))


def _head(results: Results, recordings: str) -> list[str]:
    missing = [f"* Not run: {name}: {reason}." for name, reason in results.missing.items()]
    if not results.calls:
        return ["No call has been made yet.", "", *missing, *([""] if missing else [])]
    first, last = results.calls[0].name, results.calls[-1].name
    return [
        f"Written by `gcc-testbed paths` from {len(results.calls)} drawn calls, {first} to {last} "
        f"({len(results.made)} with all contenders), on {recordings}, "
        f"{commits.made_by(results.commits)}",
        "",
        *missing,
        *([""] if missing else []),
    ]


def _distances(results: Results) -> list[str]:
    """The headline."""
    lines = [
        "## Distance to the possible",
        "",
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
        "## Distributions over calls",
        "",
        "Percentiles 5 / 50 / 95. Where a call lacks a measure, the number of calls is there: a "
        "limit that is never reached has no time.",
        "",
        f"| | {titles} |",
        f"|---|{'---|' * len(results.columns)}",
    ]
    for name, measure in MEASURES.items():
        cells = [_spread(results, column, name, measure.digits) for column in results.columns]
        lines.append(f"| {measure.title} | {' | '.join(cells)} |")
    return [*lines, ""]


def _spread(results: Results, column: Column, name: str, digits: int) -> str:
    made = results.of(column)
    values = [value for each in made.values() if (value := each.values[name]) is not None]
    of = "" if len(values) == len(made) else f" ({len(values)} calls)"
    if len(values) < 2:
        return f"{values[0]:.{digits}f}{of}" if values else "–"
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return " / ".join(f"{cuts[place]:.{digits}f}" for place in (0, 9, 18)) + of


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
            best = {
                "use": made.possible.use,
                "delay_p95_ms": made.possible.frame_delay_p95_ms,
                "frozen_s": made.possible.frozen_s_a_minute,
            }
            numbers = [
                _number(made.values[name], name)
                + (f" ({_number(best[name], name)})" if name in best else "")
                for name in _SHOWN
            ]
            cells = [call.name, f"{made.reached_percent:.0f}", *numbers, call.title]
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return lines


def _number(value: float | None, name: str) -> str:
    return "–" if value is None else f"{value:.{MEASURES[name].digits}f}"


def _ours(results: Results) -> list[Column]:
    """The columns of the first owner."""
    return [column for column in results.columns if column.of == results.columns[0].of]
