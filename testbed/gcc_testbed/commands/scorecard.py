"""`gcc-testbed scorecard`: one fixed set of calls, with each contender.

Each round makes every call once, with the next seed, by Snakemake: however it ends, the page is
written from what there is, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import nullcontext
from itertools import product
from pathlib import Path

from gcc_testbed.commands import contenders
from gcc_testbed.commands.arguments import Parser, perform
from gcc_testbed.commands.contenders import AT_A_TIME
from gcc_testbed.studies.scorecard import calls_file, card
from gcc_testbed.studies.scorecard.calls_file import Call, Key
from gcc_testbed.studies.scorecard.card import MOST_SEEDS, Card, Column, Row
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.studies.sweeps.directory import duration_s
from gcc_testbed.studies.sweeps.sweep_file import Run
from gcc_testbed.support import commits, locks
from gcc_testbed.support.errors import EXIT_INTERRUPTED, EXIT_SOME_FAILED
from gcc_testbed.support.processes import interruptible
from gcc_testbed.support.progress import Progress

# Identifies an output directory; one without it is never written to.
MARK = "scorecard.json"
PAGE = "scorecard.md"
SEEDS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed scorecard`; returns its exit code."""
    return perform(arguments, _parser(), _scorecard)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed scorecard",
        usage="%(prog)s [NAME...] [--seeds N] [--quick] [--column NAME] [--out DIR] [--page FILE] "
        "[--with FILE] [--cores N] [--card FILE] [--draw] [--dry-run] [--quiet] [-- SNAKEMAKE...]",
        description="Makes one fixed set of calls with our elements and with what else could be "
        "used, and a page of who wins. Started again, it makes the missing calls. Arguments after "
        "-- are passed to Snakemake.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="calls or groups (default: all)")
    parser.add_argument("--seeds", metavar="N", help=f"calls of each kind (default: {SEEDS})")
    parser.add_argument(
        "--quick", action="store_true", help="the calls of the goals only, one seed of each"
    )
    parser.add_argument(
        "--column", action="append", default=[], metavar="NAME", help="only this contender (again)"
    )
    parser.add_argument(
        "--out", metavar="DIR", default="scorecard-out", help="default: ./scorecard-out"
    )
    parser.add_argument("--page", metavar="FILE.md", help=f"the page (default: OUT/{PAGE})")
    parser.add_argument(
        "--with",
        dest="elsewhere",
        metavar="FILE.csv",
        help="the calls.csv of a card made elsewhere: its calls are on the page, too, and are not "
        "made again",
    )
    parser.add_argument("--cores", metavar="N", help=f"calls at a time (default: {AT_A_TIME})")
    parser.add_argument("--card", metavar="FILE", help="another card than the testbed's own")
    parser.add_argument(
        "--draw", action="store_true", help="only write the page, from existing calls"
    )
    parser.add_argument("--dry-run", action="store_true", help="only list the calls")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    return parser


def _scorecard(options: argparse.Namespace, for_snakemake: list[str]) -> int:
    whole = card.load(Path(options.card)) if options.card else card.load()
    rows = whole.chosen(options.names, quick=options.quick)
    columns = contenders.chosen(whole, options.column)
    seeds = contenders.number("--seeds", options.seeds, 1 if options.quick else SEEDS, MOST_SEEDS)
    at_a_time = contenders.number("--cores", options.cores, AT_A_TIME, 1000)
    out = Path(options.out)
    page = contenders.page_file(options.page, out / PAGE)
    elsewhere = calls_file.read(Path(options.elsewhere)) if options.elsewhere else {}
    if options.dry_run:
        _list([_runs(rows, columns, seed, elsewhere) for seed in range(1, seeds + 1)])
        return 0
    contenders.check_output(out, MARK)
    interruptible()
    with nullcontext() if options.draw else locks.only_one(out):
        (out / MARK).write_text("{}\n")
        progress = Progress(options.quiet)
        missing = _missing(rows, columns)
        if options.draw:
            _write(whole, out, page, missing, elsewhere)
            return 0
        runner.check_installed()
        for name, reason in missing.items():
            progress.step(f"left out: {name}: {reason}")
        able_rows = [row for row in rows if row.title not in missing]
        able_columns = [column for column in columns if column.title not in missing]
        plan, failed = card.plan(whole), 0
        try:
            for seed in range(1, seeds + 1):
                runs = _runs(able_rows, able_columns, seed, elsewhere)
                progress.step(f"scorecard: seed {seed} of {seeds}")
                failed += contenders.make(
                    plan, runs, out / "calls", at_a_time, for_snakemake, progress
                )
                _write(whole, out, page, missing, elsewhere)
        except KeyboardInterrupt:
            progress.end_line()
            _write(whole, out, page, missing, elsewhere)
            print("interrupted: the same command goes on from there", file=sys.stderr)
            return EXIT_INTERRUPTED
        return EXIT_SOME_FAILED if failed else 0


def _runs(
    rows: Iterable[Row], columns: Iterable[Column], seed: int, elsewhere: Container[Key]
) -> list[Run]:
    """The calls of a round that were not made elsewhere."""
    return [
        card.run_of(row, column, seed)
        for row, column in product(rows, columns)
        if Key(row.name, column.name, seed) not in elsewhere
    ]


def _list(rounds: list[list[Run]]) -> None:
    runs = [run for each in rounds for run in each]
    for point in dict.fromkeys(run.point for run in runs):
        print(point)
    print(f"{len(runs)} calls ({sum(map(duration_s, runs)) / 3600:.1f} call-hours)")


def _missing(rows: tuple[Row, ...], columns: tuple[Column, ...]) -> dict[str, str]:
    """Contenders, and then calls, that cannot be run here: titles, and the reasons."""
    found: dict[str, str] = {}
    for column in columns:
        problem = contenders.problem_with(column) or card.problem_with(_plainest(rows), column)
        if problem is not None:
            found[column.title] = problem
    able = [column for column in columns if column.title not in found]
    for row in rows:
        for column in able:
            problem = card.problem_with(row, column)
            if problem is not None:
                found[row.title] = problem
                break
    return found


def _plainest(rows: tuple[Row, ...]) -> Row:
    """The row with the fewest keys: if it cannot run, the contender is the cause."""
    return min(rows, key=lambda row: len(row.settings))


def _write(
    whole: Card, out: Path, page: Path, missing: dict[str, str], elsewhere: Mapping[Key, Call]
) -> None:
    from gcc_testbed.studies.scorecard import page as pages
    from gcc_testbed.studies.scorecard.results import read

    results = read(whole, out / "calls", MOST_SEEDS, missing, elsewhere)
    commits.check(page, results.commits)
    page.parent.mkdir(parents=True, exist_ok=True)
    pages.write(results, page)
    print(f"page: {page}")
