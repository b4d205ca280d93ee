"""An application around rtpgccbwe: plays a sender and sets the encoder to the estimate.

This file runs inside a world, copied into the run directory, with the system's Python and its
GStreamer bindings: `rtpgccbwe.py PLUGIN TRACE ELEMENT...`, the elements as gst-launch-1.0 has them,
an encoder called `encoder` and an rtpgccbwe called `bwe` among them.
"""

from __future__ import annotations

import signal
import sys
import time
from typing import Any, TextIO

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

COLUMNS = "time_s,event,a_s_bps"


class Application:
    """One sender."""

    def __init__(self, elements: list[str], trace: TextIO) -> None:
        self._pipeline = Gst.parse_launchv(elements)
        self._encoder = self._pipeline.get_by_name("encoder")
        self._trace = trace
        self._loop = GLib.MainLoop()
        self.failed = False
        trace.write(COLUMNS + "\n")
        estimator = self._pipeline.get_by_name("bwe")
        self._write("start", estimator.get_property("estimated-bitrate"))
        # From the thread that delivers RTCP; a thread that pushes media is another one.
        estimator.connect("notify::estimated-bitrate", self._estimated)

    def _estimated(self, estimator: Any, _: Any) -> None:  # noqa: ANN401
        bps = estimator.get_property("estimated-bitrate")
        self._encoder.set_property("target-bitrate", bps)
        self._write("estimate", bps)

    def _write(self, event: str, bps: int) -> None:
        self._trace.write(f"{time.time():.6f},{event},{bps}\n")

    def run(self) -> None:
        """Plays until a signal, the end of the stream, or an error."""
        bus = self._pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", self._error)
        bus.connect("message::eos", lambda *_: self._loop.quit())
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, self._loop.quit)
        self._pipeline.set_state(Gst.State.PLAYING)
        self._loop.run()
        self._pipeline.set_state(Gst.State.NULL)

    def _error(self, _: Any, message: Any) -> None:  # noqa: ANN401
        problem, details = message.parse_error()
        print(f"ERROR: {message.src.get_name()}: {problem.message} ({details})", flush=True)
        self.failed = True
        self._loop.quit()


def main(arguments: list[str]) -> int:
    plugin, trace, *elements = arguments
    Gst.init([sys.argv[0], f"--gst-plugin-load={plugin}"])
    with open(trace, "w") as file:  # noqa: PTH123
        application = Application(elements, file)
        application.run()
    return 1 if application.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
