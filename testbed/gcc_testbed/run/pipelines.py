"""The gst-launch lines of a flow, as argument lists. Nothing here runs anything."""

from __future__ import annotations

import shlex

from gcc_testbed.run import protection
from gcc_testbed.scenario.flows import (
    EncoderModel,
    GccFlow,
    LaunchFlow,
    RtpGccBweFlow,
    VideoFlow,
)
from gcc_testbed.scenario.network import (
    A_ADDRESS,
    ADDRESS,
    B_ADDRESS,
    MEDIA_PAYLOAD_TYPE,
    Ports,
    ends,
)
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.support.paths import MODEL_PLUGIN

# A conferencing encoder: constant bitrate over a third of a second (over a whole one it takes three
# seconds to follow a target that halves), no look-ahead, a key frame only when asked for or at a
# scene cut, frames dropped rather than sent late. A negative cpu-used is a fixed effort; with a
# positive one the encoder adapts to the time it takes, and results depend on the machine.
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

# abs-send-time in header extension 3.
ABS_SEND_TIME = "extmap-3=(string)http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
# The transport-wide sequence number, where the elements put it without negotiation.
TRANSPORT_CC = (
    "extmap-12=(string)http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
)

# Fields of a receiver's caps; without them a lost frame freezes the picture until a scene cut.
KEY_FRAME_REQUESTS = "rtcp-fb-nack-pli=true"


def sender(
    flow: GccFlow, sequence: Sequence | None, ports: Ports, trace: str, seed: int = 0
) -> list[str]:
    """Camera (a looped sequence) → vp8enc → gccsender → the network, RTCP back in.

    Without a sequence the traffic model stands for camera and encoder.
    """
    peer = ADDRESS[ends(flow.direction)[1]]
    return [
        *_launch(),
        *(_model(flow, seed) if sequence is None else _encoded(flow, sequence)),
        *("!", "rtpvp8pay", f"pt={MEDIA_PAYLOAD_TYPE}", "mtu=1200", "picture-id-mode=15-bit"),
        *_first_numbers(flow),
        *(("name=payloader",) if flow.ssrc_changes_s else ()),
        *(("!", ",".join(("application/x-rtp", *_extensions(flow)))) if _extensions(flow) else ()),
        *protection.sender(flow),
        *("!", "gccsender", f"profile={flow.profile}", f"feedback={flow.feedback}"),
        *(("name=gccsender",) if flow.blocks else ()),
        *(*_encoder_settings(flow), *_pacing(flow), *_probing(flow), *_ecn(flow)),
        f"min-bitrate={flow.min_kbps * 1000}",
        f"start-bitrate={flow.start_kbps * 1000}",
        f"max-bitrate={flow.max_kbps * 1000}",
        f"trace-location={trace}",
        *("!", "rtp.send_rtp_sink_0"),
        *("rtp.send_rtp_src_0", "!", *_udp_sink(peer, ports.rtp)),
        *("rtp.send_rtcp_src_0", "!", *_udp_sink(peer, ports.rtcp)),
        *("udpsrc", f"port={ports.feedback}", "!", "rtp.recv_rtcp_sink_0"),
        *_device_clock(flow),
    ]


def receiver(
    flow: GccFlow, ports: Ports, trace: str, recording: str | None = None, latency_ms: int = 0
) -> list[str]:
    """The network → gccreceiver → depayloader, RTCP back out. Without a decoder, to save time.

    Of a flow with protection, what is there after the repair (waited for `latency_ms`) is also sent
    to a port of this host, where it is recorded.
    """
    end: list[str] = ["rtpvp8depay", "!", "fakesink", "sync=false", "async=false"]
    media = "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000"
    caps = ",".join((media, f"payload={MEDIA_PAYLOAD_TYPE}", *_extensions(flow)))
    if recording is not None:
        # Not in other calls: they have no viewer, and key frames would change their traffic.
        end = recording_branch(recording)
        caps += f",{KEY_FRAME_REQUESTS}"
    near, far = (ADDRESS[host] for host in reversed(ends(flow.direction)))
    packets = (
        *("udpsrc", f"port={ports.rtp}", "socket-timestamp=realtime", f"caps={caps}"),
        *("!", "gccreceiver", f"profile={flow.profile}", f"feedback={flow.feedback}"),
        *_receiver_settings(flow),
        *(f"trace-location={trace}", "!"),
    )
    if flow.changes_ssrc and not flow.protection:
        # rtpbin would make another pad, which gst-launch cannot link.
        return [
            *("gst-launch-1.0", "--no-position", "rtpsession", "name=rtp", "rtp-profile=avpf"),
            *(*packets, "rtp.recv_rtp_sink", "rtp.recv_rtp_src", "!", *end),
            *("udpsrc", f"port={ports.rtcp}", "!", "rtp.recv_rtcp_sink"),
            *("rtp.send_rtcp_src", "!", *_udp_sink(far, ports.feedback)),
        ]
    if not flow.protection:
        return [
            *_launch(),
            *(*packets, "rtp.recv_rtp_sink_0", "rtp.", "!", *end),
            *("udpsrc", f"port={ports.rtcp}", "!", "rtp.recv_rtcp_sink_0"),
            *("rtp.send_rtcp_src_0", "!", *_udp_sink(far, ports.feedback)),
        ]
    return [
        *("gst-launch-1.0", "--no-position", "rtpsession", "name=rtp", "rtp-profile=avpf"),
        *(*packets, "rtp.recv_rtp_sink"),
        *("rtp.recv_rtp_src", "!", *protection.receiver(flow, latency_ms)),
        *("!", "tee", "name=repaired", "!", *_udp_sink(near, ports.repaired)),
        *("repaired.", "!", *end),
        *("udpsrc", f"port={ports.rtcp}", "!", "rtp.recv_rtcp_sink"),
        *("rtp.send_rtcp_src", "!", *_udp_sink(far, ports.feedback)),
    ]


def peer_sender(flow: RtpGccBweFlow, sequence: Sequence, ports: Ports) -> list[str]:
    """The same camera and encoder → rtpgccbwe → the network, for the program that sets the rate.

    Elements as `gst-launch-1.0` has them; `run/player.py` plays them.
    """
    peer = ADDRESS[ends(flow.direction)[1]]
    return [
        *("rtpbin", "name=rtp", "rtp-profile=avpf"),
        *_encoded(flow, sequence, "name=encoder"),
        # The payloader adds rtphdrexttwcc by itself, because of the caps.
        *("!", "rtpvp8pay", f"pt={MEDIA_PAYLOAD_TYPE}", "mtu=1200", "picture-id-mode=15-bit"),
        *("!", f"application/x-rtp,{TRANSPORT_CC}"),
        *("!", "rtpgccbwe", "name=bwe", f"estimator={flow.estimator}"),
        f"min-bitrate={flow.min_kbps * 1000}",
        f"estimated-bitrate={flow.start_kbps * 1000}",
        f"max-bitrate={flow.max_kbps * 1000}",
        *("!", "rtp.send_rtp_sink_0"),
        *("rtp.send_rtp_src_0", "!", *_udp_sink(peer, ports.rtp)),
        *("rtp.send_rtcp_src_0", "!", *_udp_sink(peer, ports.rtcp)),
        *("udpsrc", f"port={ports.feedback}", "!", "rtp.recv_rtcp_sink_0"),
    ]


def peer_receiver(flow: RtpGccBweFlow, ports: Ports, recording: str | None = None) -> list[str]:
    """The network → rtpbin, whose session sends transport-wide feedback → depayloader."""
    end = ["rtpvp8depay", "!", "fakesink", "sync=false", "async=false"]
    media = "application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000"
    caps = f"{media},payload={MEDIA_PAYLOAD_TYPE},{TRANSPORT_CC},rtcp-fb-transport-cc=true"
    if recording is not None:
        end = recording_branch(recording)
        caps += f",{KEY_FRAME_REQUESTS}"
    far = ADDRESS[ends(flow.direction)[0]]
    return [
        *_launch(),
        *("udpsrc", f"port={ports.rtp}", f"caps={caps}"),
        *("!", "rtp.recv_rtp_sink_0", "rtp.", "!", *end),
        *("udpsrc", f"port={ports.rtcp}", "!", "rtp.recv_rtcp_sink_0"),
        *("rtp.send_rtcp_src_0", "!", *_udp_sink(far, ports.feedback)),
    ]


def recording_branch(location: str, request_key_frames: bool = True) -> list[str]:
    """The end of a receiver's pipeline, from rtpbin's media pad on.

    The depayloader asks for a key frame when something was lost, as every decoder does. The session
    passes that on as a PLI only when the receiver's caps hold `KEY_FRAME_REQUESTS`.
    """
    asks = ["request-keyframe=true", "wait-for-keyframe=true"] if request_key_frames else []
    return [
        *("tee", "name=received", "received."),
        *("!", "gdppay", "crc-header=false", "!", "filesink", f"location={location}"),
        *("sync=false", "async=false", "received."),
        *("!", "rtpvp8depay", *asks, "!", "fakesink", "sync=false", "async=false"),
    ]


def user_pipeline(
    flow: LaunchFlow, line: str, ports: Ports, sequence: Sequence, trace: str
) -> list[str]:
    """The user's own pipeline, with addresses, ports and file names filled in."""
    known = {
        "a": A_ADDRESS,
        "b": B_ADDRESS,
        "rtp": str(ports.rtp),
        "rtcp": str(ports.rtcp),
        "feedback": str(ports.feedback),
        "trace": trace,
        "source": shlex.join(source(sequence, flow.start_s)),
        "encoder": shlex.join(("vp8enc", *VP8_ENCODER)),
    }
    for name, value in known.items():
        line = line.replace("{" + name + "}", value)
    return ["gst-launch-1.0", "--no-position", *shlex.split(line)]


def encoder(flow: VideoFlow) -> tuple[str, ...]:
    """vp8enc's properties; the flow's own override the defaults."""
    own = dict(flow.encoder)
    kept = [word for word in VP8_ENCODER if word.partition("=")[0] not in own]
    return (*kept, *(f"{key}={value}" for key, value in flow.encoder))


def _encoded(flow: VideoFlow, sequence: Sequence, *more: str) -> tuple[str, ...]:
    return (
        *source(sequence, flow.start_s, flow.pause),
        *_converted(flow),
        *_scaled(flow),
        *("!", "vp8enc", *more, *encoder(flow), f"target-bitrate={flow.start_kbps * 1000}"),
    )


def _converted(flow: VideoFlow) -> tuple[str, ...]:
    """The elements between the sequence and the encoder."""
    arguments: tuple[str, ...] = ()
    if flow.frame_rate is not None:
        rate = f"video/x-raw,framerate={flow.frame_rate}/1"
        arguments += ("!", "videorate", "!", rate)
    if flow.resolution is not None:
        width, height = flow.resolution
        arguments += ("!", "videoscale", "!", f"video/x-raw,width={width},height={height}")
    return arguments


def _scaled(flow: VideoFlow) -> tuple[str, ...]:
    if not isinstance(flow, GccFlow) or flow.degradation is None:
        return ()
    return ("!", "gccscale", f"degradation={flow.degradation}")


def _model(flow: GccFlow, seed: int) -> tuple[str, ...]:
    return (
        *(f"--gst-plugin-load={MODEL_PLUGIN}", "rmcatvideomodel", f"seed={seed}"),
        f"bitrate={flow.start_kbps * 1000}",
        f"min-bitrate={flow.min_kbps * 1000}",
        f"max-bitrate={flow.max_kbps * 1000}",
        *(() if flow.frame_rate is None else (f"framerate={flow.frame_rate}/1",)),
        *_encoder_model(flow.model),
    )


def _device_clock(flow: GccFlow) -> tuple[str, ...]:
    # Of the same plugin as the model, which may be loaded twice.
    plugin = f"--gst-plugin-load={MODEL_PLUGIN}"
    return (plugin, "deviceclock", "name=device") if flow.has_device_clock else ()


def _encoder_model(model: EncoderModel) -> tuple[str, ...]:
    every, at_change = model.key_frame_every_s, model.key_frame_at_change
    given = {
        "rate-factor": model.rate_factor,
        "late": model.late_ms,
        "key-frame-bytes": model.key_frame_bytes,
        "key-frame-interval": None if every is None else round(every * 1000),
        "key-frame-at-change": None if at_change is None else str(at_change).lower(),
    }
    return tuple(f"{name}={value}" for name, value in given.items() if value is not None)


def _extensions(flow: GccFlow) -> tuple[str, ...]:
    """The caps of the header extensions that both ends agree on."""
    # With transport-cc the elements add theirs themselves.
    wanted = {ABS_SEND_TIME: flow.abs_send_time, TRANSPORT_CC: flow.feedback == "auto"}
    return tuple(extension for extension, is_wanted in wanted.items() if is_wanted)


def _first_numbers(flow: GccFlow) -> tuple[str, ...]:
    given = {"seqnum-offset": flow.first_sequence_number, "timestamp-offset": flow.first_timestamp}
    return tuple(f"{name}={value}" for name, value in given.items() if value is not None)


def _probing(flow: GccFlow) -> tuple[str, ...]:
    return () if flow.probing is None else (f"probing={str(flow.probing).lower()}",)


def _ecn(flow: GccFlow) -> tuple[str, ...]:
    return () if flow.ecn == "off" else (f"ecn={flow.ecn}",)


def _encoder_settings(flow: GccFlow) -> tuple[str, ...]:
    """Settings of the model that gccsender knows of vp8enc: its unit, and the cost of a change."""
    arguments: tuple[str, ...] = ()
    cost = flow.encoder_change_cost_ms
    if flow.source == "model":
        arguments += ("sink::encoder-bitrate-unit=1",)
        if cost is None and not flow.model.key_frame_at_change:
            cost = 0
    if cost is not None:
        arguments += (f"sink::encoder-change-cost={cost}",)
    return arguments


def _receiver_settings(flow: GccFlow) -> tuple[str, ...]:
    arguments: tuple[str, ...] = ()
    if flow.overuse_threshold_ms is not None:
        arguments += (f"overuse-threshold={flow.overuse_threshold_ms:g}",)
    if flow.report_interval_ms is not None:
        arguments += (f"report-interval={round(flow.report_interval_ms)}",)
    return arguments


def _pacing(flow: GccFlow) -> tuple[str, ...]:
    given = {"pacing-factor": flow.pacing_factor, "max-pacing-delay": flow.max_pacing_delay_ms}
    return tuple(f"{name}={value:g}" for name, value in given.items() if value is not None)


def _launch() -> tuple[str, ...]:
    # --no-position: gst-launch would print the position continuously.
    return ("gst-launch-1.0", "--no-position", "rtpbin", "name=rtp", "rtp-profile=avpf")


def source(
    sequence: Sequence, start_s: float = 0.0, pause: tuple[tuple[float, float], ...] = ()
) -> tuple[str, ...]:
    """A looped sequence at its own speed, with pauses in seconds of the call."""
    if not pause:
        return (*_frames(sequence), *_raw(sequence, sequence.fps), "!", "identity", "sync=true")
    # gst-launch cannot pause a branch, but concat plays branches in sequence, and a single frame
    # at one frame per pause takes exactly as long as the pause.
    top, bottom = (int(part) for part in sequence.fps.split("/"))
    arguments: list[str] = []
    at = start_s
    branches: list[tuple[str, ...]] = []
    for begin, end in pause:
        count = max(1, round((begin - at) * top / bottom))
        branches.append((*_frames(sequence, count), *_raw(sequence, sequence.fps)))
        length = f"1000/{round((end - begin) * 1000)}"
        branches.append((*_frames(sequence, 1), *_raw(sequence, length)))
        at = end
    branches.append((*_frames(sequence), *_raw(sequence, sequence.fps)))
    for branch in branches:
        arguments += [*branch, "!", "cameras."]
    rate = f"capssetter caps=video/x-raw,framerate={sequence.fps}".split()
    return (*arguments, "concat", "name=cameras", "!", *rate, "!", "identity", "sync=true")


def _frames(sequence: Sequence, count: int | None = None) -> tuple[str, ...]:
    # One file a frame: multifilesrc would read a single large file into one buffer.
    return (
        *("multifilesrc", f"location={sequence.frames}/f%04d.i420", "loop=true"),
        *("start-index=0", f"stop-index={sequence.frame_count - 1}"),
        *(() if count is None else (f"num-buffers={count}",)),
    )


def _raw(sequence: Sequence, fps: str) -> tuple[str, ...]:
    return (
        *("!", "rawvideoparse", "format=i420", f"framerate={fps}"),
        *(f"width={sequence.width}", f"height={sequence.height}"),
    )


def _udp_sink(host: str, port: int) -> tuple[str, ...]:
    # The source port differs from every port listened on, and is fixed: repeatable.
    where = (f"host={host}", f"port={port}", f"bind-port={port + 1000}")
    return ("udpsink", *where, "sync=false", "async=false")
