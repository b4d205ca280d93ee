"""Parsing of arguments, some of them for Snakemake. Standard library only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from gcc_testbed.support.errors import EXIT_BAD_USE, TestbedError

if TYPE_CHECKING:
    Subcommands = argparse._SubParsersAction["Parser"]


class Parser(argparse.ArgumentParser):
    """Reports wrong use as a TestbedError, one line like every other error."""

    def error(self, message: str) -> NoReturn:
        raise TestbedError(message.replace("\n", " "))


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
        print(f"error: {problem}", file=sys.stderr)
        return EXIT_BAD_USE


def jobs(text: str | None) -> int | None:
    """The value of --jobs; None: not given."""
    if text is None:
        return None
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise TestbedError(f"--jobs {text}: expected a whole number, from 1 to 100000")
    return int(text)
