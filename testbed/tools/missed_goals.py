"""Shows why goals of the scorecard are missed: the tables and pictures of docs/missed-goals.md.

    build/venv/bin/python testbed/tools/missed_goals.py [OUT]

Makes some 50 calls in virtual time, 20 minutes on two cores, into OUT (default:
./missed-goals-out). A call in OUT is not made again. Which goals are missed is read from
docs/scorecard/calls.csv.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from card_call import Made
from matplotlib.axes import Axes
from numpy.typing import NDArray
from page_table import replace_rows

from gcc_testbed.measure import captures, traces
from gcc_testbed.measure.metrics import Record, loss_ratio, read_link_log
from gcc_testbed.report.style import COLOUR, FLOWS, STYLE
from gcc_testbed.scenario.network import Ports
from gcc_testbed.scenario.run_files import LINK_LOGS, capture, trace
from gcc_testbed.studies.scorecard import calls_file, card, measures, page, results
from gcc_testbed.studies.scorecard.calls_file import Key
from gcc_testbed.studies.scorecard.card import Card
from gcc_testbed.studies.scorecard.measures import MEASURES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/missed-goals.md"
CALLS = ROOT / "docs/scorecard/calls.csv"
PICTURES = ROOT / "docs/scorecard"

FRAMES = (
    ("one-flow", "remb"),
    ("one-flow", "auto"),
    ("fourpeople", "remb"),
    ("fourpeople", "auto"),
    ("two-flows-1", "remb"),
    ("two-flows-1", "auto"),
    ("two-flows-2", "remb"),
    ("two-flows-2", "auto"),
)
# A constant rate, whatever the loss, kbit/s; beside three TCP flows a fifth of the link is the
# least share of the goals.
CONSTANT = (
    ("cubic-3-1m", 150),
    ("cubic-3-1m", 200),
    ("cubic-3-1m", 250),
    ("cubic-3-2m", 400),
    ("cubic-3-2m", 500),
    ("cubic-3-4m", 800),
    ("cubic-3-4m", 1000),
    ("cubic-3-40ms", 800),
    ("cubic-3-40ms", 1000),
)
# Loss of our packets after TCP's slow starts, for which constant senders leave room.
AFTER_S = 70
BESIDE_THREE = tuple(
    (row, column) for row in ("cubic-3-1m", "cubic-3-2m") for column in ("remb", "auto")
)
SEEDS = (1, 2, 3)
# Attempts over REMB: the title, the call, and the settings of every flow.
TRIES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    *(
        (f"packets paced at {factor} A_s", row, {"pacing_factor": factor})
        for row, factor in (
            ("one-flow", 1.2),
            ("one-flow", 1.5),
            ("one-flow", 2.5),
            ("fourpeople", 2.5),
            ("steep-rise", 2.5),
            ("two-flows-1", 2.5),
            ("two-flows-2", 2.5),
            ("three-flows", 2.5),
        )
    ),
    ("abs-send-time in each packet", "one-flow", {"abs_send_time": True}),
    (
        "both, 1.2 A_s",
        "one-flow",
        {"abs_send_time": True, "pacing_factor": 1.2},
    ),
)
TRIED_MEASURES = ("utilisation", "queueing_p95_ms", "frame_delay_p95_ms", "jain", "reach_s")
OVERFLOWS = (("cubic-3-1m", "auto"), ("cubic-3-40ms", "auto"), ("cubic-3-40ms", "remb"))


class Calls:
    """The calls of the page, made when they are missing."""

    def __init__(self, whole: Card, out: Path) -> None:
        self.rows = {row.name: row for row in whole.rows}
        self.columns = {column.name: column for column in whole.columns}
        self.out = out

    def of(self, row: str, column: str, seed: int = 1) -> Made:
        directory = self.out / f"{row}.{column}-{seed}"
        return Made(self.rows[row], self.columns[column], seed, directory)

    def constant(self, row: str, kbps: int, seed: int) -> Made:
        rates = tuple((f"flow[0].{key}_kbps", kbps) for key in ("min", "start", "max"))
        directory = self.out / f"{row}.{kbps}-{seed}"
        return Made(self.rows[row], self.columns["auto"], seed, directory, rates)

    def tried(self, row: str, flow: dict[str, Any]) -> Made:
        column = self.columns["remb"]
        changed = replace(column, flow={**column.flow, **flow})
        name = "-".join(f"{key}={value}" for key, value in flow.items())
        return Made(self.rows[row], changed, 1, self.out / f"{row}.{name}-1")

    def every(self) -> list[Made]:
        shown = [self.of(*names) for names in dict.fromkeys((*FRAMES, *OVERFLOWS))]
        tried = [self.tried(row, flow) for _, row, flow in TRIES]
        constant = [self.constant(*at, seed) for at in CONSTANT for seed in SEEDS]
        beside = [self.of(*names, seed) for names in BESIDE_THREE for seed in SEEDS]
        wanted = [*shown, *tried, *constant, *beside]
        return list({made.directory: made for made in wanted}.values())


# --- tables ---


def missed(whole: Card) -> Iterator[str]:
    """A line for each goal that one of our columns misses."""
    found = results.read(whole, Path("/nonexistent"), 5, {}, calls_file.read(CALLS))
    ours = [column for column in whole.columns if column.of == whole.columns[0].of]
    for row in whole.rows:
        for goal in row.goals:
            cells = [found.cells[row.name, column.name] for column in ours]
            reached = [goal.reached(cell.median(goal.measure)) for cell in cells]
            if not all(reached):
                shown = [
                    "✓" if is_reached else page.number(cell, goal.measure)
                    for cell, is_reached in zip(cells, reached, strict=True)
                ]
                yield f"| {row.title} | {goal} | {' | '.join(shown)} |"


def frames(calls: Calls) -> Iterator[str]:
    """The causes of waiting: other packets, then those of the same frame."""
    for row, column in FRAMES:
        made = calls.of(row, column)
        record = made.record()
        waits = [_waits(made, record, number) for number in range(len(record.flows))]
        worst = max(waits, key=lambda wait: float(np.percentile(sum(wait), 95)))
        found = [np.percentile(each, 95) for each in (sum(worst), *worst)]
        cells = " | ".join(f"{value:.0f}" for value in found)
        yield f"| {calls.rows[row].title} | {calls.columns[column].title} | {cells} |"


def _waits(
    made: Made, record: Record, number: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each packet that arrived, ms: what the first of its frame waited, and what it did more."""
    journeys, timestamps = _packets(made, record, number)
    chosen = (journeys.sent_s >= record.scenario.measure_from_s) & journeys.arrived
    delay = journeys.delay_s[chosen] * 1000
    _, first, frame = np.unique(timestamps[chosen], return_index=True, return_inverse=True)
    before = delay[first][frame]
    return before, delay - before


def _packets(
    made: Made, record: Record, number: int
) -> tuple[captures.Journeys, NDArray[np.int64]]:
    """The packets of a flow, and their RTP timestamps."""
    origin_s, _ = read_link_log(made.directory / LINK_LOGS["forward"])
    seen = captures.read(made.directory / capture("a"), origin_s)
    fields = captures.rtp_fields(seen, Ports.of_flow(number).rtp)
    return record.flows[number].journeys, fields.timestamp


def tries(calls: Calls) -> Iterator[str]:
    """The result of each attempt, beside the unchanged call: seed 1 of both."""
    known = calls_file.read(CALLS)
    for says, row, flow in TRIES:
        line = calls.rows[row]
        call = results.made(calls.tried(row, flow).directory, line)
        assert call is not None
        before = known[Key(row, "remb", 1)].values
        cells = [
            f"{_shown(call.values, measure)} ({_shown(before, measure)})"
            for measure in TRIED_MEASURES
        ]
        yield f"| {says} | {line.title} | {' | '.join(cells)} |"


def _shown(values: measures.Values, measure: str) -> str:
    value = values[measure]
    return "–" if value is None else f"{value:.{MEASURES[measure].digits}f}"


def constant(calls: Calls) -> Iterator[str]:
    for row, kbps in CONSTANT:
        flows = [calls.constant(row, kbps, seed).metrics for seed in SEEDS]
        losses = [100 * found["flows"][0]["loss_ratio"] for found in flows]
        shares = [found["fairness"]["shares"]["media"] for found in flows]
        least, most = min(losses), max(losses)
        yield (
            f"| {calls.rows[row].title} | {kbps} | {median(shares):.2f} | "
            f"{median(losses):.1f} ({least:.1f}–{most:.1f}) |"
        )


def after_start(calls: Calls) -> Iterator[str]:
    for row, column in BESIDE_THREE:
        losses = []
        for seed in SEEDS:
            record = calls.of(row, column, seed).record()
            end = record.scenario.duration_s
            media = record.flows[0].journeys
            begins = (record.scenario.measure_from_s, AFTER_S)
            losses.append([100 * (loss_ratio(media.between(at, end)) or 0.0) for at in begins])
        cells = " | ".join(f"{median(each):.1f}" for each in zip(*losses, strict=True))
        yield f"| {calls.rows[row].title} | {calls.columns[column].title} | {cells} |"


# --- pictures ---


def draw(name: str, n: int, how: Callable[[list[Axes]], None]) -> None:
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(n, 1, figsize=(9, 0.6 + 2.0 * n), layout="constrained")
        how(list(np.atleast_1d(axes)))
        figure.savefig(PICTURES / f"{name}.png", dpi=100, metadata={"Software": None})
        plt.close(figure)


def draw_frames(calls: Calls, axes: list[Axes]) -> None:
    """A second of one flow: each packet, by how long it waited."""
    for axis, column in zip(axes, ("remb", "auto"), strict=True):
        made = calls.of("one-flow", column)
        record = made.record()
        journeys, timestamps = _packets(made, record, 0)
        chosen = (journeys.sent_s >= 60) & (journeys.sent_s < 61) & journeys.arrived
        _, first, frame = np.unique(timestamps[chosen], return_index=True, return_inverse=True)
        at, delay = journeys.received_s[chosen], journeys.delay_s[chosen] * 1000
        for number in range(len(first)):
            own = frame == number
            axis.plot(at[own], delay[own], "-", color=COLOUR["capacity edge"], lw=0.8)
        axis.plot(at, delay, ".", ms=4, color=FLOWS[0], label="packet")
        axis.plot(at[first], delay[first], "o", ms=4, color=FLOWS[1], label="first of its frame")
        axis.axhline(25, color=COLOUR["loss"], lw=0.9, ls="--", label="goal, 95 %")
        axis.set_title(made.column.title, loc="left", fontsize=9)
        axis.set_ylabel("queueing (ms)")
        axis.set_ylim(bottom=0)
    axes[0].legend(ncols=3, frameon=False, fontsize=8, loc="upper right")
    axes[-1].set_xlabel("arrival (s)")


def draw_start(calls: Calls, axes: list[Axes]) -> None:
    """The first seconds over REMB."""
    (axis,) = axes
    made = calls.of("one-flow", "remb")
    record = made.record()
    origin_s, _ = read_link_log(made.directory / LINK_LOGS["forward"])
    for side, columns in (
        ("receiver", (("r_bps", "R(t)", "received"), ("a_r_bps", "A_r", "A_r"))),
        ("sender", (("a_s_bps", "A_s", "A_s"),)),
    ):
        read = traces.read(made.directory / trace(record.scenario, side, 0), origin_s)
        for column, label, colour in columns:
            at, rate = read.points(column)
            axis.step(at, rate / 1000, where="post", color=COLOUR[colour], lw=1.3, label=label)
    axis.axhline(900, color=COLOUR["loss"], lw=0.9, ls="--", label="goal, in two seconds")
    axis.set_xlim(0, 6)
    axis.set_ylim(0, 2000)
    axis.set_ylabel("kbit/s")
    axis.set_xlabel("time (s)")
    axis.legend(ncols=4, frameon=False, fontsize=8, loc="upper right")


def draw_overflows(calls: Calls, axes: list[Axes]) -> None:
    """Ten seconds beside three TCP flows: the delay of every packet, and the lost packets."""
    for axis, (row, column) in zip(axes, OVERFLOWS, strict=True):
        made = calls.of(row, column)
        media, *tcp = made.record().flows
        both = (captures.together([flow.journeys for flow in tcp]), media.journeys)
        longest = 0.0
        for number, (journeys, colour, label) in enumerate(
            zip(both, (COLOUR["capacity edge"], FLOWS[0]), ("TCP", "media"), strict=True)
        ):
            found = journeys.between(150, 160)
            delay = found.delay_s * 1000
            longest = max(longest, float(np.nanmax(delay)))
            axis.plot(found.sent_s, delay, ".", ms=2 + 1.5 * number, color=colour, label=label)
            lost = found.sent_s[~found.arrived]
            axis.plot(
                lost, np.full(len(lost), longest * (1.08 + 0.08 * number)), "x", ms=5,
                color=colour if number == 0 else COLOUR["loss"], label=f"{label}, lost",
            )  # fmt: skip
        axis.set_title(f"{made.row.title}; {made.column.title}", loc="left", fontsize=9)
        axis.set_ylabel("queueing (ms)")
        axis.set_ylim(0, 1.35 * longest)
    axes[0].legend(ncols=4, frameon=False, fontsize=8, loc="lower right")
    axes[-1].set_xlabel("sent (s)")


# --- the page ---


def main() -> None:
    whole = card.load()
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("missed-goals-out")
    calls = Calls(whole, out)
    out.mkdir(parents=True, exist_ok=True)
    wanted = calls.every()
    with ThreadPoolExecutor(2) as two:
        for number, _ in enumerate(two.map(Made.make, wanted), 1):
            print(f"{number} of {len(wanted)} calls", file=sys.stderr)
    draw("frames", 2, lambda axes: draw_frames(calls, axes))
    draw("start", 1, lambda axes: draw_start(calls, axes))
    draw("overflows", len(OVERFLOWS), lambda axes: draw_overflows(calls, axes))
    text = PAGE.read_text(encoding="utf-8")
    text = replace_rows(text, "| call | goal |", list(missed(whole)))
    text = replace_rows(text, "| call | contender |", list(frames(calls)))
    text = replace_rows(text, "| tried | call |", list(tries(calls)))
    text = replace_rows(text, "| call | constant kbit/s |", list(constant(calls)))
    text = replace_rows(text, "| call | ours |", list(after_start(calls)))
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
