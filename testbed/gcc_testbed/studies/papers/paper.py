"""A published paper as data: the calls it made, its figures, and its results.

Each paper has a directory: scenarios and sweeps, `paper.toml` (calls and figures), `published.toml`
(results) and `explained.toml` (why ours differ, written by people). Standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.studies.sweeps import sweep_file
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run, Settings
from gcc_testbed.support import toml_file
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

SHIPPED = DATA / "papers"
# Scenario keys and the values wanted of each.
Choice = dict[str, list[Any]]


@dataclass(frozen=True)
class Sweep:
    """A sweep of the paper, and the part of it that runs first."""

    name: str
    plan: Plan
    quick: Choice
    quick_repeats: int
    # One point for a test that is over in seconds; None: not of this sweep.
    smoke: Choice | None

    def quickly(self) -> list[Run]:
        """The thinned grid, with few repeats."""
        return [
            run
            for run in self.plan.runs
            if run.seed <= self.quick_repeats and is_chosen(run.keys, self.quick)
        ]

    def repeats(self) -> int:
        return max(run.seed for run in self.plan.runs)


@dataclass(frozen=True)
class Figure:
    """One of the paper's figures or tables; `how` is for its layout."""

    name: str
    shows: str
    layout: str
    sweep: str
    where: Choice
    how: dict[str, Any]

    @property
    def file(self) -> str:
        """The name of its picture."""
        return f"{self.name.lower().replace(' ', '-').replace('.', '-')}.png"


@dataclass(frozen=True)
class Result:
    """A published result, and the interval in which ours counts as the same."""

    figure: str
    says: str
    sweep: str
    where: Choice
    quantity: str
    # How the values of several points or calls become one: see verdicts.py.
    take: str
    how: dict[str, Any]
    # The paper's number, where it gives one, and how far ours may be from it.
    value: float | None
    tolerance: float | None
    # Bounds of ours: within them the paper's number, or the direction of its statement, holds.
    within: tuple[float, float] | None
    same: tuple[float, float] | None


@dataclass(frozen=True)
class Tries:
    """Calls of a figure with one thing changed in each: what could explain a difference, or not."""

    name: str
    about: str
    sweep: str
    measures: tuple[str, ...]
    # The paper's, by measure, as text.
    published: dict[str, str]
    # The change in each case of the sweep, by its name.
    tried: dict[str, str]


@dataclass(frozen=True)
class Paper:
    """A paper with its calls, figures and results."""

    name: str
    title: str
    citation: str
    notes: str
    # The mechanism that its page explains, for the index.
    mechanism: str
    sweeps: tuple[Sweep, ...]
    figures: tuple[Figure, ...]
    results: tuple[Result, ...]
    # By the figure's name.
    explained: dict[str, str]
    tries: tuple[Tries, ...] = ()

    def sweep(self, name: str) -> Sweep:
        return next(sweep for sweep in self.sweeps if sweep.name == name)


def names() -> list[str]:
    """The papers shipped with the testbed."""
    return sorted(file.parent.name for file in SHIPPED.glob("*/paper.toml"))


def load(name: str, shipped: Path = SHIPPED) -> Paper:
    """A paper by the name of its directory."""
    directory = shipped / name
    if not (directory / "paper.toml").is_file():
        raise TestbedError(f"{name}: expected one of {', '.join(names())}")
    data = toml_file.read(directory / "paper.toml")
    published = toml_file.read(directory / "published.toml")
    explained = toml_file.read(directory / "explained.toml")
    try:
        sweeps = tuple(_sweep(directory, entry) for entry in data["calls"])
        figures = tuple(_figure(entry) for entry in data["figure"])
        results = tuple(_result(entry) for entry in published["result"])
        paper = Paper(
            name,
            data["title"],
            data["citation"],
            data.get("notes", ""),
            data.get("mechanism", ""),
            sweeps,
            figures,
            results,
            explained,
            tuple(_tries(entry) for entry in data.get("tries", [])),
        )
    except KeyError as missing:
        raise TestbedError(f"{directory}: {missing} is missing") from None
    _check(paper, directory)
    return paper


def is_chosen(keys: Settings, wanted: Choice) -> bool:
    """Whether a point's keys have the values wanted."""
    return all(keys.get(key) in values for key, values in wanted.items())


def _sweep(directory: Path, entry: dict[str, Any]) -> Sweep:
    plan = sweep_file.load(directory / f"{entry['sweep']}.toml")
    return Sweep(
        entry["sweep"],
        plan,
        choice(entry.get("quick", {})),
        entry.get("quick_repeats", 1),
        choice(entry["smoke"]) if "smoke" in entry else None,
    )


def _figure(entry: dict[str, Any]) -> Figure:
    how = dict(entry)
    name, shows, layout, sweep = (how.pop(key) for key in ("name", "shows", "layout", "sweep"))
    return Figure(name, shows, layout, sweep, choice(how.pop("where", {})), how)


def _tries(entry: dict[str, Any]) -> Tries:
    return Tries(
        entry["name"],
        entry["about"],
        entry["sweep"],
        tuple(entry["measures"]),
        entry["published"],
        entry["tried"],
    )


def _result(entry: dict[str, Any]) -> Result:
    how = dict(entry)
    figure, says, sweep = (how.pop(key) for key in ("figure", "says", "sweep"))
    where = choice(how.pop("where", {}))
    quantity, take = how.pop("measure"), how.pop("take", "mean")
    value, tolerance = how.pop("value", None), how.pop("tolerance", None)
    within, same = how.pop("within", None), how.pop("same", None)
    if value is not None and within is None:
        within = [value - tolerance, value + tolerance]
    return Result(
        figure,
        says,
        sweep,
        where,
        quantity,
        take,
        how,
        value,
        tolerance,
        None if within is None else (within[0], within[1]),
        None if same is None else (same[0], same[1]),
    )


def choice(table: dict[str, Any]) -> Choice:
    """Scenario keys with lists of values; a file may give a single one."""
    return {key: value if isinstance(value, list) else [value] for key, value in table.items()}


def _check(paper: Paper, directory: Path) -> None:
    """Refuses references to sweeps, points or figures that do not exist."""
    sweeps = {sweep.name for sweep in paper.sweeps}
    shown = {figure.name for figure in paper.figures}
    entries: list[Figure | Result] = [*paper.figures, *paper.results]
    for entry in entries:
        if entry.sweep not in sweeps:
            raise TestbedError(
                f"{directory}: sweep {entry.sweep}: expected one of {sorted(sweeps)}"
            )
        plan = paper.sweep(entry.sweep).plan
        if not any(is_chosen(run.keys, entry.where) for run in plan.runs):
            raise TestbedError(
                f"{directory}: {entry.where}: no point of {entry.sweep} is like that"
            )
    for tries in paper.tries:
        points = set(paper.sweep(tries.sweep).plan.points())
        if points != set(tries.tried):
            raise TestbedError(f"{directory}: {tries.name}: tried: expected {sorted(points)}")
    for name in [*(result.figure for result in paper.results), *paper.explained]:
        if name not in shown:
            raise TestbedError(f"{directory}: {name}: expected one of {sorted(shown)}")
