"""The plots of a run: panels on a common time axis, and distributions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from gcc_testbed.measure.metrics import Record
from gcc_testbed.report import distributions, panels
from gcc_testbed.report.style import STYLE
from gcc_testbed.scenario.flows import MODEL, GccFlow


@dataclass(frozen=True)
class Plots:
    """The files of a run's plots."""

    picture: Path
    # The title of each plot, and its SVG.
    small: dict[str, Path] = field(default_factory=dict)


def draw(
    record: Record,
    metrics: dict[str, Any],
    run: Path,
    advance: Callable[[float], None] = lambda drawn: None,
) -> Plots:
    """All plots: `call.png`, and each plot in `figures` as SVG and PDF."""
    directory = run / "figures"
    directory.mkdir(exist_ok=True)
    first = record.flows[0].flow
    only = len(record.flows) == 1 and isinstance(first, GccFlow) and first.direction == "forward"
    with plt.rc_context(STYLE):
        main = _one_call(record, metrics) if only else _many_flows(record, metrics)
        advance(0.0)
        main.savefig(run / "call.png", dpi=130, bbox_inches="tight", metadata={"Software": None})
        _save(main, directory / "call")
        small = {
            "distribution of one-way queueing delay": (
                "delay-cdf",
                distributions.delay_cdf(record),
            ),
            "one-way queueing delay by flow": ("delay-box", distributions.delay_boxes(record)),
        }
        if len(record.flows) > 1:
            small["share of the capacity by flow"] = (
                "shares",
                distributions.shares(record, metrics),
            )
        files = {}
        for drawn, (what, (name, figure)) in enumerate(small.items(), start=1):
            advance(drawn / (len(small) + 1))
            _save(figure, directory / name)
            files[what] = directory / f"{name}.svg"
        advance(1.0)
    return Plots(run / "call.png", files)


def _save(figure: Figure, stem: Path) -> None:
    # Without dates: the same run gives the same files.
    figure.savefig(stem.with_suffix(".svg"), dpi=200, bbox_inches="tight", metadata={"Date": None})
    figure.savefig(
        stem.with_suffix(".pdf"), dpi=200, bbox_inches="tight", metadata={"CreationDate": None}
    )
    plt.close(figure)


def _one_call(record: Record, metrics: dict[str, Any]) -> Figure:
    """A single video flow: rates, queueing delay, loss and detector over time."""
    flow, scenario = record.flows[0], record.scenario
    figure, axes = plt.subplots(
        4,
        1,
        figsize=(11, 9.5),
        sharex=True,
        gridspec_kw={"height_ratios": [3, 2, 1, 2.2], "hspace": 0.13},
    )
    panels.rates(axes[0], record, flow)
    panels.delay(axes[1], record, [flow])
    panels.loss(axes[2], [flow], scenario.duration_s)
    panels.detector(axes[3], flow, scenario.duration_s)
    _time_axis(figure, axes, record)
    _title(figure, record, metrics)
    return figure


def _many_flows(record: Record, metrics: dict[str, Any]) -> Figure:
    """Several flows: the rate of each, queueing delay and loss, by direction."""
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
        panels.all_rates(rest[0], record, flows)
        panels.delay(rest[1], record, flows)
        panels.loss(rest[2], flows, record.scenario.duration_s)
        for axis in rest[:3]:
            axis.set_ylabel(axis.get_ylabel() + back)
        rest = rest[3:]
    if watched:
        panels.detector(rest[0], watched[0], record.scenario.duration_s)
        rest[0].set_ylabel(f"{watched[0].flow.label}: m and ±γ\n(ms)")
    _time_axis(figure, axes, record)
    scenario, link = record.scenario, metrics["link"]
    if not record.of("forward"):
        # No flow crosses the forward bottleneck: the numbers are those of the backward one.
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


def _title(figure: Figure, record: Record, metrics: dict[str, Any]) -> None:
    scenario, flow = record.scenario, metrics["flows"][0]
    link = scenario.link
    sent = MODEL if scenario.has_model() else metrics["sequence"]["name"]
    first = scenario.flows[0]
    assert isinstance(first, GccFlow)
    setting = f"{first.profile}: {sent} over {link}"
    delay = flow["one_way_queueing_ms"]
    numbers = [
        f"U {flow['utilisation'] or 0:.2f}",
        f"R {flow['received_kbps']:.0f} kbit/s",
        f"loss {_percent(flow['loss_ratio'])}",
        f"queueing p50 {_ms(delay['p50'])}, p95 {_ms(delay['p95'])}",
        *_feedback(flow),
    ]
    # Leaves room for the legend of probes.
    lift = 0.018 if "transport_feedback" in flow else 0.0
    figure.suptitle(setting, x=0.125, y=0.935 + lift, ha="left", fontsize=12, fontweight="bold")
    figure.text(0.125, 0.893 + lift, "   ·   ".join(numbers), ha="left", fontsize=10)


def _feedback(flow: dict[str, Any]) -> list[str]:
    """REMBs that lowered the rate, or the counts of transport-wide feedback."""
    if (found := flow.get("transport_feedback")) is None:
        return [f"n_dd {'–' if flow['n_dd'] is None else flow['n_dd']}"]
    used = found["used_ratio"]
    return ["transport-cc" if used > 0.999 else f"transport-cc {100 * used:.0f} %, else remb"]


def _percent(ratio: float | None) -> str:
    return "–" if ratio is None else f"{100 * ratio:.2f} %"


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f} ms"


def _headline(figure: Figure, lines: list[str]) -> None:
    """Lines above the panels, the first one bold, at a fixed distance whatever the height."""
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


def _time_axis(figure: Figure, axes: Any, record: Record) -> None:  # noqa: ANN401
    scenario = record.scenario
    for axis in axes:
        axis.axvspan(0, scenario.measure_from_s, color="#000000", alpha=0.035, lw=0, zorder=0)
    axes[-1].set_xlim(0, scenario.duration_s)
    # Not in a panel, where lines may be.
    measured = f", measured from {scenario.measure_from_s:g} s" if scenario.measure_from_s else ""
    axes[-1].set_xlabel(f"time (s){measured}")
    figure.align_ylabels(axes)
