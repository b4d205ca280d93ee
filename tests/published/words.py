"""What a shell makes of a block: the words of its command, and what a test runs in their place."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from gcc_testbed.scenario.network import ADDRESS

from published.blocks import ROOT, Block

# The one table of what differs from what is printed: camera, microphone, screen, loudspeaker, and
# the trace that tells what happened. `{end}` is the host that runs the line, a or b.
REPLACED = {
    "v4l2src": "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
    "video/x-raw,width=640,height=480,framerate=30/1",
    "autoaudiosrc": "audiotestsrc is-live=true",
    "autovideosink": "fakesink sync=true",
    "autoaudiosink": "fakesink sync=true",
    "gccsender": "gccsender trace-location=/run/call/{end}.csv",
    # The one that has the bindings.
    "python3": "/usr/bin/python3",
}
# ... and what stands for the hosts.
HOSTS = {
    "a": {"SENDER": ADDRESS["a"], "RECEIVER": ADDRESS["b"], "PEER": ADDRESS["b"]},
    "b": {"SENDER": ADDRESS["a"], "RECEIVER": ADDRESS["b"], "PEER": ADDRESS["a"]},
}
# What a script of examples/launch is started with.
ARGUMENTS = {
    "examples/launch/sender.sh": ("RECEIVER", "v4l2src"),
    "examples/launch/receiver.sh": ("SENDER",),
    "examples/launch/protected-sender.sh": ("RECEIVER", "v4l2src"),
    "examples/launch/protected-receiver.sh": ("SENDER",),
}

# Programs that a line may start. In their place: print the words, each ended by a null character.
_PROGRAMS = ("gst-launch-1.0", "python3")
_PRINT = '#!/bin/sh\nprintf \'%s\\0\' "${0##*/}" "$@"\n'


def taken_apart(block: Block) -> list[str]:
    """The words of the only command of a block, as a shell would start it."""
    with tempfile.TemporaryDirectory() as folder:
        for name in _PROGRAMS:
            program = Path(folder) / name
            program.write_text(_PRINT, encoding="utf-8")
            program.chmod(0o755)
        script = Path(folder) / "block"
        script.write_text(block.text, encoding="utf-8")
        done = subprocess.run(
            ["/bin/bash", "-eu", str(script), *ARGUMENTS.get(block.document, ())],
            # No other program is found: a text is not run but for its own words.
            env={"PATH": folder},
            capture_output=True,
            text=True,
            check=False,
        )
    words = done.stdout.split("\0")[:-1]
    if done.returncode != 0 or sum(word in _PROGRAMS for word in words) != 1:
        raise ValueError(f"{block.name}: expected one command, got: {words} {done.stderr}")
    return words


def pipeline(words: list[str]) -> list[str]:
    """The words of the pipeline, which may stand in a program."""
    if words[0] == "python3":
        return (ROOT / words[1]).read_text(encoding="utf-8").split()
    return words


def normalised(words: list[str]) -> list[str]:
    """Without what changes only what is printed."""
    return [word for word in words if word != "-m"]


def as_run(words: list[str], end: str) -> list[str]:
    """The same words as a test runs them at the host a or b."""
    if words[0] == "python3":
        text = (ROOT / words[1]).read_text(encoding="utf-8")
        program = re.sub(r"\S+", lambda word: " ".join(_replaced(word[0], end)), text)
        return [*_replaced("python3", end), "-c", program, *_all_replaced(words[2:], end)]
    return _all_replaced(words, end)


def _all_replaced(words: list[str], end: str) -> list[str]:
    return [new for word in words for new in _replaced(word, end)]


def _replaced(word: str, end: str) -> list[str]:
    for name, address in HOSTS[end].items():
        word = re.sub(rf"\b{name}\b", address, word)
    new = REPLACED.get(word)
    return [word] if new is None else new.format(end=end).split()
