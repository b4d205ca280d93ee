"""Reports of RFC 8888 and pion, which writes and reads them by interceptors of its own.

Both ends of a stream are on this machine, in real time, and have no WebRTC between them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import application
import pytest
import reports

pytestmark = pytest.mark.webrtc

PEER = Path(__file__).with_name("pion")
BUILD_S = 300
CALL_S = 30
# As in main.go, in which one of twenty is not sent.
PACKETS, MISSING = 400, 20
ECT_1 = "1"


@dataclass(frozen=True)
class Pion:
    """The peer's program, and where it runs."""

    program: Path
    folder: Path

    def call(self, mode: str, line: str) -> dict[str, Any]:
        """What it has seen beside a pipeline of ours."""
        command = [str(self.program), mode, str(reports.MEDIA), str(reports.RTCP)]
        with reports.running(line, self.folder):
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=CALL_S, check=True
            )
        seen: dict[str, Any] = json.loads(done.stdout)
        return seen


@pytest.fixture(scope="module")
def pion(tmp_path_factory: pytest.TempPathFactory) -> Pion:
    missing = application.what_is_missing()
    if missing is not None:
        pytest.skip(missing)
    go = shutil.which("go")
    if go is None:
        pytest.skip("no Go: pion is a module of it")
    fetched = subprocess.run(
        [go, "mod", "download"], cwd=PEER, capture_output=True, timeout=BUILD_S, check=False
    )
    if fetched.returncode != 0:
        pytest.skip("no pion: its modules cannot be fetched, or Go is older than 1.24")
    folder = tmp_path_factory.mktemp("pion")
    subprocess.run([go, "build", "-o", folder / "pion"], cwd=PEER, timeout=BUILD_S, check=True)
    return Pion(folder / "pion", folder)


def test_gccsender_follows_reports_of_pion(pion: Pion) -> None:
    trace = pion.folder / "sender.csv"
    seen = pion.call("receive", reports.SENDER.format(trace=trace))
    first, *_, last = application.read(trace)
    assert seen["received"] > 100
    assert seen["reports"] > 50
    assert (last["feedbacks"] or 0) > 50
    assert last["feedbacks_ignored"] == 0
    assert (last["a_s_bps"] or 0) > (first["a_s_bps"] or 0)


def test_pion_reads_what_gccreceiver_reports(pion: Pion) -> None:
    seen = pion.call("send", reports.RECEIVER)
    assert seen["strange"] == 0
    assert seen["lost"] == PACKETS // MISSING
    # Those before gccreceiver had begun are in no report.
    assert PACKETS / 2 < seen["arrived"] <= PACKETS - PACKETS // MISSING
    assert seen["ecn"] == {ECT_1: seen["arrived"]}
    assert seen["max_rtt_ms"] < 1000
