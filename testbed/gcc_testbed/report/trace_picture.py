"""The picture of a call from the elements' traces alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gcc_testbed.measure.pixels import Falls, Line, Numbers, Pixels, Row
from gcc_testbed.measure.whole_trace import Points, WholeTrace
from gcc_testbed.report.panels import label_at_right
from gcc_testbed.report.style import COLOUR, LANE, STYLE

_GREY = "#999999"
# Marks beyond this many are too close to be seen one by one, and hide the lines.
_MOST_MARKS = 400
# More do not fit into the title.
_MOST_REASONS = 4
# Up to the time in the second column an axis is in the unit of the first one.
_UNITS = (("s", 1, 600), ("min", 60, 3 * 3600), ("h", 3600, float("inf")))
_PANEL_INCHES = {"rates": 3.4, "round trip": 1.5, "loss": 0.9, "marks": 0.9, "detector": 1.7}
_LANE_INCHES = 0.19


@dataclass(frozen=True)
class _Drawing:
    """The common parts of all panels: the traces, and the time axis in its unit."""

    trace: WholeTrace
    pixels: Pixels
    unit: str
    seconds: float

    def line(self, points: Points, size: float = 1.0) -> Line:
        """In the units of the axes, until the end of the picture."""
        found = self.pixels.line(*points)

        def until_the_end(values: Numbers | None) -> Numbers | None:
            return None if values is None else np.append(values, values[-1]) / size

        return Line(
            np.append(found.at / self.seconds, max(self.end, found.at[-1] / self.seconds)),
            np.append(found.values, found.values[-1]) / size,
            until_the_end(found.least),
            until_the_end(found.greatest),
        )

    @property
    def end(self) -> float:
        return self.trace.end_s / self.seconds


def draw(trace: WholeTrace, names: list[str], captured: Points | None, out: Path) -> None:
    """Writes the picture; `names` are those of the files, for its title.

    `captured` has times in seconds and rates in bit/s of a capture.
    """
    unit, seconds, _ = next(each for each in _UNITS if trace.end_s <= each[2])
    drawing = _Drawing(trace, Pixels(0, max(trace.end_s, 1e-3)), unit, seconds)
    lanes = _lanes_of(drawing)
    panels: list[tuple[float, Callable[[Axes], None]]] = [
        (_PANEL_INCHES["rates"], lambda axis: _rates(axis, drawing, captured))
    ]
    if len(trace.round_trips()[0]):
        panels.append((_PANEL_INCHES["round trip"], lambda axis: _round_trip(axis, drawing)))
    if len(trace.loss()[0]):
        panels.append((_PANEL_INCHES["loss"], lambda axis: _loss(axis, drawing)))
    if len(trace.marks()[0]):
        panels.append((_PANEL_INCHES["marks"], lambda axis: _marked(axis, drawing)))
    if lanes:
        height = _LANE_INCHES * (len(lanes) + 0.5)
        panels.append((height, lambda axis: _band(axis, drawing, lanes)))
    if len(trace.detector()[0][0]):
        panels.append((_PANEL_INCHES["detector"], lambda axis: _detector(axis, drawing)))
    with plt.rc_context(STYLE):
        figure = _figure(panels, drawing, names)
        metadata = {"Date": None} if out.suffix == ".svg" else {"Software": None}
        figure.savefig(out, dpi=110, bbox_inches="tight", metadata=metadata)
        plt.close(figure)


def _figure(
    panels: list[tuple[float, Callable[[Axes], None]]], drawing: _Drawing, names: list[str]
) -> Figure:
    heights = [height for height, _ in panels]
    figure, axes = plt.subplots(
        len(panels),
        1,
        figsize=(11, sum(heights) / 0.77 + 0.3),
        sharex=True,
        squeeze=False,
        gridspec_kw={"height_ratios": heights, "hspace": 0.12},
    )
    for axis, (_, put) in zip(axes[:, 0], panels, strict=True):
        put(axis)
    last = axes[-1, 0]
    last.set_xlim(0, max(drawing.end, 1e-3 / drawing.seconds))
    last.set_xlabel(f"time ({drawing.unit})")
    for axis in axes[:, 0]:
        axis.yaxis.set_label_coords(-0.06, 0.5)
    top, inch = 0.88, 1 / figure.get_figheight()
    for line, height, style in zip(
        _title(drawing.trace, names), (0.55, 0.33), ("bold", "normal"), strict=True
    ):
        figure.text(
            0.125, top + height * inch, line, fontsize=11 if style == "bold" else 9.5,
            fontweight=style,
        )  # fmt: skip
    return figure


def _title(trace: WholeTrace, names: list[str]) -> tuple[str, str]:
    begin = datetime.fromtimestamp(trace.origin_s, UTC)
    first = f"{', '.join(names)}: from {begin:%Y-%m-%d %H:%M:%S} UTC, {_length(trace.end_s)}"
    if trace.shift_s:
        first += f"; the receiver's clock moved by {trace.shift_s:+.1f} s"
    numbers = []
    falls = Counter(trace.falls().reasons).most_common()
    most = [f"{reason} {count}" for reason, count in falls[:_MOST_REASONS]]
    if others := sum(count for _, count in falls[_MOST_REASONS:]):
        most.append(f"others {others}")
    numbers.append("falls of 5 % and more: " + (", ".join(most) or "none"))
    if len(rtts := trace.round_trips()[1]):
        numbers.append(f"RTT p50 {np.median(rtts):.0f} ms, p95 {np.percentile(rtts, 95):.0f} ms")
    if len(lost := trace.loss()[1]):
        numbers.append(f"most lost in a report {lost.max():.1f} %")
    return first.replace("$", r"\$"), "   ·   ".join(numbers)


def _length(seconds: float) -> str:
    unit, size, _ = next(each for each in _UNITS if seconds <= each[2])
    return f"{seconds / size:.3g} {unit}"


def _put(axis: Axes, line: Line, colour: str, width: float = 1.0) -> None:
    """The line; where it is a mean also the range."""
    if line.least is not None and line.greatest is not None:
        axis.fill_between(
            line.at, line.least, line.greatest, color=colour, alpha=0.15, lw=0, step="post"
        )
    axis.step(line.at, line.values, where="post", color=colour, lw=width)


def _rates(axis: Axes, drawing: _Drawing, captured: Points | None) -> None:
    rates = drawing.trace.rates()
    if captured is not None:
        rates = {"capture": captured, **rates}
    # Start-up does not decide the scale, unless it is all there is.
    late = [values[len(values) // 10 :] for _, values in rates.values()]
    highest = max([1000.0, *(float(np.percentile(values, 99.5)) for values in late)])
    unit, size = ("Mbit/s", 1e6) if highest >= 10e6 else ("kbit/s", 1e3)
    top = 1.15 * highest / size
    labels = []
    for name, points in rates.items():
        colour = COLOUR["received" if name in ("capture", "R") else name]
        line = drawing.line(points, size)
        _put(axis, line, colour, 1.5 if name == "A_s" else 1.0)
        shown = {"capture": name, "R": "R(t)"}.get(name, f"${name}$")
        labels.append((shown, float(line.values[-1]), colour))
    axis.set_ylim(0, top)
    axis.set_ylabel(f"rate ({unit})")
    label_at_right(axis, labels, top)
    _marks(axis, drawing, top, size)


def _marks(axis: Axes, drawing: _Drawing, top: float, size: float) -> None:
    """Results of probes and falls, with their legend above the panel."""
    falls = drawing.trace.falls()
    entries: list[Artist] = []
    _, (at, measured) = drawing.trace.probes()
    if 0 < len(at) <= _MOST_MARKS:
        kbps = np.minimum(measured / size, 0.975 * top)
        entries += axis.plot(
            at / drawing.seconds, kbps, "^", ms=5.5, color=COLOUR["probe"], mec="white", mew=0.6,
            zorder=4, label="probe result",
        )  # fmt: skip
    if len(falls.time_s) <= _MOST_MARKS:
        for reason in dict.fromkeys(falls.reasons):
            chosen = _because(falls, reason)
            entries += axis.plot(
                falls.time_s[chosen] / drawing.seconds,
                np.minimum(falls.before[chosen] / size, 0.975 * top),
                "v", ms=5.5, color=LANE.get(reason, _GREY), mec="white", mew=0.6, zorder=4,
                label=f"fall: {reason}",
            )  # fmt: skip
    if entries:
        axis.legend(
            handles=entries, loc="lower left", bbox_to_anchor=(-0.01, 0.985), ncols=9,
            frameon=False, fontsize=8, borderaxespad=0.1, handletextpad=0.1, columnspacing=1.0,
        )  # fmt: skip


def _round_trip(axis: Axes, drawing: _Drawing) -> None:
    points = drawing.trace.round_trips()
    line, ms = drawing.line(points), points[1]
    least = float(ms.min())
    axis.fill_between(
        line.at, least, line.values, color=COLOUR["delay"], alpha=0.2, lw=0, step="post"
    )
    _put(axis, line, COLOUR["delay"])
    axis.axhline(least, color=_GREY, lw=0.8, ls="--")
    # One report that came late does not decide the scale.
    top = 1.15 * max(float(np.percentile(ms, 99.8)), 1.0)
    axis.set_ylim(0, top)
    axis.set_ylabel("round trip\n(ms)")
    label_at_right(axis, [("RTT", float(ms[-1]), COLOUR["delay"]), ("least", least, _GREY)], top)


def _part(axis: Axes, drawing: _Drawing, points: Points, colour: str) -> None:
    """A part of the packets, in percent."""
    line = drawing.line(points)
    axis.fill_between(line.at, line.values, step="post", color=colour, lw=0)
    _put(axis, line, colour, 0.6)
    axis.set_ylim(0, max(5.0, 1.1 * float(points[1].max())))


def _marked(axis: Axes, drawing: _Drawing) -> None:
    _part(axis, drawing, drawing.trace.marks(), COLOUR["ecn"])
    axis.set_ylabel("marked\n(%)")


def _loss(axis: Axes, drawing: _Drawing) -> None:
    points = drawing.trace.loss()
    _part(axis, drawing, points, COLOUR["loss"])
    axis.set_ylabel("lost\n(%)")
    if not points[1].any():
        axis.text(
            0.5, 0.5, "no packet lost", transform=axis.transAxes, ha="center", va="center",
            color=_GREY,
        )  # fmt: skip


@dataclass(frozen=True)
class _Lane:
    """A row of the band: the times of a state, or of one kind of event."""

    name: str
    colour: str
    row: Row


def _lanes_of(drawing: _Drawing) -> list[_Lane]:
    """A row for each state and each kind of event that there was."""
    trace, pixels = drawing.trace, drawing.pixels
    found = [_Lane(name, LANE[name], pixels.spans(spans)) for name, spans in trace.lanes()]
    found += [
        _Lane(f"verdict: {name}", LANE["drain"], pixels.marks(at)) for name, at in trace.verdicts()
    ]
    asked, _ = trace.probes()
    if len(asked):
        found.append(_Lane("probe asked for", LANE["probe"], pixels.marks(asked)))
    falls = trace.falls()
    for reason in sorted(set(falls.reasons)):
        times = falls.time_s[_because(falls, reason)]
        found.append(_Lane(f"fall: {reason}", LANE.get(reason, _GREY), pixels.marks(times)))
    return found


def _because(falls: Falls, reason: str) -> NDArray[np.bool_]:
    return np.array([each == reason for each in falls.reasons], bool)


def _band(axis: Axes, drawing: _Drawing, lanes: list[_Lane]) -> None:
    for at, lane in enumerate(lanes):
        spans = lane.row.spans / drawing.seconds
        # Even a very short stretch is visible.
        widths = np.maximum(spans[:, 1] - spans[:, 0], drawing.end / 600)
        # The darker, the more of the time.
        colours = [to_rgba(lane.colour, 0.1 + 0.9 * share) for share in lane.row.share.tolist()]
        stretches = np.column_stack([spans[:, 0], widths]).tolist()
        axis.broken_barh(stretches, (at - 0.35, 0.7), facecolors=colours, lw=0)
    axis.set_ylim(len(lanes) - 0.5, -0.5)
    axis.set_yticks(range(len(lanes)), [lane.name for lane in lanes], fontsize=7.5)
    for label, lane in zip(axis.get_yticklabels(), lanes, strict=True):
        label.set_color(lane.colour)
    axis.tick_params(axis="y", length=0)


def _detector(axis: Axes, drawing: _Drawing) -> None:
    compared, thresholds = drawing.trace.detector()
    line = drawing.line(compared)
    limit = max(1.15 * float(np.percentile(np.abs(compared[1]), 99.5)), 1.0)
    labels = [("m", float(line.values[-1]), COLOUR["m"])]
    if len(thresholds[0]):
        threshold = drawing.line(thresholds)
        gamma_at, gamma = threshold.at, threshold.values
        axis.fill_between(gamma_at, -gamma, gamma, color=COLOUR["gamma"], alpha=0.12, lw=0)
        for sign in (1, -1):
            axis.plot(gamma_at, sign * gamma, color=COLOUR["gamma"], lw=0.8)
        limit = max(limit, 1.3 * float(np.percentile(gamma, 99)))
        labels.append(("γ", float(gamma[-1]), COLOUR["gamma"]))
    _put(axis, line, COLOUR["m"], 0.8)
    axis.set_ylim(-limit, limit)
    axis.set_ylabel(f"{drawing.trace.steering.kind}'s\nm and ±γ (ms)")
    label_at_right(axis, labels, limit)
