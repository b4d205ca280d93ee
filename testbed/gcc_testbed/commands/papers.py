"""`gcc-testbed papers`: reproduces published results, with a page for each paper.

Calls are made in rounds, each by Snakemake: a thinned grid, then every point once, then the
repeats. However it ends, the same command continues from there; the pages name the calls that they
are made from.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from gcc_testbed.commands.arguments import Parser, jobs, perform
from gcc_testbed.studies.papers import paper
from gcc_testbed.studies.papers.paper import Paper
from gcc_testbed.studies.papers.rounds import Part, hours, make, new_calls, rounds_of
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.support import locks
from gcc_testbed.support.archive import pack
from gcc_testbed.support.errors import EXIT_INTERRUPTED, EXIT_SOME_FAILED, TestbedError
from gcc_testbed.support.output import check_mark
from gcc_testbed.support.processes import interruptible
from gcc_testbed.support.progress import Progress

if TYPE_CHECKING:
    from gcc_testbed.studies.papers.page import Outcome

# Identifies an output directory; one without it is never written to.
MARK = "papers.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed papers`; returns its exit code."""
    return perform(arguments, _parser(), _papers)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed papers",
        usage="%(prog)s [--quick|--full|--near] [NAME...] [--out DIR] [--pages DIR] [--jobs N] "
        "[--draw] [--summary DIR] [--archive FILE] [--dry-run] [--quiet] [-- SNAKEMAKE...]",
        description="Repeats the calls of published papers, with a page for each: our figures, "
        "the published values, ours, and a verdict. Started again, it makes the missing calls. "
        "Arguments after -- are passed to Snakemake.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(paper.names())}")
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--quick", action="store_true", help="a thinned grid, few repeats (default)")
    much.add_argument("--full", action="store_true", help="every point with the papers' repeats")
    much.add_argument(
        "--near",
        action="store_true",
        help="three runs of the points behind a verdict near its bound, of those already made",
    )
    much.add_argument("--smoke", action="store_true", help=argparse.SUPPRESS)
    much.add_argument(
        "--draw", action="store_true", help="only write the pages, from existing calls"
    )
    parser.add_argument("--out", metavar="DIR", default="papers-out", help="default: ./papers-out")
    parser.add_argument(
        "--pages", metavar="DIR", help="directory of the pages (default: OUT/pages)"
    )
    parser.add_argument(
        "--summary", metavar="DIR", help="the verdicts and a picture of each paper, without pages"
    )
    parser.add_argument(
        "--archive", metavar="FILE.tar.xz", help="the pages with their figures and calls, packed"
    )
    parser.add_argument("--jobs", metavar="N", help="calls at a time (default: one per core)")
    parser.add_argument("--dry-run", action="store_true", help="only list the number of calls")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    return parser


def _papers(options: argparse.Namespace, for_snakemake: list[str]) -> int:
    chosen = [paper.load(name) for name in dict.fromkeys(options.names or paper.names())]
    at_a_time = jobs(options.jobs)
    out = Path(options.out)
    pages = Path(options.pages) if options.pages else out / "pages"
    archive = _archive_file(options.archive)
    rounds = _rounds(options, chosen, out, pages)
    if options.dry_run:
        _list(rounds)
        return 0
    _check_output(out)
    if rounds:
        runner.check_installed()
    interruptible()
    with nullcontext() if options.draw else locks.only_one(out):
        progress = Progress(options.quiet)
        failed = 0
        try:
            for title, parts in rounds:
                progress.step(f"papers: {title}")
                for part in parts:
                    failed += make(part, out, at_a_time, for_snakemake, progress)
                _write_pages(chosen, out, pages, progress)
        except KeyboardInterrupt:
            progress.end_line()
            _write_pages(chosen, out, pages, progress)
            print("interrupted: the same command goes on from there", file=sys.stderr)
            return EXIT_INTERRUPTED
        if not rounds:
            _write_pages(chosen, out, pages, progress)
        if options.summary:
            _write_summary(out, pages, Path(options.summary))
        if archive is not None:
            pack(pages, archive)
        print(f"pages: {pages / 'README.md'}")
        return EXIT_SOME_FAILED if failed else 0


def _rounds(
    options: argparse.Namespace, chosen: list[Paper], out: Path, pages: Path
) -> list[tuple[str, list[Part]]]:
    if options.draw:
        return []
    if not options.near:
        return list(rounds_of(chosen, full=options.full, smoke=options.smoke))
    # Reading calls takes numpy, which a fresh checkout may not have yet.
    from gcc_testbed.studies.papers.near import near_bounds

    parts = []
    for outcome in _outcomes(chosen, out, pages):
        parts += near_bounds(outcome.paper, outcome.judged(), outcome.calls_by_sweep)
    return [("points near a bound", parts)]


def _list(rounds: list[tuple[str, list[Part]]]) -> None:
    seen: set[tuple[str, ...]] = set()
    for title, parts in rounds:
        print(title)
        for part in parts:
            new = new_calls(part, seen)
            seen |= new
            if new:
                share = len(new) / len(part.runs)
                name = f"{part.paper.name}/{part.sweep.name}"
                print(f"  {name}: {len(new)} calls, {share * hours(part.runs):.1f} call-hours")
    print(f"{len(seen)} calls")


def _write_pages(papers: list[Paper], out: Path, pages: Path, progress: Progress) -> None:
    from gcc_testbed.studies.papers import page

    pages.mkdir(parents=True, exist_ok=True)
    found = {
        each.paper.name: each for each in _outcomes(map(paper.load, paper.names()), out, pages)
    }
    for each in papers:
        progress.step(f"page: {pages / each.name}.md")
        page.write(found[each.name], pages)
    page.index(list(found.values()), pages)


def _write_summary(out: Path, pages: Path, folder: Path) -> None:
    from gcc_testbed.studies.papers import page

    page.summary(list(_outcomes(map(paper.load, paper.names()), out, pages)), pages, folder)
    print(f"summary: {folder / page.INDEX}")


def _archive_file(name: str | None) -> Path | None:
    if name is not None and not name.endswith(".tar.xz"):
        raise TestbedError(f"--archive {name}: expected a name that ends with .tar.xz")
    return None if name is None else Path(name)


def _outcomes(papers: Iterable[Paper], out: Path, pages: Path) -> list[Outcome]:
    from gcc_testbed.studies.papers.calls import read_all
    from gcc_testbed.studies.papers.page import Outcome

    return [Outcome(each, read_all(each, out, pages)) for each in papers]


def _check_output(out: Path) -> None:
    """Refuses a directory that holds something else."""
    check_mark(out, MARK, "something else; expected an empty or new directory")
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text(json.dumps({"papers": paper.names()}) + "\n")
