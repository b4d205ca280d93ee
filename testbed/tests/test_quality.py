"""Video quality, from a recording made without a network: encoded, written down, and damaged."""

import json
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure import quality
from gcc_testbed.measure.captures import Packets
from gcc_testbed.run import pipelines
from gcc_testbed.scenario.sequence import Sequence

WIDTH, HEIGHT, FRAMES, LOOP = 160, 128, 90, 60

pytestmark = pytest.mark.skipif(
    not (shutil.which("ffmpeg") and shutil.which("gst-launch-1.0")),
    reason="ffmpeg and GStreamer are not installed",
)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Sequence:
    frames = tmp_path_factory.mktemp("frames")
    subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={WIDTH}x{HEIGHT}:r=30"),
            *("-frames:v", str(LOOP), "-pix_fmt", "yuv420p", "-f", "image2", "-c:v", "rawvideo"),
            *("-start_number", "0", str(frames / "f%04d.i420")),
        ],
        check=True,
    )
    return Sequence("test", "test", "0" * 64, WIDTH, HEIGHT, "30/1", LOOP, str(frames))


@pytest.fixture(scope="module")
def record(source: Sequence, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Three seconds of the looped source at a bitrate, with a key frame every so many frames.

    Of a part of its width and height, if that is asked for.
    """
    base = tmp_path_factory.mktemp("recordings")

    def make(kbps: int, key_distance: int, part: int = 1) -> Path:
        file = base / f"{kbps}-{key_distance}-{part}.gdp"
        size = f"video/x-raw,width={WIDTH // part},height={HEIGHT // part}"
        if not file.exists():
            subprocess.run(
                [
                    *("gst-launch-1.0", "-q", "multifilesrc", f"num-buffers={FRAMES}"),
                    *(f"location={source.frames}/f%04d.i420", "loop=true"),
                    *("start-index=0", f"stop-index={LOOP - 1}"),
                    *("!", "rawvideoparse", "format=i420", "framerate=30/1"),
                    *(f"width={WIDTH}", f"height={HEIGHT}", "!", "videoscale", "!", size),
                    *("!", "vp8enc", "deadline=1", "cpu-used=-6", "end-usage=cbr", "threads=1"),
                    *(f"keyframe-max-dist={key_distance}", f"target-bitrate={kbps * 1000}"),
                    *("!", "rtpvp8pay", "mtu=400", "picture-id-mode=15-bit"),
                    *("timestamp-offset=4294960000", "seqnum-offset=65500"),
                    # The very branch of the receiver.
                    *("!", *pipelines.recording_branch(str(file))),
                ],
                check=True,
            )
        return file

    return make


def damage(recording: Path, into: Path, loses: Callable[[int, int], bool]) -> Path:
    """A copy without the packets for which `loses(frame, packet within the frame)`."""
    content, at, kept = recording.read_bytes(), 0, b""
    frame, part = 0, 0
    while at < len(content):
        kind, length = struct.unpack_from(">HI", content, at + 4)
        block = content[at : at + 62 + length]
        at += len(block)
        if kind == 1:
            lost = loses(frame, part)
            ends = bool(block[62 + 1] & 0x80)
            frame, part = (frame + 1, 0) if ends else (frame, part + 1)
            if lost:
                continue
        kept += block
    into.write_bytes(kept)
    return into


def test_a_whole_recording_shows_every_frame(
    record: Callable[[int, int], Path], source: Sequence
) -> None:
    found = quality.measure(record(800, 300), source)
    assert json.loads(json.dumps(found)) == found
    assert found["frames_displayed"] == found["frames_whole"] == FRAMES
    assert found["frame_rate"] == pytest.approx(30, abs=0.5)
    assert (found["freezes"], found["freeze_s"]) == (0, 0)
    assert 32 < found["psnr_y_db"]["mean"] < 55
    assert 0.9 < found["ssim_y"]["mean"] <= 1


def test_fewer_bits_are_a_worse_picture(
    record: Callable[[int, int], Path], source: Sequence
) -> None:
    rich = quality.measure(record(800, 300), source)
    poor = quality.measure(record(100, 300), source)
    for measure in ("psnr_y_db", "ssim_y"):
        assert poor[measure]["mean"] < rich[measure]["mean"]


def test_pictures_of_another_size_are_compared_at_the_sources(
    record: Callable[..., Path], source: Sequence
) -> None:
    large, small = (
        [frame.data for frame in quality.assemble(list(quality.read_packets(recording)))]
        for recording in (record(800, 300), record(800, 300, 2))
    )
    indices = [*range(LOOP), *range(FRAMES - LOOP)] * 2
    _, ssim = quality.compare([*large, *small], indices, source)
    assert len(ssim) == 2 * FRAMES
    assert 0.7 < ssim[FRAMES:].mean() < ssim[:FRAMES].mean()


def test_a_lost_frame_freezes_the_picture_until_the_next_key_frame(
    record: Callable[[int, int], Path], source: Sequence, tmp_path: Path
) -> None:
    broken = damage(record(800, 30), tmp_path / "r.gdp", lambda frame, _: frame == 40)
    found = quality.measure(broken, source)
    # Frames 40 to 59 are not shown: from 39 to the key frame 60 are 21 frames.
    assert found["frames_whole"] == FRAMES - 1
    assert found["frames_displayed"] == FRAMES - 20
    assert found["freezes"] == 1
    assert found["freeze_s"] == found["longest_freeze_s"] == pytest.approx(21 / 30, abs=0.002)
    # The frames that are shown are compared with the right frames of the source.
    assert found["psnr_y_db"]["p5"] > 30


def test_a_frame_without_its_middle_is_not_shown(
    record: Callable[[int, int], Path], source: Sequence, tmp_path: Path
) -> None:
    broken = damage(
        record(800, 30), tmp_path / "r.gdp", lambda frame, part: (frame, part) == (58, 1)
    )
    found = quality.measure(broken, source)
    assert found["frames_displayed"] == FRAMES - 2
    # 57 to 60: 100 ms are not a freeze.
    assert found["freezes"] == 0


def test_without_a_key_frame_the_picture_stands_to_the_end(
    record: Callable[[int, int], Path], source: Sequence, tmp_path: Path
) -> None:
    broken = damage(record(800, 300), tmp_path / "r.gdp", lambda frame, _: frame == 30)
    found = quality.measure(broken, source, begin_s=0, end_s=3)
    assert (found["frames_source"], found["frames_displayed"]) == (90, 30)
    assert found["frame_rate"] == 10
    assert found["freeze_s"] == pytest.approx(2 + 1 / 30, abs=0.002)


def test_an_interval_is_compared_with_its_own_frames(
    record: Callable[[int, int], Path], source: Sequence
) -> None:
    found = quality.measure(record(800, 300), source, begin_s=1.99, end_s=2.99)
    assert found["frames_displayed"] == 30
    assert found["psnr_y_db"]["p5"] > 30


def test_the_wrong_frames_would_be_seen(
    record: Callable[[int, int], Path], source: Sequence
) -> None:
    right = quality.measure(record(800, 300), source)
    first = next(quality.read_packets(record(800, 300))).timestamp
    wrong = quality.measure(record(800, 300), source, first_timestamp=first - 3000)
    assert wrong["psnr_y_db"]["mean"] < right["psnr_y_db"]["mean"] - 5


def test_times_are_those_of_the_capture(
    record: Callable[[int, int], Path], source: Sequence
) -> None:
    packets = list(quality.read_packets(record(800, 300)))
    numbers = np.array([packet.sequence for packet in packets])
    # The capture began before the recording and counts a turn of the numbers more; in the middle
    # of the call the network held everything for a second.
    frame_of = np.array([(packet.timestamp - packets[0].timestamp) // 3000 for packet in packets])
    times = 10 + frame_of / 30 + (frame_of >= 45)
    zeros = np.zeros(len(numbers), dtype=np.int64)
    arrivals = Packets(
        times, zeros, zeros, numbers + 0x10000, *([zeros] * (len(Packets.__dataclass_fields__) - 4))
    )
    found = quality.measure(
        record(800, 300), source, arrivals=arrivals, begin_s=10, end_s=10 + FRAMES / 30 + 1
    )
    assert found["frames_displayed"] == FRAMES
    assert (found["freezes"], found["freeze_s"]) == (1, pytest.approx(1 + 1 / 30, abs=0.002))


def test_a_freeze_counts_only_within_the_interval() -> None:
    times = np.array([0.0, 0.1, 1.1, 1.2])
    assert quality.freezes(times, 0.0, 1.2) == [pytest.approx(1.0)]
    assert quality.freezes(times, 0.6, 1.2) == [pytest.approx(0.5)]
    assert quality.freezes(times, 0.0, 2.2) == [pytest.approx(1.0), pytest.approx(1.0)]
    assert quality.freezes(np.array([]), 0.0, 2.0) == [pytest.approx(2.0)]
    assert quality.freezes(times, 1.1, 1.2) == []


def test_an_empty_or_cut_recording_measures_nothing(tmp_path: Path, source: Sequence) -> None:
    (tmp_path / "empty.gdp").write_bytes(b"")
    found = quality.measure(tmp_path / "empty.gdp", source, begin_s=0, end_s=2)
    assert found["frames_displayed"] == 0
    assert found["psnr_y_db"]["mean"] is None
    assert (found["freezes"], found["freeze_s"]) == (1, 2)


def test_a_source_frame_is_found_across_the_wrap_of_the_clock(source: Sequence) -> None:
    first = 2**32 - 3000
    for frame in (0, 1, LOOP - 1, LOOP, 10 * LOOP + 7):
        timestamp = (first + 3000 * frame) % 2**32
        assert quality.source_index(timestamp, first, source) == frame % LOOP
