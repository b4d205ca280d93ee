"""A call between examples/webrtc and aiortc, an implementation of its own: REMB both ways."""

from __future__ import annotations

import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import application
import pytest

pytest.importorskip("aiortc", reason="no aiortc: tests/run.sh installs it")
pytestmark = pytest.mark.webrtc

PEER = Path(__file__).with_name("aiortc_peer.py")

# gccreceiver may wait five seconds before its first estimate.
CALL_S = 14
START = 300_000
# aiortc's encoder takes no more, whatever REMB says.
AIORTC_MAX = 1_500_000
# of the last seconds
SETTLED = 6


@dataclass(frozen=True)
class Call:
    """What the two ends and our elements noted."""

    sender: list[application.Row]
    receiver: list[application.Row]
    aiortc: list[application.Row]


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Call:
    missing = application.what_is_missing()
    if missing is not None:
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("aiortc")
    with application.running(folder) as address:
        peer = [sys.executable, str(PEER), address, str(CALL_S)]
        done = subprocess.run(peer, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    names = ("sender", "receiver", "browser")
    return Call(*(application.read(folder / f"{name}.csv") for name in names))


def settled(rows: list[application.Row], column: str) -> float:
    return statistics.mean(application.known(rows, column)[-SETTLED:])


def test_rembs_of_aiortc_bound_our_target(call: Call) -> None:
    rows = [row for row in call.sender if row["remb_bps"] is not None]
    assert len(rows) > 5
    assert all(row["a_s_bps"] <= row["remb_bps"] for row in rows)
    assert rows[-1]["a_s_bps"] != START


def test_what_aiortc_receives_follows_our_target(call: Call) -> None:
    target = settled(call.sender, "a_s_bps")
    assert settled(call.aiortc, "received_bps") == pytest.approx(target, rel=0.4)


def test_aiortc_obeys_the_rembs_that_gccreceiver_sends(call: Call) -> None:
    obeyed = set(application.known(call.aiortc, "target_bps"))
    sent = application.known(call.receiver, "a_r_bps")
    assert len(obeyed) > 5
    # REMB has 18 significant bits
    assert all(any(abs(rate - one) <= one / 2**17 for one in sent) for rate in obeyed)


def test_what_aiortc_sends_follows_our_estimate(call: Call) -> None:
    target = min(settled(call.aiortc, "target_bps"), AIORTC_MAX)
    assert settled(call.aiortc, "sent_bps") == pytest.approx(target, rel=0.4)
