"""The gst-launch lines of a flow, as argument lists. Nothing here runs anything."""

from __future__ import annotations

from dataclasses import dataclass

from gcc_testbed.scenario import GccFlow
from gcc_testbed.sequences import Sequence
from gcc_testbed.topology import A_ADDRESS, B_ADDRESS

PAYLOAD_TYPE = 96

# A conferencing encoder: constant bitrate over a third of a second (over a whole one it takes three
# seconds to follow a target that halves), no look-ahead, a key frame only when asked for or at a
# scene cut, frames dropped rather than sent late. A negative cpu-used is a fixed effort: a positive
# one lets the encoder watch the clock, and the machine decide the result.
VP8_ENCODER = (
    "deadline=1",
    "cpu-used=-6",
    "threads=1",
    "end-usage=cbr",
    "lag-in-frames=0",
    "error-resilient=default",
    "keyframe-max-dist=3000",
    "buffer-initial-size=150",
    "buffer-optimal-size=200",
    "buffer-size=300",
    "undershoot=100",
    "overshoot=15",
    "max-intra-bitrate=900",
    "min-quantizer=2",
    "max-quantizer=56",
    "static-threshold=1",
    "dropframe-threshold=30",
    "resize-allowed=false",
)


@dataclass(frozen=True)
class Ports:
    """UDP ports of one flow; the source ports are fixed so that runs are repeatable."""

    rtp: int
    rtcp: int
    feedback: int

    @classmethod
    def of_flow(cls, index: int) -> Ports:
        base = 5000 + 10 * index
        return cls(rtp=base, rtcp=base + 1, feedback=base + 5)


def sender(flow: GccFlow, sequence: Sequence, ports: Ports, trace: str) -> list[str]:
    """Camera (a looped sequence) → vp8enc → gccsender → the network, RTCP back in."""
    return [
        *_launch(),
        *_source(sequence),
        *("!", "vp8enc", *VP8_ENCODER, f"target-bitrate={flow.start_kbps * 1000}"),
        *("!", "rtpvp8pay", f"pt={PAYLOAD_TYPE}", "mtu=1200", "picture-id-mode=15-bit"),
        *("!", "gccsender", f"profile={flow.profile}"),
        f"min-bitrate={flow.min_kbps * 1000}",
        f"start-bitrate={flow.start_kbps * 1000}",
        f"max-bitrate={flow.max_kbps * 1000}",
        f"trace-location={trace}",
        *("!", "rtp.send_rtp_sink_0"),
        *("rtp.send_rtp_src_0", "!", *_udp_sink(B_ADDRESS, ports.rtp)),
        *("rtp.send_rtcp_src_0", "!", *_udp_sink(B_ADDRESS, ports.rtcp)),
        *("udpsrc", f"port={ports.feedback}", "!", "rtp.recv_rtcp_sink_0"),
    ]


def receiver(flow: GccFlow, ports: Ports, trace: str) -> list[str]:
    """The network → gccreceiver → depayloader, RTCP back out. Decoding costs time: left out."""
    media = "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000"
    caps = f"{media},payload={PAYLOAD_TYPE}"
    return [
        *_launch(),
        *("udpsrc", f"port={ports.rtp}", "socket-timestamp=realtime", f"caps={caps}"),
        *("!", "gccreceiver", f"profile={flow.profile}", f"trace-location={trace}"),
        *("!", "rtp.recv_rtp_sink_0"),
        *("rtp.", "!", "rtpvp8depay", "!", "fakesink", "sync=false", "async=false"),
        *("udpsrc", f"port={ports.rtcp}", "!", "rtp.recv_rtcp_sink_0"),
        *("rtp.send_rtcp_src_0", "!", *_udp_sink(A_ADDRESS, ports.feedback)),
    ]


def _launch() -> tuple[str, ...]:
    # Without --no-position gst-launch prints the time all the time.
    return ("gst-launch-1.0", "--no-position", "rtpbin", "name=rtp", "rtp-profile=avpf")


def _source(sequence: Sequence) -> tuple[str, ...]:
    return (
        # One file a frame: multifilesrc would read a single large file into one buffer.
        *("multifilesrc", f"location={sequence.frames}/f%04d.i420", "loop=true"),
        *("start-index=0", f"stop-index={sequence.frame_count - 1}"),
        *("!", "rawvideoparse", "format=i420", f"framerate={sequence.fps}"),
        *(f"width={sequence.width}", f"height={sequence.height}"),
        *("!", "identity", "sync=true"),
    )


def _udp_sink(host: str, port: int) -> tuple[str, ...]:
    # The source port differs from every port listened on, and is fixed: repeatable.
    where = (f"host={host}", f"port={port}", f"bind-port={port + 1000}")
    return ("udpsink", *where, "sync=false", "async=false")
