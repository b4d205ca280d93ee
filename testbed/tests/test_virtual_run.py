"""A scenario with cross traffic in the virtual world: real TCP, a real AQM, twice the same."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure import captures
from gcc_testbed.measure.metrics import read_link_log

pytestmark = pytest.mark.virtual

SCENARIO = """
title = "A call beside one TCP flow"
duration_s = 5
measure_from_s = 1
[link]
one_way_delay_ms = 25
jitter_ms = 1
loss_percent = 1
[link.forward]
rate_kbps = 1000
[link.forward.queue]
kind = "pie"
[[flow]]
kind = "gcc"
extra_one_way_delay_ms = 20
[[flow]]
kind = "tcp"
start_s = 1
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, testbed: Callable[..., None]) -> list[Path]:
    """One on an idle machine, one beside processes that take all there is."""
    base = tmp_path_factory.mktemp("runs")
    (base / "s.toml").write_text(SCENARIO)
    for name, load in (("idle", 0), ("loaded", 2 * (os.cpu_count() or 1))):
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load)]
        try:
            testbed(base, "run", "s.toml", "--quiet", "--out", name)
        finally:
            for process in busy:
                process.kill()
                process.wait()
    return [base / "idle", base / "loaded"]


def test_both_flows_are_measured(runs: list[Path]) -> None:
    measured = json.loads((runs[0] / "metrics.json").read_text())
    gcc, tcp = measured["flows"]
    assert (gcc["kind"], tcp["kind"]) == ("gcc", "tcp")
    assert gcc["received_kbps"] > 50
    assert tcp["received_kbps"] > 200
    assert 0.7 < measured["link"]["utilisation"] <= 1.001
    # PIE keeps the queue near 20 ms, which tbf's own of 1000 packets would not.
    assert 5 < measured["link"]["one_way_queueing_ms"]["p50"] < 100
    assert tcp["rtt_queueing_ms"]["p50"] > 1
    assert 0 < measured["fairness"]["jain"] <= 1


def test_a_flow_with_a_longer_way_takes_exactly_longer(runs: list[Path]) -> None:
    """Its RTT is 90 ms without queues; nothing of that counts as queueing."""
    gcc, _ = json.loads((runs[0] / "metrics.json").read_text())["flows"]
    assert -6 < gcc["rtt_queueing_ms"]["p5"] < 40


def test_a_machine_under_load_makes_the_same_call(runs: list[Path]) -> None:
    for point in ("a", "b"):
        first, second = (
            captures.read(run / f"{point}.pcap", read_link_log(run / "link.csv")[0]) for run in runs
        )
        for name in ("ip_bytes", "port", "source_port", "protocol"):
            assert np.array_equal(getattr(first, name), getattr(second, name)), name
        assert np.abs(first.time_s - second.time_s).max() < 1e-4
    for name in ("metrics.json", "per-second.csv"):
        assert (runs[0] / name).read_bytes() == (runs[1] / name).read_bytes(), name


def test_every_build_of_the_kernel_makes_the_same_call(runs: list[Path]) -> None:
    # Guards: the version string, with the date of the build, begins the kernel's random numbers.
    linux = Path(json.loads((runs[0] / "call.json").read_text())["command"][0])
    assert b"#1 Mon Nov 23 02:08:49 UTC 2026" in linux.read_bytes()


def test_a_report_is_made_again_from_the_directory_alone(
    runs: list[Path], testbed: Callable[..., None]
) -> None:
    files = ("metrics.json", "per-second.csv", "call.png", "figures/shares.svg", "report.html")
    before = {name: (runs[0] / name).read_bytes() for name in files}
    for name in files:
        (runs[0] / name).unlink()
    testbed(runs[0].parent, "report", str(runs[0]))
    assert {name: (runs[0] / name).read_bytes() for name in files} == before


def test_the_captures_have_the_last_packet(tmp_path: Path, testbed: Callable[..., None]) -> None:
    """tcpdump, when it is ended, has lost what the kernel had not yet given it."""
    (tmp_path / "s.toml").write_text(
        'title = "A thin stream"\nduration_s = 3\n[link.forward]\nrate_kbps = 4000\n'
        '[[flow]]\nkind = "udp-cbr"\nrate_kbps = 800\npacket_bytes = 100\n'
    )
    testbed(tmp_path, "run", "s.toml", "--quiet", "--no-plots", "--out", "out")
    for point in ("a", "b"):
        assert "3000 packets captured" in (tmp_path / f"out/logs/capture-{point}.log").read_text()
