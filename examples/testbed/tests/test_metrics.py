"""Measures of a capture whose answers are known."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gcc_testbed import metrics
from gcc_testbed.experiment import Experiment
from gcc_testbed.scenario import Scenario
from gcc_testbed.sequences import Sequence

ORIGIN = 1577836801.0


@pytest.fixture
def experiment(
    scenario: Scenario, sequence: Sequence, tmp_path: Path, write_capture: Callable[..., None]
) -> Experiment:
    """100 packets a second of 500 bytes for 8 s, each tenth lost, delayed by 10 or 30 ms."""
    sent = [(ORIGIN + 0.005 + n / 100, 7, n, 500) for n in range(800)]
    received = [
        (time + (0.03 if n % 2 else 0.01), ssrc, n, size)
        for time, ssrc, n, size in sent
        if n % 10 != 5
    ]
    write_capture(tmp_path / "a.pcap", sent)
    write_capture(tmp_path / "b.pcap", sorted(received))
    (tmp_path / "link.csv").write_text(f"time_s,kbps\n{ORIGIN},1000\n{ORIGIN + 4},500\n")
    (tmp_path / "sender.csv").write_text(
        "time_s,event,a_s_bps,n_dd\n"
        f"{ORIGIN},start,300000,0\n{ORIGIN + 1},remb,290000,2\n{ORIGIN + 7},remb,280000,5\n"
    )
    return Experiment(scenario, (sequence,), tmp_path)


def test_all_measures_cover_the_measured_interval_only(experiment: Experiment) -> None:
    measured = metrics.measure(metrics.read_record(experiment))
    assert (measured["measure_from_s"], measured["duration_s"]) == (2, 8)
    # 2 s at 1000 kbit/s and 4 s at 500.
    assert measured["capacity_kbps"] == pytest.approx(4000 / 6, abs=0.01)
    (flow,) = measured["flows"]
    assert (flow["name"], flow["kind"]) == ("gcc-1", "gcc")
    assert flow["received_kbps"] == pytest.approx(90 * 500 * 8 / 1000, rel=0.003)
    assert flow["utilisation"] == pytest.approx(0.54, abs=0.002)
    assert flow["loss_ratio"] == pytest.approx(0.1)
    assert flow["n_dd"] == 3


def test_queueing_is_the_difference_between_the_two_captures(experiment: Experiment) -> None:
    (flow,) = metrics.measure(metrics.read_record(experiment))["flows"]
    delay = flow["one_way_queueing_ms"]
    assert (delay["p5"], delay["p25"], delay["p95"], delay["max"]) == (10, 10, 30, 30)
    # Of ten packets five are early and four late.
    assert (delay["p50"], delay["mean"]) == (10, pytest.approx((5 * 10 + 4 * 30) / 9, abs=0.01))


def test_nothing_received_is_not_a_crash(
    experiment: Experiment, write_capture: Callable[..., None]
) -> None:
    write_capture(experiment.run / "b.pcap", [])
    (experiment.run / "sender.csv").unlink()
    (flow,) = metrics.measure(metrics.read_record(experiment))["flows"]
    assert (flow["received_kbps"], flow["loss_ratio"], flow["n_dd"]) == (0, 1, None)
    assert set(flow["one_way_queueing_ms"].values()) == {None}
