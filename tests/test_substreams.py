"""The example with two streams that were encoded before switches between them."""

from __future__ import annotations

from bindings import last_line

# The streams of a camera, with key frames in turn; what leaves the selector is looked at.
PROGRAM = """
import sys, time
sys.path.insert(0, "examples/python")
import substreams
from gi.repository import Gst

Gst.init(None)
source = ("videotestsrc is-live=true ! video/x-raw,width=%d,height=64,framerate=30/1 ! "
          "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=15")
pipeline, streams = substreams.make("127.0.0.1", source % 128, source % 64, "600")
gcc = pipeline.get_by_name("gcc")
left = []

def frame_leaves(pad, info):
    is_key = not info.get_buffer().has_flags(Gst.BufferFlags.DELTA_UNIT)
    left.append((streams.selector.props.active_pad.get_name(), is_key))
    return Gst.PadProbeReturn.OK

def set_rate(kbps):
    gcc.set_property("min-bitrate", 1000)
    gcc.set_property("max-bitrate", 1000 * kbps)
    gcc.set_property("min-bitrate", 1000 * kbps)

def wait_for(name, n=20):
    begin = len(left)
    while [each for each, _ in left[begin:]].count(name) < n:
        time.sleep(0.01)

streams.selector.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, frame_leaves)
set_rate(1000)
pipeline.set_state(Gst.State.PLAYING)
for kbps, name in ((1000, "sink_0"), (300, "sink_1"), (650, "sink_1"), (800, "sink_0"),
                   (650, "sink_0"), (599, "sink_1")):
    set_rate(kbps)
    wait_for(name)
pipeline.set_state(Gst.State.NULL)
changes = [after for before, after in zip(left, left[1:]) if before[0] != after[0]]
print([name for name, _ in changes], all(is_key for _, is_key in changes))
"""


def test_the_sub_stream_is_sent_below_the_rate_of_the_main_one() -> None:
    assert last_line(PROGRAM, 60) == "['sink_1', 'sink_0', 'sink_1'] True"
