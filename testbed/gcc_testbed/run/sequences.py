"""Test sequences: found, downloaded or generated, and decoded into one file per raw frame."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from gcc_testbed.scenario.sequence import Sequence, stand_in
from gcc_testbed.support import temporary
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import IS_CHECKOUT, PROJECT, cache

Say = Callable[[str], None]
Advance = Callable[[str, float], None]

DOWNLOAD_TIMEOUT_S = 20


@dataclass(frozen=True)
class Named:
    """A well-known sequence: its file names, and how to use it."""

    files: tuple[str, ...]
    url: str
    width: int
    height: int
    fps: Fraction
    frame_count: int
    # Every second frame is dropped if the file has this frame rate.
    halve_from: Fraction | None = None


NAMED = {
    "foreman": Named(
        files=("foreman_cif.y4m", "foreman_cif.mp4"),
        url="https://media.xiph.org/video/derf/y4m/foreman_cif.y4m",
        width=352,
        height=288,
        fps=Fraction(30),
        frame_count=300,
    ),
    "fourpeople": Named(
        files=("FourPeople_1280x720_60.y4m", "FourPeople_1280x720_60.mp4"),
        url="https://media.xiph.org/video/derf/y4m/FourPeople_1280x720_60.y4m",
        width=1280,
        height=720,
        fps=Fraction(30),
        frame_count=300,
        halve_from=Fraction(60),
    ),
}


# A screen that nothing moves on, and then a camera: the first frame for so long, then the sequence
# up to so many frames in all.
STILL = {"still-foreman": "foreman"}
STILL_S = 60
STILL_FRAME_COUNT = 3000


def prepare(wanted: str, say: Say, advance: Advance) -> Sequence:
    """The sequence called `wanted` (a name or a video file), with its frames in the cache."""
    if wanted in STILL:
        return _still(wanted, prepare(STILL[wanted], say, advance))
    if wanted not in NAMED:
        return _unpack(Path(wanted).stem, Path(wanted), None, say)
    named = NAMED[wanted]
    file = find(named) or _download(wanted, named, say, advance)
    if file is None:
        say(f"{wanted}: not to be had; using a generated moving source instead")
        file = _generate(named)
        return _unpack(stand_in(wanted), file, None, say)
    return _unpack(wanted, file, named.halve_from, say)


def _still(name: str, moving: Sequence) -> Sequence:
    """A sequence that stands still at first, as links to the frames of another."""
    still = round(STILL_S * Fraction(moving.fps))
    frames = Path(f"{moving.frames}-still")
    if not frames.is_dir():
        with _partial(frames) as partial:
            for number in range(STILL_FRAME_COUNT):
                source = max(0, number - still) % moving.frame_count
                link = partial.path / f"f{number:04d}.i420"
                link.hardlink_to(Path(moving.frames) / f"f{source:04d}.i420")
            partial.keep()
    # A generated source says so in its name.
    shown = moving.name.replace(STILL[name], name)
    return replace(moving, name=shown, frame_count=STILL_FRAME_COUNT, frames=str(frames))


def search_path() -> list[Path]:
    """Directories that may hold a sequence, in the order of preference."""
    own = os.environ.get("GCC_SEQUENCES")
    return [
        *([Path(own)] if own else []),
        *([PROJECT.parent / "shared" / "sequences"] if IS_CHECKOUT else []),
        cache() / "sequences",
    ]


def find(named: Named) -> Path | None:
    """The first file of that name in the search path."""
    for directory in search_path():
        for file in named.files:
            if (directory / file).is_file():
                return directory / file
    return None


@dataclass(frozen=True)
class Video:
    """The properties of a file by ffprobe."""

    width: int
    height: int
    fps: Fraction


def probe(file: Path) -> Video:
    """Size and frame rate; a TestbedError when the file is not video."""
    command = [
        *("ffprobe", "-v", "error", "-select_streams", "v:0", "-of", "json"),
        *("-show_entries", "stream=width,height,avg_frame_rate,r_frame_rate,nb_frames"),
        str(file),
    ]
    try:
        shown = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except FileNotFoundError:
        raise TestbedError("ffprobe is missing; install it: apt install ffmpeg") from None
    except subprocess.TimeoutExpired:
        raise TestbedError(f"--sequence {file}: ffprobe did not finish in 60 s") from None
    not_video = TestbedError(f"--sequence {file}: not video; expected a file that ffmpeg decodes")
    if shown.returncode != 0:
        raise not_video
    streams = json.loads(shown.stdout or "{}").get("streams") or []
    if not streams:
        raise not_video
    fps = _frame_rate(streams[0])
    if fps is None or not streams[0].get("width"):
        raise not_video
    return Video(int(streams[0]["width"]), int(streams[0]["height"]), fps)


def _frame_rate(stream: dict[str, str]) -> Fraction | None:
    for key in ("avg_frame_rate", "r_frame_rate"):
        top, _, bottom = stream.get(key, "0/0").partition("/")
        if top.isdigit() and bottom.isdigit() and int(top) and int(bottom):
            rate = Fraction(int(top), int(bottom))
            if 1 <= rate <= 240:
                return rate
    return None


def _unpack(name: str, file: Path, halve_from: Fraction | None, say: Say) -> Sequence:
    video = probe(file)
    halve = halve_from is not None and video.fps == halve_from
    # 4:2:0 has no half chroma samples.
    width, height = video.width // 2 * 2, video.height // 2 * 2
    fps = video.fps / 2 if halve else video.fps
    sha256 = _hash(file)
    key = f"{sha256[:16]}-{width}x{height}{'-halved' if halve else ''}"
    frames = cache() / "frames" / key
    if not frames.is_dir():
        say(f"unpacking {file.name}")
        with _partial(frames) as partial:
            _decode(file, partial.path, width, height, halve)
            partial.keep()
    count = sum(1 for _ in frames.glob("f*.i420"))
    rate = f"{fps.numerator}/{fps.denominator}"
    return Sequence(name, file.name, sha256, width, height, rate, count, str(frames))


def _decode(file: Path, into: Path, width: int, height: int, halve: bool) -> None:
    filters = f"crop={width}:{height}:0:0,format=yuv420p"
    if halve:
        # Frame 0 of the known file repeats frame 1; after it every second frame.
        filters = f"select='gte(n\\,1)*mod(n\\,2)',{filters}"
    command = [
        *("ffmpeg", "-v", "error", "-nostdin", "-i", str(file), "-map", "0:v:0", "-an"),
        *("-vf", filters, "-fps_mode", "passthrough"),
        *("-f", "image2", "-c:v", "rawvideo", "-start_number", "0", str(into / "f%04d.i420")),
    ]
    # A loop needs no more; a whole film would fill the disk.
    command[-1:-1] = ["-frames:v", "3000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not (into / "f0000.i420").exists():
        reason = (done.stderr.strip().splitlines() or ["no frames came out"])[-1]
        raise TestbedError(f"--sequence {file}: ffmpeg cannot decode it: {reason}")
    frame_bytes = width * height * 3 // 2
    for frame in into.glob("*.i420"):
        if frame.stat().st_size != frame_bytes:
            raise TestbedError(f"--sequence {file}: a decoded frame has a wrong size")


def _generate(named: Named) -> Path:
    """A textured, moving picture that is as hard to encode as real video."""
    name = f"generated_{named.width}x{named.height}.mkv"
    file = cache() / "sequences" / name
    if file.is_file():
        return file
    w, h, seconds = named.width, named.height, named.frame_count / named.fps
    rate = f"r={named.fps}"
    # Coarse blobs and fine grain: structure at two scales, under a camera that sways, and a
    # zooming fractal before them for motion that no vector describes.
    graph = (
        f"color=gray:s={w // 8}x{h // 8}:{rate},format=yuv420p,"
        f"noise=alls=100:all_seed=7,scale={2 * w}:{2 * h}:flags=bicubic[blobs];"
        f"color=gray:s={2 * w}x{2 * h}:{rate},format=yuv420p,"
        "noise=c0s=30:c0_seed=8,gblur=sigma=0.7[grain];"
        "[blobs][grain]blend=all_mode=grainmerge,"
        f"crop={w}:{h}:x='(iw-ow)/2*(1+0.8*sin(n/43))':y='(ih-oh)/2*(1+0.8*cos(n/59))'[ground];"
        f"mandelbrot=s={w // 4 * 2}x{h // 4 * 2}:{rate},format=yuv420p[moving];"
        "[ground][moving]overlay=x='(W-w)/2+W/8*sin(n/31)':y='(H-h)/2':shortest=1,format=yuv420p"
    )
    with _partial(file) as partial:
        command = [
            *("ffmpeg", "-v", "error", "-nostdin", "-filter_complex", graph),
            *("-t", f"{float(seconds):g}", "-frames:v", str(named.frame_count)),
            *("-threads", "1", "-fflags", "+bitexact", "-flags:v", "+bitexact"),
            *("-c:v", "ffv1", "-f", "matroska", str(partial.path)),
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise TestbedError("ffmpeg is missing; install it: apt install ffmpeg") from None
        if done.returncode != 0:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise TestbedError(f"cannot generate a moving source: {reason}")
        partial.keep()
    return file


def _download(name: str, named: Named, say: Say, advance: Advance) -> Path | None:
    file = cache() / "sequences" / named.files[0]
    say(f"{name}: downloading {named.url}")
    try:
        with _partial(file) as partial:
            with (
                urllib.request.urlopen(named.url, timeout=DOWNLOAD_TIMEOUT_S) as answer,
                partial.path.open("wb") as target,
            ):
                total = int(answer.headers.get("Content-Length") or 0)
                if total:
                    say(f"{name}: {total / 1e6:.0f} MB")
                for block in iter(lambda: answer.read(1 << 18), b""):
                    target.write(block)
                    advance(f"download {name}", target.tell() / total if total else 0.0)
            if total and partial.path.stat().st_size != total:
                raise OSError("connection closed early")
            probe(partial.path)
            partial.keep()
    except (OSError, urllib.error.URLError, TestbedError) as problem:
        reason = getattr(problem, "reason", problem)
        say(f"{name}: download failed: {reason}")
        return None
    return file


def _hash(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@dataclass(frozen=True)
class _Partial:
    """A file or directory not yet under its final name."""

    path: Path
    final: Path

    def keep(self) -> None:
        try:
            self.path.rename(self.final)
        except OSError:
            # Another run has put the same content there first.
            if not self.final.exists():
                raise


@contextmanager
def _partial(final: Path) -> Iterator[_Partial]:
    """A file or directory that appears under its final name only when complete."""
    final.parent.mkdir(parents=True, exist_ok=True)
    with temporary.directory(".making-", final.parent) as scratch:
        partial = _Partial(scratch / "made", final)
        if not final.suffix:
            partial.path.mkdir()
        yield partial
