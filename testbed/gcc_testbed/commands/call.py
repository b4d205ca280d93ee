"""`gcc-testbed call`, `run`, `report` and `list`: one call, and the scenarios there are.

Until the options are right, only the standard library is imported.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from gcc_testbed.commands.call_options import add_options, scenario_from
from gcc_testbed.run.sequences import probe
from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.flows import NAMED_SEQUENCES
from gcc_testbed.scenario.scenario import WORLDS, Scenario
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.output import MARK
from gcc_testbed.support.output import check as check_output
from gcc_testbed.support.progress import Progress

if TYPE_CHECKING:
    from gcc_testbed.commands.arguments import Subcommands


def add_commands(commands: Subcommands) -> None:
    """The commands with their options; each sets `do`."""
    call = commands.add_parser(
        "call",
        help="one video call over a shaped link",
        description="Makes one video call over a shaped link and shows the results: a "
        "summary, a picture, a report, the traces and the packet captures.",
        # Users of call.sh see its name.
        prog=os.environ.get("GCC_TESTBED_CALL_NAME"),
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=30, width=96),
    )
    add_options(call)
    # call.sh checks the options before it installs anything.
    call.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    # ... and unpacks the video while the kernel is built.
    call.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    call.set_defaults(do=_call, plots=True)

    run = commands.add_parser(
        "run",
        help="one scenario, from a TOML file",
        description="Makes the call that a scenario file describes (docs/testbed.md) and shows the "
        "results.",
    )
    run.add_argument(
        "scenario", metavar="SCENARIO", help="a TOML file, or a name that `list` shows"
    )
    run.add_argument(
        "--out",
        metavar="DIR",
        help="directory for the results; an earlier run's is replaced (default: ./NAME-out)",
    )
    run.add_argument("--seed", metavar="N", help="overrides the scenario's")
    run.add_argument("--world", metavar="|".join(WORLDS), help="overrides the scenario's")
    run.add_argument(
        "--set",
        dest="changes",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="changes one key, like link.forward.rate_kbps=2000 or flow[0].profile=rmcat-2016; "
        "may be repeated",
    )
    run.add_argument("--check", action="store_true", help="only check the scenario")
    run.add_argument(
        "--no-plots",
        dest="plots",
        action="store_false",
        help="no plots and no report, which take longer to draw than some calls to measure",
    )
    run.add_argument("--quiet", action="store_true", help="no progress, only the summary")
    run.set_defaults(do=_run)

    again = commands.add_parser(
        "report",
        help="metrics, plots and report again, from a run's directory",
        description="Measures and draws a call again, from the files in its directory alone, and "
        "writes metrics.json, per-second.csv, call.png, figures and report.html there anew.",
    )
    again.add_argument(
        "directory",
        metavar="DIR",
        help=f"where `call` or `run` has written its results: it has a {MARK}",
    )
    again.set_defaults(do=_report)

    shown = commands.add_parser(
        "list",
        help="the scenarios that come with the testbed",
        description="Shows the scenarios that come with the testbed, a line each: the name, which "
        "`run` takes in place of a file, and the title.",
    )
    shown.set_defaults(do=_list)

    schema = commands.add_parser(
        "schema",
        help="the JSON schema of scenario files, for editors",
        description="Shows the JSON schema of scenario files, by which an editor completes and "
        "checks them: `#:schema FILE` is the first line of such a TOML file.",
    )
    schema.set_defaults(do=_schema)


def _call(options: argparse.Namespace) -> int:
    scenario = scenario_from(options)
    if options.prepare:
        return _prepare(scenario, Progress(options.quiet))
    return _make(scenario, Path(options.out), options)


def _prepare(scenario: Scenario, progress: Progress) -> int:
    # matplotlib lists this machine's fonts when it is first imported.
    from gcc_testbed.commands.make_call import sequences_of
    from gcc_testbed.support.processes import interruptible

    interruptible()
    sequences_of(scenario, progress)
    progress.end_line()
    return 0


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
        # On a machine without ffprobe the check is left until it is installed.
        if wanted not in NAMED_SEQUENCES and shutil.which("ffprobe"):
            probe(Path(wanted))
    if options.check:
        return 0

    from gcc_testbed.commands.make_call import run_call
    from gcc_testbed.report.page import summary
    from gcc_testbed.support.processes import interruptible

    interruptible()
    measured = run_call(scenario, out, Progress(options.quiet), plots=options.plots)
    print(summary(measured))
    files = ("report.html", "call.png", "metrics.json") if options.plots else ("metrics.json",)
    print(f"results: {', '.join(f'{out}/{file}' for file in files)}")
    return 0


def _report(options: argparse.Namespace) -> int:
    directory = Path(options.directory)
    if not (directory / MARK).is_file():
        raise TestbedError(f"{directory}: expected the directory of a run, with its {MARK}")

    from gcc_testbed.commands.make_call import evaluate
    from gcc_testbed.report.page import summary

    print(summary(evaluate(directory, Progress())))
    print(f"results: {directory}/report.html, {directory}/call.png, {directory}/metrics.json")
    return 0


def _list(_: argparse.Namespace) -> int:
    found = scenario_file.shipped()
    width = max((len(name) for name, _ in found), default=0)
    for name, title in found:
        print(f"{name:{width}}  {title}")
    return 0


def _schema(_: argparse.Namespace) -> int:
    print(json.dumps(scenario_file.schema(), indent=2))
    return 0
