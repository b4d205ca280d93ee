"""A call of examples/webrtc with Janus's echo test over a link of 2 Mbit/s.

    unshare --net /usr/bin/python3 tests/webrtc/janus_call.py FOLDER [auto | remb | transport-cc]

What the echo test gets comes back, so both elements are in it. It ends when what comes back has
risen, and then obeyed the limit that Janus sends as a REMB; or when either takes too long. Leaves
the SDP and the elements' traces in FOLDER, and prints what was seen as JSON.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import application
import gi
import janus
import link

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "webrtc"))

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402
from peer import Peer, Settings  # noqa: E402

CAPACITY = 2_000_000
START = 300_000
# More than it begins with, less than either feedback reaches in a few seconds on an idle machine.
RISEN = 600_000
LIMIT = 250_000

Stats = dict[str, float | str | None]


def wait_until(peer: Peer, reached: Callable[[Stats], bool]) -> Stats:
    """The stats with which it was, or the last ones."""
    end = time.monotonic() + application.PATIENCE_S
    while not reached(stats := peer.stats()) and time.monotonic() < end:
        time.sleep(application.POLL_S)
    return stats


def has_risen(stats: Stats) -> bool:
    rates = (stats["a_s_bps"], stats["received_bps"])
    return all(rate is not None and rate > RISEN for rate in rates)


def is_limited(stats: Stats) -> bool:
    # its own estimate may be as low for a moment
    return stats["remb_bps"] is not None and stats["a_s_bps"] <= LIMIT


def call(folder: Path, echo: janus.EchoTest, feedback: str) -> dict[str, Stats]:
    settings = Settings(
        source=application.SMALL_PICTURE,
        sink="fakesink",
        min_bitrate=100_000,
        start_bitrate=START,
        max_bitrate=2_500_000,
        traces=folder,
        feedback=feedback,
    )
    peer = Peer(settings, lambda reason: print(reason, file=sys.stderr))
    try:
        offer = peer.offer()
        answer = echo.answer(offer)
        (folder / "offer.sdp").write_text(offer, newline="")
        (folder / "answer.sdp").write_text(answer, newline="")
        peer.take_answer(answer)
        risen = wait_until(peer, has_risen)
        echo.limit(LIMIT)
        return {"risen": risen, "limited": wait_until(peer, is_limited)}
    finally:
        peer.stop()


def main(folder: Path, feedback: str = "auto") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    Gst.init(None)
    # for the messages of the pipeline
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
    with (
        link.shaped(CAPACITY) as shaped,
        janus.running(folder / "janus", shaped.far_command(), link.FAR) as address,
    ):
        print(json.dumps(call(folder, janus.EchoTest(address), feedback)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
