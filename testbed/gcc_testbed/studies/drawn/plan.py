"""Drawn calls to be made: each drawn call is a row of a card, of one seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.scenario.scenario_file import from_data
from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.scorecard.card import Column, Row
from gcc_testbed.studies.sweeps.sweep_file import Run, toml
from gcc_testbed.support.errors import TestbedError

SCENARIOS = "drawn"


@dataclass(frozen=True)
class Planned:
    """A drawn call of a contender."""

    call: Drawn
    row: Row
    column: Column
    run: Run


def planned(calls: Iterable[Drawn], columns: Iterable[Column], out: Path) -> list[Planned]:
    """The calls that this testbed can make: flows of rtpgccbwe have no model."""
    contenders = tuple(columns)
    found = []
    for call in calls:
        row = Row(call.name, call.title, "", write(call, out), {})
        found += [
            Planned(call, row, column, card.run_of(row, column, call.seed))
            for column in contenders
            if _has_flows(call, column)
        ]
    return found


def _has_flows(call: Drawn, column: Column) -> bool:
    """Whether a contender's flows have all keys of the call's; its link is anybody's."""
    flows = [
        {**flow, **column.flow} if flow["kind"] == "gcc" else flow for flow in call.tables["flow"]
    ]
    plain = {"forward": {"rate_kbps": call.tables["flow"][0]["max_kbps"]}}
    try:
        from_data({**call.tables, "link": plain, "flow": flows}, call.name, None)
    except TestbedError:
        return False
    return True


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
