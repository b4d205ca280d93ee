"""Measures of a capture whose answers are known."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure import metrics
from gcc_testbed.measure.captures import Journeys
from gcc_testbed.measure.metrics import convergence_s, jain, measure, per_second, read_record
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.scenario.flows import GccFlow, TcpFlow
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.sequence import Sequence

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
    measured = metrics.measure(metrics.read_record(experiment.run, experiment.scenario))
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
    (flow,) = metrics.measure(metrics.read_record(experiment.run, experiment.scenario))["flows"]
    delay = flow["one_way_queueing_ms"]
    assert (delay["p5"], delay["p25"], delay["p95"], delay["max"]) == (10, 10, 30, 30)
    # Of ten packets five are early and four late.
    assert (delay["p50"], delay["mean"]) == (10, pytest.approx((5 * 10 + 4 * 30) / 9, abs=0.01))


def test_nothing_received_is_not_a_crash(
    experiment: Experiment, write_capture: Callable[..., None]
) -> None:
    write_capture(experiment.run / "b.pcap", [])
    (experiment.run / "sender.csv").unlink()
    (flow,) = metrics.measure(metrics.read_record(experiment.run, experiment.scenario))["flows"]
    assert (flow["received_kbps"], flow["loss_ratio"], flow["n_dd"]) == (0, 1, None)
    assert set(flow["one_way_queueing_ms"].values()) == {None}


def test_good_utilisation_leaves_out_the_headers(experiment: Experiment) -> None:
    (flow,) = measure(read_record(experiment.run, experiment.scenario))["flows"]
    assert flow["good_utilisation"] == pytest.approx(flow["utilisation"] * 460 / 500, rel=1e-4)


def test_queueing_by_rtt_is_what_is_above_the_links_own(experiment: Experiment) -> None:
    (experiment.run / "sender.csv").write_text(
        "time_s,event,rtt_ms\n"
        f"{ORIGIN + 1},report,900\n{ORIGIN + 3},report,60\n{ORIGIN + 4},remb,900\n"
        f"{ORIGIN + 5},report,80\n"
    )
    (flow,) = measure(read_record(experiment.run, experiment.scenario))["flows"]
    assert flow["rtt_queueing_ms"]["mean"] == 20
    assert flow["rtt_queueing_ms"]["max"] == 30


def test_a_link_is_all_its_flows(
    experiment: Experiment, write_tcp_capture: Callable[..., None], tmp_path: Path
) -> None:
    """Half of the bytes are TCP's, and it has lost every second packet."""
    flows = (*experiment.scenario.flows, TcpFlow(name="tcp-1"))
    for point in ("a", "b"):
        rows = [(ORIGIN + 0.005 + n / 100, 20000, n, 1 + 460 * n, 500) for n in range(800)]
        file = tmp_path / "tcp.pcap"
        write_tcp_capture(file, rows if point == "a" else rows[::2], port=5010)
        with (experiment.run / f"{point}.pcap").open("ab") as whole:
            whole.write(file.read_bytes()[24:])
    (experiment.run / "sender.csv").rename(experiment.run / "sender-gcc-1.csv")
    (experiment.run / "tcp-a.csv").write_text(
        f"time_s,flow,cwnd,rtt_ms\n{ORIGIN + 3},tcp-1,10,70\n{ORIGIN + 4},tcp-2,10,90\n"
    )
    measured = measure(read_record(experiment.run, replace(experiment.scenario, flows=flows)))
    gcc, tcp = measured["flows"]
    assert (gcc["n_dd"], tcp["n_dd"]) == (3, None)
    assert tcp["loss_ratio"] == pytest.approx(0.5, abs=0.002)
    assert tcp["received_kbps"] == pytest.approx(200, rel=0.01)
    assert tcp["rtt_queueing_ms"]["mean"] == 20
    assert measured["link"]["loss_ratio"] == pytest.approx(0.3, abs=0.002)
    assert measured["link"]["utilisation"] == pytest.approx(
        gcc["utilisation"] + tcp["utilisation"], abs=1e-4
    )
    assert measured["fairness"]["shares"]["tcp-1"] == pytest.approx(200 / 560, abs=0.002)
    assert measured["fairness"]["jain"] == pytest.approx(560**2 / 2 / (200**2 + 360**2), abs=0.002)


def test_a_flow_is_measured_while_it_is_active(experiment: Experiment) -> None:
    late = replace(experiment.scenario, flows=(GccFlow(start_s=6),))
    (flow,) = measure(read_record(experiment.run, late))["flows"]
    assert flow["active_s"] == [6, 8]
    # The capacity of that time, too.
    assert flow["utilisation"] == pytest.approx(0.72, abs=0.01)


def test_jains_index_knows_fair_from_unfair() -> None:
    assert jain([3, 3, 3]) == pytest.approx(1)
    assert jain([1, 0, 0, 0]) == pytest.approx(0.25)
    assert jain([0, 0]) is None


def test_convergence_is_the_time_until_the_rate_stays_where_it_will_be() -> None:
    """100 packets a second; from 12 s on they are twice as large."""
    sent = np.arange(6000) / 100
    size = np.where(sent < 12, 500, 1000)
    journeys = Journeys(sent, sent + 0.01, size, size)
    # At 17 s the last five seconds are new; at 16 they are within 10 %.
    assert convergence_s(journeys, 0, 60) == pytest.approx(16, abs=1)
    assert convergence_s(journeys, 20, 60) == 0
    # Still changing in the last third: never.
    assert convergence_s(journeys, 0, 15) is None


def test_every_second_of_every_flow_has_a_row(experiment: Experiment) -> None:
    header, *rows = per_second(read_record(experiment.run, experiment.scenario))
    assert len(rows) == 8
    third = dict(zip(header, rows[2], strict=True))
    assert (third["time_s"], third["flow"], third["sent_kbps"]) == ("2", "gcc-1", "400")
    assert (third["loss_ratio"], third["queueing_p50_ms"]) == ("0.1", "10")
    assert third["capacity_kbps"] == "1000"
