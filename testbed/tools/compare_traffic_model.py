"""Compares the traffic model with a real encoder and writes the numbers of docs/traffic-model.md.

    build/venv/bin/python testbed/tools/compare_traffic_model.py DIRECTORY

Makes the calls of testbed/data/sweeps/traffic-model.toml into DIRECTORY, those that are missing
there; then three more that are timed. Some ten minutes.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray
from page_table import replace_rows

from gcc_testbed.measure import captures, traces
from gcc_testbed.measure.metrics import read_link_log

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/traffic-model.md"
PICTURE = ROOT / "docs/images/traffic-model.png"
SWEEP = ROOT / "testbed/data/sweeps/traffic-model.toml"
TESTBED = (sys.executable, "-m", "gcc_testbed")

PROFILES = ("recommended", "rmcat-2016-eq-2")
CAPACITIES = (500, 1000, 2000)
QUEUES = {"droptail": "drop tail 300 ms", "codel": "CoDel"}
SOURCES = ("vp8", "model")
COLOUR = {"vp8": "#0b5fa5", "model": "#d1660a"}

FRAME_RATE = 30
# From this time to the end the traffic is compared with the target rate.
STEADY_FROM_S = 30
# About what the first frame of each new loop of the sequence is at 500 kbit/s.
LARGE_FRAME = 2
WINDOWS = (1, 2, 3, 5, 10, 20, 30, 50, 90)
TIMED_S = 240
TIMED = {
    "vp8, FourPeople 720p": ("--sequence", "fourpeople"),
    "vp8, Foreman CIF": ("--sequence", "foreman"),
    "model": ("--source", "model"),
}


@dataclass(frozen=True)
class Setting:
    """A point of the sweep."""

    profile: str
    kbps: int
    queue: str
    source: str

    def is_of(self, scenario: dict[str, Any]) -> bool:
        flow, forward = scenario["flow"][0], scenario["link"]["forward"]
        return (flow["profile"], forward["rate_kbps"], forward["queue"]["kind"]) == (
            self.profile,
            str(self.kbps),
            self.queue,
        ) and flow["source"] == self.source


class Calls:
    """The sweep's directory."""

    def __init__(self, directory: Path) -> None:
        found = sorted(directory.glob("runs/*/seed-*/call.json"))
        self._scenarios = {
            file.parent: json.loads(file.read_text(encoding="utf-8"))["scenario"] for file in found
        }

    def of(self, setting: Setting) -> list[Path]:
        """One for each seed."""
        return [run for run, scenario in self._scenarios.items() if setting.is_of(scenario)]

    def mean(self, setting: Setting, measure: Callable[[Path], float]) -> float:
        return statistics.fmean(measure(run) for run in self.of(setting))


def flow(run: Path) -> dict[str, Any]:
    metrics = json.loads((run / "metrics.json").read_text(encoding="utf-8"))
    first: dict[str, Any] = metrics["flows"][0]
    return first


@dataclass(frozen=True)
class Frames:
    """The frames a call sent: when, how large, and how large the encoder's target had them."""

    time_s: NDArray[np.float64]
    payload: NDArray[np.float64]
    packets: NDArray[np.int64]
    wanted: NDArray[np.float64]

    @property
    def share(self) -> NDArray[np.float64]:
        return self.payload / self.wanted

    def steady(self) -> Frames:
        chosen = self.time_s > STEADY_FROM_S
        return Frames(*(values[chosen] for values in vars(self).values()))


@cache
def frames(run: Path) -> Frames:
    origin_s, _ = read_link_log(run / "link.csv")
    capture = captures.read(run / "a.pcap", origin_s)
    capture = capture.chosen((capture.protocol == 17) & (capture.port == 5000))
    # RTP's timestamp: bytes 4 to 7 after UDP's 8; packets of a frame share one.
    clock = capture.transport[:, 12:16].astype(np.int64) @ (1 << np.array([24, 16, 8, 0]))
    _, first, frame = np.unique(clock, return_index=True, return_inverse=True)
    # IP, UDP, RTP, and the payloader's descriptor
    sizes = capture.ip_bytes - 20 - 8 - 12 - 4
    payload = np.asarray(np.bincount(frame, weights=sizes), np.float64)
    packets, time_s = np.bincount(frame).astype(np.int64), capture.time_s[first]
    order = np.argsort(time_s)
    at, target = traces.read(run / "sender.csv", origin_s).points("v_bps")
    in_force = np.maximum(np.searchsorted(at, time_s[order], side="right") - 1, 0)
    wanted = target[in_force] / 8 / FRAME_RATE
    return Frames(time_s[order], payload[order], packets[order], wanted)


def deviation(run: Path, window: int) -> float:
    """Standard deviation of the size of so many frames in a row, over their target."""
    steady = frames(run).steady()
    starts = np.arange(0, len(steady.payload), window)
    over = np.add.reduceat(steady.payload - steady.wanted, starts)[:-1]
    return float(np.std(over) / (window * steady.wanted.mean()))


def interval_deviation(run: Path) -> float:
    return float(np.std(np.diff(frames(run).steady().time_s)) * FRAME_RATE)


def large_frames_per_minute(run: Path) -> float:
    steady = frames(run).steady()
    minutes = (steady.time_s[-1] - steady.time_s[0]) / 60
    return float((steady.share > LARGE_FRAME).sum() / minutes)


TRAFFIC: dict[str, tuple[Callable[[Path], float], str]] = {
    "payload / target": (lambda run: float(frames(run).steady().share.mean()), ".3f"),
    "packets a frame": (lambda run: float(frames(run).steady().packets.mean()), ".2f"),
    "σ of a frame's size": (lambda run: deviation(run, 1), ".3f"),
    "σ of its interval": (interval_deviation, ".3f"),
    "σ of 90 frames' size": (lambda run: deviation(run, 90), ".3f"),
    "frames over 2 × target, a minute": (large_frames_per_minute, ".1f"),
    "first frame, bytes": (lambda run: float(frames(run).payload[0]), ".0f"),
}


def loss_percent(run: Path) -> float:
    return 100 * (flow(run)["loss_ratio"] or 0.0)


RESULTS: dict[str, tuple[Callable[[Path], float], str]] = {
    "U": (lambda run: flow(run)["utilisation"], ".3f"),
    "loss %": (loss_percent, ".2f"),
    "p50 ms": (lambda run: flow(run)["one_way_queueing_ms"]["p50"], ".0f"),
    "p95 ms": (lambda run: flow(run)["one_way_queueing_ms"]["p95"], ".0f"),
}


def result_rows(calls: Calls, profile: str) -> list[str]:
    rows = []
    for kbps in CAPACITIES:
        for queue, shown in QUEUES.items():
            cells = [f"{kbps} kbit/s, {shown}"]
            for measure, digits in RESULTS.values():
                vp8, model = (
                    calls.mean(Setting(profile, kbps, queue, source), measure) for source in SOURCES
                )
                cells += [f"{vp8:{digits}}", f"{model:{digits}}", f"{model - vp8:+{digits}}"]
            rows.append(f"| {' | '.join(cells)} |")
    return rows


def traffic_rows(calls: Calls) -> list[str]:
    rows = []
    for name, (measure, digits) in TRAFFIC.items():
        cells = [
            f"{calls.mean(Setting('recommended', kbps, 'droptail', source), measure):{digits}}"
            for kbps in CAPACITIES
            for source in SOURCES
        ]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return rows


def time_rows() -> list[str]:
    rows = []
    for name, options in TIMED.items():
        with tempfile.TemporaryDirectory() as scratch:
            begin = time.monotonic()
            command = [*TESTBED, "call", "--quiet", "--duration", str(TIMED_S), *options]
            subprocess.run(
                [*command, "--out", f"{scratch}/call"], check=True, stdout=subprocess.DEVNULL
            )
            rows.append(f"| {name} | {time.monotonic() - begin:.1f} s |")
    return rows


def draw(calls: Calls) -> None:
    """Draws the delay of packets, and its cause."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    for source in SOURCES:
        setting = Setting("recommended", 1000, "droptail", source)
        runs = calls.of(setting)
        waits = np.sort(np.concatenate([queueing_ms(run) for run in runs]))
        some = np.linspace(0, len(waits) - 1, 500).astype(int)
        name = "vp8enc" if source == "vp8" else "RFC 8593 traffic model"
        left.plot(waits[some], some / len(waits), color=COLOUR[source], label=name)
        sigma = [calls.mean(setting, partial(deviation, window=n)) for n in WINDOWS]
        right.loglog(WINDOWS, sigma, "o-", ms=3, color=COLOUR[source], label=name)
    left.set(xlabel="one-way queueing (ms)", ylabel="part of the packets", xlim=(0, 150))
    right.set(xlabel="frames in a row", ylabel="σ of their size / target")
    right.set_xticks([1, 3, 10, 30, 90], ["1", "3", "10", "30", "90"])
    right.minorticks_off()
    right.set_yticks([0.01, 0.03, 0.1, 0.3], ["0.01", "0.03", "0.1", "0.3"])
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(color="#eeeeee")
        axis.legend(frameon=False)
    figure.savefig(PICTURE, dpi=100, metadata={"Software": None})


def queueing_ms(run: Path) -> NDArray[np.float64]:
    origin_s, _ = read_link_log(run / "link.csv")
    seen = [captures.rtp(captures.read(run / f"{host}.pcap", origin_s), 5000) for host in "ab"]
    journeys = captures.match(*seen).between(STEADY_FROM_S, np.inf)
    return journeys.delay_s[journeys.arrived] * 1000


def main() -> None:
    directory = Path(sys.argv[1])
    subprocess.run([*TESTBED, "sweep", str(SWEEP), "--out", str(directory)], check=True)
    calls = Calls(directory)
    page = PAGE.read_text(encoding="utf-8")
    for profile in PROFILES:
        page = replace_rows(page, f"| {profile} |", result_rows(calls, profile))
    page = replace_rows(page, "| the traffic |", traffic_rows(calls))
    page = replace_rows(page, f"| a call of {TIMED_S} s |", time_rows())
    draw(calls)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
