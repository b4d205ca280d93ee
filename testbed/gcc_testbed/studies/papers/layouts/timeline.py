"""Calls over time, a column for each: PV'13 1, 6, 9 to 11; FhMN'13 4, 6, 8, 9; CCR'16 8; IETF 88.

    call             [{ where = {…}, seed = 1, title = "…" }, …]
    panels           names of PANELS
span             [from, to] in seconds; default: the whole call
sharey           true: one scale for a row
These cannot be drawn from metrics alone: they need the traces in the call's directory.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from gcc_testbed.measure import traces
from gcc_testbed.measure.dynamics import trace_of
from gcc_testbed.measure.metrics import read_link_log
from gcc_testbed.measure.traces import Trace
from gcc_testbed.scenario.run_files import LINK_LOGS, TCP_LOGS
from gcc_testbed.studies.papers.calls import Call
from gcc_testbed.studies.papers.layouts.axes import COLOUR, COLOURS, CROWD, legend, mark, published
from gcc_testbed.studies.papers.paper import Figure, Paper, choice, is_chosen
from gcc_testbed.support.output import MARK

# More TCP flows than this are drawn as their mean.
MANY_TCP = 4
STATES = ("decrease", "hold", "increase")


@dataclass(frozen=True)
class _Shown:
    """A call's files, read when a panel wants them."""

    directory: Path
    scenario: dict[str, Any]
    origin_s: float

    def gcc(self) -> list[dict[str, Any]]:
        return [flow for flow in self.scenario["flow"] if flow["kind"] == "gcc"]

    def sender(self, name: str) -> Trace:
        return trace_of(self.directory, "sender", name, self.origin_s)

    def receiver(self) -> Trace:
        """Of the first gcc flow."""
        return trace_of(self.directory, "receiver", self.gcc()[0]["name"], self.origin_s)

    def tcp(self) -> Trace:
        return traces.read(self.directory / TCP_LOGS["a"], self.origin_s)

    def seconds(self) -> dict[str, NDArray[np.float64]]:
        """Received kbit/s of each flow, second by second."""
        found: dict[str, list[float]] = {}
        with (self.directory / "per-second.csv").open(newline="") as content:
            for row in csv.DictReader(content):
                found.setdefault(row["flow"], []).append(float(row["received_kbps"] or "nan"))
        return {name: np.array(values) for name, values in found.items()}


# The quantities that a panel shows directly, and those that are times in it.
LEVELS_OF = {"rate": ("R", "R beside")}
TIMES_OF = {"A_s": ("floor", "step")}


def draw(figure: Figure, calls: list[Call], paper: Paper) -> Drawing:
    """A column for each call of the figure that has been made."""
    columns = [(entry, call) for entry in figure.how["call"] if (call := _find(entry, calls))]
    names = figure.how["panels"]
    drawn, axes = plt.subplots(
        len(names), max(1, len(columns)), squeeze=False, sharex="col",
        sharey="row" if figure.how.get("sharey") else False, layout="constrained",
        figsize=(9 if len(columns) < 2 else 5.2 * len(columns), 1.0 + 1.7 * len(names)),
    )  # fmt: skip
    for column, (entry, call) in enumerate(columns):
        assert call.directory is not None
        scenario = json.loads((call.directory / MARK).read_text())["scenario"]
        origin_s, _link = read_link_log(call.directory / LINK_LOGS["forward"])
        shown = _Shown(call.directory, scenario, origin_s)
        for axis, name in zip(axes[:, column], names, strict=True):
            PANELS[name](axis, shown)
            _mark(axis, name, figure, call, scenario, paper)
        axes[0, column].set_title(f"{entry.get('title', call.point)}, run {call.seed}", fontsize=9)
        axes[-1, column].set_xlim(*entry.get("span", figure.how.get("span", (0, call.duration_s))))
        axes[-1, column].set_xlabel("time (s)")
    return drawn


def _mark(
    axis: Axes, panel: str, figure: Figure, call: Call, scenario: dict[str, Any], paper: Paper
) -> None:
    """Published levels while they are measured, and published times from then on."""
    begin = scenario.get("measure_from_s", 0.0)
    for quantity in LEVELS_OF.get(panel, ()):
        for result in published(paper, figure, quantity):
            if is_chosen(call.keys, result.where):
                mark(axis, result, begin, scenario["duration_s"])
    for quantity in TIMES_OF.get(panel, ()):
        for result in published(paper, figure, quantity):
            if is_chosen(call.keys, result.where) and result.value is not None:
                axis.axvline(begin + result.value, color=CROWD, lw=1.2, ls=(0, (4, 2)))


def shown_calls(figure: Figure, calls: list[Call]) -> list[Call]:
    """The calls that the figure shows."""
    return [call for entry in figure.how["call"] if (call := _find(entry, calls))]


def _find(entry: dict[str, Any], calls: list[Call]) -> Call | None:
    where = choice(entry["where"])
    seed = entry.get("seed", 1)
    return next((c for c in calls if c.seed == seed and is_chosen(c.keys, where)), None)


def _rate(axis: Axes, shown: _Shown) -> None:
    """Received rates of all flows, the capacity, and each REMB as a dot."""
    seconds = shown.seconds()
    _, capacity = read_link_log(shown.directory / LINK_LOGS["forward"])
    end = shown.scenario["duration_s"]
    steps = [*((step.at_s, step.kbps) for step in capacity.steps), (end, capacity.steps[-1].kbps)]
    crowd = [rates for name, rates in seconds.items() if name not in _names(shown)]
    flows = len(seconds)
    if len(crowd) > MANY_TCP:
        axis.plot(np.mean(crowd, axis=0), color=COLOURS[1], lw=1, label=f"mean of {len(crowd)} TCP")
        steps = [(at, kbps / flows) for at, kbps in steps]
        axis.set_ylim(0, 2.2 * steps[0][1])
    axis.step(*zip(*steps, strict=True), where="post", color=COLOUR["capacity edge"], lw=1, ls="--",
              label="fair share" if len(crowd) > MANY_TCP else "b")  # fmt: skip
    number = 0
    for name, rates in seconds.items():
        if name in _names(shown) or len(crowd) <= MANY_TCP:
            axis.plot(np.arange(len(rates)) + 0.5, rates, color=COLOURS[number], lw=1.1, label=name)
            number += 1
    axis.set_ylabel("received (kbit/s)")
    legend(axis, 4)


def _names(shown: _Shown) -> list[str]:
    return [flow["name"] for flow in shown.gcc()]


def _rembs(axis: Axes, shown: _Shown) -> None:
    """A_s of every gcc flow, and the REMBs that lowered it."""
    for number, name in enumerate(_names(shown)):
        sender = shown.sender(name)
        at, a_s = sender.points("a_s_bps")
        axis.step(at, a_s / 1000, where="post", color=COLOURS[number], lw=1, label=f"$A_s$ {name}")
        times, n_dd = sender.points("n_dd")
        lowered = times[1:][np.diff(n_dd) > 0]
        values: Any = np.interp(lowered, at, a_s / 1000) if len(at) else []
        axis.plot(lowered, values, ".", ms=3.5, color=COLOUR["loss"],
                  label="REMB that lowered it" if number == 0 else None)  # fmt: skip
    axis.set_ylabel("$A_s$ (kbit/s)")
    legend(axis, 3)


def _protection(axis: Axes, shown: _Shown) -> None:
    sender = shown.sender(_names(shown)[0])
    for name, column, colour in (
        ("$A_s$", "a_s_bps", COLOURS[0]),
        ("$r_{FEC}$", "r_fec_bps", COLOURS[4]),
        ("$r_{RTX}$", "r_rtx_bps", COLOURS[3]),
    ):
        at, rate = sender.points(column)
        axis.step(at, rate / 1000, where="post", lw=1, color=colour, label=name)
    axis.set_ylabel("rate (kbit/s)")
    legend(axis, 3)


def _a_r(axis: Axes, shown: _Shown) -> None:
    at, rate = shown.receiver().points("a_r_bps")
    axis.plot(at, rate / 1000, color=COLOUR["A_r"], lw=1)
    axis.set_ylabel("$A_r$ (kbit/s)")
    axis.set_ylim(bottom=0)


def _m(axis: Axes, shown: _Shown) -> None:
    groups = shown.receiver().of("group")
    at, m = groups.points("modified_m_ms")
    gamma_at, gamma = groups.points("gamma_ms")
    axis.plot(at, m, color=COLOUR["m"], lw=0.6)
    for sign in (1, -1):
        axis.plot(gamma_at, sign * gamma, color=COLOUR["loss"], lw=0.9)
    if len(m):
        limit = 1.1 * max(np.percentile(np.abs(m), 99.7), gamma.max(initial=1.0))
        drawn = [
            a for a in axis.get_shared_y_axes().get_siblings(axis) if a is not axis and a.lines
        ]
        limit = max([limit, *(other.get_ylim()[1] for other in drawn)])
        axis.set_ylim(-limit, limit)
    axis.set_ylabel("m and ±γ (1/60 ms)")


def _steps_of(axis: Axes, shown: _Shown, column: str, values: tuple[str, ...]) -> None:
    groups = shown.receiver()
    at = groups.number("time_s") - groups.origin_s
    known = [
        (t, values.index(v)) for t, v in zip(at, groups.text(column), strict=True) if v in values
    ]
    if known:
        axis.step(*zip(*known, strict=True), where="post", color=COLOURS[0], lw=0.6)
    axis.set_yticks(range(len(values)), values, fontsize=7)
    axis.set_ylim(-0.4, len(values) - 0.6)


def _signal(axis: Axes, shown: _Shown) -> None:
    _steps_of(axis, shown, "signal", ("underuse", "normal", "overuse"))
    axis.set_ylabel("signal s")


def _state(axis: Axes, shown: _Shown) -> None:
    _steps_of(axis, shown, "state", STATES)
    axis.set_ylabel("state σ")


def _cwnd(axis: Axes, shown: _Shown) -> None:
    at, cwnd = shown.tcp().points("cwnd")
    axis.plot(at, cwnd, color=COLOURS[1], lw=0.9)
    axis.set_ylabel("cwnd (packets)")
    axis.set_ylim(bottom=0)


def _rtt(axis: Axes, shown: _Shown) -> None:
    for number, name in enumerate(_names(shown)):
        at, rtt = shown.sender(name).of("report").points("rtt_ms")
        axis.plot(at, rtt, color=COLOURS[number], lw=0.9)
    axis.set_ylabel("RTT (ms)")
    axis.set_ylim(bottom=0)


def _fraction_lost(axis: Axes, shown: _Shown) -> None:
    for number, name in enumerate(_names(shown)):
        at, lost = shown.sender(name).of("report").points("fraction_lost")
        axis.plot(at, 100 * lost, color=COLOURS[number], lw=0.9, clip_on=False)
    axis.set_ylabel("fraction lost (%)")
    axis.set_ylim(0, max(5, axis.get_ylim()[1]))


PANELS: dict[str, Callable[[Axes, _Shown], None]] = {
    "rate": _rate,
    "A_s": _rembs,
    "A_r": _a_r,
    "protection": _protection,
    "m": _m,
    "signal": _signal,
    "state": _state,
    "cwnd": _cwnd,
    "RTT": _rtt,
    "fraction lost": _fraction_lost,
}
