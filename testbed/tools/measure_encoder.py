"""Measures settings of encoders and writes three tables and the figure of docs/encoder.md.

    build/venv/bin/python testbed/tools/measure_encoder.py

No network and no clock: the same numbers each time. Three minutes.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure.quality import compare
from gcc_testbed.run.sequences import prepare
from gcc_testbed.scenario.sequence import Sequence

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/encoder.md"
FIGURE = ROOT / "docs/images/encoder.png"
PROGRAM = Path(__file__).parent / "encode-steps.c"

FPS = 30
# kbit/s from a second on. The sequence is 10 s long: both changes meet the same quiet picture.
STEPS = {0: 1000, 12: 500, 22: 1000}
KEY_FRAME_S = 5
DURATION_S = 30
WINDOW_S = 0.5
# How often an encoder is set while the cost of a change is measured.
CHANGE_S = 0.2
BAND = 0.1
COLOURS = ("#b3202c", "#0b5fa5", "#d1660a")


@dataclass(frozen=True)
class Kind:
    """An encoder, the format of its output, and the settings that make it repeatable."""

    name: str
    caps: str
    codec: str
    fixed: str


# One thread. vp8enc also a fixed effort, for otherwise it watches the clock.
KINDS = (
    Kind("vp8enc", "video/x-vp8", "vp8", "cpu-used=-6 threads=1"),
    Kind("vp9enc", "video/x-vp9", "vp9", "threads=1"),
    Kind("x264enc", "video/x-h264,stream-format=byte-stream", "h264", "threads=1"),
    Kind("x265enc", "video/x-h265,stream-format=byte-stream", "hevc", ""),
    Kind("openh264enc", "video/x-h264,stream-format=byte-stream", "h264", "multi-thread=1"),
    Kind("av1enc", "video/x-av1", "av1", "threads=1"),
)
VP8 = KINDS[0]
TABLE = (ROOT / "plugin/stream/gstgccencodertypes.c").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Known:
    """The entry of an encoder in gccsender's table."""

    rate: str
    bits_per_unit: int
    settings: dict[str, str]


def known(name: str) -> Known:
    row = re.search(rf'{{ "{name}", "([^"]+)", NULL, (\d+), \w+, \d+, (\w+),', TABLE)
    assert row
    return Known(row[1], int(row[2]), dict(word.split("=", 1) for word in macro(row[3]).split()))


def macro(name: str) -> str:
    """The string that a macro stands for, which may begin with another."""
    lines = re.search(rf"#define {name} ((?:.*\\\n)*.*)", TABLE)
    assert lines
    words = re.findall(r'"([^"]*)"|(\w+_SETTINGS)', lines[1])
    return "".join(macro(other) if other else text for text, other in words)


def variants() -> dict[str, dict[str, str]]:
    ours = known(VP8.name).settings
    changes = {
        "buffer of 1 s": {
            "buffer-size": "1000",
            "buffer-initial-size": "500",
            "buffer-optimal-size": "600",
        },
        "max-intra-bitrate=300": {"max-intra-bitrate": "300"},
    }
    return {
        "GStreamer's own": {"deadline": "1", "end-usage": "cbr"},
        "encoder-settings": ours,
        **{name: {**ours, **change} for name, change in changes.items()},
    }


@dataclass(frozen=True)
class Encoded:
    """The output: which frames of the input, which of them are key frames, and their content."""

    numbers: NDArray[np.int64]
    keys: NDArray[np.int64]
    frames: list[bytes]

    @property
    def bits(self) -> NDArray[np.float64]:
        """Of each frame of the input; none for one that was dropped."""
        found = np.zeros(DURATION_S * FPS)
        found[self.numbers] = [8 * len(frame) for frame in self.frames]
        return found


def steps_of(encoder: Known) -> list[str]:
    """The target's two large changes, and a request for a key frame."""
    steps = [
        f"{at * FPS}:{encoder.rate}={kbps * 1000 // encoder.bits_per_unit}"
        for at, kbps in STEPS.items()
    ]
    return [*steps, f"{KEY_FRAME_S * FPS}:key"]


def small_changes(encoder: Known) -> list[str]:
    """A kbit/s more and less in turn, all along."""
    frames = range(0, DURATION_S * FPS, round(CHANGE_S * FPS))
    rates = [(STEPS[0] + more) * 1000 // encoder.bits_per_unit for more in (0, 1)]
    return [f"{frame}:{encoder.rate}={rates[n % 2]}" for n, frame in enumerate(frames)]


def encode(
    program: Path, kind: Kind, settings: dict[str, str], sequence: Sequence, steps: list[str]
) -> Encoded:
    encoder = known(kind.name)
    words = " ".join(f"{key}={value}" for key, value in settings.items())
    line = (
        f"multifilesrc location={shlex.quote(sequence.frames)}/f%04d.i420 loop=true "
        f"stop-index={sequence.frame_count - 1} num-buffers={DURATION_S * FPS} ! "
        f"rawvideoparse format=i420 width={sequence.width} height={sequence.height} "
        f"framerate={sequence.fps} ! {kind.name} name=encoder {words} {kind.fixed} "
        f"{encoder.rate}={STEPS[0] * 1000 // encoder.bits_per_unit} ! {kind.caps} ! fakesink"
    )
    said = subprocess.run([program, line, *steps], check=True, capture_output=True, text=True)
    rows = [row.split() for row in said.stdout.splitlines()]
    # x265enc counts its time from 1000 h on.
    begin = int(rows[0][0])
    numbers = np.array([round((int(time) - begin) * FPS / 1e9) for time, *_ in rows])
    is_key = np.array([how == "key" for _, how, _ in rows])
    return Encoded(numbers, numbers[is_key], [bytes.fromhex(data) for *_, data in rows])


def targets() -> NDArray[np.float64]:
    """Bits that each frame of the input may take."""
    found = np.zeros(DURATION_S * FPS)
    for at, kbps in STEPS.items():
        found[at * FPS :] = kbps * 1000 / FPS
    return found


def over_window(bits: NDArray[np.float64]) -> NDArray[np.float64]:
    """kbit/s over the window that begins with each frame."""
    count = round(WINDOW_S * FPS)
    return np.convolve(bits, np.ones(count), "valid") / WINDOW_S / 1000


def time_to_follow(rates: NDArray[np.float64], at_s: int) -> str:
    """From a change of the target to the first window whose rate is within the band of it."""
    later = [second for second in (*STEPS, DURATION_S) if second > at_s][0]
    for frame in range(at_s * FPS, min(later * FPS, len(rates))):
        if abs(rates[frame] / STEPS[at_s] - 1) <= BAND:
            return f"{frame / FPS - at_s:.1f} s"
    return f"not in {later - at_s} s"


def delay_ms(bits: NDArray[np.float64], begin_s: float, end_s: float) -> float:
    """The longest wait before a link of exactly the target, empty at the beginning."""
    waiting, longest = 0.0, 0.0
    begin, end = round(begin_s * FPS), round(end_s * FPS)
    for sent, may in zip(bits[begin:end], targets()[begin:end], strict=True):
        waiting += sent
        longest = max(longest, waiting / may)
        waiting = max(0.0, waiting - may)
    return longest * 1000 / FPS


def row(name: str, kind: Kind, encoded: Encoded, sequence: Sequence) -> str:
    bits, may = encoded.bits, targets()
    rates, key = over_window(bits), max(encoded.keys, key=lambda n: bits[n] / may[n])
    steady = rates[: 12 * FPS - round(WINDOW_S * FPS)]
    shown = (encoded.numbers % sequence.frame_count).tolist()
    psnr, _ = compare(encoded.frames, shown, sequence, kind.codec)
    cells = [
        name,
        f"{bits[key] / may[key]:.1f}",
        f"{steady.max() / STEPS[0]:.2f}",
        time_to_follow(rates, 12),
        f"{delay_ms(bits, 12, 22):.0f} ms",
        time_to_follow(rates, 22),
        f"{bits.sum() / may.sum():.2f}",
        f"{psnr.mean():.1f} dB",
    ]
    return f"| {' | '.join(cells)} |"


def draw(encoded: dict[str, Encoded]) -> None:
    figure, axis = plt.subplots(figsize=(9, 3.2))
    may = targets() * FPS / 1000
    axis.step(np.arange(len(may)) / FPS, may, where="post", color="#8c8c8c", lw=1.2, label="target")
    for (name, one), colour in zip(encoded.items(), COLOURS, strict=True):
        rates = over_window(one.bits)
        axis.plot(np.arange(len(rates)) / FPS + WINDOW_S, rates, color=colour, lw=1, label=name)
    axis.set(xlim=(0, DURATION_S), ylim=0, xlabel="time (s)", ylabel=f"kbit/s over {WINDOW_S} s")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1))
    figure.savefig(FIGURE, dpi=110, bbox_inches="tight", metadata={"Software": None})


def replace_table(head: str, lines: list[str]) -> None:
    text = PAGE.read_text(encoding="utf-8").splitlines(keepends=True)
    start = next(n for n, line in enumerate(text) if line.startswith(f"| {head} |")) + 2
    end = next(n for n in range(start, len(text)) if not text[n].startswith("|"))
    text[start:end] = [f"{line}\n" for line in lines]
    PAGE.write_text("".join(text), encoding="utf-8")


def compile_program(program: Path) -> None:
    packages = ["pkg-config", "--cflags", "--libs", "gstreamer-1.0"]
    flags = subprocess.run(packages, check=True, capture_output=True, text=True).stdout.split()
    subprocess.run(["cc", "-O2", "-Wall", "-o", program, PROGRAM, *flags], check=True)


def compare_settings(program: Path, sequence: Sequence) -> None:
    encoded = {}
    for name, settings in variants().items():
        print(name, file=sys.stderr)
        encoded[name] = encode(program, VP8, settings, sequence, steps_of(known(VP8.name)))
    replace_table("settings", [row(name, VP8, one, sequence) for name, one in encoded.items()])
    draw({name: encoded[name] for name in list(encoded)[: len(COLOURS)]})


def compare_encoders(program: Path, sequence: Sequence) -> None:
    lines = []
    for kind in KINDS:
        print(kind.name, file=sys.stderr)
        encoder = known(kind.name)
        encoded = encode(program, kind, encoder.settings, sequence, steps_of(encoder))
        lines.append(row(kind.name, kind, encoded, sequence))
    replace_table("encoder, configured", lines)


def compare_changes(program: Path, sequence: Sequence) -> None:
    """The cost of changes: key frames at one rate, and at a rate that changes all the time."""
    lines = []
    for kind in KINDS:
        print(f"{kind.name}, changed", file=sys.stderr)
        encoder = known(kind.name)
        keys = [
            str(len(encode(program, kind, encoder.settings, sequence, steps).keys))
            for steps in ([], small_changes(encoder))
        ]
        lines.append(f"| {' | '.join([kind.name, *keys])} |")
    replace_table("encoder, changed", lines)


def main() -> None:
    sequence = prepare("foreman", lambda _: None, lambda *_: None)
    with tempfile.TemporaryDirectory() as scratch:
        program = Path(scratch) / "encode-steps"
        compile_program(program)
        compare_settings(program, sequence)
        compare_encoders(program, sequence)
        compare_changes(program, sequence)


if __name__ == "__main__":
    main()
