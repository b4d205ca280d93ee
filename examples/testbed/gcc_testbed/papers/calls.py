"""The finished calls of a paper: their settings, their quantities, and the versions used."""

from __future__ import annotations

import csv
import json
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.measure import dynamics
from gcc_testbed.papers.paper import Choice, Sweep, is_chosen
from gcc_testbed.papers.quantities import QUANTITIES, Number, of_call
from gcc_testbed.support.output import MARK
from gcc_testbed.sweeps.sweep_file import Run, Settings

# Cached beside a call's metrics.
DYNAMICS = "dynamics.json"


@dataclass(frozen=True)
class Call:
    """A finished call."""

    point: str
    keys: Settings
    seed: int
    directory: Path
    quantities: dict[str, float]
    profile: str
    source: str
    # Of the project; "unknown" outside a checkout.
    commit: str
    duration_s: float


def read(sweep: Sweep, out: Path) -> list[Call]:
    """The finished calls of a sweep, in its order."""
    found = (_read(run, out / run.directory) for run in sweep.plan.runs)
    return [call for call in found if call is not None]


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


def deviation(calls: Iterable[Call], quantity: str) -> float:
    """The standard deviation over repeats; 0 of a single call."""
    values = [call.quantities[quantity] for call in calls if quantity in call.quantities]
    return statistics.stdev(values) if len(values) > 1 else 0.0


def write_csv(calls: list[Call], file: Path) -> None:
    """A line per call: its settings, its versions, and every quantity."""
    keys = list(dict.fromkeys(key for call in calls for key in call.keys))
    known = [name for name in QUANTITIES if any(name in call.quantities for call in calls)]
    with file.open("w", newline="") as content:
        lines = csv.writer(content, lineterminator="\n")
        lines.writerow([*keys, "seed", "profile", "source", "commit", "duration_s", *known])
        for call in calls:
            cells = [_text(call.keys.get(key)) for key in keys]
            cells += [call.seed, call.profile, call.source, call.commit, f"{call.duration_s:g}"]
            values = (call.quantities.get(name) for name in known)
            lines.writerow([*cells, *("" if v is None else f"{v:.6g}" for v in values)])


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
        source=metrics.get("source") or "",
        commit=record["versions"].get("commit", "unknown"),
        duration_s=metrics["duration_s"],
    )


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
