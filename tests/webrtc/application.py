"""examples/webrtc as the tests run it: its process, and the files that it leaves."""

from __future__ import annotations

import csv
import io
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
CALL = ROOT / "examples" / "webrtc" / "call.py"

# The bindings of GStreamer are packages of the distribution, for its own Python.
PYTHON = "/usr/bin/python3"
NEEDED = (
    "import gi; gi.require_version('Gst', '1.0'); gi.require_version('GstWebRTC', '1.0');"
    "from gi.repository import Gst, GstWebRTC; Gst.init(None);"
    "assert Gst.ElementFactory.find('webrtcbin') and Gst.ElementFactory.find('nicesrc')"
)
INSTALL = "apt install python3-gst-1.0 gir1.2-gst-plugins-bad-1.0 gstreamer1.0-nice"

# Smaller than the application's own, and up to 1.1 Mbit/s: the processor is not what is tested.
SMALL_PICTURE = (
    "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
    "video/x-raw,width=320,height=240,framerate=30/1"
)

START_S = 20
STOP_S = 10

# A rate is what it is on average over this.
WINDOW_S = 3.0
# A busy machine is not in time.
PATIENCE_S = 90
POLL_S = 0.2

Row = dict[str, float | None]


def what_is_missing() -> str | None:
    """Why the application cannot run here, for pytest.skip."""
    done = subprocess.run([PYTHON, "-c", NEEDED], capture_output=True, check=False)
    if done.returncode != 0:
        return f"no webrtcbin in Python: {INSTALL}"
    if not (BUILD / "plugin" / "libgstgcc.so").is_file():
        return f"{BUILD} is no build: meson compile -C {BUILD}"
    return None


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "GST_PLUGIN_PATH": str(BUILD / "plugin"),
        "LD_LIBRARY_PATH": str(BUILD / "gst" / "gcc"),
        "GST_REGISTRY": str(folder / "registry.bin"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONFAULTHANDLER": "1",
    }


def wait_for_address(log: Path, process: subprocess.Popen[bytes]) -> str:
    """The last address that it prints: the one that others reach it at, if there is one."""
    end = time.monotonic() + START_S
    while time.monotonic() < end and process.poll() is None:
        text = log.read_text(encoding="utf-8")
        if "the certificate is made" in text:
            return re.findall(r"open (https://\S+)/", text)[-1]
        time.sleep(0.1)
    raise AssertionError(log.read_text(encoding="utf-8"))


@contextmanager
def running(folder: Path, *options: str) -> Iterator[str]:
    """Runs the application with its traces in @folder; yields its address."""
    log = folder / "application.txt"
    command = (PYTHON, str(CALL), "--port", "0", "--traces", str(folder), *options)
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=environment(folder), stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield wait_for_address(log, process)
        assert process.poll() is None, log.read_text(encoding="utf-8")
    finally:
        # as Ctrl-C: the traces are whole then
        process.send_signal(signal.SIGINT)
        try:
            status = process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            # says where its threads are
            process.send_signal(signal.SIGABRT)
            status = process.wait()
        sys.stdout.write(log.read_text(encoding="utf-8"))
    assert status == 0


def read(file: Path) -> list[Row]:
    """A trace; what is no number is left out."""
    return rows_of(file.read_text(encoding="utf-8"))


def read_live(file: Path) -> list[Row]:
    """The whole lines of a trace that is being written; none where it has not begun."""
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return rows_of(text[: text.rfind("\n") + 1])


def rows_of(text: str) -> list[Row]:
    def number(cell: str) -> float | None:
        try:
            return float(cell)
        except ValueError:
            return None

    rows = csv.DictReader(io.StringIO(text))
    return [{key: number(cell) for key, cell in row.items()} for row in rows]


def wait_for(folder: Path, wanted: Mapping[str, Callable[[list[Row]], bool]]) -> set[str]:
    """Until each was true of a whole window of the call's log, or patience ends: those that were.

    The log is the one that the page and the application keep together.
    """
    begin = time.time()
    seen: set[str] = set()
    while len(seen) < len(wanted) and (now := time.time()) < begin + PATIENCE_S:
        if now >= begin + WINDOW_S:
            rows = read_live(folder / "browser.csv")
            window = [row for row in rows if row["time_s"] >= now - WINDOW_S]
            seen |= {name for name, is_true in wanted.items() if is_true(window)}
        time.sleep(POLL_S)
    return seen


def mean(rows: list[Row], column: str) -> float:
    """0 where nothing is known."""
    return statistics.mean(known(rows, column) or [0])


def known(rows: list[Row], column: str) -> list[float]:
    return [value for row in rows if (value := row[column]) is not None]


def words(file: Path, column: str) -> list[str]:
    """A column of text."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [row[column] for row in csv.DictReader(lines)]
