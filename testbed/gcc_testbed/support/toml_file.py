"""TOML from a file that somebody has written; each error is one line. Standard library only."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.input_file import read_text

# TOML asks of a reader for no larger numbers than these.
_LEAST, _MOST = -(2**63), 2**63 - 1
# A scenario has tables in six levels.
_MOST_LEVELS = 32


def read(file: Path, expected: str = "") -> dict[str, Any]:
    """The content of a TOML file, or a TestbedError that names it, and what was expected of it."""
    try:
        text = read_text(file)
    except TestbedError as problem:
        raise TestbedError(f"{file}: {problem}{expected and f'; expected {expected}'}") from None
    try:
        return loads(text)
    except TestbedError as problem:
        raise TestbedError(f"{file}: not TOML: {problem}") from None


def loads(text: str) -> dict[str, Any]:
    """The content of a text, or a TestbedError with the reason."""
    try:
        content = tomllib.loads(text)
    except RecursionError:
        raise TestbedError(f"tables or lists in more than {_MOST_LEVELS} levels") from None
    except ValueError as problem:
        # Python refuses to read thousands of digits, and names no place.
        wrong_toml = isinstance(problem, tomllib.TOMLDecodeError)
        raise TestbedError(str(problem) if wrong_toml else "a number of too many digits") from None
    _check(content)
    return content


def _check(content: dict[str, Any]) -> None:
    """Refuses the values that no key can have and no message can show."""
    level: list[object] = [content]
    for _ in range(_MOST_LEVELS):
        values: list[object] = []
        for container in level:
            if isinstance(container, dict):
                values += container.values()
            elif isinstance(container, list):
                values += container
            elif isinstance(container, int) and not _LEAST <= container <= _MOST:
                raise TestbedError("a number of too many digits")
        level = values
        if not level:
            return
    raise TestbedError(f"tables or lists in more than {_MOST_LEVELS} levels")
