"""The command line. Until the options are right, only the standard library is imported."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

from gcc_testbed.call import NAMED_SEQUENCES, add_options, scenario_from
from gcc_testbed.errors import TestbedError
from gcc_testbed.output import check as check_output
from gcc_testbed.progress import Progress
from gcc_testbed.sequences import probe

EXIT_BAD_USE = 2
EXIT_INTERRUPTED = 130


class _Parser(argparse.ArgumentParser):
    """argparse, with its complaints in our one-line form."""

    def error(self, message: str) -> NoReturn:
        raise TestbedError(message.replace("\n", " "))


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    main_parser = _Parser(
        prog="gcc_testbed",
        description="Scripted calls over real Linux qdiscs, measured packet by packet.",
    )
    commands = main_parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=_Parser
    )
    call = commands.add_parser(
        "call",
        help="one video call over a shaped link",
        description="Makes one video call over a shaped link and shows what became of it: a "
        "summary, a picture, a report, the traces and the packet captures.",
        # call.sh is what its users typed.
        prog=os.environ.get("GCC_TESTBED_CALL_NAME"),
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=30, width=96),
    )
    add_options(call)
    # For call.sh: are the options right, before anything is installed?
    call.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    return main_parser


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns its exit code."""
    try:
        options = parser().parse_args(arguments)
        return _call(options)
    except TestbedError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return EXIT_BAD_USE
    except KeyboardInterrupt:
        print("\nerror: interrupted; nothing was written", file=sys.stderr)
        return EXIT_INTERRUPTED


def _call(options: argparse.Namespace) -> int:
    scenario = scenario_from(options)
    out = Path(options.out)
    check_output(out)
    for flow in scenario.flows:
        # Without ffprobe (a bare machine) this waits until it is installed.
        if flow.sequence not in NAMED_SEQUENCES and shutil.which("ffprobe"):
            probe(Path(flow.sequence))
    if options.check:
        return 0

    from gcc_testbed.processes import interruptible
    from gcc_testbed.report import summary
    from gcc_testbed.run_call import run_call

    interruptible()
    measured = run_call(scenario, out, Progress(options.quiet))
    print(summary(measured))
    print(f"results: {out}/report.html, {out}/call.png, {out}/metrics.json")
    return 0
