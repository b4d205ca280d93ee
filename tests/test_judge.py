"""Drawn calls in the simulators: what is described, what is left out, and what is compared."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "testbed/tools"))

import judge  # noqa: E402
from gcc_testbed.studies.drawn.calls import Drawn  # noqa: E402
from gcc_testbed.studies.paths import folder  # noqa: E402
from gcc_testbed.support.errors import TestbedError  # noqa: E402

BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
OURS = judge.Contender(BUILD, judge.PROFILE, remb=False)
LINK = {"one_way_delay_ms": 20, "forward": {"rate_kbps": 6000}}
MEDIA = {"kind": "gcc", "name": "media", "source": "model", "max_kbps": 2500}


def call(link: dict[str, object] = LINK, *beside: dict[str, object]) -> Drawn:
    flows = [MEDIA, *beside]
    tables = {"title": "x", "duration_s": 20, "measure_from_s": 5, "link": link, "flow": flows}
    return Drawn("p1-001", "x", tables, {"beside": "nobody"})


def lines(drawn: Drawn) -> list[str]:
    return judge.describe(drawn).splitlines()


def test_a_build_is_as_good_as_itself(capsys: pytest.CaptureFixture[str]) -> None:
    judge.main(["--calls", "3", "--build", str(BUILD), "--build", str(BUILD)])
    rows = [line for line in capsys.readouterr().out.splitlines() if " | all | 3 | " in line]
    assert len(rows) == 2
    assert all(row.endswith("| +0.00 ± 0.00 |") for row in rows)


def test_another_profile_has_other_points() -> None:
    calls = judge.drawn(["p1-001", "p1-002"], folder.RECORDINGS)
    text = "".join(judge.describe(each) for each in calls)
    first = judge.judged(OURS, calls, text)
    other = judge.judged(replace(OURS, profile="goog-2026"), calls, text)
    assert any(other.gains(first, ["p1-001", "p1-002"]))


def test_both_feedbacks_use_a_constant_link() -> None:
    for remb in (False, True):
        found = replace(OURS, remb=remb).judge(judge.describe(call()))["p1-001"]
        # Headers come on top of the limit.
        assert 0.9 < (found["use"] or 0) < 1.1
        assert found["frozen_percent"] == 0


def test_a_fault_of_the_way_there_is_a_part_of_the_path() -> None:
    fault = {"direction": "forward", "from_s": 5, "to_s": 8, "delay_ms": 30}
    rows = [line for line in lines(call({**LINK, "fault": [fault]})) if line.startswith("row")]
    assert rows == ["row 0 6000 0 0", "row 5 6000 30 0", "row 8 6000 0 0"]


def test_all_web_connections_are_one_line() -> None:
    transfers = {"bytes_min": 20_000, "bytes_max": 100_000, "idle_mean_s": 2}
    web = {"kind": "tcp", "name": "web", "count": 3, "transfers": transfers}
    assert "web 3 20000 100000 2" in lines(call(LINK, web))


@pytest.mark.parametrize(
    ("beside", "reason"),
    [
        ({"kind": "tcp", "name": "t", "congestion": "bbr"}, "bbr beside"),
        ({"kind": "tcp", "name": "t", "direction": "backward"}, "an upload"),
        ({"kind": "udp-cbr", "name": "c", "rate_kbps": 100}, "udp-cbr beside"),
    ],
)
def test_what_the_simulators_lack_is_left_out_and_counted(
    beside: dict[str, object], reason: str
) -> None:
    found, lacking = judge.described([call(), call(LINK, beside)])
    assert list(found) == ["p1-001"]
    assert lacking == {reason: 1}


def test_a_build_without_the_program_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(TestbedError, match="not built: ninja"):
        replace(OURS, build=tmp_path).judge("")
