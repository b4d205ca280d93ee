"""A link that stops, in the virtual world: nothing passes, however small and rare it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure import metrics
from gcc_testbed.scenario import scenario_file

pytestmark = pytest.mark.virtual

SCENARIO = """
title = "Stops"
duration_s = 12
[link]
stops = { ms = 100, every_ms = 200 }
[link.forward]
rate_kbps = 3000
[[flow]]
kind = "udp-cbr"
rate_kbps = 10
packet_bytes = 290
[[flow]]
kind = "udp-cbr"
direction = "backward"
rate_kbps = 10
packet_bytes = 290
"""


def test_packets_of_both_ways_wait_for_the_end_of_a_stop(
    tmp_path: Path, testbed: Callable[..., None]
) -> None:
    (tmp_path / "s.toml").write_text(SCENARIO)
    testbed(tmp_path, "run", "s.toml", "--no-plots", "--out", "out")
    data = json.loads((tmp_path / "out" / "call.json").read_text())["scenario"]
    scenario = scenario_file.from_data(data, "call.json", None)
    for flow in metrics.read_record(tmp_path / "out", scenario).flows:
        sent = flow.journeys.between(0, 11.8)
        assert sent.arrived.all()
        in_stop = sent.sent_s % 0.2 > 0.101
        opens_s = np.ceil(sent.sent_s[in_stop] / 0.2) * 0.2
        assert in_stop.sum() > 15
        # Frames that empty and wake the queue come half a millisecond after each change.
        assert sent.received_s[in_stop] == pytest.approx(opens_s, abs=0.001)
        assert sent.delay_s[~in_stop].max() < 0.002
