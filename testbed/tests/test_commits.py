"""The commits of a page: one that the repository has makes a result, anything else does not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gcc_testbed.support import commits
from gcc_testbed.support.errors import TestbedError


def git(repository: Path, *words: str) -> str:
    name = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")
    done = subprocess.run(
        ["git", "-C", repository, *name, *words], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Of two commits, and a third one that is no part of the history any more."""
    folder = tmp_path / "repository"
    git(tmp_path, "init", "--quiet", str(folder))
    for number in range(3):
        git(folder, "commit", "--quiet", "--allow-empty", "--message", f"{number}")
    git(folder, "tag", "gone")
    git(folder, "reset", "--quiet", "--hard", "HEAD~1")
    return folder


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository that has abc1234 and def5678."""
    monkeypatch.setattr(commits, "is_known", {"abc1234": True, "def5678": True}.get)


def test_a_commit_of_the_history_is_known_and_one_that_was_dropped_is_not(repository: Path) -> None:
    for name, is_there in (("HEAD", True), ("HEAD~1", True), ("gone", False), ("1234abc", False)):
        commit = name if name == "1234abc" else git(repository, "rev-parse", "--short", name)
        assert commits.is_known(commit, repository) is is_there, name


def test_nothing_is_known_outside_of_git_and_in_a_shallow_clone(
    repository: Path, tmp_path: Path
) -> None:
    assert commits.is_known("HEAD", tmp_path) is None
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repository}", str(clone))
    assert commits.is_known("HEAD", clone) is None


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("made_by", "said"),
    [
        ([], "made by nothing."),
        (["abc1234"], "made by abc1234."),
        (["abc1234", "abc1234"], "made by abc1234."),
        (
            ["abc1234", "def5678"],
            "made by abc1234, def5678. **Made by several commits: not a result.**",
        ),
        (
            ["abc1234-dirty"],
            "made by abc1234-dirty. **Made with changes that no commit has: not a result.**",
        ),
        (
            [""],
            "made by earlier commits. **Made by a commit that was not recorded: not a result.**",
        ),
    ],
)
def test_a_page_says_which_commits_made_it_and_when_it_is_no_result(
    made_by: list[str], said: str
) -> None:
    assert commits.made_by(made_by) == said


def test_a_commit_that_the_repository_does_not_have_makes_no_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commits, "is_known", {"abc1234": False}.get)
    assert commits.problem(["abc1234"]) == "made by a commit that the repository does not have"
    # Of a commit of which nothing is known, nothing is said.
    assert commits.problem(["def5678"]) is None


@pytest.mark.usefixtures("known")
def test_a_page_below_docs_is_a_result_or_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "DOCS", tmp_path / "docs")
    page = tmp_path / "out/../docs/page.md"
    commits.check(page, ["abc1234"])
    with pytest.raises(TestbedError) as problem:
        commits.check(page, ["abc1234", "def5678"])
    assert str(problem.value).startswith(f"--page {page}: made by several commits: not a result; ")
    # For trials.
    commits.check(tmp_path / "out/page.md", ["abc1234", "def5678"])
