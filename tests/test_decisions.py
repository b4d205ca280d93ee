"""docs/decisions has a list of its decisions; tests named there and in divergences.md exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "decisions"
INDEX = FOLDER / "README.md"
PAGES = sorted(set(FOLDER.glob("*.md")) - {INDEX})
PARTS = ["Context", "Options", "Decision", "Evidence"]


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


@pytest.fixture(name="tests", scope="module")
def tests_of_c() -> set[str]:
    """Named as on the pages: program/test."""
    table = ROOT / "tests" / "unit" / "compose" / "whole-calls.c"
    rows = re.findall(r'^  \{ "(.+?)"', text(table), re.MULTILINE)
    assert rows
    return {f"whole-calls/{row}" for row in rows} | {
        f"{file.stem.removeprefix('test-')}/{test}"
        for folder in ("element", "unit")
        for file in (ROOT / "tests" / folder).rglob("test-*.c")
        for test in re.findall(r"^test_(\w+) \(", text(file), re.MULTILINE)
    }


def missing(page: str, tests: set[str]) -> list[str]:
    named = re.findall(r"`([a-z0-9-]+/[a-z0-9_]+|whole-calls/[^`]+)`", page)
    return [test for test in named if test not in tests]


def decisions(page: Path) -> dict[int, tuple[str, str]]:
    """The title and the text of each decision of a page, by its number."""
    found = re.split(r"^## (\d+)\. (.+)\n", text(page), flags=re.MULTILINE)[1:]
    return {int(found[at]): (found[at + 1], found[at + 2]) for at in range(0, len(found), 3)}


DECISIONS = {number: each for page in PAGES for number, each in decisions(page).items()}


def test_the_list_has_every_page_under_its_title_with_its_decisions() -> None:
    rows = re.findall(r"^\| \[(.+)\]\((.+\.md)\) \| ([\d, ]+) \|$", text(INDEX), re.MULTILINE)
    listed = [(page, title, [int(each) for each in of.split(", ")]) for title, page, of in rows]
    there = [
        (page.name, text(page).partition("\n")[0].removeprefix("# "), [*decisions(page)])
        for page in PAGES
    ]

    assert sorted(listed) == sorted(there)


def test_a_number_that_is_missing_is_named_in_the_list() -> None:
    missing_numbers = set(range(1, max(DECISIONS) + 1)) - set(DECISIONS)

    assert [number for number in missing_numbers if f"{number:04}" not in text(INDEX)] == []


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_has_its_decisions_in_order_and_each_once(page: Path) -> None:
    numbers = [int(each) for each in re.findall(r"^## (\d+)\. ", text(page), re.MULTILINE)]

    assert numbers == sorted(set(numbers)) != []
    assert sum(number in decisions(each) for number in numbers for each in PAGES) == len(numbers)
    # nothing stands outside of a decision
    assert text(page).partition("## ")[0].count("\n") == 2


@pytest.mark.parametrize("number", sorted(DECISIONS))
def test_a_decision_has_its_parts_and_names_tests_that_are_there(
    number: int, tests: set[str]
) -> None:
    _, about = DECISIONS[number]

    assert re.findall(r"^### (.+)$", about, re.MULTILINE) == PARTS
    assert missing(about.partition("### Evidence")[2], tests) == []


def test_divergences_are_numbered_and_name_tests_that_are_there(tests: set[str]) -> None:
    page = text(ROOT / "docs" / "divergences.md")
    numbers = [int(number) for number in re.findall(r"^\| D(\d+) \|", page, re.MULTILINE)]

    assert numbers == list(range(1, len(numbers) + 1))
    assert missing(page, tests) == []
