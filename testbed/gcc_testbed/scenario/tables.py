"""Tables of a TOML file as dataclasses, by pydantic; each error is one line."""

from __future__ import annotations

import difflib
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from gcc_testbed.scenario.keys import BRANCH, NO_KIND, UNKNOWN, Table
from gcc_testbed.support.errors import TestbedError

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_Read = TypeVar("_Read")
# Of a list or a table; a call has fewer of everything that is written one by one.
MOST_ENTRIES = 1000
# Of a value that an error shows.
_SHOWN = 200


@dataclass(frozen=True)
class Place:
    """A table of a file, for what is wrong there."""

    file: str
    path: str = ""

    def at(self, key: str) -> Place:
        return Place(self.file, self.where(key))

    def where(self, key: str) -> str:
        return ".".join(part for part in (self.path, key) if part)

    def wrong(self, key: str, given: Any, expected: str) -> TestbedError:  # noqa: ANN401
        shown = str(given).lower() if isinstance(given, bool) else str(given)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
        shown = f'"{shown}"' if isinstance(given, str) else shown
        return TestbedError(f"{self.file}: {self.where(key)} = {shown}: expected {expected}")

    def missing(self, key: str, expected: str) -> TestbedError:
        return TestbedError(f"{self.file}: {self.where(key)} is missing: expected {expected}")


@functools.cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(Annotated[kind, Table()])


def read(kind: type[_Read], data: object, place: Place, **most: int) -> _Read:
    """A dataclass of the table `data`; `most` entries of its lists, where it is not the usual."""
    from pydantic import ValidationError

    _count(data, place, most)
    try:
        found: _Read = _adapter(kind).validate_python(data)  # type: ignore[arg-type]
    except ValidationError as problem:
        raise _line(kind, data, place, problem) from None
    return found


def schema(kind: type) -> dict[str, Any]:
    """The JSON schema of such a table, for editors."""
    return _adapter(kind).json_schema()


def _count(data: object, place: Place, most: dict[str, int]) -> None:
    """Refuses a list or a table with more entries than a call can have."""
    if isinstance(data, dict):
        inner = [(key, value) for key, value in data.items()]
    elif isinstance(data, list):
        inner = [(f"[{n}]", value) for n, value in enumerate(data)]
    else:
        return
    limit = most.get(place.path, MOST_ENTRIES)
    if len(data) > limit:
        raise TestbedError(
            f"{place.file}: {place.path}: {len(data)} entries: expected at most {limit}"
        )
    for key, value in inner:
        path = f"{place.path}{key}" if isinstance(data, list) else place.where(key)
        _count(value, Place(place.file, path), most)


def _line(kind: type, data: object, place: Place, problem: Any) -> TestbedError:  # noqa: ANN401
    """The first error in the words of the testbed."""
    error = problem.errors(include_url=False)[0]
    steps = [step for step in error["loc"] if not str(step).startswith(BRANCH)]
    if error["type"] == UNKNOWN:
        where = place.where(_path([*steps, error["ctx"]["key"]]))
        return TestbedError(f"{place.file}: unknown key {where}: {error['msg']}")
    given = error["input"]
    if error["type"] == NO_KIND:
        steps.append("kind")
        if "kind" not in given:
            near = difflib.get_close_matches("kind", given, n=1)
            if near:
                where = place.where(_path([*steps[:-1], near[0]]))
                return TestbedError(f"{place.file}: unknown key {where}: did you mean kind?")
            return place.missing(_path(steps), error["msg"])
        given = given["kind"]
    if error["type"] == "missing":
        return place.missing(_path(steps), _expected(kind, data, error["loc"]))
    return place.wrong(_path(steps), given, error["msg"])


def _path(steps: list[Any]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)[1:]


def _expected(kind: type, data: Any, loc: tuple[Any, ...]) -> str:  # noqa: ANN401
    """The words for a missing key: those for a value that none can have."""
    from pydantic import ValidationError

    steps = [step for step in loc if not str(step).startswith(BRANCH)]

    def filled(node: Any, rest: list[Any]) -> Any:  # noqa: ANN401
        if not rest:
            return _NOTHING
        if isinstance(node, list):
            return [filled(v, rest[1:]) if n == rest[0] else v for n, v in enumerate(node)]
        return {**node, rest[0]: filled(node.get(rest[0]), rest[1:])}

    try:
        _adapter(kind).validate_python(filled(data, steps))
    except ValidationError as problem:
        return next(
            (each["msg"] for each in problem.errors() if each["input"] is _NOTHING), "a value"
        )
    return "a value"


_NOTHING = object()
