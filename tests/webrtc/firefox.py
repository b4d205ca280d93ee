"""Firefox as the other end of a call: headless, driven by its own Marionette protocol.

    firefox.py ADDRESS PROFILE [SCREENSHOT]

opens the page and calls until it is terminated; then writes what the page looks like.
"""

from __future__ import annotations

import base64
import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

INSTALL = "apt install firefox-esr"
PROGRAMS = ("firefox", "firefox-esr")

START_S = 60
ANSWER_S = 60
WIDTH, HEIGHT = 1100, 1000

PREFERENCES = {
    # nobody is asked for the camera
    "media.navigator.permission.disabled": True,
    # real addresses as candidates, instead of names that only mDNS knows
    "media.peerconnection.ice.obfuscate_host_addresses": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}

# Firefox's own generated camera is one colour: it does not need its bitrate. This picture does, and
# yet it turns so slowly that at a low rate an encoder makes it coarse before it leaves out frames:
# with few frames a second there is little for the browser's own estimate to learn from.
CAMERA = """
const squares = document.createElement("canvas");
squares.width = squares.height = 800;
const brush = squares.getContext("2d");
for (let y = 0; y < 800; y += 16)
  for (let x = 0; x < 800; x += 16) {
    brush.fillStyle = `hsl(${360 * Math.random()} 60% 50%)`;
    brush.fillRect(x, y, 16, 16);
  }
const canvas = document.createElement("canvas");
canvas.width = 640; canvas.height = 480;
const pen = canvas.getContext("2d");
pen.translate(320, 240);
setInterval(() => {
  pen.rotate(0.01);
  pen.drawImage(squares, -400, -400);
}, 33);
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(30);
document.getElementById("start").click();
"""


def program() -> str | None:
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def what_is_missing() -> str | None:
    """Why there can be no browser here, for pytest.skip."""
    return None if program() is not None else f"no Firefox: {INSTALL}"


def make_camera(file: Path) -> None:
    """The page makes its own."""
    file.touch()


def command(address: str, camera: Path, profile: Path) -> list[str]:
    """What opens the page and calls."""
    picture = camera.with_name("page.png")
    return [sys.executable, str(Path(__file__)), address, str(profile), str(picture)]


class Marionette:
    """Commands to a Firefox with --marionette, as LENGTH:[0, ID, NAME, PARAMETERS]."""

    def __init__(self, port: int) -> None:
        self._socket = self._connect(port)
        self._file = self._socket.makefile("rb")
        self._id = 0
        self._read()

    def _connect(self, port: int) -> socket.socket:
        end = time.monotonic() + START_S
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=ANSWER_S)
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def _read(self) -> object:
        length = b""
        while (byte := self._file.read(1)) != b":":
            if not byte:
                raise EOFError("Firefox has gone")
            length += byte
        return json.loads(self._file.read(int(length)))

    def __call__(self, name: str, **parameters: object) -> dict[str, object]:
        self._id += 1
        message = json.dumps([0, self._id, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        if error is not None:
            raise RuntimeError(f"{name}: {error['message']}")
        return result


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def write_profile(folder: Path, port: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    preferences = {**PREFERENCES, "marionette.port": port}
    lines = (
        f"user_pref({json.dumps(key)}, {json.dumps(value)});\n"
        for key, value in preferences.items()
    )
    (folder / "user.js").write_text("".join(lines), encoding="utf-8")


class Ended(Exception):
    """Somebody terminates this."""


def end(_signal: int, _frame: FrameType | None) -> None:
    raise Ended


def call(browser: Marionette, address: str, picture: Path | None) -> None:
    # the application's certificate is signed by nobody
    browser("WebDriver:NewSession", acceptInsecureCerts=True)
    browser("WebDriver:SetWindowRect", width=WIDTH, height=HEIGHT)
    browser("WebDriver:Navigate", url=f"{address}/")
    browser("WebDriver:ExecuteScript", script=CAMERA, args=[], sandbox=None)
    try:
        signal.pause()
    except Ended:
        if picture is not None:
            shot = browser("WebDriver:TakeScreenshot", full=True)
            picture.write_bytes(base64.b64decode(shot["value"]))


def main(address: str, profile: str, picture: str | None = None) -> None:
    firefox = program()
    assert firefox is not None, INSTALL
    port = free_port()
    write_profile(Path(profile), port)
    signal.signal(signal.SIGTERM, end)
    words = (firefox, "--headless", "--no-remote", "--marionette", "--profile", profile)
    running = subprocess.Popen(words)
    try:
        call(Marionette(port), address, Path(picture) if picture is not None else None)
    except Ended:
        pass
    finally:
        running.terminate()
        running.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
