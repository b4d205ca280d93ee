"""A call between examples/webrtc and aiortc, an implementation of its own: REMB both ways."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import application
import pytest

pytest.importorskip("aiortc", reason="no aiortc: tests/run.sh installs it")
pytestmark = pytest.mark.webrtc

PEER = Path(__file__).with_name("aiortc_peer.py")

# gccreceiver may wait five seconds before its first estimate.
PATIENCE_S = 20 + application.PATIENCE_S
START = 300_000
# Below it A_s does not go, whatever aiortc asks for.
MIN = 100_000
# aiortc's encoder takes no more, whatever REMB says.
AIORTC_MAX = 1_500_000
# Fewer could be chance.
N_REMBS = 3
NEAR = 0.4


def sends_as_we_want(rows: list[application.Row]) -> bool:
    target = application.mean(rows, "our_a_s_bps")
    return application.mean(rows, "received_bps") == pytest.approx(target, rel=NEAR)


def aiortc_sends_as_it_is_told(rows: list[application.Row]) -> bool:
    if not application.known(rows, "target_bps"):
        return False
    target = min(application.mean(rows, "target_bps"), AIORTC_MAX)
    return application.mean(rows, "sent_bps") == pytest.approx(target, rel=NEAR)


def has_obeyed_rembs(rows: list[application.Row]) -> bool:
    return len(set(application.known(rows, "target_bps"))) >= N_REMBS


def has_asked(folder: Path, rows: list[application.Row]) -> bool:
    """Whether aiortc has sent REMBs, by the trace of gccsender."""
    del rows
    trace = application.read_live(folder / "sender.csv")
    return len(application.known(trace, "remb_bps")) >= N_REMBS


WANTED = {
    "our target": sends_as_we_want,
    "aiortc's target": aiortc_sends_as_it_is_told,
    "REMBs": has_obeyed_rembs,
}


@dataclass(frozen=True)
class Call:
    """What the two ends and our elements noted."""

    sender: list[application.Row]
    receiver: list[application.Row]
    aiortc: list[application.Row]
    seen: set[str]
    feedback: list[str]
    answer: str


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Call:
    missing = application.what_is_missing()
    if missing is not None:
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("aiortc")
    with application.running(folder) as address, (folder / "aiortc.txt").open("wb") as log:
        command = [sys.executable, str(PEER), address, str(PATIENCE_S)]
        peer = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            wanted = WANTED | {"aiortc's REMBs": partial(has_asked, folder)}
            seen = application.wait_for(folder, wanted)
            assert peer.poll() is None, (folder / "aiortc.txt").read_text()
        finally:
            peer.terminate()
            peer.wait()
    names = ("sender", "receiver", "browser")
    return Call(
        *(application.read(folder / f"{name}.csv") for name in names),
        seen=seen,
        feedback=application.words(folder / "browser.csv", "our_feedback"),
        answer=(folder / "answer.sdp").read_text(),
    )


def test_transport_cc_is_not_answered_where_it_was_not_offered(call: Call) -> None:
    assert "transport-cc" not in call.answer
    assert "transport-wide-cc" not in call.answer
    assert set(call.feedback) == {"remb"}


def test_rembs_of_aiortc_bound_our_target(call: Call) -> None:
    rows = [row for row in call.sender if row["remb_bps"] is not None]
    assert len(rows) >= N_REMBS
    assert all(row["a_s_bps"] <= max(row["remb_bps"], MIN) for row in rows)
    assert rows[-1]["a_s_bps"] != START


def test_what_aiortc_receives_follows_our_target(call: Call) -> None:
    assert "our target" in call.seen


def test_aiortc_obeys_the_rembs_that_gccreceiver_sends(call: Call) -> None:
    obeyed = set(application.known(call.aiortc, "target_bps"))
    sent = application.known(call.receiver, "a_r_bps")
    assert len(obeyed) >= N_REMBS
    # REMB has 18 significant bits
    assert all(any(abs(rate - one) <= one / 2**17 for one in sent) for rate in obeyed)


def test_what_aiortc_sends_follows_our_estimate(call: Call) -> None:
    assert "aiortc's target" in call.seen
