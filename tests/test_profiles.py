"""docs/profiles.md is about the profiles that there are."""

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
