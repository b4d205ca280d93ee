"""Scenarios from and to TOML. Standard library only; each error is one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gcc_testbed.scenario.flow_file import MOST_FLOWS, flow_data, read_flows
from gcc_testbed.scenario.flows import NAMED_SEQUENCES, AnyFlow, GccFlow, VideoFlow
from gcc_testbed.scenario.link import DIRECTIONS, MOST_EXTRA_DELAYS
from gcc_testbed.scenario.link_file import link_data, read_link
from gcc_testbed.scenario.scenario import WORLDS, Scenario
from gcc_testbed.scenario.table import Reader, Table, number, one_of, read, text
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


# The keys of the file beside link and flows.
_TIMES: dict[str, Reader] = {
    "title": Table.text,
    "duration_s": number(unit="seconds", above=0, at_most=86400),
    "measure_from_s": number(0.0, unit="seconds", at_least=0),
}
_SETTINGS: dict[str, Reader] = {
    "seed": number(1, unit="a whole number", at_least=0, at_most=2**32 - 1, whole=True),
    "world": one_of(WORLDS, "virtual"),
    "source": text(""),
    "quality": Table.flag,
}
# In the order in which they are written.
_WRITTEN = ("title", "source", "duration_s", "measure_from_s", "seed", "world", "quality")


def from_data(data: dict[str, Any], file: str, directory: Path | None) -> Scenario:
    """A scenario from the tables of a TOML file; paths in it are relative to `directory`.

    Without a directory they are taken as they are, and need not exist.
    """
    top = Table(data, "", file)
    settings = _settings(top)
    duration = settings["duration_s"]
    table = top.table("link", "a table with [link.forward]")
    link = read_link(table, duration, settings["seed"], directory)
    flows = _flows(top, duration, directory)
    top.finish()
    scenario = Scenario(link=link, flows=flows, **settings)
    _check(top, scenario)
    return scenario


def _settings(top: Table) -> dict[str, Any]:
    times = read(top, _TIMES)
    measure_from, duration = times["measure_from_s"], times["duration_s"]
    if measure_from >= duration:
        raise top.wrong("measure_from_s", measure_from, f"less than duration_s ({duration:g})")
    return {**times, **read(top, _SETTINGS)}


def _flows(top: Table, duration: float, directory: Path | None) -> tuple[AnyFlow, ...]:
    """The `[[flow]]` tables."""
    entries = top.raw("flow", expected="at least one [[flow]]", most=MOST_FLOWS)
    if not isinstance(entries, list) or not entries:
        raise top.wrong("flow", entries, "at least one [[flow]]")
    flows: list[AnyFlow] = []
    for place, entry in enumerate(entries):
        table = Table(entry, f"flow[{place}]", top.file)
        flows += read_flows(table, duration, directory, flows)
        table.finish()
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


def _check(top: Table, scenario: Scenario) -> None:
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
        **{key: getattr(scenario, key) for key in _WRITTEN},
        "link": link_data(scenario.link),
        "flow": [flow_data(flow) for flow in scenario.flows],
    }
