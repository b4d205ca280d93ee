"""A path whose packets are smaller than those that are sent."""

import struct
from pathlib import Path

import dpkt
import pytest

from gcc_testbed.measure import captures
from gcc_testbed.run import topology
from gcc_testbed.scenario.link import Link, RateSchedule, RateStep, Shaper
from gcc_testbed.scenario.scenario import Scenario

MORE = 0x2000


def fragment(number: int, offset: int, size: int, flags: int, port: int = 5000) -> bytes:
    """A frame: a part of UDP datagram `number`, with RTP number `number` in its first part."""
    rtp = struct.pack("!BBHII", 0x80, 96, number, 0, 7)
    first = struct.pack("!HHHH", 6000, port, 1400, 0) + rtp
    data = (first if offset == 0 else b"").ljust(size, b"x")
    place = flags | offset // 8
    ip = struct.pack("!BBHHHBBHII", 0x45, 0, 20 + size, number, place, 64, 17, 0, 1, 2)
    return bytes(12) + b"\x08\x00" + ip + data


def written(file: Path, *frames: tuple[float, bytes]) -> captures.Capture:
    with file.open("wb") as target:
        writer = dpkt.pcap.Writer(target, snaplen=96, nano=True)
        for time, frame in frames:
            writer.writepkt(frame[:96], ts=time)
        writer.close()
    return captures.read(file)


def test_a_packet_is_there_with_its_last_fragment(tmp_path: Path) -> None:
    capture = written(
        tmp_path / "c.pcap",
        (1.0, fragment(1, 0, 1256, MORE)),
        (1.5, fragment(2, 0, 400, 0)),
        (2.0, fragment(1, 1256, 144, 0)),
    )
    packets = captures.rtp(capture, 5000)
    assert packets.sequence.tolist() == [2, 1]
    assert packets.time_s.tolist() == [1.5, 2.0]
    assert packets.ip_bytes.tolist() == [420, 1440]


@pytest.mark.parametrize("kept", [0, 1])
def test_a_packet_that_lacks_a_fragment_is_lost(tmp_path: Path, kept: int) -> None:
    parts = (fragment(1, 0, 1256, MORE), fragment(1, 1256, 144, 0))
    capture = written(tmp_path / "c.pcap", (1.0, parts[kept]))
    assert len(captures.rtp(capture, 5000)) == 0


def test_the_same_identification_an_hour_later_is_another_packet(tmp_path: Path) -> None:
    capture = written(
        tmp_path / "c.pcap",
        (1.0, fragment(1, 0, 1256, MORE)),
        (3600.0, fragment(1, 1256, 144, 0)),
    )
    assert len(capture) == 0


def test_every_device_of_the_path_has_its_mtu(scenario: Scenario) -> None:
    link = Link(Shaper(RateSchedule((RateStep(0, 1000),))), mtu_bytes=1280)
    lines = [
        line
        for line in topology.build(Scenario(link, scenario.flows, duration_s=8))
        if " mtu " in line
    ]
    assert [line.count("mtu 1280") for line in lines] == [2, 2]
