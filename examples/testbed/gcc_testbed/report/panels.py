"""The panels of a plot over time: rates, queueing delay, loss, detector."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gcc_testbed.measure.captures import together
from gcc_testbed.measure.metrics import FlowRecord, Record, loss_ratio
from gcc_testbed.measure.traces import Trace
from gcc_testbed.report.style import COLOUR, CROWD, CROWD_FROM, FLOWS
from gcc_testbed.scenario.flows import GccFlow, VideoFlow
from gcc_testbed.scenario.link import RateSchedule

BIN_S = 0.5


def colours(record: Record) -> list[str]:
    """A colour for each flow; a crowd of one kind has one in common."""
    kinds = [flow.flow.kind for flow in record.flows]
    found, number = [], 0
    for kind in kinds:
        if kind != "gcc" and kinds.count(kind) >= CROWD_FROM:
            found.append(CROWD)
        else:
            found.append(FLOWS[number % len(FLOWS)])
            number += 1
    return found


def _coloured(record: Record, flows: list[FlowRecord]) -> list[tuple[FlowRecord, str]]:
    by_name = dict(zip((f.flow.name for f in record.flows), colours(record), strict=True))
    # The crowd is drawn first, below the others.
    pairs = [(flow, by_name[flow.flow.name]) for flow in flows]
    return sorted(pairs, key=lambda pair: pair[1] != CROWD)


def rates(axis: Axes, record: Record, flow: FlowRecord) -> None:
    end = record.scenario.duration_s
    capacity = record.capacity_of(flow.flow.direction) or record.capacity
    last = _capacity(axis, capacity, end)
    highest = max(step.kbps for step in capacity.steps)
    labels = [("capacity", last, COLOUR["capacity edge"])]

    journeys = flow.journeys
    got = journeys.arrived
    centres, received = _binned(journeys.received_s[got], journeys.ip_bytes[got], end, BIN_S)
    received = received * 8 / 1000 / BIN_S
    axis.plot(centres, received, color=COLOUR["received"], lw=1.3)
    if len(received):
        labels.append(("received", received[-1], COLOUR["received"]))

    lines = [("A_r", "a_r_bps", flow.receiver), ("A_s", "a_s_bps", flow.sender)]
    if isinstance(flow.flow, GccFlow) and flow.flow.protection:
        # Without loss v is A_s, and below it.
        columns = {"v": "v_bps", "r_{FEC}": "r_fec_bps", "r_{RTX}": "r_rtx_bps"}
        lines = [*((name, column, flow.sender) for name, column in columns.items()), *lines]
    for name, column, trace in lines:
        at, value = trace.points(column)
        inside = (at >= 0) & (at <= end)
        if inside.any():
            axis.step(at[inside], value[inside] / 1000, where="post", color=COLOUR[name], lw=1.1)
            labels.append((f"${name}$", value[inside][-1] / 1000, COLOUR[name]))

    # Start-up does not decide the scale.
    lines_y = [np.asarray(line.get_ydata(), float) for line in axis.lines]
    drawn = np.concatenate([y[len(y) // 10 :] for y in lines_y])
    top = 1.12 * float(np.nanmax([highest, np.nanpercentile(drawn, 99.5)]))
    axis.set_ylim(0, top)
    axis.set_ylabel("rate (kbit/s)")
    _label_at_right(axis, labels, top)


def _label_at_right(axis: Axes, labels: list[tuple[str, float, str]], top: float) -> None:
    """Labels at the ends of the lines, spaced so that they do not overlap."""
    low, high = axis.get_ylim()
    assert isinstance(axis.figure, Figure)
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


def delay(axis: Axes, record: Record, flows: list[FlowRecord]) -> None:
    direction, end = flows[0].flow.direction, record.scenario.duration_s
    highest = 0.0
    pairs = [(flows[0], COLOUR["delay"])] if len(flows) == 1 else _coloured(record, flows)
    for flow, colour in pairs:
        delay_ms = flow.journeys.delay_s * 1000
        size = 1.8 if len(pairs) == 1 else 1.2
        axis.plot(flow.journeys.sent_s, delay_ms, ".", ms=size, color=colour, rasterized=True)
        if flow.journeys.arrived.any():
            highest = max(highest, float(np.nanmax(delay_ms)))
    capacity, shaper = record.capacity_of(direction), record.scenario.link.shaper(direction)
    labels = []
    if capacity is not None and shaper is not None:
        times = [step.at_s for step in capacity.steps] + [end]
        limits = [shaper.queue.limit_bytes(step.kbps) * 8 / step.kbps for step in capacity.steps]
        # Only drop tail bounds a packet's delay by the length of its queue.
        if shaper.queue.kind == "droptail":
            axis.step(
                times, [*limits, limits[-1]], where="post", color=COLOUR["capacity edge"], lw=1.2
            )
            labels.append(("queue full", limits[-1], COLOUR["capacity edge"]))
            highest = max(highest, *limits)
    top = 1.1 * max(highest, 1.0)
    axis.set_ylim(0, top)
    axis.set_ylabel("one-way\nqueueing (ms)")
    _label_at_right(axis, labels, top)


def all_rates(axis: Axes, record: Record, flows: list[FlowRecord]) -> None:
    """Received rates of several flows in seconds, and the video flows' targets, thin."""
    end = record.scenario.duration_s
    labels: list[tuple[str, float, str]] = []
    crowd: list[float] = []
    fastest = 0.0
    for flow, colour in _coloured(record, flows):
        got = flow.journeys.arrived
        at, rate = _binned(flow.journeys.received_s[got], flow.journeys.ip_bytes[got], end, 1.0)
        rate = rate * 8 / 1000
        begin, stop = flow.flow.active(0.0, end)
        inside = (at > begin) & (at < stop + 1)
        thin = colour == CROWD
        axis.plot(at[inside], rate[inside], color=colour, lw=0.5 if thin else 1.4)
        fastest = max(fastest, rate.max(initial=0))
        if not inside.any():
            continue
        if thin:
            crowd.append(float(rate[inside][-1]))
        else:
            labels.append((flow.flow.label, float(rate[inside][-1]), colour))
        targets, value = flow.sender.points("a_s_bps")
        axis.step(targets, value / 1000, where="post", color=colour, lw=0.7, ls=":")
    if crowd:
        labels.append((f"{len(crowd)} TCP", float(np.mean(crowd)), CROWD))
    highest = max(fastest, 1.0)
    if (capacity := record.capacity_of(flows[0].flow.direction)) is not None:
        # On the scale of the whole capacity, a hundred flows would all lie near zero.
        shared = len(flows) if crowd and fastest < capacity.steps[0].kbps / 4 else 1
        last = _capacity(axis, capacity, end, shared)
        name = "capacity" if shared == 1 else f"capacity / {shared}"
        labels.append((name, last, COLOUR["capacity edge"]))
        most = max(step.kbps for step in capacity.steps) / shared
        highest = most if shared == 1 else max(most, highest)
    top = 1.15 * highest
    axis.set_ylim(0, top)
    axis.set_ylabel("received (kbit/s)\ndotted: $A_s$" if _has_gcc(flows) else "received (kbit/s)")
    _label_at_right(axis, labels, top)


def _has_gcc(flows: list[FlowRecord]) -> bool:
    return any(isinstance(flow.flow, VideoFlow) for flow in flows)


def _capacity(axis: Axes, capacity: RateSchedule, end: float, shared: int = 1) -> float:
    """The area under the capacity, or under an equal share of it; returns its last value."""
    times = [step.at_s for step in capacity.steps] + [end]
    kbps = [step.kbps / shared for step in capacity.steps]
    corners = np.repeat(times, 2)[1:-1], np.repeat(kbps, 2)
    axis.fill_between(*corners, color=COLOUR["capacity"], alpha=0.6, lw=0, zorder=0.6)
    axis.plot(*corners, color=COLOUR["capacity edge"], lw=1.2, zorder=1.5)
    return kbps[-1]


def loss(axis: Axes, flows: list[FlowRecord], end: float) -> None:
    """The loss of all these flows together, by second."""
    journeys = together([flow.journeys for flow in flows])
    centres, sent = _binned(journeys.sent_s, journeys.ip_bytes, end, 1.0)
    lost = ~journeys.arrived
    _, gone = _binned(journeys.sent_s[lost], journeys.ip_bytes[lost], end, 1.0)
    percent = 100 * np.divide(gone, sent, out=np.zeros_like(gone), where=sent > 0)
    axis.bar(centres, percent, width=0.9, color=COLOUR["loss"])
    axis.set_ylim(0, max(5.0, 1.1 * percent.max(initial=0)))
    axis.set_ylabel("loss\n(% per s)")
    if not loss_ratio(journeys):
        axis.text(
            0.5, 0.5, "no packet lost", transform=axis.transAxes, ha="center", va="center",
            color="#999999",
        )  # fmt: skip


def detector(axis: Axes, flow: FlowRecord, end: float) -> None:
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
    # Leaves room for the strip of states below the curves and the legend above them.
    axis.set_ylim(-1.4 * limit, 1.3 * limit)
    _spans(axis, groups, "signal", ("overuse", "underuse"), end, (0.13, 0.86))
    _spans(axis, flow.receiver, "state", ("increase", "hold", "decrease"), end, (0.0, 0.09))
    labels = [("m", float(m[-1]), COLOUR["m"])]
    if len(gamma_at):
        labels.append(("γ", float(gamma[-1]), COLOUR["gamma"]))
    _label_at_right(axis, labels, limit)
    _legend(axis)


def _legend(axis: Axes) -> None:
    """The legend of the coloured spans, above the panel."""
    entries = (
        ("signal:", None), ("over-use", "overuse"), ("under-use", "underuse"),
        ("state (strip):", None), ("increase", "increase"), ("hold", "hold"),
        ("decrease", "decrease"),
    )  # fmt: skip
    x = -0.015
    for text, colour in entries:
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
    """(centres of the bins, sum of the weights in each); an incomplete last bin is dropped."""
    edges = np.arange(0, end + 1e-9, width)
    if len(edges) < 2:
        edges = np.array([0.0, end])
    sums, _ = np.histogram(times, edges, weights=weights)
    return (edges[:-1] + edges[1:]) / 2, sums.astype(float)
