"""`gcc-testbed papers`: the published results made again, with a page for each paper.

Rounds of calls, each through Snakemake, the most telling first: a thinned grid, then every point
once, then the repeats. However it ends, the same command goes on from there, and the pages say what
they stand on.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gcc_testbed import paper, sweep
from gcc_testbed.command import Parser, perform
from gcc_testbed.errors import EXIT_INTERRUPTED, EXIT_SOME_FAILED, TestbedError
from gcc_testbed.output import check_mark
from gcc_testbed.paper import Calls, Paper
from gcc_testbed.processes import interruptible
from gcc_testbed.progress import Progress
from gcc_testbed.sweep_plan import Run

# What the outputs begin with; nothing without it is ever written to.
MARK = "papers.json"
SMOKE_S = 10
CAPTURES = ("a.pcap", "b.pcap", "repaired.pcap", "repaired-backward.pcap")


@dataclass(frozen=True)
class Part:
    """Some calls of one sweep of one paper."""

    paper: Paper
    calls: Calls
    runs: tuple[Run, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed papers`; returns its exit code."""
    return perform(arguments, _parser(), _papers)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed papers",
        usage="%(prog)s [--quick|--full] [NAME...] [--out DIR] [--pages DIR] [--jobs N] "
        "[--draw] [--dry-run] [--quiet] [-- SNAKEMAKE...]",
        description="Makes the calls of published papers again, and a page for each: our figures, "
        "the published values, ours, and a verdict. Started again, it makes what is missing. Words "
        "after -- go to Snakemake.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(paper.names())}")
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--quick", action="store_true", help="a thinned grid, few repeats (default)")
    much.add_argument("--full", action="store_true", help="every point with the papers' repeats")
    much.add_argument("--smoke", action="store_true", help=argparse.SUPPRESS)
    much.add_argument("--draw", action="store_true", help="only the pages, from what was made")
    parser.add_argument("--out", metavar="DIR", default="papers-out", help="default: ./papers-out")
    parser.add_argument(
        "--pages", metavar="DIR", help="directory of the pages (default: OUT/pages)"
    )
    parser.add_argument("--jobs", metavar="N", help="calls at a time (default: one per core)")
    parser.add_argument("--dry-run", action="store_true", help="only list how many calls")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    return parser


def _papers(options: argparse.Namespace, for_snakemake: list[str]) -> int:
    chosen = [paper.load(name) for name in dict.fromkeys(options.names or paper.names())]
    jobs = sweep.jobs(options.jobs)
    rounds = [] if options.draw else list(rounds_of(chosen, options))
    if options.dry_run:
        _list(rounds)
        return 0
    out = Path(options.out)
    pages = Path(options.pages) if options.pages else out / "pages"
    _check_output(out)
    if rounds and importlib.util.find_spec("snakemake") is None:
        raise TestbedError(
            "Snakemake is missing; install it: "
            f"{sys.executable} -m pip install 'snakemake>=8.30,<10'"
        )
    interruptible()
    progress = Progress(options.quiet)
    failed = 0
    try:
        for title, parts in rounds:
            progress.step(f"papers: {title}")
            for part in parts:
                failed += _make(part, out, jobs, for_snakemake, progress)
            _write_pages(chosen, out, pages, progress)
    except KeyboardInterrupt:
        progress.end_line()
        _write_pages(chosen, out, pages, progress)
        print("interrupted: the same command goes on from there", file=sys.stderr)
        return EXIT_INTERRUPTED
    if not rounds:
        _write_pages(chosen, out, pages, progress)
    print(f"pages: {pages / 'README.md'}")
    return EXIT_SOME_FAILED if failed else 0


def rounds_of(papers: list[Paper], options: argparse.Namespace) -> Iterator[tuple[str, list[Part]]]:
    """(title, calls) of each round, in the order in which they tell most."""
    everything = [(each, calls) for each in papers for calls in each.calls]
    if options.smoke:
        yield (
            "smoke",
            [Part(each, calls, (_shortened(calls),)) for each, calls in everything if calls.smoke],
        )
        return
    yield "quick", [Part(each, calls, tuple(calls.quickly())) for each, calls in everything]
    if not options.full:
        return
    for seed in range(1, 1 + max(calls.repeats() for _, calls in everything)):
        parts = [
            Part(each, calls, tuple(run for run in calls.plan.runs if run.seed == seed))
            for each, calls in everything
        ]
        yield f"run {seed} of every point", [part for part in parts if part.runs]


def _shortened(calls: Calls) -> Run:
    """The smoke test's call: one point, over in no time."""
    run = next(run for run in calls.plan.runs if paper.is_chosen(run.keys, calls.smoke or {}))
    return replace(run, settings={**run.settings, "duration_s": SMOKE_S, "measure_from_s": 0})


def _list(rounds: list[tuple[str, list[Part]]]) -> None:
    seen: set[tuple[str, str, str, int]] = set()
    for title, parts in rounds:
        print(title)
        for part in parts:
            new = {
                (part.paper.name, part.calls.sweep, run.point, run.seed) for run in part.runs
            } - seen
            seen |= new
            if new:
                hours = sum(sweep.duration_s(r) for r in part.runs) / 3600
                hours *= len(new) / len(part.runs)
                name = f"{part.paper.name}/{part.calls.sweep}"
                print(f"  {name}: {len(new)} calls, {hours:.1f} call-hours")
    print(f"{len(seen)} calls")


def _make(
    part: Part, out: Path, jobs: int | None, for_snakemake: list[str], progress: Progress
) -> int:
    """Makes a part's calls where they are missing; how many could not be made."""
    directory = out / part.paper.name / part.calls.sweep
    directory.parent.mkdir(parents=True, exist_ok=True)
    if all((directory / run.directory / "metrics.json").is_file() for run in part.runs):
        return 0
    progress.step(f"{part.paper.name}: {part.calls.plan.title}")
    plan = part.calls.plan
    if any(run not in plan.runs for run in part.runs):
        plan = replace(plan, runs=part.runs)
    sweep.make(plan, part.runs, directory, jobs, for_snakemake, progress)
    missing = [r for r in part.runs if not (directory / r.directory / "metrics.json").is_file()]
    for run in missing:
        print(f"failed: {part.paper.name} {run.point} seed {run.seed}: {directory / run.log}")
    for run in part.runs:
        # What takes room, and nothing here needs again.
        for name in CAPTURES:
            (directory / run.directory / name).unlink(missing_ok=True)
    return len(missing)


def _write_pages(papers: list[Paper], out: Path, pages: Path, progress: Progress) -> None:
    from gcc_testbed import made, paper_page

    pages.mkdir(parents=True, exist_ok=True)
    found = {}
    for each in map(paper.load, paper.names()):
        found[each.name] = paper_page.Outcome(
            each,
            {calls.sweep: made.read(calls, out / each.name / calls.sweep) for calls in each.calls},
        )
    for each in papers:
        progress.step(f"page: {pages / each.name}.md")
        paper_page.write(found[each.name], pages)
    paper_page.index(list(found.values()), pages)


def _check_output(out: Path) -> None:
    """Refuses a directory that holds something else."""
    check_mark(out, MARK, "something else; expected an empty or new directory")
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text(json.dumps({"papers": paper.names()}) + "\n")
