"""`gcc-testbed sweep`: many calls, a grid or a list over scenario keys, with seeds."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from gcc_testbed.commands.arguments import Parser, jobs, perform
from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.flows import MODEL
from gcc_testbed.studies.sweeps import directory, results, runner, sweep_file
from gcc_testbed.studies.sweeps.results import Gathered
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run
from gcc_testbed.support.errors import EXIT_INTERRUPTED, EXIT_SOME_FAILED, TestbedError
from gcc_testbed.support.processes import interruptible
from gcc_testbed.support.progress import Progress

RESULTS = "results.csv"


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed sweep`; returns its exit code."""
    return perform(arguments, _parser(), _sweep)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed sweep",
        usage="%(prog)s SWEEP.toml [--out DIR] [--jobs N] [--dry-run] [--quiet] [-- SNAKEMAKE...]",
        description="Makes every call of a sweep file, as many at a time as there are cores, and "
        "gathers their metrics in DIR/results.csv. Started again, it makes the missing calls. "
        "Arguments after -- are passed to Snakemake, for example --executor slurm --jobs 100.",
    )
    parser.add_argument("sweep", metavar="SWEEP.toml", help="the sweep, see docs/testbed.md")
    parser.add_argument(
        "--out", metavar="DIR", help="directory of the results (default: ./NAME-out)"
    )
    parser.add_argument("--jobs", metavar="N", help="calls at a time (default: one per core)")
    parser.add_argument(
        "--dry-run", action="store_true", help="only list the calls; Snakemake is not needed"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress, only the results")
    return parser


def _sweep(options: argparse.Namespace, for_snakemake: list[str]) -> int:
    file = Path(options.sweep)
    plan = sweep_file.load(file)
    at_a_time = jobs(options.jobs)
    for runs in plan.points().values():
        _check(file, runs[0])
    out = Path(options.out or f"{file.stem}-out")
    if options.dry_run:
        for run in plan.runs:
            print(shlex.join(_command(run)))
        print(f"{len(plan.points())} points, {len(plan.runs)} calls")
        return 0

    directory.check(out)
    runner.check_installed()
    interruptible()
    progress = Progress(options.quiet)
    with runner.only_one(out):
        try:
            code = runner.run(plan, out, at_a_time, for_snakemake, progress)
        except KeyboardInterrupt:
            progress.end_line()
            gathered = _gather(plan, out)
            print(
                f"interrupted: {gathered.done} of {len(plan.runs)} calls are done; "
                "the same command goes on from there",
                file=sys.stderr,
            )
            return EXIT_INTERRUPTED
        gathered = _gather(plan, out)
    if code != 0 and gathered.done == len(plan.runs):
        code = 0  # a call that failed at first and was made again
    if code != 0 and not gathered.failed:
        raise TestbedError(
            f"Snakemake stopped: {_last_words(out / runner.LOG)} (log: {out / runner.LOG})"
        )
    print(results.table(gathered))
    if count := results.modelled(gathered):
        print(f"note: {count} of {gathered.done} calls sent the {MODEL} in place of encoded video")
    results.tell_stand_ins(gathered.metrics)
    for run in gathered.failed:
        print(f"failed: {run.point} seed {run.seed}: {_last_words(out / run.log)}")
        print(f"        log: {out / run.log}")
    if gathered.mixed:
        print(f"note: these calls were not all made by the same {', '.join(gathered.mixed)}")
    print(f"results: {out / RESULTS}")
    return EXIT_SOME_FAILED if gathered.done < len(plan.runs) else 0


def _gather(plan: Plan, out: Path) -> Gathered:
    gathered = results.gather(plan, out)
    results.write_csv(gathered, out / RESULTS)
    return gathered


def _command(run: Run) -> list[str]:
    """The command line that makes one call of the sweep."""
    options = ("--out", run.directory, "--seed", str(run.seed), *directory.settings(run))
    return ["gcc-testbed", "run", str(run.scenario), *options]


def _check(file: Path, run: Run) -> None:
    """A TestbedError when the scenario or a key set in it is wrong, before any call is made."""
    changes = tuple(sweep_file.option(key, value) for key, value in run.settings.items())
    try:
        scenario_file.load(run.scenario, changes)
    except TestbedError as problem:
        raise TestbedError(f"{file}: {run.point}: {problem}") from None


def _last_words(log: Path) -> str:
    try:
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines()]
    except OSError:
        return "it never began"
    errors = [line for line in lines if "error" in line.lower()] or [line for line in lines if line]
    return (errors[-1] if errors else "it said nothing").removeprefix("error: ")
