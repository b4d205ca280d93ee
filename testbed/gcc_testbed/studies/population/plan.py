"""The population as calls to be made: each drawn call is a row of a card, of one seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.studies.population.calls import Drawn
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.scorecard.card import Column, Row
from gcc_testbed.studies.sweeps.sweep_file import Run, toml

SCENARIOS = "drawn"


@dataclass(frozen=True)
class Planned:
    """A drawn call of a contender."""

    call: Drawn
    row: Row
    column: Column

    @property
    def run(self) -> Run:
        return card.run_of(self.row, self.column, self.call.seed)


def planned(calls: Iterable[Drawn], columns: Iterable[Column], out: Path) -> list[Planned]:
    """The calls that this testbed can make: flows of rtpgccbwe have no model."""
    contenders = tuple(columns)
    found = []
    for call in calls:
        row = Row(call.name, call.title, "", write(call, out), {})
        found += [
            Planned(call, row, column)
            for column in contenders
            if card.problem_with(row, column) is None
        ]
    return found


def write(call: Drawn, out: Path) -> Path:
    """The call as a scenario file; one that is there already stays as it is."""
    file, content = out / SCENARIOS / f"{call.name}.toml", text(call)
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.is_file() or file.read_text() != content:
        file.write_text(content)
    return file


def text(call: Drawn) -> str:
    """The call in TOML."""
    tables = dict(call.tables)
    flows, link = tables.pop("flow"), tables.pop("link")
    parts = [("", tables), ("[link]", link), *(("[[flow]]", flow) for flow in flows)]
    lines = []
    for head, table in parts:
        lines += [head] if head else []
        lines += [*(f"{key} = {toml(value)}" for key, value in table.items()), ""]
    return "\n".join(lines)
