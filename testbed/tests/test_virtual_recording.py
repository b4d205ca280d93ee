"""A recording, replayed: what arrives is as it says."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure.replay import read_replay
from gcc_testbed.scenario import recording

pytestmark = pytest.mark.virtual

SCENARIO = """
title = "A replay"
duration_s = 12
[link]
recording = "path.csv"
[link.forward.queue]
bytes = 10000
[[flow]]
kind = "udp-cbr"
rate_kbps = {kbps}
packet_bytes = {bytes}
"""


def write_recording(file: Path) -> None:
    """Steps of 15 ms for six seconds, and again: rates that rise and fall, jumps, losses."""
    numbers = np.random.default_rng(1)
    rows = ["time_s,kbps,delay_ms,loss_percent"]
    for step in range(400):
        kbps = 4000 + 2000 * np.sin(step / 40)
        delay = 5 + (40 if step % 50 < 5 else 0) + numbers.uniform(0, 3)
        loss = 60 if step % 90 < 4 else 0
        rows.append(f"{step * 0.015:.3f},{kbps:.0f},{delay:.2f},{loss}")
    file.write_text("\n".join(rows) + "\n")


def test_a_recording_is_replayed_as_it_is(tmp_path: Path, testbed: Callable[..., None]) -> None:
    write_recording(tmp_path / "path.csv")
    for name, kbps, size in (("thin", 1600, 100), ("full", 9000, 1200)):
        (tmp_path / f"{name}.toml").write_text(SCENARIO.format(kbps=kbps, bytes=size))
        testbed(tmp_path, "run", f"{name}.toml", "--no-plots", "--out", f"{name}-out")
    rows = recording.read(tmp_path / "path.csv")
    replay = read_replay([rows], tmp_path / "thin-out", tmp_path / "full-out").measure()
    assert replay.overtaking == 0
    assert replay.delay >= 0.99
    assert replay.loss >= 0.99
    assert replay.rate >= 0.99
    assert replay.mean_rate == pytest.approx(1, abs=0.03)
