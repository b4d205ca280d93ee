"""docs/profiles.md is about the profiles that there are, and the default's page about its files."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_profile_has_its_section_and_its_column() -> None:
    tables = (path.read_text(encoding="utf-8") for path in (ROOT / "gst/gcc/profiles").rglob("*.c"))
    page = (ROOT / "docs/profiles.md").read_text(encoding="utf-8")
    names = [name for table in tables for name in re.findall(r'\.name = "([^"]+)"', table)]
    header = next(line for line in page.splitlines() if line.startswith("| | "))

    assert sorted(re.findall(r"^## ([a-z0-9-]+)$", page, re.MULTILINE)) == sorted(names)
    assert sorted(header.strip("| ").split(" | ")) == sorted(names)


def test_every_file_about_the_path_is_on_the_defaults_page() -> None:
    page = (ROOT / "docs/how-the-default-works.md").read_text(encoding="utf-8")
    files = sorted(path.stem for path in (ROOT / "gst/gcc/path").glob("*.c"))

    assert [file for file in files if f"`{file}`" not in page] == []


# 191 before equal quantities shared a number. The aim is 70.
MOST_OWN_NUMBERS = 126


def test_the_default_gets_no_more_numbers_of_its_own() -> None:
    table = (ROOT / "gst/gcc/profiles/gcc-profile-recommended.c").read_text(encoding="utf-8")
    own = re.findall(r"/\*[^*]*\bours\b", table)
    assert 50 < len(own) <= MOST_OWN_NUMBERS
