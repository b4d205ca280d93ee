"""A table of the generated pages."""

from __future__ import annotations

from collections.abc import Iterable


def table(titles: Iterable[str], rows: Iterable[Iterable[str]], pipe: str = "\\|") -> str:
    """In Markdown, each row a line; a vertical bar within a cell is written as `pipe`."""
    first = [*titles]
    cells = ((cell.replace("|", pipe) for cell in row) for row in (first, *rows))
    lines = [f"| {' | '.join(row)} |\n" for row in cells]
    return "".join([lines[0], "|---" * len(first) + "|\n", *lines[1:]])
