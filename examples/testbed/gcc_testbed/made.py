"""The calls of a paper that have been made: what was set, what was measured, what made them."""

from __future__ import annotations

import csv
import json
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed import dynamics
from gcc_testbed.measures import MEASURES, Number, of_call
from gcc_testbed.output import MARK
from gcc_testbed.paper import Calls, Choice, is_chosen
from gcc_testbed.sweep_plan import Run, Settings

# Beside a call's metrics: what dynamics.py read from its traces.
DYNAMICS = "dynamics.json"


@dataclass(frozen=True)
class Made:
    """One call."""

    point: str
    keys: Settings
    seed: int
    directory: Path
    measures: dict[str, float]
    profile: str
    source: str
    # Of the project; "unknown" outside a checkout.
    commit: str
    duration_s: float


def read(calls: Calls, out: Path) -> list[Made]:
    """The finished calls of a sweep, in its order."""
    found = (_made(run, out / run.directory) for run in calls.plan.runs)
    return [made for made in found if made is not None]


def chosen(made: Iterable[Made], choice: Choice) -> list[Made]:
    """Those of the points with these values."""
    return [call for call in made if is_chosen(call.keys, choice)]


def by_point(made: Iterable[Made]) -> dict[str, list[Made]]:
    """The repeats of each point."""
    points: dict[str, list[Made]] = {}
    for call in made:
        points.setdefault(call.point, []).append(call)
    return points


def mean(calls: Iterable[Made], measure: str) -> Number:
    """Over the calls that have it."""
    values = [call.measures[measure] for call in calls if measure in call.measures]
    return statistics.fmean(values) if values else None


def deviation(calls: Iterable[Made], measure: str) -> float:
    """The standard deviation over repeats; 0 of a single call."""
    values = [call.measures[measure] for call in calls if measure in call.measures]
    return statistics.stdev(values) if len(values) > 1 else 0.0


def write_csv(made: list[Made], file: Path) -> None:
    """A line per call: what was set, what made it, and every measure."""
    keys = list(dict.fromkeys(key for call in made for key in call.keys))
    known = [name for name in MEASURES if any(name in call.measures for call in made)]
    with file.open("w", newline="") as content:
        lines = csv.writer(content, lineterminator="\n")
        lines.writerow([*keys, "seed", "profile", "source", "commit", "duration_s", *known])
        for call in made:
            told = [_text(call.keys.get(key)) for key in keys]
            told += [call.seed, call.profile, call.source, call.commit, f"{call.duration_s:g}"]
            values = (call.measures.get(name) for name in known)
            lines.writerow([*told, *("" if v is None else f"{v:.6g}" for v in values)])


def _made(run: Run, directory: Path) -> Made | None:
    try:
        metrics = json.loads((directory / "metrics.json").read_text())
        told = json.loads((directory / MARK).read_text())
    except (OSError, ValueError):
        return None
    measured = _with_dynamics(metrics, told["scenario"], directory)
    return Made(
        point=run.point,
        keys=run.keys,
        seed=run.seed,
        directory=directory,
        measures={name: float(value) for name, value in of_call(measured).items()},
        profile=metrics.get("profile") or "",
        source=metrics.get("source") or "",
        commit=told["versions"].get("commit", "unknown"),
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
