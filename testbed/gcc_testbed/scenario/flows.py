"""The flows of a call: video under congestion control, TCP, constant rate, the user's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from gcc_testbed.scenario.keys import Table, flag, number, of_type, one_of, text
from gcc_testbed.scenario.link import DIRECTIONS

PROFILES = (
    "rtcweb-2013",
    "rmcat-2016",
    "rmcat-2016-eq-2",
    "draft-gcc-02",
    "goog-2020",
    "goog-2026",
    "recommended",
)
DEFAULT_PROFILE = "recommended"
# Earlier names of profiles; scenarios may still use them.
FORMER_PROFILES = {"gst-2026": "recommended"}
# The generations in which the receiver measures delay: their feedback is REMB.
REMB_PROFILES = ("rtcweb-2013", "rmcat-2016", "rmcat-2016-eq-2", "draft-gcc-02", "goog-2020")
# The elements' property `feedback`.
FEEDBACKS = ("auto", "remb", "transport-cc", "ccfb")
# gccsender's property `ecn`.
ECN_MODES = ("off", "ect1")
NAMED_SEQUENCES = ("foreman", "fourpeople", "still-foreman")
# Where a video flow's frames come from: a real encoder, or a model of one's traffic.
SOURCES = ("vp8", "model")
MODEL = "RFC 8593 traffic model"
PROTECTIONS = ("rtx", "fec")
# gccscale's property `degradation`.
DEGRADATIONS = ("balanced", "maintain-framerate", "maintain-resolution", "none")
# How rtpgccbwe estimates the gradient of the delay.
ESTIMATORS = ("kalman", "linear-regression")
# Congestion controls of the virtual world's kernel.
CONGESTION_CONTROLS = ("cubic", "reno", "bbr")


Second = Annotated[float, number("seconds")]
Pair = tuple[Second, Second]
Pixels = Annotated[int, number("pixels", at_least=16, at_most=8192, whole=True)]
# Empty in a file: one that is free.
NAME = text("letters, digits, - and _", r"^([-_]*[A-Za-z0-9][-_A-Za-z0-9]*)?$")
RESOLUTION = of_type(tuple[Pixels, Pixels], "[width, height] in pixels")
_WHILE_ACTIVE = "in seconds of the call, in order, while the flow is active"
TIMES = of_type(tuple[Second, ...], f"[at, ...] {_WHILE_ACTIVE}")
INTERVALS = of_type(tuple[Pair, ...], f"[[from, to], ...] {_WHILE_ACTIVE}")


def _in_order(steps: tuple[Pair, ...]) -> tuple[Pair, ...]:
    times = [0.0, *(at for at, _ in steps)]
    if times != sorted(set(times)) or any(abs(by) > 86400 for _, by in steps):
        raise ValueError
    return steps


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names) or not set(names) <= set(PROTECTIONS):
        raise ValueError
    return names


def _as_properties(settings: dict[str, str | bool | float]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in settings.items()
    )


KBPS = number("kbit/s", at_least=1, at_most=1e6, whole=True)
ENCODER = of_type(
    dict[str, str | bool | int | float],
    'settings of vp8enc like { "cpu-used" = -6 }',
    _as_properties,
)
STEPS = of_type(
    tuple[Pair, ...], "[[at, by], ...] in seconds, in order, by at most a day", _in_order
)
LOSS_PROTECTION = of_type(
    tuple[str, ...], f"a list of {' and '.join(PROTECTIONS)}, each once", _each_once
)
BYTES = number("bytes", at_least=1, at_most=2**31 - 1, whole=True)
TO_A_MINUTE = number("ms", at_least=0, at_most=60_000, whole=True)
PPM = number("ppm", at_least=-10_000, at_most=10_000)


def present_profile(name: str) -> str:
    """The name by which a profile goes now."""
    return FORMER_PROFILES.get(name, name)


def default_feedback(profile: str) -> str:
    """The feedback of a flow that names none: a published generation keeps its own."""
    return "remb" if profile in REMB_PROFILES else "auto"


@dataclass(frozen=True, kw_only=True)
class Flow:
    """The common keys of flows: a name, a direction, and the times of sending."""

    kind: ClassVar[str]
    # Whether it adapts to the link; a constant rate does not, and does not count for fairness.
    elastic: ClassVar[bool] = True

    name: Annotated[str, NAME] = ""
    direction: Annotated[str, one_of(DIRECTIONS)] = "forward"
    start_s: Annotated[float, number("seconds", at_least=0)] = 0.0
    # None: to the end of the call.
    stop_s: Annotated[float, number("seconds", above=0)] | None = None
    extra_one_way_delay_ms: Annotated[float, number("ms", at_least=0, at_most=5000)] = 0.0

    @property
    def label(self) -> str:
        """The name as shown in results, marked if the flow sends no real video."""
        return self.name

    def active(self, begin_s: float, end_s: float) -> tuple[float, float]:
        """The part of an interval in which the flow may send; empty when begin >= end."""
        stop = end_s if self.stop_s is None else min(self.stop_s, end_s)
        return max(self.start_s, begin_s), stop


@dataclass(frozen=True, kw_only=True)
class VideoFlow(Flow):
    """One stream of encoded video, whose rate something controls."""

    # Of source vp8.
    sequence: Annotated[str, text()] = "foreman"
    # Frames per second and (width, height) for the encoder; None: the sequence's own.
    frame_rate: (
        Annotated[int, number("frames per second", at_least=1, at_most=240, whole=True)] | None
    ) = None
    resolution: Annotated[tuple[int, int], RESOLUTION] | None = None
    min_kbps: Annotated[int, KBPS] = 50
    start_kbps: Annotated[int, KBPS] = 300
    max_kbps: Annotated[int, KBPS] = 2000
    # vp8enc properties, added to the defaults or overriding them.
    encoder: Annotated[tuple[tuple[str, str], ...], ENCODER] = ()
    # Seconds of the call in which no video is sent.
    pause: Annotated[tuple[Pair, ...], INTERVALS] = ()


@dataclass(frozen=True, kw_only=True)
class EncoderModel:
    """Where the encoder that the traffic model stands for differs from RFC 8593; None: not."""

    # The rate between key frames, as a multiple of the target.
    rate_factor: Annotated[float, number("times the target", at_least=0.1, at_most=10)] | None = (
        None
    )
    # A change of the target takes effect after this time.
    late_ms: Annotated[int, TO_A_MINUTE] | None = None
    # Of the first frame, of one at an abrupt change, and of those that follow.
    key_frame_bytes: (
        Annotated[int, number("bytes", at_least=1, at_most=10_000_000, whole=True)] | None
    ) = None
    # A key frame at this interval, which the frames after it make up for.
    key_frame_every_s: Annotated[float, number("seconds", at_least=0.1, at_most=3600)] | None = None
    # A key frame at each change of the target, which they do not make up for.
    key_frame_at_change: Annotated[bool, flag()] | None = None


@dataclass(frozen=True, kw_only=True)
class GccFlow(VideoFlow):
    """One video stream with gccsender at one end and gccreceiver at the other."""

    kind: ClassVar[str] = "gcc"

    name: Annotated[str, NAME] = "gcc-1"
    source: Annotated[str, one_of(SOURCES)] = "vp8"
    # Of source model.
    model: Annotated[EncoderModel, Table()] = EncoderModel()
    profile: Annotated[str, one_of((*PROFILES, *FORMER_PROFILES))] = DEFAULT_PROFILE
    # The encoder's cost of a change of its rate; None: gccsender's own default, and nothing for a
    # model that does not pay for one.
    encoder_change_cost_ms: Annotated[int, TO_A_MINUTE] | None = None
    # Of source vp8: one of DEGRADATIONS, with gccscale upstream of the encoder; None: without.
    degradation: Annotated[str, one_of(DEGRADATIONS)] | None = None
    # One of FEEDBACKS; with auto, packets carry the transport-wide extension as if negotiated.
    feedback: Annotated[str, one_of(FEEDBACKS)] = "auto"
    # One of ECN_MODES; it has an effect with feedback ccfb.
    ecn: Annotated[str, one_of(ECN_MODES)] = "off"
    # Whether gccsender probes for capacity; None: its own default.
    probing: Annotated[bool, flag()] | None = None
    # gamma of gccreceiver; None: the profile's own.
    overuse_threshold_ms: Annotated[float, number("ms", at_least=0, at_most=600)] | None = None
    # Mean time between regular RTCP reports of gccreceiver; None: the profile's own.
    report_interval_ms: Annotated[float, number("ms", at_least=1, at_most=60_000)] | None = None
    # Whether packets carry abs-send-time; RTP timestamps carry the frame's capture time.
    abs_send_time: Annotated[bool, flag()] = False
    # Loss protection, a subset of PROTECTIONS; its rate counts against A_s.
    protection: Annotated[tuple[str, ...], LOSS_PROTECTION] = ()
    # Pacing rate as a multiple of A_s; 0: no pacing. None: the profile's own.
    pacing_factor: Annotated[float, number("times A_s", at_least=0, at_most=100)] | None = None
    max_pacing_delay_ms: (
        Annotated[int, number("ms", at_least=1, at_most=10_000, whole=True)] | None
    ) = None
    # The sender's clock is fast by so much.
    clock_skew_ppm: Annotated[float, PPM] = 0.0
    # An element provides the sender's clock, as an audio sink does: fast by so much; None: no
    # element does, unless something happens to such a clock.
    device_clock_ppm: Annotated[float, PPM] | None = None
    # In seconds of the call: that element is removed, and the application chooses another clock;
    # that clock stands still; the application gives the pipeline a clock of another time.
    clock_losses_s: Annotated[tuple[float, ...], TIMES] = ()
    clock_stops: Annotated[tuple[Pair, ...], INTERVALS] = ()
    clock_changes_s: Annotated[tuple[float, ...], TIMES] = ()
    # Handlers of the application that block the thread of gccsender which calls them, (from, to):
    # on its target bitrate, on its messages, and on the packets that leave it.
    notify_blocks: Annotated[tuple[Pair, ...], INTERVALS] = ()
    message_blocks: Annotated[tuple[Pair, ...], INTERVALS] = ()
    probe_blocks: Annotated[tuple[Pair, ...], INTERVALS] = ()
    # The receiver's wall clock, and the kernel's timestamps, are set by so much: (seconds of the
    # call, s).
    wall_clock_steps: Annotated[tuple[Pair, ...], STEPS] = ()
    # In seconds of the call: the payloader takes another SSRC; an end's program is killed and
    # starts again, with another SSRC.
    ssrc_changes_s: Annotated[tuple[float, ...], TIMES] = ()
    sender_restarts_s: Annotated[tuple[float, ...], TIMES] = ()
    receiver_restarts_s: Annotated[tuple[float, ...], TIMES] = ()
    # Of the first packet; None: at random.
    first_sequence_number: (
        Annotated[int, number("a whole number", at_least=0, at_most=2**16 - 1, whole=True)] | None
    ) = None
    first_timestamp: (
        Annotated[int, number("a whole number", at_least=0, at_most=2**32 - 1, whole=True)] | None
    ) = None

    @property
    def changes_ssrc(self) -> bool:
        """Whether the receiver sees more than one SSRC."""
        return bool(self.ssrc_changes_s or self.sender_restarts_s)

    @property
    def has_device_clock(self) -> bool:
        """Whether an element provides the sender's clock."""
        return self.device_clock_ppm is not None or bool(self.clock_losses_s or self.clock_stops)

    @property
    def blocks(self) -> dict[str, tuple[Pair, ...]]:
        """When each kind of handler blocks."""
        every = {
            "notify": self.notify_blocks,
            "message": self.message_blocks,
            "probe": self.probe_blocks,
        }
        return {kind: blocks for kind, blocks in every.items() if blocks}

    @property
    def played(self) -> bool:
        """Whether the sender needs more than gst-launch."""
        return bool(
            self.clock_skew_ppm
            or self.ssrc_changes_s
            or self.has_device_clock
            or self.clock_changes_s
            or self.blocks
        )

    @property
    def label(self) -> str:
        return f"{self.name} (model)" if self.source == "model" else self.name


@dataclass(frozen=True, kw_only=True)
class RtpGccBweFlow(VideoFlow):
    """The same video under rtpgccbwe of gst-plugins-rs, with transport-wide feedback."""

    kind: ClassVar[str] = "rtpgccbwe"

    name: Annotated[str, NAME] = "rtpgccbwe-1"
    estimator: Annotated[str, one_of(ESTIMATORS)] = "kalman"


@dataclass(frozen=True)
class Transfers:
    """Consecutive short transfers: RFC 8867 section 5.7, RFC 8868 section 6."""

    bytes_min: Annotated[int, BYTES]
    bytes_max: Annotated[int, BYTES]
    # Mean of the exponential distribution of the pause after each.
    idle_mean_s: Annotated[float, number("seconds", at_least=0, at_most=86400)]


@dataclass(frozen=True, kw_only=True)
class TcpFlow(Flow):
    """One greedy TCP connection, or consecutive short transfers."""

    kind: ClassVar[str] = "tcp"

    congestion: Annotated[str, one_of(CONGESTION_CONTROLS)] = "cubic"
    transfers: Annotated[Transfers, Table()] | None = None


@dataclass(frozen=True, kw_only=True)
class CbrFlow(Flow):
    """UDP packets at a constant rate (of IP bytes)."""

    kind: ClassVar[str] = "udp-cbr"
    elastic: ClassVar[bool] = False

    rate_kbps: Annotated[float, number("kbit/s", above=0, at_most=1e6)]
    packet_bytes: Annotated[int, number("bytes", at_least=64, at_most=1500, whole=True)] = 1200


@dataclass(frozen=True, kw_only=True)
class LaunchFlow(Flow):
    """The user's own gst-launch pipelines; RTP to port {rtp} is measured."""

    kind: ClassVar[str] = "launch"

    sender: Annotated[str, text()]
    receiver: Annotated[str, text()]
    sequence: Annotated[str, text()] = "foreman"


AnyFlow = GccFlow | RtpGccBweFlow | TcpFlow | CbrFlow | LaunchFlow
