"""The quality of the received video: PSNR and SSIM against the source, freezes and frame rate.

The receiver's pipeline only records the RTP packets that leave its jitter buffer, after any repair;
everything else is done after the call, on the host. The RTP timestamp identifies the frame of the
looped sequence, the capture gives its arrival time.

A frame counts as displayed if a conferencing receiver would display it: it is complete and its
reference was displayed. After a lost frame the picture freezes until the next key frame.
"""

from __future__ import annotations

import struct
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure.captures import Packets
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.support import temporary
from gcc_testbed.support.errors import TestbedError

RTP_CLOCK = 90_000
FREEZE_S = 0.150
# For identical pictures, where PSNR is infinite.
MOST_PSNR_DB = 100.0

_GDP_HEADER = struct.Struct(">BBBBHIQ")
_GDP_HEADER_BYTES = 62
_GDP_BUFFER = 1
_NO_TIME = 2**64 - 1

_IVF_CODECS = {"vp8": b"VP80", "vp9": b"VP90", "av1": b"AV01"}


@dataclass(frozen=True)
class Packet:
    """A recorded RTP packet with VP8 in it; numbers are extended, so that they never wrap."""

    sequence: int
    timestamp: int
    marker: bool
    # When it left the jitter buffer, on the pipeline's clock: smoothed, not exact.
    time_s: float
    picture_id: int | None
    begins_frame: bool
    vp8: bytes


@dataclass(frozen=True)
class Frame:
    """A complete frame."""

    timestamp: int
    time_s: float
    data: bytes
    key: bool
    # Its predecessor was sent, but did not arrive whole.
    after_loss: bool


def measure(
    recording: Path,
    sequence: Sequence,
    *,
    arrivals: Packets | None = None,
    first_timestamp: int | None = None,
    begin_s: float | None = None,
    end_s: float | None = None,
) -> dict[str, Any]:
    """The quality of a recording in an interval of the call.

    `arrivals` is the capture at the receiver: it gives the times, in seconds of the call. Without
    it times are those of the recording, counted from its first frame. `first_timestamp` is the RTP
    timestamp of the sequence's first frame as sent; without it, that of the first received.
    """
    packets = list(read_packets(recording))
    frames = assemble(packets)
    shown = displayed(frames)
    times = display_times(shown, packets, arrivals)
    if first_timestamp is None and packets:
        first_timestamp = packets[0].timestamp
    begin = (float(times[0]) if len(times) else 0.0) if begin_s is None else begin_s
    end = (float(times[-1]) if len(times) else begin) if end_s is None else end_s

    inside = [index for index, time in enumerate(times) if begin <= time <= end]
    psnr, ssim = np.array([]), np.array([])
    if inside:
        assert first_timestamp is not None
        # Decoding starts at the key frame before the interval: its frames refer to that.
        first = max(index for index in range(inside[0] + 1) if shown[index].key)
        wanted = shown[first : inside[-1] + 1]
        indices = [source_index(frame.timestamp, first_timestamp, sequence) for frame in wanted]
        psnr, ssim = compare([frame.data for frame in wanted], indices, sequence)
        psnr, ssim = psnr[inside[0] - first :], ssim[inside[0] - first :]
    stood = freezes(times, begin, end)
    fps = Fraction(sequence.fps)
    return {
        "frames_source": round(float(fps) * (end - begin)),
        "frames_whole": sum(
            begin <= time <= end for time in display_times(frames, packets, arrivals).tolist()
        ),
        "frames_displayed": len(inside),
        "frame_rate": _rounded(len(inside) / (end - begin), 3) if end > begin else None,
        "psnr_y_db": _distribution(psnr, 3),
        "ssim_y": _distribution(ssim, 5),
        "freezes": len(stood),
        "freeze_s": _rounded(sum(stood), 3),
        "longest_freeze_s": _rounded(max(stood, default=0.0), 3),
    }


def read_packets(recording: Path) -> Iterator[Packet]:
    """The VP8 packets of a recording (GStreamer Data Protocol), in its order.

    A recording cut off within a packet ends before it.
    """
    content = recording.read_bytes()
    at, sequence, timestamp = 0, None, None
    while at + _GDP_HEADER_BYTES <= len(content):
        *_, kind, length, time_ns = _GDP_HEADER.unpack_from(content, at)
        at += _GDP_HEADER_BYTES
        if at + length > len(content):
            return
        packet = content[at : at + length]
        at += length
        if kind != _GDP_BUFFER:
            continue
        parsed = _parse_rtp(packet)
        if parsed is None:
            continue
        marker, number, clock, payload = parsed
        sequence = _extended(number, sequence, 16)
        timestamp = _extended(clock, timestamp, 32)
        described = _parse_vp8(payload)
        if described is None:
            continue
        time_s = float("nan") if time_ns == _NO_TIME else time_ns / 1e9
        yield Packet(sequence, timestamp, marker, time_s, *described)


def assemble(packets: list[Packet]) -> list[Frame]:
    """The complete frames, in order."""
    frames: list[Frame] = []
    last_picture: int | None = None
    last_sequence: int | None = None
    at = 0
    while at < len(packets):
        end = at
        while end < len(packets) and packets[end].timestamp == packets[at].timestamp:
            end += 1
        parts = packets[at:end]
        at = end
        whole = (
            parts[0].begins_frame
            and parts[-1].marker
            and parts[-1].sequence - parts[0].sequence == len(parts) - 1
        )
        if not whole:
            continue
        picture = parts[0].picture_id
        if picture is not None and last_picture is not None:
            # 7 or 15 bits; the distance matters only when it is small.
            after_loss = (picture - last_picture) & 0x7F != 1
        else:
            after_loss = last_sequence is not None and parts[0].sequence != last_sequence + 1
        data = b"".join(part.vp8 for part in parts)
        frames.append(
            Frame(
                timestamp=parts[0].timestamp,
                time_s=max(part.time_s for part in parts),
                data=data,
                key=not data[0] & 1,
                after_loss=after_loss,
            )
        )
        last_picture, last_sequence = picture, parts[-1].sequence
    return frames


def displayed(frames: list[Frame]) -> list[Frame]:
    """The frames whose references were displayed: from each loss to the next key frame none is."""
    shown, standing = [], True
    for frame in frames:
        standing = not frame.key and (standing or frame.after_loss)
        if not standing:
            shown.append(frame)
    return shown


def display_times(
    frames: list[Frame], packets: list[Packet], arrivals: Packets | None
) -> NDArray[np.float64]:
    """When each frame was complete, in display order: never before its predecessor."""
    if not frames:
        return np.array([])
    if arrivals is None or not len(arrivals.time_s):
        times = np.array([frame.time_s for frame in frames])
        return np.fmax.accumulate(times - packets[0].time_s)
    known = dict(zip(arrivals.sequence.tolist(), arrivals.time_s.tolist(), strict=True))
    # Both count on from their own first packet: they agree but for a multiple of 2^16.
    apart = int(arrivals.sequence[0]) - packets[0].sequence
    shift = (apart + 0x8000) // 0x10000 * 0x10000
    latest: dict[int, float] = {}
    for packet in packets:
        time = known.get(packet.sequence + shift)
        if time is not None:
            latest[packet.timestamp] = max(latest.get(packet.timestamp, time), time)
    # A frame whose packets were all repaired has no arrival time.
    times = np.array([latest.get(frame.timestamp, -np.inf) for frame in frames])
    return np.maximum.accumulate(times)


def freezes(times: NDArray[np.float64], begin_s: float, end_s: float) -> list[float]:
    """The duration of each freeze over 150 ms in an interval."""
    inside = [float(time) for time in times if begin_s < time < end_s]
    before = [float(time) for time in times if time <= begin_s]
    # The picture from before the interval stands at its beginning; the last one to its end.
    first = before[-1] if before else begin_s
    edges = [first, *inside, end_s]
    return [
        after - max(earlier, begin_s)
        for earlier, after in zip(edges, edges[1:], strict=False)
        if after - earlier > FREEZE_S and after > begin_s
    ]


def source_index(timestamp: int, first_timestamp: int, sequence: Sequence) -> int:
    """Which frame of the looped sequence carries an RTP timestamp."""
    since = (timestamp - first_timestamp) & 0xFFFFFFFF
    if since >= 1 << 31:
        since -= 1 << 32
    return round(since * Fraction(sequence.fps) / RTP_CLOCK) % sequence.frame_count


def compare(
    frames: list[bytes], indices: list[int], sequence: Sequence, codec: str = "vp8"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(PSNR in dB, SSIM) of the luma of each encoded frame against a frame of the source.

    A frame of another size is scaled to the source's.

    `codec` is ffmpeg's name: vp8, vp9 or av1, or h264 or hevc with start codes.
    """
    with temporary.directory("gcc-testbed-", Path(tempfile.gettempdir())) as scratch:
        received = scratch / "received"
        with received.open("wb") as target:
            _write(target, frames, sequence, codec)
        form = "ivf" if codec in _IVF_CODECS else codec
        graph = (
            # The first with the first: an elementary stream has no times of its own.
            f"[0:v]scale={sequence.width}:{sequence.height}:flags=bicubic,"
            "format=yuv420p,settb=1,setpts=N,split[a1][a2];"
            "[1:v]settb=1,setpts=N,split[b1][b2];"
            "[a1][b1]psnr=stats_file=psnr.log[p];[a2][b2]ssim=stats_file=ssim.log[s]"
        )
        command = [
            # Or a picture of another size would begin the filters, and their files, anew.
            *("ffmpeg", "-v", "error", "-threads", "1", "-reinit_filter", "0", "-f", form),
            *(*(() if form == "ivf" else ("-framerate", sequence.fps)), "-i", received.name),
            *("-f", "rawvideo", "-pixel_format", "yuv420p", "-framerate", sequence.fps),
            *("-video_size", f"{sequence.width}x{sequence.height}", "-i", "pipe:0"),
            *("-filter_complex_threads", "1", "-filter_complex", graph),
            *("-map", "[p]", "-f", "null", "-", "-map", "[s]", "-f", "null", "-"),
        ]
        _feed(command, scratch, sequence, indices)
        psnr = _column(scratch / "psnr.log", "psnr_y")
        ssim = _column(scratch / "ssim.log", "Y")
    if len(psnr) != len(frames) or len(ssim) != len(frames):
        raise TestbedError(
            f"video quality: ffmpeg compared {len(psnr)} of {len(frames)} received frames"
        )
    return np.minimum(psnr, MOST_PSNR_DB), ssim


def _write(target: IO[bytes], frames: list[bytes], sequence: Sequence, codec: str) -> None:
    if codec not in _IVF_CODECS:
        target.write(b"".join(frames))
        return
    rate, size = Fraction(sequence.fps), (sequence.width, sequence.height)
    target.write(b"DKIF" + struct.pack("<HH4sHH", 0, 32, _IVF_CODECS[codec], *size))
    target.write(struct.pack("<IIII", rate.numerator, rate.denominator, len(frames), 0))
    for number, data in enumerate(frames):
        target.write(struct.pack("<IQ", len(data), number) + data)


def _feed(command: list[str], directory: Path, sequence: Sequence, indices: list[int]) -> None:
    """Runs ffmpeg with the source frames on its stdin: as a file they may be gigabytes."""
    with tempfile.TemporaryFile() as errors:
        try:
            child = subprocess.Popen(
                command,
                cwd=directory,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        except FileNotFoundError:
            raise TestbedError("ffmpeg is missing; install it: apt install ffmpeg") from None
        with child:
            assert child.stdin is not None
            try:
                for index in indices:
                    child.stdin.write((Path(sequence.frames) / f"f{index:04d}.i420").read_bytes())
                child.stdin.close()
            except BrokenPipeError:
                pass
        if child.returncode != 0:
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()
            raise TestbedError(
                f"video quality: ffmpeg failed: {(lines or ['no reason given'])[-1]}"
            )


def _column(log: Path, name: str) -> NDArray[np.float64]:
    values = []
    for line in log.read_text().splitlines() if log.exists() else []:
        fields = dict(field.split(":", 1) for field in line.split() if ":" in field)
        values.append(float(fields[name]))
    return np.array(values)


def _parse_rtp(packet: bytes) -> tuple[bool, int, int, bytes] | None:
    """(marker, sequence number, timestamp, payload)."""
    if len(packet) < 12 or packet[0] >> 6 != 2:
        return None
    first, second, number, clock = struct.unpack_from(">BBHI", packet)
    begin, end = 12 + 4 * (first & 0x0F), len(packet)
    if first & 0x10:
        if begin + 4 > end:
            return None
        begin += 4 + 4 * struct.unpack_from(">H", packet, begin + 2)[0]
    if first & 0x20:
        end -= packet[-1]
    return (bool(second & 0x80), number, clock, packet[begin:end]) if begin < end else None


def _parse_vp8(payload: bytes) -> tuple[int | None, bool, bytes] | None:
    """(picture id, whether a frame begins here, VP8 data): RFC 7741, section 4.2."""
    first, at, picture = payload[0], 1, None
    begins = bool(first & 0x10) and first & 0x07 == 0
    try:
        if first & 0x80:
            extended, at = payload[at], at + 1
            if extended & 0x80:
                picture, at = payload[at], at + 1
                if picture & 0x80:
                    picture, at = (picture & 0x7F) << 8 | payload[at], at + 1
            at += bool(extended & 0x40) + bool(extended & 0x30)
    except IndexError:
        return None
    return (picture, begins, payload[at:]) if at < len(payload) else None


def _extended(number: int, last: int | None, bits: int) -> int:
    """A wrapping number as one that does not wrap, near the last one."""
    if last is None:
        return number
    half = 1 << (bits - 1)
    return last + ((number - last + half) & ((1 << bits) - 1)) - half


def _distribution(values: NDArray[np.float64], digits: int) -> dict[str, float | None]:
    if not len(values):
        return {"p5": None, "p50": None, "mean": None}
    p5, p50 = np.percentile(values, (5, 50))
    return {
        "p5": _rounded(p5, digits),
        "p50": _rounded(p50, digits),
        "mean": _rounded(values.mean(), digits),
    }


def _rounded(value: float, digits: int) -> float:
    return round(float(value), digits)
