"""Calls of public reports of trouble, as scenarios that the testbed ships."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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
    flow = call("still-scene-key-frames", "duration_s=30", "measure_from_s=15")
    assert flow["frame_delay_ms"]["max"] < 50
    assert flow["loss_ratio"] == 0
