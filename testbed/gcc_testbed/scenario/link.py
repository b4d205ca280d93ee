"""The path between the hosts: rates over time, queue disciplines, delay, jitter and loss."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Annotated, ClassVar

from gcc_testbed.scenario.keys import flag, number, one_of
from gcc_testbed.support.errors import TestbedError

DIRECTIONS = ("forward", "backward")
MTU = 1500
SMALLEST_QUEUE_BYTES = MTU + 40
MOST_KBPS = 10_000_000
# Each is a line of the script that makes the call; more than in an hour of a trace.
MOST_STEPS = 100_000
# One packet. A larger bucket lets that many bytes pass without queueing after every pause; a
# smaller one passes no full packet at all.
SMALLEST_BURST_BYTES = MTU + 40
# Each needs a band of prio, which has sixteen; one is for packets without extra delay.
MOST_EXTRA_DELAYS = 15


MS = number("ms", above=0, at_most=100_000)
PACKETS = number("packets", at_least=1, at_most=1_000_000, whole=True)
QUANTUM = number("bytes", at_least=256, at_most=1 << 20, whole=True)
QUEUE_BYTES = number("bytes", at_least=SMALLEST_QUEUE_BYTES, at_most=2**31 - 1, whole=True)
TO_A_SECOND = number("ms", at_least=0, at_most=1000)
PERCENT = number("percent", at_least=0, at_most=100)


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
        if len(self.steps) > MOST_STEPS:
            raise TestbedError(
                f"{len(self.steps)} steps of the rate: expected at most {MOST_STEPS}"
            )
        for before, after in zip(self.steps, self.steps[1:], strict=False):
            if after.at_s <= before.at_s:
                raise TestbedError(
                    f"the times of a rate schedule increase, but {after.at_s:g} s follows "
                    f"{before.at_s:g} s"
                )
        for step in self.steps:
            # Zero: a trace may have a time in which nothing leaves.
            if not 0 <= step.kbps <= MOST_KBPS:
                raise TestbedError(f"a rate is 0 to {MOST_KBPS} kbit/s, not {step.kbps:g}")

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


def parse_schedule(text: str) -> RateSchedule:
    """`1000` or `0:1000,40:2500,60:600` (seconds:kbit/s)."""
    expected = "expected kbit/s like 1000, or a schedule of seconds:kbit/s like 0:1000,40:2500"
    steps = []
    for part in text.split(","):
        at, colon, rate = part.partition(":")
        if not colon:
            if len(text.split(",")) > 1:
                raise TestbedError(expected)
            at, rate = "0", part
        try:
            steps.append(RateStep(float(at), float(rate)))
        except ValueError:
            raise TestbedError(expected) from None
    if any(not math.isfinite(each) for step in steps for each in (step.at_s, step.kbps)):
        raise TestbedError(expected)
    for step in steps:
        if not 1 <= step.kbps <= MOST_KBPS:
            raise TestbedError(f"a rate is 1 to {MOST_KBPS} kbit/s, not {step.kbps:g}")
    return RateSchedule(tuple(steps))


@dataclass(frozen=True)
class DropTail:
    """A first-in-first-out queue, bounded in time (follows the rate) or in bytes (does not)."""

    kind: ClassVar[str] = "droptail"

    ms: Annotated[float, MS] | None = 300.0
    bytes: Annotated[int, QUEUE_BYTES] | None = None

    def limit_bytes(self, kbps: float) -> int:
        """The capacity of the queue in bytes at a link rate of `kbps`."""
        if self.bytes is not None:
            return self.bytes
        assert self.ms is not None
        return max(SMALLEST_QUEUE_BYTES, round(kbps * self.ms / 8))

    def __str__(self) -> str:
        return f"drop tail {self.bytes} bytes" if self.bytes else f"drop tail {self.ms:g} ms"


def coarse_target_ms(kbps: float) -> float:
    """CoDel's target in CCR'16 table 1: one packet of 1500 bytes takes 12 ms at 1 Mbit/s."""
    return 13.0 if kbps <= 1000 else 5.0


@dataclass(frozen=True)
class HeadDrop:
    """A first-in-first-out queue that drops its oldest packet, as Starlink's does."""

    kind: ClassVar[str] = "pfifo_head_drop"

    packets: Annotated[int, PACKETS] = 1000

    def limit_bytes(self, kbps: float) -> int:  # noqa: ARG002 - one question for every queue
        return self.packets * MTU

    def __str__(self) -> str:
        return f"drop head {self.packets} packets"


@dataclass(frozen=True)
class Codel:
    """Controlled delay. Defaults: CCR'16 table 1, where the target depends on the rate."""

    kind: ClassVar[str] = "codel"

    target_ms: Annotated[float, MS] | None = None
    interval_ms: Annotated[float, MS] = 100.0
    limit_packets: Annotated[int, PACKETS] = 1000
    # Packets with ECT are marked in place of being dropped.
    ecn: Annotated[bool, flag()] = False
    # With ECN, all packets that waited longer are marked; None: none are for that.
    ce_threshold_ms: Annotated[float, MS] | None = None

    def limit_bytes(self, kbps: float) -> int:  # noqa: ARG002 - one question for every queue
        return self.limit_packets * MTU

    def __str__(self) -> str:
        return "CoDel" if self.target_ms is None else f"CoDel, target {self.target_ms:g} ms"


@dataclass(frozen=True)
class Pie:
    """Proportional integral controller enhanced. Defaults: CCR'16 table 1."""

    kind: ClassVar[str] = "pie"

    target_ms: Annotated[float, MS] = 20.0
    tupdate_ms: Annotated[float, MS] = 30.0
    limit_packets: Annotated[int, PACKETS] = 1000
    ecn: Annotated[bool, flag()] = False

    def limit_bytes(self, kbps: float) -> int:  # noqa: ARG002
        return self.limit_packets * MTU

    def __str__(self) -> str:
        return f"PIE, target {self.target_ms:g} ms"


@dataclass(frozen=True)
class Sfq:
    """Stochastic fairness queueing. The kernel's limit is in packets, whatever their size."""

    kind: ClassVar[str] = "sfq"

    ms: Annotated[float, MS] | None = 300.0
    bytes: Annotated[int, QUEUE_BYTES] | None = None
    packets: Annotated[int, number("packets", at_least=2, at_most=1_000_000, whole=True)] | None = (
        None
    )
    quantum_bytes: Annotated[int, QUANTUM] | None = None
    # How often flows are put into other queues; None: never.
    perturb_s: Annotated[int, number("s", at_least=1, at_most=3600, whole=True)] | None = None

    def limit_packets(self, kbps: float) -> int:
        """The capacity of the queue in packets; ms and bytes are converted at full size."""
        if self.packets is not None:
            return self.packets
        return max(2, DropTail(self.ms, self.bytes).limit_bytes(kbps) // MTU)

    def limit_bytes(self, kbps: float) -> int:
        return self.limit_packets(kbps) * MTU

    def __str__(self) -> str:
        if self.packets is not None:
            return f"SFQ {self.packets} packets"
        return f"SFQ {self.bytes} bytes" if self.bytes else f"SFQ {self.ms:g} ms"


@dataclass(frozen=True)
class FqCodel:
    """CoDel with a queue for each flow. Defaults: CCR'16 table 1."""

    kind: ClassVar[str] = "fq_codel"

    target_ms: Annotated[float, MS] = 13.0
    interval_ms: Annotated[float, MS] = 100.0
    limit_packets: Annotated[int, PACKETS] = 10240
    quantum_bytes: Annotated[int, QUANTUM] = 1514
    # The kernel's own default.
    ecn: Annotated[bool, flag()] = True
    ce_threshold_ms: Annotated[float, MS] | None = None

    def limit_bytes(self, kbps: float) -> int:  # noqa: ARG002
        return self.limit_packets * MTU

    def __str__(self) -> str:
        return f"FQ-CoDel, target {self.target_ms:g} ms"


Queue = DropTail | HeadDrop | Codel | Pie | Sfq | FqCodel
QUEUES: dict[str, type[Queue]] = {
    kind.kind: kind for kind in (DropTail, HeadDrop, Codel, Pie, Sfq, FqCodel)
}


@dataclass(frozen=True)
class LinkTrace:
    """The reason why a rate changes all the time: a recording, stops, or both."""

    # Of the recording; empty: somebody wrote the rate.
    file: str
    # Over the whole recording, or the whole call.
    mean_kbps: float
    # A change of tbf's rate fills the bucket: what it lets pass beyond the rate under load, when
    # the bucket holds half a packet's bytes, on average.
    change_passes_bytes: int = SMALLEST_BURST_BYTES - 1200 // 2
    # In words; empty: it never stops.
    stops: str = ""

    def __str__(self) -> str:
        recorded = f"trace {PurePath(self.file).name}" if self.file else ""
        words = [part for part in (recorded, self.stops) if part]
        return f"{', '.join(words)}, mean {self.mean_kbps:.0f} kbit/s"


@dataclass(frozen=True)
class Shaper:
    """One direction's bottleneck: a rate and the queue before it."""

    rate: RateSchedule
    queue: Queue = field(default_factory=DropTail)
    # None: the rate is a schedule that somebody wrote.
    trace: LinkTrace | None = None
    # The token bucket: what passes at once after a pause.
    burst_bytes: int = SMALLEST_BURST_BYTES

    def queue_kbps(self, kbps: float) -> float:
        """The rate to which the queue is fitted while the link carries `kbps`.

        A base station's buffer does not shrink when the radio is slow: with a trace it is the mean.
        """
        return kbps if self.trace is None else self.trace.mean_kbps

    @property
    def capacity(self) -> str:
        """The rate in words."""
        return f"{self.rate} kbit/s" if self.trace is None else str(self.trace)

    def __str__(self) -> str:
        return f"{self.capacity}, {self.queue}"


@dataclass(frozen=True)
class Fault:
    """A fault of the packets of a direction for a time, downstream of where they are sent."""

    direction: Annotated[str, one_of(DIRECTIONS)]
    from_s: Annotated[float, number("seconds", at_least=0)]
    to_s: Annotated[float, number("seconds")]
    # Lost, after the loss of the whole call has had its part.
    loss_percent: Annotated[float, PERCENT] = 0.0
    # Added to the propagation delay. Where it ends, later packets overtake earlier ones.
    delay_ms: Annotated[float, number("ms", at_least=0, at_most=60_000)] = 0.0
    # Packets that overtake those of the last few milliseconds.
    reorder_percent: Annotated[float, PERCENT] = 0.0
    duplicate_percent: Annotated[float, PERCENT] = 0.0


@dataclass(frozen=True)
class Condition:
    """From `at_s` on a recorded path delays packets by so much more, and loses so many."""

    at_s: float
    delay_ms: float = 0.0
    loss_percent: float = 0.0

    def differs(self, other: Condition) -> bool:
        """Whether packets fare otherwise, whenever it begins."""
        return (self.delay_ms, self.loss_percent) != (other.delay_ms, other.loss_percent)


@dataclass(frozen=True, kw_only=True)
class PathSettings:
    """The path beside its bottlenecks."""

    one_way_delay_ms: Annotated[float, number("ms", at_least=0, at_most=5000)] = 25.0
    # Standard deviation of a normal distribution, in each direction; order is kept.
    jitter_ms: Annotated[float, TO_A_SECOND] = 0.0
    # Of all packets from a to b, at random, before the bottleneck.
    loss_percent: Annotated[float, number("percent", at_least=0, at_most=99)] = 0.0
    # None: each packet by itself. Else all packets of moments that are so long on average, behind
    # the bottleneck: they are among the conditions then.
    loss_burst_ms: Annotated[float, number("ms", at_least=1, at_most=10_000)] | None = None
    # Largest IP packet of the path: larger ones of UDP go in fragments, each lost alone.
    mtu_bytes: Annotated[int, number("bytes", at_least=576, at_most=MTU, whole=True)] = MTU
    # Standard deviation of what b's own work adds to the arrival of a packet: a normal
    # distribution, of which the half below zero is none. Order is kept; captures do not see it.
    arrival_noise_ms: Annotated[float, TO_A_SECOND] = 0.0
    # b takes packets from its interface at the ticks of such a timer; 0: at once.
    arrival_tick_ms: Annotated[float, TO_A_SECOND] = 0.0


@dataclass(frozen=True)
class Link(PathSettings):
    """The path between a and b: its bottlenecks, and what happens to packets on the way."""

    forward: Shaper
    backward: Shaper | None = None
    # In order, at most one at a time in each direction.
    faults: tuple[Fault, ...] = ()
    # Of the path from a to b, as recorded: in order, the first at zero. Order of packets is kept.
    conditions: tuple[Condition, ...] = ()

    @property
    def rtt_ms(self) -> float:
        return 2 * self.one_way_delay_ms

    def shaper(self, direction: str) -> Shaper | None:
        return self.forward if direction == "forward" else self.backward

    def __str__(self) -> str:
        parts = [f"{self.forward.capacity}, RTT {self.rtt_ms:g} ms, {self.forward.queue}"]
        if self.forward.burst_bytes != SMALLEST_BURST_BYTES:
            parts.append(f"burst {self.forward.burst_bytes} bytes")
        if self.jitter_ms:
            parts.append(f"jitter {self.jitter_ms:g} ms")
        if self.loss_percent:
            bursts = f" in bursts of {self.loss_burst_ms:g} ms" if self.loss_burst_ms else ""
            parts.append(f"loss {self.loss_percent:g} %{bursts}")
        if self.mtu_bytes != MTU:
            parts.append(f"MTU {self.mtu_bytes} bytes")
        if self.arrival_noise_ms:
            parts.append(f"arrival noise {self.arrival_noise_ms:g} ms")
        if self.arrival_tick_ms:
            parts.append(f"arrival each {self.arrival_tick_ms:g} ms")
        if self.faults:
            parts.append(f"{len(self.faults)} faults")
        if self.conditions and not self.loss_burst_ms:
            parts.append("delay and loss as recorded")
        if self.backward is not None:
            parts.append(f"back {self.backward}")
        return ", ".join(parts)
