"""The tool that replays recordings beside their files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.flows import CbrFlow

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "testbed/tools"))

import replay  # noqa: E402

HEADER = "time_s,kbps,delay_ms,loss_percent\n"


def test_three_calls_show_a_path_of_two_recordings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates, delays = tmp_path / "mobile-1.csv", tmp_path / "ping-1.csv"
    rates.write_text(HEADER + "0,1000,,\n30,3000,,\n")
    delays.write_text(HEADER + "0,,5,\n30,,9,\n")
    made = {}

    def testbed(command: str, file: str, *_: str, out: Path) -> dict[str, Any]:
        assert command == "run"
        made[out.name] = scenario_file.load(Path(file))
        out.mkdir()
        return {}

    monkeypatch.setattr(replay, "testbed", testbed)
    course = replay.Course((rates, delays), tmp_path / "out")
    course.make()
    assert course.name == "mobile-1 with ping-1"
    # Packets of the thin flow never wait, whatever the rates; the full flow has more than they are.
    assert [step.kbps for step in made["thin"].link.forward.rate.steps] == [replay.WIDE_KBPS]
    assert [each.delay_ms for each in made["thin"].link.conditions] == [5, 9]
    assert isinstance(made["full"].flows[0], CbrFlow)
    assert made["full"].flows[0].rate_kbps == 3900
    for name in ("full", "video"):
        assert [step.kbps for step in made[name].link.forward.rate.steps] == [1000, 3000]
        assert [each.delay_ms for each in made[name].link.conditions] == [5, 9]
    # What is there is not made again.
    made.clear()
    course.make()
    assert made == {}
