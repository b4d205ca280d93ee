"""The pictures of a run: panels on one time axis, to be read in ten seconds, and distributions."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from gcc_testbed.captures import together
from gcc_testbed.metrics import FlowRecord, Record, loss_ratio
from gcc_testbed.scenario import MODEL, GccFlow
from gcc_testbed.traces import Trace

BIN_S = 0.5

# Every colour of every figure. Chosen to stay apart for colour-blind eyes.
COLOUR = {
    "capacity": "#d9d9d9",
    "capacity edge": "#8c8c8c",
    "received": "#0b5fa5",
    "A_s": "#d1660a",
    "A_r": "#2e8b57",
    "v": "#8a6d00",
    "r_{FEC}": "#b3202c",
    "r_{RTX}": "#5b3a8c",
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

# Colours of flows by number, gcc before all others; the grey ones are many TCP flows.
FLOWS = ("#0b5fa5", "#d1660a", "#2e8b57", "#5b3a8c", "#b3202c", "#8a6d00", "#0e8f8f", "#a0497f")
CROWD = "#9a9a9a"
# More flows of one kind than this are a crowd: one colour, one label.
CROWD_FROM = 5

STYLE = {
    "font.size": 9,
    # The same picture from the same data.
    "svg.hashsalt": "gcc-testbed",
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#eeeeee",
    "axes.axisbelow": True,
    "text.color": COLOUR["text"],
    "axes.labelcolor": COLOUR["text"],
}


@dataclass(frozen=True)
class Drawn:
    """The files of a run's figures."""

    picture: Path
    # What each shows, and its SVG.
    small: dict[str, Path] = field(default_factory=dict)


def draw(record: Record, metrics: dict[str, Any], run: Path) -> Drawn:
    """All figures: `call.png`, and each one in `figures` as SVG and PDF."""
    directory = run / "figures"
    directory.mkdir(exist_ok=True)
    first = record.flows[0].flow
    only = len(record.flows) == 1 and isinstance(first, GccFlow) and first.direction == "forward"
    with plt.rc_context(STYLE):
        main = _one_call(record, metrics) if only else _many_flows(record, metrics)
        main.savefig(run / "call.png", dpi=130, bbox_inches="tight", metadata={"Software": None})
        _save(main, directory / "call")
        small = {
            "distribution of one-way queueing delay": ("delay-cdf", _delay_cdf(record)),
            "one-way queueing delay by flow": ("delay-box", _delay_boxes(record)),
        }
        if len(record.flows) > 1:
            small["share of the capacity by flow"] = ("shares", _shares(record, metrics))
        files = {}
        for what, (name, figure) in small.items():
            _save(figure, directory / name)
            files[what] = directory / f"{name}.svg"
    return Drawn(run / "call.png", files)


def _save(figure: plt.Figure, stem: Path) -> None:
    # Without dates: the same run gives the same files.
    figure.savefig(stem.with_suffix(".svg"), dpi=200, bbox_inches="tight", metadata={"Date": None})
    figure.savefig(
        stem.with_suffix(".pdf"), dpi=200, bbox_inches="tight", metadata={"CreationDate": None}
    )
    plt.close(figure)


def _one_call(record: Record, metrics: dict[str, Any]) -> plt.Figure:
    """A single video flow: what its algorithm saw and did, over time."""
    flow, scenario = record.flows[0], record.scenario
    figure, axes = plt.subplots(
        4,
        1,
        figsize=(11, 9.5),
        sharex=True,
        gridspec_kw={"height_ratios": [3, 2, 1, 2.2], "hspace": 0.13},
    )
    _rates(axes[0], record, flow)
    _delay(axes[1], record, [flow])
    _loss(axes[2], [flow], scenario.duration_s)
    _detector(axes[3], flow, scenario.duration_s)
    _time_axis(figure, axes, record)
    _title(figure, record, metrics)
    return figure


def _many_flows(record: Record, metrics: dict[str, Any]) -> plt.Figure:
    """Several flows: who got what of each direction, over time."""
    directions = record.scenario.directions()
    watched = [flow for flow in record.flows if isinstance(flow.flow, GccFlow)]
    heights = [3.0, 1.8, 0.9] * len(directions) + [1.8] * bool(watched)
    figure, axes = plt.subplots(
        len(heights),
        1,
        figsize=(11, 1.35 * sum(heights)),
        sharex=True,
        gridspec_kw={"height_ratios": heights, "hspace": 0.13},
    )
    rest = list(axes)
    for direction in directions:
        flows = list(record.of(direction))
        back = "\n(b to a)" if direction == "backward" else ""
        _all_rates(rest[0], record, flows)
        _delay(rest[1], record, flows)
        _loss(rest[2], flows, record.scenario.duration_s)
        for axis in rest[:3]:
            axis.set_ylabel(axis.get_ylabel() + back)
        rest = rest[3:]
    if watched:
        _detector(rest[0], watched[0], record.scenario.duration_s)
        rest[0].set_ylabel(f"{watched[0].flow.label}: m and ±γ\n(ms)")
    _time_axis(figure, axes, record)
    scenario, link = record.scenario, metrics["link"]
    if not record.of("forward"):
        # Nothing goes through the forward bottleneck: the numbers are those of the way back.
        link = link.get("backward") or {**link, **metrics["flows"][0]}
    jain = metrics["fairness"]["jain"]
    delay = link["one_way_queueing_ms"]
    numbers = [
        f"U {link['utilisation'] or 0:.2f}",
        f"loss {_percent(link['loss_ratio'])}",
        f"queueing p50 {_ms(delay['p50'])}, p95 {_ms(delay['p95'])}",
        *([] if jain is None else [f"Jain {jain:.2f}"]),
    ]
    remark = [f"(model): {MODEL} in place of encoded video"] if scenario.has_model() else []
    _headline(figure, [scenario.title, str(scenario.link), *remark, "   ·   ".join(numbers)])
    return figure


def _headline(figure: plt.Figure, lines: list[str]) -> None:
    """Lines above the panels, the first one bold; their distance does not depend on the height."""
    top, inch = 0.88, 1 / figure.get_figheight()
    for number, line in enumerate(reversed(lines)):
        first = number == len(lines) - 1
        figure.text(
            0.125,
            top + (0.1 + 0.23 * number) * inch,
            line,
            ha="left",
            fontsize=12 if first else 10,
            fontweight="bold" if first else "normal",
        )


def _time_axis(figure: plt.Figure, axes: Any, record: Record) -> None:  # noqa: ANN401
    scenario = record.scenario
    for axis in axes:
        axis.axvspan(0, scenario.measure_from_s, color="#000000", alpha=0.035, lw=0, zorder=0)
    if scenario.measure_from_s:
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


def colours(record: Record) -> list[str]:
    """A colour for each flow; a crowd of one kind shares one."""
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
    # The crowd lies below.
    pairs = [(flow, by_name[flow.flow.name]) for flow in flows]
    return sorted(pairs, key=lambda pair: pair[1] != CROWD)


def _all_rates(axis: Axes, record: Record, flows: list[FlowRecord]) -> None:
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
        # Beside a capacity for a hundred flows each of them is a line at the bottom.
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
    return any(isinstance(flow.flow, GccFlow) for flow in flows)


def _capacity(axis: Axes, capacity: Any, end: float, shared: int = 1) -> float:  # noqa: ANN401
    """The area under the capacity, or under an equal share of it; returns its last value."""
    times = [step.at_s for step in capacity.steps] + [end]
    kbps = [step.kbps / shared for step in capacity.steps]
    corners = np.repeat(times, 2)[1:-1], np.repeat(kbps, 2)
    axis.fill_between(*corners, color=COLOUR["capacity"], alpha=0.6, lw=0, zorder=0.6)
    axis.plot(*corners, color=COLOUR["capacity edge"], lw=1.2, zorder=1.5)
    return kbps[-1]


def _measured_delays(record: Record) -> list[tuple[str, str, NDArray[np.float64]]]:
    """(name, colour, delays in ms) of every flow, or crowd, over the measured interval."""
    begin, end = record.scenario.measure_from_s, record.scenario.duration_s
    found: list[tuple[str, str, NDArray[np.float64]]] = []
    crowd = []
    for flow, colour in zip(record.flows, colours(record), strict=True):
        sent = flow.journeys.between(begin, end)
        values = sent.delay_s[sent.arrived] * 1000
        if colour == CROWD:
            crowd.append(values)
        else:
            found.append((flow.flow.label, colour, values))
    if crowd:
        found.append((f"{len(crowd)} TCP", CROWD, np.concatenate(crowd)))
    return found


def _delay_cdf(record: Record) -> plt.Figure:
    figure, axis = plt.subplots(figsize=(5, 3.6))
    for name, colour, values in _measured_delays(record):
        if len(values):
            ordered = np.sort(values)
            part = np.arange(1, len(ordered) + 1) / len(ordered)
            # A thousand points draw the same line as a million.
            some = np.unique(np.linspace(0, len(ordered) - 1, 1000).astype(int))
            axis.step(ordered[some], part[some], where="post", color=colour, lw=1.4, label=name)
    axis.set_xlabel("one-way queueing (ms)")
    axis.set_ylabel("part of the packets")
    axis.set_xlim(left=0)
    axis.set_ylim(0, 1.01)
    if axis.lines:
        axis.legend(frameon=False, loc="lower right")
    return figure


def _delay_boxes(record: Record) -> plt.Figure:
    """Quartiles and median; whiskers at 5 and 95 %."""
    shown = [entry for entry in _measured_delays(record) if len(entry[2])]
    figure, axis = plt.subplots(figsize=(5, 3.6))
    if shown:
        drawn = axis.boxplot(
            [values for _, _, values in shown],
            whis=(5, 95),
            showfliers=False,
            widths=0.6,
            patch_artist=True,
            medianprops={"color": COLOUR["text"], "lw": 1.6},
        )
        for box, (_, colour, _) in zip(drawn["boxes"], shown, strict=True):
            box.set(facecolor=colour, alpha=0.55, lw=0.8)
        axis.set_xticks(
            range(1, len(shown) + 1),
            [name for name, _, _ in shown],
            rotation=0 if len(shown) <= 6 else 45,
        )
    axis.set_ylim(bottom=0)
    axis.set_ylabel("one-way queueing (ms)\n5, 25, 50, 75, 95 %")
    axis.grid(axis="x", visible=False)
    return figure


def _shares(record: Record, metrics: dict[str, Any]) -> plt.Figure:
    """Mean received rate of every flow while it was active, beside the equal share."""
    entries = list(zip(record.flows, colours(record), metrics["flows"], strict=True))
    figure, axis = plt.subplots(figsize=(5, max(1.6, 0.3 * min(len(entries), 40) + 0.9)))
    names = [flow.flow.label for flow, _, _ in entries]
    axis.barh(
        range(len(entries)),
        [measured["received_kbps"] for _, _, measured in entries],
        color=[colour for _, colour, _ in entries],
        height=0.75,
    )
    axis.set_yticks(range(len(entries)), names, fontsize=9 if len(entries) <= 40 else 3)
    axis.invert_yaxis()
    forward = [flow for flow in record.flows if flow.flow.direction == "forward"]
    if len(forward) > 1:
        equal = metrics["capacity_kbps"] / len(forward)
        axis.axvline(equal, color=COLOUR["capacity edge"], lw=1.2, ls="--")
        axis.annotate(
            "equal share",
            (equal, 1),
            xycoords=("data", "axes fraction"),
            xytext=(3, 2),
            textcoords="offset points",
            fontsize=7.5,
            color=COLOUR["capacity edge"],
        )
    axis.set_xlabel("received (kbit/s)")
    axis.grid(axis="y", visible=False)
    return figure


def _title(figure: plt.Figure, record: Record, metrics: dict[str, Any]) -> None:
    scenario, flow = record.scenario, metrics["flows"][0]
    link = scenario.link
    sent = MODEL if scenario.has_model() else metrics["sequence"]["name"]
    setting = f"{scenario.flows[0].profile}: {sent} over {link}"
    delay = flow["one_way_queueing_ms"]
    numbers = [
        f"U {flow['utilisation'] or 0:.2f}",
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

    drawn = np.concatenate([line.get_ydata()[len(line.get_ydata()) // 10 :] for line in axis.lines])
    top = 1.12 * float(np.nanmax([highest, np.nanpercentile(drawn, 99.5)]))
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


def _delay(axis: Axes, record: Record, flows: list[FlowRecord]) -> None:
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
        # Only here is the limit of the queue the limit of a packet's delay.
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


def _loss(axis: Axes, flows: list[FlowRecord], end: float) -> None:
    """Of all flows shown together, each second."""
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
