"""The card: its calls, its contenders and its goals, from one file. Nothing here runs anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.scenario import scenario_file
from gcc_testbed.studies.scorecard.measures import MEASURES
from gcc_testbed.studies.sweeps import sweep_file
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run, Settings
from gcc_testbed.support import toml_file
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

CARD = DATA / "scorecard" / "card.toml"
# A plan holds all that may be made, whatever is asked for: results of other seeds stay valid.
MOST_SEEDS = 20

_GOAL = re.compile(r"(\w+) (>=|<=) (\d+(?:\.\d+)?)")
_NAME = re.compile(r"[\w.-]+", re.ASCII)


@dataclass(frozen=True)
class Goal:
    """A bound for the median of a measure."""

    measure: str
    relation: str
    bound: float

    def reached(self, value: float | None) -> bool:
        """Whether a value, as precise as it is shown, keeps to the bound; unmeasured: no."""
        if value is None:
            return False
        shown = round(value, MEASURES[self.measure].digits)
        return shown >= self.bound if self.relation == ">=" else shown <= self.bound

    def __str__(self) -> str:
        sign = {">=": "≥", "<=": "≤"}[self.relation]
        return f"{MEASURES[self.measure].title} {sign} {self.bound:g}"


@dataclass(frozen=True)
class Reach:
    """From a moment on, the rate to be reached."""

    from_s: float
    kbps: float


@dataclass(frozen=True)
class Column:
    """A contender."""

    name: str
    title: str
    # Its owner.
    of: str
    # Keys of every gcc flow.
    flow: Settings


@dataclass(frozen=True)
class Row:
    """A call."""

    name: str
    title: str
    group: str
    scenario: Path
    settings: Settings
    goals: tuple[Goal, ...] = ()
    reach: Reach | None = None
    # Beside TCP: what each of the flows would get if all got the same.
    fair_share: float | None = None
    # Loss of the path itself, which no sender can avoid.
    path_loss_percent: float = 0.0
    quick: bool = False
    # Whether nothing may be much worse than with the best contender of another owner.
    beside_peers: bool = False

    def with_column(self, column: Column) -> Settings:
        """Everything by which the contender's call differs from the scenario file."""
        flows = toml_file.read(self.scenario).get("flow", [])
        ours = [n for n, flow in enumerate(flows) if flow.get("kind") == "gcc"]
        keys = {f"flow[{n}].{key}": value for n in ours for key, value in column.flow.items()}
        return {**self.settings, **keys}


@dataclass(frozen=True)
class Card:
    """All calls and contenders."""

    # (name, title) in the order of the page.
    groups: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    columns: tuple[Column, ...]

    def chosen(self, names: list[str], *, quick: bool) -> tuple[Row, ...]:
        """The rows of these names or groups; without any, all, or those of a quick look."""
        known = [*(name for name, _ in self.groups), *(row.name for row in self.rows)]
        for name in names:
            if name not in known:
                raise TestbedError(f"{name}: expected one of {', '.join(known)}")
        if names:
            return tuple(row for row in self.rows if {row.name, row.group} & set(names))
        return tuple(row for row in self.rows if row.quick or not quick)


def run_of(row: Row, column: Column, seed: int) -> Run:
    point = f"{row.name}.{column.name}"
    keys: Settings = {"row": row.name, "column": column.name}
    return Run(point, keys, row.scenario, row.with_column(column), seed)


def plan(card: Card) -> Plan:
    """All calls that the card may ever need."""
    runs = [
        run_of(row, column, seed)
        for row in card.rows
        for column in card.columns
        for seed in range(1, MOST_SEEDS + 1)
    ]
    return Plan("scorecard", tuple(runs))


def problem_with(row: Row, column: Column) -> str | None:
    """Why this testbed cannot make a contender's call; None if it can."""
    changes = [sweep_file.option(key, value) for key, value in row.with_column(column).items()]
    try:
        scenario_file.load(row.scenario, tuple(changes))
    except TestbedError as problem:
        said = str(problem).removeprefix(f"{row.scenario}: ").removeprefix("unknown key ")
        key, _, value = said.partition(": expected")[0].partition(" = ")
        # The reason is shown on the page: no paths of this machine.
        return f"the testbed has no {key}{f' {value}' if value and '/' not in value else ''}"
    return None


def load(file: Path = CARD) -> Card:
    """The card in a file, or a TestbedError that names what is wrong with it."""
    content = toml_file.read(file)
    try:
        groups = content["group"]
        found = Card(
            tuple((group["name"], group["title"]) for group in groups),
            tuple(row for group in groups for row in _rows(group, file.parent)),
            tuple(_made(Column, entry) for entry in content["column"]),
        )
    except KeyError as problem:
        raise TestbedError(f"{file}: {problem.args[0]} is missing") from None
    except TestbedError as problem:
        raise TestbedError(f"{file}: {problem}") from None
    for names in ([row.name for row in found.rows], [column.name for column in found.columns]):
        for name in names:
            if names.count(name) > 1 or not _NAME.fullmatch(name):
                raise TestbedError(f"{file}: {name}: expected a name of its own, without spaces")
    return found


def _rows(group: dict[str, Any], base: Path) -> Iterator[Row]:
    for entry in group["row"]:
        scenario = (base / entry["scenario"]).resolve()
        if not scenario.is_file():
            raise TestbedError(f"{entry['name']}: scenario: there is no {scenario}")
        settings = {key: _with_paths(value, base) for key, value in entry.get("set", {}).items()}
        changed = {
            "group": group["name"],
            "quick": group.get("quick", False),
            "beside_peers": group.get("beside_peers", False),
            "scenario": scenario,
            "settings": settings,
            "goals": tuple(_goal(text) for text in entry.get("goals", [])),
            "reach": _made(Reach, entry["reach"]) if "reach" in entry else None,
        }
        yield _made(Row, {**{k: v for k, v in entry.items() if k != "set"}, **changed})


def _goal(text: str) -> Goal:
    parts = _GOAL.fullmatch(text)
    if parts is None or parts[1] not in MEASURES:
        raise TestbedError(
            f'goals: "{text}": expected MEASURE >= NUMBER or MEASURE <= NUMBER, the measure one of '
            + ", ".join(MEASURES)
        )
    return Goal(parts[1], parts[2], float(parts[3]))


def _with_paths(value: object, base: Path) -> object:
    """A trace's path is relative to the card, but the scenario that is run lies elsewhere."""
    if isinstance(value, dict) and "trace" in value:
        return {**value, "trace": str((base / str(value["trace"])).resolve())}
    return value


def _made(kind: Any, entry: dict[str, Any]) -> Any:  # noqa: ANN401
    try:
        return kind(**entry)
    except TypeError as problem:
        name = entry.get("name", kind.__name__)
        raise TestbedError(f"{name}: {str(problem).partition('__init__() ')[2]}") from None
