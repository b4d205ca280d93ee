"""Plays a pipeline as gst-launch-1.0 does, with events that gst-launch-1.0 lacks.

This file runs inside a world, copied into the run directory, with the system's Python and its
GStreamer bindings: `player.py PLAN ELEMENT...`. PLAN is JSON, of which everything may be missing:

- `clock_skew_ppm`: by how much the system's clock, which is the pipeline's, is fast
- `device_clock_ppm`: by how much that of the element called `device` is, which is the pipeline's
- `ssrc_changes_s`: when the payloader called `payloader` takes another SSRC
- `clock_losses_s`: when the element called `device` is removed
- `clock_stops`: when its clock stands still
- `clock_changes_s`: when the pipeline gets a clock that shows another time
- `blocks`: when a handler blocks the thread that calls it, by the kind of handler: of gccsender's
  `notify`, a `message` or a `probe`
- `estimates`: the encoder called `encoder` is set to the estimates of the rtpgccbwe called `bwe`,
  as an application would; this file has them

Times are seconds of the call, which began at $CALL_ORIGIN_US, and intervals are [from, to].
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TextIO

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, GObject, Gst  # noqa: E402

# A clock of another time is behind by this much.
OTHER_TIME_S = 3600
# A pause in which the threads of live sources see that there is one.
PAUSE_S = 0.1


def call_time_s() -> float:
    """Seconds of the call."""
    return time.time() - int(os.environ["CALL_ORIGIN_US"]) / 1e6


def set_speed(clock: Any, millionths: int) -> None:  # noqa: ANN401
    """Makes a clock go on at another speed; at 0 it stands still."""
    now = clock.get_internal_time()
    clock.set_calibration(now, clock.get_time(), millionths, 1_000_000)


def skewed_clock(ppm: float) -> Any:  # noqa: ANN401
    """The system's clock, fast by so much from now on."""
    clock = Gst.SystemClock.obtain()
    set_speed(clock, 1_000_000 + round(ppm))
    return clock


def other_clock() -> Any:  # noqa: ANN401
    """A clock that shows another time than the system's."""
    clock = GObject.new(Gst.SystemClock, name="other")
    now = clock.get_internal_time()
    clock.set_calibration(now, max(0, now - OTHER_TIME_S * Gst.SECOND), 1, 1)
    return clock


def change_ssrc(payloader: Any) -> None:  # noqa: ANN401
    """Tells the payloader that its SSRC is taken, as a session does."""
    pad = payloader.get_static_pad("src")
    # A number above 2^31 fits in no Python property of this type.
    ssrc = payloader.get_property("stats").get_uint("ssrc").value
    taken = Gst.Structure.from_string(f"GstRTPCollision, ssrc=(uint){ssrc};")[0]
    pad.send_event(Gst.Event.new_custom(Gst.EventType.CUSTOM_UPSTREAM, taken))


class Handler:
    """A handler of an application: of each interval, the first call in it or later takes as long.

    It is called by threads of the pipeline.
    """

    def __init__(self, blocks: list[tuple[float, float]]) -> None:
        self._blocks = list(blocks)
        self._lock = threading.Lock()

    def __call__(self, *_: Any) -> Any:  # noqa: ANN401
        time.sleep(self._due_s())
        return Gst.PadProbeReturn.OK

    def _due_s(self) -> float:
        with self._lock:
            if not self._blocks or call_time_s() < self._blocks[0][0]:
                return 0.0
            begin, end = self._blocks.pop(0)
        print(f"blocked for {end - begin:g} s from {call_time_s():.1f} s on", flush=True)
        return end - begin


class Application:
    """The part of an application around rtpgccbwe."""

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
            self._plan(at_s, change_ssrc, self.pipeline.get_by_name("payloader"))

    def plan_device_clock(self, ppm: float, losses: list[float], stops: list[list[float]]) -> None:
        """Plans the events of the clock that an element provides."""
        device = self.pipeline.get_by_name("device")
        if device is None:
            return
        clock, speed = device.provide_clock(), 1_000_000 + round(ppm)
        set_speed(clock, speed)
        for begin, end in stops:
            self._plan(begin, set_speed, clock, 0)
            self._plan(end, set_speed, clock, speed)
        for at_s in losses:
            self._plan(at_s, self._remove, device)

    def change_clocks(self, times_s: list[float]) -> None:
        """Plans when the application gives the pipeline another clock."""
        for at_s in times_s:
            self._plan(at_s, self._change_clock)

    def block(self, blocks: dict[str, list[tuple[float, float]]]) -> None:
        """Connects the handlers that block."""
        sender = self.pipeline.get_by_name("gccsender")
        for kind, times in blocks.items():
            handler = Handler(times)
            if kind == "notify":
                sender.connect("notify::target-bitrate", handler)
            elif kind == "probe":
                packets = Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST
                sender.get_static_pad("src").add_probe(packets, handler)
            else:
                bus = self.pipeline.get_bus()
                bus.enable_sync_message_emission()
                bus.connect("sync-message::element", handler)

    def play(self) -> None:
        """Plays until a signal, the end of the stream, or an error."""
        bus = self.pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", self._error)
        bus.connect("message::eos", lambda *_: self._loop.quit())
        bus.connect("message::clock-lost", lambda *_: self._choose_clock())
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, self._loop.quit)
        self.pipeline.set_state(Gst.State.PLAYING)
        self._loop.run()
        self.pipeline.set_state(Gst.State.NULL)

    @staticmethod
    def _plan(at_s: float, action: Callable[..., object], *arguments: Any) -> None:  # noqa: ANN401
        def act() -> bool:
            action(*arguments)
            return False

        GLib.timeout_add(max(0, round((at_s - call_time_s()) * 1000)), act)

    def _remove(self, element: Any) -> None:  # noqa: ANN401
        element.set_state(Gst.State.NULL)
        self.pipeline.remove(element)

    def _change_clock(self) -> None:
        self.pipeline.use_clock(other_clock())
        self._choose_clock()

    def _choose_clock(self) -> None:
        """As the documentation of CLOCK_LOST asks for.

        From GStreamer 1.24 on, PAUSED wakes a live source, such as udpsrc. One whose thread runs
        only when the pipeline is PLAYING again stops for good.
        """
        self.pipeline.set_state(Gst.State.PAUSED)
        if Gst.version() >= (1, 24):
            time.sleep(PAUSE_S)
        self.pipeline.set_state(Gst.State.PLAYING)
        print(f"clock: {self.pipeline.get_clock().get_name()}", flush=True)

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
    player.plan_device_clock(
        plan.get("device_clock_ppm", 0), plan.get("clock_losses_s", []), plan.get("clock_stops", [])
    )
    player.change_ssrcs(plan.get("ssrc_changes_s", []))
    player.change_clocks(plan.get("clock_changes_s", []))
    player.block(plan.get("blocks", {}))
    with open(plan.get("estimates", os.devnull), "w") as trace:  # noqa: PTH123
        if "estimates" in plan:
            Application(player.pipeline, trace)
        player.play()
    return 1 if player.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
