"""A call between a browser and examples/webrtc over a link whose rate changes.

    unshare --net build/venv/bin/python tests/webrtc/shaped_call.py FOLDER [chromium | firefox] \\
        [--feedback auto | remb | transport-cc] [--source SOURCE] [--until-followed]

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

# Each rate in bit/s with how long it lasts, in s. Up takes longest: REMB grows by 8 % a second.
SCHEDULE = ((2_000_000, 30), (500_000, 20), (2_000_000, 45))
# Each rate until it is followed. Delay on a busy machine is no queue in the link, and yet it keeps
# rates down: so one that is narrow, and of the wide one what any machine reaches.
WIDE, NARROW = 2_000_000, 300_000
TO_FOLLOW = (WIDE, NARROW, WIDE)
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
# More than the narrow link can carry.
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


def waits(folder: Path, until_followed: bool) -> list[tuple[int, Callable[[], set[str]]]]:
    """Each rate with what tells when it ends, and who has followed it."""

    def last(seconds: float) -> set[str]:
        time.sleep(seconds)
        return set()

    def be_followed(rate: int) -> set[str]:
        return application.wait_for(folder, following(rate))

    if until_followed:
        return [(rate, partial(be_followed, rate)) for rate in TO_FOLLOW]
    return [(rate, partial(last, seconds)) for rate, seconds in SCHEDULE]


def change_rates(shaped: link.Link, folder: Path, until_followed: bool) -> None:
    with (folder / "link.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("time_s", "capacity_bps", *DIRECTIONS))
        for rate, wait in waits(folder, until_followed):
            shaped.set_rate(rate)
            since = time.time()
            followed = wait()
            writer.writerow((f"{since:.3f}", rate, *(int(one in followed) for one in DIRECTIONS)))
        writer.writerow((f"{time.time():.3f}", rate, *("" for _ in DIRECTIONS)))


def call(folder: Path, name: str, feedback: str, source: str | None, until_followed: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    camera = folder / "camera.y4m"
    end = BROWSERS[name]
    end.make_camera(camera)
    options = ["--start-bitrate", str(START), "--feedback", feedback]
    if until_followed and source is None:
        source = application.SMALL_PICTURE
    if source is not None:
        options += ["--source", source]
    with (
        link.shaped(WIDE) as shaped,
        application.running(folder, *options) as address,
        (folder / "browser.txt").open("wb") as log,
    ):
        command = shaped.far_command(*end.command(address, camera, folder / "profile"))
        browser = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_for_the_call(folder)
            change_rates(shaped, folder, until_followed)
        finally:
            browser.terminate()
            browser.wait(timeout=20)
    camera.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("browser", nargs="?", choices=BROWSERS, default="chromium")
    parser.add_argument("--feedback", default="auto", help="as call.sh has it (%(default)s)")
    parser.add_argument("--source", help="as call.sh has it; a smaller picture for a busy machine")
    parser.add_argument(
        "--until-followed", action="store_true", help="change the rate once both have followed"
    )
    arguments = parser.parse_args()
    call(
        arguments.folder,
        arguments.browser,
        arguments.feedback,
        arguments.source,
        arguments.until_followed,
    )


if __name__ == "__main__":
    main()
