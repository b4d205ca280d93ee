"""Chromium as the other end of a call: headless, with a generated camera, calling by itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

INSTALL = "apt install chromium"

# Two seconds that are shown over and over; they need their bitrate.
N_FRAMES = 60
CAMERA = (
    f"videotestsrc num-buffers={N_FRAMES} pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
    "video/x-raw,format=I420,width=640,height=480,framerate=30/1 ! y4menc ! filesink"
)

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # the camera, and nobody to be asked for it
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    # real addresses as candidates, instead of names that only mDNS knows
    "--disable-features=WebRtcHideLocalIpsWithMdns",
    # the application's is signed by nobody
    "--ignore-certificate-errors",
)


def what_is_missing() -> str | None:
    """Why there can be no browser here, for pytest.skip."""
    return None if shutil.which("chromium") is not None else f"no Chromium: {INSTALL}"


def make_camera(file: Path) -> None:
    line = [*CAMERA.split(), f"location={file}"]
    subprocess.run(["gst-launch-1.0", "--quiet", *line], check=True)


def command(address: str, camera: Path, profile: Path) -> list[str]:
    """What opens the page and calls."""
    return [
        "chromium",
        *FLAGS,
        f"--use-file-for-fake-video-capture={camera}",
        f"--user-data-dir={profile}",
        f"{address}/#call",
    ]
