"""Calls through a queue that marks, in the virtual world: with ECN it stays short."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.virtual

SCENARIO = """
title = "A queue that marks"
duration_s = 20
measure_from_s = 8

[link]
one_way_delay_ms = 25

[link.forward]
rate_kbps = 10000
queue = { kind = "fq_codel", target_ms = 5, ce_threshold_ms = 1 }

[[flow]]
kind = "gcc"
name = "media"
source = "model"
feedback = "ccfb"
ecn = "ect1"
min_kbps = 50
start_kbps = 300
max_kbps = 15000
"""


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory, testbed: Callable[..., None]) -> Path:
    base = tmp_path_factory.mktemp("l4s")
    (base / "marked.toml").write_text(SCENARIO, encoding="utf-8")
    for ecn in ("ect1", "off"):
        words = ("--set", f"flow[0].ecn={ecn}", "--no-plots", "--quiet", "--out", ecn)
        testbed(base, "run", *words, "marked.toml")
    fall = ("--set", "link.forward.rate_kbps=0:2000,6:500")
    held = ("--set", "flow[0].max_pacing_delay_ms=2000")
    testbed(base, "run", *fall, *held, "--no-plots", "--quiet", "--out", "fall", "marked.toml")
    return base


def measured(calls: Path, ecn: str) -> dict[str, float]:
    (flow,) = json.loads((calls / ecn / "metrics.json").read_text(encoding="utf-8"))["flows"]
    return {
        "queueing_p95": flow["one_way_queueing_ms"]["p95"],
        "utilisation": flow["utilisation"],
        "loss": flow["loss_ratio"],
    }


def last_row(calls: Path, ecn: str) -> dict[str, str]:
    with (calls / ecn / "sender.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))[-1]


def test_the_queue_is_five_milliseconds_at_most(calls: Path) -> None:
    assert measured(calls, "ect1")["queueing_p95"] <= 5
    assert measured(calls, "ect1")["queueing_p95"] < measured(calls, "off")["queueing_p95"]


def test_nothing_is_lost_and_the_link_is_used(calls: Path) -> None:
    assert measured(calls, "ect1")["loss"] == 0
    assert measured(calls, "ect1")["utilisation"] >= 0.9


def test_two_seconds_after_a_fall_of_the_link_two_packets_wait_at_most(calls: Path) -> None:
    """Of a packet's 20 ms at 500 kbit/s; it was a second."""
    assert measured(calls, "fall")["queueing_p95"] <= 40
    assert measured(calls, "fall")["loss"] == 0


def test_marks_are_seen_at_the_sender(calls: Path) -> None:
    assert last_row(calls, "ect1")["ecn"] == "capable"
    assert int(last_row(calls, "ect1")["ce_packets"]) > 10
    assert last_row(calls, "off")["ecn"] == "off"
