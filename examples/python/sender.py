"""Sends a camera to a host under Google Congestion Control, and tells the rate.

    python3 sender.py RECEIVER

The other end is README's receiver. Needs GStreamer's bindings: apt install python3-gst-1.0.
"""

from __future__ import annotations

import signal
import sys
from typing import Any

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

PIPELINE = """
  rtpbin name=rtp rtp-profile=avpf
  v4l2src ! videoconvert ! videorate name=frames drop-only=true ! vp8enc ! rtpvp8pay mtu=1200
     ! gccsender name=gcc feedback=transport-cc manage=all ! rtp.send_rtp_sink_0
  rtp.send_rtp_src_0  ! udpsink host={host} port=5000
  rtp.send_rtcp_src_0 ! udpsink host={host} port=5001 async=false
  udpsrc port=5005 ! rtp.recv_rtcp_sink_0
"""
# Below this rate fewer, better pictures are worth more than many bad ones.
LOW_BITRATE = 200_000


def rate_changed(gcc: Any, _: object, frames: Any) -> None:  # noqa: ANN401 - GObjects
    """Called in any thread. gccsender itself has set the encoder already."""
    rate = gcc.props.target_bitrate
    frames.props.max_rate = 10 if rate < LOW_BITRATE else 30
    print(f"{rate // 1000} kbit/s", flush=True)


def on_message(_: object, message: Any, loop: Any) -> bool:  # noqa: ANN401
    if message.type == Gst.MessageType.WARNING:
        print("WARNING:", message.parse_warning().gerror.message, file=sys.stderr)
    elif message.type == Gst.MessageType.ERROR:
        print("ERROR:", message.parse_error().gerror.message, file=sys.stderr)
        loop.quit()
    elif message.type == Gst.MessageType.EOS:
        loop.quit()
    return True


def main(host: str) -> None:
    Gst.init(None)
    loop = GLib.MainLoop()
    pipeline = Gst.parse_launch(PIPELINE.format(host=host))
    gcc, frames = pipeline.get_by_name("gcc"), pipeline.get_by_name("frames")
    gcc.connect("notify::target-bitrate", rate_changed, frames)
    bus = pipeline.get_bus()
    bus.add_signal_watch()
    bus.connect("message", on_message, loop)
    # Elements that join later need the latency distributed anew; gst-launch does the same.
    bus.connect("message::latency", lambda *_: pipeline.recalculate_latency())
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGINT, loop.quit)
    pipeline.set_state(Gst.State.PLAYING)
    loop.run()
    pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
