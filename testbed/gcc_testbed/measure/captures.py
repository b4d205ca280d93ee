"""Packet captures as arrays, and matching of packets between two captures."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import dpkt
import numpy as np
from numpy.typing import NDArray

from gcc_testbed.support.errors import TestbedError

_ETHERNET = 14
_IP_HEADER = 20
# Of the field of an IP header that says which part of a packet it is.
_MORE_FRAGMENTS, _OFFSET = 0x2000, 0x1FFF
_FRAGMENT = _MORE_FRAGMENTS | _OFFSET
_LONGEST_REASSEMBLY_S = 30.0
_TCP = 6
_UDP = 17
_UDP_HEADER = 8
_RTP_HEADER = 12
# Bytes kept of a frame: Ethernet, IP and TCP with all options need 94.
_KEPT = 96


@dataclass(frozen=True)
class Capture:
    """IPv4 packets over TCP or UDP at one point: an array for each field, in capture order."""

    time_s: NDArray[np.float64]
    ip_bytes: NDArray[np.int64]
    ip_id: NDArray[np.int64]
    protocol: NDArray[np.int64]
    # The IPv4 address it goes to, as a number.
    destination: NDArray[np.int64]
    source_port: NDArray[np.int64]
    port: NDArray[np.int64]
    # From the end of the IP header; zeros after the captured part.
    transport: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.time_s)

    def chosen(self, which: NDArray[np.bool_]) -> Capture:
        return Capture(*(values[which] for values in vars(self).values()))


@dataclass(frozen=True)
class Packets:
    """Packets of one flow at one point: an array for each field, in capture order."""

    time_s: NDArray[np.float64]
    ip_bytes: NDArray[np.int64]
    # RTP's source and number; for TCP the source port and the IP identification, which the kernel
    # counts per connection: a retransmission is a packet of its own.
    ssrc: NDArray[np.int64]
    sequence: NDArray[np.int64]
    # After all headers.
    payload_bytes: NDArray[np.int64]
    # TCP: the number of the first byte, to tell new data from old. RTP: zeros.
    first_byte: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.time_s)


@dataclass(frozen=True)
class RtpFields:
    """The fields of RTP packets about frames: an array for each field, in the order of `rtp`."""

    timestamp: NDArray[np.int64]
    payload_type: NDArray[np.int64]
    # The first two bytes of the payload: in a retransmission (RFC 4588) the original's number.
    original: NDArray[np.int64]
    # The flows do not pad media: such a packet consists of padding.
    padding: NDArray[np.bool_]


@dataclass(frozen=True)
class Contents:
    """RTP packets identified by their content, where an element renumbers them."""

    time_s: NDArray[np.float64]
    # Timestamp, SSRC, payload as far as it was captured.
    content: list[bytes]

    def between(self, begin_s: float, end_s: float) -> list[bytes]:
        """Those of an interval."""
        chosen = (self.time_s >= begin_s) & (self.time_s <= end_s)
        return [self.content[index] for index in np.flatnonzero(chosen).tolist()]


@dataclass(frozen=True)
class Journeys:
    """Every packet sent, and its arrival time; NaN if it was lost."""

    sent_s: NDArray[np.float64]
    received_s: NDArray[np.float64]
    ip_bytes: NDArray[np.int64]
    payload_bytes: NDArray[np.int64]

    @property
    def arrived(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.received_s)

    @property
    def delay_s(self) -> NDArray[np.float64]:
        """The queueing delay: only the bottleneck lies between the two captures."""
        return self.received_s - self.sent_s

    def between(self, begin_s: float, end_s: float) -> Journeys:
        """Those sent in an interval."""
        chosen = (self.sent_s >= begin_s) & (self.sent_s <= end_s)
        return Journeys(*(values[chosen] for values in vars(self).values()))

    def received_between(self, begin_s: float, end_s: float) -> Journeys:
        """Those received in an interval, whenever they were sent."""
        chosen = (self.received_s >= begin_s) & (self.received_s <= end_s)
        return Journeys(*(values[chosen] for values in vars(self).values()))


def together(journeys: list[Journeys]) -> Journeys:
    """The packets of several flows, in the order of sending."""
    columns = [
        np.concatenate([getattr(each, name) for each in journeys]) if journeys else np.array([])
        for name in ("sent_s", "received_s", "ip_bytes", "payload_bytes")
    ]
    order = np.argsort(columns[0], kind="stable")
    return Journeys(*(column[order] for column in columns))


def read(file: Path, origin_s: float = 0.0) -> Capture:
    """A whole capture, with times relative to `origin_s`."""
    # dpkt gives decimals; a float cannot hold nanoseconds since 1970, so subtract first.
    origin = Decimal(round(origin_s * 1e6)) / 1_000_000
    times, frames = [], []
    try:
        if file.exists() and not file.is_file():
            raise TestbedError(f"cannot read the capture {file}: it is no file")
        with file.open("rb") as content:
            reader = dpkt.pcap.Reader(content)
            with contextlib.suppress(dpkt.NeedData):  # cut off in a record's header
                for time, frame in reader:
                    times.append(float(Decimal(time) - origin))
                    frames.append(frame[:_KEPT])
    except OSError as problem:
        raise TestbedError(f"cannot read the capture {file}: {problem.strerror}") from None
    except (ValueError, dpkt.Error):
        raise TestbedError(f"cannot read the capture {file}: it is not one") from None
    return _headers(frames, np.array(times, float), reader.snaplen)


def _headers(packets: list[bytes], times: NDArray[np.float64], kept: int) -> Capture:
    lengths = np.array([len(packet) for packet in packets], int)
    rows = b"".join(packet.ljust(_KEPT, b"\0") for packet in packets)
    frames = np.frombuffer(rows, np.uint8).reshape(-1, _KEPT)
    ipv4 = (frames[:, 12] == 8) & (frames[:, 13] == 0) & (lengths >= _ETHERNET + _IP_HEADER + 8)
    # Nothing in the testbed sets IP options.
    ipv4 &= frames[:, _ETHERNET] == 0x45
    # The last frame may be truncated if tcpdump was killed.
    ipv4 &= lengths >= np.minimum(_ETHERNET + _u16(frames, _ETHERNET + 2), min(kept, _KEPT))
    frames, times = frames[ipv4], times[ipv4]
    # The frame is truncated: the length is in the header.
    ip_bytes = _u16(frames, _ETHERNET + 2)
    if (_u16(frames, _ETHERNET + 6) & _FRAGMENT).any():
        frames, times, ip_bytes = _whole(frames, times, ip_bytes)
    transport = frames[:, _ETHERNET + _IP_HEADER :]
    return Capture(
        time_s=times,
        ip_bytes=ip_bytes,
        ip_id=_u16(frames, _ETHERNET + 4),
        protocol=frames[:, _ETHERNET + 9].astype(int),
        destination=_u32(frames, _ETHERNET + 16),
        source_port=_u16(transport, 0),
        port=_u16(transport, 2),
        transport=transport,
    )


def _whole(
    frames: NDArray[np.uint8], times: NDArray[np.float64], ip_bytes: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.int64]]:
    """Packets of which all fragments are there: each is there with its last fragment.

    Its bytes are those of all fragments, with a header each.
    """
    place = _u16(frames, _ETHERNET + 6) & _FRAGMENT
    offset, more = 8 * (place & _OFFSET), (place & _MORE_FRAGMENTS) != 0
    data = ip_bytes - _IP_HEADER
    keys = list(
        zip(_u32(frames, _ETHERNET + 12), _u16(frames, _ETHERNET + 4), frames[:, 23], strict=True)
    )
    begun: dict[tuple[int, ...], list[int]] = {}
    chosen: list[int] = []
    for index in range(len(frames)):
        if not place[index]:
            chosen.append(index)
            continue
        parts = begun.setdefault(keys[index], [])
        # Identifications come again after 65536 packets.
        if parts and times[index] - times[parts[0]] > _LONGEST_REASSEMBLY_S:
            parts.clear()
        parts.append(index)
        first = next((part for part in parts if offset[part] == 0), None)
        end = next((offset[part] + data[part] for part in parts if not more[part]), None)
        if first is None or end is None or data[parts].sum() < end:
            continue
        times[first], ip_bytes[first] = times[index], ip_bytes[parts].sum()
        chosen.append(first)
        parts.clear()
    order = np.array(chosen, int)
    return frames[order], times[order], ip_bytes[order]


def _u16(rows: NDArray[np.uint8], at: int) -> NDArray[np.int64]:
    return rows[:, at].astype(int) << 8 | rows[:, at + 1]


def _u32(rows: NDArray[np.uint8], at: int) -> NDArray[np.int64]:
    return _u16(rows, at) << 16 | _u16(rows, at + 2)


def _rtp_only(capture: Capture, port: int) -> Capture:
    found = capture.chosen((capture.protocol == _UDP) & (capture.port == port))
    return found.chosen(found.transport[:, _UDP_HEADER] >> 6 == 2)


def largest_rtp_flow(
    capture: Capture, bin_s: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The flow of RTP with most bytes: where its bins begin, and bit/s of IP in each."""
    found = capture.chosen(capture.protocol == _UDP)
    second = found.transport[:, _UDP_HEADER + 1]
    # RTCP beside RTP on one port has packet types from 192 to 223 (RFC 5761).
    found = found.chosen(
        (found.transport[:, _UDP_HEADER] >> 6 == 2) & ~((second >= 192) & (second <= 223))
    )
    flows = np.column_stack([found.destination, found.port])
    if not len(flows):
        return np.array([]), np.array([])
    names, which = np.unique(flows, axis=0, return_inverse=True)
    which = which.ravel()
    largest = np.argmax(np.bincount(which, found.ip_bytes, len(names)))
    found = found.chosen(which == largest)
    begin, end = float(found.time_s.min()), float(found.time_s.max())
    # The last bin, which the flow does not fill, is left out where there are others.
    edges = np.arange(begin, max(end, begin + bin_s) + 1e-9, bin_s)
    sums, _ = np.histogram(found.time_s, edges, weights=found.ip_bytes)
    return edges[:-1], sums * 8 / bin_s


def _payload_type(capture: Capture) -> NDArray[np.uint8]:
    return capture.transport[:, _UDP_HEADER + 1] & np.uint8(0x7F)


def contents(capture: Capture, port: int, payload_type: int) -> Contents:
    """The RTP packets of one payload type to a UDP port.

    A header extension is left out: a packet that was repaired has another transport-wide number.
    """
    found = _rtp_only(capture, port)
    found = found.chosen(_payload_type(found) == payload_type)
    packets = found.transport[:, _UDP_HEADER:]
    ends = _header_bytes(packets)
    content = [
        bytes(row[4:_RTP_HEADER]) + bytes(row[end:]) for row, end in zip(packets, ends, strict=True)
    ]
    return Contents(found.time_s, content)


def rtp(capture: Capture, port: int, media: int | None = None) -> Packets:
    """The RTP packets to a UDP port; with `media`, only that payload type's payload counts."""
    found = _rtp_only(capture, port)
    packet = found.transport[:, _UDP_HEADER:]
    header = _header_bytes(packet)
    payload_bytes = np.maximum(0, found.ip_bytes - _IP_HEADER - _UDP_HEADER - header)
    payload_bytes[_is_padding(packet)] = 0
    if media is not None:
        payload_bytes[_payload_type(found) != media] = 0
    return Packets(
        time_s=found.time_s,
        ip_bytes=found.ip_bytes,
        ssrc=_u32(packet, 8),
        sequence=_u16(packet, 2),
        payload_bytes=payload_bytes,
        first_byte=np.zeros(len(found), int),
    )


def rtp_fields(capture: Capture, port: int) -> RtpFields:
    """The fields of the same packets as `rtp` has, in the same order."""
    found = _rtp_only(capture, port)
    packet = found.transport[:, _UDP_HEADER:]
    # A header longer than the captured part belongs to no packet that is measured.
    payload = np.minimum(_header_bytes(packet), packet.shape[1] - 2)
    rows = np.arange(len(found))
    return RtpFields(
        timestamp=_u32(packet, 4),
        payload_type=_payload_type(found).astype(int),
        original=packet[rows, payload].astype(int) << 8 | packet[rows, payload + 1],
        padding=_is_padding(packet),
    )


def _header_bytes(packet: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The length of each RTP header."""
    header = _RTP_HEADER + 4 * (packet[:, 0] & 0x0F).astype(int)
    extended = (packet[:, 0] & 0x10) != 0
    # Within what was captured: contributing sources are not used here.
    return header + np.where(extended, 4 + 4 * _u16(packet, _RTP_HEADER + 2), 0)


def _is_padding(packet: NDArray[np.uint8]) -> NDArray[np.bool_]:
    padded: NDArray[np.bool_] = (packet[:, 0] & 0x20) != 0
    return padded


def tcp(capture: Capture, port: int) -> Packets:
    """The TCP packets to a port: what the sender sent, without acknowledgements."""
    found = capture.chosen((capture.protocol == _TCP) & (capture.port == port))
    header = (found.transport[:, 12] >> 4).astype(int) * 4
    return Packets(
        time_s=found.time_s,
        ip_bytes=found.ip_bytes,
        ssrc=found.source_port,
        sequence=found.ip_id,
        payload_bytes=np.maximum(0, found.ip_bytes - _IP_HEADER - header),
        first_byte=_u32(found.transport, 4),
    )


def first_timestamp(capture: Capture, port: int) -> int | None:
    """The RTP timestamp of the first packet to a port."""
    found = capture.chosen((capture.protocol == _UDP) & (capture.port == port))
    return int(_u32(found.transport[:1], _UDP_HEADER + 4)[0]) if len(found) else None


def unwrapped(packets: Packets) -> Packets:
    """The packets with extended sequence numbers."""
    numbers = [extended for _, extended, _ in _keys(packets, {})]
    return replace(packets, sequence=np.array(numbers, int))


def read_rtp(file: Path, port: int, origin_s: float = 0.0) -> Packets:
    """The RTP packets to a UDP port, with times relative to `origin_s`."""
    return rtp(read(file, origin_s), port)


def match(sent: Packets, received: Packets) -> Journeys:
    """Finds each sent packet among the received ones, by SSRC and extended sequence number."""
    arrival: dict[tuple[int, int, int], float] = {}
    first_of: dict[int, int] = {}
    for ssrc, number in zip(sent.ssrc.tolist(), sent.sequence.tolist(), strict=True):
        first_of.setdefault(ssrc, number)
    for key, time in zip(_keys(received, first_of), received.time_s.tolist(), strict=True):
        arrival[key] = time
    received_s = np.array([arrival.get(key, np.nan) for key in _keys(sent, first_of)], np.float64)
    return Journeys(sent.time_s, received_s, sent.ip_bytes, _new_bytes(sent, received_s))


def _new_bytes(sent: Packets, received_s: NDArray[np.float64]) -> NDArray[np.int64]:
    """The payload of each packet; none for TCP data that arrived before in another packet."""
    payload = sent.payload_bytes.copy()
    if not sent.first_byte.any():
        return payload
    delivered: set[tuple[int, int]] = set()
    arrived = ~np.isnan(received_s)
    for index in np.flatnonzero(arrived & (payload > 0)).tolist():
        key = (int(sent.ssrc[index]), int(sent.first_byte[index]))
        if key in delivered:
            payload[index] = 0
        delivered.add(key)
    return payload


def _keys(packets: Packets, first_of: dict[int, int]) -> list[tuple[int, int, int]]:
    """(SSRC, extended number, how many times seen before) of each packet.

    Numbers wrap every few minutes; the count distinguishes a repeated packet from its first copy.
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
