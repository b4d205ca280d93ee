"""The calls of papers in rounds: a thinned grid, then every point once, then the repeats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gcc_testbed.scenario import run_files
from gcc_testbed.scenario.run_files import METRICS
from gcc_testbed.studies.papers import paper
from gcc_testbed.studies.papers.paper import Paper, Sweep
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.studies.sweeps.directory import duration_s
from gcc_testbed.studies.sweeps.sweep_file import Run
from gcc_testbed.support.progress import Progress

SMOKE_S = 10
# Large files that are not read once a call has been measured.
CAPTURES = (*map(run_files.capture, ("a", "b")), *run_files.REPAIRED.values())


@dataclass(frozen=True)
class Part:
    """Some calls of one sweep of one paper."""

    paper: Paper
    sweep: Sweep
    runs: tuple[Run, ...]


def rounds_of(papers: list[Paper], *, full: bool, smoke: bool) -> Iterator[tuple[str, list[Part]]]:
    """(title, calls) of each round, the most informative first."""
    everything = [(each, sweep) for each in papers for sweep in each.sweeps]
    if smoke:
        yield (
            "smoke",
            [Part(each, sweep, (_shortened(sweep),)) for each, sweep in everything if sweep.smoke],
        )
        return
    yield "quick", [Part(each, sweep, tuple(sweep.quickly())) for each, sweep in everything]
    if not full:
        return
    for seed in range(1, 1 + max(each.repeats() for _, each in everything)):
        parts = [
            Part(each, sweep, tuple(run for run in sweep.plan.runs if run.seed == seed))
            for each, sweep in everything
        ]
        yield f"run {seed} of every point", [part for part in parts if part.runs]


def new_calls(part: Part, before: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The calls of a part that earlier rounds do not include."""
    named: set[tuple[str, ...]] = {
        (part.paper.name, part.sweep.name, run.point, str(run.seed)) for run in part.runs
    }
    return named - before


def hours(runs: tuple[Run, ...]) -> float:
    return sum(duration_s(run) for run in runs) / 3600


def _shortened(sweep: Sweep) -> Run:
    """The smoke test's call: one point, a few seconds long."""
    run = next(run for run in sweep.plan.runs if paper.is_chosen(run.keys, sweep.smoke or {}))
    return replace(run, settings={**run.settings, "duration_s": SMOKE_S, "measure_from_s": 0})


def make(
    part: Part, out: Path, at_a_time: int | None, for_snakemake: list[str], progress: Progress
) -> int:
    """Makes the missing calls of a part; the number that failed."""
    directory = out / part.paper.name / part.sweep.name
    directory.parent.mkdir(parents=True, exist_ok=True)
    if all((directory / run.directory / METRICS).is_file() for run in part.runs):
        return 0
    progress.step(f"{part.paper.name}: {part.sweep.plan.title}")
    plan = part.sweep.plan
    if any(run not in plan.runs for run in part.runs):
        plan = replace(plan, runs=part.runs)
    runner.make(plan, part.runs, directory, at_a_time, for_snakemake, progress)
    missing = [r for r in part.runs if not (directory / r.directory / METRICS).is_file()]
    for run in missing:
        print(f"failed: {part.paper.name} {run.point} seed {run.seed}: {directory / run.log}")
    for run in part.runs:
        for name in CAPTURES:
            (directory / run.directory / name).unlink(missing_ok=True)
    return len(missing)
