"""The pages of docs/ read easily: short lines and paragraphs, things as subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
# Written by programs, from the code or from calls.
GENERATED = {
    "compatibility.md",
    "conformance.md",
    "ordinary.md",
    "paths.md",
    "reference/elements.md",
    "reference/profile-numbers.md",
    "reliability.md",
    "scorecard.md",
    "stress.md",
}
PAGES = {
    name: file
    for file in sorted(DOCS.rglob("*.md"))
    if (name := file.relative_to(DOCS).as_posix()) not in GENERATED
    and not name.startswith("results/")
}
MOST_COLUMNS = 100
MOST_LINES = 6

_CODE = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
_PARAGRAPH = re.compile(r"(?:^(?!$| *\||#|>).+\n?)+", re.M)
_ITEM = re.compile(r"^\s*(?:[*-]|\d+\.) ", re.M)
_TABLE = re.compile(r"^ *\|(.+)\|$", re.M)
_BAR = re.compile(r"(?<!\\)\|")
_RIDDLE = re.compile(r"\b(?:is told|tells of|as it was)\b")
_NOBODY = re.compile(r"(?:^|[.!?:] )(?:Who|What) [^.?!]*[.!]")
# A cell is a sentence without its full stop.
_NOBODY_IN_CELL = re.compile(r"^[Ww]ho [^?]*$")


def paragraphs(text: str) -> Iterator[str]:
    """Without tables, code blocks and headings; an item of a list is one of its own."""
    for found in _PARAGRAPH.finditer(_CODE.sub("", text)):
        yield from filter(None, _ITEM.split(found[0]))


def cells(text: str) -> Iterator[str]:
    """Of the tables, those of headings, too."""
    for row in _TABLE.finditer(_CODE.sub("", text)):
        yield from (cell.strip() for cell in _BAR.split(row[1]))


def faults(text: str) -> Iterator[str]:
    for paragraph in paragraphs(text):
        lines = paragraph.strip().splitlines()
        for line in lines:
            if len(line) > MOST_COLUMNS and "](" not in line:
                yield f"{len(line)} columns: {line[:40]}"
        if len(lines) > MOST_LINES:
            yield f"{len(lines)} lines: {lines[0][:40]}"
        sentences = " ".join(lines)
        for rule in (_RIDDLE, _NOBODY):
            yield from (f"{found[0][:40]}" for found in rule.finditer(sentences))
    for cell in cells(text):
        for rule in (_RIDDLE, _NOBODY, _NOBODY_IN_CELL):
            yield from (f"in a table: {found[0][:40]}" for found in rule.finditer(cell))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_reads_easily(name: str) -> None:
    assert list(faults(PAGES[name].read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "a " * 60,
        "a line\n" * 7,
        "The rate is told.",
        "It stays as it was.",
        "A queue. What it loses is lost.",
        "* Who sends\n  is heard.",
        "| a | b |\n|---|---|\n| c | who receives tells of them |",
        "| a | b |\n|---|---|\n| c \\| d | It is lost. What it loses is lost. |",
    ],
)
def test_a_fault_is_found(text: str) -> None:
    assert list(faults(text)) != []


@pytest.mark.parametrize(
    "text",
    [
        "What loses packets? A queue.",
        "| " + "a " * 60 + "|",
        "| a | who is it? |",
        "```\n" + "a " * 60 + "\n```",
        "[a](" + "a" * 100 + ")",
        "* a\n  line\n" * 7,
        "## What they do",
    ],
)
def test_nothing_else_is_one(text: str) -> None:
    assert list(faults(text)) == []
