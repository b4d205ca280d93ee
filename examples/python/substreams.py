"""Sends video that was encoded before to a host, and switches between two streams of it.

    python3 substreams.py RECEIVER MAIN SUB KBPS

MAIN and SUB are sources of H.264, as a gst-launch line has them, of one picture: the main and the
sub stream of a camera. MAIN has a rate of KBPS kbit/s. Needs GStreamer's bindings:
apt install python3-gst-1.0.
"""

from __future__ import annotations

import sys
from typing import Any

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

PIPELINE = """
  rtpbin name=rtp rtp-profile=avpf
  {main} ! queue ! h264parse ! video/x-h264,stream-format=byte-stream,alignment=au ! streams.sink_0
  {sub} ! queue ! h264parse ! video/x-h264,stream-format=byte-stream,alignment=au ! streams.sink_1
  input-selector name=streams sync-streams=false ! rtph264pay config-interval=-1 mtu=1200
     ! gccsender name=gcc manage=sink+session+fec feedback=transport-cc ! rtp.send_rtp_sink_0
  rtp.send_rtp_src_0  ! udpsink host={host} port=5000
  rtp.send_rtcp_src_0 ! udpsink host={host} port=5001 async=false
  udpsrc port=5005 ! rtp.recv_rtcp_sink_0
"""
# The main stream returns when the target has so much more than its rate: else a target that
# swings about the rate would switch with each swing.
MARGIN = 1.2


class Streams:
    """The two streams, and the one that is wanted."""

    def __init__(self, selector: Any, main_rate: float) -> None:  # noqa: ANN401 - GObjects
        self.selector = selector
        self.main_rate = main_rate
        self.pads = [selector.get_static_pad(name) for name in ("sink_0", "sink_1")]
        self.wanted = self.pads[0]
        for pad in self.pads:
            pad.add_probe(Gst.PadProbeType.BUFFER, self.frame_comes)

    def rate_changed(self, gcc: Any, _: object) -> None:  # noqa: ANN401
        """Called in any thread."""
        rate = gcc.props.target_bitrate
        if rate < self.main_rate:
            self.wanted = self.pads[1]
        elif rate >= MARGIN * self.main_rate:
            self.wanted = self.pads[0]

    def frame_comes(self, pad: Any, info: Any) -> Gst.PadProbeReturn:  # noqa: ANN401
        """Switches at a key frame, before which nothing of a stream can be decoded."""
        is_key = not info.get_buffer().has_flags(Gst.BufferFlags.DELTA_UNIT)
        if is_key and pad == self.wanted and self.selector.props.active_pad != pad:
            self.selector.props.active_pad = pad
            print(pad.get_name(), flush=True)
        return Gst.PadProbeReturn.OK


def make(host: str, main: str, sub: str, main_kbps: str) -> tuple[Any, Streams]:
    pipeline = Gst.parse_launch(PIPELINE.format(host=host, main=main, sub=sub))
    streams = Streams(pipeline.get_by_name("streams"), 1000 * float(main_kbps))
    pipeline.get_by_name("gcc").connect("notify::target-bitrate", streams.rate_changed)
    return pipeline, streams


def on_message(_: object, message: Any, loop: Any) -> bool:  # noqa: ANN401
    if message.type == Gst.MessageType.ERROR:
        print("ERROR:", message.parse_error().gerror.message, file=sys.stderr)
    if message.type in (Gst.MessageType.ERROR, Gst.MessageType.EOS):
        loop.quit()
    return True


def main(words: list[str]) -> None:
    Gst.init(None)
    loop = GLib.MainLoop()
    pipeline, _ = make(*words)
    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message", on_message, loop)
    # Elements that join later need the latency distributed anew; gst-launch does the same.
    bus.connect("message::latency", lambda *_: pipeline.recalculate_latency())
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(sys.argv[1:])
