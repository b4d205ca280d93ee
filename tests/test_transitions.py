"""The picture and the table of verdicts on docs/how-the-default-works.md."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from gcc_testbed.studies.scorecard import card

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "testbed/tools"))

import transitions  # noqa: E402

VERDICTS = re.findall(
    r'return "([a-z-]+)";', (ROOT / "gst/gcc/path/gcc-experiment.c").read_text(encoding="utf-8")
)


def test_every_call_of_the_picture_is_one_of_the_card() -> None:
    whole = card.load()
    made = [transitions.call_of(whole, Path("out"), each) for each in transitions.TRANSITIONS]

    for call in made:
        assert card.problem_with(call.row, call.column) is None
    settings = {call.directory: (call.row, call.column, call.changes) for call in made}
    assert [settings[call.directory] for call in made] == [
        (call.row, call.column, call.changes) for call in made
    ]


def test_the_picture_has_verdicts_of_the_library() -> None:
    shown = {each.verdict for each in transitions.TRANSITIONS} - {""}

    assert shown == {*VERDICTS} - {"none", "unknown"}


def test_every_verdict_is_in_the_table_of_the_page() -> None:
    page = (ROOT / "docs/how-the-default-works.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|[^|]+\| `([a-z-]+)` \|", page, re.MULTILINE)

    assert {*rows} >= {*VERDICTS} - {"none"}
