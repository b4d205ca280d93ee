"""The table of fixed sizes beside gccscale, in docs/how-to/size-and-frame-rate.md."""

from __future__ import annotations

import sys
from pathlib import Path

from gcc_testbed.studies.sweeps import sweep_file
from gcc_testbed.studies.sweeps.results import Gathered

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "testbed/tools"))

import size_and_frame_rate  # noqa: E402

PLAN = sweep_file.load(size_and_frame_rate.SWEEP)
DURATION_S = PLAN.runs[0].settings["duration_s"]


def call(frozen: float, ssim: float | None) -> dict[str, object]:
    video = {"freeze_s": frozen * DURATION_S, "frame_rate": 29.97, "ssim_y": {"mean": ssim}}
    return {"flows": [{"video": video}]}


def test_the_page_has_each_link_and_each_contender_of_the_sweep() -> None:
    found = size_and_frame_rate.study(Gathered(PLAN, (call(0, 1),) * len(PLAN.runs), (), ()))
    lines = size_and_frame_rate.PAGE.read_text(encoding="utf-8").splitlines()
    header = next(line for line in lines if line.startswith(size_and_frame_rate.HEADER))
    begin = lines.index(header)
    rows = lines[begin + 2 : lines.index("", begin)]

    assert header.strip("| ").split(" | ")[1:] == list(found)
    assert [int(row.split("|")[1]) for row in rows] == list(found[size_and_frame_rate.OURS])


def test_a_call_without_a_picture_has_no_ssim() -> None:
    calls = [call(1, None), *[call(0.05, 0.87654)] * (len(PLAN.runs) - 1)]
    rows = size_and_frame_rate.rows(size_and_frame_rate.study(Gathered(PLAN, tuple(calls), (), ())))

    assert rows[0].startswith("| 75 | 100 %, 30.0, none | 5 %, 30.0, 0.877 |")


def test_a_picture_is_drawn_though_a_call_has_none(tmp_path: Path) -> None:
    calls = [call(1, None), *[call(0.05, 0.87654)] * (len(PLAN.runs) - 1)]
    found = size_and_frame_rate.study(Gathered(PLAN, tuple(calls), (), ()))
    size_and_frame_rate.draw(found, tmp_path / "picture.png")

    assert (tmp_path / "picture.png").stat().st_size > 10_000


def test_a_call_that_is_missing_has_a_dash() -> None:
    calls = [None, *[call(0.05, 0.87654)] * (len(PLAN.runs) - 1)]
    found = size_and_frame_rate.study(Gathered(PLAN, tuple(calls), (), ()))

    assert size_and_frame_rate.rows(found)[0].startswith("| 75 | - | 5 %, 30.0, 0.877 |")
