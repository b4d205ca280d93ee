"""The values that keys of a scenario may have, written at the fields that they become.

pydantic reads it there, when a file is read: until then nothing but the standard library is needed.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core.core_schema import CoreSchema

# The types of pydantic's errors that are made here, and what begins the name of a branch in one.
WRONG, UNKNOWN, NO_KIND = "wrong", "unknown", "no_kind"
BRANCH = ":"


@dataclasses.dataclass(frozen=True)
class Key:
    """A value, and the words for what is expected of it."""

    expected: str
    make: Callable[[], CoreSchema]

    def __get_pydantic_core_schema__(self, _: object, __: object) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.custom_error_schema(
            self.make(), custom_error_type=WRONG, custom_error_message=self.expected
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), "description": self.expected}


def number(
    unit: str,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    whole: bool = False,
) -> Key:
    """A number within bounds."""
    bounds = {"at least": at_least, "more than": above, "at most": at_most}
    words = [f"{relation} {bound:.10g}" for relation, bound in bounds.items() if bound is not None]

    def make() -> CoreSchema:
        from pydantic_core import core_schema

        value = core_schema.float_schema(
            ge=at_least,
            gt=above,
            le=at_most,
            multiple_of=1 if whole else None,
            strict=True,
            allow_inf_nan=False,
        )
        return core_schema.no_info_after_validator_function(int, value) if whole else value

    return Key(f"{unit}, {' and '.join(words)}", make)


def one_of(known: tuple[str, ...]) -> Key:
    """A word among others."""

    def make() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.literal_schema(list(known))

    return Key(f"one of {', '.join(known)}", make)


def text(expected: str = "text", pattern: str | None = None) -> Key:
    """A text, of some pattern or any."""

    def make() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.str_schema(strict=True, pattern=pattern)

    return Key(expected, make)


def flag() -> Key:
    """True or false."""

    def make() -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.bool_schema(strict=True)

    return Key("true or false", make)


def of_type(kind: object, expected: str, then: Callable[[Any], Any] | None = None) -> Key:
    """A value of any type of Python, and what `then` makes of it; ValueError there refuses it."""

    def make() -> CoreSchema:
        from pydantic import TypeAdapter
        from pydantic_core import core_schema

        schema = TypeAdapter(kind).core_schema
        return core_schema.no_info_after_validator_function(then, schema) if then else schema

    return Key(expected, make)


@dataclasses.dataclass(frozen=True)
class Table:
    """A table whose keys are the fields of a dataclass, and its kind where it has one."""

    expected: str = "a table"
    kind: str = ""
    # Not for a file that somebody writes.
    hidden: bool = False

    def __get_pydantic_core_schema__(
        self,
        source: Any,  # noqa: ANN401
        handler: GetCoreSchemaHandler,  # noqa: ANN401
    ) -> CoreSchema:
        from pydantic_core import PydanticCustomError, core_schema

        keys = dataclasses.fields(source)
        known = [*(["kind"] if self.kind else []), *(each.name for each in keys)]
        nothing = dataclasses.MISSING
        needed = {each.name for each in keys if each.default is each.default_factory is nothing}

        def checked(data: Any) -> dict[str, Any]:  # noqa: ANN401
            if not isinstance(data, dict):
                raise PydanticCustomError(WRONG, "{expected}", {"expected": self.expected})
            for key in data:
                if key not in known:
                    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
                    if not near and needed - data.keys():
                        # A missing key says more.
                        return {each: data[each] for each in known if each in data}
                    hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(known)}"
                    raise PydanticCustomError(UNKNOWN, "{hint}", {"key": key, "hint": hint})
            return {key: value for key, value in data.items() if key != "kind" or not self.kind}

        return core_schema.no_info_before_validator_function(checked, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        from pydantic_core import PydanticOmit

        if self.hidden:
            raise PydanticOmit
        made = handler(schema)
        table = handler.resolve_ref_schema(made)
        table["additionalProperties"] = False
        if self.kind:
            table["properties"] = {"kind": {"const": self.kind}, **table["properties"]}
        return made


@dataclasses.dataclass(frozen=True)
class Kinds:
    """A table of one of some kinds, each with a class of its own."""

    classes: dict[str, type]
    default: str | None = None

    def __get_pydantic_core_schema__(self, _: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import PydanticCustomError, core_schema

        def branch(data: Any) -> str:  # noqa: ANN401
            if not isinstance(data, dict):
                raise PydanticCustomError(WRONG, "a table")
            kind = data.get("kind", self.default)
            if kind not in tuple(self.classes):
                expected = f"one of {', '.join(self.classes)}"
                raise PydanticCustomError(NO_KIND, "{expected}", {"expected": expected})
            return f"{BRANCH}{kind}"

        choices = {
            f"{BRANCH}{kind}": handler.generate_schema(Annotated[each, Table(kind=kind)])
            for kind, each in self.classes.items()
        }
        return _checked_first(branch, core_schema.tagged_union_schema(choices, branch))


def _checked_first(check: Callable[[Any], object], schema: CoreSchema) -> CoreSchema:
    """Errors of a discriminator have no place: those of a validator have."""
    from pydantic_core import core_schema

    def checked(data: Any) -> Any:  # noqa: ANN401
        check(data)
        return data

    return core_schema.no_info_before_validator_function(checked, schema)


@dataclasses.dataclass(frozen=True)
class Branches:
    """A value of one of some types, the first that it looks like."""

    expected: str
    # (what a value of it looks like, its type).
    branches: tuple[tuple[Callable[[Any], bool], Any], ...]

    def __get_pydantic_core_schema__(self, _: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic_core import PydanticCustomError, core_schema

        def branch(data: Any) -> str:  # noqa: ANN401
            for place, (looks, _) in enumerate(self.branches):
                if looks(data):
                    return f"{BRANCH}{place}"
            raise PydanticCustomError(WRONG, "{expected}", {"expected": self.expected})

        choices = {
            f"{BRANCH}{place}": handler.generate_schema(kind)
            for place, (_, kind) in enumerate(self.branches)
        }
        return _checked_first(branch, core_schema.tagged_union_schema(choices, branch))


@dataclasses.dataclass(frozen=True)
class Entries:
    """A list of tables."""

    expected: str
    least: int = 0

    def __get_pydantic_core_schema__(
        self,
        source: Any,  # noqa: ANN401
        handler: GetCoreSchemaHandler,  # noqa: ANN401
    ) -> CoreSchema:
        from pydantic_core import PydanticCustomError

        def check(data: Any) -> None:  # noqa: ANN401
            if not isinstance(data, list) or len(data) < self.least:
                raise PydanticCustomError(WRONG, "{expected}", {"expected": self.expected})

        return _checked_first(check, handler(source))
