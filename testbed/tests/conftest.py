"""Common parts of tests: a sequence that does not exist, and captures made without a network."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import dpkt
import pytest
import small_card

from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.link import Link, RateSchedule, RateStep, Shaper
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.studies.scorecard.card import Card, load

# (time in s, SSRC, sequence number, IP bytes)
Row = tuple[float, int, int, int]


TESTBED = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def testbed() -> Callable[..., None]:
    """Runs gcc-testbed with some words in a folder. It has to succeed."""

    def run(folder: Path, *words: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "gcc_testbed", *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(TESTBED)},
            capture_output=True,
            text=True,
            check=False,
            timeout=280,
        )
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture
def sequence() -> Sequence:
    return Sequence("foreman", "foreman.y4m", "0" * 64, 352, 288, "30/1", 300, "/frames/of it")


@pytest.fixture
def scenario() -> Scenario:
    link = Link(Shaper(RateSchedule((RateStep(0, 1000), RateStep(4, 500)))))
    return Scenario(link=link, flows=(GccFlow(),), duration_s=8, measure_from_s=2)


@pytest.fixture
def small(tmp_path: Path) -> Card:
    """A card of two calls and two contenders."""
    (tmp_path / "call.toml").write_text(small_card.SCENARIO)
    (tmp_path / "card.toml").write_text(small_card.CARD)
    return load(tmp_path / "card.toml")


@pytest.fixture
def write_capture() -> Callable[..., None]:
    """Writes RTP packets as tcpdump would: cut off, with nanoseconds."""

    def write(file: Path, rows: list[Row], port: int = 5000) -> None:
        with file.open("wb") as target:
            writer = dpkt.pcap.Writer(target, snaplen=96, nano=True)
            for time, ssrc, number, ip_bytes in rows:
                writer.writepkt(_frame(ssrc, number, ip_bytes, port)[:96], ts=time)
            writer.close()

    return write


@pytest.fixture
def write_raw_capture() -> Callable[..., None]:
    """Writes whole RTP packets: (time in s, packet)."""

    def write(file: Path, rows: list[tuple[float, bytes]], port: int = 5000) -> None:
        with file.open("wb") as target:
            writer = dpkt.pcap.Writer(target, snaplen=96, nano=True)
            for time, rtp in rows:
                udp = struct.pack("!HHHH", 6000, port, 8 + len(rtp), 0)
                ip = struct.pack("!BBHHHBBHII", 0x45, 0, 28 + len(rtp), 0, 0x4000, 64, 17, 0, 1, 2)
                writer.writepkt((bytes(12) + b"\x08\x00" + ip + udp + rtp)[:96], ts=time)
            writer.close()

    return write


@pytest.fixture
def write_contents(write_raw_capture: Callable[..., None]) -> Callable[..., None]:
    """Writes RTP packets with something in them: (time in s, payload type, number, payload)."""

    def write(file: Path, rows: list[tuple[float, int, int, bytes]], port: int = 5000) -> None:
        packets = [
            (time, struct.pack("!BBHII", 0x80, kind, number, 0, kind) + payload)
            for time, kind, number, payload in rows
        ]
        write_raw_capture(file, packets, port)

    return write


@pytest.fixture
def write_tcp_capture() -> Callable[..., None]:
    """Writes TCP data: (time in s, source port, IP identification, first byte, IP bytes)."""

    def write(file: Path, rows: list[tuple[float, int, int, int, int]], port: int = 5000) -> None:
        with file.open("wb") as target:
            writer = dpkt.pcap.Writer(target, snaplen=96, nano=True)
            for time, source, number, first, ip_bytes in rows:
                tcp = struct.pack("!HHIIHHHH", source, port, first, 0, 0x5010, 1000, 0, 0)
                ip = struct.pack("!BBHHHBBHII", 0x45, 0, ip_bytes, number, 0x4000, 64, 6, 0, 1, 2)
                frame = bytes(12) + b"\x08\x00" + ip + tcp + bytes(ip_bytes - 40)
                writer.writepkt(frame[:96], ts=time)
            writer.close()

    return write


def _frame(ssrc: int, number: int, ip_bytes: int, port: int) -> bytes:
    rtp = struct.pack("!BBHII", 0x80, 96, number & 0xFFFF, 0, ssrc)
    udp = struct.pack("!HHHH", 6000, port, ip_bytes - 20, 0)
    ip = struct.pack("!BBHHHBBHII", 0x45, 0, ip_bytes, 0, 0x4000, 64, 17, 0, 1, 2)
    return bytes(12) + b"\x08\x00" + ip + udp + rtp + bytes(ip_bytes - 40)
