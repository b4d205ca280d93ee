"""The table of fixed sizes beside gccscale, in docs/how-to/size-and-frame-rate.md."""

from __future__ import annotations

import sys
from pathlib import Path

from gcc_testbed.studies.sweeps import sweep_file
from gcc_testbed.studies.sweeps.results import Gathered

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "testbed/tools"))

import page_table  # noqa: E402
import size_and_frame_rate  # noqa: E402

PLAN = sweep_file.load(size_and_frame_rate.SWEEP)
DURATION_S = PLAN.runs[0].settings["duration_s"]


def call(frozen: float, ssim: float | None) -> dict[str, object]:
    video = {"freeze_s": frozen * DURATION_S, "frame_rate": 29.97, "ssim_y": {"mean": ssim}}
    return {"flows": [{"video": video}]}


def study(first: dict[str, object] | None) -> size_and_frame_rate.Study:
    """Of a first call, and of others that are alike."""
    others = [call(0.05, 0.87654)] * (len(PLAN.runs) - 1)
    return size_and_frame_rate.study(Gathered(PLAN, (first, *others), (), ()))


def test_the_page_has_each_link_and_each_contender_of_the_sweep() -> None:
    found = study(call(0, 1))
    page = size_and_frame_rate.PAGE.read_text(encoding="utf-8")
    rows = page_table.rows(page, size_and_frame_rate.HEADER)
    header = page[page.index(size_and_frame_rate.HEADER) :].splitlines()[0]

    assert header.strip("| ").split(" | ")[1:] == list(found)
    assert [int(row.split("|")[1]) for row in rows] == list(found[size_and_frame_rate.OURS])


def test_a_call_without_a_picture_has_no_ssim() -> None:
    rows = size_and_frame_rate.rows(study(call(1, None)))

    assert rows[0].startswith("| 75 | 100 %, 30.0, none | 5 %, 30.0, 0.877 |")


def test_a_picture_is_drawn_though_a_call_has_none(tmp_path: Path) -> None:
    size_and_frame_rate.draw(study(call(1, None)), tmp_path / "picture.png")

    assert (tmp_path / "picture.png").stat().st_size > 10_000


def test_a_call_that_is_missing_has_a_dash() -> None:
    rows = size_and_frame_rate.rows(study(None))

    assert rows[0].startswith("| 75 | - | 5 %, 30.0, 0.877 |")
