"""Three pictures of one camera, told apart by rid, to Janus's echo test, which sends one back.

    python3 tests/webrtc/janus_simulcast.py FOLDER

It is run in virtual time (tests/virtual.sh), as root of a system of its own. Each picture is asked
for, then the link takes the smallest alone, and all again. Prints the answer, and how long it took
until the wanted picture came back, as JSON; nothing where it did not.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

import gi
import janus
import link

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "webrtc"))

gi.require_version("Gst", "1.0")
gi.require_version("GstRtp", "1.0")
import sdp  # noqa: E402
from gi.repository import GLib, Gst, GstRtp  # noqa: E402
from peer import Peer, Settings  # noqa: E402

# For all pictures, and for the smallest alone.
WIDE, NARROW = 5_000_000, 300_000
RID, RID_ID = "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id", 4
MID, MID_ID = "urn:ietf:params:rtp-hdrext:sdes:mid", 6
# As webrtcbin names the first m-line.
FIRST_MID = "video0"
PATIENCE_S = 30

# From the smallest: rid, width, height, the least rate.
LAYERS = (("l", 160, 120, 100_000), ("m", 320, 240, 300_000), ("h", 640, 480, 800_000))
CAMERA = (
    "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
    "video/x-raw,width=640,height=480,framerate=30/1"
)
SETTINGS = Settings(
    source=CAMERA, sink="", min_bitrate=200_000, start_bitrate=1_500_000, max_bitrate=4_000_000
)
LAYER = (
    "camera. ! queue ! videoscale ! video/x-raw,width={width},height={height} "
    "! vp8enc name={rid} deadline=1 cpu-used=16 end-usage=cbr target-bitrate={least} "
    "! rtpvp8pay name={rid}-pay mtu=1200 picture-id-mode=15-bit ! f. "
)


class Camera(Peer):
    """Sends three pictures, and sees how wide the one is that comes back."""

    width = 0

    def _make_pipeline(self, caps: str) -> Gst.Pipeline:
        # Janus takes the first rid for the largest picture.
        rids = [rid for rid, *_ in reversed(LAYERS)]
        fields = [f"rid-{rid}=(string)send" for rid in rids]
        fields += [f"extmap-{RID_ID}=(string){RID}", f"extmap-{MID_ID}=(string){MID}"]
        fields += [f'a-simulcast=(string)"send {";".join(rids)}"']
        pipeline = Gst.parse_launch(
            "webrtcbin name=webrtc bundle-policy=max-bundle rtpfunnel name=f "
            "! capssetter name=offered replace=true ! webrtc. "
            f"{self._settings.source} ! tee name=camera "
            + "".join(
                LAYER.format(rid=rid, width=width, height=height, least=least)
                for rid, width, height, least in LAYERS
            )
        )
        offered = Gst.Caps.from_string(",".join([caps, *fields]))
        pipeline.get_by_name("offered").set_property("caps", offered)
        for rid in rids:
            self._add_extensions(pipeline.get_by_name(f"{rid}-pay"), rid)
        return pipeline

    def _add_extensions(self, payloader: Gst.Element, rid: str) -> None:
        for uri, number, values in (
            (RID, RID_ID, {"rid": rid}),
            (MID, MID_ID, {"mid": FIRST_MID}),
            (sdp.TRANSPORT_CC, sdp.TRANSPORT_CC_ID, {}),
        ):
            extension = GstRtp.RTPHeaderExtension.create_from_uri(uri)
            extension.set_id(number)
            extension.set_properties(**values)
            payloader.emit("add-extension", extension)

    def _make_sender(self) -> Gst.Element:
        sender = super()._make_sender()
        pad = sender.get_static_pad("sink")
        least = ",".join(f"{rid}={least}" for rid, _, _, least in LAYERS)
        order = ",".join(f"{rid}={3 - i}" for i, (rid, *_) in enumerate(LAYERS))
        for name, values in (("encoder-min-bitrates", least), ("encoder-priorities", order)):
            pad.set_property(name, Gst.Structure.new_from_string(f"values,{values}"))
        pad.set_property("pausable", True)
        return sender

    def _pad_added(self, _: Gst.Element, pad: Gst.Pad) -> None:
        if pad.direction != Gst.PadDirection.SRC:
            return
        seen = Gst.parse_bin_from_description(
            "rtpvp8depay ! vp8dec ! fakesink name=seen sync=false", True
        )
        seen.get_by_name("seen").get_static_pad("sink").connect("notify::caps", self._caps_changed)
        self._pipeline.add(seen)
        seen.sync_state_with_parent()
        pad.link(seen.get_static_pad("sink"))

    def _caps_changed(self, pad: Gst.Pad, _: object) -> None:
        caps = pad.get_current_caps()
        if caps is not None:
            # In Python that of caps has other methods since GStreamer 1.26.
            structure = Gst.Structure.new_from_string(caps.to_string())
            self.width = structure.get_value("width")

    def wait_for(self, width: int) -> float | None:
        """How long it takes, s."""
        begin = time.monotonic()
        while time.monotonic() < begin + PATIENCE_S:
            if self.width == width:
                return time.monotonic() - begin
            time.sleep(0.05)
        return None


def call(echo: janus.EchoTest, shaped: link.Link) -> dict[str, object]:
    camera = Camera(SETTINGS, lambda reason: print(reason, file=sys.stderr))
    try:
        offer = camera.offer()
        answer = echo.answer(offer)
        camera.take_answer(answer)
        picked = []
        for substream in (2, 0, 1, 2):
            echo.pick(substream)
            picked.append(camera.wait_for(LAYERS[substream][1]))
        fitting = []
        for rate, width in ((NARROW, LAYERS[0][1]), (WIDE, LAYERS[-1][1])):
            shaped.set_rate(rate)
            fitting.append(camera.wait_for(width))
        feedback = camera.stats()["feedback"]
        return {"answer": answer, "picked": picked, "fitting": fitting, "feedback": feedback}
    finally:
        camera.stop()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    Gst.init(None)
    # for the messages of the pipeline
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
    with (
        link.shaped(WIDE) as shaped,
        janus.running(folder / "janus", shaped.far_command(), link.FAR) as address,
    ):
        print(json.dumps(call(janus.EchoTest(address), shaped)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
