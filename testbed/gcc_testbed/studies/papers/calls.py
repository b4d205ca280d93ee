"""The finished calls of a paper: their settings, their quantities, and the versions used.

A call that has not been made here is taken from the pages' data, which names its commit, as long as
its settings are the same; it has no traces then.
"""

from __future__ import annotations

import csv
import functools
import json
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gcc_testbed.measure import dynamics
from gcc_testbed.scenario.sequence import is_stand_in
from gcc_testbed.studies.papers.paper import Choice, Paper, Sweep, is_chosen
from gcc_testbed.studies.papers.quantities import QUANTITIES, Number, of_call
from gcc_testbed.studies.sweeps.sweep_file import Run, Settings
from gcc_testbed.support import toml_file
from gcc_testbed.support.digests import digest
from gcc_testbed.support.output import MARK

# Cached beside a call's metrics.
DYNAMICS = "dynamics.json"
# Keys of a scenario that change nothing.
WORDS = ("title", "source")


@dataclass(frozen=True)
class Call:
    """A finished call."""

    point: str
    keys: Settings
    seed: int
    # None: from the pages' data.
    directory: Path | None
    quantities: dict[str, float]
    profile: str
    source: str
    # Of the project; "unknown" outside a checkout.
    commit: str
    duration_s: float
    settings: str


def read_all(paper: Paper, out: Path, pages: Path) -> dict[str, list[Call]]:
    """The calls of each sweep of a paper. One that another sweep has made counts for both."""
    found = {
        sweep.name: read(sweep, out / paper.name / sweep.name, data_file(pages, paper, sweep))
        for sweep in paper.sweeps
    }
    known = {(call.settings, call.seed): call for calls in found.values() for call in calls}
    for sweep in paper.sweeps:
        there = {(call.point, call.seed) for call in found[sweep.name]}
        for run in sweep.plan.runs:
            same = known.get((settings_of(run), run.seed))
            if same is not None and (run.point, run.seed) not in there:
                found[sweep.name].append(replace(same, point=run.point, keys=run.keys))
    return found


def read(sweep: Sweep, out: Path, data: Path) -> list[Call]:
    """The finished calls of a sweep, in its order; those that are missing from its data."""
    recorded = _recorded(data) if data.is_file() else {}
    found = (
        _read(run, out / run.directory) or _from_record(run, recorded) for run in sweep.plan.runs
    )
    return [call for call in found if call is not None]


def data_file(pages: Path, paper: Paper, sweep: Sweep) -> Path:
    """Where the pages keep a line for each call of a sweep."""
    return pages / "data" / f"{paper.name}-{sweep.name}.csv"


def settings_of(run: Run) -> str:
    """A key that is equal for calls of the same settings."""
    content = {key: value for key, value in _scenario(run.scenario).items() if key not in WORDS}
    text = json.dumps([content, run.settings], sort_keys=True, default=str)
    return digest(text)


@functools.cache
def _scenario(file: Path) -> dict[str, Any]:
    return toml_file.read(file)


def matching(calls: Iterable[Call], choice: Choice) -> list[Call]:
    """The calls of the points with these values."""
    return [call for call in calls if is_chosen(call.keys, choice)]


def by_point(calls: Iterable[Call]) -> dict[str, list[Call]]:
    """The repeats of each point."""
    points: dict[str, list[Call]] = {}
    for call in calls:
        points.setdefault(call.point, []).append(call)
    return points


def mean(calls: Iterable[Call], quantity: str) -> Number:
    """The mean over the calls that have it."""
    values = [call.quantities[quantity] for call in calls if quantity in call.quantities]
    return statistics.fmean(values) if values else None


def spread(calls: Iterable[Call], quantity: str) -> tuple[float, float]:
    """From the mean over repeats down to the least, and up to the most."""
    values = [call.quantities[quantity] for call in calls if quantity in call.quantities]
    if not values:
        return 0.0, 0.0
    middle = statistics.fmean(values)
    return middle - min(values), max(values) - middle


# Columns beside the keys and the quantities.
ABOUT = ("seed", "profile", "source", "commit", "duration_s", "settings")


def write_csv(calls: list[Call], file: Path) -> None:
    """A line per call: its settings, its versions, and every quantity."""
    keys = list(dict.fromkeys(key for call in calls for key in call.keys))
    known = [name for name in QUANTITIES if any(name in call.quantities for call in calls)]
    with file.open("w", newline="") as content:
        lines = csv.writer(content, lineterminator="\n")
        lines.writerow([*keys, *ABOUT, *known])
        for call in calls:
            cells = [_text(call.keys.get(key)) for key in keys]
            cells += [call.seed, call.profile, call.source, call.commit, f"{call.duration_s:g}"]
            cells.append(call.settings)
            values = (call.quantities.get(name) for name in known)
            lines.writerow([*cells, *("" if v is None else f"{v:.6g}" for v in values)])


def _recorded(file: Path) -> dict[tuple[str, str], dict[str, str]]:
    """The lines of a data file by settings and seed."""
    with file.open(newline="") as content:
        rows = csv.DictReader(content)
        return {(row.get("settings", ""), row["seed"]): row for row in rows}


def _from_record(run: Run, recorded: dict[tuple[str, str], dict[str, str]]) -> Call | None:
    if not recorded:
        return None
    settings = settings_of(run)
    row = recorded.get((settings, str(run.seed)))
    if row is None:
        return None
    return Call(
        point=run.point,
        keys=run.keys,
        seed=run.seed,
        directory=None,
        quantities={name: float(row[name]) for name in QUANTITIES if row.get(name)},
        profile=row["profile"],
        source=row["source"],
        commit=row["commit"],
        duration_s=float(row["duration_s"]),
        settings=settings,
    )


def _read(run: Run, directory: Path) -> Call | None:
    try:
        metrics = json.loads((directory / "metrics.json").read_text())
        record = json.loads((directory / MARK).read_text())
    except (OSError, ValueError):
        return None
    measured = _with_dynamics(metrics, record["scenario"], directory)
    return Call(
        point=run.point,
        keys=run.keys,
        seed=run.seed,
        directory=directory,
        quantities=of_call(measured),
        profile=metrics.get("profile") or "",
        source=_source(metrics),
        commit=record["versions"].get("commit", "unknown"),
        duration_s=metrics["duration_s"],
        settings=settings_of(run),
    )


def _source(metrics: dict[str, Any]) -> str:
    """The video that was sent, with a note where it replaces the paper's."""
    source = metrics.get("source") or ""
    sequence = metrics.get("sequence") or {}
    return f"{source} {sequence['name']}" if is_stand_in(sequence) else source


def _with_dynamics(
    metrics: dict[str, Any], scenario: dict[str, Any], directory: Path
) -> dict[str, Any]:
    """The metrics with the first flow's dynamics among them; read from the traces once."""
    kept = directory / DYNAMICS
    if kept.is_file():
        found = json.loads(kept.read_text())
    else:
        interval = metrics["measure_from_s"], metrics["duration_s"]
        found = dynamics.of_flow(directory, scenario["flow"][0], *interval)
        found["beside_kbps"] = dynamics.rate_beside(directory, scenario)
        kept.write_text(json.dumps(found) + "\n")
    first, *others = metrics["flows"]
    return {**metrics, "flows": [{**first, "dynamics": found}, *others]}


def _text(value: object) -> object:
    return json.dumps(value) if isinstance(value, dict | list) else value
