"""Runs two published lines over the virtual link, and reads what they reached."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gcc_testbed.measure import captures, traces
from gcc_testbed.measure.captures import Capture
from gcc_testbed.measure.metrics import read_link_log
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.run.virtual_world import VirtualWorld
from gcc_testbed.run.world import perform
from gcc_testbed.scenario import run_files
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.link import DropTail, Link, RateSchedule, RateStep, Shaper
from gcc_testbed.scenario.network import ADDRESS
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.output import MARK, Output
from gcc_testbed.support.progress import Progress
from numpy.typing import NDArray

Times = NDArray[np.float64]

# The link, alike in both directions.
KBPS = 1000.0
QUEUE_MS = 300.0
RTT_MS = 50.0
# This part of the link has to be reached, so many seconds after the first packet of video.
GOAL = 0.9
WITHIN_S = 5.0
DURATION_S = 8.0
# What arrives is measured over so long.
WINDOW_S = 1.0
# ... and at the end over so long.
LAST_S = 2.0
VIDEO_PORT = 5000
_TENTHS = np.arange(1, round(DURATION_S * 10) + 1) / 10

# The testbed's seeds give the same bytes at each opening, which NSS, below libsrtp, takes for a
# broken source: these programs get the kernel's own.
_NEED_RANDOM = ("srtpenc", "srtpdec", "dtlssrtpenc", "dtlssrtpdec")
_UNSEEDED = ("sh", "-c", 'umount /dev/urandom && exec "$@"', "sh")
_WARNING = re.compile(r"WARNING|ERROR|CRITICAL")


@dataclass(frozen=True)
class Reached:
    """Of what one end sends; rates as a part of the link."""

    # From the first packet of video until A_s was GOAL of the link; None: never.
    target_after_s: float | None
    # ... until so much had arrived for WINDOW_S.
    arrived_after_s: float | None
    # A_s when WITHIN_S have passed.
    target: float | None
    # All that arrived at the other end, with IP headers, in the end.
    arrived: float
    feedback: str
    probes: int
    probe_results: int

    def problems(self, says_transport_cc: bool) -> list[str]:
        """What a reader of the line would miss."""
        after = {"A_s is": self.target_after_s, "what arrives is": self.arrived_after_s}
        found = [
            f"{what} not {GOAL:g} of the link within {WITHIN_S:g} s"
            for what, after_s in after.items()
            if after_s is None or after_s > WITHIN_S
        ]
        if says_transport_cc and self.feedback != "transport-cc":
            found.append(f"the feedback is {self.feedback}, not transport-cc")
        if says_transport_cc and self.probe_results == 0:
            found.append("no probe has a result")
        return found


@dataclass(frozen=True)
class TypedCall(Experiment):
    """The two commands, in place of those that a scenario would start."""

    at_a: tuple[str, ...] = ()
    at_b: tuple[str, ...] = ()

    def processes(self) -> list[tuple[str, str, list[str]]]:
        captured = [each for each in super().processes() if each[1].startswith("capture-")]
        return [
            *captured,
            ("b", "receiver-b", _started(self.at_b)),
            ("a", "sender-a", _started(self.at_a)),
        ]


def _started(command: tuple[str, ...]) -> list[str]:
    return [*(() if set(command).isdisjoint(_NEED_RANDOM) else _UNSEEDED), *command]


def scenario(loss_percent: float) -> Scenario:
    shaper = Shaper(RateSchedule((RateStep(0, KBPS),)), DropTail(QUEUE_MS))
    link = Link(shaper, shaper, one_way_delay_ms=RTT_MS / 2, loss_percent=loss_percent)
    # The flow stands for the two commands: nothing of it is started.
    flow = GccFlow(name="typed", source="model")
    return Scenario(link=link, flows=(flow,), duration_s=DURATION_S, measure_from_s=0.0)


def make(
    commands: tuple[tuple[str, ...], tuple[str, ...]], out: Path, loss_percent: float = 0.0
) -> None:
    """Makes the call; its files are in `out` afterwards."""
    with Output(out) as output:
        world = VirtualWorld()
        world.check()
        call = TypedCall(scenario(loss_percent), (), output.path, *commands)
        perform(world, call, output.scratch, Progress(quiet=True))
        (output.path / MARK).write_text("{}\n", encoding="utf-8")
        output.keep()


def reached(run: Path, end: str) -> Reached:
    """What the host a or b reached in a finished call, in which it sent."""
    other = {"a": "b", "b": "a"}[end]
    origin_s, _ = read_link_log(run / run_files.LINK_LOGS["forward"])
    sent, received = (_to(run, host, other, origin_s) for host in (end, other))
    trace = traces.read(run / f"{end}.csv", origin_s)
    video = captures.rtp(sent, VIDEO_PORT).time_s
    begin_s = float(video[0]) if len(video) else 0.0
    times, rates = trace.points("a_s_bps")
    target = trace.last_before("a_s_bps", begin_s + WITHIN_S)
    return Reached(
        target_after_s=_after(times, rates >= GOAL * KBPS * 1000, begin_s),
        arrived_after_s=_after(_TENTHS, _rates(received, _TENTHS, WINDOW_S) >= GOAL, begin_s),
        target=None if target is None else target / 1000 / KBPS,
        arrived=float(_rates(received, np.array([DURATION_S]), LAST_S)[0]),
        feedback=(trace.text("feedback") or [""])[-1],
        probes=_most(trace, "probes"),
        probe_results=_most(trace, "probe_results"),
    )


def _to(run: Path, at: str, host: str, origin_s: float) -> Capture:
    """What was on its way to a host, as captured at one of the two."""
    everything = captures.read(run / run_files.capture(at), origin_s)
    parts = [int(part) for part in ADDRESS[host].split(".")]
    return everything.chosen(everything.destination == int.from_bytes(bytes(parts)))


def _after(times: Times, reached: NDArray[np.bool_], begin_s: float) -> float | None:
    """When something is reached for the first time."""
    return float(times[reached][0]) - begin_s if reached.any() else None


def _rates(received: Capture, ends: Times, length_s: float) -> Times:
    """What arrived in the windows with these ends, as a part of the link."""
    counted = np.append(0, np.cumsum(received.ip_bytes))
    until, before = (
        counted[np.searchsorted(received.time_s, edge)] for edge in (ends, ends - length_s)
    )
    return np.asarray((until - before) * 8 / 1000 / length_s / KBPS, float)


def _most(trace: traces.Trace, column: str) -> int:
    _, values = trace.points(column)
    return int(np.max(values)) if len(values) else 0


def warnings(run: Path) -> list[str]:
    """What both ends said that a user would have to look into."""
    return [
        line.strip()
        for name in ("sender-a", "receiver-b")
        for line in (run / "logs" / f"{name}.log").read_text(errors="replace").splitlines()
        if _WARNING.search(line)
    ]
