"""Draws a queue with L4S and without: the picture of docs/how-to/l4s.md.

    build/venv/bin/python testbed/tools/l4s_queue.py [OUT]

Makes two calls in virtual time, a minute, into OUT (default: ./l4s-out). A call in OUT is not made
again.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from measure_profiles import testbed

from gcc_testbed.measure.metrics import Record, read_record
from gcc_testbed.report.style import COLOUR, STYLE
from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.run_files import METRICS

ROOT = Path(__file__).parents[2]
SCENARIO = ROOT / "testbed/data/scenarios/model-l4s.toml"
PICTURE = ROOT / "docs/images/l4s.png"
# The setting of gccsender, the name in the picture, and the colour.
CALLS = (("off", "without", COLOUR["loss"]), ("ect1", "with L4S", COLOUR["ecn"]))
ECN = "flow[0].ecn"
# A packet that has not waited is at the foot of the axis.
LEAST_MS = 0.3
MOST_MS = 2000.0


def made(out: Path, ecn: str) -> Record:
    directory = out / ecn
    if not (directory / METRICS).is_file():
        testbed("run", str(SCENARIO), "--no-plots", "--set", f"{ECN}={ecn}", out=directory)
    return read_record(directory, scenario_file.load(SCENARIO))


def draw_rate(axis: Axes, record: Record, name: str, colour: str) -> None:
    sender = record.flows[0].sender
    axis.step(
        sender.number("time_s") - sender.origin_s,
        sender.number("a_s_bps") / 1000,
        where="post",
        color=colour,
        lw=1.2,
        label=f"$A_s$ {name}",
    )


def draw_queue(axis: Axes, record: Record, colour: str) -> None:
    journeys = record.flows[0].journeys
    axis.plot(
        journeys.sent_s,
        np.maximum(journeys.delay_s * 1000, LEAST_MS),
        ".",
        ms=1.8,
        color=colour,
        rasterized=True,
    )


def draw(records: list[Record]) -> None:
    with plt.rc_context(STYLE):
        figure, (rate, queue) = plt.subplots(
            2, 1, figsize=(9, 4.6), sharex=True, layout="constrained"
        )
        capacity, end = records[0].capacity, records[0].scenario.duration_s
        rate.step(
            [step.at_s for step in capacity.steps] + [end],
            [step.kbps for step in capacity.steps] + [capacity.steps[-1].kbps],
            where="post",
            color=COLOUR["capacity edge"],
            lw=2,
            label="link",
        )
        for record, (_, name, colour) in zip(records, CALLS, strict=True):
            draw_rate(rate, record, name, colour)
            draw_queue(queue, record, colour)
        rate.set_ylabel("kbit/s")
        rate.set_ylim(0, 2500)
        rate.legend(ncols=3, frameon=False, fontsize=8, loc="upper right")
        queue.set_yscale("log")
        queue.set_ylim(LEAST_MS * 0.8, MOST_MS)
        queue.yaxis.set_major_formatter("{x:g}")
        queue.set_ylabel("queueing of a packet (ms)")
        queue.set_xlabel("time (s)")
        queue.set_xlim(0, end)
        figure.savefig(PICTURE, dpi=110, metadata={"Software": None})
        plt.close(figure)


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("l4s-out")
    out.mkdir(parents=True, exist_ok=True)
    draw([made(out, ecn) for ecn, _, _ in CALLS])


if __name__ == "__main__":
    main()
