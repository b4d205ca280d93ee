"""What the card measures of a call, each from its metrics; and points, to compare calls by."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.scenario.run_files import METRICS, PER_SECOND

MEDIA = ("gcc", "rtpgccbwe")

Values = dict[str, float | None]


@dataclass(frozen=True)
class Measure:
    """How a measure is shown."""

    title: str
    digits: int


MEASURES = {
    "utilisation": Measure("U", 3),
    "loss_percent": Measure("loss %", 2),
    "queueing_p50_ms": Measure("queueing p50 ms", 0),
    "queueing_p95_ms": Measure("queueing p95 ms", 0),
    "frame_delay_p50_ms": Measure("frame delay p50 ms", 0),
    "frame_delay_p95_ms": Measure("frame delay p95 ms", 0),
    "incomplete_percent": Measure("incomplete frames %", 2),
    "psnr_db": Measure("PSNR dB", 1),
    "ssim": Measure("SSIM", 3),
    "freezes": Measure("freezes", 0),
    "freeze_s": Measure("frozen s", 1),
    "share": Measure("share", 2),
    "jain": Measure("Jain", 3),
    "converge_s": Measure("converged after s", 0),
    "reach_s": Measure("reached after s", 0),
}


def of_call(run: Path, reach: tuple[float, float] | None = None) -> Values | None:
    """The measures of a finished call; None if it is not finished. None in it: not measured.

    Of several flows of media the worst counts; U is the forward link's, with all flows.
    """
    try:
        metrics = json.loads((run / METRICS).read_text())
    except (OSError, ValueError):
        return None
    media = [flow for flow in metrics["flows"] if flow["kind"] in MEDIA]
    shares = metrics["fairness"]["shares"]
    videos = [flow["video"] for flow in media if "video" in flow]
    has_tcp = any(flow["kind"] == "tcp" and flow["name"] in shares for flow in metrics["flows"])
    forward = [flow for flow in media if flow["direction"] == "forward"]

    def worst(
        values: Iterable[float | None], which: Callable[[list[float]], float]
    ) -> float | None:
        known = [value for value in values if value is not None]
        return which(known) if known else None

    def delay(kind: str, percentile: str) -> float | None:
        return worst((flow.get(kind, {}).get(percentile) for flow in media), max)

    def percent(key: str) -> float | None:
        ratio = worst((flow.get(key) for flow in media), max)
        return None if ratio is None else 100 * ratio

    settled = [flow["convergence_s"] for flow in media]
    return {
        "utilisation": metrics["link"]["utilisation"],
        "loss_percent": percent("loss_ratio"),
        "queueing_p50_ms": delay("one_way_queueing_ms", "p50"),
        "queueing_p95_ms": delay("one_way_queueing_ms", "p95"),
        "frame_delay_p50_ms": delay("frame_delay_ms", "p50"),
        "frame_delay_p95_ms": delay("frame_delay_ms", "p95"),
        "incomplete_percent": percent("frames_incomplete_ratio"),
        "psnr_db": worst((video["psnr_y_db"].get("p50") for video in videos), min),
        "ssim": worst((video["ssim_y"].get("p50") for video in videos), min),
        "freezes": sum(video["freezes"] for video in videos) if videos else None,
        "freeze_s": sum(video["freeze_s"] for video in videos) if videos else None,
        "share": shares.get(forward[0]["name"]) if has_tcp and forward else None,
        "jain": metrics["fairness"]["jain"] if len(forward) > 1 and not has_tcp else None,
        "converge_s": None if None in settled or not settled else max(settled),
        "reach_s": None if reach is None else _reached(run, media[0]["name"], *reach),
    }


def _reached(run: Path, flow: str, from_s: float, kbps: float) -> float | None:
    """From a moment to the end of the first second in which a flow received that rate."""
    with (run / PER_SECOND).open(newline="") as content:
        for row in csv.DictReader(content):
            at_s = float(row["time_s"])
            if row["flow"] == flow and at_s >= from_s and float(row["received_kbps"] or 0) >= kbps:
                return at_s + 1 - from_s
    return None


# What halves the points, each by itself.
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
