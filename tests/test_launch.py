"""The lines to copy: what examples/launch and the elements' pages have runs as it stands."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAUNCH = ROOT / "examples/launch"
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
SOURCE = "videotestsrc is-live=true ! video/x-raw,width=320,height=240,framerate=30/1"
SINK = "fakesink sync=false"
# A busy machine needs longer than the six seconds that it takes an idle one.
PATIENCE_S = 60.0
# What a machine without camera, screen and network has in place of an example's.
REPLACED = {
    "v4l2src": SOURCE.split(),
    "autovideosink": SINK.split(),
    "host=192.0.2.1": ["host=127.0.0.1"],
    "host=192.0.2.2": ["host=127.0.0.1"],
}
SENDER = "gstgccsender.c"
RECEIVER = "gstgccreceiver.c"
ABS_SEND_TIME = "gstrtphdrextabssendtime.c"


def environment(tmp_path: Path) -> dict[str, str]:
    return {
        **os.environ,
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
    """Runs both ends until all of the wanted numbers of gccsender are above 0."""
    running = []
    logs = [tmp_path / "receiver.log", tmp_path / "sender.log"]
    for log, command in zip(logs, (receiver, sender), strict=True):
        with log.open("w") as output:
            running.append(
                subprocess.Popen(
                    command,
                    env=environment(tmp_path),
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )
            )
    end = time.monotonic() + PATIENCE_S
    while not (heard := all(above_zero(logs[1].read_text(), field) for field in wanted)):
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


def above_zero(said: str, field: str) -> bool:
    """Whether a number in the messages of gccsender ever was."""
    return any(float(number) > 0 for number in re.findall(rf"\b{field}=\(\w+\)([0-9.]+)", said))


def test_the_sender_hears_of_the_receiver(tmp_path: Path) -> None:
    call(
        tmp_path,
        script("sender.sh", "127.0.0.1", SOURCE),
        script("receiver.sh", "127.0.0.1", SINK),
        ("reports", "rembs"),
    )


def test_what_is_lost_is_sent_again(tmp_path: Path) -> None:
    call(
        tmp_path,
        script("protected-sender.sh", "127.0.0.1", SOURCE, "0.1"),
        script("protected-receiver.sh", "127.0.0.1", SINK),
        ("fraction-lost", "rtx"),
    )


def examples(file: str) -> list[str]:
    """The complete command lines in the SECTION comment of a file of the plugin, for a shell."""
    text = (ROOT / "plugin" / file).read_text(encoding="utf-8")
    blocks = re.findall(r"^ \* \|\[\n(.*?)^ \* \]\|", text, re.DOTALL | re.MULTILINE)
    lines = [re.sub(r"^ \* ?", "", block, flags=re.MULTILINE) for block in blocks]
    return [line for line in lines if "..." not in line]


def example(file: str) -> list[str]:
    """The only complete command line of a file, taken apart by a shell."""
    (line,) = examples(file)
    shell = f"gst-launch-1.0 () {{ printf '%s\\0' gst-launch-1.0 -m \"$@\"; }}\n{line}"
    done = subprocess.run(["bash", "-euc", shell], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    words = done.stdout.split("\0")[:-1]
    return [new for word in words for new in REPLACED.get(word, [word])]


def test_no_other_file_has_an_example() -> None:
    files = {path.name for path in (ROOT / "plugin").glob("*.c") if examples(path.name)}
    assert files == {SENDER, RECEIVER, ABS_SEND_TIME}


@pytest.mark.parametrize("sender", [SENDER, ABS_SEND_TIME])
def test_the_example_of_a_sender_hears_of_that_of_the_receiver(sender: str, tmp_path: Path) -> None:
    call(tmp_path, example(sender), example(RECEIVER), ("reports", "rembs"))
