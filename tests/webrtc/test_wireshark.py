"""Wireshark's dissector of RFC 8888, which Wireshark has from 4.2 on, reads what we write."""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Iterator

import application
import pytest
import reports

pytestmark = pytest.mark.webrtc

PREFIX = "rtcp.rtpfb.ccfb."
FIELDS = ("beginseq", "numreports", "received", "ecn", "ato", "timestamp")
SSRC = 4321
# The numbers wrap; each tenth packet is not sent, and each seventh is marked.
FIRST, PACKETS = 65400, 300
ECT_1, CE = 1, 3
RTPFB, CCFB = 205, 11
IP_UDP = 28

Numbers = dict[str, list[int]]


@pytest.fixture(scope="module")
def tshark() -> str:
    missing = application.what_is_missing()
    if missing is not None:
        pytest.skip(missing)
    found = shutil.which("tshark")
    if found is None:
        pytest.skip("no tshark: apt install tshark, which takes 130 MB")
    fields = subprocess.run([found, "-G", "fields"], capture_output=True, text=True, check=True)
    if PREFIX + "beginseq" not in fields.stdout:
        pytest.skip("this tshark knows nothing of RFC 8888")
    return found


def is_sent(number: int) -> bool:
    return number % 10 != 0


def ecn_of(number: int) -> int:
    return CE if number % 7 == 0 else ECT_1


def send_media() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as media:
        for number in filter(is_sent, range(PACKETS)):
            seq = (FIRST + number) % 65536
            media.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, ecn_of(number))
            head = struct.pack("!BBHII", 0x80, 0x60 | 0x80 * (number % 3 == 2), seq, number, SSRC)
            media.sendto(head + bytes(200), ("127.0.0.1", reports.MEDIA))
            time.sleep(0.005)


def receive(rtcp: socket.socket) -> Iterator[bytes]:
    rtcp.settimeout(1)
    try:
        while True:
            yield rtcp.recv(2000)
    except TimeoutError:
        return


@pytest.fixture(scope="module")
def datagrams(tshark: str, tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """What gccreceiver sends of RTCP."""
    del tshark
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as rtcp:
        rtcp.bind(("127.0.0.1", reports.RTCP))
        with reports.running(reports.RECEIVER, tmp_path_factory.mktemp("wireshark")):
            time.sleep(2)
            send_media()
            return list(receive(rtcp))


def capture(datagrams: list[bytes]) -> bytes:
    """A file of libpcap's, with raw IP."""
    written = struct.pack("=IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
    for datagram in datagrams:
        length = IP_UDP + len(datagram)
        ip = struct.pack("!BBHIBBHII", 0x45, 0, length, 0, 64, 17, 0, 1, 2)
        udp = struct.pack("!HHHH", reports.RTCP, reports.RTCP, length - 20, 0)
        written += struct.pack("=IIII", 0, 0, length, length) + ip + udp + datagram
    return written


def dissected(tshark: str, datagrams: list[bytes]) -> Numbers:
    """Each number of each report, in order, by tshark."""
    words = [word for name in FIELDS for word in ("-e", PREFIX + name)]
    done = subprocess.run(
        [tshark, "-r", "-", "-d", f"udp.port=={reports.RTCP},rtcp", "-T", "fields", *words],
        input=capture(datagrams),
        capture_output=True,
        check=True,
    )
    numbers: Numbers = {name: [] for name in FIELDS}
    for line in done.stdout.decode().splitlines():
        for name, cell in zip(FIELDS, line.split("\t"), strict=True):
            numbers[name] += [int(number, 0) for number in cell.split(",") if number]
    return numbers


def messages(datagram: bytes) -> Iterator[bytes]:
    while datagram:
        length = 4 * (int.from_bytes(datagram[2:4], "big") + 1)
        yield datagram[:length]
        datagram = datagram[length:]


def read(datagrams: list[bytes]) -> Numbers:
    """The same, by the figure of RFC 8888, section 3.1."""
    numbers: Numbers = {name: [] for name in FIELDS}
    for message in (each for datagram in datagrams for each in messages(datagram)):
        if message[1] != RTPFB or message[0] & 0x1F != CCFB:
            continue
        rest = message[8:-4]
        while rest:
            ssrc, begin, n = struct.unpack("!IHH", rest[:8])
            assert ssrc == SSRC
            numbers["beginseq"].append(begin)
            numbers["numreports"].append(n)
            for (metric,) in struct.iter_unpack("!H", rest[8 : 8 + 2 * n]):
                numbers["received"].append(metric >> 15)
                numbers["ecn"].append(metric >> 13 & 3)
                numbers["ato"].append(metric & 0x1FFF)
            rest = rest[8 + 2 * (n + n % 2) :]
        numbers["timestamp"].append(int.from_bytes(message[-4:], "big"))
    return numbers


def test_wireshark_reads_the_same_numbers(tshark: str, datagrams: list[bytes]) -> None:
    numbers = dissected(tshark, datagrams)
    assert len(numbers["timestamp"]) > 10
    assert numbers == read(datagrams)


def test_what_it_reads_is_what_was_sent(tshark: str, datagrams: list[bytes]) -> None:
    numbers = dissected(tshark, datagrams)
    marks: dict[int, int] = {}
    metrics = iter(zip(numbers["received"], numbers["ecn"], strict=True))
    for begin, n in zip(numbers["beginseq"], numbers["numreports"], strict=True):
        for number in range(begin, begin + n):
            received, ecn = next(metrics)
            if received:
                marks[(number - FIRST) % 65536] = ecn
    assert marks == {number: ecn_of(number) for number in range(PACKETS) if is_sent(number)}
