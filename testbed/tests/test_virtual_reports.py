"""Calls of public reports of trouble, as scenarios that the testbed ships."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gcc_testbed.measure import traces
from gcc_testbed.measure.metrics import read_link_log

pytestmark = pytest.mark.virtual


@pytest.fixture
def call(tmp_path: Path, testbed: Callable[..., None]) -> Callable[..., dict[str, Any]]:
    """Makes a call of a scenario, and measures its first flow."""

    def make(scenario: str, *changes: str) -> dict[str, Any]:
        settings = [word for change in changes for word in ("--set", change)]
        testbed(tmp_path, "run", scenario, "--quiet", "--out", "call", *settings)
        flow: dict[str, Any]
        flow, *_ = json.loads((tmp_path / "call" / "metrics.json").read_text())["flows"]
        return flow

    return make


def test_a_key_frame_leaves_at_the_rate_that_the_path_has_shown(
    call: Callable[..., dict[str, Any]],
) -> None:
    flow = call("report-key-frames", "duration_s=30", "measure_from_s=15")
    assert flow["frame_delay_ms"]["max"] < 50
    assert flow["loss_ratio"] == 0


@pytest.mark.parametrize("source", ["model", "vp8"])
def test_fec_mends_what_a_retransmission_would_mend_too_late(
    call: Callable[..., dict[str, Any]], source: str
) -> None:
    flow = call("report-far-and-lossy", f'flow[0].source="{source}"')
    assert 0.04 < flow["loss_ratio"] < 0.08
    assert flow["residual_incomplete_ratio"] < 0.02
    # Of a limit of 2 Mbit/s, with headers and what is lost.
    assert flow["received_kbps"] > 1600


def test_where_a_retransmission_comes_in_time_there_is_no_fec(
    call: Callable[..., dict[str, Any]],
) -> None:
    near = ("link.one_way_delay_ms=60", 'flow[0].protection=["rtx","fec"]', "duration_s=30")
    flow = call("report-far-and-lossy", *near)
    assert flow["rates_kbps"]["fec"] == 0
    assert flow["rates_kbps"]["rtx"] > 50
    assert flow["residual_incomplete_ratio"] == 0


@pytest.mark.parametrize("sent", ["0.35", "0.78"])
def test_after_a_bad_moment_the_link_is_found_though_little_is_sent(
    tmp_path: Path, call: Callable[..., dict[str, Any]], sent: str
) -> None:
    call("report-undershoot", "duration_s=42", f"flow[0].model.rate_factor={sent}")
    origin_s, _ = read_link_log(tmp_path / "call" / "link.csv")
    sender = traces.read(tmp_path / "call" / "sender.csv", origin_s)
    assert (sender.mean("a_s_bps", 40, 42) or 0) > 4_500_000


def test_the_second_of_two_falls_is_made_though_nothing_changes_any_more(
    tmp_path: Path, call: Callable[..., dict[str, Any]]
) -> None:
    flow = call("report-two-falls", "duration_s=40", "measure_from_s=30")
    assert flow["loss_ratio"] == 0
    origin_s, _ = read_link_log(tmp_path / "call" / "link.csv")
    sender = traces.read(tmp_path / "call" / "sender.csv", origin_s)
    # 1 Mbit/s before the second, and no more than 0.9 since.
    assert 600_000 < (sender.mean("r_video_bps", 30, 40) or 0) < 900_000


def test_packets_of_1200_bytes_pass_a_tunnel_in_one_piece(
    tmp_path: Path, call: Callable[..., dict[str, Any]]
) -> None:
    flow = call("report-tunnel", "duration_s=40")
    # Two fragments of which each is lost as often would be 0.02.
    assert flow["loss_ratio"] < 0.014
    origin_s, _ = read_link_log(tmp_path / "call" / "link.csv")
    sender = traces.read(tmp_path / "call" / "sender.csv", origin_s)
    assert (sender.mean("a_s_bps", 30, 40) or 0) > 1_800_000
