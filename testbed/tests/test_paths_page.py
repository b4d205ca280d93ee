"""Calls on recordings: measures and distances of finished calls, the page, the command."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from small_card import TESTBED, finish, flow

from gcc_testbed.commands import paths as command
from gcc_testbed.studies.drawn.plan import Planned, planned
from gcc_testbed.studies.paths import calls, page
from gcc_testbed.studies.paths.oracle import Possible
from gcc_testbed.studies.paths.results import MEASURES, Made, Results, read
from gcc_testbed.studies.sweeps import runner

COLUMNS = command._contenders().columns
SOURCE = calls.load()


def measured(*, use: float = 0.9, back_off: float = 0.1, **numbers: Any) -> dict[str, Any]:  # noqa: ANN401
    """The metrics of a flow on a recording."""
    path = {
        "wanted_kbps": 2000.0,
        "use": use,
        "false_back_off_ratio": back_off,
        "frame_delay_p99_ms": 150.0,
        "start_s": None,
        "holes": {"count": 0, "s": 0.0, "back_mean_s": None, "frame_delay_after_p95_ms": None},
    }
    frozen = {"frames_frozen_ratio": numbers.pop("frozen", 0.0)}
    return {**flow("media", "gcc", **numbers), **frozen, "recorded_path": path}


def some(count: int, out: Path) -> list[Planned]:
    names = [calls.name_of(1, number) for number in range(1, count + 1)]
    every = planned([calls.drawn(name, SOURCE) for name in names], COLUMNS, out)
    return [each for each in every if each.column.name in ("auto", "goog-2026")]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """goog-2026 uses less in each call; ours stands still in the third one."""
    out = tmp_path_factory.mktemp("paths")
    every = some(12, out)
    for each in every:
        ours = each.column.name == "auto"
        bad = ours and each.call.name == "p1-003"
        numbers = measured(use=0.9 if ours else 0.6, frozen=0.5 if bad else 0.0)
        finish(out / "calls", each.run, numbers)
    return read(every, out / "calls", {"Others": "cargo is not here"})


@pytest.fixture(scope="module")
def written(results: Results, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("page") / "paths.md"
    page.write(results, file, "recordings")
    with (file.with_suffix("") / "calls.csv").open(newline="") as content:
        rows = list(csv.DictReader(content))
    assert len(rows) == 24
    assert float(rows[0]["oracle_use"]) > 0.9
    return file.read_text()


def section(text: str, title: str) -> list[str]:
    lines = text.splitlines()
    at = lines.index(title)
    ends = [place for place, line in enumerate(lines) if line.startswith("## ") and place > at]
    return lines[at : ends[0]]


# Distances.

BEST = Possible(0.95, 5.0, 40.0, 60.0, 1.0)


def made(**numbers: float | None) -> Made:
    values = {"use": 0.7, "delay_p95_ms": 100.0, "frozen_s": 4.0, "incomplete_percent": 0.0}
    return Made({**dict.fromkeys(MEASURES), **values, **numbers}, "abc", BEST)


def test_the_distance_to_the_oracle_is_in_use_delay_and_frozen_time() -> None:
    assert made().use_behind == pytest.approx(0.25)
    assert made().delay_beyond_ms == 60
    assert made().frozen_beyond_s == 3


def test_a_call_as_good_as_the_oracles_reaches_all_of_its_points() -> None:
    assert made(use=0.95, delay_p95_ms=40.0, frozen_s=1.0).reached_percent == pytest.approx(100)
    assert made(use=0.475, delay_p95_ms=40.0, frozen_s=1.0).reached_percent == pytest.approx(50)
    lacking = made(use=0.95, delay_p95_ms=40.0, frozen_s=1.0, incomplete_percent=20.0)
    assert lacking.reached_percent == pytest.approx(51.2)


def test_a_call_without_a_whole_frame_has_no_delay_and_no_points() -> None:
    nothing = made(delay_p95_ms=None)
    assert nothing.delay_beyond_ms is None
    assert nothing.reached_percent == 0


def test_the_use_of_a_call_is_at_most_one(tmp_path: Path) -> None:
    (each,) = some(1, tmp_path)[:1]
    finish(tmp_path / "calls", each.run, measured(use=1.04))
    (found,) = read([each], tmp_path / "calls", {}).made.values()
    assert found.values["use"] == 1


# The page.


def test_the_page_begins_with_the_distance_of_each_contender(written: str) -> None:
    lines = section(written, "## Distance to the possible")
    ours = next(line for line in lines if line.startswith("| recommended, transport-cc |"))
    theirs = next(line for line in lines if line.startswith("| goog-2026 |"))
    assert ours.startswith("| recommended, transport-cc | 12 | **0.0")
    assert theirs.startswith("| goog-2026 | 12 | **0.3")
    assert all(line.count(" ± ") == 4 for line in (ours, theirs))
    assert " more of the oracle's 100 points than goog-2026, in the same 12 calls." in written


def test_the_page_says_which_commit_made_the_calls(written: str, results: Results) -> None:
    assert f"made by {', '.join(commit or 'earlier commits' for commit in results.commits)}." in (
        written
    )
    assert "* Not run: Others: cargo is not here." in written


def test_a_measure_that_some_calls_lack_says_of_how_many_it_is(written: str) -> None:
    lines = section(written, "## Distributions over calls")
    assert "| frozen s a minute | 0.0 / 0.0 / 13.5 | 0.0 / 0.0 / 0.0 |" in lines
    assert "| false back-off % | 10.0 / 10.0 / 10.0 | 10.0 / 10.0 / 10.0 |" in lines
    assert "| 0.9 of the limit after s | – | – |" in lines


def test_the_ten_furthest_calls_are_there_by_name(written: str, results: Results) -> None:
    lines = section(
        written, "## The 10 calls of recommended, transport-cc furthest from the oracle"
    )
    rows = [line for line in lines if line.startswith("| p1-")]
    assert len(rows) == 10
    assert rows[0].startswith("| p1-003 | ")
    (third,) = [call for call in results.calls if call.name == "p1-003"]
    assert rows[0].endswith(f"| {third.title} |")


def test_a_page_of_one_call_has_no_number_without_an_error(tmp_path: Path) -> None:
    (each,) = some(1, tmp_path)[:1]
    finish(tmp_path / "calls", each.run, measured())
    page.write(read([each], tmp_path / "calls", {}), tmp_path / "p.md", "recordings")
    lines = section((tmp_path / "p.md").read_text(), "## Distance to the possible")
    assert f"| {each.column.title} | 1 | **–** | **–** | **–** | – |" in lines


def test_a_page_without_calls_says_so(tmp_path: Path) -> None:
    page.write(read(some(1, tmp_path), tmp_path / "calls", {}), tmp_path / "p.md", "recordings")
    assert "No call has been made yet." in (tmp_path / "p.md").read_text()


# The command.


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--column", "kalman"), "error: --column kalman: expected one of remb, auto, "),
        (("--recordings", "/x/y"), "error: --recordings /x/y: there is no such directory"),
    ],
)
def test_a_wrong_option_is_told_in_a_line(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--dry-run", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("time_s,kbps\n0,1\n", "line 1 is not the header"),
        ("time_s,kbps,delay_ms,loss_percent\n0,,5,\n", "it has no rates: expected some in"),
        ("time_s,kbps,delay_ms,loss_percent\n0,0,,\n", "its rate is always 0"),
    ],
)
def test_a_recording_that_is_none_is_told_before_any_call(
    content: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "wifi-1.csv").write_text(content)
    words = ["--recordings", str(folder), "--calls", "1", "--out", str(tmp_path / "out")]
    assert command.main(words) == 2
    assert not (tmp_path / "out").exists()
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{folder}/wifi-1.csv: {said}" in line


def test_the_page_names_the_recordings_and_no_path_of_this_machine(tmp_path: Path) -> None:
    for each in some(1, tmp_path / "out"):
        finish(tmp_path / "out/calls", each.run, measured())
    (tmp_path / "out/paths.json").write_text('{"calls": ["p1-001"]}')
    assert command.main(["--out", str(tmp_path / "out"), "--draw"]) == 0
    text = (tmp_path / "out/paths.md").read_text()
    assert "on the synthetic recordings that come with the testbed" in text
    assert str(TESTBED) not in text
