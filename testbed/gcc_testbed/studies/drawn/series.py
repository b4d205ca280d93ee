"""A series: calls of one file of distributions, whose names begin with one letter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.studies.drawn import calls, draws, shaped
from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.drawn.results import Results


@dataclass(frozen=True)
class Series:
    """All that one such set of calls has of its own."""

    # Of the command, and of its page.
    name: str
    title: str
    # Its calls' names begin with it.
    letter: str
    file: Path
    # As many as are made without --calls.
    calls: int
    # The result, a line for each two contenders.
    headline: Callable[[Results], list[str]]
    # The calls in a sentence, and what their points stand for.
    about: str

    def name_of(self, seed: int, number: int) -> str:
        return calls.name_of(seed, number, self.letter)

    def check(self, name: str) -> None:
        """A TestbedError if no call has this name."""
        calls.parts_of(name, self.letter)

    def drawn(self, names: Iterable[str]) -> list[Drawn]:
        population = draws.load(self.file)
        return [shaped.drawn(name, population, self.letter) for name in names]
