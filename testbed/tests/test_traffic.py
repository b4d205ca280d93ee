"""The cross traffic's own program, on this machine's loopback."""

import csv
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from gcc_testbed.run.experiment import TRAFFIC_PROGRAM


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def run(tmp_path: Path, flow: dict[str, Any], seconds: float) -> tuple[bytes, list[dict[str, str]]]:
    """The bytes that arrived at a sink of our own, and the sender's log."""
    plan = {
        "address": "127.0.0.1",
        "source_port": 0,
        "start_s": 0.0,
        "stop_s": seconds,
        "seed": "1/x",
        "transfers": None,
        "congestion": "cubic",
        **flow,
    }
    log, file = tmp_path / "log.csv", tmp_path / "send.json"
    file.write_text(json.dumps({"log": str(log), "flows": [plan]}))
    origin = {"CALL_ORIGIN_US": str(round(time.time() * 1e6))}
    sender = subprocess.Popen(
        [sys.executable, str(TRAFFIC_PROGRAM), "send", str(file)],
        env={**os.environ, **origin},
    )
    received = bytearray()
    kind = socket.SOCK_STREAM if plan["kind"] == "tcp" else socket.SOCK_DGRAM
    with socket.socket(type=kind) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", plan["port"]))
        listening.settimeout(seconds + 3)
        try:
            if plan["kind"] == "tcp":
                listening.listen()
                taken, _ = listening.accept()
                taken.settimeout(3)
                while block := taken.recv(1 << 16):
                    received += block
                taken.close()
            else:
                listening.settimeout(1)
                while True:
                    received += listening.recv(2000)
        except (TimeoutError, ConnectionResetError):
            pass
    sender.send_signal(signal.SIGINT)
    assert sender.wait(timeout=5) == 0
    with log.open() as content:
        return bytes(received), list(csv.DictReader(content))


def test_a_connection_sends_until_it_is_stopped_and_logs_what_tcp_knows(tmp_path: Path) -> None:
    received, rows = run(tmp_path, {"kind": "tcp", "name": "tcp-1", "port": free_port()}, 1.5)
    assert len(received) > 1_000_000
    assert {row["flow"] for row in rows} == {"tcp-1"}
    assert 3 <= len(rows) <= 16
    # The initial window; on a loaded machine even the loopback loses packets later.
    assert max(int(row["cwnd"]) for row in rows) >= 10
    assert float(rows[-1]["rtt_ms"]) > 0


def test_a_transfer_has_a_size_within_its_bounds(tmp_path: Path) -> None:
    transfers = {"bytes_min": 30000, "bytes_max": 50000, "idle_mean_s": 1000}
    flow = {"kind": "tcp", "name": "tcp-1", "port": free_port(), "transfers": transfers}
    received, _ = run(tmp_path, flow, 2.0)
    assert 30000 <= len(received) <= 50000


def test_a_constant_rate_is_kept(tmp_path: Path) -> None:
    rate = {"rate_kbps": 400, "packet_bytes": 500}
    received, _ = run(tmp_path, {"kind": "udp-cbr", "name": "x", "port": free_port(), **rate}, 1.0)
    # 100 packets a second; the size counts IP and UDP headers.
    assert len(received) == pytest.approx(100 * 472, rel=0.02)
