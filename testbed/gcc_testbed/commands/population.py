"""`gcc-testbed population`: calls drawn at random, with each contender.

A call follows from its name, so calls may be made in any order and number.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.commands import contenders
from gcc_testbed.commands.arguments import Parser, perform
from gcc_testbed.studies.population import calls, draws
from gcc_testbed.studies.population.calls import MOST_CALLS, Drawn
from gcc_testbed.studies.population.plan import Planned, planned
from gcc_testbed.studies.scorecard import calls_file, card
from gcc_testbed.studies.scorecard.calls_file import Call, Key
from gcc_testbed.studies.scorecard.card import Column
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.studies.sweeps.sweep_file import Plan
from gcc_testbed.support import locks
from gcc_testbed.support.errors import EXIT_INTERRUPTED, EXIT_SOME_FAILED
from gcc_testbed.support.output import write_whole
from gcc_testbed.support.processes import interruptible
from gcc_testbed.support.progress import Progress

# Identifies an output directory, and has the names of all calls that were ever asked for there.
MARK = "population.json"
PAGE = "population.md"
CALLS = 200
MOST_SEED = 999_999
# Time between two writes of the page.
ROUND = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed population`; returns its exit code."""
    return perform(arguments, _parser(), _population)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed population",
        usage="%(prog)s [NAME...] [--seed S] [--calls N] [--column NAME] [--out DIR] "
        "[--page FILE] [--with FILE] [--cores N] [--draw] [--dry-run] [--quiet] "
        "[-- SNAKEMAKE...]",
        description="Makes calls drawn at random from testbed/data/population.toml, and a page of "
        "how good they are with each contender of the scorecard. A name, such as s3-017, is always "
        "the same call; s3-017b is that call with other random numbers of the link and of the "
        "sources. Started again, it makes the missing calls. Arguments after -- are passed to "
        "Snakemake.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="these calls only, such as s3-017")
    parser.add_argument("--seed", metavar="S", help="of the calls that are drawn (default: 1)")
    parser.add_argument("--calls", metavar="N", help=f"how many (default: {CALLS})")
    parser.add_argument(
        "--column", action="append", default=[], metavar="NAME", help="only this contender (again)"
    )
    parser.add_argument(
        "--out", metavar="DIR", default="population-out", help="default: ./population-out"
    )
    parser.add_argument(
        "--page", metavar="FILE.md", help=f"the page, of all calls in OUT (default: OUT/{PAGE})"
    )
    parser.add_argument(
        "--with",
        dest="elsewhere",
        metavar="FILE.csv",
        help="the calls.csv of a page made elsewhere: its calls are on the page, too, and are not "
        "made again",
    )
    parser.add_argument(
        "--cores", metavar="N", help=f"calls at a time (default: {contenders.AT_A_TIME})"
    )
    parser.add_argument(
        "--draw", action="store_true", help="only write the page, from existing calls"
    )
    parser.add_argument("--dry-run", action="store_true", help="only list the calls")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    return parser


@dataclass(frozen=True)
class _Work:
    """The calls to be made, and their directory."""

    out: Path
    page: Path
    elsewhere: Mapping[Key, Call]
    columns: tuple[Column, ...]
    at_a_time: int
    for_snakemake: list[str]


def _population(options: argparse.Namespace, for_snakemake: list[str]) -> int:
    out = Path(options.out)
    work = _Work(
        out,
        contenders.page_file(options.page, out / PAGE),
        calls_file.read(Path(options.elsewhere)) if options.elsewhere else {},
        contenders.chosen(card.load(), options.column),
        contenders.number("--cores", options.cores, contenders.AT_A_TIME, 1000),
        for_snakemake,
    )
    names = _names(options)
    if options.dry_run:
        _list(names)
        return 0
    contenders.check_output(out, MARK)
    interruptible()
    if options.draw:
        _write(work, _known(out), {})
        return 0
    runner.check_installed()
    with locks.only_one(out):
        return _made(work, names, Progress(options.quiet))


def _made(work: _Work, names: list[str], progress: Progress) -> int:
    """Makes calls, in a directory that is held, and remembers their names; the exit code."""
    out = work.out
    known = list(dict.fromkeys([*_known(out), *names]))
    write_whole(out / MARK, f"{json.dumps({'calls': known})}\n".encode())
    return _make(work, names, known, progress)


def _names(options: argparse.Namespace) -> list[str]:
    for name in options.names:
        calls.parts_of(name)
    if options.names:
        return list(dict.fromkeys(options.names))
    seed = contenders.number("--seed", options.seed, 1, MOST_SEED)
    count = contenders.number("--calls", options.calls, CALLS, MOST_CALLS)
    return [calls.name_of(seed, number) for number in range(1, count + 1)]


def _drawn(names: Iterable[str]) -> list[Drawn]:
    population = draws.load()
    return [calls.drawn(name, population) for name in names]


def _list(names: list[str]) -> None:
    found = _drawn(names)
    for call in found:
        print(f"{call.name}  {call.title}")
    hours = sum(call.tables["duration_s"] for call in found) / 3600
    print(f"{len(found)} calls of each contender ({hours:.1f} call-hours)")


def _known(out: Path) -> list[str]:
    """The calls that were ever asked for in a directory."""
    mark = out / MARK
    return list(json.loads(mark.read_text())["calls"]) if mark.is_file() else []


def _make(work: _Work, names: list[str], known: list[str], progress: Progress) -> int:
    """Makes the missing calls, some at a time, and writes the page after each."""
    missing = {
        column.title: problem
        for column in work.columns
        if (problem := contenders.problem_with(column)) is not None
    }
    for title, reason in missing.items():
        progress.step(f"left out: {title}: {reason}")
    # The plan has all that this directory may hold: results of other contenders stay valid.
    every = planned(_drawn(known), card.load().columns, work.out)
    plan = Plan("population", tuple(each.run for each in every), plots=False)
    able = {column.name for column in work.columns if column.title not in missing}
    failed = 0
    try:
        for at in range(0, len(names), ROUND):
            wanted = set(names[at : at + ROUND])
            runs = [
                each.run
                for each in every
                if each.call.name in wanted
                and each.column.name in able
                and _key(each) not in work.elsewhere
            ]
            progress.step(f"population: calls {at + 1} to {at + len(wanted)} of {len(names)}")
            failed += contenders.make(
                plan, runs, work.out / "calls", work.at_a_time, work.for_snakemake, progress
            )
            _write(work, known, missing)
    except KeyboardInterrupt:
        progress.end_line()
        _write(work, known, missing)
        print("interrupted: the same command goes on from there", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_SOME_FAILED if failed else 0


def _key(each: Planned) -> Key:
    return Key(each.call.name, each.column.name, each.call.seed)


def _write(work: _Work, known: list[str], missing: dict[str, str]) -> None:
    """Writes the page of all finished calls."""
    from gcc_testbed.studies.population import page as pages
    from gcc_testbed.studies.population.results import read

    names = dict.fromkeys([*known, *(key.row for key in work.elsewhere)])
    columns = card.load().columns
    every = planned(_drawn(names), columns, work.out)
    results = read(every, work.out / "calls", missing, work.elsewhere)
    work.page.parent.mkdir(parents=True, exist_ok=True)
    pages.write(results, columns, work.page)
    print(f"page: {work.page}")
