"""`gcc-testbed stress`: calls drawn where calls go wrong, with each contender.

A call follows from its name, so calls may be made in any order and number.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from gcc_testbed.commands import contenders, drawn_calls
from gcc_testbed.commands.arguments import Parser, perform
from gcc_testbed.commands.drawn_calls import Study
from gcc_testbed.studies.drawn import draws, shaped
from gcc_testbed.studies.drawn.calls import Drawn, name_of, parts_of
from gcc_testbed.studies.drawn.plan import planned
from gcc_testbed.studies.scorecard import calls_file, card
from gcc_testbed.studies.scorecard.calls_file import Call, Key

NAME = "stress"
CALLS = 200


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed stress`; returns its exit code."""
    return perform(arguments, _parser(), _stress)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed stress",
        usage="%(prog)s [NAME...] [--seed S] [--calls N] [--column NAME] [--out DIR] "
        "[--page FILE] [--with FILE] [--cores N] [--draw] [--dry-run] [--quiet] "
        "[-- SNAKEMAKE...]",
        description="Makes calls drawn at random from testbed/data/stress.toml, and a page of "
        "how good they are with each contender of the scorecard. A name, such as s3-017, is always "
        "the same call; s3-017b is that call with other random numbers of the link and of the "
        "sources. Started again, it makes the missing calls. Arguments after -- are passed to "
        "Snakemake.",
    )
    drawn_calls.add_options(parser, NAME, "s3-017", CALLS)
    parser.add_argument(
        "--with",
        dest="elsewhere",
        metavar="FILE.csv",
        help="the calls.csv of a page made elsewhere: its calls are on the page, too, and are not "
        "made again",
    )
    return parser


def _stress(options: argparse.Namespace, for_snakemake: list[str]) -> int:
    out, columns = Path(options.out), card.load().columns
    page = contenders.page_file(options.page, out / f"{NAME}.md")
    elsewhere = calls_file.read(Path(options.elsewhere)) if options.elsewhere else {}
    study = Study(
        NAME,
        out,
        contenders.chosen(card.load(), options.column),
        contenders.number("--cores", options.cores, contenders.AT_A_TIME, 1000),
        for_snakemake,
        planned=lambda names: planned(_drawn(names), columns, out),
        write=lambda names, missing: _write(out, page, elsewhere, names, missing),
        elsewhere=elsewhere,
    )
    names = _names(options)
    if options.dry_run:
        drawn_calls.show(_drawn(names))
        return 0
    return drawn_calls.perform(study, names, draw=options.draw, quiet=options.quiet)


def _names(options: argparse.Namespace) -> list[str]:
    return drawn_calls.names(
        options,
        CALLS,
        partial(parts_of, letter=shaped.LETTER),
        partial(name_of, letter=shaped.LETTER),
    )


def _drawn(names: Iterable[str]) -> list[Drawn]:
    population = draws.load()
    return [shaped.drawn(name, population) for name in names]


def _write(
    out: Path, page: Path, elsewhere: Mapping[Key, Call], known: list[str], missing: dict[str, str]
) -> None:
    """Writes the page of all finished calls."""
    from gcc_testbed.studies.drawn import page as pages
    from gcc_testbed.studies.drawn.results import read

    names = dict.fromkeys([*known, *(key.row for key in elsewhere)])
    columns = card.load().columns
    every = planned(_drawn(names), columns, out)
    results = read(every, out / "calls", missing, elsewhere)
    page.parent.mkdir(parents=True, exist_ok=True)
    pages.write(results, columns, page)
    print(f"page: {page}")
