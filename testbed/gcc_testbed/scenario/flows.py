"""The flows of a call: video under congestion control, TCP, constant rate, the user's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

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
FEEDBACKS = ("auto", "remb", "transport-cc")
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

    name: str
    direction: str = "forward"
    start_s: float = 0.0
    # None: to the end of the call.
    stop_s: float | None = None
    extra_one_way_delay_ms: float = 0.0

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
    sequence: str = "foreman"
    # Frames per second and (width, height) for the encoder; None: the sequence's own.
    frame_rate: int | None = None
    resolution: tuple[int, int] | None = None
    min_kbps: int = 50
    start_kbps: int = 300
    max_kbps: int = 2000
    # vp8enc properties, added to the defaults or overriding them.
    encoder: tuple[tuple[str, str], ...] = ()
    # Seconds of the call in which no video is sent.
    pause: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class EncoderModel:
    """Where the encoder that the traffic model stands for differs from RFC 8593; None: not."""

    # The rate between key frames, as a multiple of the target.
    rate_factor: float | None = None
    # A change of the target takes effect after this time.
    late_ms: int | None = None
    # Of the first frame, of one at an abrupt change, and of those that follow.
    key_frame_bytes: int | None = None
    # A key frame at this interval, which the frames after it make up for.
    key_frame_every_s: float | None = None
    # A key frame at each change of the target, which they do not make up for.
    key_frame_at_change: bool | None = None


@dataclass(frozen=True, kw_only=True)
class GccFlow(VideoFlow):
    """One video stream with gccsender at one end and gccreceiver at the other."""

    kind: ClassVar[str] = "gcc"

    name: str = "gcc-1"
    source: str = "vp8"
    # Of source model.
    model: EncoderModel = EncoderModel()
    profile: str = DEFAULT_PROFILE
    # The encoder's cost of a change of its rate; None: gccsender's own default, and nothing for a
    # model that does not pay for one.
    encoder_change_cost_ms: int | None = None
    # Of source vp8: one of DEGRADATIONS, with gccscale upstream of the encoder; None: without.
    degradation: str | None = None
    # One of FEEDBACKS; with auto, packets carry the transport-wide extension as if negotiated.
    feedback: str = "auto"
    # Whether gccsender probes for capacity; None: its own default.
    probing: bool | None = None
    # gamma of gccreceiver; None: the profile's own.
    overuse_threshold_ms: float | None = None
    # Mean time between regular RTCP reports of gccreceiver; None: the profile's own.
    report_interval_ms: float | None = None
    # Whether packets carry abs-send-time; RTP timestamps carry the frame's capture time.
    abs_send_time: bool = False
    # Loss protection, a subset of PROTECTIONS; its rate counts against A_s.
    protection: tuple[str, ...] = ()
    # Pacing rate as a multiple of A_s; 0: no pacing. None: the profile's own.
    pacing_factor: float | None = None
    max_pacing_delay_ms: int | None = None
    # The sender's clock is fast by so much.
    clock_skew_ppm: float = 0.0
    # An element provides the sender's clock, as an audio sink does: fast by so much; None: no
    # element does, unless something happens to such a clock.
    device_clock_ppm: float | None = None
    # In seconds of the call: that element is removed, and the application chooses another clock;
    # that clock stands still; the application gives the pipeline a clock of another time.
    clock_losses_s: tuple[float, ...] = ()
    clock_stops: tuple[tuple[float, float], ...] = ()
    clock_changes_s: tuple[float, ...] = ()
    # Handlers of the application that block the thread of gccsender which calls them, (from, to):
    # on its target bitrate, on its messages, and on the packets that leave it.
    notify_blocks: tuple[tuple[float, float], ...] = ()
    message_blocks: tuple[tuple[float, float], ...] = ()
    probe_blocks: tuple[tuple[float, float], ...] = ()
    # The receiver's wall clock, and the kernel's timestamps, are set by so much: (seconds of the
    # call, s).
    wall_clock_steps: tuple[tuple[float, float], ...] = ()
    # In seconds of the call: the payloader takes another SSRC; an end's program is killed and
    # starts again, with another SSRC.
    ssrc_changes_s: tuple[float, ...] = ()
    sender_restarts_s: tuple[float, ...] = ()
    receiver_restarts_s: tuple[float, ...] = ()
    # Of the first packet; None: at random.
    first_sequence_number: int | None = None
    first_timestamp: int | None = None

    @property
    def changes_ssrc(self) -> bool:
        """Whether the receiver sees more than one SSRC."""
        return bool(self.ssrc_changes_s or self.sender_restarts_s)

    @property
    def has_device_clock(self) -> bool:
        """Whether an element provides the sender's clock."""
        return self.device_clock_ppm is not None or bool(self.clock_losses_s or self.clock_stops)

    @property
    def blocks(self) -> dict[str, tuple[tuple[float, float], ...]]:
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

    name: str = "rtpgccbwe-1"
    estimator: str = "kalman"


@dataclass(frozen=True)
class Transfers:
    """Consecutive short transfers: RFC 8867 section 5.7, RFC 8868 section 6."""

    bytes_min: int
    bytes_max: int
    # Mean of the exponential distribution of the pause after each.
    idle_mean_s: float


@dataclass(frozen=True, kw_only=True)
class TcpFlow(Flow):
    """One greedy TCP connection, or consecutive short transfers."""

    kind: ClassVar[str] = "tcp"

    congestion: str = "cubic"
    transfers: Transfers | None = None


@dataclass(frozen=True, kw_only=True)
class CbrFlow(Flow):
    """UDP packets at a constant rate (of IP bytes)."""

    kind: ClassVar[str] = "udp-cbr"
    elastic: ClassVar[bool] = False

    rate_kbps: float
    packet_bytes: int = 1200


@dataclass(frozen=True, kw_only=True)
class LaunchFlow(Flow):
    """The user's own gst-launch pipelines; RTP to port {rtp} is measured."""

    kind: ClassVar[str] = "launch"

    sender: str
    receiver: str
    sequence: str = "foreman"


AnyFlow = GccFlow | RtpGccBweFlow | TcpFlow | CbrFlow | LaunchFlow
