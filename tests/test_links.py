"""Every link of the documentation leads to a file that is there, and to a heading that it has."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCED = re.compile(r"^ *(?:> ?)?```.*?^ *(?:> ?)?```", re.M | re.S)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.M)


def anchor(heading: str) -> str:
    """What GitHub makes of a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@cache
def anchors(page: Path) -> set[str]:
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    names = [anchor(heading) for heading in _HEADING.findall(text)]
    # The second of a name, and so on.
    return {
        f"{name}-{names[:at].count(name)}" if name in names[:at] else name
        for at, name in enumerate(names)
    }


def problem(page: Path, link: str) -> str | None:
    """What is wrong with a link of a page."""
    if re.match(r"https?:|mailto:", link):
        return None
    file, _, name = link.partition("#")
    target = (page.parent / file).resolve() if file else page
    if not target.exists():
        return f"{link}: no such file"
    if name and name not in anchors(target):
        return f"{link}: no such heading"
    return None


def problems(page: Path) -> list[str]:
    links = _LINK.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))
    return [found for link in links if (found := problem(page, link)) is not None]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert problems(page) == []


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    links = _LINK.findall(index.read_text(encoding="utf-8"))
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in links}
    folders = ("docs", "docs/tutorial", "docs/how-to", "docs/reference")
    pages = {page for folder in folders for page in (ROOT / folder).glob("*.md")}
    assert sorted(str(page.relative_to(ROOT)) for page in pages - linked - {index}) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One A_s: `3`\n## Same\n## Same\n[a](#one-a_s-3) [b](#same-1) [c](#four)\n")
    assert problems(page) == ["#four: no such heading"]
    page.write_text("[a](page.md) [b](other.md) [c](https://example.org)\n```\n[d](none)\n```\n")
    assert problems(page) == ["other.md: no such file"]
