"""Faults as scenario keys: what is refused, and what becomes of them in the world."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gcc_testbed.run import experiment_script, topology
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.link import Fault, Link, RateSchedule, RateStep, Shaper
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.errors import TestbedError

SHAPER = Shaper(RateSchedule((RateStep(0, 1000),)))
CALL = """
title = "A call"
duration_s = 60
{link}
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "gcc"
{flow}
"""


def call(folder: Path, link: str = "", flow: str = "") -> Scenario:
    file = folder / "call.toml"
    file.write_text(CALL.format(link=link, flow=flow))
    return scenario_file.load(file)


def fault(keys: str) -> str:
    return f"[[link.fault]]\n{keys}\n"


def test_a_fault_lasts_the_whole_call_unless_told(tmp_path: Path) -> None:
    read = call(tmp_path, fault('direction = "backward"\nloss_percent = 10'))
    assert read.link.faults == (Fault("backward", 0, 60, loss_percent=10),)


def test_faults_survive_the_record_of_a_call(tmp_path: Path) -> None:
    link = fault('direction = "forward"\nfrom_s = 5\nto_s = 9\ndelay_ms = 100') + fault(
        'direction = "backward"\nfrom_s = 5\nto_s = 9\nreorder_percent = 5\nduplicate_percent = 1'
    )
    flow = (
        "clock_skew_ppm = -500\nwall_clock_steps = [[10, -2]]\nssrc_changes_s = [9.5]\n"
        "sender_restarts_s = [20]\nreceiver_restarts_s = [30, 40]\n"
        "first_sequence_number = 65500\nfirst_timestamp = 4294967295\n"
        "device_clock_ppm = 500\nclock_losses_s = [50]\nclock_stops = [[5, 8], [9, 10]]\n"
        "clock_changes_s = [11, 12]\nnotify_blocks = [[14, 16]]\nmessage_blocks = [[14, 16]]\n"
        "probe_blocks = [[14, 16]]"
    )
    read = call(tmp_path, link, flow)
    data = json.loads(json.dumps(scenario_file.to_data(read)))
    assert scenario_file.from_data(data, "call.json", None) == read


@pytest.mark.parametrize(
    ("link", "flow", "said"),
    [
        ('direction = "up"\nloss_percent = 1', "", "one of forward, backward"),
        ('direction = "forward"', "", "nothing happens"),
        ('direction = "forward"\nloss_percent = 101', "", "at most 100"),
        ('direction = "forward"\ndelay_ms = -100', "", "at least 0"),
        ('direction = "forward"\nfrom_s = 9\nto_s = 9\nloss_percent = 1', "", "more than from_s"),
        ('direction = "forward"\nto_s = 61\nloss_percent = 1', "", "at most 60"),
        ('direction = "forward"\nlost = 1\nloss_percent = 1', "", "unknown key link.fault[0].lost"),
        (None, "clock_skew_ppm = 1e5", "at most 10000"),
        (None, "ssrc_changes_s = [60]", "while the flow is active"),
        (None, "receiver_restarts_s = [20, 10]", "in order"),
        (None, "receiver_restarts_s = 20", "[at, ...]"),
        (None, "wall_clock_steps = [20, 2]", "[[at, by], ...]"),
        (None, "wall_clock_steps = [[20, true]]", "[[at, by], ...]"),
        (None, "device_clock_ppm = -1e5", "at least -10000"),
        (None, "clock_losses_s = [10, 20]", "one time at most"),
        (None, "clock_changes_s = [60]", "while the flow is active"),
        (None, "clock_stops = [[5, 8], [7, 9]]", "in order"),
        (None, "probe_blocks = [5]", "[[from, to], ...]"),
        (None, "first_sequence_number = 65536", "at most 65535"),
        (None, "first_timestamp = 0.5", "a whole number"),
        (None, "pause = [[20, 30]]\nsender_restarts_s = [40]", "none with pause"),
    ],
)
def test_a_wrong_fault_is_one_line(tmp_path: Path, link: str | None, flow: str, said: str) -> None:
    with pytest.raises(TestbedError) as problem:
        call(tmp_path, fault(link) if link else "", flow)
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


def test_faults_of_one_direction_do_not_overlap(tmp_path: Path) -> None:
    first = 'direction = "{}"\nfrom_s = 5\nto_s = 9\nloss_percent = 1'
    second = 'direction = "forward"\nfrom_s = 8\nto_s = 12\nloss_percent = 2'
    call(tmp_path, fault(first.format("backward")) + fault(second))
    with pytest.raises(TestbedError, match="where the last one ends"):
        call(tmp_path, fault(first.format("forward")) + fault(second))


def test_a_fault_begins_and_ends_with_a_change_of_the_link() -> None:
    link = Link(SHAPER, faults=(Fault("backward", 14, 24, loss_percent=100),))
    (begin, wrong), (end, right) = topology.weather_changes(link)
    assert (begin, end) == (14, 24)
    assert "dev loss1 root netem loss random 100% limit" in wrong
    assert "dev loss1 root netem limit" in right


def test_where_one_fault_ends_and_the_next_begins_there_is_one_change() -> None:
    faults = (Fault("forward", 5, 9, delay_ms=100), Fault("forward", 9, 12, loss_percent=5))
    changes = topology.weather_changes(Link(SHAPER, faults=faults))
    assert [at for at, _ in changes] == [5, 9, 12]
    assert "delay" not in changes[1][1]
    assert "loss random 5%" in changes[1][1]


def test_the_loss_of_the_whole_call_goes_on_through_a_fault() -> None:
    assert "loss random 55%" in topology.impaired(10, Fault("forward", 0, 9, loss_percent=50))
    assert "loss random 10%" in topology.impaired(10, Fault("forward", 0, 9, delay_ms=5))
    assert "loss random 10%" in topology.impaired(10, None)


def test_reordered_packets_have_others_to_overtake() -> None:
    words = topology.impaired(0, Fault("forward", 0, 9, delay_ms=100, reorder_percent=5))
    assert "delay 115000us reorder 5%" in words


def test_a_fault_that_is_there_from_the_beginning_needs_no_change() -> None:
    link = Link(SHAPER, faults=(Fault("forward", 0, 60, duplicate_percent=5),))
    assert any("duplicate 5%" in line for line in topology.impairment("forward", link))
    assert [at for at, _ in topology.weather_changes(link)] == [60]


def test_a_link_without_faults_has_no_device_for_them() -> None:
    link = Link(SHAPER)
    assert topology.impairment("forward", link) == topology.impairment("backward", link) == []


def script(scenario: Scenario, folder: Path, **keys: object) -> str:
    flow = GccFlow(source="model", **keys)  # type: ignore[arg-type]
    link = replace(scenario.link, faults=(Fault("forward", 3, 5, loss_percent=5),))
    call = Experiment(replace(scenario, link=link, flows=(flow,)), (), folder)
    text = experiment_script.script(call, {})
    checked = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True)
    assert (checked.returncode, checked.stderr) == (0, "")
    return text


def test_an_end_is_killed_before_it_starts_again(scenario: Scenario, tmp_path: Path) -> None:
    text = script(scenario, tmp_path, receiver_restarts_s=(3.0, 5.0))
    lines = [line for line in text.splitlines() if "stop KILL receiver-gcc-1" in line]
    assert lines[0].startswith("sleep_until_us 3000000; stop KILL receiver-gcc-1; in_host b ")
    assert "receiver-gcc-1-restarted-1" in lines[0]
    assert lines[1].startswith("sleep_until_us 5000000; stop KILL receiver-gcc-1-restarted-1;")
    assert "receiver-restarted-2.csv" in lines[1]
    # Only the first life begins before the call does.
    assert "-restarted-" not in text.split("# Time zero.")[0].split("# What listens.")[1]


def test_the_life_of_a_flow_that_stops_is_the_last(scenario: Scenario, tmp_path: Path) -> None:
    text = script(scenario, tmp_path, sender_restarts_s=(3.0,), stop_s=6.0)
    assert "end_flow sender-gcc-1-restarted-1" in text


def test_a_second_ssrc_needs_no_second_pad(scenario: Scenario, tmp_path: Path) -> None:
    text = script(scenario, tmp_path, ssrc_changes_s=(3.0,))
    (receiver,) = [line for line in text.splitlines() if "in_host b receiver" in line]
    assert "rtpsession" in receiver
    assert "rtpbin" not in receiver


def test_a_skewed_clock_is_the_senders_alone(scenario: Scenario, tmp_path: Path) -> None:
    text = script(scenario, tmp_path, clock_skew_ppm=500.0)
    played = [line for line in text.splitlines() if "player.py" in line]
    assert len(played) == 1
    assert "in_host a sender" in played[0]


@pytest.mark.parametrize(
    "keys",
    [
        {"device_clock_ppm": 0.0},
        {"clock_losses_s": (3.0,)},
        {"clock_stops": ((3.0, 5.0),)},
    ],
)
def test_a_clock_that_something_happens_to_is_an_elements(
    scenario: Scenario, tmp_path: Path, keys: dict[str, object]
) -> None:
    text = script(scenario, tmp_path, **keys)
    assert text.count("deviceclock name=device") == 1
    assert "deviceclock" not in script(scenario, tmp_path, clock_changes_s=(3.0,))


def test_the_player_gets_what_happens_and_nothing_else(scenario: Scenario, tmp_path: Path) -> None:
    text = script(scenario, tmp_path, probe_blocks=((3.0, 5.0),), clock_changes_s=(4.0,))
    plan = {"clock_changes_s": [4.0], "blocks": {"probe": [[3.0, 5.0]]}}
    assert f"player.py '{json.dumps(plan)}'" in text
    assert "name=gccsender" in text


def test_the_wall_clock_is_set_in_seconds_of_the_call(scenario: Scenario, tmp_path: Path) -> None:
    text = script(scenario, tmp_path, wall_clock_steps=((3.0, -2.0),))
    # The receiver starts a second before the call.
    assert "WALL_CLOCK_STEPS=4:-2" in text


def test_first_numbers_are_the_payloaders(scenario: Scenario, tmp_path: Path) -> None:
    text = script(scenario, tmp_path, first_sequence_number=65000, first_timestamp=0)
    assert "seqnum-offset=65000 timestamp-offset=0" in text
