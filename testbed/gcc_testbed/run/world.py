"""Common parts of worlds: prepare the run directory, run the experiment, check its end."""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from gcc_testbed.run.experiment import Experiment
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import cache
from gcc_testbed.support.processes import run
from gcc_testbed.support.progress import Progress


class World(Protocol):
    """An environment that can run an experiment."""

    def check(self) -> None:
        """Raises a TestbedError when the world is not available on this machine."""

    def version(self) -> str:
        """The kernel that carries the packets."""

    def command_prefix(self) -> AbstractContextManager[list[str]]:
        """The words before the command, such as taskset with a core that is held during the run."""

    def command(self, experiment: Experiment, scratch: Path) -> list[str]:
        """Writes what is needed into the run directory and returns the command to be run."""

    def environment(self, experiment: Experiment, scratch: Path) -> dict[str, str]:
        """Variables of the command beyond this process's own environment."""

    def timeout_s(self, experiment: Experiment) -> float:
        """Real time in seconds after which the run is taken to have failed."""


def perform(world: World, experiment: Experiment, scratch: Path, progress: Progress) -> list[str]:
    """Runs an experiment in a world; returns the command for the record."""
    experiment.write_inputs()
    command = world.command(experiment, scratch)
    failures: list[str] = []
    done = False

    def on_line(line: str) -> None:
        nonlocal done
        if line.startswith("@time "):
            now, total = float(line[6:]), experiment.scenario.duration_s
            progress.advance("call", now / total, f"  {now:g} of {total:g} s")
        elif line.startswith("@failed "):
            failures.append(line[8:])
        elif line == "@done":
            done = True

    log = experiment.run / "logs" / "world.log"
    with world.command_prefix() as prefix:
        code = run(
            [*prefix, *command],
            log=log,
            timeout_s=world.timeout_s(experiment),
            environment={**os.environ, **world.environment(experiment, scratch)},
            on_line=on_line,
        )
    progress.end_line()
    if not done:
        reason = _reason(failures, code, experiment.run)
        raise TestbedError(f"the call failed: {reason} (logs: {_keep_logs(experiment.run)})")
    return command


def _reason(failures: list[str], code: int, run_directory: Path) -> str:
    if not failures and code < 0:
        return f"its world was killed by {signal.Signals(-code).name}"
    if not failures:
        output = (run_directory / "logs" / "world.log").read_text(errors="replace").strip()
        last = (output.splitlines() or ["nothing"])[-1]
        return f"its world ended early, the last it said was: {last}"
    reason = failures[0].split(", see")[0]
    for log in sorted((run_directory / "logs").glob("*.log")):
        if log.name in failures[0] and (output := log.read_text(errors="replace").strip()):
            lines = output.splitlines()
            errors = [line for line in lines if "ERROR" in line or "erroneous" in line]
            reason = f"{reason}: {(errors or lines)[-1].strip()}"
    return reason


def _keep_logs(run_directory: Path) -> Path:
    """The results of a failed call vanish; the output of its processes is still needed."""
    named = os.environ.get("GCC_TESTBED_FAILED_LOGS")
    kept = Path(named) if named else cache() / "last-failure"
    if not named:
        shutil.rmtree(kept, ignore_errors=True)
    # A directory given by the user may hold other files.
    shutil.copytree(run_directory / "logs", kept, dirs_exist_ok=True)
    return kept
