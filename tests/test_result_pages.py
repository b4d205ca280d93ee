"""A page of results is made by one commit of this repository, without changes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from gcc_testbed.support import commits

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

_HEAD = re.compile(r"^Written by `(?:gcc-testbed [a-z]+|testbed/tools/ablation\.py)` from .*", re.M)
_MADE_BY = re.compile(r"made by (.+?)\.(?: |$)")

PAGES = {
    file.relative_to(DOCS).as_posix(): found[0]
    for file in sorted(DOCS.rglob("*.md"))
    if (found := _HEAD.search(file.read_text(encoding="utf-8")))
}


def short(name: str) -> str:
    """A commit as pages have it."""
    words = ["git", "-C", str(ROOT), "rev-parse", "--short", name]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def problem(head: str) -> str | None:
    """Why a page with this head is no result."""
    found = _MADE_BY.search(head)
    return commits.problem(found[1].split(", ")) if found else "its head names no commit"


@pytest.fixture(autouse=True)
def _history() -> None:
    if commits.is_known("HEAD") is None:
        pytest.skip("no history: outside of git, or in a shallow clone")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_of_results_is_made_by_one_commit_that_is_here(name: str) -> None:
    assert problem(PAGES[name]) is None


def test_the_pages_are_found() -> None:
    assert "reliability.md" in PAGES
    # Written by a program, but not from calls of one commit.
    assert "results/README.md" not in PAGES


@pytest.mark.parametrize(
    ("made_by", "said"),
    [
        ("made by {head}.", None),
        ("made by {head}. Same source for all.", None),
        ("made by {head}, {before}.", "made by several commits"),
        ("made by {head}-dirty.", "made with changes that no commit has"),
        ("made by 0000000.", "made by a commit that the repository does not have"),
        ("made by earlier commits.", "made by a commit that the repository does not have"),
        ("that {head} made.", "its head names no commit"),
    ],
)
def test_what_is_wrong_with_a_page_is_said(made_by: str, said: str | None) -> None:
    head, before = (short(name) for name in ("HEAD", "HEAD~1"))
    assert problem(f"Written from 3 calls, {made_by.format(head=head, before=before)}") == said
