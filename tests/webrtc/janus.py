"""Janus, an SFU that Debian packages: its echo test, by its HTTP API.

It runs with a configuration of its own making, and loads nothing but what the echo test takes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

INSTALL = "apt install janus"
PORT = 8088
START_S = 30
ANSWER_S = 30

ECHO_TEST = "janus.plugin.echotest"
MODULES = {"plugins": "libjanus_echotest.so", "transports": "libjanus_http.so"}

CONFIGURATION = {
    "janus.jcfg": """
general: {{
    plugins_folder = "{folder}/plugins"
    transports_folder = "{folder}/transports"
    events_folder = "{folder}/none"
    loggers_folder = "{folder}/none"
    debug_colors = false
    session_timeout = 0
}}
""",
    "janus.transport.http.jcfg": """
general: {{
    base_path = "/janus"
    http = true
    port = {port}
}}
""",
}


def modules() -> dict[str, Path]:
    """Where the package keeps what is needed."""
    found = {
        kind: list(Path("/usr/lib").glob(f"**/janus/{kind}/{name}"))
        for kind, name in MODULES.items()
    }
    return {kind: paths[0] for kind, paths in found.items() if paths}


def what_is_missing() -> str | None:
    """Why there can be no Janus here, for pytest.skip."""
    there = shutil.which("janus") is not None and len(modules()) == len(MODULES)
    return None if there else f"no Janus: {INSTALL}"


def configure(folder: Path) -> None:
    (folder / "none").mkdir(parents=True)
    for kind, module in modules().items():
        (folder / kind).mkdir()
        (folder / kind / module.name).symlink_to(module)
    for name, text in CONFIGURATION.items():
        (folder / name).write_text(text.format(folder=folder, port=PORT), encoding="utf-8")


@contextmanager
def running(folder: Path, prefix: list[str], host: str) -> Iterator[str]:
    """Runs it where @prefix runs programs; yields the address of its API."""
    configure(folder)
    log = folder / "janus.txt"
    address = f"http://{host}:{PORT}/janus"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*prefix, "janus", "--configs-folder", str(folder)],
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for_api(address, process, log)
        yield address
    finally:
        process.terminate()
        process.wait()


def wait_for_api(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        try:
            if request(f"{address}/info")["janus"] == "server_info":
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8"))


def request(address: str, body: dict[str, object] | None = None) -> dict[str, object]:
    data = None
    if body is not None:
        data = json.dumps({**body, "transaction": uuid.uuid4().hex}).encode()
    with urllib.request.urlopen(address, data=data, timeout=ANSWER_S) as response:
        return json.loads(response.read())


class EchoTest:
    """A session with the echo test, which sends back what it receives."""

    def __init__(self, address: str) -> None:
        self._session = f"{address}/{self._made(address, {'janus': 'create'})}"
        attach = {"janus": "attach", "plugin": ECHO_TEST}
        self._handle = f"{self._session}/{self._made(self._session, attach)}"

    def _made(self, address: str, body: dict[str, object]) -> int:
        return request(address, body)["data"]["id"]

    def answer(self, offer: str) -> str:
        self._tell({"video": True}, {"type": "offer", "sdp": offer, "trickle": False})
        return self._wait_for("jsep")["sdp"]

    def limit(self, bits_per_s: int) -> None:
        """From now on it sends a REMB of this."""
        self._tell({"bitrate": bits_per_s})

    def pick(self, substream: int) -> None:
        """Of several pictures it sends back this one, 0 the smallest."""
        self._tell({"substream": substream})

    def _tell(self, body: dict[str, object], jsep: dict[str, object] | None = None) -> None:
        message = {"janus": "message", "body": body, **({"jsep": jsep} if jsep else {})}
        request(self._handle, message)

    def _wait_for(self, field: str) -> dict[str, object]:
        """In what it tells meanwhile."""
        end = time.monotonic() + ANSWER_S
        while time.monotonic() < end:
            event = request(self._session)
            if field in event:
                return event[field]
            assert "error" not in event.get("plugindata", {}).get("data", {}), event
        raise TimeoutError(f"Janus tells no {field}")
