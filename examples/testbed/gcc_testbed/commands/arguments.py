"""What commands that hand words on to Snakemake have in common. Standard library only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from gcc_testbed.support.errors import EXIT_BAD_USE, TestbedError

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]


class Parser(argparse.ArgumentParser):
    """Wrong use is a TestbedError: one line, as for everything else that is wrong."""

    def error(self, message: str) -> NoReturn:
        raise TestbedError(message.replace("\n", " "))


def perform(
    arguments: Sequence[str] | None,
    parser: argparse.ArgumentParser,
    do: Callable[[argparse.Namespace, list[str]], int],
) -> int:
    """Does what the words ask for, those behind `--` being Snakemake's; returns the exit code."""
    try:
        words = list(sys.argv[1:] if arguments is None else arguments)
        for_snakemake: list[str] = []
        if "--" in words:
            for_snakemake = words[words.index("--") + 1 :]
            words = words[: words.index("--")]
        return do(parser.parse_args(words), for_snakemake)
    except TestbedError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return EXIT_BAD_USE


def jobs(text: str | None) -> int | None:
    """How many calls at a time, as the user says it."""
    if text is None:
        return None
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise TestbedError(f"--jobs {text}: expected a whole number, from 1 to 100000")
    return int(text)
