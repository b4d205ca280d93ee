"""Functions of the commands that make calls with each contender of the card."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from gcc_testbed.commands.arguments import whole_number
from gcc_testbed.run import peer, plugin
from gcc_testbed.scenario.run_files import METRICS, REPAIRED, capture
from gcc_testbed.studies.scorecard.card import Card, Column
from gcc_testbed.studies.sweeps import results, runner
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.output import check_mark
from gcc_testbed.support.progress import Progress

AT_A_TIME = 2


def chosen(card: Card, names: Sequence[str]) -> tuple[Column, ...]:
    """The contenders of these names; without any, all."""
    known = [column.name for column in card.columns]
    for name in names:
        if name not in known:
            raise TestbedError(f"--column {name}: expected one of {', '.join(known)}")
    return tuple(column for column in card.columns if not names or column.name in names)


def number(option: str, text: str | None, default: int, most: int) -> int:
    """The value of an option that counts something."""
    return default if text is None else whole_number(option, text, 1, most)


def page_file(option: str | None, default: Path) -> Path:
    """Where the page goes."""
    page = Path(option) if option else default
    if page.suffix != ".md":
        raise TestbedError(f"--page {page}: expected a file that ends in .md")
    return page


def check_output(out: Path, mark: str) -> None:
    """Refuses a directory that holds something else."""
    check_mark(out, mark, "something else; expected an empty or new directory")
    out.mkdir(parents=True, exist_ok=True)


def missing(columns: Iterable[Column]) -> dict[str, str]:
    """The contenders that this machine cannot run, by title, and why."""
    problems = ((column.title, problem_with(column)) for column in columns)
    return {title: problem for title, problem in problems if problem is not None}


def problem_with(column: Column) -> str | None:
    """Why this machine cannot run a contender."""
    if column.flow.get("kind") == "rtpgccbwe":
        try:
            peer.check()
        except TestbedError as problem:
            return str(problem).partition("; ")[0]
        return None
    profile = column.flow.get("profile")
    if profile is not None and f": {profile} " not in profiles():
        return f"the plugin has no profile {profile}"
    return None


def profiles() -> str:
    """The plugin's profiles, by gst-inspect-1.0."""
    environment = {**os.environ, **plugin.environment()}
    shown = subprocess.run(
        ["gst-inspect-1.0", "gccsender"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return shown.stdout


def make(
    plan: Plan,
    runs: Sequence[Run],
    directory: Path,
    at_a_time: int,
    for_snakemake: list[str],
    progress: Progress,
) -> int:
    """Makes the missing calls among `runs`; the number that failed."""
    if all((directory / run.directory / METRICS).is_file() for run in runs):
        return 0
    runner.make(plan, runs, directory, at_a_time, for_snakemake, progress)
    missing = [run for run in runs if not (directory / run.directory / METRICS).is_file()]
    for run in missing:
        print(f"failed: {run.point} seed {run.seed}: {directory / run.log}")
    for run in runs:
        _forget_packets(directory / run.directory)
    made = [directory / run.directory / METRICS for run in runs if run not in missing]
    results.tell_stand_ins([json.loads(file.read_text(encoding="utf-8")) for file in made])
    return len(missing)


def _forget_packets(run: Path) -> None:
    """Removes the large files that are not read once a call has been measured."""
    received = (file.name for file in run.glob("received-*.gdp"))
    for name in (*map(capture, ("a", "b")), *REPAIRED.values(), *received):
        (run / name).unlink(missing_ok=True)
