"""Calls on recordings: measures and distances of finished calls, the page, the command."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_card import TESTBED, finish, flow

from gcc_testbed.commands import contenders, drawn_calls
from gcc_testbed.commands import paths as command
from gcc_testbed.studies.drawn.plan import Planned, planned
from gcc_testbed.studies.paths import calls, encoded, oracle, page, why
from gcc_testbed.studies.paths.oracle import Oracle, Oracles, Possible
from gcc_testbed.studies.paths.results import MEASURES, Made, Results, read
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run
from gcc_testbed.support import commits

COLUMNS = card.load().columns
SOURCE = calls.load()
NONE = Results((), (), {})


PLACE = {
    "from_s": 31.2, "to_s": 33.9, "asked_kbps": 2400.0, "link_kbps": 800.0, "delay_ms": 3.0,
    "hole": {"at_s": 31.0, "s": 1.3},
}  # fmt: skip


def measured(*, use: float = 0.9, back_off: float = 0.1, **numbers: Any) -> dict[str, Any]:  # noqa: ANN401
    """The metrics of a flow on a recording."""
    path = {
        "wanted_kbps": 2000.0,
        "use": use,
        "false_back_off_ratio": back_off,
        "frame_delay_p99_ms": 150.0,
        "start_s": None,
        "holes": {
            "count": 0, "s": 0.0, "back_mean_s": None, "frame_delay_after_p95_ms": None,
            "lost_ratio": numbers.pop("lost", None),
        },
        "shortfall": {"frozen": PLACE},
    }  # fmt: skip
    frozen = {"frames_frozen_ratio": numbers.pop("frozen", 0.0)}
    seen = {"video": {"ssim_y": {"p50": ssim}}} if (ssim := numbers.pop("ssim", None)) else {}
    return {**flow("media", "gcc", **numbers), **frozen, **seen, "recorded_path": path}


def some(count: int, out: Path) -> list[Planned]:
    names = [calls.name_of(1, number) for number in range(1, count + 1)]
    every = planned([calls.drawn(name, SOURCE) for name in names], COLUMNS, out)
    return [each for each in every if each.column.name in ("auto", "goog-2026")]


def filmed(out: Path) -> list[Planned]:
    """Two calls with a real encoder, of ours and rtpgccbwe."""
    every = planned([encoded.drawn(f"v1-00{n}", SOURCE) for n in (1, 2)], COLUMNS, out)
    return [each for each in every if each.column.name in ("auto", "kalman")]


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
    return read(every, out / "calls", {"Others": "cargo is not here"}, Oracles())


@pytest.fixture(scope="module")
def written(results: Results, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("page") / "paths.md"
    page.write(results, NONE, file, "recordings")
    with (file.with_suffix("") / "calls.csv").open(newline="") as content:
        rows = list(csv.DictReader(content))
    assert len(rows) == 24
    assert float(rows[0]["oracle_use"]) > 0.9
    return file.read_text()


def page_of(every: list[Planned], out: Path, film: list[Planned] | None = None) -> str:
    modelled, real = (read(of, out / "calls", {}, Oracles()) for of in (every, film or []))
    page.write(modelled, real, out / "paths.md", "recordings")
    return (out / "paths.md").read_text()


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


def test_what_a_part_costs_alone_is_what_the_oracle_would_lose_by_it() -> None:
    costs = made(use=0.475, delay_p95_ms=40.0, frozen_s=1.0, incomplete_percent=20.0).costs()
    assert costs == {
        "use": pytest.approx(50), "delay_p95_ms": 0, "frozen_s": 0,
        "incomplete_percent": pytest.approx(48.8),
    }  # fmt: skip


def test_the_use_of_a_call_is_at_most_one(tmp_path: Path) -> None:
    (each,) = some(1, tmp_path)[:1]
    finish(tmp_path / "calls", each.run, measured(use=1.04))
    (found,) = read([each], tmp_path / "calls", {}, Oracles()).made.values()
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
    assert "| frozen s a minute | 0.0, 0.0, 13.5 | 0.0, 0.0, 0.0 |" in lines
    assert "| false back-off % | 10.0, 10.0, 10.0 | 10.0, 10.0, 10.0 |" in lines


def test_a_measure_that_no_call_has_is_left_out(written: str) -> None:
    lines = section(written, "## Distributions over calls")
    assert not any(line.startswith(("| SSIM", "| 0.9 of the limit")) for line in lines)


def test_the_loss_in_holes_is_among_the_distributions(tmp_path: Path) -> None:
    every = [each for each in some(3, tmp_path) if each.column.name == "auto"]
    for each, lost in zip(every, (0.1, 0.3, None), strict=True):
        finish(tmp_path / "calls", each.run, measured(lost=lost))
    text = page_of(every, tmp_path)
    assert "| lost of what is sent in holes % | 11.0, 20.0, 29.0 (2 calls) |" in text


def test_the_ten_furthest_calls_are_there_by_name(written: str, results: Results) -> None:
    lines = section(
        written, "## The 10 calls of recommended, transport-cc furthest from the oracle"
    )
    rows = [line for line in lines if line.startswith("| p1-")]
    assert len(rows) == 10
    assert rows[0].startswith("| p1-003 | ")
    (third,) = [call for call in results.calls if call.name == "p1-003"]
    assert rows[0].endswith(f"| {third.title} |")


def test_each_of_the_furthest_calls_has_a_line_that_says_why(written: str) -> None:
    lines = section(
        written, "## The 10 calls of recommended, transport-cc furthest from the oracle"
    )
    reasons = [line for line in lines if line.startswith("* p1-")]
    rows = [line for line in lines if line.startswith("| p1-")]
    assert [line.split()[1].strip(":") for line in reasons] == [row.split()[1] for row in rows]
    assert reasons[0] == (
        "* p1-003: freezes cost 90; the longest from 31.2 to 33.9 s, A_s 2.40, link 0.80 Mbit/s, "
        "hole of 1.3 s at 31.0 s."
    )


def test_the_distributions_are_a_picture_beside_the_page(
    written: str, results: Results, tmp_path: Path
) -> None:
    assert "![distributions over calls](paths/distributions.png)" in written
    page.write(results, NONE, tmp_path / "paths.md", "recordings")
    picture = (tmp_path / "paths" / "distributions.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    # The same results give the same file.
    page.write(results, NONE, tmp_path / "again.md", "recordings")
    assert (tmp_path / "again" / "distributions.png").read_bytes() == picture


def test_a_page_of_one_call_has_no_number_without_an_error(tmp_path: Path) -> None:
    (each,) = some(1, tmp_path)[:1]
    finish(tmp_path / "calls", each.run, measured())
    lines = section(page_of([each], tmp_path), "## Distance to the possible")
    assert f"| {each.column.title} | 1 | **–** | **–** | **–** | – |" in lines


def test_a_page_without_calls_says_so(tmp_path: Path) -> None:
    assert "No call has been made yet." in page_of(some(1, tmp_path), tmp_path)


# The line that says why.


def low(reason: str) -> dict[str, Any]:
    return {"low": {"ratio": 0.61, "reason": reason, "reason_ratio": 0.7, **PLACE}}


def test_low_use_is_explained_by_the_target_and_its_last_fall() -> None:
    far = made(use=0.55, delay_p95_ms=40.0, frozen_s=1.0)
    line = why.line(replace(far, shortfall=low("overuse")))
    assert line == (
        "use costs 42; A_s is low in 61 % of the time, after `overuse` in 70 % of that; half from "
        "31.2 to 33.9 s, A_s 2.40, link 0.80 Mbit/s, hole of 1.3 s at 31.0 s"
    )
    assert ", before any fall in 70 % of that;" in why.line(replace(far, shortfall=low("start")))
    # A trace without reasons.
    assert "in 61 % of the time; half from" in why.line(replace(far, shortfall=low("")))
    assert why.line(far) == "use costs 42"


def test_late_frames_are_explained_by_the_stretch_that_has_them() -> None:
    far = replace(
        made(delay_p95_ms=400.0), shortfall={"late": {**PLACE, "delay_ms": 38.0, "hole": None}}
    )
    assert why.line(far) == (
        "late frames cost 60; half from 31.2 to 33.9 s, A_s 2.40, link 0.80 Mbit/s, "
        "path delay +38 ms"
    )
    assert why.line(made(delay_p95_ms=None)) == "no frame arrived whole"


def test_incomplete_frames_are_explained_where_they_cost_most() -> None:
    far = made(use=0.95, delay_p95_ms=40.0, frozen_s=1.0, incomplete_percent=20.0)
    line = why.line(replace(far, shortfall={"incomplete": {**PLACE, "asked_kbps": None}}))
    assert line == "incomplete frames cost 49; half from 31.2 to 33.9 s, hole of 1.3 s at 31.0 s"


# With a real encoder.


def test_a_call_with_a_real_encoder_is_on_the_path_of_the_drawn_one() -> None:
    drawn, film = calls.drawn("p1-004", SOURCE), encoded.drawn("v1-004", SOURCE)
    assert (film.name, film.seed) == ("v1-004", drawn.seed)
    scenario = film.scenario()
    assert scenario.link == drawn.scenario().link
    assert scenario.quality
    assert not scenario.has_model()
    assert all(flow["max_kbps"] <= encoded.MOST_KBPS for flow in film.tables["flow"][:1])


def test_every_contender_can_make_a_call_with_a_real_encoder(tmp_path: Path) -> None:
    names = [f"v{seed}-{number:03d}" for seed in (1, 2) for number in range(1, 21)]
    every = planned([encoded.drawn(name, SOURCE) for name in names], COLUMNS, tmp_path)
    assert len(every) == len(names) * len(COLUMNS)
    # Of the model's calls rtpgccbwe makes none.
    assert {each.column.name for each in planned([calls.drawn("p1-004", SOURCE)], COLUMNS, tmp_path)
            } == {column.name for column in COLUMNS if "kind" not in column.flow}  # fmt: skip


def test_calls_with_a_real_encoder_have_a_table_of_their_own(tmp_path: Path) -> None:
    every, film = some(3, tmp_path), filmed(tmp_path)
    for each in every:
        finish(tmp_path / "calls", each.run, measured())
    for number, each in enumerate(film):
        finish(tmp_path / "calls", each.run, measured(ssim=0.95 + number / 100))
    text = page_of(every, tmp_path, film)
    assert "rtpgccbwe, Kalman" not in "".join(section(text, "## Distance to the possible"))
    lines = section(text, "## With a real encoder")
    assert any(line.startswith("| rtpgccbwe, Kalman | 2 | **") for line in lines)
    assert "| SSIM | 0.9510, 0.9600, 0.9690 | 0.9610, 0.9700, 0.9790 |" in lines
    rows = list(csv.DictReader((tmp_path / "paths" / "calls.csv").open(newline="")))
    assert {row["call"][0] for row in rows} == {"p", "v"}


def test_a_contender_that_has_made_calls_is_not_said_to_be_missing(tmp_path: Path) -> None:
    film = filmed(tmp_path)
    for each in film:
        finish(tmp_path / "calls", each.run, measured(ssim=0.9))
    missing = {"rtpgccbwe, Kalman": "none here", "rtpgccbwe, linear regression": "none here"}
    found = read(film, tmp_path / "calls", missing, Oracles())
    page.write(replace(NONE, missing=missing), found, tmp_path / "paths.md", "recordings")
    text = (tmp_path / "paths.md").read_text()
    assert "* Not run: rtpgccbwe, linear regression: none here." in text
    assert "Not run: rtpgccbwe, Kalman" not in text


# The command.


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("v3-17",), "error: v3-17: expected the name of a call, like v3-017"),
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


def test_with_rtpgccbwe_a_fifth_of_the_calls_is_made_with_a_real_encoder_by_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--dry-run", "--calls", "7"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names[6:9] == ["p1-007", "v1-001", "v1-002"]
    # Nobody has to have a real encoder.
    assert command.main(["--dry-run", "--calls", "7", "--column", "auto"]) == 0
    assert "v1-001" not in capsys.readouterr().out

    def make_calls(plan: Plan, runs: list[Run], directory: Path, *_: object) -> None:
        for run in runs:
            finish(directory, run, measured())

    monkeypatch.setattr(runner, "make", make_calls)
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(
        contenders, "problem_with", lambda each: "none here" if each.name == "kalman" else None
    )
    out = ["--out", str(tmp_path / "out"), "--quiet", "--column", "auto", "--column", "kalman"]
    for more in ([], ["--draw"]):
        assert command.main([*out, "--calls", "2", *more]) == 0
        text = (tmp_path / "out/paths.md").read_text()
        assert "and 1 drawn calls with a real encoder, v1-001 to v1-001" in text
        assert "* Not run: rtpgccbwe, Kalman: none here." in text


def test_calls_with_a_real_encoder_are_made_by_the_commit_of_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, page_file = tmp_path / "out", tmp_path / "docs" / "paths.md"
    for each in (*some(1, out), *filmed(out)[:2]):
        finish(out / "calls", each.run, measured())
    (out / "paths.json").write_text('{"calls": ["p1-001", "v1-001"]}')
    monkeypatch.setattr(commits, "DOCS", page_file.parent)
    monkeypatch.setattr(commits, "is_known", lambda _: True)
    words = ["--out", str(out), "--draw", "--page", str(page_file)]
    assert command.main(words) == 0
    assert " made by abc1234.\n" in page_file.read_text()
    record = json.dumps({"versions": {"commit": "def5678"}})
    (out / "calls" / filmed(out)[0].run.directory / "call.json").write_text(record)
    assert command.main(words) == 2
    assert f"error: --page {page_file}: made by several commits: " in capsys.readouterr().err


def test_the_oracle_is_computed_once_for_a_call_however_often_the_page_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pages: list[str] = []
    asked: list[str] = []

    class Counted(Oracle):
        def possible(self) -> Possible:
            asked.append("")
            return super().possible()

    def make_calls(plan: Plan, runs: list[Run], directory: Path, *_: object) -> None:
        pages.append("")
        for run in runs:
            finish(directory, run, measured())

    monkeypatch.setattr(oracle, "Oracle", Counted)
    monkeypatch.setattr(drawn_calls, "ROUND", 1)
    monkeypatch.setattr(runner, "make", make_calls)
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(contenders, "problem_with", lambda _: None)
    out = ["--out", str(tmp_path / "out"), "--quiet", "--column", "auto", "--column", "remb"]
    assert command.main([*out, "--calls", "3"]) == 0
    assert (len(pages), len(asked)) == (3, 3)
