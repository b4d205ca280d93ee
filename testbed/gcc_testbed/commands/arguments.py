"""Parsing of arguments, some of them for Snakemake. Standard library only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from gcc_testbed.support.errors import EXIT_BAD_USE, TestbedError, tell

if TYPE_CHECKING:
    Subcommands = argparse._SubParsersAction["Parser"]


class Parser(argparse.ArgumentParser):
    """Reports wrong use as a TestbedError, one line like every other error."""

    def error(self, message: str) -> NoReturn:
        raise TestbedError(message)


def perform(
    arguments: Sequence[str] | None,
    parser: argparse.ArgumentParser,
    do: Callable[[argparse.Namespace, list[str]], int],
) -> int:
    """Parses the arguments, those after `--` for Snakemake, and runs the command; the exit code."""
    try:
        argv = list(sys.argv[1:] if arguments is None else arguments)
        for_snakemake: list[str] = []
        if "--" in argv:
            for_snakemake = argv[argv.index("--") + 1 :]
            argv = argv[: argv.index("--")]
        return do(parser.parse_args(argv), for_snakemake)
    except TestbedError as problem:
        tell(problem)
        return EXIT_BAD_USE


def jobs(text: str | None) -> int | None:
    """The value of --jobs; None: not given."""
    return None if text is None else whole_number("--jobs", text, 1, 100_000)


def whole_number(option: str, text: str, least: int, most: int) -> int:
    """The value of an option that counts something, written in digits alone."""
    # Not int(): it takes digits of every script, and refuses thousands of them.
    fits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not fits or not least <= int(text) <= most:
        raise TestbedError(f"{option} {text}: expected a whole number, from {least} to {most}")
    return int(text)
