"""A card of two calls and two contenders, and finished calls made of thin air."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from gcc_testbed.studies.sweeps import sweep_file

TESTBED = Path(__file__).resolve().parent.parent

CARD = """
[[column]]
name = "ours"
title = "Ours"
of = "gst-gcc"
flow = { profile = "recommended" }
[[column]]
name = "theirs"
title = "Theirs"
of = "peer"
flow = { kind = "rtpgccbwe", estimator = "kalman" }
[[group]]
name = "alone"
title = "Alone"
quick = true
  [[group.row]]
  name = "plain"
  title = "A plain link"
  scenario = "call.toml"
  reach = { from_s = 10, kbps = 900 }
  goals = ["utilisation >= 0.95", "loss_percent <= 0", "reach_s <= 3"]
[[group]]
name = "tcp"
title = "Beside TCP"
  [[group.row]]
  name = "cubic"
  title = "CUBIC"
  scenario = "call.toml"
  set = { "link.forward.rate_kbps" = 2000 }
  fair_share = 0.5
  goals = ["share >= 0.40", "share <= 0.60"]
"""
SCENARIO = """
title = "A call"
duration_s = 60
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "gcc"
[[flow]]
kind = "tcp"
[[flow]]
kind = "gcc"
"""


def flow(name: str, kind: str, **numbers: Any) -> dict[str, Any]:  # noqa: ANN401
    delays = {"p50": numbers.get("p50", 5.0), "p95": numbers.get("p95", 20.0)}
    frames = {"p50": numbers.get("d50", 10.0), "p95": numbers.get("d95", 40.0)}
    return {
        "name": name,
        "kind": kind,
        "direction": "forward",
        "loss_ratio": numbers.get("loss", 0.0),
        "one_way_queueing_ms": delays,
        "frame_delay_ms": frames,
        "frames_incomplete_ratio": 0.0,
        "convergence_s": numbers.get("converge", 4.0),
    }


def finish(
    out: Path,
    run: sweep_file.Run,
    *flows: dict[str, Any],
    used: float = 0.9,
    shares: dict[str, float] | None = None,
    rates: tuple[float, ...] = (),
) -> Path:
    """A finished call, as far as the card reads it."""
    directory = out / run.directory
    directory.mkdir(parents=True)
    metrics = {
        "flows": list(flows),
        "link": {"utilisation": used},
        "fairness": {"jain": 0.9, "shares": shares or {}},
    }
    (directory / "metrics.json").write_text(json.dumps(metrics))
    record = {"versions": {"commit": "abc1234"}, "scenario": {"duration_s": 60}}
    (directory / "call.json").write_text(json.dumps(record))
    lines = [f"{second},{flows[0]['name']},{kbps}" for second, kbps in enumerate(rates)]
    (directory / "per-second.csv").write_text("\n".join(["time_s,flow,received_kbps", *lines]))
    return directory


def scorecard(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the command, whatever becomes of it."""
    return subprocess.run(
        [sys.executable, "-m", "gcc_testbed", "scorecard", *words],
        cwd=TESTBED,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
