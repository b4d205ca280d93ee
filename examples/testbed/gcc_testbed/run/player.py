"""Plays a pipeline as gst-launch-1.0 does, and does to it what that cannot.

This file runs inside a world, copied into the run directory, with the system's Python and its
GStreamer bindings: `player.py PLAN ELEMENT...`. PLAN is JSON, of which everything may be missing:

- `clock_skew_ppm`: by how much the pipeline's clock is fast
- `ssrc_changes_s`: when the payloader called `payloader` takes another SSRC, in seconds of the
  call, which began at $CALL_ORIGIN_US
- `estimates`: the encoder called `encoder` is set to the estimates of the rtpgccbwe called `bwe`,
  as an application would; this file has them
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any, TextIO

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


def skewed_clock(ppm: float) -> Any:  # noqa: ANN401
    """The system's clock, fast by so much from now on."""
    clock = Gst.SystemClock.obtain()
    now = clock.get_internal_time()
    clock.set_calibration(now, clock.get_time(), 1_000_000 + round(ppm), 1_000_000)
    return clock


def change_ssrc(payloader: Any) -> bool:  # noqa: ANN401
    """Tells the payloader that its SSRC is taken, as a session does."""
    pad = payloader.get_static_pad("src")
    # A number above 2^31 fits in no Python property of this type.
    ssrc = payloader.get_property("stats").get_uint("ssrc").value
    taken = Gst.Structure.from_string(f"GstRTPCollision, ssrc=(uint){ssrc};")[0]
    pad.send_event(Gst.Event.new_custom(Gst.EventType.CUSTOM_UPSTREAM, taken))
    return False


class Application:
    """What an application adds to rtpgccbwe."""

    def __init__(self, pipeline: Any, trace: TextIO) -> None:  # noqa: ANN401
        self._encoder = pipeline.get_by_name("encoder")
        self._trace = trace
        trace.write("time_s,event,a_s_bps\n")
        estimator = pipeline.get_by_name("bwe")
        self._write("start", estimator.get_property("estimated-bitrate"))
        # From the thread that delivers RTCP; a thread that pushes media is another one.
        estimator.connect("notify::estimated-bitrate", self._estimated)

    def _estimated(self, estimator: Any, _: Any) -> None:  # noqa: ANN401
        bps = estimator.get_property("estimated-bitrate")
        self._encoder.set_property("target-bitrate", bps)
        self._write("estimate", bps)

    def _write(self, event: str, bps: int) -> None:
        self._trace.write(f"{time.time():.6f},{event},{bps}\n")


class Player:
    """One pipeline."""

    def __init__(self, elements: list[str]) -> None:
        self.pipeline = Gst.parse_launchv(elements)
        self._loop = GLib.MainLoop()
        self.failed = False

    def skew_clock(self, ppm: float) -> None:
        """Makes the pipeline's clock fast."""
        if ppm:
            self.pipeline.use_clock(skewed_clock(ppm))

    def change_ssrcs(self, times_s: list[float]) -> None:
        """Plans when the payloader takes another SSRC."""
        for at_s in times_s:
            origin_s = int(os.environ["CALL_ORIGIN_US"]) / 1e6
            left_ms = max(0, round((origin_s + at_s - time.time()) * 1000))
            GLib.timeout_add(left_ms, change_ssrc, self.pipeline.get_by_name("payloader"))

    def play(self) -> None:
        """Plays until a signal, the end of the stream, or an error."""
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", self._error)
        bus.connect("message::eos", lambda *_: self._loop.quit())
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, self._loop.quit)
        self.pipeline.set_state(Gst.State.PLAYING)
        self._loop.run()
        self.pipeline.set_state(Gst.State.NULL)

    def _error(self, _: Any, message: Any) -> None:  # noqa: ANN401
        problem, details = message.parse_error()
        print(f"ERROR: {message.src.get_name()}: {problem.message} ({details})", flush=True)
        self.failed = True
        self._loop.quit()


def main(arguments: list[str]) -> int:
    text, *elements = arguments
    options = [word for word in elements if word.startswith("--")]
    Gst.init([sys.argv[0], *(word for word in options if word.startswith("--gst"))])
    plan = json.loads(text)
    player = Player([word for word in elements if word not in options])
    player.skew_clock(plan.get("clock_skew_ppm", 0))
    player.change_ssrcs(plan.get("ssrc_changes_s", []))
    with open(plan.get("estimates", os.devnull), "w") as trace:  # noqa: PTH123
        if "estimates" in plan:
            Application(player.pipeline, trace)
        player.play()
    return 1 if player.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
