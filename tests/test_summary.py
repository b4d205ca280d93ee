"""What the last line of tests/run.sh counts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SUMMARY = Path(__file__).resolve().parent / "summary.py"
JUNIT = """<testsuites><testsuite name="s">
<testcase classname="c" name="good"/>
<testcase classname="c" name="left out"><skipped message="no browser"/></testcase>
{more}
</testsuite></testsuites>"""


def summary(*files: Path) -> tuple[int, list[str]]:
    words = (sys.executable, str(SUMMARY), *map(str, files))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file


def test_passed_failed_and_skipped_are_told(tmp_path: Path) -> None:
    good = written(tmp_path / "good.xml", JUNIT.format(more=""))
    assert summary(good) == (
        0,
        ["skipped: c: left out: no browser", "1 passed, 0 failed, 1 skipped"],
    )
    bad = JUNIT.format(more='<testcase classname="c" name="bad"><failure/></testcase>')
    assert summary(written(tmp_path / "bad.xml", bad))[0] == 1


def test_a_program_that_skips_all_gives_its_reason(tmp_path: Path) -> None:
    printed = "<skipped/><system-out>1..0 # SKIP no doubles</system-out>"
    junit = JUNIT.format(more=f'<testcase classname="c" name="golden">{printed}</testcase>')
    assert summary(written(tmp_path / "meson.xml", junit))[1][1] == (
        "skipped: c: golden: no doubles"
    )


def test_a_program_that_dies_is_a_failure_though_its_tests_before_passed(tmp_path: Path) -> None:
    junit = written(tmp_path / "meson.xml", JUNIT.format(more=""))
    ends = {"unit / sound": "OK", "unit / dead": "ERROR", "unit / stuck": "TIMEOUT"}
    lines = [json.dumps({"name": name, "result": result}) for name, result in ends.items()]
    log = written(tmp_path / "meson.json", "\n".join(lines) + "\n")
    status, told = summary(junit, log)
    assert status == 1
    assert told[1:] == [
        "failed: unit / dead: ERROR",
        "failed: unit / stuck: TIMEOUT",
        "1 passed, 2 failed, 1 skipped",
    ]


def test_results_that_are_missing_are_a_failure(tmp_path: Path) -> None:
    status, told = summary(tmp_path / "none.xml")
    assert (status, told[-1]) == (1, "0 passed, 1 failed")


def test_what_a_program_prints_does_not_break_the_sum(tmp_path: Path) -> None:
    file = tmp_path / "meson.xml"
    file.write_text(
        "<?xml version='1.0' encoding='utf-8'?><testsuites><testsuite><testcase name='a'>"
        "<system-err>\x1b[33mcolour\x1b[0m</system-err></testcase></testsuite></testsuites>",
        encoding="utf-8",
    )
    status, lines = summary(file)
    assert status == 0
    assert lines[-1] == "1 passed, 0 failed"
