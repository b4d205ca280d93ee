"""docs/compatibility.md is what ran."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import compatibility
import pytest

JUNIT = """<testsuites><testsuite name="s">
<testcase classname="gst-gcc:webrtc / webrtcbin" name="1 /webrtcbin/in_front"/>
<testcase classname="tests.webrtc.test_browsers" name="test_it_uses[to_browser-chromium]"/>
<testcase classname="tests.webrtc.test_browsers" name="test_it_falls[to_browser-chromium]">
<failure/></testcase>
<testcase classname="tests.webrtc.test_browsers" name="test_it_uses[to_browser-firefox]">
<skipped message="no Firefox"/></testcase>
</testsuite></testsuites>"""
FACTS = "distribution\tSome Linux\ngstreamer\t1.30.0\nchromium\t200.1\ndate\t2026-11-21\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(compatibility, "RESULTS", tmp_path / "kept")
    died = {"name": "gst-gcc:webrtc / rtpsink", "result": "TIMEOUT"}
    (tmp_path / "meson.xml").write_text(JUNIT, encoding="utf-8")
    (tmp_path / "meson.json").write_text(json.dumps(died) + "\n", encoding="utf-8")
    (tmp_path / "facts.tsv").write_text(FACTS, encoding="utf-8")
    compatibility.take("some", tmp_path)
    (taken,) = compatibility.taken()
    return taken


def test_a_test_counts_for_its_column(run: dict[str, Any]) -> None:
    row = [cell.strip() for cell in compatibility.row(run).split("|")[1:-1]]
    assert row == [
        *("1.30.0", "Some Linux"),
        *(
            "–",
            "–",
            "1 **failed**",
            "1 passed",
            "1 passed, 1 **failed** (200.1)",
            "1 skipped",
            "–",
            "–",
        ),
        *("2 passed, 2 **failed**, 1 skipped", "2026-11-21"),
    ]


def test_a_part_of_the_tests_is_named(tmp_path: Path, run: dict[str, Any]) -> None:
    compatibility.take("some-lines", tmp_path, "some lines")
    both = [taken["facts"]["distribution"] for taken in compatibility.taken()]
    assert both == ["Some Linux, some lines", "Some Linux"]


def test_what_did_not_pass_is_named(run: dict[str, Any]) -> None:
    assert "".join(compatibility.exceptions(run)).count("failed:") == 2
    assert "* 1.30.0: 1 skipped: no Firefox\n" in compatibility.exceptions(run)


def test_the_page_says_what_was_taken() -> None:
    page = compatibility.PAGE.read_text(encoding="utf-8")
    assert page == compatibility.whole_page(), "run tests/compatibility.py"
