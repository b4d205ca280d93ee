"""The faults, from one file. Nothing here runs anything."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from gcc_testbed.scenario.keys import flag, number, text
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import from_data
from gcc_testbed.scenario.tables import Place, read
from gcc_testbed.support import toml_file
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

FILE = DATA / "faults" / "faults.toml"
MODES = ("remb", "transport-cc")
A_DAY_S = 86400


@dataclass(frozen=True)
class Fault:
    """One call, and when something happens to it."""

    name: str
    title: str
    from_s: float
    # Recovery counts from here.
    to_s: float
    # The tables of the scenario file, with the fault in them.
    data: dict[str, Any]
    quick: bool = False

    def scenario(self, mode: str) -> Scenario:
        """The call with one kind of feedback."""
        data = deepcopy(self.data)
        data["title"] = f"{self.title}, {mode}"
        data["flow"][0]["feedback"] = mode
        return from_data(data, self.name, FILE.parent)


def load(file: Path = FILE) -> tuple[Fault, ...]:
    """All faults of a file, each checked as a scenario; call.toml is beside the file."""
    call = toml_file.read(file.parent / "call.toml")
    entries = toml_file.read(file).get("fault", [])
    faults = tuple(
        _fault(entry, Place(str(file), f"fault[{place}]"), call)
        for place, entry in enumerate(entries)
    )
    names = [fault.name for fault in faults]
    for name in names:
        if names.count(name) > 1:
            raise TestbedError(f"{file}: two faults are called {name}: expected one of each")
    for fault in faults:
        fault.scenario(MODES[0])
    return faults


@dataclass(frozen=True, kw_only=True)
class FaultTable:
    """An entry of the file: what is otherwise than in call.toml, and when."""

    name: Annotated[str, text()]
    title: Annotated[str, text()]
    from_s: Annotated[float, number("seconds", at_least=0)]
    to_s: Annotated[float, number("seconds", at_least=0)]
    duration_s: Annotated[float, number("seconds", above=0, at_most=A_DAY_S)] | None = None
    quick: Annotated[bool, flag()] = False
    # Checked as parts of a scenario.
    link: dict[str, Any] = field(default_factory=dict)
    flow: dict[str, Any] = field(default_factory=dict)


def _fault(entry: dict[str, Any], place: Place, call: dict[str, Any]) -> Fault:
    table = read(FaultTable, entry, place)
    data = deepcopy(call)
    if table.duration_s is not None:
        data["duration_s"] = table.duration_s
    data["link"] |= table.link
    data["flow"][0] |= table.flow
    for key, begin, time in (("from_s", 0, table.from_s), ("to_s", table.from_s, table.to_s)):
        if not begin <= time <= data["duration_s"]:
            expected = f"seconds, at least {begin:.10g} and at most {data['duration_s']:.10g}"
            raise place.wrong(key, time, expected)
    return Fault(table.name, table.title, table.from_s, table.to_s, data, table.quick)


def chosen(faults: tuple[Fault, ...], names: list[str], *, quick: bool) -> tuple[Fault, ...]:
    """The faults of these names; without any, all, or those of a quick look."""
    known = [fault.name for fault in faults]
    for name in names:
        if name not in known:
            raise TestbedError(f"{name}: expected one of {', '.join(known)}")
    if names:
        return tuple(fault for fault in faults if fault.name in names)
    return tuple(fault for fault in faults if fault.quick or not quick)
