"""docs/missed-goals.md has the goals that the published card misses."""

from __future__ import annotations

import sys
from pathlib import Path

from gcc_testbed.studies.scorecard import card

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "testbed/tools"))

import missed_goals  # noqa: E402
import page_table  # noqa: E402


def test_every_goal_that_is_missed_is_on_the_page() -> None:
    page = missed_goals.PAGE.read_text(encoding="utf-8")
    rows = page_table.rows(page, "| call | goal |")

    assert rows == list(missed_goals.missed(card.load()))


def test_every_call_of_the_page_is_one_of_the_card() -> None:
    calls = missed_goals.Calls(card.load(), Path("out"))

    for made in calls.every():
        assert card.problem_with(made.row, made.column) is None
    assert len({made.directory for made in calls.every()}) == len(calls.every())
