"""What each known encoder takes of real time on one core, once gccsender has configured it.

    meson test --benchmark -C build encoders -v

CPU time, so that other processes disturb it little. Fails where an encoder takes half of real time
or more. `--write` puts the table into docs/encoder.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.run.sequences import prepare
from gcc_testbed.scenario.sequence import Sequence

PAGE = Path(__file__).parents[2] / "docs/encoder.md"

WIDTH, HEIGHT, FPS = 640, 360, 30
BITRATE = 1_000_000
MOST = 0.5
# Someone who moves before a camera that does, and four who sit before one that does not.
SEQUENCES = ("foreman", "fourpeople")
# Debian has no payloader of AV1; rtpgstpay takes anything.
PAYLOADERS = {
    "vp8enc": "rtpvp8pay",
    "vp9enc": "rtpvp9pay",
    "x264enc": "rtph264pay",
    "x265enc": "rtph265pay",
    "openh264enc": "rtph264pay",
    "av1enc": "rtpgstpay",
}
SKIPPED = 77


@dataclass(frozen=True)
class Video:
    """Raw frames of the size that is encoded."""

    name: str
    file: Path

    @property
    def duration_s(self) -> float:
        return self.file.stat().st_size / (WIDTH * HEIGHT * 3 / 2) / FPS


def scale(sequence: Sequence, into: Path) -> Video:
    file = into / f"{sequence.name}.i420"
    command = [
        *("ffmpeg", "-v", "error", "-nostdin", "-f", "image2", "-framerate", str(FPS)),
        *("-pixel_format", "yuv420p", "-video_size", f"{sequence.width}x{sequence.height}"),
        *("-c:v", "rawvideo", "-i", f"{sequence.frames}/f%04d.i420"),
        *("-vf", f"scale={WIDTH}:{HEIGHT}", "-f", "rawvideo", str(file)),
    ]
    subprocess.run(command, check=True)
    return Video(sequence.name, file)


def exists(element: str) -> bool:
    return subprocess.run(["gst-inspect-1.0", "--exists", element], check=False).returncode == 0


def share(encoder: str, video: Video) -> float:
    """The CPU time of the whole process, from its start on, by the duration of the video."""
    core = max(os.sched_getaffinity(0))
    line = (
        f"filesrc location={video.file} ! rawvideoparse format=i420 width={WIDTH} height={HEIGHT} "
        f"framerate={FPS}/1 ! {encoder} ! {PAYLOADERS[encoder]} ! "
        f"gccsender manage=all min-bitrate={BITRATE} start-bitrate={BITRATE} "
        f"max-bitrate={BITRATE} ! fakesink"
    )
    command = ["taskset", "-c", str(core), "gst-launch-1.0", "-q", *line.split()]
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            said.seek(0)
            raise SystemExit(f"{encoder}: {said.read().decode(errors='replace').strip()}")
    return (usage.ru_utime + usage.ru_stime) / video.duration_s


def measure(videos: list[Video], encoders: list[str]) -> Iterator[tuple[str, list[float]]]:
    for encoder in encoders:
        yield encoder, [share(encoder, video) for video in videos]


def write(rows: list[str]) -> None:
    text = PAGE.read_text(encoding="utf-8").splitlines(keepends=True)
    start = next(n for n, line in enumerate(text) if line.startswith("| of real time |"))
    end = next(n for n in range(start, len(text)) if not text[n].startswith("|"))
    text[start:end] = [f"{row}\n" for row in rows]
    PAGE.write_text("".join(text), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help="into docs/encoder.md")
    options = parser.parse_args()

    encoders = [encoder for encoder in PAYLOADERS if exists(encoder)]
    if not encoders:
        print("no known encoder is installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        # It says so where a generated source takes the place of one that cannot be had.
        sequences = [prepare(name, lambda said: print(said), lambda *_: None) for name in SEQUENCES]
        videos = [scale(sequence, Path(scratch)) for sequence in sequences]
        rows = [
            f"| of real time | {' | '.join(video.name for video in videos)} |",
            f"|---|{'---|' * len(videos)}",
        ]
        print(*rows, sep="\n", flush=True)
        slow = []
        for encoder, shares in measure(videos, encoders):
            rows.append(f"| {encoder} | {' | '.join(f'{part:.0%}' for part in shares)} |")
            print(rows[-1], flush=True)
            slow += [encoder] if max(shares) >= MOST else []
    if options.write:
        write(rows)
    print(f"goal: less than {MOST:.0%} each: {f'MISSED by {slow}' if slow else 'met'}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
