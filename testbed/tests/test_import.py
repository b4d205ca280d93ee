"""Recordings from what other programs print."""

import json
from pathlib import Path

import pytest

from gcc_testbed import cli
from gcc_testbed.recordings import logs
from gcc_testbed.scenario import recording
from gcc_testbed.scenario.recording import Row

IPERF = """Connecting to host 10.0.0.1, port 5201
[  5] local 10.0.0.2 port 40000 connected to 10.0.0.1 port 5201
[ ID] Interval           Transfer     Bitrate         Retr  Cwnd
[  5]   0.00-0.20   sec   128 KBytes  5.24 Mbits/sec    0    100 KBytes
[  5]   0.20-0.40   sec  64.0 KBytes   900 Kbits/sec    2   50.0 KBytes
[  5]   0.40-0.60   sec  0.00 Bytes  0.00 bits/sec    0   50.0 KBytes
- - - - - - - - - - - - - - - - - - - - - - - - -
[  5]   0.00-0.60   sec   192 KBytes  2.00 Mbits/sec    2             sender
[  5]   0.00-0.60   sec   150 KBytes  1.90 Mbits/sec                  receiver
"""
IPERF_UDP = """[  5]   0.00-1.00   sec  1.19 MBytes  10.0 Mbits/sec  0.063 ms  0/861 (0%)
[  5]   1.00-2.00   sec  1.10 MBytes  9.25 Mbits/sec  1.263 ms  65/861 (7.5%)
"""
IPERF_SUM = """[  5]   0.00-1.00   sec  1.00 MBytes  8.39 Mbits/sec    0   100 KBytes
[  7]   0.00-1.00   sec  1.00 MBytes  8.39 Mbits/sec    0   100 KBytes
[SUM]   0.00-1.00   sec  2.00 MBytes  16.8 Mbits/sec    0
"""
NUTTCP = """   11.5000 MB /   1.00 sec =   96.4000 Mbps     0 retrans
    5.2500 MB /   0.50 sec =   88.1000 Mbps     3 retrans
   16.7500 MB /   1.50 sec =   93.6000 Mbps 2 %TX 5 %RX 3 retrans 0.30 msRTT
"""
PING = """PING 10.0.0.1 (10.0.0.1) 56(84) bytes of data.
[1700000000.000000] 64 bytes from 10.0.0.1: icmp_seq=1 ttl=58 time=12.5 ms
[1700000000.200000] 64 bytes from 10.0.0.1: icmp_seq=2 ttl=58 time=60.5 ms
[1700000000.600000] 64 bytes from 10.0.0.1: icmp_seq=4 ttl=58 time=10.5 ms

--- 10.0.0.1 ping statistics ---
4 packets transmitted, 3 received, 25% packet loss, time 603ms
"""


def rows(text: str) -> list[tuple[float, float | None, float | None, float | None]]:
    return [(row.time_s, row.kbps, row.delay_ms, row.loss_percent) for row in logs.read(text)[1]]


def test_iperf3_has_a_rate_for_each_interval_and_the_summary_is_none() -> None:
    assert rows(IPERF) == [(0, 5240, None, None), (0.2, 900, None, None), (0.4, 0, None, None)]


def test_iperf3_over_udp_has_loss_too() -> None:
    assert rows(IPERF_UDP) == [(0, 10000, None, 0), (1, 9250, None, 7.5)]


def test_of_several_streams_the_sum_counts() -> None:
    assert rows(IPERF_SUM) == [(0, 16800, None, None)]


def test_iperf3_writes_json() -> None:
    interval = {"start": 3.0, "bits_per_second": 2e6, "lost_percent": 1.5}
    assert rows(json.dumps({"intervals": [{"sum": interval}]})) == [(0, 2000, None, 1.5)]


def test_nuttcp_has_a_rate_for_each_interval() -> None:
    assert rows(NUTTCP) == [(0, 96400, None, None), (1, 88100, None, None)]


def test_ping_has_delays_above_the_least_and_who_does_not_answer_is_lost() -> None:
    assert rows(PING) == [
        (0, None, 2, 0), (0.2, None, 50, 0), (0.4, None, 50, 100), (0.6, None, 0, 0),
    ]  # fmt: skip


def test_answers_without_times_are_a_second_apart() -> None:
    text = "\n".join(line.partition("] ")[2] for line in PING.splitlines() if "bytes from" in line)
    assert [at for at, *_ in rows(text)] == [0, 1, 2, 3]


def test_a_mahimahi_file_is_a_rate_each_200_ms() -> None:
    assert rows("0\n0\n50\n250\n450\n") == [
        (0, 180, None, None), (0.2, 60, None, None), (0.4, 60, None, None),
    ]  # fmt: skip


def test_two_columns_are_seconds_and_mbits() -> None:
    assert rows("10 1.5\n10.5 2\n") == [(0, 1500, None, None), (0.5, 2000, None, None)]


def test_four_columns_have_the_round_trip_and_the_part_lost() -> None:
    assert rows("0,1.5,20,0.01\n1,2,30,0\n") == [(0, 1500, 0, 1), (1, 2000, 10, 0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty"),
        ("hello\n", 'line 1 is "hello": expected the output of iperf3'),
        ("1\n\nx\n", 'line 3 is "x", not a time in whole ms'),
        ("5\n4\n", 'line 2 is "4", not a time after the one before'),
        ("1 2\n1 2\n", 'line 2 is "1 2", not later than the line before'),
        ("1 2\n2 2 3\n", 'line 2 is "2 2 3", not seconds and Mbit/s'),
        ("1 -2\n", 'line 1 is "1 -2", not seconds and Mbit/s'),
        ("1 2 3 1.5\n", 'line 1 is "1 2 3 1.5", not a part lost of at most 1'),
        ('{"intervals": [{}]}', "intervals[0].sum"),
        ('{"intervals": []}', "it has no interval"),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_line_is_named_with_its_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    (tmp_path / "log").write_text(text)
    assert cli.main(["import", str(tmp_path / "log"), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {tmp_path}/log: ")
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_what_is_imported_is_a_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "up.txt").write_text(IPERF)
    (tmp_path / "ping.txt").write_text(PING)
    words = [str(tmp_path / "up.txt"), "--with-ping", str(tmp_path / "ping.txt")]
    assert cli.main(["import", *words, "--out", str(tmp_path)]) == 0
    assert "3 rows, 1 s, 0 to 5240 kbit/s, delay up to 50 ms" in capsys.readouterr().out
    assert recording.read(tmp_path / "up.csv.gz") == (
        Row(0, 5240, 2, 0),
        Row(0.2, 900, 50, 0),
        Row(0.4, 0, 50, 100),
    )


def test_the_same_log_makes_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "up.txt").write_text(IPERF)
    made = []
    for name in ("one", "two"):
        assert cli.main(["import", str(tmp_path / "up.txt"), "--out", str(tmp_path / name)]) == 0
        made.append((tmp_path / name / "up.csv.gz").read_bytes())
    assert made[0] == made[1]
