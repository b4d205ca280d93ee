"""The command line. Until the options are right, only the standard library is imported."""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import sys
from pathlib import Path

from gcc_testbed import scenario_file
from gcc_testbed.call import add_options, scenario_from
from gcc_testbed.command import Parser
from gcc_testbed.errors import EXIT_BAD_USE, EXIT_INTERRUPTED, TestbedError
from gcc_testbed.output import MARK
from gcc_testbed.output import check as check_output
from gcc_testbed.progress import Progress
from gcc_testbed.scenario import NAMED_SEQUENCES, WORLDS, Scenario
from gcc_testbed.sequences import probe


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    main_parser = Parser(
        prog="gcc-testbed",
        description="Scripted calls over real Linux qdiscs, measured packet by packet.",
    )
    commands = main_parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=Parser
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
    call.set_defaults(do=_call)

    run = commands.add_parser(
        "run",
        help="one scenario, from a TOML file",
        description="Makes the run a scenario file describes (docs/testbed.md) and shows what "
        "became of it.",
    )
    run.add_argument(
        "scenario", metavar="SCENARIO", help="a TOML file, or a name that `list` shows"
    )
    run.add_argument(
        "--out",
        metavar="DIR",
        help="directory for the results; an earlier run's is replaced (default: ./NAME-out)",
    )
    run.add_argument("--seed", metavar="N", help="instead of the scenario's")
    run.add_argument("--world", metavar="|".join(WORLDS), help="instead of the scenario's")
    run.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="changes one key, like link.forward.rate_kbps=2000 or flow[0].profile=rmcat-2016; "
        "may be repeated",
    )
    run.add_argument("--check", action="store_true", help="only say whether the scenario is right")
    run.add_argument("--quiet", action="store_true", help="no progress, only the summary")
    run.set_defaults(do=_run)

    again = commands.add_parser(
        "report",
        help="measures, figures and report again, from a run's directory",
        description="Measures and draws a run again from the files in its directory.",
    )
    again.add_argument("directory", metavar="DIR")
    again.set_defaults(do=_report)

    shown = commands.add_parser("list", help="the scenarios that come with the testbed")
    shown.set_defaults(do=_list)
    commands.add_parser(
        "sweep", help="many runs: a grid over any key, with repeats", add_help=False
    )
    commands.add_parser(
        "papers", help="published results made again, with a page for each paper", add_help=False
    )
    commands.add_parser("doctor", help="what this machine can do, and how to mend what it cannot")
    return main_parser


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        # Commands with options of their own.
        if words[:1] in (["sweep"], ["papers"]):
            return importlib.import_module(f"gcc_testbed.{words[0]}").main(words[1:])
        options = parser().parse_args(words)
        if options.command == "doctor":
            return importlib.import_module("gcc_testbed.doctor").main()
        return options.do(options)
    except TestbedError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return EXIT_BAD_USE
    except KeyboardInterrupt:
        print("\nerror: interrupted; nothing was written", file=sys.stderr)
        return EXIT_INTERRUPTED


def _call(options: argparse.Namespace) -> int:
    return _make(scenario_from(options), Path(options.out), options)


def _run(options: argparse.Namespace) -> int:
    file = scenario_file.find(options.scenario)
    changes = list(options.changes)
    if options.seed is not None:
        changes.append(f"seed={options.seed}")
    if options.world is not None:
        changes.append(f"world={options.world}")
    scenario = scenario_file.load(file, tuple(changes))
    return _make(scenario, Path(options.out or f"{file.stem}-out"), options)


def _make(scenario: Scenario, out: Path, options: argparse.Namespace) -> int:
    check_output(out)
    for wanted in scenario.sequences():
        # Without ffprobe (a bare machine) this waits until it is installed.
        if wanted not in NAMED_SEQUENCES and shutil.which("ffprobe"):
            probe(Path(wanted))
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


def _report(options: argparse.Namespace) -> int:
    directory = Path(options.directory)
    if not (directory / MARK).is_file():
        raise TestbedError(f"{directory}: expected the directory of a run, with its {MARK}")

    from gcc_testbed.report import summary
    from gcc_testbed.run_call import evaluate

    print(summary(evaluate(directory)))
    print(f"results: {directory}/report.html, {directory}/call.png, {directory}/metrics.json")
    return 0


def _list(_: argparse.Namespace) -> int:
    found = scenario_file.shipped()
    width = max((len(name) for name, _ in found), default=0)
    for name, title in found:
        print(f"{name:{width}}  {title}")
    return 0
