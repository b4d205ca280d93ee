"""The same packet, recognised at both ends."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure.captures import (
    Journeys,
    Packets,
    contents,
    match,
    read,
    read_rtp,
    tcp,
)
from gcc_testbed.support.errors import TestbedError


def packets(*rows: tuple[float, int, int]) -> Packets:
    time, ssrc, number = zip(*rows, strict=True)
    return Packets(
        np.array(time, float),
        np.full(len(rows), 1000),
        np.array(ssrc),
        np.array(number),
        np.full(len(rows), 960),
        np.zeros(len(rows), int),
    )


def delays(journeys: Journeys) -> list[float]:
    return [round(float(delay), 6) for delay in journeys.delay_s]


def test_a_capture_keeps_nanoseconds_and_the_uncut_length(
    tmp_path: Path, write_capture: Callable[..., None]
) -> None:
    write_capture(tmp_path / "a.pcap", [(1577836801.25, 7, 65535, 1228)])
    read = read_rtp(tmp_path / "a.pcap", 5000, origin_s=1577836800.0)
    assert read.time_s == pytest.approx([1.25], abs=1e-6)
    assert (read.ip_bytes[0], read.ssrc[0], read.sequence[0]) == (1228, 7, 65535)


def test_other_ports_are_other_flows(tmp_path: Path, write_capture: Callable[..., None]) -> None:
    write_capture(tmp_path / "a.pcap", [(1.0, 7, 1, 1228)], port=5010)
    assert len(read_rtp(tmp_path / "a.pcap", 5000)) == 0
    assert len(read_rtp(tmp_path / "a.pcap", 5010)) == 1


def test_a_broken_capture_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "a.pcap").write_bytes(b"not a capture at all, whatever its name")
    with pytest.raises(TestbedError, match="cannot read the capture .*a.pcap"):
        read_rtp(tmp_path / "a.pcap", 5000)


def test_a_packet_that_was_repaired_has_the_same_content(
    tmp_path: Path, write_raw_capture: Callable[..., None]
) -> None:
    """Its transport-wide number is another one."""

    def packet(number: int) -> bytes:
        header = struct.pack("!BBHII", 0x90, 96, number, 90_000, 7)
        return header + struct.pack("!HHBHx", 0xBEDE, 1, 0x11, number) + b"picture"

    write_raw_capture(tmp_path / "a.pcap", [(1.0, packet(1)), (2.0, packet(2))])
    first, second = contents(read(tmp_path / "a.pcap"), 5000, 96).content
    assert first == second
    assert first.startswith(struct.pack("!II", 90_000, 7) + b"picture")


def test_a_packet_that_never_arrives_is_lost() -> None:
    journeys = match(packets((0, 7, 1), (1, 7, 2), (2, 7, 3)), packets((0.1, 7, 1), (2.3, 7, 3)))
    assert journeys.arrived.tolist() == [True, False, True]
    assert delays(Journeys(*(a[journeys.arrived] for a in vars(journeys).values()))) == [0.1, 0.3]


def test_order_of_arrival_does_not_matter() -> None:
    journeys = match(packets((0, 7, 1), (1, 7, 2)), packets((1.1, 7, 2), (1.2, 7, 1)))
    assert delays(journeys) == [1.2, 0.1]


def test_sequence_numbers_may_wrap() -> None:
    numbers = [(n + 65000) & 0xFFFF for n in range(140_000)]
    sent = packets(*((n / 1000, 7, number) for n, number in enumerate(numbers)))
    kept = [n for n in range(140_000) if n % 10]
    received = packets(*((n / 1000 + 0.05, 7, numbers[n]) for n in kept))
    journeys = match(sent, received)
    assert journeys.arrived.sum() == len(kept)
    assert np.nanmax(np.abs(journeys.delay_s - 0.05)) < 1e-9


def test_the_first_packet_may_be_the_lost_one() -> None:
    journeys = match(packets((0, 7, 65535), (1, 7, 0)), packets((1.2, 7, 0)))
    assert journeys.arrived.tolist() == [False, True]


def test_streams_with_the_same_numbers_are_kept_apart() -> None:
    journeys = match(packets((0, 7, 1), (1, 8, 1)), packets((0.5, 7, 1), (1.1, 8, 1)))
    assert delays(journeys) == [0.5, 0.1]


def test_a_packet_sent_twice_is_two_packets() -> None:
    journeys = match(packets((0, 7, 1), (1, 7, 1)), packets((0.2, 7, 1), (1.1, 7, 1)))
    assert delays(journeys) == [0.2, 0.1]


def test_tcp_is_told_apart_by_what_the_kernel_counts(
    tmp_path: Path, write_tcp_capture: Callable[..., None]
) -> None:
    """A retransmission counts as a packet of its own, and data that came twice counts once."""
    # (time, source port, IP identification, first byte, IP bytes)
    sent = [(0.0, 20000, 65535, 1, 1500), (0.1, 20000, 0, 1449, 1500), (0.2, 20000, 1, 1, 1500)]
    received = [(0.5, 20000, 65535, 1, 1500), (0.7, 20000, 1, 1, 1500)]
    write_tcp_capture(tmp_path / "a.pcap", sent)
    write_tcp_capture(tmp_path / "b.pcap", received)
    journeys = match(
        *(tcp(read(tmp_path / f"{point}.pcap"), 5000) for point in ("a", "b")),
    )
    assert journeys.arrived.tolist() == [True, False, True]
    assert journeys.delay_s[[0, 2]] == pytest.approx([0.5, 0.5])
    assert journeys.payload_bytes[journeys.arrived].tolist() == [1460, 0]


def test_headers_are_not_payload(tmp_path: Path, write_capture: Callable[..., None]) -> None:
    write_capture(tmp_path / "a.pcap", [(1.0, 7, 1, 1240)])
    assert read_rtp(tmp_path / "a.pcap", 5000).payload_bytes.tolist() == [1200]


def test_a_capture_cut_off_in_its_last_packet_keeps_the_others(
    tmp_path: Path, write_capture: Callable[..., None]
) -> None:
    write_capture(tmp_path / "a.pcap", [(1.0, 7, 1, 1228), (2.0, 7, 2, 1228)])
    whole = (tmp_path / "a.pcap").read_bytes()
    (tmp_path / "a.pcap").write_bytes(whole[:-30])
    assert read_rtp(tmp_path / "a.pcap", 5000).sequence.tolist() == [1]
