"""Sends a camera to several viewers, each at the size that its path carries.

    python3 viewers.py VIEWER...

The camera is encoded once in each of three sizes. Each viewer has its own session, its own
gccsender, and so its own rate, by which one of the sizes is picked for it: a slow viewer lowers no
other. A viewer is HOST:PORT, as of README's receiver: RTP goes to PORT, RTCP to PORT + 1, and comes
from PORT + 5. Needs GStreamer's bindings: apt install python3-gst-1.0.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstVideo  # noqa: E402

CAMERA = "v4l2src ! videoconvert"


@dataclass(frozen=True)
class Layer:
    """A size of the picture, and what is sent of it."""

    width: int
    height: int
    bitrate: int


# From the smallest to the largest.
LAYERS = (Layer(320, 180, 150_000), Layer(640, 360, 500_000), Layer(1280, 720, 1_500_000))

# A larger layer is picked when the rate has so much more than it needs: else a rate that swings
# about it would switch with each swing.
MARGIN = 1.1

ENCODED = """
  camera. ! queue ! videoscale ! video/x-raw,width={width},height={height}
     ! vp8enc deadline=1 cpu-used=8 end-usage=cbr target-bitrate={bitrate} buffer-size=300
       buffer-initial-size=200 buffer-optimal-size=250 keyframe-max-dist=300
     ! tee name=layer{i} allow-not-linked=true
"""
VIEWED = """
  rtpbin name=rtp{n} rtp-profile=avpf
  input-selector name=picked{n} sync-streams=false ! rtpvp8pay mtu=1200 picture-id-mode=15-bit
     ! gccsender name=gcc{n} manage=sink+session+fec feedback=transport-cc start-bitrate={start}
       max-bitrate={most} ! rtp{n}.send_rtp_sink_0
  rtp{n}.send_rtp_src_0  ! udpsink host={host} port={port} async=false
  rtp{n}.send_rtcp_src_0 ! udpsink host={host} port={rtcp} async=false
  udpsrc port={back} ! rtp{n}.recv_rtcp_sink_0
"""
FORWARDED = "layer{i}. ! queue leaky=downstream ! picked{n}.sink_{i}\n"


def pick(layer: int, rate: int) -> int:
    """The layer that a viewer gets next, who has one, at this rate. Nobody gets none."""
    while layer > 0 and rate < LAYERS[layer].bitrate:
        layer -= 1
    while layer + 1 < len(LAYERS) and rate >= MARGIN * LAYERS[layer + 1].bitrate:
        layer += 1
    return layer


class Viewer:
    """One who watches: the layer that is sent, and the one that is wanted."""

    def __init__(self, pipeline: Any, n: int) -> None:  # noqa: ANN401 - GObjects
        self.n = n
        self.wanted = 0
        self.gcc = pipeline.get_by_name(f"gcc{n}")
        self.selector = pipeline.get_by_name(f"picked{n}")
        self.pads = [self.selector.get_static_pad(f"sink_{i}") for i in range(len(LAYERS))]
        self.selector.props.active_pad = self.pads[0]
        for pad in self.pads:
            pad.add_probe(Gst.PadProbeType.BUFFER, self.picture_comes)
        self.gcc.connect("notify::encoder-bitrate", self.rate_changed)

    def rate_changed(self, gcc: Any, _: object) -> None:  # noqa: ANN401
        """Called in any thread."""
        layer = pick(self.wanted, gcc.props.encoder_bitrate)
        if layer != self.wanted:
            self.wanted = layer
            self.ask_for_key_frame()

    def ask_for_key_frame(self) -> None:
        """Before one nothing of a layer can be decoded."""
        event = GstVideo.video_event_new_upstream_force_key_unit(Gst.CLOCK_TIME_NONE, True, 0)
        self.pads[self.wanted].push_event(event)

    def picture_comes(self, pad: Any, info: Any) -> Gst.PadProbeReturn:  # noqa: ANN401
        """Switches at a key frame."""
        is_key = not info.get_buffer().has_flags(Gst.BufferFlags.DELTA_UNIT)
        if is_key and pad == self.pads[self.wanted] and self.selector.props.active_pad != pad:
            self.selector.props.active_pad = pad
            print(f"viewer {self.n}: layer {self.wanted}", flush=True)
        return Gst.PadProbeReturn.OK


def make(camera: str, addresses: list[str]) -> tuple[Any, list[Viewer]]:
    """The pipeline, and its viewers."""
    parts = [f"{camera} ! tee name=camera\n"]
    parts += [ENCODED.format(i=i, **vars(layer)) for i, layer in enumerate(LAYERS)]
    most = 2 * sum(layer.bitrate for layer in LAYERS)
    for n, address in enumerate(addresses):
        host, _, port = address.rpartition(":")
        ports = {"port": int(port), "rtcp": int(port) + 1, "back": int(port) + 5}
        parts.append(VIEWED.format(n=n, host=host, start=LAYERS[0].bitrate, most=most, **ports))
        parts += [FORWARDED.format(i=i, n=n) for i in range(len(LAYERS))]
    pipeline = Gst.parse_launch("".join(parts))
    return pipeline, [Viewer(pipeline, n) for n in range(len(addresses))]


def on_message(_: object, message: Any, loop: Any) -> bool:  # noqa: ANN401
    if message.type == Gst.MessageType.ERROR:
        print("ERROR:", message.parse_error().gerror.message, file=sys.stderr)
    if message.type in (Gst.MessageType.ERROR, Gst.MessageType.EOS):
        loop.quit()
    return True


def main(addresses: list[str]) -> None:
    Gst.init(None)
    loop = GLib.MainLoop()
    pipeline, _ = make(CAMERA, addresses)
    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message", on_message, loop)
    # Elements that join later need the latency distributed anew; gst-launch does the same.
    bus.connect("message::latency", lambda *_: pipeline.recalculate_latency())
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
