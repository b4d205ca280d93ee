"""A link both ways of which stop again and again."""

from __future__ import annotations

from pathlib import Path

import pytest

from gcc_testbed.run import experiment_script, topology
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.link import Link, RateStep
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.errors import TestbedError

SCENARIO = """
title = "Stops"
duration_s = 0.5
[link]
stops = {stops}
{link}
[[flow]]
kind = "tcp"
"""
HALF = "{ ms = 100, every_ms = 200 }"
PLAIN = "[link.forward]\nrate_kbps = 3000"


def loaded(directory: Path, link: str = PLAIN, stops: str = HALF) -> Scenario:
    (directory / "s.toml").write_text(SCENARIO.format(stops=stops, link=link))
    return scenario_file.load(directory / "s.toml")


def steps(link: Link, direction: str) -> list[tuple[float, float]]:
    shaper = link.shaper(direction)
    assert shaper is not None
    return [(step.at_s, step.kbps) for step in shaper.rate.steps]


def test_both_ways_stop_at_the_end_of_each_period(tmp_path: Path) -> None:
    link = loaded(tmp_path).link
    forward = [(0, 3000), (0.1, 0), (0.2, 3000), (0.3, 0), (0.4, 3000), (0.5, 0)]
    assert steps(link, "forward") == forward
    assert [at for at, _ in steps(link, "backward")] == [at for at, _ in forward]
    assert str(link.forward) == (
        "stopped for 100 of each 200 ms, mean 1500 kbit/s, drop tail 300 ms"
    )


def test_a_way_back_keeps_its_own_rate_while_it_is_open(tmp_path: Path) -> None:
    link = loaded(tmp_path, PLAIN + "\n[link.backward]\nrate_kbps = 400").link
    assert steps(link, "backward")[:3] == [(0, 400), (0.1, 0), (0.2, 400)]


def test_a_rate_that_changes_while_the_link_is_closed_is_there_when_it_opens(
    tmp_path: Path,
) -> None:
    link = loaded(tmp_path, '[link.forward]\nrate_kbps = "0:900,0.15:600,0.25:500"').link
    assert steps(link, "forward")[:5] == [(0, 900), (0.1, 0), (0.2, 600), (0.25, 500), (0.3, 0)]


def test_a_recorded_path_stops_too(tmp_path: Path) -> None:
    rows = "time_s,kbps,delay_ms,loss_percent\n0,800,5,\n0.2,400,5,\n"
    (tmp_path / "path.csv").write_text(rows)
    link = loaded(tmp_path, 'recording = "path.csv"').link
    assert link.forward.rate.steps[1:3] == (RateStep(0.1, 0), RateStep(0.2, 400))
    assert str(link.forward).startswith("trace path.csv, stopped for 100 of each 200 ms, mean 300")


def test_the_queue_is_as_long_while_the_link_is_closed(tmp_path: Path) -> None:
    shaper = loaded(tmp_path).link.forward
    for kbps in (0, 3000):
        (line,) = topology.bottleneck("change", "rb", shaper, kbps)
        assert "limit 56250" in line


def test_a_finished_call_knows_its_stops(tmp_path: Path) -> None:
    scenario = loaded(tmp_path)
    data = scenario_file.to_data(scenario)
    assert scenario_file.from_data(data, "call.json", None) == scenario


def test_a_stop_empties_the_bucket_and_an_opening_wakes_the_queue(tmp_path: Path) -> None:
    scenario = loaded(tmp_path)
    text = experiment_script.script(Experiment(scenario, (), tmp_path), {})
    nudges = [line for line in text.splitlines() if "; nudge_link" in line]
    assert nudges[:4] == [
        "sleep_until_us 100500; nudge_link rb 770 770",
        "sleep_until_us 100500; nudge_link ra 770 770",
        "sleep_until_us 200500; nudge_link rb 1",
        "sleep_until_us 200500; nudge_link ra 1",
    ]
    assert text.count("nudges.py") == 1


@pytest.mark.parametrize(
    ("stops", "link", "message"),
    [
        ("{ ms = 100 }", PLAIN, "link.stops.every_ms is missing: expected ms, more than 100"),
        ("{ ms = 100, every_ms = 100 }", PLAIN, "link.stops.every_ms = 100: expected ms, more"),
        ("{ ms = 0, every_ms = 100 }", PLAIN, "link.stops.ms = 0: expected ms, at least 1"),
        ("{ ms = 1, every_ms = 2, from_s = 1 }", PLAIN, "unknown key link.stops.from_s"),
        ("5", PLAIN, "link.stops = 5: expected a table"),
        (HALF, PLAIN + "\nburst_bytes = 9000", "burst_bytes is 9000: expected 1540 with stops"),
    ],
)
def test_wrong_stops_are_named(tmp_path: Path, stops: str, link: str, message: str) -> None:
    with pytest.raises(TestbedError) as problem:
        loaded(tmp_path, link, stops)
    assert message in str(problem.value)
