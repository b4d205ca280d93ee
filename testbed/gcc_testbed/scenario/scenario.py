"""A scenario: everything that decides what happens in a run. Standard library only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from gcc_testbed.scenario.flows import SOURCES, AnyFlow, GccFlow, LaunchFlow, RtpGccBweFlow
from gcc_testbed.scenario.keys import flag, number, one_of, text
from gcc_testbed.scenario.link import DIRECTIONS, Link

WORLDS = ("virtual", "namespace")
# How much longer than a round trip the repair of a lost packet may take: the wait in the
# bottleneck, twice, and a second request.
REPAIR_MARGIN_MS = 500


@dataclass(frozen=True, kw_only=True)
class CallSettings:
    """The settings of a call beside its link and its flows."""

    title: Annotated[str, text()] = "A call under Google Congestion Control"
    source: Annotated[str, text()] = ""
    duration_s: Annotated[float, number("seconds", above=0, at_most=86400)] = 60.0
    measure_from_s: Annotated[float, number("seconds", at_least=0)] = 20.0
    seed: Annotated[int, number("a whole number", at_least=0, at_most=2**32 - 1, whole=True)] = 1
    world: Annotated[str, one_of(WORLDS)] = "virtual"
    # Record the received video and compare it with the source after the call, which takes time.
    quality: Annotated[bool, flag()] = False


@dataclass(frozen=True)
class Scenario(CallSettings):
    """Everything that decides what happens in a run."""

    link: Link
    flows: tuple[AnyFlow, ...]

    def sequences(self) -> tuple[str, ...]:
        """The videos the flows need, each once, in the order of the flows."""
        wanted = [
            flow.sequence
            for flow in self.flows
            if isinstance(flow, LaunchFlow | RtpGccBweFlow)
            or (isinstance(flow, GccFlow) and flow.source == "vp8")
        ]
        return tuple(dict.fromkeys(wanted))

    def video_source(self) -> str | None:
        """Where the gcc flows' frames come from: `vp8`, `model`, `vp8+model`; None without any."""
        used = {flow.source for flow in self.flows if isinstance(flow, GccFlow)}
        return "+".join(source for source in SOURCES if source in used) or None

    def has_peer(self) -> bool:
        """Whether a flow needs the peer that is not ours."""
        return any(isinstance(flow, RtpGccBweFlow) for flow in self.flows)

    def has_model(self) -> bool:
        """Whether a flow sends the traffic model instead of video."""
        return any(isinstance(flow, GccFlow) and flow.source == "model" for flow in self.flows)

    def has_wall_clock(self) -> bool:
        """Whether a flow's wall clock is set during the call."""
        return any(isinstance(flow, GccFlow) and flow.wall_clock_steps for flow in self.flows)

    def directions(self) -> tuple[str, ...]:
        """Those in which flows send."""
        return tuple(d for d in DIRECTIONS if any(flow.direction == d for flow in self.flows))

    def protected_directions(self) -> tuple[str, ...]:
        """Those with a flow that has loss protection."""
        protected = {f.direction for f in self.flows if isinstance(f, GccFlow) and f.protection}
        return tuple(d for d in DIRECTIONS if d in protected)

    def repair_latency_ms(self, flow: GccFlow) -> int:
        """How long the receiver waits for a packet, so that a retransmission can still arrive."""
        return round(self.link.rtt_ms + 2 * flow.extra_one_way_delay_ms) + REPAIR_MARGIN_MS
