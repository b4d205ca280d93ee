"""A link that a recording of rate, delay and loss drives."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from gcc_testbed.run import experiment_script, topology
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.scenario import recording, scenario_file
from gcc_testbed.scenario.link import Condition, Fault, LinkTrace, RateStep
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.errors import TestbedError

HEADER = "time_s,kbps,delay_ms,loss_percent\n"
WHOLE = HEADER + "0.01,2000,5,0\n0.02,2000,6.5,0\n0.03,3000,6.5,50\n"
SCENARIO = """
title = "A recording"
duration_s = 0.05
[link]
recording = "path.csv"
{link}
[[flow]]
kind = "tcp"
"""


def loaded(directory: Path, content: str, link: str = "") -> Scenario:
    (directory / "path.csv").write_text(content)
    (directory / "s.toml").write_text(SCENARIO.format(link=link))
    return scenario_file.load(directory / "s.toml")


def test_a_recording_drives_rate_delay_and_loss_at_its_own_steps(tmp_path: Path) -> None:
    link = loaded(tmp_path, WHOLE).link
    # It lasts 40 ms and begins again; what does not change is no step.
    assert link.forward.rate.steps == (
        RateStep(0, 2000),
        RateStep(0.03, 3000),
        RateStep(0.04, 2000),
    )
    assert link.conditions == (
        Condition(0, 5), Condition(0.02, 6.5), Condition(0.03, 6.5, 50), Condition(0.04, 5),
    )  # fmt: skip
    assert link.forward.trace == LinkTrace(str(tmp_path / "path.csv"), 2250, 500)


def test_a_recording_may_be_compressed(tmp_path: Path) -> None:
    (tmp_path / "path.csv.gz").write_bytes(gzip.compress(WHOLE.encode()))
    assert len(recording.read(tmp_path / "path.csv.gz")) == 3


def test_an_empty_cell_is_as_before_and_an_empty_column_was_not_recorded(tmp_path: Path) -> None:
    (tmp_path / "path.csv").write_text(HEADER + "0,,,\n1,900,,\n2,,7,\n")
    rows = recording.read(tmp_path / "path.csv")
    assert [(row.kbps, row.delay_ms, row.loss_percent) for row in rows] == [
        (900, 7, None), (900, 7, None), (900, 7, None),
    ]  # fmt: skip


def test_a_recording_of_rates_alone_leaves_delay_and_loss_to_the_scenario(tmp_path: Path) -> None:
    link = loaded(tmp_path, HEADER + "0,900,,\n1,800,,\n").link
    assert link.conditions == ()
    assert topology.impairment("forward", link) == []


def test_a_recording_of_delays_alone_leaves_the_rate_to_the_scenario(tmp_path: Path) -> None:
    delays = HEADER + "0,,5,\n0.02,,9,\n"
    link = loaded(tmp_path, delays, "[link.forward]\nrate_kbps = 700").link
    assert link.forward.trace is None
    assert [each.delay_ms for each in link.conditions] == [5, 9, 5]
    with pytest.raises(TestbedError, match="link.forward is missing"):
        loaded(tmp_path, delays)


def test_a_path_of_two_recordings_has_the_rates_of_one_and_the_delays_of_the_other(
    tmp_path: Path,
) -> None:
    (tmp_path / "ping.csv").write_text(HEADER + "0,,5,\n0.015,,9,\n")
    text = SCENARIO.replace('"path.csv"', '["path.csv", "ping.csv"]')
    (tmp_path / "path.csv").write_text(HEADER + "0,900,,\n0.02,800,,\n")
    (tmp_path / "s.toml").write_text(text.format(link=""))
    scenario = scenario_file.load(tmp_path / "s.toml")
    link = scenario.link
    # Each repeats by itself: after 40 ms, and after 30.
    assert link.forward.rate.steps == (RateStep(0, 900), RateStep(0.02, 800), RateStep(0.04, 900))
    assert link.conditions == (
        Condition(0, 5), Condition(0.015, 9), Condition(0.03, 5), Condition(0.045, 9),
    )  # fmt: skip
    assert link.forward.trace == LinkTrace(str(tmp_path / "path.csv"), 850, 500)
    data = scenario_file.to_data(scenario)
    assert scenario_file.from_data(data, "call.json", None) == scenario


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ('["path.csv", "other.csv"]', "path.csv and other.csv have kbps: expected it in one"),
        ('["path.csv", "none.csv"]', "none.csv: "),
        ("[]", "link.recording = []: expected a file, or a list of some"),
        ("[5]", "link.recording = [5]: expected a file, or a list of some"),
    ],
)
def test_recordings_that_make_no_path_are_named(tmp_path: Path, names: str, message: str) -> None:
    (tmp_path / "other.csv").write_text(HEADER + "0,1,,\n")
    text = SCENARIO.replace('"path.csv"', names)
    (tmp_path / "path.csv").write_text(WHOLE)
    (tmp_path / "s.toml").write_text(text.format(link=""))
    with pytest.raises(TestbedError) as problem:
        scenario_file.load(tmp_path / "s.toml")
    assert message in str(problem.value)


def test_files_of_a_list_are_found_from_elsewhere() -> None:
    data = {"link": {"recording": ["path.csv", "ping.csv"]}}
    assert list(scenario_file.named_files(data)) == [
        ("link.recording[0]", "path.csv"),
        ("link.recording[1]", "ping.csv"),
    ]


def test_a_queue_upstream_of_recorded_delays_is_woken_after_a_hole(tmp_path: Path) -> None:
    link = loaded(tmp_path, HEADER + "0,900,5,\n0.01,0,5,\n0.02,900,5,\n").link
    assert topology.nudges("forward", link)[0] == (0.02, "loss0 1")


def test_a_rate_is_not_given_twice(tmp_path: Path) -> None:
    with pytest.raises(TestbedError, match=r"link\.forward\.rate_kbps and link\.recording given"):
        loaded(tmp_path, WHOLE, "[link.forward]\nrate_kbps = 700")


def test_the_queue_is_that_of_the_scenario(tmp_path: Path) -> None:
    link = loaded(tmp_path, WHOLE, '[link.forward.queue]\nkind = "codel"').link
    assert link.forward.queue.kind == "codel"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "line 1 is not the header"),
        ("0,1,2,3\n", "line 1 is not the header"),
        (HEADER, "it has no rows"),
        (HEADER + "0,1,2\n", "line 2 has 3 cells, not 4"),
        (HEADER + "0,1,2,x\n", 'line 2: loss_percent is "x", not a number from 0 to 100'),
        (HEADER + "0,1,2,101\n", 'line 2: loss_percent is "101"'),
        (HEADER + "0,nan,2,1\n", 'line 2: kbps is "nan"'),
        (HEADER + ",1,2,1\n", 'line 2: time_s is ""'),
        (HEADER + "0,1,-2,1\n", 'line 2: delay_ms is "-2"'),
        (HEADER + "1,1,,\n1,1,,\n", "line 3 is not later than the one before"),
        (HEADER + "0,0,,\n1,0,,\n", "its rate is always 0"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(TestbedError) as problem:
        loaded(tmp_path, content)
    text = str(problem.value)
    assert text.startswith(f'{tmp_path}/s.toml: link.recording = "path.csv": ')
    assert message in text
    assert "\n" not in text


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(TestbedError, match="No such file"):
        recording.read(tmp_path / "missing.csv")
    with pytest.raises(TestbedError, match="device or a pipe"):
        recording.read(Path("/dev/zero"))
    (tmp_path / "cut.gz").write_bytes(gzip.compress(WHOLE.encode())[:-9])
    with pytest.raises(TestbedError, match="no whole gzip file"):
        recording.read(tmp_path / "cut.gz")


def test_a_finished_call_knows_its_path_without_the_file(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, WHOLE)
    data = scenario_file.to_data(scenario)
    (tmp_path / "path.csv").unlink()
    assert scenario_file.from_data(data, "call.json", None) == scenario


def test_recorded_delay_is_downstream_of_the_queue_and_keeps_the_order(tmp_path: Path) -> None:
    lines = topology.build(loaded(tmp_path, WHOLE))
    (shaped,) = [line for line in lines if " tbf " in line]
    (delayed,) = [line for line in lines if "dev rb root netem" in line]
    assert "dev loss0 root" in shaped
    assert "delay 5000us rate 100gbit" in delayed


def test_loss_of_the_call_and_a_fault_add_to_what_is_recorded(tmp_path: Path) -> None:
    link = loaded(tmp_path, WHOLE).link
    link = replace(link, loss_percent=50, faults=(Fault("forward", 0.025, 0.05, delay_ms=20),))
    changes = dict(topology.weather_changes(link))
    assert sorted(changes) == [0.02, 0.025, 0.03, 0.04, 0.05]
    assert "delay 6500us" in changes[0.02]
    assert "delay 26500us" in changes[0.025]
    assert "delay 26500us" in changes[0.03]
    assert "loss random 75%" in changes[0.03]
    assert "loss random 50%" in changes[0.04]


def test_one_process_makes_all_changes(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, WHOLE)
    text = experiment_script.script(Experiment(scenario, (), tmp_path), {})
    assert text.count("exec tc -n r -batch -") == 1
    assert "change_link qdisc change dev rb root netem" in text
    assert "change_link qdisc change dev loss0 root" in text
