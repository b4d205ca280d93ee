"""The scripts to copy end without a leak, in real time; what they reach is tested elsewhere."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAUNCH = ROOT / "examples/launch"
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
SOURCE = "videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=30/1"
SINK = "fakesink sync=false"
# A busy machine needs longer than the six seconds that it takes an idle one.
PATIENCE_S = 60.0
# In place of gst-launch-1.0: has gccsender write a trace, whose counts no message has.
TRACING = """#!/bin/bash
words=()
for word; do
  words+=("$word")
  if [ "$word" = gccsender ]; then words+=("trace-location=$GCC_TRACE"); fi
done
exec "$GST_LAUNCH" "${words[@]}"
"""


def environment(tmp_path: Path) -> dict[str, str]:
    launch = tmp_path / "gst-launch-1.0"
    launch.write_text(TRACING)
    launch.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "GST_LAUNCH": shutil.which("gst-launch-1.0") or "gst-launch-1.0",
        "GCC_TRACE": str(tmp_path / "trace.csv"),
        "GST_PLUGIN_PATH": str(BUILD / "plugin"),
        "LD_LIBRARY_PATH": str(BUILD / "gst" / "gcc"),
        "GST_REGISTRY": str(tmp_path / "registry.bin"),
        # What is left at the end is told in a warning, and by name.
        "GST_TRACERS": "leaks",
        "GST_DEBUG": "GST_TRACER:7",
    }


def script(name: str, *words: str) -> list[str]:
    return [str(LAUNCH / name), *words]


def call(tmp_path: Path, sender: list[str], receiver: list[str], wanted: tuple[str, ...]) -> None:
    """Runs both ends until all of the wanted columns of gccsender's trace are above 0."""
    running = []
    trace = tmp_path / "trace.csv"
    both_ends = environment(tmp_path)
    logs = [tmp_path / "receiver.log", tmp_path / "sender.log"]
    for log, command in zip(logs, (receiver, sender), strict=True):
        with log.open("w") as output:
            running.append(
                subprocess.Popen(
                    command,
                    env=both_ends,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )
            )
    end = time.monotonic() + PATIENCE_S
    while not (heard := all(above_zero(trace, column) for column in wanted)):
        if time.monotonic() > end or any(process.poll() is not None for process in running):
            break
        time.sleep(0.2)
    for process in running:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
    said = [log.read_text() for log in logs]
    assert heard, said
    assert not any("ERROR" in words for words in said), said
    assert not any("Leaks detected" in words for words in said), said


def above_zero(trace: Path, column: str) -> bool:
    """Whether a number in that column ever was; the last line may be half written."""
    if not trace.exists():
        return False
    with trace.open() as lines:
        return any(float(line[column] or 0) > 0 for line in csv.DictReader(lines))


def test_the_sender_hears_of_the_receiver(tmp_path: Path) -> None:
    call(
        tmp_path,
        script("sender.sh", "127.0.0.1", SOURCE),
        script("receiver.sh", "127.0.0.1", SINK),
        ("feedbacks",),
    )


def test_what_is_lost_is_sent_again(tmp_path: Path) -> None:
    call(
        tmp_path,
        script("protected-sender.sh", "127.0.0.1", SOURCE, "0.1"),
        script("protected-receiver.sh", "127.0.0.1", SINK),
        ("fraction_lost", "rtx"),
    )
