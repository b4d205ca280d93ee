"""The lines to copy: what examples/launch has runs as it stands."""

from __future__ import annotations

import os
import re
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


def call(
    tmp_path: Path, sender: tuple[str, ...], receiver: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    """Runs both ends until all of the wanted numbers of gccsender are above 0."""
    environment = {
        **os.environ,
        "GST_PLUGIN_PATH": str(BUILD / "plugin"),
        "LD_LIBRARY_PATH": str(BUILD / "gst" / "gcc"),
        "GST_REGISTRY": str(tmp_path / "registry.bin"),
    }
    running = []
    for name, *words in (receiver, sender):
        log = tmp_path / f"{name}.log"
        with log.open("w") as output:
            running.append(
                subprocess.Popen(
                    [str(LAUNCH / name), *words],
                    env=environment,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )
            )
    end = time.monotonic() + PATIENCE_S
    log = tmp_path / f"{sender[0]}.log"
    while not (heard := all(above_zero(log.read_text(), field) for field in wanted)):
        if time.monotonic() > end or any(process.poll() is not None for process in running):
            break
        time.sleep(0.2)
    for process in running:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
    said = [(tmp_path / f"{name}.log").read_text() for name, *_ in (receiver, sender)]
    assert heard, said
    assert not any("ERROR" in words for words in said), said


def above_zero(said: str, field: str) -> bool:
    """Whether a number in the messages of gccsender ever was."""
    return any(float(number) > 0 for number in re.findall(rf"\b{field}=\(\w+\)([0-9.]+)", said))


def test_the_sender_hears_of_the_receiver(tmp_path: Path) -> None:
    call(
        tmp_path,
        ("sender.sh", "127.0.0.1", SOURCE),
        ("receiver.sh", "127.0.0.1", SINK),
        ("reports", "rembs"),
    )


def test_what_is_lost_is_sent_again(tmp_path: Path) -> None:
    call(
        tmp_path,
        ("protected-sender.sh", "127.0.0.1", SOURCE, "0.1"),
        ("protected-receiver.sh", "127.0.0.1", SINK),
        ("fraction-lost", "rtx"),
    )
