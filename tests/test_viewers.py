"""The example with several viewers picks a layer for each by its own rate."""

from __future__ import annotations

from bindings import last_line

# Three viewers, whose rates are set; the second one's falls. Prints the last layer of each, whether
# the first one's never fell, those of the third, and whether each began with a key frame.
PROGRAM = """
import sys, time
sys.path.insert(0, "examples/python")
import viewers
from gi.repository import Gst

Gst.init(None)
camera = "videotestsrc is-live=true ! video/x-raw,width=320,height=180,framerate=15/1"
ports = (17000, 17020, 17040)
pipeline, seen = viewers.make(camera, [f"127.0.0.1:{port}" for port in ports])
layers = [[] for _ in ports]

def watch(n):
    def picture_leaves(pad, info):
        active = seen[n].selector.props.active_pad
        is_key = not info.get_buffer().has_flags(Gst.BufferFlags.DELTA_UNIT)
        if not layers[n] or layers[n][-1][0] != active.get_name():
            layers[n].append((active.get_name(), is_key))
        return Gst.PadProbeReturn.OK
    seen[n].selector.get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, picture_leaves)

def set_rate(n, kbps):
    gcc = seen[n].gcc
    gcc.set_property("min-bitrate", 1000)
    gcc.set_property("max-bitrate", 1000 * kbps)
    gcc.set_property("min-bitrate", 1000 * kbps)

def wait_for(n, name):
    end = time.monotonic() + 30
    while not layers[n] or layers[n][-1][0] != name:
        if time.monotonic() > end:
            sys.exit(f"viewer {n} has {layers[n]}, not {name}")
        time.sleep(0.01)

for n in range(3):
    watch(n)
pipeline.set_state(Gst.State.PLAYING)
# Probes take a half at most.
for n, kbps in enumerate((5000, 1040, 200)):
    set_rate(n, kbps)
for n, name in enumerate(("sink_2", "sink_1", "sink_0")):
    wait_for(n, name)
set_rate(1, 200)
wait_for(1, "sink_0")
pipeline.set_state(Gst.State.NULL)
names = [[name for name, _ in each] for each in layers]
print([each[-1] for each in names], names[0] == sorted(names[0]), names[2],
      all(is_key for each in layers for _, is_key in each))
"""


def test_a_slow_viewer_lowers_no_other() -> None:
    assert last_line(PROGRAM, 120) == "['sink_2', 'sink_0', 'sink_0'] True ['sink_0'] True"


def test_a_layer_is_picked_with_a_margin() -> None:
    program = (
        "import sys; sys.path.insert(0, 'examples/python')\n"
        "import viewers\n"
        "rates = (100, 500, 540, 550, 500, 499, 3000, 1500, 1499, 0)\n"
        "layer = 0\n"
        "print([layer := viewers.pick(layer, 1000 * rate) for rate in rates])\n"
    )
    assert last_line(program, 120) == "[0, 0, 0, 1, 1, 0, 2, 2, 1, 0]"
