"""A call on a recording: its measures are those of the recording, and the oracle is better."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gcc_testbed.scenario import scenario_file
from gcc_testbed.studies.paths.oracle import Oracle
from gcc_testbed.studies.paths.results import of_call

pytestmark = pytest.mark.virtual

SCENARIO = """
title = "A hole"
duration_s = 14
measure_from_s = 4
[link]
recording = "wifi-1.csv"
one_way_delay_ms = 20
[[flow]]
kind = "gcc"
name = "media"
source = "model"
max_kbps = 1000
"""
# Nothing but a trickle for 0.8 s, then another route.
RECORDING = """time_s,kbps,delay_ms,loss_percent
0,6000,2,0
7,100,2,0
7.8,6000,2,0
11,6000,12,0
14,6000,12,0
"""


def test_a_call_on_a_recording_is_measured_beside_the_possible(
    tmp_path: Path, testbed: Callable[..., None]
) -> None:
    (tmp_path / "wifi-1.csv").write_text(RECORDING)
    (tmp_path / "call.toml").write_text(SCENARIO)
    testbed(tmp_path, "run", "call.toml", "--no-plots", "--out", "out")
    values = of_call(tmp_path / "out")
    possible = Oracle(scenario_file.load(tmp_path / "call.toml")).possible()
    assert values is not None
    numbers = {name: value for name, value in values.items() if value is not None}
    # A model sends no picture.
    assert set(values) - set(numbers) == {"ssim"}
    # The hole is the recording's, and it costs the sender more than the oracle.
    path = json.loads((tmp_path / "out" / "metrics.json").read_text())["flows"][0]["recorded_path"]
    assert (path["holes"]["count"], path["holes"]["s"]) == (1, pytest.approx(0.8))
    assert path["wanted_kbps"] == pytest.approx((9.2 * 1000 + 0.8 * 100) / 10)
    assert 0.5 < numbers["use"] <= possible.use
    assert possible.frame_delay_p50_ms is not None
    assert possible.frame_delay_p99_ms is not None
    assert numbers["delay_p50_ms"] >= possible.frame_delay_p50_ms
    assert numbers["delay_p99_ms"] > possible.frame_delay_p99_ms
    assert numbers["frozen_s"] > possible.frozen_s_a_minute
    assert numbers["start_s"] < 4
    # It asks for the limit where the link takes a tenth of it.
    assert path["holes"]["sent_packets"] > path["holes"]["lost_packets"] >= 0
    frozen = path["shortfall"]["frozen"]
    assert frozen["hole"] == {"at_s": 7.0, "s": pytest.approx(0.8)}
    assert 7 <= frozen["from_s"] < frozen["to_s"] < 9


def test_a_call_with_a_real_encoder_has_the_quality_of_its_pictures_too(
    tmp_path: Path, testbed: Callable[..., None]
) -> None:
    (tmp_path / "wifi-1.csv").write_text(RECORDING)
    filmed = SCENARIO.replace('source = "model"', 'sequence = "foreman"')
    (tmp_path / "call.toml").write_text(f"quality = true\n{filmed}")
    testbed(tmp_path, "run", "call.toml", "--no-plots", "--out", "out")
    values = of_call(tmp_path / "out")
    assert values is not None
    assert None not in values.values()
    assert values["ssim"] is not None
    assert 0.8 < values["ssim"] < 1
