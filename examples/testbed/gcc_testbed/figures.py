"""The picture of a call: four panels on one time axis, to be read in ten seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from gcc_testbed.metrics import FlowRecord, Record
from gcc_testbed.traces import Trace

BIN_S = 0.5

# Every colour of every figure. Chosen to stay apart for colour-blind eyes.
COLOUR = {
    "capacity": "#d9d9d9",
    "capacity edge": "#8c8c8c",
    "received": "#0b5fa5",
    "A_s": "#d1660a",
    "A_r": "#2e8b57",
    "delay": "#0b5fa5",
    "loss": "#b3202c",
    "m": "#5b3a8c",
    "gamma": "#555555",
    "overuse": "#f2b8b5",
    "underuse": "#b9d7f2",
    "increase": "#8cc79b",
    "hold": "#e8d27a",
    "decrease": "#e58e88",
    "text": "#222222",
}

_STYLE = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#eeeeee",
    "axes.axisbelow": True,
    "text.color": COLOUR["text"],
    "axes.labelcolor": COLOUR["text"],
}


def draw_call(record: Record, metrics: dict[str, Any], file: Path) -> None:
    """The first flow of a run, over time."""
    flow, scenario = record.flows[0], record.scenario
    with plt.rc_context(_STYLE):
        figure, axes = plt.subplots(
            4,
            1,
            figsize=(11, 9.5),
            sharex=True,
            gridspec_kw={"height_ratios": [3, 2, 1, 2.2], "hspace": 0.13},
        )
        _rates(axes[0], record, flow)
        _delay(axes[1], record, flow)
        _loss(axes[2], flow, scenario.duration_s)
        _detector(axes[3], flow, scenario.duration_s)
        for axis in axes:
            axis.axvspan(0, scenario.measure_from_s, color="#000000", alpha=0.035, lw=0, zorder=0)
        axes[0].annotate(
            f"measured from {scenario.measure_from_s:g} s",
            (scenario.measure_from_s, 1),
            xycoords=("data", "axes fraction"),
            xytext=(3, -3),
            textcoords="offset points",
            va="top",
            fontsize=7.5,
            color="#777777",
        )
        axes[-1].set_xlim(0, scenario.duration_s)
        axes[-1].set_xlabel("time (s)")
        figure.align_ylabels(axes)
        _title(figure, record, metrics)
        figure.savefig(file, dpi=130, bbox_inches="tight", metadata={"Software": None})
        plt.close(figure)


def _title(figure: plt.Figure, record: Record, metrics: dict[str, Any]) -> None:
    scenario, flow = record.scenario, metrics["flows"][0]
    link = scenario.link
    setting = (
        f"{scenario.flows[0].profile}: {metrics['sequence']['name']} over "
        f"{link.rate} kbit/s, RTT {link.rtt_ms:g} ms, drop tail {link.queue}"
    )
    delay = flow["one_way_queueing_ms"]
    numbers = [
        f"U {flow['utilisation']:.2f}",
        f"R {flow['received_kbps']:.0f} kbit/s",
        f"loss {_percent(flow['loss_ratio'])}",
        f"queueing p50 {_ms(delay['p50'])}, p95 {_ms(delay['p95'])}",
        f"n_dd {'–' if flow['n_dd'] is None else flow['n_dd']}",
    ]
    figure.suptitle(setting, x=0.125, y=0.935, ha="left", fontsize=12, fontweight="bold")
    figure.text(0.125, 0.893, "   ·   ".join(numbers), ha="left", fontsize=10)


def _percent(ratio: float | None) -> str:
    return "–" if ratio is None else f"{100 * ratio:.2f} %"


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f} ms"


def _rates(axis: Axes, record: Record, flow: FlowRecord) -> None:
    end = record.scenario.duration_s
    steps = record.capacity.steps
    times = [step.at_s for step in steps] + [end]
    kbps = [step.kbps for step in steps] + [steps[-1].kbps]
    corners = np.repeat(times, 2)[1:-1], np.repeat(kbps[:-1], 2)
    axis.fill_between(*corners, color=COLOUR["capacity"], alpha=0.6, lw=0)
    axis.plot(*corners, color=COLOUR["capacity edge"], lw=1.2)
    labels = [("capacity", kbps[-1], COLOUR["capacity edge"])]

    journeys = flow.journeys
    got = journeys.arrived
    centres, received = _binned(journeys.received_s[got], journeys.ip_bytes[got], end, BIN_S)
    received = received * 8 / 1000 / BIN_S
    axis.plot(centres, received, color=COLOUR["received"], lw=1.3)
    if len(received):
        labels.append(("received", received[-1], COLOUR["received"]))

    for name, column, trace in (
        ("A_r", "a_r_bps", flow.receiver),
        ("A_s", "a_s_bps", flow.sender),
    ):
        at, value = trace.points(column)
        inside = (at >= 0) & (at <= end)
        if inside.any():
            axis.step(at[inside], value[inside] / 1000, where="post", color=COLOUR[name], lw=1.1)
            labels.append((f"${name}$", value[inside][-1] / 1000, COLOUR[name]))

    drawn = np.concatenate([line.get_ydata()[len(line.get_ydata()) // 10 :] for line in axis.lines])
    top = 1.12 * float(np.nanmax([max(kbps), np.nanpercentile(drawn, 99.5)]))
    axis.set_ylim(0, top)
    axis.set_ylabel("rate (kbit/s)")
    _label_at_right(axis, labels, top)


def _label_at_right(axis: Axes, labels: list[tuple[str, float, str]], top: float) -> None:
    """Names beside the ends of the lines, pushed apart where the lines end close together."""
    low, high = axis.get_ylim()
    points = axis.get_position().height * axis.figure.get_figheight() * 72
    gap = (high - low) * 13 / points
    placed: list[float] = []
    for name, value, colour in sorted(labels, key=lambda label: label[1]):
        at = min(value, 0.97 * top)
        if placed:
            at = max(at, placed[-1] + gap)
        placed.append(at)
        axis.annotate(
            name,
            (1, at),
            xycoords=("axes fraction", "data"),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontweight="bold",
            annotation_clip=False,
        )


def _delay(axis: Axes, record: Record, flow: FlowRecord) -> None:
    journeys, link = flow.journeys, record.scenario.link
    end = record.scenario.duration_s
    delay_ms = journeys.delay_s * 1000
    axis.plot(journeys.sent_s, delay_ms, ".", ms=1.8, color=COLOUR["delay"], rasterized=True)

    steps = record.capacity.steps
    times = [step.at_s for step in steps] + [end]
    limits = [link.queue.limit_bytes(step.kbps) * 8 / step.kbps for step in steps]
    axis.step(times, [*limits, limits[-1]], where="post", color=COLOUR["capacity edge"], lw=1.2)
    highest = np.nanmax(delay_ms) if journeys.arrived.any() else 0.0
    top = 1.1 * max(float(highest), *limits)
    axis.set_ylim(0, top)
    axis.set_ylabel("one-way\nqueueing (ms)")
    _label_at_right(axis, [("queue full", limits[-1], COLOUR["capacity edge"])], top)


def _loss(axis: Axes, flow: FlowRecord, end: float) -> None:
    journeys = flow.journeys
    centres, sent = _binned(journeys.sent_s, journeys.ip_bytes, end, 1.0)
    lost = ~journeys.arrived
    _, gone = _binned(journeys.sent_s[lost], journeys.ip_bytes[lost], end, 1.0)
    percent = 100 * np.divide(gone, sent, out=np.zeros_like(gone), where=sent > 0)
    axis.bar(centres, percent, width=0.9, color=COLOUR["loss"])
    axis.set_ylim(0, max(5.0, 1.1 * percent.max(initial=0)))
    axis.set_ylabel("loss\n(% per s)")
    if not lost.any():
        axis.text(
            0.5, 0.5, "no packet lost", transform=axis.transAxes, ha="center", va="center",
            color="#999999",
        )  # fmt: skip


def _detector(axis: Axes, flow: FlowRecord, end: float) -> None:
    groups = flow.receiver.of("group")
    at, m = groups.points("modified_m_ms")
    gamma_at, gamma = groups.points("gamma_ms")
    axis.set_ylabel("detector: m and ±γ\n(ms)")
    if not len(at):
        axis.text(
            0.5, 0.5, "no packet groups in the receiver's trace", transform=axis.transAxes,
            ha="center", va="center", color="#999999",
        )  # fmt: skip
        axis.set_ylim(-1, 1)
        return
    limit = 1.0
    if len(gamma_at):
        axis.fill_between(gamma_at, -gamma, gamma, color=COLOUR["gamma"], alpha=0.12, lw=0)
        axis.plot(gamma_at, gamma, color=COLOUR["gamma"], lw=0.8)
        axis.plot(gamma_at, -gamma, color=COLOUR["gamma"], lw=0.8)
        limit = float(np.percentile(gamma, 99)) * 1.8
    axis.plot(at, m, color=COLOUR["m"], lw=0.8)
    limit = max(limit, float(np.percentile(np.abs(m), 99.5)) * 1.15, 1.0)
    # Below the curves is the strip of the controller's states, above them the legend.
    axis.set_ylim(-1.4 * limit, 1.3 * limit)
    _spans(axis, groups, "signal", ("overuse", "underuse"), end, (0.13, 0.86))
    _spans(axis, flow.receiver, "state", ("increase", "hold", "decrease"), end, (0.0, 0.09))
    labels = [("m", float(m[-1]), COLOUR["m"])]
    if len(gamma_at):
        labels.append(("γ", float(gamma[-1]), COLOUR["gamma"]))
    _label_at_right(axis, labels, limit)
    _legend(axis)


def _legend(axis: Axes) -> None:
    """What the colours mean, written in them, above the panel."""
    words = (
        ("signal:", None), ("over-use", "overuse"), ("under-use", "underuse"),
        ("state (strip):", None), ("increase", "increase"), ("hold", "hold"),
        ("decrease", "decrease"),
    )  # fmt: skip
    x = -0.015
    for text, colour in words:
        box = None if colour is None else {"facecolor": COLOUR[colour], "lw": 0, "pad": 1.5}
        x += 0.02 if colour is None else 0.0
        axis.text(
            x, 0.975, text, transform=axis.transAxes, fontsize=7.5, va="top", bbox=box, zorder=5
        )
        x += 0.0063 * len(text) + 0.012


def _spans(
    axis: Axes,
    trace: Trace,
    column: str,
    shown: tuple[str, ...],
    end: float,
    band: tuple[float, float],
) -> None:
    """Colours the time during which a text column holds one of the values shown."""
    times = trace.number("time_s") - trace.origin_s
    values = trace.text(column)
    known = [(t, value) for t, value in zip(times.tolist(), values, strict=True) if value]
    begin, current = None, ""
    for time, value in [*known, (end, "")]:
        if value == current:
            continue
        if current in shown and begin is not None:
            axis.axvspan(begin, time, *band, color=COLOUR[current], lw=0, zorder=0.5)
        begin, current = time, value


def _binned(
    times: NDArray[np.float64], weights: NDArray[np.int64], end: float, width: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(centres of the bins, sum of the weights in each); a last part of a bin is left out."""
    edges = np.arange(0, end + 1e-9, width)
    if len(edges) < 2:
        edges = np.array([0.0, end])
    sums, _ = np.histogram(times, edges, weights=weights)
    return (edges[:-1] + edges[1:]) / 2, sums.astype(float)
