"""docs/security.md names the tests that try the opposite of each of its claims: they are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "security.md"
# Of several programs: what every element has to pass.
SHARED = ROOT / "tests" / "element" / "both-elements.c"


def claims() -> list[tuple[str, list[str]]]:
    """The claims of the page's tables, and the tests that it names."""
    section = PAGE.read_text(encoding="utf-8").split("## Claim by claim")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+) \| (.+) \|$(?!\n\|---)", section, re.MULTILINE)
    return [(claim, re.findall(r"`([^`]+)`", tests)) for claim, tests in rows]


def exists(test: str) -> bool:
    """Whether there is a fuzz target of this name, or a test in a program of C."""
    program, _, name = test.partition("/")
    if not name:
        return (ROOT / "tests" / "fuzz" / f"{program}.c").is_file()
    found = re.compile(rf"^test_{re.escape(name)} \(", re.MULTILINE)
    files = (ROOT / "tests").glob(f"*/**/test-{program}.c")
    return any(found.search(file.read_text()) for file in (*files, SHARED) if file.is_file())


def test_the_table_is_read() -> None:
    assert len(claims()) > 30


@pytest.mark.parametrize(("claim", "tests"), claims(), ids=[claim for claim, _ in claims()])
def test_what_tries_the_opposite_is_there(claim: str, tests: list[str]) -> None:
    assert tests, claim
    assert [test for test in tests if not exists(test)] == []
