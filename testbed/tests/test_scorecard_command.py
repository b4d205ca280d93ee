"""`gcc-testbed scorecard`: its options, what it leaves out and does not make again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_card import finish, flow, scorecard

from gcc_testbed.commands import contenders
from gcc_testbed.commands import scorecard as command
from gcc_testbed.run import peer
from gcc_testbed.scenario.run_files import METRICS
from gcc_testbed.scenario.sequence import stand_in
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.scorecard.card import Card
from gcc_testbed.studies.sweeps import runner, sweep_file
from gcc_testbed.support import commits
from gcc_testbed.support.errors import TestbedError


def test_a_dry_run_lists_the_calls(small: Card, tmp_path: Path) -> None:
    done = scorecard("--card", str(tmp_path / "card.toml"), "--dry-run", "--seeds", "3", "cubic")
    assert done.stdout.splitlines() == ["cubic.ours", "cubic.theirs", "6 calls (0.1 call-hours)"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nobody",), "error: nobody: expected one of design, rfc8867, "),
        (("--seeds", "0"), "error: --seeds 0: expected a whole number, from 1 to 20"),
        (("--cores", "x"), "error: --cores x: expected a whole number"),
        (("--column", "x"), "error: --column x: expected one of remb, auto, "),
        (("--page", "x.html"), "error: --page x.html: expected a file that ends in .md"),
    ],
)
def test_a_wrong_option_is_told_in_a_line(words: tuple[str, ...], said: str) -> None:
    done = scorecard("--dry-run", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1


def test_a_contender_that_is_not_here_is_left_out(
    small: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent() -> None:
        raise TestbedError("no rtpgccbwe: cargo is not here")

    monkeypatch.setattr(peer, "check", absent)
    monkeypatch.setattr(contenders, "profiles", lambda: "(0): recommended - The default\n")
    assert command._missing(small.rows, small.columns) == {
        "Theirs": "no rtpgccbwe: cargo is not here"
    }


def test_a_profile_that_the_plugin_lacks_is_left_out(
    small: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer, "check", lambda: None)
    monkeypatch.setattr(contenders, "profiles", lambda: "(0): goog-2020 - libwebrtc's\n")
    assert command._missing(small.rows, small.columns) == {
        "Ours": "the plugin has no profile recommended"
    }


def test_a_call_that_this_testbed_cannot_make_is_left_out(
    small: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer, "check", lambda: None)
    monkeypatch.setattr(contenders, "profiles", lambda: "(0): recommended - The default\n")
    monkeypatch.setitem(small.rows[1].settings, "link.colour", "blue")
    missing = command._missing(small.rows, small.columns)
    assert list(missing) == ["CUBIC"]
    assert missing["CUBIC"] == "the testbed has no link.colour"


def test_what_has_been_made_is_not_made_again(
    small: Card, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[str]] = []

    def make(_: object, runs: list[sweep_file.Run], directory: Path, *__: object) -> None:
        asked.append([run.point for run in runs])
        for run in runs:
            made = directory / run.directory
            if not made.exists():
                finish(directory, run, flow("m", "gcc"), flow("tcp", "tcp"))
                (made / "a.pcap").write_text("packets")

    monkeypatch.setattr(runner, "make", make)
    # it is not needed for what it does not make
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(command, "_missing", lambda *_: {})
    again = ["--card", str(tmp_path / "card.toml"), "--out", str(tmp_path / "out"), "--quiet"]
    assert command.main([*again, "--seeds", "2"]) == 0
    assert len(asked) == 2
    assert not list((tmp_path / "out").rglob("*.pcap"))
    assert command.main([*again, "--seeds", "2"]) == 0
    assert len(asked) == 2
    assert command.main([*again, "--seeds", "3"]) == 0
    assert len(asked) == 3
    assert (tmp_path / "out" / "scorecard.md").is_file()


def test_a_page_below_docs_is_of_one_commit_or_is_not_written(
    small: Card, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(commits, "DOCS", tmp_path / "docs")
    calls, row, column = tmp_path / "calls", small.rows[0], small.columns[0]
    first = finish(calls, card.run_of(row, column, 1), flow("m", "gcc"))
    record = (first / "call.json").read_text()
    (first / "call.json").write_text(record.replace("abc1234", "def5678"))
    finish(calls, card.run_of(row, column, 2), flow("m", "gcc"))
    with pytest.raises(TestbedError, match="made by several commits: not a result"):
        command._write(small, tmp_path, tmp_path / "docs" / "card.md", {}, {})
    assert not (tmp_path / "docs").exists()
    command._write(small, tmp_path, tmp_path / "card.md", {}, {})
    assert "**Made by several commits: not a result.**" in (tmp_path / "card.md").read_text()


# Guards: two sessions took falls of a third for falls, under --quiet: the sequences were
# not beside that tree.
def test_a_generated_video_is_told_though_quiet(
    small: Card,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def make(_: object, runs: list[sweep_file.Run], directory: Path, *__: object) -> None:
        for run in runs:
            finish(directory, run, flow("m", "gcc"), flow("tcp", "tcp"))
        file = directory / runs[0].directory / METRICS
        metrics = json.loads(file.read_text())
        file.write_text(json.dumps(metrics | {"sequence": {"name": stand_in("foreman")}}))

    monkeypatch.setattr(runner, "make", make)
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(command, "_missing", lambda *_: {})
    words = ["--card", str(tmp_path / "card.toml"), "--out", str(tmp_path / "out")]
    assert command.main([*words, "--seeds", "1", "--quiet"]) == 0
    assert "note: 1 of " in capsys.readouterr().out
