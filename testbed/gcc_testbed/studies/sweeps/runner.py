"""Runs the calls of a plan with Snakemake and the Snakefile beside this module."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from gcc_testbed.scenario.run_files import METRICS
from gcc_testbed.studies.sweeps import directory
from gcc_testbed.studies.sweeps.directory import effort
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run
from gcc_testbed.support import locks
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import TESTBED
from gcc_testbed.support.processes import lines_of, process_group
from gcc_testbed.support.progress import Progress
from gcc_testbed.support.python_packages import prepare_sweeps

SNAKEFILE = Path(__file__).with_name("Snakefile")
LOG = "snakemake.log"
# Snakemake cancels what runs elsewhere when it is interrupted; that takes a moment.
CANCEL_S = 20.0
# Options of Snakemake that say where calls run, and how many at a time.
_PLACING = ("-e", "--executor", "-j", "--jobs", "-c", "--cores", "--profile", "--workflow-profile")


def check_installed() -> None:
    """A TestbedError when Snakemake is missing."""
    if importlib.util.find_spec("snakemake") is None:
        raise TestbedError(f"Snakemake is missing; install it: {prepare_sweeps()}")


def run(
    plan: Plan, out: Path, at_a_time: int | None, for_snakemake: list[str], progress: Progress
) -> int:
    """Runs the missing calls of a plan in a directory held by `only_one`; an exit code."""
    directory.write(plan, out)
    return _run(plan, out, snakemake(at_a_time, out, for_snakemake), progress)


def make(
    plan: Plan,
    runs: Sequence[Run],
    out: Path,
    at_a_time: int | None,
    for_snakemake: list[str],
    progress: Progress,
) -> None:
    """Makes some runs of a plan, those that are missing, in the directory of the whole plan."""
    directory.check(out)
    targets = [f"{run.directory}/{METRICS}" for run in runs]
    with only_one(out):
        directory.write(plan, out)
        command = snakemake(at_a_time, out, [*targets, *for_snakemake])
        _run(Plan(plan.title, tuple(runs)), out, command, progress)


def snakemake(jobs: int | None, out: Path, more: list[str]) -> list[str]:
    """The command that runs the plan in `out`, with the user's own arguments last."""
    placed = any(word.split("=")[0] in _PLACING for word in more)
    return [
        *(sys.executable, "-m", "snakemake"),
        *("--snakefile", str(SNAKEFILE), "--directory", str(out)),
        *(() if placed else ("--cores", str(jobs or _cores()))),
        *(("--jobs", str(jobs)) if placed and jobs else ()),
        "--keep-going",
        "--rerun-incomplete",
        # Results of changed settings are gone; a new version of the testbed is no reason to rerun.
        *("--rerun-triggers", "mtime"),
        # `only_one` is released however the process ends; Snakemake's lock survives SIGKILL.
        "--nolock",
        # The calls are independent: no solver is needed to order them.
        *("--scheduler", "greedy"),
        *more,
    ]


def _cores() -> int:
    return len(os.sched_getaffinity(0))


@contextlib.contextmanager
def only_one(out: Path) -> Iterator[None]:
    """One sweep per directory."""
    out.mkdir(exist_ok=True)
    with locks.only_one(out):
        yield


def _run(plan: Plan, out: Path, command: list[str], progress: Progress) -> int:
    """Runs Snakemake with progress, and leaves no process running; its exit code."""
    shown = _Shown(plan, out, progress)
    environment = {**os.environ, "PYTHONPATH": _python_path()}
    with (out / LOG).open("wb") as log, process_group(command, environment) as child:
        try:
            for line in lines_of(child, log, lambda: 1.0):
                if line is None:
                    shown.update()
                else:
                    shown.line(line)
            code = child.wait()
        except KeyboardInterrupt:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGINT)
            # A second interrupt does not wait.
            with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
                child.wait(timeout=CANCEL_S)
            raise
    progress.end_line()
    return code


def _python_path() -> str:
    """PYTHONPATH with this package, which may not be installed."""
    return os.pathsep.join([str(TESTBED), *filter(None, [os.environ.get("PYTHONPATH")])])


class _Shown:
    """The progress of a sweep, from the results that exist."""

    EVERY_S = 2.0

    def __init__(self, plan: Plan, out: Path, progress: Progress) -> None:
        self._progress = progress
        self._total = len(plan.runs)
        self._weights = {out / run.directory / "metrics.json": effort(run) for run in plan.runs}
        self._left = dict(self._weights)
        self._failed = 0
        self._began = time.monotonic()
        self._next = 0.0
        self._there = 0.0
        self._look()
        self._there = sum(self._weights.values()) - sum(self._left.values())
        done = self._total - len(self._left)
        already = f", {done} of them already made" if done else ""
        progress.step(f"sweep: {self._total} calls{already}")

    def line(self, text: str) -> None:
        """Reads a line of Snakemake's output."""
        if text.startswith("Error in rule call"):
            self._failed += 1

    def update(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self.EVERY_S
        self._look()
        total, left = sum(self._weights.values()), sum(self._left.values())
        done = self._total - len(self._left)
        detail = f"  {done} of {self._total} calls"
        if self._failed:
            detail += f", {self._failed} failed"
        finished = total - left - self._there
        if finished > 0:
            detail += f", about {_duration((now - self._began) * left / finished)} left"
        self._progress.advance("sweep", 1 - left / total if total else 1.0, detail)

    def _look(self) -> None:
        self._left = {file: weight for file, weight in self._left.items() if not file.is_file()}


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
