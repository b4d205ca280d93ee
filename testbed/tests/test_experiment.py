"""The script that runs inside a world."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gcc_testbed.run import experiment_script
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.scenario.flows import CbrFlow, GccFlow, LaunchFlow, TcpFlow
from gcc_testbed.scenario.link import Shaper
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.sequence import Sequence


@pytest.fixture
def experiment(scenario: Scenario, sequence: Sequence, tmp_path: Path) -> Experiment:
    run = tmp_path / "a run"
    run.mkdir()
    return Experiment(scenario, (sequence,), run)


def test_the_script_is_valid_bash_even_with_spaces_in_paths(experiment: Experiment) -> None:
    script = experiment_script.script(experiment, {"GST_PLUGIN_PATH": "/some where/else"})
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_what_listens_is_started_before_what_sends(experiment: Experiment) -> None:
    script = experiment_script.script(experiment, {})
    positions = [
        script.index(f"in_host {words}")
        for words in ("a capture-a", "b capture-b", "b receiver-gcc-1", "a sender-gcc-1")
    ]
    assert positions == sorted(positions)


def test_the_link_changes_at_its_time_and_says_so(experiment: Experiment) -> None:
    (line,) = [
        line
        for line in experiment_script.script(experiment, {}).splitlines()
        if "qdisc change" in line
    ]
    assert line.startswith("sleep_until_us 4000000; tc ")
    assert "&& link_rate 500 " in line


def test_each_process_has_random_numbers_of_its_own(experiment: Experiment) -> None:
    experiment.write_inputs()
    seeds = [file.read_bytes() for file in (experiment.run / "seeds").iterdir()]
    assert len(seeds) == len(set(seeds)) == 4


def test_the_same_seed_gives_the_same_random_numbers(
    scenario: Scenario, sequence: Sequence, tmp_path: Path
) -> None:
    contents = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        Experiment(scenario, (sequence,), tmp_path / name).write_inputs()
        contents.append((tmp_path / name / "seeds" / "sender-gcc-1").read_bytes())
    assert contents[0] == contents[1]


def test_models_of_other_seeds_and_flows_make_other_noise(
    scenario: Scenario, tmp_path: Path
) -> None:
    flows = (GccFlow(source="model"), GccFlow(name="gcc-2", source="model"))
    seeds = []
    for number in (1, 2, 1):
        one = Experiment(replace(scenario, flows=flows, seed=number), (), tmp_path)
        words = [word for _, _, command in one.processes() for word in command]
        seeds += [word for word in words if word.startswith("seed=")]
    assert len(set(seeds[:4])) == 4
    assert seeds[:2] == seeds[4:]


@pytest.fixture
def many(scenario: Scenario, sequence: Sequence, tmp_path: Path) -> Experiment:
    flows = (
        GccFlow(stop_s=6),
        GccFlow(name="gcc-2", direction="backward", start_s=3),
        TcpFlow(name="tcp-1", start_s=1, stop_s=5),
        TcpFlow(name="tcp-2", direction="backward"),
        CbrFlow(name="noise", rate_kbps=100),
        LaunchFlow(name="launch-1", sender="fakesrc ! fakesink", receiver="fakesrc ! fakesink"),
    )
    link = replace(scenario.link, backward=Shaper(scenario.link.forward.rate))
    return Experiment(replace(scenario, flows=flows, link=link), (sequence,), tmp_path)


def test_each_process_runs_at_its_end_of_the_link(many: Experiment) -> None:
    assert [(host, name) for host, name, _ in many.processes()] == [
        ("a", "capture-a"),
        ("b", "capture-b"),
        ("b", "receiver-gcc-1"),
        ("a", "receiver-gcc-2"),
        ("b", "receiver-launch-1"),
        ("b", "sink-b"),
        ("a", "sink-a"),
        ("a", "sender-gcc-1"),
        ("b", "sender-gcc-2"),
        ("a", "sender-launch-1"),
        ("a", "traffic-a"),
        ("b", "traffic-b"),
    ]


def test_flows_begin_and_end_at_their_times(many: Experiment) -> None:
    script = experiment_script.script(many, {})
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
    assert "sleep_until_us 3000000; in_host b sender-gcc-2 " in script
    assert "sleep_until_us 6000000; end_flow sender-gcc-1" in script
    # Both bottlenecks change.
    assert "&& link_rate 500 link-backward.csv " in script
    assert "&& link_rate 500 ||" in script


def test_cross_traffic_has_a_plan_at_each_host(many: Experiment) -> None:
    many.write_inputs()
    plan = json.loads((many.run / "logs" / "send-a.json").read_text())
    assert [(flow["name"], flow["port"]) for flow in plan["flows"]] == [
        ("tcp-1", 5020),
        ("noise", 5040),
    ]
    assert (plan["flows"][0]["start_s"], plan["flows"][0]["stop_s"]) == (1, 5)
    sink = json.loads((many.run / "logs" / "sink-a.json").read_text())
    assert [flow["name"] for flow in sink["flows"]] == ["tcp-2"]


def test_a_receiver_records_only_when_quality_is_wanted(experiment: Experiment) -> None:
    assert "received-gcc-1.gdp" not in experiment_script.script(experiment, {})
    wanted = replace(experiment, scenario=replace(experiment.scenario, quality=True))
    assert "location=/run/call/received-gcc-1.gdp" in experiment_script.script(wanted, {})


def test_what_is_repaired_is_captured_where_it_was_repaired(experiment: Experiment) -> None:
    assert not [name for _, name, _ in experiment.processes() if "repaired" in name]
    flows = (
        GccFlow(),
        GccFlow(name="back", direction="backward", protection=("rtx",)),
    )
    protected = replace(experiment, scenario=replace(experiment.scenario, flows=flows))
    (found,) = [entry for entry in protected.processes() if "repaired" in entry[1]]
    assert found[0] == "a"
    assert "/run/call/repaired-backward.pcap" in found[2]
    assert "lo" in found[2]
    drain_s = experiment_script.drain_s
    assert drain_s(protected.scenario) == drain_s(experiment.scenario) + 0.5
