"""Draws how the default asks who holds a queue: the picture of docs/how-the-default-works.md.

    build/venv/bin/python testbed/tools/transitions.py [OUT]

Makes some calls of the scorecard in virtual time, two minutes on two cores, into OUT (default:
./transitions-out). A call in OUT is not made again. Each part of the picture is the time around
the first verdict of its kind.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from card_call import Made
from matplotlib.axes import Axes

from gcc_testbed.measure import trace_table
from gcc_testbed.measure.metrics import read_link_log
from gcc_testbed.measure.pixels import spans_where
from gcc_testbed.measure.trace_table import SENDER, Table
from gcc_testbed.measure.whole_trace import verdicts
from gcc_testbed.report.style import COLOUR, LANE, STYLE
from gcc_testbed.scenario.run_files import LINK_LOGS, trace
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.scorecard.card import Card

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs/images/transitions.png"
COLUMNS = 2
# A part of the picture begins so long before the verdict, unless it says otherwise.
BEFORE_S, LENGTH_S = 4.0, 12.0
STATES = {"drain": LANE["drain"], "tcp": LANE["beside TCP"]}


@dataclass(frozen=True)
class Transition:
    """A verdict of one end in a call of the card, after a time of the call.

    Without a verdict it is the end of a share beside others.
    """

    verdict: str
    title: str
    row: str
    column: str
    side: str
    after_s: float
    changes: tuple[tuple[str, Any], ...] = ()
    before_s: float = BEFORE_S

    @property
    def name(self) -> str:
        changed = "".join(
            f"-{value}".replace(":", "_").replace(",", "_") for _, value in self.changes
        )
        return f"{self.row}.{self.column}{changed}".replace(":", "_").replace(",", "_")


SLOWER = (("link.forward.rate_kbps", "0:1000,180:300"), ("duration_s", 240))
LONGER = (("link.fault[0].delay_ms", 100), ("link.jitter_ms", 0))
ENDS = (("flow[1].stop_s", 180), ("duration_s", 240))
TRANSITIONS = (
    Transition("own", "the link becomes slower; transport-cc", "steep-drop", "auto", "sender", 50),
    Transition("own", "the same; REMB", "steep-drop", "remb", "receiver", 50),
    Transition("others", "a TCP flow begins; transport-cc", "cubic", "auto", "sender", 100),
    Transition("others", "the same; REMB", "cubic", "remb", "receiver", 100),
    Transition(
        "slower-link", "beside TCP the link becomes slower; transport-cc", "cubic", "auto",
        "sender", 180, SLOWER,
    ),
    Transition(
        "longer-path", "the route becomes 100 ms longer; REMB", "longer-route", "remb", "receiver",
        15, LONGER, 13,
    ),
    Transition("lossy-path", "a path that loses 10 %; REMB", "loss-10", "remb", "sender", 0),
    Transition("", "the TCP flow ends; transport-cc", "cubic", "auto", "sender", 180, ENDS),
)  # fmt: skip


def call_of(whole: Card, out: Path, transition: Transition) -> Made:
    row = next(each for each in whole.rows if each.name == transition.row)
    column = next(each for each in whole.columns if each.name == transition.column)
    return Made(row, column, 1, out / transition.name, transition.changes)


def read(made: Made, side: str) -> Table:
    """The trace of an end of the first flow, in seconds since the link began."""
    found = trace_table.read(
        made.directory / trace(made.record().scenario, side, 0),
        ("competition", "verdict", "a_s_bps", "a_r_bps", "r_bps", "r_ack_bps", "remb_bps")
        + ("path_queue_ms", "fraction_lost"),
    )
    origin_s, _ = read_link_log(made.directory / LINK_LOGS["forward"])
    return Table(found.kind, found.time_s - origin_s, found.numbers, found.words)


def time_of(table: Table, transition: Transition) -> float:
    beside = table.word("competition").are("tcp")
    ends = table.time_s[1:][beside[:-1] & table.word("competition").are("none")[1:]]
    found = [at for at, name in verdicts(table) if name == transition.verdict]
    for at in found if transition.verdict else ends:
        if at >= transition.after_s:
            return float(at)
    raise SystemExit(f"{transition.name}: the {transition.side} does not get there")


def draw_rates(axis: Axes, table: Table) -> None:
    """The rate that the end sets, and what arrives."""
    sends = table.kind == SENDER
    rates = (
        (
            ("a_s_bps", "$A_s$", "A_s"),
            ("r_ack_bps", "R(t)", "received"),
            ("remb_bps", "$A_r$", "A_r"),
        )
        if sends
        else (("a_r_bps", "$A_r$", "A_r"), ("r_bps", "R(t)", "received"))
    )
    for column, label, colour in rates:
        at, rate = table.points(column)
        if len(at):
            axis.step(at, rate / 1000, where="post", color=COLOUR[colour], lw=1.2, label=label)
    axis.set_ylabel("kbit/s")


def draw_path(axis: Axes, table: Table) -> None:
    """The queue, or what is lost where the end sees no queue."""
    at, queue = table.points("path_queue_ms")
    if len(at):
        axis.step(at, queue, where="post", color=COLOUR["delay"], lw=0.9)
        axis.set_ylabel("queue (ms)")
    else:
        at, lost = table.points("fraction_lost")
        axis.step(at, 100 * lost, where="post", color=COLOUR["loss"], lw=0.9)
        axis.set_ylabel("lost (%)")


def draw_part(axes: tuple[Axes, Axes], table: Table, transition: Transition) -> None:
    centre = time_of(table, transition)
    begin = centre - transition.before_s
    end = begin + max(LENGTH_S, 1.3 * transition.before_s)
    draw_rates(axes[0], table)
    draw_path(axes[1], table)
    for axis in axes:
        axis.set_xlim(begin, end)
        fit(axis, begin, end)
        for state, colour in STATES.items():
            for first, last in spans_where(table.time_s, table.word("competition").are(state)):
                axis.axvspan(first, last, color=colour, alpha=0.18, lw=0)
    seen = [(at, name) for at, name in verdicts(table) if begin <= at <= end]
    # Names beside each other are at different heights.
    for place, (at, name) in enumerate(seen):
        axes[0].axvline(at, color=LANE["drain"], lw=0.9, ls=":")
        axes[0].annotate(
            name,
            (at, 0.99 - 0.11 * (place % 2)),
            xycoords=("data", "axes fraction"),
            xytext=(2, 0),
            textcoords="offset points",
            va="top",
            fontsize=7.5,
            color=LANE["drain"],
        )
    kind = transition.verdict or "none again"
    axes[0].set_title(f"{kind}: {transition.title}", loc="left", fontsize=8.5)
    axes[0].legend(ncols=3, frameon=False, fontsize=7, loc="lower left")
    axes[0].tick_params(labelbottom=False)


def fit(axis: Axes, begin: float, end: float) -> None:
    """The height of what is seen."""
    highest = 0.0
    for line in axis.lines:
        at, values = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        seen = values[(at >= begin) & (at <= end)]
        highest = max(highest, float(np.nanmax(seen)) if len(seen) else 0.0)
    axis.set_ylim(0, 1.25 * highest or 1)


def draw(tables: list[Table]) -> None:
    rows = -(-len(tables) // COLUMNS)
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(11, 2.5 * rows), layout="constrained")
        parts = figure.subfigures(rows, COLUMNS, squeeze=False)
        for part, table, transition in zip(parts.flat, tables, TRANSITIONS, strict=True):
            upper, lower = part.subplots(2, 1, height_ratios=(2, 1))
            draw_part((upper, lower), table, transition)
        figure.savefig(PICTURE, dpi=100, metadata={"Software": None})
        plt.close(figure)


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("transitions-out")
    out.mkdir(parents=True, exist_ok=True)
    whole = card.load()
    calls = [call_of(whole, out, each) for each in TRANSITIONS]
    wanted = list({made.directory: made for made in calls}.values())
    with ThreadPoolExecutor(2) as two:
        for number, _ in enumerate(two.map(Made.make, wanted), 1):
            print(f"{number} of {len(wanted)} calls", file=sys.stderr)
    draw([read(made, each.side) for made, each in zip(calls, TRANSITIONS, strict=True)])


if __name__ == "__main__":
    main()
