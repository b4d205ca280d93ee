"""`gcc-testbed paths`: calls on recordings of paths, with each contender and the possible.

A call follows from its name and the folder of recordings.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from gcc_testbed.commands import contenders, drawn_calls
from gcc_testbed.commands.arguments import Parser, perform
from gcc_testbed.commands.drawn_calls import Study
from gcc_testbed.studies.drawn.calls import Drawn, parts_of
from gcc_testbed.studies.drawn.plan import Planned, planned
from gcc_testbed.studies.paths import calls, encoded, folder
from gcc_testbed.studies.paths.calls import Source
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.scorecard.card import Column
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
    out, contestants = Path(options.out), card.load()
    page = contenders.page_file(options.page, out / f"{NAME}.md")
    source = calls.load(Path(options.recordings))
    columns = contenders.chosen(contestants, options.column)

    def plan(names: Iterable[str]) -> list[Planned]:
        return planned((_drawn(name, source) for name in names), contestants.columns, out)

    study = Study(
        NAME,
        out,
        columns,
        contenders.number("--cores", options.cores, contenders.AT_A_TIME, 1000),
        for_snakemake,
        planned=plan,
        write=_writer(out, page, _recordings(Path(options.recordings)), plan, columns),
        recordings=folder.digest(Path(options.recordings)),
    )
    names = _names(options, columns)
    found = [_drawn(name, source) for name in names]
    calls.check(found)
    if options.dry_run:
        drawn_calls.show(found)
        return 0
    return drawn_calls.perform(study, names, draw=options.draw, quiet=options.quiet)


def _names(options: argparse.Namespace, columns: tuple[Column, ...]) -> list[str]:
    """The calls that are asked for.

    With a contender that needs a real encoder some are made with one by all, to compare them.
    """
    names = drawn_calls.names(options, CALLS, _check, calls.name_of)
    if options.names or not any(map(_needs_encoder, columns)):
        return names
    return [*names, *encoded.names(names)]


def _needs_encoder(column: Column) -> bool:
    return "kind" in column.flow


def _check(name: str) -> None:
    parts_of(name, encoded.LETTER if encoded.has(name) else calls.LETTER)


def _drawn(name: str, source: Source) -> Drawn:
    return encoded.drawn(name, source) if encoded.has(name) else calls.drawn(name, source)


def _writer(
    out: Path,
    page: Path,
    recordings: str,
    plan: Callable[[Iterable[str]], list[Planned]],
    columns: tuple[Column, ...],
) -> Callable[[list[str], dict[str, str]], None]:
    """The function that writes the page of the calls of these names."""
    from gcc_testbed.studies.paths import page as pages
    from gcc_testbed.studies.paths.oracle import Oracles
    from gcc_testbed.studies.paths.results import read

    oracles = Oracles()

    def write(names: list[str], missing: dict[str, str]) -> None:
        # A page that is only drawn says it, too, of those that need no plugin to be asked.
        left = missing or contenders.missing(filter(_needs_encoder, columns))
        modelled, filmed = (
            read(plan(of), out / "calls", left, oracles) for of in encoded.apart(names)
        )
        commits.check(page, (*modelled.commits, *filmed.commits))
        page.parent.mkdir(parents=True, exist_ok=True)
        pages.write(modelled, filmed, page, recordings)
        print(f"page: {page}")

    return write


def _recordings(directory: Path) -> str:
    """The folder in words: a page has no paths of this machine."""
    if directory == folder.RECORDINGS:
        return "the synthetic recordings that come with the testbed"
    count = sum(len(named) for named in folder.recordings(directory).values())
    return f"the {count} recordings of `{directory.name}`"
