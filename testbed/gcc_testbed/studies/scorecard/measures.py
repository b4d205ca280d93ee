"""The measures of a call, each from its metrics, and the points that compare calls."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.scenario.run_files import METRICS, PER_SECOND

MEDIA = ("gcc", "rtpgccbwe")

Values = dict[str, float | None]


@dataclass(frozen=True)
class _Call:
    """A finished call."""

    run: Path
    metrics: dict[str, Any]
    # From a moment on, the rate to be reached.
    reach: tuple[float, float] | None

    @property
    def media(self) -> list[dict[str, Any]]:
        return [flow for flow in self.metrics["flows"] if flow["kind"] in MEDIA]

    @property
    def forward(self) -> list[dict[str, Any]]:
        """The media on the link that is scored."""
        return [flow for flow in self.media if flow["direction"] == "forward"]

    @property
    def shares(self) -> dict[str, float]:
        """Those of the flows that are fair or unfair to each other, by name."""
        shares: dict[str, float] = self.metrics["fairness"]["shares"]
        return shares

    @property
    def beside_tcp(self) -> bool:
        flows = self.metrics["flows"]
        return any(flow["kind"] == "tcp" and flow["name"] in self.shares for flow in flows)

    def videos(self, key: str) -> list[Any]:
        """A measure of each video that was compared with its source."""
        return [flow["video"][key] for flow in self.media if "video" in flow]


_Value = float | None
_Getter = Callable[[_Call], _Value]


def _worst(values: Iterable[_Value], which: Callable[[list[float]], float]) -> _Value:
    known = [value for value in values if value is not None]
    return which(known) if known else None


def _percent(key: str) -> _Getter:
    def of(call: _Call) -> _Value:
        ratio = _worst((flow.get(key) for flow in call.media), max)
        return None if ratio is None else 100 * ratio

    return of


def _delay(key: str, percentile: str) -> _Getter:
    return lambda call: _worst((flow.get(key, {}).get(percentile) for flow in call.media), max)


def _picture(key: str) -> _Getter:
    return lambda call: _worst((frames.get("p50") for frames in call.videos(key)), min)


def _total(key: str) -> _Getter:
    return lambda call: sum(found) if (found := call.videos(key)) else None


def _share(call: _Call) -> _Value:
    return call.shares.get(call.forward[0]["name"]) if call.beside_tcp and call.forward else None


def _jain(call: _Call) -> _Value:
    several = len(call.forward) > 1 and not call.beside_tcp
    return call.metrics["fairness"]["jain"] if several else None


def _converged(call: _Call) -> _Value:
    settled = [flow["convergence_s"] for flow in call.media]
    return None if None in settled or not settled else max(settled)


def _reached(call: _Call) -> _Value:
    """From a moment to the end of the first second in which a flow received that rate."""
    if call.reach is None:
        return None
    (from_s, kbps), flow = call.reach, call.media[0]["name"]
    with (call.run / PER_SECOND).open(newline="") as content:
        for row in csv.DictReader(content):
            at_s = float(row["time_s"])
            if row["flow"] == flow and at_s >= from_s and float(row["received_kbps"] or 0) >= kbps:
                return at_s + 1 - from_s
    return None


@dataclass(frozen=True)
class Measure:
    """A number of a call: how it is shown, and `of`, which takes it from the metrics."""

    title: str
    digits: int
    of: _Getter


MEASURES = {
    "utilisation": Measure("U", 3, lambda call: call.metrics["link"]["utilisation"]),
    "loss_percent": Measure("loss %", 2, _percent("loss_ratio")),
    "queueing_p50_ms": Measure("queueing p50 ms", 0, _delay("one_way_queueing_ms", "p50")),
    "queueing_p95_ms": Measure("queueing p95 ms", 0, _delay("one_way_queueing_ms", "p95")),
    "frame_delay_p50_ms": Measure("frame delay p50 ms", 0, _delay("frame_delay_ms", "p50")),
    "frame_delay_p95_ms": Measure("frame delay p95 ms", 0, _delay("frame_delay_ms", "p95")),
    "incomplete_percent": Measure("incomplete frames %", 2, _percent("frames_incomplete_ratio")),
    "frozen_percent": Measure("frozen %", 1, _percent("frames_frozen_ratio")),
    "psnr_db": Measure("PSNR dB", 1, _picture("psnr_y_db")),
    "ssim": Measure("SSIM", 3, _picture("ssim_y")),
    "freezes": Measure("freezes", 0, _total("freezes")),
    "freeze_s": Measure("frozen s", 1, _total("freeze_s")),
    "share": Measure("share", 2, _share),
    "jain": Measure("Jain", 3, _jain),
    "converge_s": Measure("converged after s", 0, _converged),
    "reach_s": Measure("reached after s", 0, _reached),
}


def of_call(run: Path, reach: tuple[float, float] | None = None) -> Values | None:
    """The measures of a finished call; None if it is not finished. None in it: not measured.

    Of several flows of media the worst counts; U is the forward link's, with all flows.
    """
    try:
        metrics = json.loads((run / METRICS).read_text())
    except (OSError, ValueError):
        return None
    call = _Call(run, metrics, reach)
    return {name: measure.of(call) for name, measure in MEASURES.items()}


# Values that halve the points, each by itself.
HALF_DELAY_MS = 200.0
HALF_REACH_S = 30.0
# 1 % lost costs a tenth.
LOSS_POWER = 10


def points(
    values: Values,
    *,
    fair_share: float | None = None,
    path_loss_percent: float = 0.0,
    reach: bool = False,
) -> float | None:
    """One number to compare calls by, 0 to 100; None without any media.

    The product of how well the link is used (U; of several flows U times Jain's index; beside TCP
    the smaller of share and fair share over the larger), of the delay (frames' p95: 200 ms halve
    it), of the loss (of what the path itself does not lose, 1 % costs a tenth), and, where a rate
    is to be reached, of the time that took (30 s halve it).
    """
    used, delay_ms = values["utilisation"], values["frame_delay_p95_ms"]
    loss = values["loss_percent"]
    if used is None or loss is None:
        return None
    used = min(1.0, used) * (values["jain"] or 1.0)
    if fair_share is not None:
        share = values["share"] or 0.0
        used = min(share, fair_share) / max(share, fair_share)
    # No frame ever arrived whole.
    smooth = 0.0 if delay_ms is None else 1 / (1 + delay_ms / HALF_DELAY_MS)
    # Of the packets that the path leaves.
    kept = min(1.0, (1 - loss / 100) / (1 - path_loss_percent / 100))
    quick = 1.0
    if reach:
        after = values["reach_s"]
        quick = 0.0 if after is None else 1 / (1 + after / HALF_REACH_S)
    return float(100 * used * smooth * kept**LOSS_POWER * quick)
