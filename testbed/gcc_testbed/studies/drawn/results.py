"""Finished drawn calls: points, and how far each contender is behind the best."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.drawn.mean import Mean, mean
from gcc_testbed.studies.drawn.plan import Planned
from gcc_testbed.studies.drawn.points import points, terms
from gcc_testbed.studies.scorecard import calls_file
from gcc_testbed.studies.scorecard import results as scorecard_results
from gcc_testbed.studies.scorecard.calls_file import Call, Key
from gcc_testbed.studies.scorecard.card import Column

# The share of the worst calls whose mean is shown.
TENTH = 0.1
# Fewer points behind the best than this are none.
EVEN_POINTS = scorecard_results.EVEN_POINTS
# Points that do not differ by as much are the same.
SAME_POINTS = 0.05
# More than this is much for one call.
MUCH_POINTS = 10.0


@dataclass(frozen=True)
class Made:
    """A contender's call."""

    call: Call
    points: float


@dataclass(frozen=True)
class Pair:
    """The points of two contenders in the calls that both have made."""

    own: list[float]
    other: list[float]

    def gains(self) -> list[float]:
        return [own - other for own, other in zip(self.own, self.other, strict=True)]

    @property
    def gain(self) -> Mean | None:
        """How much more the first has, in the mean."""
        return mean(self.gains())

    def better(self) -> int:
        """Calls in which the first has more."""
        return sum(gain > SAME_POINTS for gain in self.gains())

    def worse(self, by: float = SAME_POINTS) -> int:
        """Calls in which the first has less, by more than this."""
        return sum(gain < -by for gain in self.gains())


@dataclass(frozen=True)
class Results:
    """All results."""

    # In the card's order; those with a finished call.
    columns: tuple[Column, ...]
    # In the order of their names; those that somebody has made.
    calls: tuple[Drawn, ...]
    # By the names of call and contender.
    made: dict[tuple[str, str], Made]
    # Contenders that could not be run, and why.
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def commits(self) -> list[str]:
        """That made the calls, each once; "" where it was not recorded."""
        return list(dict.fromkeys(made.call.commit for made in self.made.values()))

    def of(self, call: Drawn, column: Column) -> Made | None:
        return self.made.get((call.name, column.name))

    def calls_of(self, column: Column) -> list[Drawn]:
        return [call for call in self.calls if self.of(call, column) is not None]

    def points_of(self, column: Column, among: Iterable[Drawn] | None = None) -> list[float]:
        """A contender's points, of these calls or of all, in their order."""
        calls = self.calls if among is None else among
        found = (self.of(call, column) for call in calls)
        return [made.points for made in found if made is not None]

    @property
    def ours(self) -> tuple[Column, ...]:
        """The contenders of the first owner."""
        return tuple(column for column in self.columns if column.of == self.columns[0].of)

    def pairs(self) -> list[tuple[Column, Column, Pair]]:
        """Each of ours beside each of the others', where both have made some of the same calls."""
        others = [column for column in self.columns if column not in self.ours]
        found = [(own, other, self.pair(own, other)) for own in self.ours for other in others]
        return [each for each in found if each[2].own]

    def pair(self, column: Column, other: Column) -> Pair:
        """Two contenders, call by call."""
        both = [call for call in self.calls_of(column) if self.of(call, other) is not None]
        return Pair(self.points_of(column, both), self.points_of(other, both))

    def repeats(self, column: Column) -> Pair:
        """A contender's calls, and the same with other random numbers."""
        calls = self.calls_of(column)
        won = {call.name: own for call, own in zip(calls, self.points_of(column), strict=True)}
        both = [
            (won[call.first], won[call.name])
            for call in calls
            if call.first != call.name and call.first in won
        ]
        return Pair([own for own, _ in both], [again for _, again in both])

    def rivals(self, call: Drawn) -> list[float]:
        """The points of all contenders that made a call."""
        found = (self.of(call, column) for column in self.columns)
        return [made.points for made in found if made is not None]

    def behind(self, call: Drawn, column: Column) -> float | None:
        """How many points a contender has less than the best; None where it is alone."""
        own, all_of_them = self.of(call, column), self.rivals(call)
        if own is None or len(all_of_them) < 2:
            return None
        return max(all_of_them) - own.points

    def behind_of(self, column: Column) -> list[float]:
        found = (self.behind(call, column) for call in self.calls)
        return [behind for behind in found if behind is not None]

    def worst(self, column: Column, count: int) -> list[Drawn]:
        """The calls in which a contender has the fewest points, from the worst on."""
        ranked = []
        for call in self.calls:
            made = self.of(call, column)
            if made is not None:
                ranked.append((made.points, call.name, call))
        return [call for _, _, call in sorted(ranked, key=lambda each: each[:2])[:count]]

    def furthest(self, column: Column, count: int) -> list[Drawn]:
        """The calls in which it is behind the best, by the most points first."""
        ranked = []
        for call in self.calls:
            behind = self.behind(call, column)
            if behind is not None and behind >= EVEN_POINTS:
                ranked.append((-behind, call.name, call))
        return [call for _, _, call in sorted(ranked, key=lambda each: each[:2])[:count]]


def worst_tenth(points: list[float]) -> float:
    """The mean of the worst tenth, of one call at least."""
    return statistics.fmean(sorted(points)[: math.ceil(TENTH * len(points))])


def read(
    planned: Iterable[Planned],
    out: Path,
    missing: dict[str, str],
    elsewhere: Mapping[Key, Call] = MappingProxyType({}),
) -> Results:
    """The finished calls below `out`, and those made elsewhere that are not among them."""
    columns: dict[str, Column] = {}
    calls: dict[str, Drawn] = {}
    found: dict[tuple[str, str], Made] = {}
    for each in planned:
        call = scorecard_results.made(out / each.run.directory, each.row) or elsewhere.get(
            Key(each.call.name, each.column.name, each.call.seed)
        )
        columns[each.column.name] = each.column
        if call is not None:
            calls[each.call.name] = each.call
            won = points(call.values, terms(each.call.scenario()))
            found[each.call.name, each.column.name] = Made(call, won)
    done = {column for _, column in found}
    return Results(
        tuple(column for column in columns.values() if column.name in done),
        tuple(calls[name] for name in sorted(calls, key=lambda name: (len(name), name))),
        found,
        missing,
    )


def write_csv(results: Results, file: Path) -> None:
    """A line for each call of each contender, with every measure."""
    calls_file.write(
        (
            (Key(call.name, column.name, call.seed), made.call, made.points)
            for call in results.calls
            for column in results.columns
            if (made := results.of(call, column)) is not None
        ),
        file,
    )
