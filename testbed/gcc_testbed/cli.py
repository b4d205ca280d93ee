"""The command line: dispatches to a command and returns its exit code."""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from gcc_testbed import __version__
from gcc_testbed.commands.arguments import Parser
from gcc_testbed.commands.call import add_commands
from gcc_testbed.support.errors import (
    EXIT_BAD_USE,
    EXIT_BROKEN_PIPE,
    EXIT_INTERRUPTED,
    TestbedError,
    reason,
    tell,
)
from gcc_testbed.support.python_packages import install, missing

# These parse their own arguments. With each, the extra of pyproject.toml that it needs.
_WITH_OWN_OPTIONS = {
    "sweep": "sweep",
    "papers": "sweep",
    "scorecard": "sweep",
    "stress": "sweep",
    "ordinary": "sweep",
    "paths": "sweep",
    "faults": "",
    "import": "",
    "plot": "",
    "watch": "watch",
    "doctor": "",
}


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    main_parser = Parser(
        prog="gcc-testbed",
        description="Scripted calls over real Linux qdiscs, measured packet by packet.",
    )
    main_parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = main_parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=Parser
    )
    add_commands(commands)
    commands.add_parser(
        "sweep", help="many calls: a grid over scenario keys, with repeats", add_help=False
    )
    commands.add_parser(
        "papers", help="reproduces published results, with a page for each paper", add_help=False
    )
    commands.add_parser(
        "scorecard", help="one fixed set of calls, ours beside what else there is", add_help=False
    )
    commands.add_parser(
        "stress", help="calls drawn where calls go wrong, with each contender", add_help=False
    )
    commands.add_parser(
        "ordinary", help="calls drawn as most people make them, with each contender", add_help=False
    )
    commands.add_parser(
        "paths", help="calls on recordings of paths, and how far from the possible", add_help=False
    )
    commands.add_parser(
        "faults",
        help="what networks and people do to a call, and what becomes of it",
        add_help=False,
    )
    commands.add_parser(
        "import", help="recordings of paths, from iperf3, ping and others", add_help=False
    )
    commands.add_parser(
        "plot", help="a picture of any call, from the elements' traces", add_help=False
    )
    commands.add_parser(
        "watch", help="a call while it runs, from an element's trace", add_help=False
    )
    commands.add_parser(
        "doctor", help="what this machine supports, and how to fix what is missing", add_help=False
    )
    return main_parser


def _run(arguments: list[str]) -> int:
    if arguments and arguments[0] in _WITH_OWN_OPTIONS:
        # A keyword of Python is no name of a module.
        module = arguments[0].replace("import", "import_")
        command = importlib.import_module(f"gcc_testbed.commands.{module}")
        return int(command.main(arguments[1:]))
    options = parser().parse_args(arguments)
    return int(options.do(options))


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        try:
            return _run(words)
        finally:
            # Here, where the error can be told; argparse leaves help to the end of the process.
            sys.stdout.flush()
    except TestbedError as problem:
        tell(problem)
        return EXIT_BAD_USE
    except ModuleNotFoundError as problem:
        # Before the first installation; all that is missing, not the first one found.
        extra = _WITH_OWN_OPTIONS.get(words[0] if words else "", "")
        lacking = missing() + (missing(extra) if extra else [])
        if problem.name not in lacking:
            raise
        tell(f"Python packages are missing: {', '.join(lacking)}; install them: {install(extra)}")
        return EXIT_BAD_USE
    except BrokenPipeError:
        # The reader, such as head, has closed the pipe.
        _write_no_more()
        return EXIT_BROKEN_PIPE
    except OSError as problem:
        # A file that cannot be read or written; without a name, standard output.
        tell(reason(problem))
        _write_no_more()
        return EXIT_BAD_USE
    except KeyboardInterrupt:
        print("\nerror: interrupted; nothing was written", file=sys.stderr)
        return EXIT_INTERRUPTED


def _write_no_more() -> None:
    """Unwritten output would fail again at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
