"""`gcc-testbed paths`: calls on recordings of paths, with each contender and the possible.

A call follows from its name and the folder of recordings.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from gcc_testbed.commands import contenders, drawn_calls
from gcc_testbed.commands.arguments import Parser, perform
from gcc_testbed.commands.drawn_calls import Study
from gcc_testbed.studies.drawn.calls import parts_of
from gcc_testbed.studies.drawn.plan import Planned, planned
from gcc_testbed.studies.paths import calls, folder
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.scorecard.card import Card
from gcc_testbed.support import commits

NAME = "paths"
CALLS = 150


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed paths`; returns its exit code."""
    return perform(arguments, _parser(), _paths)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed paths",
        usage="%(prog)s [NAME...] [--seed S] [--calls N] [--recordings DIR] [--column NAME] "
        "[--out DIR] [--page FILE] [--cores N] [--draw] [--dry-run] [--quiet] [-- SNAKEMAKE...]",
        description="Makes calls of 60 s on recordings of paths, with what else such a call has "
        "drawn at random from testbed/data/paths.toml, and a page of how far each contender is "
        "from the possible: a sender that knows the recording. A name, such as p3-017, is always "
        "the same call of the same recordings. Started again, it makes the missing calls. "
        "Arguments after -- are passed to Snakemake.",
    )
    drawn_calls.add_options(parser, NAME, "p3-017", CALLS)
    parser.add_argument(
        "--recordings",
        metavar="DIR",
        default=str(folder.RECORDINGS),
        help="files such as wifi-1.csv.gz, whose kind is what is before the first dash: "
        f"{', '.join(name for names in folder.KINDS.values() for name in names)} "
        "(default: synthetic ones that come with the testbed)",
    )
    return parser


def _paths(options: argparse.Namespace, for_snakemake: list[str]) -> int:
    out, contestants = Path(options.out), _contenders()
    page = contenders.page_file(options.page, out / f"{NAME}.md")
    source = calls.load(Path(options.recordings))

    def plan(names: Sequence[str]) -> list[Planned]:
        return planned((calls.drawn(name, source) for name in names), contestants.columns, out)

    def write(names: list[str], missing: dict[str, str]) -> None:
        from gcc_testbed.studies.paths import page as pages
        from gcc_testbed.studies.paths.results import read

        results = read(plan(names), out / "calls", missing)
        commits.check(page, results.commits)
        page.parent.mkdir(parents=True, exist_ok=True)
        pages.write(results, page, _recordings(Path(options.recordings)))
        print(f"page: {page}")

    study = Study(
        NAME,
        out,
        contenders.chosen(contestants, options.column),
        contenders.number("--cores", options.cores, contenders.AT_A_TIME, 1000),
        for_snakemake,
        planned=lambda names: plan(list(names)),
        write=write,
    )
    check = partial(parts_of, letter=calls.LETTER)
    names = drawn_calls.names(options, CALLS, check, calls.name_of)
    found = [calls.drawn(name, source) for name in names]
    calls.check(found)
    if options.dry_run:
        drawn_calls.show(found)
        return 0
    return drawn_calls.perform(study, names, draw=options.draw, quiet=options.quiet)


def _contenders() -> Card:
    """The card, with the contenders whose flows can have the traffic model."""
    whole = card.load()
    return replace(
        whole, columns=tuple(column for column in whole.columns if "kind" not in column.flow)
    )


def _recordings(directory: Path) -> str:
    """The folder in words: a page has no paths of this machine."""
    if directory == folder.RECORDINGS:
        return "the synthetic recordings that come with the testbed"
    count = sum(len(named) for named in folder.recordings(directory).values())
    return f"the {count} recordings of `{directory.name}`"
