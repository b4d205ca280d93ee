"""The delay of frames, from captures whose answers are known."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import dpkt
import numpy as np
import pytest

from gcc_testbed.measure import captures
from gcc_testbed.measure.frames import Frames, frames
from gcc_testbed.measure.metrics import measure, read_record
from gcc_testbed.report.page import summary_rows
from gcc_testbed.scenario.flows import CbrFlow
from gcc_testbed.scenario.scenario import Scenario

MEDIA, RTX, FEC = 96, 97, 100
SSRC = {MEDIA: 7, FEC: 7, RTX: 8}
TICKS_A_FRAME = 3000

# (time in s, payload type, sequence number, RTP timestamp, payload)
Row = tuple[float, int, int, int, bytes]


def write(file: Path, rows: list[Row]) -> None:
    """Packets as tcpdump captures them."""
    with file.open("wb") as target:
        writer = dpkt.pcap.Writer(target, snaplen=96, nano=True)
        for time, kind, number, timestamp, payload in rows:
            first = 0xA0 if payload == PADDING else 0x80
            stamp = timestamp & 0xFFFFFFFF
            rtp = struct.pack("!BBHII", first, kind, number & 0xFFFF, stamp, SSRC[kind]) + payload
            udp = struct.pack("!HHHH", 6000, 5000, 8 + len(rtp), 0)
            ip = struct.pack("!BBHHHBBHII", 0x45, 0, 28 + len(rtp), 0, 0x4000, 64, 17, 0, 1, 2)
            writer.writepkt((bytes(12) + b"\x08\x00" + ip + udp + rtp)[:96], ts=time)
        writer.close()


PADDING = bytes(254) + b"\xff"
VIDEO = bytes(500)


def call(folder: Path, sent: list[Row], received: list[Row]) -> Frames:
    write(folder / "a.pcap", sent)
    write(folder / "b.pcap", sorted(received))
    seen = {name: captures.read(folder / f"{name}.pcap") for name in ("a", "b")}
    packets = {name: captures.rtp(capture, 5000) for name, capture in seen.items()}
    fields = captures.rtp_fields(seen["a"], 5000)
    return frames(packets["a"], fields, captures.match(packets["a"], packets["b"]))


def video(count: int, *, first: int = 0, packets: int = 2, spread_s: float = 0.0) -> list[Row]:
    """30 frames a second of some packets each; `spread_s` lies between them."""
    return [
        (n / 30 + k * spread_s, MEDIA, n * packets + k, first + n * TICKS_A_FRAME, VIDEO)
        for n in range(count)
        for k in range(packets)
    ]


def later(rows: list[Row], by_s: Callable[[Row], float]) -> list[Row]:
    return [(row[0] + by_s(row), *row[1:]) for row in rows]


def ms(delays: Frames) -> list[float]:
    return [round(float(delay) * 1000, 2) for delay in delays.delay_s]


def test_a_frame_arrives_with_its_last_packet(tmp_path: Path) -> None:
    sent = video(4)
    # The second packet of frame 2 takes 50 ms more than the others.
    found = call(tmp_path, sent, later(sent, lambda row: 0.06 if row[2] == 5 else 0.01))
    assert ms(found) == [10, 10, 60, 10]
    assert found.sent_s == pytest.approx([n / 30 for n in range(4)], abs=1e-6)


def test_what_the_sender_holds_back_counts(tmp_path: Path) -> None:
    """A pacer spreads frames from the second one on; the network delays all packets alike."""
    sent = [*video(1), *video(3, spread_s=0.02)[2:]]
    assert ms(call(tmp_path, sent, later(sent, lambda _: 0.01))) == [10, 30, 30]


def test_a_queue_that_is_never_empty_counts(tmp_path: Path) -> None:
    """Others have filled it before the first frame: the least delay of all is still theirs."""
    sent = video(3)
    assert ms(call(tmp_path, sent, later(sent, lambda row: 0.2 + 0.01 * row[2]))) == [210, 230, 250]


def test_timestamps_wrap(tmp_path: Path) -> None:
    sent = video(6, first=2**32 - 2 * TICKS_A_FRAME)
    found = call(tmp_path, sent, later(sent, lambda row: 0.01 + 0.001 * row[2]))
    assert ms(found) == [11, 13, 15, 17, 19, 21]


def test_a_frame_that_lacks_a_packet_has_no_delay(tmp_path: Path) -> None:
    sent = video(3)
    found = call(tmp_path, sent, [row for row in later(sent, lambda _: 0.01) if row[2] != 3])
    assert found.whole.tolist() == [True, False, True]


def test_padding_is_part_of_no_frame(tmp_path: Path) -> None:
    """Three packets of padding with the last frame's timestamp, each 100 ms in the network."""
    sent = video(2)
    padding = [(0.05, MEDIA, 4 + n, TICKS_A_FRAME, PADDING) for n in range(3)]
    arrived = [*later(sent, lambda _: 0.01), *later(padding, lambda _: 0.1)]
    assert ms(call(tmp_path, [*sent, *padding], arrived)) == [10, 10]
    payload = captures.read_rtp(tmp_path / "a.pcap", 5000).payload_bytes
    assert payload.tolist() == [500] * 4 + [0] * 3


def test_a_retransmission_stands_for_the_packet_that_it_repeats(tmp_path: Path) -> None:
    sent = video(3)
    again = (0.1, RTX, 1, TICKS_A_FRAME, struct.pack("!H", 3) + VIDEO)
    arrived = [*(row for row in later(sent, lambda _: 0.01) if row[2] != 3)]
    found = call(tmp_path, [*sent, again], [*arrived, (0.11, *again[1:])])
    # Captured at 33.3 ms, there at 110; the others take 10.
    assert ms(found) == [10, pytest.approx(110 - 100 / 3, abs=0.02), 10]


def test_a_retransmission_alone_completes_no_frame(tmp_path: Path) -> None:
    """One of two lost packets is repeated."""
    sent = video(3)
    again = (0.1, RTX, 1, TICKS_A_FRAME, struct.pack("!H", 3) + VIDEO)
    arrived = [*(row for row in later(sent, lambda _: 0.01) if row[2] not in (2, 3))]
    found = call(tmp_path, [*sent, again], [*arrived, (0.11, *again[1:])])
    assert found.whole.tolist() == [True, False, True]


def test_a_probe_of_retransmissions_delays_nothing(tmp_path: Path) -> None:
    """A packet that has arrived, and is repeated all the same, does not arrive a second time."""
    sent = video(3)
    again = (0.1, RTX, 1, 2 * TICKS_A_FRAME, struct.pack("!H", 5) + VIDEO)
    arrived = [*later(sent, lambda _: 0.01), (0.3, *again[1:])]
    assert ms(call(tmp_path, [*sent, again], arrived)) == [10, 10, 10]


def test_fec_is_part_of_no_frame(tmp_path: Path) -> None:
    sent = video(2)
    fec = (0.05, FEC, 4, TICKS_A_FRAME, VIDEO)
    assert ms(call(tmp_path, [*sent, fec], later(sent, lambda _: 0.01))) == [10, 10]


def test_a_call_without_media_has_no_frames(tmp_path: Path) -> None:
    assert len(call(tmp_path, [], []).delay_s) == 0


@pytest.fixture
def measured_frames(scenario: Scenario, tmp_path: Path) -> dict[str, Any]:
    """8 s; the bottleneck takes 10 ms in the first second, 30 from then on."""
    sent = video(240)
    write(tmp_path / "a.pcap", sent)
    received = later(sent, lambda row: 0.01 if row[0] < 1 else 0.03)
    write(tmp_path / "b.pcap", [row for row in received if row[2] % 100 != 99])
    (tmp_path / "link.csv").write_text("time_s,kbps\n0,1000\n")
    (flow,) = measure(read_record(tmp_path, scenario))["flows"]
    assert isinstance(flow, dict)
    return flow


def test_the_delay_of_the_measured_interval_is_reported(measured_frames: dict[str, Any]) -> None:
    delay = measured_frames["frame_delay_ms"]
    assert delay["p50"] == pytest.approx(30, abs=0.02)
    assert delay["p95"] == pytest.approx(30, abs=0.02)


def test_frames_that_never_become_whole_are_counted(measured_frames: dict[str, Any]) -> None:
    # From 2 s on 180 frames are sent; those with the packets 199, 299 and 399 lack one.
    assert measured_frames["frames_incomplete_ratio"] == pytest.approx(3 / 180, abs=1e-6)


def test_a_picture_that_waits_for_the_next_is_frozen(tmp_path: Path) -> None:
    """Ten frames in a row lack a packet: the picture stands from the first one that is due."""
    sent = video(300)
    whole = later(sent, lambda _: 0.02)
    found = call(tmp_path, sent, [row for row in whole if not 100 <= row[2] // 2 < 110])
    assert found.frozen_s(0, 10) == pytest.approx(10 / 30, abs=1e-3)
    # Clipped to the interval.
    assert found.frozen_s(3.5, 10) == pytest.approx(110 / 30 + 0.02 - 3.5, abs=1e-3)


def test_a_short_gap_a_slow_camera_and_a_pause_are_no_freeze(tmp_path: Path) -> None:
    sent = [row for row in video(300) if row[2] // 2 % 10 == 0 and not 100 < row[2] // 2 < 200]
    assert call(tmp_path, sent, later(sent, lambda _: 0.02)).frozen_s(0, 9) == 0
    sent = video(300)
    lost = [row for row in later(sent, lambda _: 0.02) if not 100 <= row[2] // 2 < 104]
    assert call(tmp_path, sent, lost).frozen_s(0, 10) == 0


def test_without_a_whole_frame_the_picture_is_frozen_for_good(tmp_path: Path) -> None:
    sent = video(300)
    found = call(tmp_path, sent, [row for row in sent if row[2] % 2 == 0])
    assert found.frozen_s(2, 10) == pytest.approx(8)


def test_cross_traffic_has_no_frames(scenario: Scenario, tmp_path: Path) -> None:
    for name in ("a.pcap", "b.pcap"):
        write(tmp_path / name, video(200))
    (tmp_path / "link.csv").write_text("time_s,kbps\n0,1000\n")
    cross = replace(scenario, flows=(CbrFlow(name="cross", rate_kbps=100),))
    (flow,) = measure(read_record(tmp_path, cross))["flows"]
    assert "frame_delay_ms" not in flow


def test_the_report_shows_the_delay_of_frames() -> None:
    numbers = {"p50": 1.0, "p95": 2.0}
    flow = {"name": "gcc", "utilisation": 0.9, "received_kbps": 900.0, "loss_ratio": 0.0}
    flow |= {"one_way_queueing_ms": numbers, "n_dd": 3}
    video_flow = {**flow, "frame_delay_ms": {"p50": 12.34, "p95": 56.78}}
    head, with_frames, without = summary_rows({"flows": [video_flow, flow]})
    at = head.index("frame delay p50")
    assert (with_frames[at], with_frames[at + 1]) == ("12.3 ms", "56.8 ms")
    assert (without[at], without[at + 1]) == ("-", "-")


def test_unwrapping_begins_anywhere() -> None:
    from gcc_testbed.measure.frames import _unwrapped

    stamps = np.array([2**32 - 1, 0, 5, 2**32 - 2])
    assert _unwrapped(stamps).tolist() == [0, 1, 6, -1]
