#!/usr/bin/python3
"""A video call with a browser under Google Congestion Control, and a chart of it on the page.

Run `call.sh`, which installs and builds what is needed and starts this.
"""

from __future__ import annotations

import argparse
import csv
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TextIO

import gi
from sdp import FEEDBACK, NoTransportCc, NoVideo
from signalling import Handlers, Refused, Server, Stats, addresses

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402
from peer import Peer, Settings  # noqa: E402

# A picture that needs its bitrate.
TEST_PICTURE = (
    "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
    "video/x-raw,width=640,height=480,framerate=30/1"
)
# What the page measures, and what we say to it.
BROWSER_COLUMNS = (
    "target_bps",
    "available_bps",
    "sent_bps",
    "received_bps",
    "rtt_ms",
    "fraction_lost",
)
OUR_COLUMNS = ("feedback", "a_s_bps", "a_r_bps", "sent_bps", "received_bps")


class Calls:
    """One call at a time: a new offer ends the one before."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._peer: Peer | None = None
        self._log: TextIO | None = None

    def offer(self, offer: str) -> str:
        with self._lock:
            self._end()
            peer = Peer(self._settings, self._failed)
            try:
                answer = peer.answer(offer)
            except (NoVideo, NoTransportCc, GLib.Error) as error:
                raise Refused(str(error)) from error
            self._peer = peer
            self._begin_log(offer, answer)
            print("a call begins", flush=True)
            return answer

    def stats(self, browser: Stats) -> Stats:
        with self._lock:
            if self._peer is None:
                raise Refused("there is no call")
            ours = self._peer.stats()
            self._write_log(browser, ours)
            return ours

    def end(self) -> None:
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._peer is not None:
            self._peer.stop()
            self._peer = None
        if self._log is not None:
            self._log.close()
            self._log = None

    def _failed(self, reason: str) -> None:
        print(f"the call failed: {reason}", file=sys.stderr, flush=True)

    def _begin_log(self, offer: str, answer: str) -> None:
        folder = self._settings.traces
        if folder is not None:
            (folder / "offer.sdp").write_text(offer, newline="")
            (folder / "answer.sdp").write_text(answer, newline="")
            self._log = (folder / "browser.csv").open("w", buffering=1)
            ours = (f"our_{column}" for column in OUR_COLUMNS)
            csv.writer(self._log).writerow(("time_s", *BROWSER_COLUMNS, *ours))

    def _write_log(self, browser: Stats, ours: Stats) -> None:
        if self._log is not None:
            theirs = (browser.get(column) for column in BROWSER_COLUMNS)
            row = (*theirs, *(ours.get(column) for column in OUR_COLUMNS))
            csv.writer(self._log).writerow((f"{time.time():.3f}", *row))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="call.sh", description="A video call with a browser under Google Congestion Control."
    )
    parser.add_argument("--port", type=int, default=8443, help="of the page, HTTPS (%(default)s)")
    parser.add_argument(
        "--source",
        default=TEST_PICTURE,
        help='any gst-launch source of raw video; a camera: "v4l2src" (a test picture)',
    )
    parser.add_argument(
        "--sink",
        default="fakesink",
        help='any gst-launch video sink; a window: "autovideosink" (%(default)s)',
    )
    parser.add_argument("--min-bitrate", type=int, default=100_000, metavar="BPS")
    parser.add_argument("--start-bitrate", type=int, default=300_000, metavar="BPS")
    parser.add_argument("--max-bitrate", type=int, default=2_500_000, metavar="BPS")
    parser.add_argument(
        "--feedback",
        choices=FEEDBACK,
        default="auto",
        help="what may steer: transport-cc where the browser has it, else REMB (auto); one of them",
    )
    parser.add_argument(
        "--traces",
        type=Path,
        metavar="FOLDER",
        help="write sender.csv and receiver.csv (docs/traces.md), the page's browser.csv, and the "
        "call's offer.sdp and answer.sdp there",
    )
    return parser.parse_args()


def main() -> int:
    arguments = parse_arguments()
    Gst.init(None)
    if arguments.traces is not None:
        arguments.traces.mkdir(parents=True, exist_ok=True)
    calls = Calls(
        Settings(
            source=arguments.source,
            sink=arguments.sink,
            min_bitrate=arguments.min_bitrate,
            start_bitrate=arguments.start_bitrate,
            max_bitrate=arguments.max_bitrate,
            traces=arguments.traces,
            feedback=arguments.feedback,
        )
    )
    server = Server(arguments.port, Handlers(calls.offer, calls.stats))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for address in addresses():
        print(f"open https://{address}:{server.server_port}/", flush=True)
    print(
        "(the certificate is made for this run: the browser asks once whether to go on)", flush=True
    )

    loop = GLib.MainLoop()
    # SIGINT even where a shell has it ignored, as in what it runs in the background.
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, loop.quit)
    loop.run()
    calls.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
