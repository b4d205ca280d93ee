"""Two short calls in the virtual world with one seed: the same packets, the same decisions."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure import captures, traces
from gcc_testbed.measure.metrics import read_link_log

pytestmark = pytest.mark.virtual

CALL = ("--duration", "5", "--measure-from", "2", "--rate", "0:1000,3:500", "--quiet")
DECISIONS = {
    "sender.csv": ("event", "fraction_lost", "remb_bps", "a_s_bps", "v_bps", "n_dd"),
    "receiver.csv": ("event", "signal", "state", "remb_bps"),
}


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory, testbed: Callable[..., None]) -> list[Path]:
    base = tmp_path_factory.mktemp("calls")
    for name in ("first", "second"):
        testbed(base, "call", *CALL, "--out", name)
    return [base / "first", base / "second"]


def packets(call: Path, point: str) -> captures.Packets:
    origin_s, _ = read_link_log(call / "link.csv")
    return captures.read_rtp(call / f"{point}.pcap", 5000, origin_s)


def test_a_call_leaves_everything_it_promises(calls: list[Path]) -> None:
    for name in ("sender.csv", "receiver.csv", "metrics.json", "call.png", "report.html"):
        assert (calls[0] / name).stat().st_size > 0, name
    flow = json.loads((calls[0] / "metrics.json").read_text())["flows"][0]
    assert flow["received_kbps"] > 50
    assert 0 <= flow["loss_ratio"] < 0.5
    assert flow["one_way_queueing_ms"]["max"] <= 1000


@pytest.mark.parametrize("point", ["a", "b"])
def test_one_seed_gives_the_same_packets_at_the_same_times(calls: list[Path], point: str) -> None:
    first, second = (packets(call, point) for call in calls)
    for field in ("ssrc", "sequence", "ip_bytes"):
        assert np.array_equal(getattr(first, field), getattr(second, field)), field
    assert np.abs(first.time_s - second.time_s).max() < 1e-4


@pytest.mark.parametrize("name", list(DECISIONS))
def test_one_seed_gives_the_same_decisions(calls: list[Path], name: str) -> None:
    first, second = (traces.read(call / name) for call in calls)
    assert len(first.rows) == len(second.rows) > 0
    for column in DECISIONS[name]:
        assert first.text(column) == second.text(column), column


def test_no_kernel_is_left_running(calls: list[Path]) -> None:
    inits = [str(call.parent).encode() for call in calls]
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = command.read_bytes()
        except OSError:
            continue
        assert not (b"time-travel=" in words and any(init in words for init in inits))
