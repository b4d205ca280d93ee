"""Scenarios from and to TOML. Each error is one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any

from gcc_testbed.scenario import flow_file, link_file, tables
from gcc_testbed.scenario.flow_file import FLOW, MOST_FLOWS, flow_data
from gcc_testbed.scenario.flows import NAMED_SEQUENCES, AnyFlow, GccFlow, VideoFlow
from gcc_testbed.scenario.keys import Entries, Table, number, text
from gcc_testbed.scenario.link import DIRECTIONS, MOST_EXTRA_DELAYS
from gcc_testbed.scenario.link_file import LinkTable, link_data
from gcc_testbed.scenario.scenario import CallSettings, Scenario
from gcc_testbed.scenario.tables import Place
from gcc_testbed.support import toml_file
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

SHIPPED = DATA / "scenarios"


def find(wanted: str) -> Path:
    """A file, or the name of a scenario that comes with the testbed."""
    file = Path(wanted)
    if not file.exists() and file.name == wanted:
        for name in (wanted, f"{wanted}.toml"):
            if (SHIPPED / name).is_file():
                return SHIPPED / name
    return file


def shipped() -> list[tuple[str, str]]:
    """(name, title) of every scenario that comes with the testbed."""
    return [(file.stem, load(file).title) for file in sorted(SHIPPED.glob("*.toml"))]


def load(file: Path, changes: tuple[str, ...] = ()) -> Scenario:
    """The scenario in a TOML file, with `KEY=VALUE` changes applied."""
    data = toml_file.read(file, "a scenario file (TOML), or a name from `list`")
    for change in changes:
        apply_change(data, change)
    return from_data(data, str(file), file.parent)


def apply_change(data: dict[str, Any], change: str) -> None:
    """`link.forward.rate_kbps=2000`, `flow[0].profile=rmcat-2016`; the value is TOML or text."""
    key, equals, text = change.partition("=")
    steps = key.replace("[", ".").replace("]", "").split(".")
    if not equals or not all(steps):
        raise TestbedError(f"--set {change}: expected KEY=VALUE like link.forward.rate_kbps=2000")
    try:
        value = toml_file.loads(f"value = {text}")["value"]
    except TestbedError:
        value = text
    node: Any = data
    for step in steps[:-1]:
        node = _within(node, step, change, {})
    last = steps[-1]
    if isinstance(node, list):
        _within(node, last, change, None)
        node[int(last)] = value
    elif isinstance(node, dict):
        node[last] = value
    else:
        raise TestbedError(f"--set {change}: {'.'.join(steps[:-1])} is not a table")


def _within(node: Any, step: str, change: str, default: Any) -> Any:  # noqa: ANN401
    if isinstance(node, list):
        if not step.isdigit() or int(step) >= len(node):
            raise TestbedError(
                f"--set {change}: there is no [{step}]; expected a number from 0 to {len(node) - 1}"
            )
        return node[int(step)]
    if not isinstance(node, dict):
        raise TestbedError(f"--set {change}: {step} is not within a table")
    return node.setdefault(step, default)


def named_files(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(key, name) of every file that a scenario's tables name, as `apply_change` writes the key."""
    link, flows = data.get("link"), data.get("flow")
    for direction in DIRECTIONS if isinstance(link, dict) else ():
        name = _at(link, direction, "rate_kbps", "trace")
        if isinstance(name, str):
            yield f"link.{direction}.rate_kbps.trace", name
    recorded = _at(link, "recording")
    if isinstance(recorded, str):
        yield "link.recording", recorded
    for place, name in enumerate(recorded if isinstance(recorded, list) else ()):
        if isinstance(name, str):
            yield f"link.recording[{place}]", name
    for place, flow in enumerate(flows if isinstance(flows, list) else ()):
        name = _at(flow, "sequence")
        if isinstance(name, str) and name not in NAMED_SEQUENCES:
            yield f"flow[{place}].sequence", name


def _at(node: Any, *keys: str) -> Any:  # noqa: ANN401
    for key in keys:
        node = node.get(key) if isinstance(node, dict) else None
    return node


_SETTINGS = tuple(each.name for each in fields(CallSettings))


@dataclass(frozen=True, kw_only=True)
class ScenarioTable(CallSettings):
    """The whole file."""

    title: Annotated[str, text()] = field()
    duration_s: Annotated[float, number("seconds", above=0, at_most=86400)] = field()
    measure_from_s: Annotated[float, number("seconds", at_least=0)] = 0.0
    link: Annotated[LinkTable, Table("a table with [link.forward]")]
    flow: Annotated[tuple[Annotated[AnyFlow, FLOW], ...], Entries("at least one [[flow]]", least=1)]


def from_data(data: dict[str, Any], file: str, directory: Path | None) -> Scenario:
    """A scenario from the tables of a TOML file; paths in it are relative to `directory`.

    Without a directory they are taken as they are, and need not exist.
    """
    top = Place(file)
    table = tables.read(ScenarioTable, data, top, flow=MOST_FLOWS)
    duration = table.duration_s
    if table.measure_from_s >= duration:
        raise top.wrong(
            "measure_from_s", table.measure_from_s, f"less than duration_s ({duration:g})"
        )
    link = link_file.completed(
        table.link, data["link"], top.at("link"), duration, table.seed, directory
    )
    settings = {key: getattr(table, key) for key in _SETTINGS}
    flows = _flows(table, data, top, directory)
    scenario = Scenario(link=link, flows=flows, **settings)
    _check(top, scenario)
    return scenario


def schema() -> dict[str, Any]:
    """The JSON schema of a scenario file, for editors."""
    return tables.schema(ScenarioTable)


def _flows(
    table: ScenarioTable, data: dict[str, Any], top: Place, directory: Path | None
) -> tuple[AnyFlow, ...]:
    """The `[[flow]]` tables."""
    flows: list[AnyFlow] = []
    for number_of, (flow, given) in enumerate(zip(table.flow, data["flow"], strict=True)):
        place = top.at(f"flow[{number_of}]")
        flows += flow_file.completed(flow, given, place, table.duration_s, directory, flows)
        if len(flows) > MOST_FLOWS:
            raise TestbedError(f"{top.file}: flow: more than {MOST_FLOWS} flows: expected fewer")
    lengths = {flow.extra_one_way_delay_ms for flow in flows} - {0.0}
    if len(lengths) > MOST_EXTRA_DELAYS:
        raise TestbedError(
            f"{top.file}: flow: {len(lengths)} different extra_one_way_delay_ms: expected at most "
            f"{MOST_EXTRA_DELAYS}"
        )
    return tuple(flows)


# Video that is compared with its source has a picture for each of the source's.
_WITHOUT_QUALITY: dict[str, Callable[[AnyFlow], bool]] = {
    "that pauses": lambda flow: isinstance(flow, VideoFlow) and bool(flow.pause),
    "of another frame rate": (
        lambda flow: isinstance(flow, GccFlow) and flow.frame_rate is not None
    ),
    # Downstream of the FEC decoder a frame that lacks a packet looks complete.
    'of protection "fec"': lambda flow: isinstance(flow, GccFlow) and "fec" in flow.protection,
}


def _check(top: Place, scenario: Scenario) -> None:
    """Refuses what each key allows, but not all of them together."""
    if scenario.quality:
        for what, has in _WITHOUT_QUALITY.items():
            if any(map(has, scenario.flows)):
                raise top.wrong("quality", True, f"false with a flow {what}")
    names = [flow.name for flow in scenario.flows]
    for name in names:
        if names.count(name) > 1:
            raise TestbedError(
                f"{top.file}: flow: two flows are called {name}: expected one of each"
            )
    if scenario.quality and scenario.has_model():
        raise top.wrong("quality", True, 'false with a flow of source "model": it has no video')


def to_data(scenario: Scenario) -> dict[str, Any]:
    """The scenario as TOML tables, the inverse of `from_data`."""
    return {
        **{key: getattr(scenario, key) for key in _SETTINGS},
        "link": link_data(scenario.link),
        "flow": [flow_data(flow) for flow in scenario.flows],
    }
