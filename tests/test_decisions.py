"""docs/decisions has a list of its pages; tests named there and in divergences.md exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "decisions"
PAGES = sorted(FOLDER.glob("[0-9]*.md"))
PARTS = ["Context", "Options", "Decision", "Evidence"]


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.fixture(name="tests", scope="module")
def tests_of_c() -> set[str]:
    """Named as on the pages: program/test."""
    return {
        f"{file.stem.removeprefix('test-')}/{test}"
        for folder in ("element", "unit")
        for file in (ROOT / "tests" / folder).rglob("test-*.c")
        for test in re.findall(r"^test_(\w+) \(", text(file), re.MULTILINE)
    }


def missing(page: str, tests: set[str]) -> list[str]:
    named = re.findall(r"`([a-z0-9-]+/[a-z0-9_]+)`", page)
    return [test for test in named if test not in tests]


def test_the_list_has_every_page_under_its_title() -> None:
    listed = re.findall(r"^\* \[\d+\]\((.+)\): (.+)$", text(FOLDER / "README.md"), re.MULTILINE)
    titles = [text(page).splitlines()[0].partition(". ")[2] for page in PAGES]

    assert listed == list(zip((page.name for page in PAGES), titles, strict=True))


def test_pages_are_numbered_one_after_the_other() -> None:
    for number, page in enumerate(PAGES, start=1):
        assert page.name.startswith(f"{number:04}-")
        assert text(page).startswith(f"# {number}. ")


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_has_its_parts_and_names_tests_that_are_there(page: Path, tests: set[str]) -> None:
    assert re.findall(r"^## (.+)$", text(page), re.MULTILINE) == PARTS
    assert missing(text(page).partition("## Evidence")[2], tests) == []


def test_divergences_are_numbered_and_name_tests_that_are_there(tests: set[str]) -> None:
    page = text(ROOT / "docs" / "divergences.md")
    numbers = [int(number) for number in re.findall(r"^\| D(\d+) \|", page, re.MULTILINE)]

    assert numbers == list(range(1, len(numbers) + 1))
    assert missing(page, tests) == []
