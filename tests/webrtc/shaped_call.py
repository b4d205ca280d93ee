"""A call between a browser and examples/webrtc over a link whose rate changes.

    unshare --net build/venv/bin/python tests/webrtc/shaped_call.py FOLDER [chromium | firefox]

leaves the traces of both ends and link.csv, the rate over time, in FOLDER; plot.py draws them.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from pathlib import Path

import application
import chromium
import firefox
import link

BROWSERS = {"chromium": chromium, "firefox": firefox}

# Each rate in bit/s with how long it lasts, in s. Up takes longest: REMB grows by 8 % a second.
SCHEDULE = ((2_000_000, 30), (500_000, 20), (2_000_000, 45))
# So that the first ramp is not the longest.
START = 1_000_000
# From opening the page to the first stats; the schedule begins with these.
BEGIN_S = 30


def wait_for_the_call(folder: Path) -> None:
    log = folder / "browser.csv"
    end = time.monotonic() + BEGIN_S
    while not log.is_file() or len(log.read_text(encoding="utf-8").splitlines()) < 2:
        if time.monotonic() > end:
            raise TimeoutError("the browser does not call")
        time.sleep(0.1)


def follow_schedule(shaped: link.Link, folder: Path) -> None:
    with (folder / "link.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("time_s", "capacity_bps"))
        for rate, seconds in SCHEDULE:
            shaped.set_rate(rate)
            writer.writerow((f"{time.time():.3f}", rate))
            time.sleep(seconds)
        writer.writerow((f"{time.time():.3f}", SCHEDULE[-1][0]))


def main(folder: Path, name: str = "chromium") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    camera = folder / "camera.y4m"
    end = BROWSERS[name]
    end.make_camera(camera)
    with (
        link.shaped(SCHEDULE[0][0]) as shaped,
        application.running(folder, "--start-bitrate", str(START)) as address,
        (folder / "browser.txt").open("wb") as log,
    ):
        command = shaped.far_command(*end.command(address, camera, folder / "profile"))
        browser = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            wait_for_the_call(folder)
            follow_schedule(shaped, folder)
        finally:
            browser.terminate()
            browser.wait(timeout=20)
    camera.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
