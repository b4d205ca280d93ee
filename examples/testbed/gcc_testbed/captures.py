"""Packet captures as arrays, and the same packet recognised at both ends."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import dpkt
import numpy as np
from numpy.typing import NDArray

from gcc_testbed.errors import TestbedError

_ETHERNET = 14
_UDP = 17
_RTP_HEADER = 12


@dataclass(frozen=True)
class Packets:
    """RTP packets of one flow at one point: an array a field, in the order of the capture."""

    time_s: NDArray[np.float64]
    ip_bytes: NDArray[np.int64]
    ssrc: NDArray[np.int64]
    sequence: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.time_s)


@dataclass(frozen=True)
class Journeys:
    """Every packet sent, and when it arrived: NaN when it never did."""

    sent_s: NDArray[np.float64]
    received_s: NDArray[np.float64]
    ip_bytes: NDArray[np.int64]

    @property
    def arrived(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.received_s)

    @property
    def delay_s(self) -> NDArray[np.float64]:
        """Between the two captures lies only the bottleneck: this is its queueing, exactly."""
        return self.received_s - self.sent_s

    def between(self, begin_s: float, end_s: float) -> Journeys:
        """Those sent in an interval."""
        chosen = (self.sent_s >= begin_s) & (self.sent_s <= end_s)
        return Journeys(self.sent_s[chosen], self.received_s[chosen], self.ip_bytes[chosen])


def read_rtp(file: Path, port: int, origin_s: float = 0.0) -> Packets:
    """The RTP packets to a UDP port, with times relative to `origin_s`."""
    rows = []
    try:
        with file.open("rb") as content:
            for stamp, data in dpkt.pcap.Reader(content):
                row = _rtp_row(data, port)
                if row is not None:
                    # Seconds since 1970 with nanoseconds do not fit a float: subtract first.
                    rows.append((float(stamp - type(stamp)(origin_s)), *row))
    except (OSError, ValueError, dpkt.Error) as problem:
        raise TestbedError(f"cannot read the capture {file}: {problem}") from None
    times, sizes, sources, numbers = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Packets(
        np.array(times, float), np.array(sizes, int), np.array(sources, int), np.array(numbers, int)
    )


def _rtp_row(frame: bytes, port: int) -> tuple[int, int, int] | None:
    """(IP bytes, SSRC, sequence number) of an Ethernet frame, None when it is something else."""
    if len(frame) < _ETHERNET + 20 or frame[12:14] != b"\x08\x00":
        return None
    header_bytes = (frame[_ETHERNET] & 0x0F) * 4
    udp = _ETHERNET + header_bytes
    rtp = udp + 8
    if frame[_ETHERNET + 9] != _UDP or len(frame) < rtp + _RTP_HEADER or frame[rtp] >> 6 != 2:
        return None
    if struct.unpack_from("!H", frame, udp + 2)[0] != port:
        return None
    # The captured frame is cut off: only the header knows the packet's length.
    (ip_bytes,) = struct.unpack_from("!H", frame, _ETHERNET + 2)
    (sequence,) = struct.unpack_from("!H", frame, rtp + 2)
    (ssrc,) = struct.unpack_from("!I", frame, rtp + 8)
    return ip_bytes, ssrc, sequence


def match(sent: Packets, received: Packets) -> Journeys:
    """Finds each sent packet among the received ones, by SSRC and extended sequence number."""
    arrival: dict[tuple[int, int, int], float] = {}
    first_of = {}
    for ssrc, number in zip(sent.ssrc.tolist(), sent.sequence.tolist(), strict=True):
        first_of.setdefault(ssrc, number)
    for key, time in zip(_keys(received, first_of), received.time_s.tolist(), strict=True):
        arrival[key] = time
    received_s = np.array([arrival.get(key, np.nan) for key in _keys(sent, first_of)], float)
    return Journeys(sent.time_s, received_s, sent.ip_bytes)


def _keys(packets: Packets, first_of: dict[int, int]) -> list[tuple[int, int, int]]:
    """(SSRC, extended number, how many times seen before) of each packet.

    Numbers wrap every few minutes; a repeated packet is told from its first copy by the count.
    """
    latest = dict(first_of)
    seen: dict[tuple[int, int], int] = {}
    keys = []
    for ssrc, number in zip(packets.ssrc.tolist(), packets.sequence.tolist(), strict=True):
        before = latest.setdefault(ssrc, number)
        extended = before + ((number - before + 0x8000) & 0xFFFF) - 0x8000
        latest[ssrc] = extended
        copies = seen.get((ssrc, extended), 0)
        seen[ssrc, extended] = copies + 1
        keys.append((ssrc, extended, copies))
    return keys
