"""A link under a trace in the virtual world carries the bytes of the trace, when it says so."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure import captures
from gcc_testbed.measure.metrics import read_link_log
from gcc_testbed.scenario import link_trace
from gcc_testbed.scenario.link import MTU
from gcc_testbed.support.paths import DATA

pytestmark = pytest.mark.virtual

TRACE = DATA / "link-traces" / "synthetic-lte-driving"
SCENARIO = f"""
title = "More than a trace carries"
duration_s = 12
measure_from_s = 1
[link.forward]
rate_kbps = {{ trace = "{TRACE}" }}
[[flow]]
kind = "udp-cbr"
rate_kbps = 6000
"""


def test_a_full_link_follows_its_trace(tmp_path: Path, testbed: Callable[..., None]) -> None:
    """With the trace's own rates tbf carries 6 % too much here: each change fills its bucket."""
    (tmp_path / "s.toml").write_text(SCENARIO)
    testbed(tmp_path, "run", "s.toml", "--quiet", "--out", "run")
    assert 0.96 < json.loads((tmp_path / "run" / "metrics.json").read_text())["flows"][0][
        "utilisation"
    ] < 1.02  # fmt: skip
    origin_s, _ = read_link_log(tmp_path / "run" / "link.csv")
    seen = captures.rtp(captures.read(tmp_path / "run" / "b.pcap", origin_s), 5000)
    edges = np.arange(1, 12, 0.25)
    carried, _ = np.histogram(seen.time_s, edges, weights=seen.ip_bytes)
    times = np.array(link_trace.read(TRACE)) / 1000
    capacity = np.histogram(times, edges)[0] * MTU
    assert np.corrcoef(carried, capacity)[0, 1] > 0.99
    # The trace has a time in which nothing leaves.
    closed = capacity == 0
    assert closed.any()
    assert carried[closed].max() <= 2 * MTU
