"""The card as a page: the winner of each call, and the goals that are reached."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from pathlib import Path

from gcc_testbed.studies.scorecard import peers, picture
from gcc_testbed.studies.scorecard.card import Column, Goal, Row
from gcc_testbed.studies.scorecard.measures import MEASURES
from gcc_testbed.studies.scorecard.results import Cell, Results, Verdict, write_csv
from gcc_testbed.support import commits

# Loss that is named in the first table, in percent, beyond what the path itself loses: it
# costs a twentieth of the points.
LOSS_SHOWN = 0.5

RULE = """\
*Points* are 100 · use · delay · loss, each from 0 to 1. *Use* is U (of several flows: times Jain's
index; beside TCP: share and fair share, the smaller over the larger). *Delay* is 200 ms / (200 ms +
d) with d the frames' p95 delay. *Loss* is the tenth power of what arrives of the packets that the
path itself leaves: 1 % lost costs a tenth. Where a rate is to be reached, 30 s / (30 s + t) is a
fourth factor. Of several flows the worst counts.

Numbers are medians over the seeds, with the range of the points, and with the loss from 0.5 % on. A
row is won (bold) by the best median, unless the best of another owner is less than a point below it
or their spreads overlap. `measures.py` has the definitions, `card.toml` the calls."""

MISSED = """\
Beside three TCP flows in one queue some loss is TCP's: at 1 Mbit/s a flow of a constant rate of 150
to 250 kbit/s loses 1.3 to 1.9 %, where the goal is 1 %.

Over REMB frames are not paced, because paced packets would hide the rate of the link from the
receiver: at 1 Mbit/s the packets of a frame wait 32 ms for each other. The first A_r is known after
0.6 s, and a goal of two seconds leaves A_s little time to double.

Over transport-cc A_s stays below 0.97 of what a probe has shown: more fills a queue. So U is near
its goal, 0.95."""


def write(results: Results, file: Path) -> None:
    """The page, and beside it a directory of its name with the picture and the data."""
    beside = file.with_suffix("")
    beside.mkdir(parents=True, exist_ok=True)
    lines = ["# Scorecard", "", *_head(results), ""]
    if results.cells:
        picture.draw(results, beside / "points.png")
        write_csv(results, beside / "calls.csv")
        lines += [f"![points of every contender in every call]({beside.name}/points.png)", ""]
        lines += [*_winners(results), "", *_goals(results), "", *peers.table(results), ""]
        lines += ["## Goals that are missed", "", MISSED, "", "## How to read it", "", RULE, ""]
        lines += [f"A line for each call, with every measure, is in `{beside.name}/calls.csv`."]
    file.write_text("\n".join([*lines, ""]))


def _won(results: Results) -> list[str]:
    """How many calls each owner wins."""
    rows = results.rows()
    if not rows:
        return ["No call has been made yet.", ""]
    owners = {column.name: column.of for column in results.card.columns}
    judged = [each for each in map(results.verdict, rows) if each.by is not None]
    won = Counter(owners[each.winner] for each in judged if each.winner is not None)
    even = len(judged) - won.total()
    parts = [f"{of} {count}" for of, count in won.most_common()]
    parts += [f"even {even}"] if even else []
    alone = len(rows) - len(judged)
    others = f" {alone} more nobody else has made yet." if alone else ""
    count = f"{', '.join(parts) or 'none'}, of {len(judged)}"
    return [f"**Calls won: {count}.**{others} {_goal_counts(results)}", ""]


def _lost(results: Results) -> list[str]:
    lost, ours = [row.title for row in results.lost()], results.card.columns[0].of
    if not lost:
        return []
    return [f"{ours} is worse than every other contender in: {'; '.join(lost)}.", ""]


def _made_from(results: Results) -> list[str]:
    if not results.rows():
        return []
    seeds = max(len(cell.values) for cell in results.cells.values())
    return [
        f"Written by `gcc-testbed scorecard` from {results.calls} calls ({results.hours:.1f} "
        f"call-hours, at most {seeds} {'seed' if seeds == 1 else 'seeds'} each), "
        f"{commits.made_by(results.commits)} Same source, encoder, link and measures for all."
        + (" **One seed says little of the spread.**" if seeds == 1 else ""),
        "",
    ]


def _left_out(results: Results) -> list[str]:
    total = len(results.card.rows)
    left_out = total - len(results.rows())
    return [f"{left_out} of the card's {total} calls are not made yet.", ""] if left_out else []


def _not_run(results: Results) -> list[str]:
    made = {row.title for row in results.rows()} | {each.title for each in results.columns()}
    return [
        f"* Not run: {name}: {reason}."
        for name, reason in results.missing.items()
        if name not in made
    ]


# The sentences at the top: the result, its basis, and the calls that are missing.
_HEAD = (_won, _lost, _made_from, _left_out, _not_run)


def _head(results: Results) -> list[str]:
    return [line for sentences in _HEAD for line in sentences(results)]


def _goal_counts(results: Results) -> str:
    parts = []
    for column in results.columns():
        judged = [reached for row in results.rows() for reached in _judged(results, row, column)]
        if judged:
            parts.append(f"{column.title} {sum(judged)}/{len(judged)}")
    return f"Goals reached: {', '.join(parts)}." if parts else ""


def _judged(results: Results, row: Row, column: Column) -> list[bool]:
    """Whether each goal of a row is reached; empty without a finished call."""
    cell = results.cell(row, column)
    if cell is None:
        return []
    return [goal.reached(cell.median(goal.measure)) for goal in row.goals]


def _winners(results: Results) -> list[str]:
    """The table: a line for each call."""
    columns = results.columns()
    lines = [
        f"| call | {' | '.join(column.title for column in columns)} | won by |",
        f"|---|{'---|' * len(columns)}---|",
    ]
    for group, title in results.card.groups:
        rows = [row for row in results.rows() if row.group == group]
        if rows:
            lines.append(f"| **{title}** |{'  |' * len(columns)}  |")
        for row in rows:
            verdict = results.verdict(row)
            cells = [_cell(results, row, column, verdict.winner) for column in columns]
            lines.append(f"| {row.title} | {' | '.join(cells)} | {_by(results, row, verdict)} |")
    return lines


def _by(results: Results, row: Row, verdict: Verdict) -> str:
    """The winner's lead in points."""
    if verdict.winner is None:
        return "even"
    lead = "" if verdict.by is None else f"{verdict.by:.0f}"
    missing = any(results.cell(row, column) is None for column in results.columns())
    return f"{lead} so far".strip() if missing else lead


def _cell(results: Results, row: Row, column: Column, winner: str | None) -> str:
    """Points and their spread, and loss where it costs some."""
    cell = results.cell(row, column)
    if cell is None:
        return "–"
    shown = "no frame" if cell.score is None else f"{cell.score:.0f}"
    parts = [f"**{shown}**" if column.name == winner else shown]
    if len(cell.points) > 1:
        parts[0] += f" ({cell.range[0]:.0f}–{cell.range[1]:.0f})"
    loss = cell.median("loss_percent")
    if loss is not None and loss - row.path_loss_percent > LOSS_SHOWN:
        parts.append(f"{loss:.1f} %")
    return ", ".join(parts)


def _goals(results: Results) -> list[str]:
    """A line for each measure with a goal: what each contender has, and whether that reaches it."""
    columns = results.columns()
    lines = [
        "## Goals",
        "",
        f"| call | goal | {' | '.join(column.title for column in columns)} |",
        f"|---|---|{'---|' * len(columns)}",
    ]
    for row in results.rows():
        title = row.title
        for goals in _by_measure(row.goals):
            cells = [_reached(results.cell(row, column), goals) for column in columns]
            lines.append(f"| {title} | {_goals_text(goals)} | {' | '.join(cells)} |")
            title = ""
    return lines


def _by_measure(goals: tuple[Goal, ...]) -> list[list[Goal]]:
    """Those of one measure, which follow each other, together."""
    return [list(same) for _, same in groupby(goals, key=lambda goal: goal.measure)]


def _goals_text(goals: list[Goal]) -> str:
    """Bounds of one measure, such as "share 0.4 to 0.6"."""
    if len(goals) == 1:
        return str(goals[0])
    low, high = sorted(goal.bound for goal in goals)
    return f"{MEASURES[goals[0].measure].title} {low:g} to {high:g}"


def _reached(cell: Cell | None, goals: list[Goal]) -> str:
    if cell is None:
        return "–"
    measure = goals[0].measure
    median = cell.median(measure)
    mark = "✓" if all(goal.reached(median) for goal in goals) else "✗"
    if median is None:
        return f"{mark} {'never' if measure == 'reach_s' else '–'}"
    return f"{mark} {median:.{MEASURES[measure].digits}f}"
