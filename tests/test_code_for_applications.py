"""The code on the pages for applications is run as it stands, and does what the pages say."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from pathlib import Path

import pytest
from published import blocks

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
# The bindings of GStreamer are packages of the distribution, for its own Python.
PYTHON = "/usr/bin/python3"
PAGES = (
    "docs/how-to/application.md",
    "docs/how-to/conference.md",
    "docs/how-to/webrtcbin.md",
    "docs/webrtc.md",
)
CODE = re.compile(r"^```(python|c)$", re.M)

# The blocks on the pages are parts of programs. For each block, by page and heading: the program
# before it, and the checks after it.
BEGIN = """
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC

Gst.init(None)
"""
BUNDLE = """
pipeline = Gst.parse_launch(
    "vp8enc name=camera ! rtpvp8pay ! f. vp8enc name=screen ! rtpvp8pay ! f. rtpfunnel name=f ! "
    "gccsender name=gccsender start-bitrate=800000 ! s.send_rtp_sink rtpsession name=s "
    "s.send_rtp_src ! fakesink async=false sync=false"
)
gccsender = pipeline.get_by_name("gccsender")
rates = lambda: [
    pipeline.get_by_name(name).get_property("target-bitrate") for name in ("camera", "screen")
]
told = []
use = told.append
"""
SHARED = """
pipeline.set_state(Gst.State.PLAYING)
assert rates() == [600000, 200000], rates()
pipeline.set_state(Gst.State.NULL)
"""
LEFT_ALONE = """
before = rates()
pipeline.set_state(Gst.State.PLAYING)
gccsender.set_property("max-bitrate", 200000)
assert told[-1] == 200000, told
assert rates() == before, rates()
pipeline.set_state(Gst.State.NULL)
"""
LAYERS = """
LAYER = (
    "videotestsrc is-live=true ! video/x-raw,width=64,height=64,framerate=30/1 ! "
    "vp8enc deadline=1 ! rtpvp8pay ! gccsender.sink_{0} "
    "gccsender.src_{0} ! fakesink async=false sync=false "
)
pipeline = Gst.parse_launch(
    "gccsender name=gccsender start-bitrate=900000 "
    + "".join(LAYER.format(i) for i in range(3))
)
gccsender = pipeline.get_by_name("gccsender")
"""
LOW_AND_MID_FLOW = """
pipeline.set_state(Gst.State.PLAYING)
pads = [gccsender.get_static_pad(f"sink_{i}") for i in range(3)]
assert [pad.get_property("active") for pad in pads] == [True, True, False]
pipeline.set_state(Gst.State.NULL)
"""
ONE_LAYER = (
    LAYERS
    + """
shown = []
show = shown.append
pad = gccsender.get_static_pad("sink_2")
pad.set_properties(min_bitrate=1_500_000, pausable=True)
"""
)
SHOWN = """
pipeline.set_state(Gst.State.PLAYING)
assert shown == [False], shown
pipeline.set_state(Gst.State.NULL)
"""
LAYERS_OF_A_BUNDLE = """
pipeline = Gst.parse_launch(
    "gccsender name=gccsender start-bitrate=900000 ! fakesink async=false sync=false "
    "rtpfunnel name=f ! gccsender. "
    + "".join(f"vp8enc name={name} ! rtpvp8pay ! f. " for name in ("low", "mid", "high"))
)
gccsender = pipeline.get_by_name("gccsender")
"""
LOW_AND_MID_ARE_SET = """
encoders = [pipeline.get_by_name(name) for name in ("low", "mid", "high")]
before = [encoder.get_property("target-bitrate") for encoder in encoders]
pipeline.set_state(Gst.State.PLAYING)
rates = [encoder.get_property("target-bitrate") for encoder in encoders]
assert sum(rates[:2]) == 900000 and rates[1] >= 500000, rates
assert rates[2] == before[2], rates
pipeline.set_state(Gst.State.NULL)
"""
ALONE = """
gccsender = Gst.ElementFactory.make("gccsender")
gccsender.set_property("start-bitrate", 900_000)
gccsender.set_state(Gst.State.PLAYING)
rate = lambda: gccsender.get_property("encoder-bitrate")
"""
ROOM_WAS_MADE = """
assert rate() == 600_000, rate()
while rate() != 900_000:
    GLib.MainContext.default().iteration(True)
gccsender.set_state(Gst.State.NULL)
"""
CALLED_ONCE = (
    ALONE
    + """
store, peer = {}, "peer"
gccsender.emit("restart", 1_234_567)
"""
)
BEGINS_WITH_IT = """
gccsender.set_state(Gst.State.PLAYING)
assert gccsender.get_property("target-bitrate") == 1_234_567
gccsender.set_state(Gst.State.NULL)
"""
DROP_IN = """
told = []
share = told.append
"""
FOLLOWED = """
assert bwe.get_factory().get_plugin_name() == "gccrtpgccbwe"
assert bwe.get_property("estimated-bitrate") == 1_000_000
bwe.set_property("estimated-bitrate", 400_000)
assert told == [400_000], told
"""
WEBRTCBIN = """
webrtc = Gst.ElementFactory.make("webrtcbin")
"""
MADE = """
made = webrtc.emit("request-aux-sender", None)
assert made.get_factory().get_name() == "gccsender"
"""
CALL = """
webrtc = Gst.ElementFactory.make("webrtcbin")
gccsender = Gst.ElementFactory.make("gccsender")
webrtc.set_state(Gst.State.READY)
"""
MERGED = """
assert stats.has_field("peer-connection-stats"), stats.to_string()
assert stats.get_value("gccsender").get_value("a-s-bps") == 300000, stats.to_string()
webrtc.set_state(Gst.State.NULL)
"""
PLACED = """
names = sorted(pad.get_name() for pad in receiver(webrtc.get_by_name("rtpbin"), 0).pads)
assert names == ["rtp_sink", "rtp_src"], names
"""
PIPELINE = """
pipeline = Gst.Pipeline()
bus = pipeline.get_bus()
bus.add_signal_watch()
told = []
pipeline.connect("do-latency", lambda *_: told.append(True))
"""
ANSWERED = """
bus.post(Gst.Message.new_latency(pipeline))
while GLib.MainContext.default().iteration(False):
    pass
assert told == [True], told
"""
OFFER = """
sys.path.insert(0, "examples/webrtc")
from answer import answer_with_feedback_of_offer

EXTENSION = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
LINES = (f"a=extmap:5 {EXTENSION}", "a=rtcp-fb:96 transport-cc")
CAPS = "application/x-rtp,media=video,encoding-name=VP8,payload=96,clock-rate=90000"


def ask(webrtc, what):
    promise = Gst.Promise.new()
    webrtc.emit(f"create-{what}", None, promise)
    promise.wait()
    reply = promise.get_reply()
    return reply.get_value(what).sdp.as_text()


def tell(webrtc, which, description):
    promise = Gst.Promise.new()
    webrtc.emit(f"set-{which}-description", description, promise)
    promise.wait()


def make(pipeline):
    webrtc = Gst.ElementFactory.make("webrtcbin")
    webrtc.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
    pipeline.add(webrtc)
    return webrtc


pipeline = Gst.Pipeline()
offerer, webrtc = make(pipeline), make(pipeline)
pipeline.set_state(Gst.State.PLAYING)
RIDS = 'rid-q=(string)send,rid-h=(string)< send, "pt\\\\=96", "max-width\\\\=640" >'
caps = Gst.Caps.from_string(f"{CAPS},extmap-5=(string){EXTENSION},{RIDS}")
offerer.emit("add-transceiver", GstWebRTC.WebRTCRTPTransceiverDirection.SENDONLY, caps)
text = ask(offerer, "offer")
assert all(line in text for line in LINES), text
assert "a=rid:q send\\r\\na=rid:h send pt=96;max-width=640\\r\\n" in text, text
_, message = GstSdp.SDPMessage.new_from_text(text)
offer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.OFFER, message)
tell(webrtc, "remote", offer)
"""
KEPT = """
text = ask(webrtc, "answer")
assert all(line in text for line in LINES), text
assert "a=rid:q recv\\r\\na=rid:h recv pt=96;max-width=640\\r\\n" in text, text
pipeline.set_state(Gst.State.NULL)
"""
AROUND = {
    ("docs/how-to/application.md", "Several encoders"): (BUNDLE, SHARED),
    ("docs/how-to/application.md", "Encoders of your own"): (BUNDLE, LEFT_ALONE),
    ("docs/how-to/conference.md", "Layers"): (LAYERS, LOW_AND_MID_FLOW),
    ("docs/how-to/conference.md", "What a pause does"): (ONE_LAYER, SHOWN),
    ("docs/how-to/conference.md", "In a bundle"): (LAYERS_OF_A_BUNDLE, LOW_AND_MID_ARE_SET),
    ("docs/how-to/conference.md", "A file beside the video"): (ALONE, ROOM_WAS_MADE),
    ("docs/how-to/conference.md", "The next call to the same peer"): (CALLED_ONCE, BEGINS_WITH_IT),
    ("docs/how-to/webrtcbin.md", "1. Place gccsender"): (WEBRTCBIN, MADE),
    ("docs/how-to/webrtcbin.md", "2. Place gccreceiver"): (WEBRTCBIN, PLACED),
    ("docs/how-to/webrtcbin.md", "3. Answer LATENCY messages"): (PIPELINE, ANSWERED),
    ("docs/how-to/webrtcbin.md", "5. Put both lines of transport-cc into the SDP"): (OFFER, KEPT),
    ("docs/webrtc.md", "Several tracks"): (BUNDLE, SHARED),
    ("docs/webrtc.md", "get-stats"): (CALL, MERGED),
    ("docs/webrtc.md", "In place of rtpgccbwe"): (DROP_IN, FOLLOWED),
}
IN_C = ("docs/webrtc.md", "Both plugins at once")
PROGRAM = """#include <gst/gst.h>

int
main (int argc, char **argv)
{{
  GstElementFactory *factory;

  gst_init (&argc, &argv);
  {{
{block}
  }}
  factory = gst_element_factory_find ("rtpgccbwe");
  g_print ("%s", gst_plugin_feature_get_plugin_name (GST_PLUGIN_FEATURE (factory)));
  gst_object_unref (factory);
  return 0;
}}
"""

Place = tuple[str, str]


def code() -> dict[Place, list[str]]:
    """The blocks of code by page and heading; lines of a shell or of SDP are none."""
    found: dict[Place, list[str]] = {}
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        bodies = [body for start in CODE.finditer(text) for body in [body_of(text, start)]]
        for heading, body in blocks.of_markdown(text):
            if body in bodies:
                found.setdefault((page, heading), []).append(body)
    return found


def body_of(text: str, start: re.Match[str]) -> str:
    return text[start.end() + 1 : text.index("```", start.end())]


BLOCKS = code()


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    for plugin in ("plugin/libgstgcc.so", "dropin/libgstgccrtpgccbwe.so"):
        if not (BUILD / plugin).is_file():
            pytest.skip(f"no {plugin}: meson setup build -Drtpgccbwe=enabled")
    return {
        **os.environ,
        "GST_PLUGIN_PATH": f"{BUILD / 'plugin'}:{BUILD / 'dropin'}",
        "LD_LIBRARY_PATH": str(BUILD / "gst" / "gcc"),
        "GST_REGISTRY": str(tmp_path_factory.mktemp("registry") / "registry.bin"),
        "G_DEBUG": "fatal-criticals",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def run(*command: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def bindings(environment: dict[str, str]) -> None:
    done = subprocess.run([PYTHON, "-c", BEGIN], env=environment, capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(
            "no webrtcbin in Python: apt install python3-gst-1.0 gir1.2-gst-plugins-bad-1.0"
        )


def test_no_code_is_overlooked() -> None:
    assert set(BLOCKS) == {*AROUND, IN_C}
    assert all(len(bodies) == 1 for bodies in BLOCKS.values())


@pytest.mark.usefixtures("bindings")
@pytest.mark.parametrize("place", AROUND, ids=" ".join)
def test_the_code_does_what_its_page_says(place: Place, environment: dict[str, str]) -> None:
    before, after = AROUND[place]
    run(PYTHON, "-c", "\n".join((BEGIN, before, *BLOCKS[place], after)), environment=environment)


def test_the_drop_in_that_is_loaded_last_has_the_name(
    environment: dict[str, str], tmp_path: Path
) -> None:
    source, program = tmp_path / "both.c", tmp_path / "both"
    block = textwrap.indent(BLOCKS[IN_C][0].rstrip(), "    ")
    source.write_text(PROGRAM.format(block=block), encoding="utf-8")
    flags = run("pkg-config", "--cflags", "--libs", "gstreamer-1.0", environment=environment)
    command = ("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(source))
    run(*command, *flags.split(), environment=environment)
    assert run(str(program), environment=environment) == "gccrtpgccbwe"
