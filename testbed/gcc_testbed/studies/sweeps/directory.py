"""The directory of a sweep: its plan, copies of its scenarios, and removal of stale results."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.run_files import METRICS
from gcc_testbed.studies.sweeps import sweep_file
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run
from gcc_testbed.support import toml_file
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.output import check_mark, write_whole

# A directory without it is never written to.
MARK = "plan.json"
# Kinds of flows that have a video encoder.
_ENCODES = ("gcc", "rtpgccbwe")


def check(out: Path) -> None:
    """Refuses a directory that holds something other than a sweep."""
    check_mark(
        out,
        MARK,
        "something other than a sweep; expected an empty or new directory, or this sweep's",
    )
    if not out.absolute().parent.is_dir():
        raise TestbedError(f"--out {out}: {out.absolute().parent} is not a directory")


def command() -> str:
    """The testbed's command for a shell; GCC_TESTBED_COMMAND overrides it."""
    own = shlex.join([sys.executable, "-m", "gcc_testbed"])
    return os.environ.get("GCC_TESTBED_COMMAND") or own


def write(plan: Plan, out: Path) -> None:
    """Writes the plan and copies the scenarios, so that the directory is self-contained."""
    (out / "scenarios").mkdir(exist_ok=True)
    copies: dict[Path, str] = {}
    changed: set[str] = set()
    for number, scenario in enumerate(plan.scenarios()):
        # A name of the user's may be a pattern of Snakemake, or more than one word.
        stem = sweep_file.for_a_file(scenario.stem) or "scenario"
        name = f"{stem}.toml"
        if f"scenarios/{name}" in copies.values():
            name = f"{stem}-{number}.toml"
        copies[scenario] = f"scenarios/{name}"
        if _write_if_new(out / copies[scenario], scenario.read_bytes()):
            changed.add(copies[scenario])
    runs = []
    for run in plan.runs:
        runs.append(
            {
                "point": run.point,
                "seed": run.seed,
                "keys": run.keys,
                "directory": run.directory,
                "scenario": copies[run.scenario],
                "options": shlex.join([*settings(run), *([] if plan.plots else ["--no-plots"])]),
                "at_most_min": 4 + round(duration_s(run) / 3),
            }
        )
    _forget_stale(out, runs, changed)
    content = {"title": plan.title, "command": command(), "runs": runs}
    _write_if_new(out / MARK, (json.dumps(content, indent=1) + "\n").encode())


def _forget_stale(out: Path, runs: list[dict[str, Any]], changed: set[str]) -> None:
    """Removes the metrics of calls whose settings or scenario changed."""
    try:
        before = json.loads((out / MARK).read_text())["runs"]
    except (OSError, ValueError, KeyError):
        return
    as_before = {(run["directory"], run["options"], run["scenario"]) for run in before}
    for run in runs:
        known = (run["directory"], run["options"], run["scenario"]) in as_before
        if not known or run["scenario"] in changed:
            (out / run["directory"] / METRICS).unlink(missing_ok=True)


def settings(run: Run) -> list[str]:
    """The options of `gcc-testbed run` by which a call differs from its scenario file.

    Files that are named relative to the scenario get their absolute paths: its copy is elsewhere.
    """
    changes = [sweep_file.option(key, value) for key, value in run.settings.items()]
    data = toml_file.read(run.scenario)
    for change in changes:
        scenario_file.apply_change(data, change)
    for key, name in scenario_file.named_files(data):
        if not Path(name).is_absolute():
            changes.append(sweep_file.option(key, str((run.scenario.parent / name).absolute())))
    return [word for change in changes for word in ("--set", change)]


def _flows(scenario: Path) -> list[Any]:
    flows = toml_file.read(scenario).get("flow", [])
    return flows if isinstance(flows, list) else []


def duration_s(run: Run) -> float:
    """How long a call lasts."""
    duration = run.settings.get("duration_s", toml_file.read(run.scenario).get("duration_s", 60))
    return float(duration) if isinstance(duration, int | float) else 60.0


def effort(run: Run) -> float:
    """The cost of a call relative to others: its encoders take as long as all the rest."""
    flows = _flows(run.scenario)
    n_encoders = sum(isinstance(f, dict) and f.get("kind") in _ENCODES for f in flows)
    return duration_s(run) * (1 + n_encoders)


def _write_if_new(file: Path, content: bytes) -> bool:
    """Keeps an unchanged file, whose modification time decides what is rerun."""
    if file.is_file() and file.read_bytes() == content:
        return False
    write_whole(file, content)
    return True
