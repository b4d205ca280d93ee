"""`gcc-testbed stress` and `gcc-testbed ordinary`: drawn calls, with each contender.

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
from gcc_testbed.studies.drawn.plan import Planned, planned
from gcc_testbed.studies.drawn.series import Series
from gcc_testbed.studies.scorecard import calls_file, card
from gcc_testbed.studies.scorecard.calls_file import Call, Key
from gcc_testbed.support import commits


def main(series: Series, arguments: Sequence[str] | None = None) -> int:
    """The command of a series; returns its exit code."""
    return perform(arguments, _parser(series), partial(_make, series))


def _parser(series: Series) -> argparse.ArgumentParser:
    example = series.name_of(3, 17)
    parser = Parser(
        prog=f"gcc-testbed {series.name}",
        usage="%(prog)s [NAME...] [--seed S] [--calls N] [--column NAME] [--out DIR] "
        "[--page FILE] [--with FILE] [--cores N] [--draw] [--dry-run] [--quiet] "
        "[-- SNAKEMAKE...]",
        description=f"Makes calls drawn at random from testbed/data/{series.file.name}, and a page "
        "of how good they are with each contender of the scorecard. A name, such as "
        f"{example}, is always the same call; {example}b is that call with other random numbers of "
        "the link and of the sources. Started again, it makes the missing calls. Arguments after "
        "-- are passed to Snakemake.",
    )
    drawn_calls.add_options(parser, series.name, example, series.calls)
    parser.add_argument(
        "--with",
        dest="elsewhere",
        metavar="FILE.csv",
        help="the calls.csv of a page made elsewhere: its calls are on the page, too, and are not "
        "made again",
    )
    return parser


def _make(series: Series, options: argparse.Namespace, for_snakemake: list[str]) -> int:
    out = Path(options.out)
    page = contenders.page_file(options.page, out / f"{series.name}.md")
    elsewhere = calls_file.read(Path(options.elsewhere)) if options.elsewhere else {}
    study = Study(
        series.name,
        out,
        contenders.chosen(card.load(), options.column),
        contenders.number("--cores", options.cores, contenders.AT_A_TIME, 1000),
        for_snakemake,
        planned=lambda names: _planned(series, names, out),
        write=lambda names, missing: _write(series, out, page, elsewhere, names, missing),
        elsewhere=elsewhere,
    )
    names = drawn_calls.names(options, series.calls, series.check, series.name_of)
    if options.dry_run:
        drawn_calls.show(series.drawn(names))
        return 0
    return drawn_calls.perform(study, names, draw=options.draw, quiet=options.quiet)


def _planned(series: Series, names: Iterable[str], out: Path) -> list[Planned]:
    return planned(series.drawn(names), card.load().columns, out)


def _write(
    series: Series,
    out: Path,
    page: Path,
    elsewhere: Mapping[Key, Call],
    known: list[str],
    missing: dict[str, str],
) -> None:
    """Writes the page of all finished calls."""
    from gcc_testbed.studies.drawn import page as pages
    from gcc_testbed.studies.drawn.results import read

    names = dict.fromkeys([*known, *(key.row for key in elsewhere)])
    results = read(_planned(series, names, out), out / "calls", missing, elsewhere)
    commits.check(page, results.commits)
    page.parent.mkdir(parents=True, exist_ok=True)
    pages.write(results, series, card.load().columns, page)
    print(f"page: {page}")
