"""Draws how three layers share a link that changes: the picture of docs/how-to/conference.md.

    build/venv/bin/python testbed/tools/simulcast.py [BUILD]

Makes the call of tests/element/simulcast-calls.c in virtual time, a minute on two cores.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from gcc_testbed.report.style import COLOUR, STYLE
from gcc_testbed.run import sequences

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs/images/simulcast.png"
LAYERS = {"low": COLOUR["received"], "mid": COLOUR["A_r"], "high": COLOUR["A_s"]}
# Of 50 ms each: a rate is a mean of these.
TICKS = 10


def make(build: Path) -> str:
    """The output of the call."""
    frames = sequences.prepare("foreman", print, lambda *_: None).frames
    call = subprocess.run(
        [str(ROOT / "tests/virtual.sh"), "tests/element/simulcast-calls", f"{frames}/f%04d.i420"],
        env={**os.environ, "GCC_BUILD_DIR": str(build)},
        capture_output=True,
        text=True,
        check=True,
    )
    return call.stdout


def read(printed: str) -> np.ndarray:
    """The time in s, the link, v and the rate of each layer in bit/s; a row a tick."""
    lines = [line.split()[1:] for line in printed.splitlines()]
    rows = [words for words in lines if len(words) == 3 + len(LAYERS) and "." in words[0]]
    return np.array(rows, dtype=float)


def draw(rows: np.ndarray) -> None:
    time, kbps = rows[:, 0], rows[:, 1:] / 1000
    mean = np.ones(TICKS) / TICKS
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(9, 3.2))
        axes.fill_between(time, kbps[:, 0], color=COLOUR["capacity"], step="pre", label="link")
        axes.plot(time, kbps[:, 1], color=COLOUR["text"], lw=0.8, label="v")
        for i, (name, colour) in enumerate(LAYERS.items(), start=2):
            rate = np.convolve(kbps[:, i], mean, mode="same")
            axes.plot(time, np.where(rate > 0, rate, np.nan), color=colour, label=name)
        axes.set(xlabel="s", ylabel="kbit/s", xlim=(0, time[-1]), ylim=(0, None))
        axes.legend(loc="upper right", ncols=1, frameon=False)
        figure.savefig(PICTURE, dpi=110, bbox_inches="tight", metadata={"Software": None})


if __name__ == "__main__":
    draw(read(make(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve())))
