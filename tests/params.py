"""The tables of the profiles, read: layouts from the headers, numbers from the library."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_STRUCT = re.compile(r"(?:typedef struct|struct _GccProfile) \{\n(.*?)\n\}(?: (\w+))?;", re.S)
_ENUM = re.compile(r"typedef enum \{\n(.*?)\n\} (\w+);", re.S)
_DEFINE = re.compile(r"^#define (\w+) (\d+)$", re.M)
_MEMBER = re.compile(r"  (const )?(\w+) (\*?)(\w+)(?:\[(\w+)\])?;")
_TEXT = re.compile(r"/\*\*?\n \* (\w+):\n(.*?)\*/", re.S)
_ABOUT = re.compile(r"^ \* @(\w+):(.*?)(?=^ \* @|^ \*$|\Z)", re.M | re.S)

PLAIN: dict[str, Any] = {
    "gboolean": ctypes.c_int,
    "gdouble": ctypes.c_double,
    "gint64": ctypes.c_int64,
    "gsize": ctypes.c_size_t,
    "guint": ctypes.c_uint,
    "GccRate": ctypes.c_int64,
    "GccTime": ctypes.c_int64,
}
PROFILE = "GccProfile"


class UnreadableError(ValueError):
    """A header has something that is unknown here."""


@dataclass(frozen=True)
class Field:
    """A member of a struct; about is its line in the comment above the struct."""

    name: str
    type: str
    is_pointer: bool
    count: int | None
    about: str


@dataclass(frozen=True)
class Headers:
    """All of gst/gcc: structs and enumerations, by name."""

    folder: Path

    @cached_property
    def texts(self) -> dict[Path, str]:
        return {file: file.read_text(encoding="utf-8") for file in sorted(self.folder.rglob("*.h"))}

    @cached_property
    def numbers(self) -> dict[str, int]:
        found = (each for text in self.texts.values() for each in _DEFINE.findall(text))
        return {name: int(number) for name, number in found}

    @cached_property
    def enums(self) -> dict[str, list[str]]:
        """The values, without the beginning that they share."""
        return {
            name: _shortened(re.findall(r"^  (\w+)", _COMMENT.sub("", body), re.M))
            for text in self.texts.values()
            for body, name in _ENUM.findall(text)
        }

    @cached_property
    def structs(self) -> dict[str, list[Field]]:
        return {
            name or PROFILE: list(self._fields(name or PROFILE, body, text))
            for text in self.texts.values()
            for body, name in _STRUCT.findall(text)
            if not name or name.endswith("Params")
        }

    @cached_property
    def files(self) -> dict[str, Path]:
        return {
            name: file
            for file, text in self.texts.items()
            for _, name in _STRUCT.findall(text)
            if name
        }

    def _fields(self, name: str, body: str, text: str) -> Iterator[Field]:
        about = next((words for title, words in _TEXT.findall(text) if title == name), "")
        meanings = {member: _sentence(words) for member, words in _ABOUT.findall(about)}
        for line in filter(str.strip, _COMMENT.sub("", body).splitlines()):
            found = _MEMBER.fullmatch(line.rstrip())
            if found is None:
                raise UnreadableError(f"{name}: {line}")
            _, type_name, pointer, member, count = found.groups()
            size = None if count is None else self.numbers.get(count) or int(count)
            yield Field(member, type_name, bool(pointer), size, meanings.get(member, ""))

    def layout(self, name: str) -> type[ctypes.Structure]:
        """As the compiler lays the struct out."""
        members = [(each.name, self._type(each)) for each in self.structs[name]]
        return type(name, (ctypes.Structure,), {"_fields_": members})

    def _type(self, field: Field) -> type[Any]:
        if field.type == "gchar":
            return ctypes.c_char_p
        if field.type in self.enums:
            return ctypes.c_int
        plain = PLAIN.get(field.type)
        whole = self.layout(field.type) if plain is None else plain
        if field.is_pointer:
            return ctypes.POINTER(whole)
        return whole if field.count is None else whole * field.count


def _sentence(words: str) -> str:
    """Without gtk-doc's marks."""
    text = " ".join(words.replace("\n *", " ").split())
    text = text.removeprefix("(nullable): ")
    text = re.sub(r"[@#](\w[\w.]*(?<!\.))", r"`\1`", text)
    return re.sub(r"%([A-Z])", r"\1", text)


def _shortened(values: list[str]) -> list[str]:
    parts = [value.split("_") for value in values]
    shared = 0
    while len({tuple(part[: shared + 1]) for part in parts}) == 1:
        shared += 1
    return ["-".join(part[shared:]).lower() for part in parts]


def profiles(build: Path, headers: Headers) -> Iterator[Any]:
    """The tables of the library that was built, the default first."""
    library = ctypes.CDLL(str(build / "gst" / "gcc" / "libgstgcc-1.0.so"))
    library.gcc_profile_get_nth.restype = ctypes.POINTER(headers.layout(PROFILE))
    at = 0
    while profile := library.gcc_profile_get_nth(at):
        yield profile.contents
        at += 1
