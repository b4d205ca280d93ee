"""A table of a TOML file, read key by key with bounds; each error is one line."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from typing import Any

from gcc_testbed.support.errors import TestbedError

_NOTHING = object()
# Of a list or a table; a call has fewer of everything that is written one by one.
MOST_ENTRIES = 1000
# Of a value that an error shows.
_SHOWN = 200


class Table:
    """A table of the file. Keys that were never asked for are reported as unknown by `finish`."""

    def __init__(self, data: Any, path: str, file: str) -> None:  # noqa: ANN401
        self.path, self.file = path, file
        if not isinstance(data, dict):
            raise self.wrong("", data, "a table")
        self._data = data
        self._known: list[str] = []

    def where(self, key: str) -> str:
        return ".".join(part for part in (self.path, key) if part)

    def wrong(self, key: str, given: Any, expected: str) -> TestbedError:  # noqa: ANN401
        text = str(given).lower() if isinstance(given, bool) else str(given)
        text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        shown = f'"{text}"' if isinstance(given, str) else text
        return TestbedError(f"{self.file}: {self.where(key)} = {shown}: expected {expected}")

    def missing(self, key: str, expected: str) -> TestbedError:
        """The error for a missing key, or for a similar one that may be misspelt."""
        slip = difflib.get_close_matches(key, self._data.keys() - set(self._known), n=1)
        if slip:
            return TestbedError(
                f"{self.file}: unknown key {self.where(slip[0])}: did you mean {key}?"
            )
        return TestbedError(f"{self.file}: {self.where(key)} is missing: expected {expected}")

    def has(self, key: str) -> bool:
        self._known.append(key)
        return key in self._data

    def raw(  # noqa: ANN401
        self,
        key: str,
        default: Any = _NOTHING,  # noqa: ANN401
        expected: str = "",
        most: int = MOST_ENTRIES,
    ) -> Any:  # noqa: ANN401
        if self.has(key):
            value = self._data[key]
            if isinstance(value, list | dict) and len(value) > most:
                raise TestbedError(
                    f"{self.file}: {self.where(key)}: {len(value)} entries: expected at most {most}"
                )
            return value
        if default is _NOTHING:
            raise self.missing(key, expected)
        return default

    def text(self, key: str, default: Any = _NOTHING) -> str:  # noqa: ANN401
        value = self.raw(key, default, "text")
        if not isinstance(value, str):
            raise self.wrong(key, value, "text")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.raw(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def one_of(self, key: str, known: tuple[str, ...], default: Any = _NOTHING) -> str:  # noqa: ANN401
        expected = f"one of {', '.join(known)}"
        value = self.raw(key, default, expected)
        if value not in known:
            raise self.wrong(key, value, expected)
        return str(value)

    def number(
        self,
        key: str,
        default: Any = _NOTHING,  # noqa: ANN401
        *,
        unit: str,
        at_least: float | None = None,
        above: float | None = None,
        at_most: float | None = None,
        whole: bool = False,
    ) -> Any:  # noqa: ANN401
        """A number within bounds; `default` may be None for "not given"."""
        bounds = [
            f"{relation} {bound:.10g}"
            for relation, bound in (
                ("at least", at_least),
                ("more than", above),
                ("at most", at_most),
            )
            if bound is not None
        ]
        expected = f"{unit}, {' and '.join(bounds)}"
        value = self.raw(key, default, expected)
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if (
            not is_number
            or not math.isfinite(value)
            or (whole and value != int(value))
            or (at_least is not None and value < at_least)
            or (above is not None and value <= above)
            or (at_most is not None and value > at_most)
        ):
            raise self.wrong(key, value, expected)
        return int(value) if whole else float(value)

    def table(self, key: str, expected: str = "a table") -> Table:
        return Table(self.raw(key, expected=expected), self.where(key), self.file)

    def finish(self) -> None:
        """Raises an error for keys that were never asked for."""
        for key in self._data:
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, n=1, cutoff=0.5)
                hint = f"did you mean {near[0]}?" if near else "expected " + ", ".join(self._known)
                raise TestbedError(f"{self.file}: unknown key {self.where(key)}: {hint}")


# Reads a key of a table.
Reader = Callable[[Table, str], Any]


def number(default: Any = _NOTHING, **bounds: Any) -> Reader:  # noqa: ANN401
    """A reader of a number; `bounds` are those of `Table.number`."""
    return lambda table, key: table.number(key, default, **bounds)


def text(default: str) -> Reader:
    """A reader of a text that may be left out."""
    return lambda table, key: table.text(key, default)


def one_of(known: tuple[str, ...], default: str) -> Reader:
    """A reader of a word among others."""
    return lambda table, key: table.one_of(key, known, default)


def optional(reader: Reader) -> Reader:
    """The same reader, which returns None for a key that is not given."""
    return lambda table, key: reader(table, key) if table.has(key) else None


def read(table: Table, readers: Mapping[str, Reader]) -> dict[str, Any]:
    """The values of some keys. The order of the readers is that in which errors are found."""
    return {key: reader(table, key) for key, reader in readers.items()}
