"""A call between a browser and examples/webrtc over a link whose rate changes.

    unshare --net build/venv/bin/python tests/webrtc/shaped_call.py FOLDER [chromium | firefox] \\
        [--feedback auto | remb | transport-cc] [--until-followed]

leaves the traces of both ends, the SDP, and link.csv, the rate over time, in FOLDER; plot.py draws
them. For tests the rate may change as soon as both directions have followed it; link.csv says which
have.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import application
import chromium
import firefox
import link

BROWSERS = {"chromium": chromium, "firefox": firefox}

WIDE, NARROW = 2_000_000, 500_000
# Each rate in bit/s with how long it lasts, in s. Up takes longest: REMB grows by 8 % a second.
SCHEDULE = ((WIDE, 30), (NARROW, 20), (WIDE, 45))
# So that the first ramp is not the longest.
START = 1_000_000
# From opening the page to the first stats; the schedule begins with these.
BEGIN_S = 60

# What each direction sends and what arrives of it, in the log that the page and the application
# keep together.
DIRECTIONS = {
    "to_browser": ("our_sent_bps", "received_bps"),
    "from_browser": ("sent_bps", "our_received_bps"),
}
# More than the narrow link can carry. (An idle machine gets near the whole of the wide one.)
WIDE_USED = 1.5 * NARROW
# A sender that has not followed fills the queue with more. Retransmissions are in it.
NARROW_KEPT = 1.1 * NARROW


def following(rate: int) -> dict[str, Callable[[list[application.Row]], bool]]:
    """Whether each direction carries what a link of @rate can, and sends no more."""

    def follows(rows: list[application.Row], columns: tuple[str, str]) -> bool:
        sent, received = (application.mean(rows, column) for column in columns)
        if rate == WIDE:
            return received > WIDE_USED
        return sent < NARROW_KEPT and received > NARROW / 4

    return {name: partial(follows, columns=columns) for name, columns in DIRECTIONS.items()}


def wait_for_the_call(folder: Path) -> None:
    end = time.monotonic() + BEGIN_S
    while not application.read_live(folder / "browser.csv"):
        if time.monotonic() > end:
            raise TimeoutError("the browser does not call")
        time.sleep(application.POLL_S)


def follow_schedule(shaped: link.Link, folder: Path, until_followed: bool) -> None:
    with (folder / "link.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("time_s", "capacity_bps", *DIRECTIONS))
        for rate, seconds in SCHEDULE:
            shaped.set_rate(rate)
            since = time.time()
            followed: set[str] = set()
            if until_followed:
                followed = application.wait_for(folder, following(rate))
            else:
                time.sleep(seconds)
            writer.writerow((f"{since:.3f}", rate, *(int(one in followed) for one in DIRECTIONS)))
        writer.writerow((f"{time.time():.3f}", SCHEDULE[-1][0], *("" for _ in DIRECTIONS)))


def call(folder: Path, name: str, feedback: str, until_followed: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    camera = folder / "camera.y4m"
    end = BROWSERS[name]
    end.make_camera(camera)
    options = ["--start-bitrate", str(START), "--feedback", feedback]
    if until_followed:
        options += ["--source", application.SMALL_PICTURE]
    with (
        link.shaped(WIDE) as shaped,
        application.running(folder, *options) as address,
        (folder / "browser.txt").open("wb") as log,
    ):
        command = shaped.far_command(*end.command(address, camera, folder / "profile"))
        browser = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_for_the_call(folder)
            follow_schedule(shaped, folder, until_followed)
        finally:
            browser.terminate()
            browser.wait(timeout=20)
    camera.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("browser", nargs="?", choices=BROWSERS, default="chromium")
    parser.add_argument("--feedback", default="auto", help="as call.sh has it (%(default)s)")
    parser.add_argument(
        "--until-followed", action="store_true", help="change the rate once both have followed"
    )
    arguments = parser.parse_args()
    call(arguments.folder, arguments.browser, arguments.feedback, arguments.until_followed)


if __name__ == "__main__":
    main()
