"""Writes the table of the encoders in docs/encoder.md: what is set, and how each was tried.

build/venv/bin/python tests/encoder_table.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_table import table

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "encoder.md"
TYPES = ROOT / "plugin" / "stream" / "gstgccencodertypes.c"
ITSELF = ROOT / "tests" / "element" / "test-known-encoders.c"
STUBS = ROOT / "tests" / "element" / "stub-encoders.c"
TITLES = ("encoders", "property", "unit", "a change costs")
# How a name is written that was tried so.
MARKS = {"itself": "**", "a stub": "*", "documentation only": ""}
BEGIN = "<!-- written by tests/encoder_table.py -->\n"
END = "<!-- end -->\n"

UNITS = {"1": "bit/s", "BITS": "bit/s", "1000": "kbit/s", "KILOBITS": "kbit/s"}
COSTS = {"KEEPS_ON": "nothing", "STARTS_OVER": "a key frame"}

# The rows of the plugin's table: what comes before the factory, and the macro that it may be.
ROW = re.compile(r'^  (?:\{|(\w+) \() ?"(\w+)"(.*)', re.MULTILINE)


def rows() -> Iterator[tuple[str, ...]]:
    """Each encoder of the plugin's table: its factory, and what is to be said of it."""
    for macro, factory, rest in ROW.findall(TYPES.read_text(encoding="utf-8")):
        if macro == "V4L2":
            name, unit, cost = "bitrate, video_bitrate of extra-controls", "BITS", "KEEPS_ON"
        elif macro:
            name, cost = re.findall(r"[\w-]+", rest)
            unit = macro
        else:
            name, _, unit, cost = re.findall(r"[\w-]+", rest)[:4]
        yield factory, name, UNITS[unit], COSTS[cost], tried(factory)


def tried(factory: str) -> str:
    """How the tests of the elements do it."""
    if f'"{factory}"' in ITSELF.read_text(encoding="utf-8"):
        return "itself"
    is_stub = f'"{factory}"' in STUBS.read_text(encoding="utf-8")
    return "a stub" if is_stub else "documentation only"


def text() -> str:
    """One line for the encoders of which the same is said."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for factory, *said, way in rows():
        alike.setdefault(tuple(said), []).append(f"{MARKS[way]}{factory}{MARKS[way]}")
    return table(TITLES, ((", ".join(names), *said) for said, names in alike.items()))


def page(before: str) -> str:
    """The page with the table as it is now."""
    head, rest = before.split(BEGIN)
    return f"{head}{BEGIN}{text()}{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
