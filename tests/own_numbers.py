"""The default's own numbers, and what each was chosen by: from the comments of its table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "gst/gcc/profiles/gcc-profile-recommended.c"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
OURS = re.compile(r"/\* (?:(?P<unit>[^*]*), )?ours(?:: (?P<why>.*?))? \*/", re.DOTALL)
# The first line of a part of the table: of a struct, of its member, or of a macro.
OPENS = re.compile(
    r"^(?:static )?const \w+ (?P<struct>\w+) = \{|^\s*(?:\.(?P<member>\w+) = )?(?:\\ )?\{"
    r"|^#define (?P<macro>\w+)(?: ?\([^)]*\))? ?\\$"
)
CLOSES = re.compile(r"^\s*\}")
NUMBER = re.compile(
    r"^#define (?P<name>\w+) (?P<value>[^/\\]+)|^\s*\.(?P<member>\w+) = (?P<is>[^/]+)"
)
CALL = re.compile(r"^\s*(?P<name>\w+) \((?P<before>[^/]*)/\*")
# Of the names of structs; that of the profile itself says nothing.
PREFIX = re.compile(r"^gcc_(?:recommended_|profile_recommended$)")
UNITS = {"GCC_SECOND": "s", "GCC_MSECOND": "ms"}


@dataclass(frozen=True)
class OwnNumber:
    """A number, where it stands, and what it was chosen by."""

    name: str
    value: str
    why: str


def read(text: str) -> list[OwnNumber]:
    """The numbers of a table, in its order."""
    return list(_numbers(text))


def _numbers(text: str) -> Iterator[OwnNumber]:
    for path, line in _lines(text):
        found = OURS.search(line)
        if found is not None:
            name, number = _named(line)
            unit = f" {found['unit']}" if found["unit"] else ""
            why = " ".join((found["why"] or "").split())
            yield OwnNumber(".".join([*path, name]), f"{_readable(number)}{unit}", why)


def _lines(text: str) -> Iterator[tuple[list[str], str]]:
    """Each line with the names of the parts that it is in; a comment is on one line, and so is
    the first argument of a macro with the macro's name."""
    path: list[str] = []
    in_macro = False
    for line in re.sub(r" \(\n\s+", " (", COMMENT.sub(_on_one_line, text)).splitlines():
        code = COMMENT.sub("", line).rstrip()
        opens = OPENS.match(code)
        if opens:
            name = opens["struct"] or opens["member"] or opens["macro"] or ""
            path.append(PREFIX.sub("", name))
            in_macro = in_macro or opens["macro"] is not None
        elif CLOSES.match(code) and path:
            path.pop()
        else:
            yield list(filter(None, path)), line
        if in_macro and not code.endswith("\\"):
            path, in_macro = [], False


def _on_one_line(comment: re.Match[str]) -> str:
    return " ".join(re.sub(r"\n\s*\*(?!/)", "\n", comment[0]).split())


def _named(line: str) -> tuple[str, str]:
    """The name of a number, and its text."""
    call, number = CALL.match(line), NUMBER.match(line)
    if number:
        value = number["value"] or number["is"].rsplit("(", 1)[-1]
        return number["name"] or number["member"], value.strip(" ,\\")
    if call:
        return call["name"], call["before"].rsplit(",", 1)[-1].strip()
    return line.split("(")[0].strip(" ,\\"), ""


def _readable(text: str) -> str:
    bare = text.strip().removeprefix("(").removesuffix(")")
    for constant, unit in UNITS.items():
        bare = bare.replace(f" * {constant}", f" {unit}")
    return re.sub(r"\.$", "", bare)
