"""The distributions, from one file, and the draws of a call by its name.

This module does not depend on calls.
"""

from __future__ import annotations

import bisect
import itertools
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from gcc_testbed.support import toml_file
from gcc_testbed.support.errors import TestbedError

# Of drawn numbers: enough to tell two apart, few enough to be read.
SIGNIFICANT = 3


@dataclass(frozen=True)
class Band:
    """Of 100 draws so many lie between two numbers, evenly on a logarithmic scale."""

    percent: float
    low: float
    high: float

    def at(self, part: float) -> float:
        """The number so far into the band, from 0 to 1."""
        if self.low == self.high:
            return self.low
        return float(self.low * (self.high / self.low) ** part)


@dataclass(frozen=True)
class Numbers:
    """A key whose values are numbers."""

    bands: tuple[Band, ...]
    whole: bool = False

    def at(self, chance: float) -> float:
        """The value for a number from 0 to 1."""
        before = 0.0
        for band in self.bands:
            part = (100 * chance - before) / band.percent
            if part < 1 or band is self.bands[-1]:
                break
            before += band.percent
        value = float(f"{band.at(min(part, 1.0)):.{SIGNIFICANT}g}")
        return round(value) if self.whole else value


@dataclass(frozen=True)
class Words:
    """A key whose values are words, with how many of 100 draws have each."""

    shares: dict[str, float]

    def at(self, chance: float) -> str:
        """The value for a number from 0 to 1."""
        ends = list(itertools.accumulate(self.shares.values()))
        nth = bisect.bisect_right(ends, 100 * chance)
        return list(self.shares)[min(nth, len(ends) - 1)]


@dataclass(frozen=True)
class Population:
    """Everything that calls are drawn from."""

    # Lengths of calls, and the most a source sends, where the calls have several.
    call: dict[str, float]
    most_kbps: dict[str, int]
    keys: dict[str, Numbers | Words]


@dataclass(frozen=True)
class Draws:
    """The draws of one call.

    Each key has a generator of its own, seeded by the call's name and the key: a new key, or a key
    that another call does not need, changes no other draw.
    """

    name: str
    population: Population

    def _chance(self, key: str, nth: int) -> float:
        # Of Python's methods only this one is promised to stay as it is.
        return Random(f"{self.name} {key} {nth}").random()  # noqa: S311

    def number(self, key: str, nth: int = 0) -> float:
        numbers = self.population.keys[key]
        assert isinstance(numbers, Numbers)
        return numbers.at(self._chance(key, nth))

    def whole(self, key: str, nth: int = 0) -> int:
        return round(self.number(key, nth))

    def word(self, key: str, nth: int = 0) -> str:
        words = self.population.keys[key]
        assert isinstance(words, Words)
        return words.at(self._chance(key, nth))


def load(file: Path) -> Population:
    """The population in a file, or a TestbedError that names what is wrong with it."""
    content = toml_file.read(file)
    try:
        return Population(
            content["call"],
            content.get("most_kbps", {}),
            {key: _key(key, table) for key, table in content["draw"].items()},
        )
    except KeyError as problem:
        raise TestbedError(f"{file}: {problem.args[0]} is missing") from None
    except TestbedError as problem:
        raise TestbedError(f"{file}: {problem}") from None


def _key(key: str, table: dict[str, Any]) -> Numbers | Words:
    found: Numbers | Words
    if "shares" in table:
        found = Words({word: float(percent) for word, percent in table["shares"].items()})
        percents = list(found.shares.values())
    else:
        found = Numbers(tuple(_band(key, band) for band in table["bands"]), "whole" in table)
        percents = [band.percent for band in found.bands]
    if any(percent <= 0 for percent in percents) or abs(sum(percents) - 100) > 1e-6:
        raise TestbedError(f"draw.{key}: {sum(percents):g} of 100: expected 100, each above 0")
    return found


def _band(key: str, band: list[float]) -> Band:
    percent, low, high = band
    if not (low == high or 0 < low < high):
        raise TestbedError(
            f"draw.{key}: from {low:g} to {high:g}: expected 0 < from < to, or equal"
        )
    return Band(float(percent), float(low), float(high))
