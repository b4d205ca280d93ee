"""A call that was drawn, and its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import from_data
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

Table = dict[str, Any]

TRACES = DATA / "link-traces"
MOST_CALLS = 9999

_NAME = re.compile(r"(([a-z])(\d{1,6})-(\d{3,4}))([b-z]?)", re.ASCII)


def name_of(seed: int, number: int, letter: str) -> str:
    """`s3-017`: the seventeenth call of seed 3, of the study whose letter is s."""
    return f"{letter}{seed}-{number:03d}"


def parts_of(name: str, letter: str) -> tuple[str, int]:
    """The call of a name, and which repeat of it: 0 for `s3-017`, 1 for `s3-017b`.

    A repeat has the keys of the call, and other random numbers. A TestbedError if the name is none.
    """
    parts = _NAME.fullmatch(name)
    if (
        parts is None
        or int(parts[4]) == 0
        or name_of(int(parts[3]), int(parts[4]), letter) != parts[1]
    ):
        raise TestbedError(
            f"{name}: expected the name of a call, like {letter}3-017 or {letter}3-017b"
        )
    return parts[1], ascii_lowercase.index(parts[5] or "a")


@dataclass(frozen=True)
class Drawn:
    """A call that was drawn."""

    name: str
    # Its properties in words.
    title: str
    tables: Table
    # Of its keys, to group calls by.
    kinds: dict[str, str]

    @property
    def first(self) -> str:
        """The name of the call that this one repeats, or its own."""
        return parts_of(self.name, self.name[0])[0]

    @property
    def seed(self) -> int:
        """Of the link's and the model's own random numbers."""
        call, repeat = parts_of(self.name, self.name[0])
        return int(call.partition("-")[2]) + repeat * (MOST_CALLS + 1)

    def scenario(self) -> Scenario:
        """As the testbed's loader reads it."""
        return from_data(self.tables, self.name, TRACES)
