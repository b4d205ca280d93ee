"""Calls that differ in what is sent: the traffic model, and video that is watched."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure import captures
from gcc_testbed.measure.metrics import read_link_log

pytestmark = pytest.mark.virtual

MODELS = """
title = "Two models"
duration_s = 5
measure_from_s = 1
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "gcc"
source = "model"
[[flow]]
kind = "gcc"
source = "model"
"""
# Frames of several packets, 10 ms apart: only their send times tell them from one group.
# Both rates stay at their start, so that the number of groups is a matter of the send times alone.
PACED = """
title = "Send times"
duration_s = 8
[link.forward]
rate_kbps = 5000
[[flow]]
kind = "gcc"
source = "model"
start_kbps = 1000
max_kbps = 1000
pacing_factor = 1
[[flow]]
kind = "gcc"
source = "model"
start_kbps = 1000
max_kbps = 1000
pacing_factor = 1
abs_send_time = true
"""
TICKS = """
title = "A receiver that takes packets each 100 ms"
duration_s = 5
[link]
arrival_tick_ms = 100
[link.forward]
rate_kbps = 2000
[[flow]]
kind = "gcc"
source = "model"
"""
STARTS_OVER = """
title = "A key frame at each change"
duration_s = 20
measure_from_s = 5
[link.forward]
rate_kbps = 1500
[[flow]]
kind = "gcc"
source = "model"
model = { key_frame_at_change = true, key_frame_bytes = 25000 }
"""
WATCHED = """
title = "Video with losses"
duration_s = 12
measure_from_s = 2
quality = true
[link]
loss_percent = 2
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "gcc"
min_kbps = 300
"""


def sizes(call: Path, port: int) -> list[int]:
    """Of the packets sent, in order."""
    origin_s, _ = read_link_log(call / "link.csv")
    return [int(size) for size in captures.read_rtp(call / "a.pcap", port, origin_s).ip_bytes]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory, testbed: Callable[..., None]) -> list[Path]:
    base = tmp_path_factory.mktemp("models")
    (base / "s.toml").write_text(MODELS)
    for name, seed in (("first", "1"), ("again", "1"), ("other", "2")):
        testbed(base, "run", "s.toml", "--quiet", "--out", name, "--seed", seed)
    return [base / "first", base / "again", base / "other"]


def test_a_model_follows_the_rate_and_is_called_a_model(models: list[Path]) -> None:
    measured = json.loads((models[0] / "metrics.json").read_text())
    assert (measured["source"], measured["sequence"]) == ("model", None)
    for flow in measured["flows"]:
        assert flow["source"] == "model"
        assert flow["received_kbps"] > 250
    # In five seconds two flows need not be equal, but the link has 1 Mbit/s.
    assert 800 < sum(flow["received_kbps"] for flow in measured["flows"]) < 1000
    assert "RFC 8593 traffic model" in (models[0] / "report.html").read_text()


def test_a_seed_decides_the_models_packets(models: list[Path]) -> None:
    first, again, other = (sizes(call, 5000) for call in models)
    assert first == again
    assert first != other


def test_two_models_in_a_call_do_not_send_the_same(models: list[Path]) -> None:
    first, second = (np.array(sizes(models[0], port)) for port in (5000, 5010))
    both = min(len(first), len(second))
    assert (first[:both] != second[:both]).mean() > 0.2


def test_the_receiver_groups_by_the_send_time_that_packets_carry(
    tmp_path: Path, testbed: Callable[..., None]
) -> None:
    (tmp_path / "s.toml").write_text(PACED)
    testbed(tmp_path, "run", "s.toml", "--quiet", "--out", "call")
    traces = sorted((tmp_path / "call").glob("receiver*.csv"))
    without, with_it = (trace.read_text().count(",group,") for trace in traces)
    assert with_it > 2 * without


def test_a_receiver_with_a_tick_takes_packets_together(
    tmp_path: Path, testbed: Callable[..., None]
) -> None:
    (tmp_path / "s.toml").write_text(TICKS)
    testbed(tmp_path, "run", "s.toml", "--quiet", "--out", "call")
    rows = (tmp_path / "call" / "sender.csv").read_text().splitlines()
    # The receiver sends feedback when packets arrive.
    times = [float(row.split(",")[0]) for row in rows if ",transport-feedback," in row]
    assert len(times) > 30
    assert np.median(np.diff(times)) >= 0.1


def test_an_encoder_that_starts_over_is_not_set_with_each_feedback(
    tmp_path: Path, testbed: Callable[..., None]
) -> None:
    (tmp_path / "s.toml").write_text(STARTS_OVER)
    losses = []
    for name, change in (("spared", ()), ("not", ("--set", "flow[0].encoder_change_cost_ms=0"))):
        testbed(tmp_path, "run", "s.toml", "--quiet", "--out", name, *change)
        (flow,) = json.loads((tmp_path / name / "metrics.json").read_text())["flows"]
        losses.append(flow["loss_ratio"])
    # More than half is lost where all of the link is key frames.
    assert losses[0] < 0.1 < 0.4 < losses[1]


def test_after_a_loss_the_picture_moves_again_soon(
    tmp_path: Path, testbed: Callable[..., None]
) -> None:
    (tmp_path / "s.toml").write_text(WATCHED)
    testbed(tmp_path, "run", "s.toml", "--quiet", "--out", "call")
    (flow,) = json.loads((tmp_path / "call" / "metrics.json").read_text())["flows"]
    assert flow["loss_ratio"] > 0
    assert flow["video"]["freezes"] > 0
    # Without a key frame that is asked for it would stand still to the end.
    assert flow["video"]["longest_freeze_s"] < 2
