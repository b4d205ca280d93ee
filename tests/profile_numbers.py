"""Writes docs/reference/profile-numbers.md: the default's own numbers.

build/venv/bin/python tests/profile_numbers.py                     # the page
build/venv/bin/python tests/profile_numbers.py FILE [BUILD_DIR]    # all numbers of each profile
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any, cast

import own_numbers
from markdown_table import table
from params import PROFILE, Field, Headers, profiles

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "profile-numbers.md"
HEADERS = Headers(ROOT / "gst" / "gcc")
ABSENT = "–"
NEVER = -(2**63)
# GccTime counts microseconds.
TIMES = ((1_000_000, "s"), (1_000, "ms"), (1, "µs"))

PAGE_HEADER = """# Numbers of our own

Written by `tests/profile_numbers.py` from the comments of the default's tables; do not edit. [The
tables](../../gst/gcc/profiles) have the source of each number.
"""
ALL_HEADER = """# Numbers of the profiles

Written by `tests/profile_numbers.py` from the tables of the library and the comments of its
headers. Times and rates have their unit beside them; the unit of another number is in its meaning.
– is a stage that the profile does not have.
"""


@dataclass(frozen=True)
class Stage:
    """A struct at one place of all profiles; the table is None where the stage is off."""

    path: str
    about: str
    type: str
    tables: Mapping[str, ctypes.Structure | None]

    def fields(self) -> list[Field]:
        return HEADERS.structs[self.type]

    def users(self) -> list[str]:
        return [name for name, table in self.tables.items() if table is not None]

    def children(self) -> Iterator[Stage]:
        for field in self.fields():
            if field.type in HEADERS.structs:
                tables = {name: part(table, field) for name, table in self.tables.items()}
                path = f"{self.path}.{field.name}".lstrip(".")
                yield Stage(path, field.about, field.type, tables)

    def choices(self) -> list[Field]:
        return [each for each in self.fields() if is_choice(each)]

    def numbers(self) -> list[Field]:
        kinds = {"gchar", *HEADERS.structs}
        return [each for each in self.fields() if each.type not in kinds and not is_choice(each)]

    def cells(self, field: Field, users: Iterable[str]) -> list[str]:
        tables = (self.tables[name] for name in users)
        return [ABSENT if table is None else value(table, field) for table in tables]


def is_choice(field: Field) -> bool:
    return field.type == "gboolean" or field.type in HEADERS.enums


def part(table: ctypes.Structure | None, field: Field) -> ctypes.Structure | None:
    """The struct in a member; None where nothing is set in it."""
    if table is None:
        return None
    member: Any = getattr(table, field.name)
    if field.is_pointer:
        return cast(ctypes.Structure, member.contents) if member else None
    # The first value of an enumeration is one, too.
    is_set = any(bytes(member)) or any(
        each.type in HEADERS.enums for each in HEADERS.structs[field.type]
    )
    return cast(ctypes.Structure, member) if is_set else None


def time(number: int) -> str:
    if number == NEVER:
        return "none"
    size, unit = next((each for each in TIMES if number % each[0] == 0), TIMES[-1])
    return f"{number // size} {unit}" if number else "0"


def value(table: ctypes.Structure, field: Field) -> str:
    member: Any = getattr(table, field.name)
    if field.count is not None:
        return ", ".join(f"{each:.6g}" for each in member)
    if field.type == "gboolean":
        return "yes" if member else "no"
    if field.type in HEADERS.enums:
        return str(HEADERS.enums[field.type][member])
    if field.type == "GccTime":
        return time(member)
    return f"{member} bit/s" if field.type == "GccRate" else f"{member:.10g}"


def stages(build: Path) -> Iterator[Stage]:
    """Those that a profile has, each before the ones inside it."""
    tables = {profile.name.decode(): profile for profile in profiles(build, HEADERS)}
    waiting = list(Stage("", "", PROFILE, tables).children())
    while waiting:
        stage = waiting.pop(0)
        if stage.users():
            waiting[:0] = stage.children()
            yield stage


def stage_row(stage: Stage) -> Iterator[str]:
    name = f"`{stage.path}`"
    yield f"[{name}](#{stage.path.replace('.', '')})" if stage.numbers() else name
    yield from ("" if each is None else "x" for each in stage.tables.values())
    yield stage.about


def choice_rows(stage: Stage) -> Iterator[list[str]]:
    for field in stage.choices():
        name = f"`{stage.path}.{field.name}`"
        yield [name, *stage.cells(field, stage.tables), field.about]


def number_section(stage: Stage) -> str:
    users = stage.users()
    rows = (
        [f"`{field.name}`", *stage.cells(field, users), field.about] for field in stage.numbers()
    )
    file = HEADERS.files[stage.type].relative_to(ROOT)
    numbers = table(("number", *users, "meaning"), rows)
    return f"\n### {stage.path}\n\n{file}\n\n{numbers}"


def own_row(number: own_numbers.OwnNumber) -> list[str]:
    return [f"`{number.name}`", number.value, number.why]


def own_page() -> str:
    """The default's own numbers, each once."""
    numbers = own_numbers.read(own_numbers.TABLE.read_text(encoding="utf-8"))
    guesses = sum("a guess" in number.why for number in numbers)
    about = (
        f"The default has {len(numbers)} numbers that no paper, draft or other implementation has."
        f" {guesses} of them are guesses: nobody has tried others, or nothing told them apart."
        " [The decisions](../decisions/README.md) have the trials."
    )
    titles = ("number", "value", "chosen by")
    return f"{PAGE_HEADER}\n{fill(about, 100)}\n\n{table(titles, map(own_row, numbers))}"


def all_numbers(found: list[Stage]) -> str:
    names = list(found[0].tables)
    choices = (row for stage in found for row in choice_rows(stage))
    return "".join(
        [
            ALL_HEADER,
            "\n## Stages\n\n",
            table(("stage", *names, "meaning"), map(stage_row, found)),
            "\n## Choices\n\n",
            table(("choice", *names, "meaning"), choices),
            "\n## Numbers\n",
            *(number_section(stage) for stage in found if stage.numbers()),
        ]
    )


def main(words: list[str]) -> int:
    if len(words) > 2:
        sys.stderr.write(__doc__ or "")
        return 2
    if not words:
        PAGE.write_text(own_page(), encoding="utf-8")
        return 0
    file, *build = map(Path, words)
    found = list(stages((build or [Path("build")])[0].resolve()))
    file.write_text(all_numbers(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
