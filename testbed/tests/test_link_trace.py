"""A link that a recorded trace drives."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.commands.make_call import describe
from gcc_testbed.measure import metrics, traces
from gcc_testbed.measure.captures import Journeys
from gcc_testbed.measure.metrics import FlowRecord, Record
from gcc_testbed.report import plots
from gcc_testbed.run import experiment_script, topology
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.scenario import link_trace, scenario_file, synthetic_traces
from gcc_testbed.scenario.flows import TcpFlow
from gcc_testbed.scenario.link import Codel, LinkTrace, RateSchedule, RateStep, Shaper
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

SCENARIO = """
title = "A trace"
duration_s = 1
[link.forward]
rate_kbps = { trace = "recorded" }
[[flow]]
kind = "tcp"
"""
# Two packets in the first 50 ms, none in the second, one in the third; it lasts 150 ms.
TIMES = (0, 10, 110, 150)


def written(directory: Path, content: str, text: str = SCENARIO) -> Scenario:
    (directory / "recorded").write_text(content)
    (directory / "s.toml").write_text(text)
    return scenario_file.load(directory / "s.toml")


def traced(scenario: Scenario, *steps: tuple[float, float]) -> Scenario:
    rate = RateSchedule(tuple(RateStep(*step) for step in steps))
    shaper = Shaper(rate, trace=LinkTrace("/there/recorded", 1000))
    return replace(scenario, link=replace(scenario.link, forward=shaper), duration_s=2)


def test_opportunities_become_the_rate_of_their_bin_and_the_trace_repeats() -> None:
    steps = link_trace.schedule(TIMES, 0.3).steps
    # 150 ms is 0 ms of the next turn, and an opportunity there as well.
    assert [(step.at_s, step.kbps) for step in steps] == [
        (0, 480), (0.05, 0), (0.1, 240), (0.15, 720), (0.2, 0), (0.25, 240),
    ]  # fmt: skip


def test_a_schedule_carries_what_the_trace_carries() -> None:
    file = DATA / "link-traces" / "synthetic-lte-driving"
    times = link_trace.read(file)
    whole = link_trace.schedule(times, times[-1] / 1000)
    assert whole.mean_kbps(0, times[-1] / 1000) == pytest.approx(link_trace.mean_kbps(times), 0.01)


def test_a_trace_is_found_beside_the_scenario_and_written_down_as_run(tmp_path: Path) -> None:
    scenario = written(tmp_path, "0\n10\n110\n150\n")
    shaper = scenario.link.forward
    assert shaper.rate == link_trace.schedule(TIMES, 1)
    assert shaper.trace == LinkTrace(str(tmp_path / "recorded"), 320)
    data = scenario_file.to_data(scenario)
    (tmp_path / "recorded").unlink()
    assert scenario_file.from_data(data, "call.json", None) == scenario


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it ends at 0 ms: nothing to repeat"),
        ("0\n0\n", "it ends at 0 ms: nothing to repeat"),
        ("1\nx\n", 'line 2 is "x", not a time in whole ms'),
        ("1\n-2\n", 'line 2 is "-2", not a time in whole ms'),
        ("1\n2.5\n", 'line 2 is "2.5", not a time in whole ms'),
        ("5\n4\n", "line 2 is earlier than the one before: times increase"),
        ("\x00\n", "line 1 is "),
    ],
)
def test_a_file_that_is_no_trace_is_told_in_one_line(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(TestbedError) as caught:
        written(tmp_path, content)
    text = str(caught.value)
    assert text.startswith(f'{tmp_path}/s.toml: link.forward.rate_kbps.trace = "recorded": ')
    assert message in text
    assert "\n" not in text


def test_a_trace_has_no_large_bucket(tmp_path: Path) -> None:
    """Each change of tbf fills its bucket: the link would carry far more than the trace."""
    with pytest.raises(TestbedError) as caught:
        written(tmp_path, "5\n", SCENARIO.replace("[[flow]]", "burst_bytes = 12000\n[[flow]]"))
    assert "link.forward.burst_bytes = 12000: expected 1540 with a trace, each" in str(caught.value)


@pytest.mark.parametrize(
    ("rate", "message"),
    [
        ('{ trace = "nowhere" }', 'link.forward.rate_kbps.trace = "nowhere": cannot read it: No'),
        ("{ trace = 5 }", "link.forward.rate_kbps.trace = 5: expected text"),
        ("{ file = 5 }", "link.forward.rate_kbps.trace is missing"),
        ('{ trace = "recorded", ms = 5 }', "unknown key link.forward.rate_kbps.ms"),
        ("[5]", "link.forward.rate_kbps = [5]: expected kbit/s like 1000, a schedule"),
    ],
)
def test_a_wrong_table_names_its_key(tmp_path: Path, rate: str, message: str) -> None:
    with pytest.raises(TestbedError) as caught:
        written(tmp_path, "5\n", SCENARIO.replace('{ trace = "recorded" }', rate))
    assert message in str(caught.value)


def test_what_a_change_lets_pass_is_not_lent_twice(scenario: Scenario) -> None:
    """Each change of tbf fills its bucket; without this a trace's link would be some 5 % faster."""
    shaper = traced(scenario, (0, 1200), (0.1, 0), (0.2, 600), (0.3, 600.001)).link.forward
    passed = LinkTrace.change_passes_bytes
    first, closed, owing, free = topology.shaper_rates(shaper)
    assert first == pytest.approx(1200 - passed * 8 / 100)
    assert closed == topology.CLOSED_KBPS
    # The change to a closed link passed bytes that the next one has to make up for.
    leaked = passed + topology.CLOSED_KBPS * 125 * 0.1
    assert owing == pytest.approx(600 - (passed + leaked) * 8 / 100, abs=1.1)
    assert free > owing


def test_one_process_changes_a_traced_link_and_wakes_its_queue(
    scenario: Scenario, tmp_path: Path
) -> None:
    scenario = traced(replace(scenario, flows=(TcpFlow(name="tcp-1"),)), (0, 900), (0.5, 0), (1, 1))
    script = experiment_script.script(Experiment(scenario, (), tmp_path), {})
    assert "tc -n r -batch -" in script
    changes = [line for line in script.splitlines() if "change_link qdisc change" in line]
    assert [line.split(";")[0] for line in changes] == [
        "sleep_until_us 500000",
        "sleep_until_us 1000000",
    ]
    assert "sleep_until_us 1000500; nudge_link rb 1" in script.splitlines()
    # The capacity that is measured against is the trace's.
    assert ["&& link_rate 0 " in line for line in changes] == [True, False]
    written = Shaper(RateSchedule((RateStep(0, 1000), RateStep(1, 500))))
    plain = replace(scenario, link=replace(scenario.link, forward=written))
    assert "-batch - >" not in experiment_script.script(Experiment(plain, (), tmp_path), {})


def test_a_queue_on_a_traced_link_is_fitted_to_the_mean(scenario: Scenario) -> None:
    shaper = traced(scenario, (0, 480), (0.5, 0)).link.forward
    for kbps in (0, 480):
        (line,) = topology.bottleneck("change", "rb", shaper, kbps)
        assert "limit 37500" in line
    _, child = topology.bottleneck("add", "rb", replace(shaper, queue=Codel()), 480)
    assert "target 13000us" in child


def test_a_call_over_a_trace_is_measured_and_drawn(scenario: Scenario, tmp_path: Path) -> None:
    scenario = traced(replace(scenario, measure_from_s=0.5), (0, 480), (0.5, 0), (1, 960))
    (tmp_path / "link.csv").write_text("time_s,kbps\n7,480\n7.5,0\n8,960\n")
    _, capacity = metrics.read_link_log(tmp_path / "link.csv")
    times = np.linspace(0, 2, 50)
    sent = Journeys(times, times + 0.02, np.full(50, 1000), np.full(50, 960))
    flow = FlowRecord(scenario.flows[0], sent, traces.Trace(), traces.Trace())
    record = Record(scenario, capacity, (flow,))
    measured = describe(scenario, (), metrics.measure(record))
    measured["sequence"] = {"name": "foreman"}
    assert measured["capacity_kbps"] == 640
    # Not one for each of a trace's changes.
    assert [entry["at_s"] for entry in measured["flows"][0]["convergence"]] == [0]
    plots.draw(record, measured, tmp_path)
    assert (tmp_path / "call.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", sorted(synthetic_traces.texts()))
def test_the_shipped_traces_are_what_their_seed_makes(name: str) -> None:
    file = DATA / "link-traces" / name
    assert file.read_text() == synthetic_traces.texts()[name]
