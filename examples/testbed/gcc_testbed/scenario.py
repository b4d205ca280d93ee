"""What is to be run, as data: a link and the flows that share it. Standard library only."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from gcc_testbed.errors import TestbedError

PROFILES = ("rtcweb-2013", "rmcat-2016", "draft-gcc-02", "goog-2020", "gst-2026")
DEFAULT_PROFILE = "gst-2026"
WORLDS = ("virtual", "namespace")

MTU = 1500
SMALLEST_QUEUE_BYTES = MTU + 40


@dataclass(frozen=True)
class RateStep:
    """From `at_s` on, the link carries `kbps`."""

    at_s: float
    kbps: float


@dataclass(frozen=True)
class RateSchedule:
    """The capacity over time: steps in order, the first at zero."""

    steps: tuple[RateStep, ...]

    def __post_init__(self) -> None:
        if not self.steps or self.steps[0].at_s != 0:
            raise TestbedError("a rate schedule starts at 0 s, like 0:1000,40:2500")
        for before, after in zip(self.steps, self.steps[1:], strict=False):
            if after.at_s <= before.at_s:
                raise TestbedError(
                    f"the times of a rate schedule increase, but {after.at_s:g} s follows "
                    f"{before.at_s:g} s"
                )
        for step in self.steps:
            if not 1 <= step.kbps <= 10_000_000:
                raise TestbedError(f"a rate is 1 to 10000000 kbit/s, not {step.kbps:g}")

    def mean_kbps(self, begin_s: float, end_s: float) -> float:
        """The capacity averaged over an interval."""
        ends = [*(step.at_s for step in self.steps[1:]), float("inf")]
        kbit = sum(
            step.kbps * max(0.0, min(end, end_s) - max(step.at_s, begin_s))
            for step, end in zip(self.steps, ends, strict=True)
        )
        return kbit / (end_s - begin_s)

    def __str__(self) -> str:
        if len(self.steps) == 1:
            return f"{self.steps[0].kbps:g}"
        return ",".join(f"{step.at_s:g}:{step.kbps:g}" for step in self.steps)


@dataclass(frozen=True)
class DropTail:
    """A first-in-first-out queue, bounded in time (follows the rate) or in bytes (does not)."""

    ms: float | None = 300.0
    bytes: int | None = None

    def limit_bytes(self, kbps: float) -> int:
        """The most bytes that may wait while the link carries `kbps`."""
        if self.bytes is not None:
            return self.bytes
        assert self.ms is not None
        return max(SMALLEST_QUEUE_BYTES, round(kbps * self.ms / 8))

    def __str__(self) -> str:
        return f"{self.bytes} bytes" if self.bytes is not None else f"{self.ms:g} ms"


@dataclass(frozen=True)
class Link:
    """The path from a to b: its bottleneck, and the delay shared by both directions."""

    rate: RateSchedule
    rtt_ms: float = 50.0
    queue: DropTail = field(default_factory=DropTail)


@dataclass(frozen=True)
class GccFlow:
    """One video stream with gccsender at a and gccreceiver at b."""

    name: str = "gcc-1"
    sequence: str = "foreman"
    profile: str = DEFAULT_PROFILE
    min_kbps: int = 50
    start_kbps: int = 300
    max_kbps: int = 2000
    kind: str = "gcc"


@dataclass(frozen=True)
class Scenario:
    """Everything that decides what happens in a run."""

    link: Link
    flows: tuple[GccFlow, ...]
    duration_s: float = 60.0
    measure_from_s: float = 20.0
    seed: int = 1
    world: str = "virtual"

    def as_dict(self) -> dict[str, Any]:
        """The scenario as plain data, for call.json."""
        return asdict(self)
