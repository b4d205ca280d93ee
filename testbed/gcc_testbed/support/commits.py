"""The commits that made the calls of a page: one that everybody has, or the page is no result."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import PROJECT

# Pages below it are results.
DOCS = PROJECT / "docs"
# The end that `git describe` has for a checkout with changes.
CHANGED = "-dirty"


def made_by(commits: Iterable[str]) -> str:
    """The end of the sentence at the head of a page; a page that is no result says so."""
    names = list(dict.fromkeys(commits))
    said = ", ".join(name or "earlier commits" for name in names) or "nothing"
    why = problem(names)
    return f"made by {said}." + (f" **{why.capitalize()}: not a result.**" if why else "")


def check(page: Path, commits: Iterable[str]) -> None:
    """Refuses a page below docs/ that is no result."""
    why = problem(commits)
    if why is not None and page.resolve().is_relative_to(DOCS.resolve()):
        raise TestbedError(
            f"--page {page}: {why}: not a result; make all calls with one commit, into a new "
            "directory, or name a page outside of docs"
        )


def problem(commits: Iterable[str]) -> str | None:
    """Why calls that these commits made are no result."""
    names = set(commits)
    if len(names) > 1:
        return "made by several commits"
    for name in names:
        if name.endswith(CHANGED):
            return "made with changes that no commit has"
        if not name:
            return "made by a commit that was not recorded"
        if is_known(name) is False:
            return "made by a commit that the repository does not have"
    return None


def is_known(commit: str, repository: Path = PROJECT) -> bool | None:
    """Whether the history has a commit; None outside of git, and where the history is cut off."""
    shallow = _git(repository, "rev-parse", "--is-shallow-repository")
    if shallow is None or shallow.stdout.strip() != "false":
        return None
    known = _git(repository, "merge-base", "--is-ancestor", commit, "HEAD")
    return known is not None and known.returncode == 0


def _git(repository: Path, *words: str) -> subprocess.CompletedProcess[str] | None:
    try:
        return subprocess.run(
            ["git", "-C", repository, *words], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
