"""What commands that hand words on to Snakemake have in common. Standard library only."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from gcc_testbed.errors import EXIT_BAD_USE, TestbedError


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
