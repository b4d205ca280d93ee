"""The commands that draw calls by name: what all of them do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from small_card import TESTBED, finish, flow

from gcc_testbed.commands import contenders, ordinary, paths, stress
from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.ordinary.series import SERIES as ORDINARY
from gcc_testbed.studies.paths import calls as path_calls
from gcc_testbed.studies.stress.series import SERIES as STRESS
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run
from gcc_testbed.support import commits


@dataclass(frozen=True)
class Command:
    """One of them, and what it draws."""

    name: str
    letter: str
    main: Callable[[Sequence[str]], int]
    drawn: Callable[[str], Drawn]


COMMANDS = (
    Command("stress", "s", stress.main, lambda name: STRESS.drawn([name])[0]),
    Command("ordinary", "o", ordinary.main, lambda name: ORDINARY.drawn([name])[0]),
    Command("paths", "p", paths.main, lambda name: path_calls.drawn(name, path_calls.load())),
)


@pytest.fixture(params=COMMANDS, ids=lambda command: command.name)
def command(request: pytest.FixtureRequest) -> Command:
    found: Command = request.param
    return found


def media() -> dict[str, Any]:
    """The metrics of a call's first flow, which may be on a recording."""
    path = {
        "use": 0.9,
        "false_back_off_ratio": 0.1,
        "frame_delay_p99_ms": 150.0,
        "start_s": None,
        "holes": {"count": 0, "s": 0.0, "back_mean_s": None, "frame_delay_after_p95_ms": None},
    }
    return {**flow("media", "gcc"), "frames_frozen_ratio": 0.0, "recorded_path": path}


def made(directory: Path, runs: list[Run]) -> None:
    for run in runs:
        finish(directory, run, media())


def test_a_dry_run_lists_the_calls_with_their_keys(command: Command) -> None:
    names = [f"{command.letter}3-017", f"{command.letter}3-002"]
    done = subprocess.run(
        [sys.executable, "-m", "gcc_testbed", command.name, "--dry-run", *names],
        cwd=TESTBED,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == f"{names[0]}  {command.drawn(names[0]).title}"
    assert [line.split()[0] for line in lines] == [*names, "2"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("x3-017",), "error: x3-017: expected the name of a call, like {letter}3-017"),
        (("--calls", "0"), "error: --calls 0: expected a whole number, from 1 to 9999"),
        (("--column", "x"), "error: --column x: expected one of remb, auto, "),
        (("--page", "x.html"), "error: --page x.html: expected a file that ends in .md"),
    ],
)
def test_a_wrong_option_is_told_in_a_line(
    command: Command, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--dry-run", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(said.format(letter=command.letter))


def test_calls_of_an_earlier_command_stay_and_are_not_made_again(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[str]] = []
    plans: list[set[str]] = []

    def make_calls(plan: Plan, runs: list[Run], directory: Path, *_: object) -> None:
        asked.append([run.point for run in runs])
        plans.append({run.point for run in plan.runs})
        assert not plan.plots
        made(directory, runs)

    monkeypatch.setattr(runner, "make", make_calls)
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(contenders, "problem_with", lambda _: None)
    out = ["--out", str(tmp_path / "out"), "--quiet"]
    first, second, third, other = names = [
        f"{command.letter}{rest}" for rest in ("1-001", "1-002", "1-003", "7-009")
    ]
    assert command.main([*out, "--calls", "3", "--column", "auto"]) == 0
    assert command.main([*out, "--calls", "2", "--column", "auto"]) == 0
    assert command.main([*out, other, "--column", "remb"]) == 0
    assert asked == [[f"{name}.auto" for name in (first, second, third)], [f"{other}.remb"]]
    assert {f"{third}.auto", f"{third}.remb", f"{other}.remb"} <= plans[-1]
    known = json.loads((tmp_path / f"out/{command.name}.json").read_text())["calls"]
    assert known == names
    page = (tmp_path / f"out/{command.name}.md").read_text()
    assert f"Written by `gcc-testbed {command.name}` from 4 drawn calls, {first} to {other}" in page


def test_a_page_below_docs_is_of_one_commit_or_is_not_written(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = f"{command.letter}1-001"
    out, page = tmp_path / "out", tmp_path / "docs" / "page.md"
    monkeypatch.setattr(runner, "make", lambda _, runs, where, *__: made(where, runs))
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(contenders, "problem_with", lambda _: None)
    monkeypatch.setattr(commits, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(commits, "is_known", lambda _: False)
    words = ["--out", str(out), "--quiet", name, "--column", "auto"]
    assert command.main([*words, "--page", str(page)]) == 2
    said = "made by a commit that the repository does not have: not a result"
    assert f"error: --page {page}: {said}; " in capsys.readouterr().err
    assert not page.parent.exists()
    # They are there, and a page for a trial says what it is.
    assert command.main([*words, "--draw"]) == 0
    assert f"made by abc1234. **{said.capitalize()}.**" in (out / f"{command.name}.md").read_text()


def test_another_directory_is_never_written_to(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine")
    assert command.main(["--out", str(tmp_path / "mine"), "--draw"]) == 2
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["file"]


def test_the_former_name_of_the_stress_test_is_told_the_present_ones() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gcc_testbed", "population", "--calls", "2"],
        cwd=TESTBED,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "invalid choice: 'population'" in line
    # with quotes before Python 3.12
    assert "stress, ordinary, paths" in line.replace("'", "")
