"""The tables of a page whose text is written by hand, and whose rows come from runs."""

from __future__ import annotations


def rows(page: str, header: str) -> list[str]:
    """Those below the table header that begins so, and its rule."""
    return page[_place(page, header)].splitlines()


def replace_rows(page: str, header: str, rows: list[str]) -> str:
    """The page with other rows there."""
    place = _place(page, header)
    return page[: place.start] + "\n".join(rows) + page[place.stop :]


def _place(page: str, header: str) -> slice:
    begin = page.index("\n", page.index("\n", page.index(header)) + 1) + 1
    return slice(begin, page.index("\n\n", begin))
