"""The faults, from one file. Nothing here runs anything."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import from_data
from gcc_testbed.scenario.table import Table
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
        _fault(Table(entry, f"fault[{number}]", str(file)), call)
        for number, entry in enumerate(entries)
    )
    names = [fault.name for fault in faults]
    for name in names:
        if names.count(name) > 1:
            raise TestbedError(f"{file}: two faults are called {name}: expected one of each")
    for fault in faults:
        fault.scenario(MODES[0])
    return faults


def _fault(table: Table, call: dict[str, Any]) -> Fault:
    data = deepcopy(call)
    data["duration_s"] = table.number(
        "duration_s", call["duration_s"], unit="seconds", above=0, at_most=A_DAY_S
    )
    data["link"] |= table.raw("link", {})
    data["flow"][0] |= table.raw("flow", {})
    begin = table.number("from_s", unit="seconds", at_least=0, at_most=data["duration_s"])
    fault = Fault(
        name=table.text("name"),
        title=table.text("title"),
        from_s=begin,
        to_s=table.number("to_s", unit="seconds", at_least=begin, at_most=data["duration_s"]),
        data=data,
        quick=table.flag("quick"),
    )
    table.finish()
    return fault


def chosen(faults: tuple[Fault, ...], names: list[str], *, quick: bool) -> tuple[Fault, ...]:
    """The faults of these names; without any, all, or those of a quick look."""
    known = [fault.name for fault in faults]
    for name in names:
        if name not in known:
            raise TestbedError(f"{name}: expected one of {', '.join(known)}")
    if names:
        return tuple(fault for fault in faults if fault.name in names)
    return tuple(fault for fault in faults if fault.quick or not quick)
