"""The panels of a plot over time: rates, queueing delay, loss, detector."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gcc_testbed.measure import send_side
from gcc_testbed.measure.captures import together
from gcc_testbed.measure.metrics import FlowRecord, Record, loss_ratio
from gcc_testbed.measure.traces import Trace
from gcc_testbed.report.style import COLOUR, CROWD, CROWD_FROM, FLOWS
from gcc_testbed.scenario.flows import GccFlow, VideoFlow
from gcc_testbed.scenario.link import RateSchedule

BIN_S = 0.5
LOSS_STATES = ("delay-based", "increasing", "decreasing", "padding")


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

    measures = send_side.measures(flow.sender)
    lines = [("A_s", "a_s_bps", flow.sender)]
    if measures:
        lines = [("r_{ack}", "r_ack_bps", flow.sender), *lines]
    # The receiver's estimate is not used while the sender measures.
    if send_side.time_with(flow.sender, "feedback", send_side.TRANSPORT_CC, 0, end) < 0.9 * end:
        lines = [("A_r", "a_r_bps", flow.receiver), *lines]
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
    if measures:
        labels += _sender_side(axis, flow.sender, end, top)
    axis.set_ylim(0, top)
    axis.set_ylabel("rate (kbit/s)")
    label_at_right(axis, labels, top)


def _sender_side(axis: Axes, sender: Trace, end: float, top: float) -> list[tuple[str, float, str]]:
    """Draws the sender's values over transport-wide feedback; returns the labels of the lines.

    None of it decides the scale: probes and pacing are above the rate by design.
    """
    labels = []
    for name, column, style in (
        ("delay-based", "delay_based_bps", "--"),
        ("pacing", "pacing_bps", ":"),
    ):
        at, bps = sender.points(column)
        inside = (at >= 0) & (at <= end)
        if inside.any():
            axis.step(at[inside], bps[inside] / 1000, style, where="post", color=COLOUR[name], lw=1)
            last = bps[inside][-1] / 1000
            labels.append((name if last <= top else f"{name} ↑", last, COLOUR[name]))
    legend = [_shaded(axis, begin, stop) for begin, stop in _times_with(sender, "alr", "1", end)][
        :1
    ]
    legend += _probes(axis, sender, end, top)
    if legend:
        axis.legend(
            handles=legend,
            loc="lower left",
            bbox_to_anchor=(0.0, 0.99),
            ncols=3,
            frameon=False,
            fontsize=8,
            borderaxespad=0.1,
            handletextpad=0.4,
            columnspacing=1.4,
        )
    return labels


def _times_with(trace: Trace, column: str, value: str, end: float) -> list[tuple[float, float]]:
    found = send_side.spans(trace, column, end)
    return [(begin, stop) for begin, stop, each in found if each == value]


def _shaded(axis: Axes, begin: float, stop: float) -> Artist:
    """A time in which the application, not the path, was the limit."""
    return axis.axvspan(
        begin, stop, color=COLOUR["alr"], alpha=0.4, lw=0, zorder=0.7, label="ALR (source-limited)"
    )


def _probes(axis: Axes, sender: Trace, end: float, top: float) -> list[Artist]:
    """A mark at the result of each probe, and a short line below where a probe was asked for."""
    found: list[Artist] = []
    at, bps = send_side.probe_results(sender)
    if len(at):
        kbps = np.minimum(bps / 1000, 0.975 * top)
        found += axis.plot(
            at,
            kbps,
            "^",
            ms=5.5,
            color=COLOUR["probe"],
            mec="white",
            mew=0.6,
            zorder=4,
            label="probe result",
        )
    asked = send_side.probes(sender)
    if len(asked):
        found += axis.plot(
            asked,
            np.full(len(asked), 0.02 * top),
            "|",
            ms=7,
            mew=1.3,
            color=COLOUR["probe"],
            zorder=4,
            label="probe asked for",
        )
    return found


def label_at_right(axis: Axes, labels: list[tuple[str, float, str]], top: float) -> None:
    """Labels at the ends of the lines, spaced so that they do not overlap."""
    low, high = axis.get_ylim()
    assert isinstance(axis.figure, Figure)
    points = axis.get_position().height * axis.figure.get_figheight() * 72
    gap = (high - low) * 13 / points
    ordered = sorted(labels, key=lambda label: label[1])
    placed: list[float] = []
    for _, value, _ in ordered:
        placed.append(max([min(value, top), *(at + gap for at in placed[-1:])]))
    # Within the panel: those at the top push the others down again.
    ceiling = high - gap / 2
    for number in reversed(range(len(placed))):
        placed[number] = min(placed[number], ceiling)
        ceiling = placed[number] - gap
    for (name, _, colour), at in zip(ordered, placed, strict=True):
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
    # Only drop tail bounds a packet's delay by the length of its queue, and not while the rate
    # changes within that time.
    if capacity and shaper and shaper.queue.kind == "droptail" and not shaper.trace:
        times = [step.at_s for step in capacity.steps] + [end]
        rates = [step.kbps for step in capacity.steps]
        limits = [shaper.queue.limit_bytes(kbps) * 8 / kbps for kbps in rates]
        axis.step(times, [*limits, limits[-1]], where="post", color=COLOUR["capacity edge"], lw=1.2)
        labels.append(("queue full", limits[-1], COLOUR["capacity edge"]))
        highest = max(highest, *limits)
    top = 1.1 * max(highest, 1.0)
    axis.set_ylim(0, top)
    axis.set_ylabel("one-way\nqueueing (ms)")
    label_at_right(axis, labels, top)


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
    label_at_right(axis, labels, top)


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
    measures = send_side.measures(flow.sender)
    # Where the detector is that steers.
    side = "sender" if measures else "receiver"
    groups = flow.sender.of("transport-feedback") if measures else flow.receiver.of("group")
    at, m = groups.points("m_ms" if measures else "modified_m_ms")
    gamma_at, gamma = groups.points("gamma_ms")
    axis.set_ylabel(f"{'sender' if measures else 'detector'}: m and ±γ\n(ms)")
    if not len(at):
        nothing = f"no {'feedback' if measures else 'packet groups'} in the {side}'s trace"
        axis.text(
            0.5, 0.5, nothing, transform=axis.transAxes,
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
    strip, column, states = (
        (flow.sender, "loss_state", LOSS_STATES)
        if measures
        else (flow.receiver, "state", ("increase", "hold", "decrease"))
    )
    _spans(axis, strip, column, states, end, (0.0, 0.09))
    labels = [("m", float(m[-1]), COLOUR["m"])]
    if len(gamma_at):
        labels.append(("γ", float(gamma[-1]), COLOUR["gamma"]))
    label_at_right(axis, labels, limit)
    _legend(axis, "loss estimate (strip):" if measures else "state (strip):", states)


def _legend(axis: Axes, strip: str, states: tuple[str, ...]) -> None:
    """The legend of the coloured spans, above the panel."""
    entries: tuple[tuple[str, str | None], ...] = (
        ("signal:", None),
        *(("over-use", COLOUR["overuse"]), ("under-use", COLOUR["underuse"])),
        *((strip, None), *((state, _state_colour(state)) for state in states)),
    )
    # Each begins where the one before ends, whatever the font and the width of the figure.
    before: Axes | Artist = axis
    corner, space = (0.0, 0.975), 4
    for text, colour in entries:
        box = None if colour is None else {"facecolor": colour, "lw": 0, "pad": 1.5}
        if colour is None and before is not axis:
            space += 8
        before = axis.annotate(
            text,
            corner,
            xycoords="axes fraction" if before is axis else before,
            xytext=(space, 0),
            textcoords="offset points",
            fontsize=7.5,
            va="top",
            bbox=box,
            zorder=5,
        )
        corner, space = (1.0, 1.0), 8


def _spans(
    axis: Axes,
    trace: Trace,
    column: str,
    shown: tuple[str, ...],
    end: float,
    band: tuple[float, float],
) -> None:
    """Colours the time during which a text column holds one of the values shown."""
    for begin, stop, value in send_side.spans(trace, column, end):
        if value in shown:
            axis.axvspan(begin, stop, *band, color=_state_colour(value), lw=0, zorder=0.5)


def _state_colour(state: str) -> str:
    """The name "delay-based" is that of a line, and of a state of the loss estimate."""
    return COLOUR["no loss" if state == "delay-based" else state]


def _binned(
    times: NDArray[np.float64], weights: NDArray[np.int64], end: float, width: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(centres of the bins, sum of the weights in each); an incomplete last bin is dropped."""
    edges = np.arange(0, end + 1e-9, width)
    if len(edges) < 2:
        edges = np.array([0.0, end])
    sums, _ = np.histogram(times, edges, weights=weights)
    return (edges[:-1] + edges[1:]) / 2, sums.astype(float)
