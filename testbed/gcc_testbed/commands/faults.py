"""`gcc-testbed faults`: faults of networks and people, and their effect on a call.

The page is written after every call, from the results so far. The same command continues from
there.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path

from gcc_testbed.commands.arguments import Parser, perform, whole_number
from gcc_testbed.scenario.run_files import capture
from gcc_testbed.studies.faults import page
from gcc_testbed.studies.faults.outcome import Outcome, of_run
from gcc_testbed.studies.faults.plan import A_DAY_S, MODES, Fault, chosen, load
from gcc_testbed.support import commits, locks
from gcc_testbed.support.errors import EXIT_SOME_FAILED, TestbedError
from gcc_testbed.support.output import check_mark, write_whole
from gcc_testbed.support.progress import Progress

# Identifies an output directory; one without it is never written to.
MARK = "faults.json"
PAGE = "reliability.md"
OUTCOME = "outcome.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed faults`; returns its exit code."""
    return perform(arguments, _parser(), _faults)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed faults",
        usage="%(prog)s [NAME...] [--quick] [--hours N] [--mode MODE] [--out DIR] [--page FILE] "
        "[--draw]",
        description="Does to calls what networks and people do, with both kinds of feedback, and "
        "writes a page. Fails when a call does not recover or a packet of media is lost by us.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="faults (default: all)")
    parser.add_argument("--quick", action="store_true", help="only the faults of a quick look")
    parser.add_argument("--hours", metavar="N", help="length of the fault `long`, at most 24")
    parser.add_argument("--mode", choices=MODES, help="only this feedback")
    parser.add_argument("--out", metavar="DIR", default="faults-out", help="default: ./faults-out")
    parser.add_argument("--page", metavar="FILE.md", help=f"the page (default: OUT/{PAGE})")
    parser.add_argument("--jobs", metavar="N", default="2", help="calls at a time (default: 2)")
    parser.add_argument("--draw", action="store_true", help="only write the page")
    return parser


def _faults(options: argparse.Namespace, _: list[str]) -> int:
    at_a_time = whole_number("--jobs", options.jobs, 1, 1000)
    everything = tuple(_of_length(fault, options.hours) for fault in load())
    out = Path(options.out)
    page_file = Path(options.page) if options.page else out / PAGE
    check_mark(out, MARK, "something else; expected an empty or new directory")
    out.mkdir(parents=True, exist_ok=True)
    with nullcontext() if options.draw else locks.only_one(out):
        (out / MARK).write_text("{}\n")
        wanted = [
            (fault, mode)
            for fault in chosen(everything, options.names, quick=options.quick)
            for mode in MODES
            if options.mode in (None, mode)
        ]
        failed = [] if options.draw else _make(everything, wanted, out, page_file, at_a_time)
        outcomes = _write(everything, out, page_file)
        asked = {(fault.name, mode) for fault, mode in wanted}
        found = page.problems({key: value for key, value in outcomes.items() if key in asked})
        for problem in [*failed, *found]:
            print(f"failed: {problem}", file=sys.stderr)
        print(f"page: {page_file}")
        return EXIT_SOME_FAILED if failed or found else 0


def _of_length(fault: Fault, hours: str | None) -> Fault:
    if hours is None or fault.name != "long":
        return fault
    try:
        length_s = float(hours) * 3600
    except ValueError:
        length_s = 0.0
    if not 60 <= length_s <= A_DAY_S:
        raise TestbedError(f"--hours {hours}: expected a number up to 24")
    return replace(
        fault,
        title=f"a call of {float(hours):g} hours",
        data={**fault.data, "duration_s": length_s},
    )


def _make(
    everything: tuple[Fault, ...],
    wanted: list[tuple[Fault, str]],
    out: Path,
    page_file: Path,
    jobs: int,
) -> list[str]:
    """Makes the missing calls; returns those that failed."""
    failed = []
    with ThreadPoolExecutor(jobs) as pool:
        calls = {
            pool.submit(_call, fault, mode, out): f"{fault.name}, {mode}"
            for fault, mode in wanted
            if not (out / fault.name / mode / OUTCOME).is_file()
        }
        for done in as_completed(calls):
            problem = done.exception()
            if problem is not None:
                failed.append(f"{calls[done]}: {problem}")
            _write(everything, out, page_file)
            print(f"made: {calls[done]}", flush=True)
    return failed


def _call(fault: Fault, mode: str, out: Path) -> None:
    from gcc_testbed.commands.make_call import run_call

    scenario, run = fault.scenario(mode), out / fault.name / mode
    run.parent.mkdir(exist_ok=True)
    run_call(scenario, run, Progress(quiet=True), report=False)
    outcome = of_run(run, fault, scenario.duration_s)
    # Another call that ends now reads all outcomes.
    write_whole(run / OUTCOME, f"{json.dumps(asdict(outcome), indent=1)}\n".encode())
    for host in ("a", "b"):
        (run / capture(host)).unlink()
    shutil.rmtree(run / "seeds")


def _write(everything: tuple[Fault, ...], out: Path, page_file: Path) -> page.Outcomes:
    outcomes: page.Outcomes = {}
    made_by = set()
    for fault in everything:
        for mode in MODES:
            file = out / fault.name / mode / OUTCOME
            if file.is_file():
                outcomes[fault.name, mode] = Outcome(**json.loads(file.read_text()))
                made = json.loads(file.with_name("call.json").read_text())
                made_by.add(made["versions"]["commit"])
    commits.check(page_file, made_by)
    page_file.parent.mkdir(parents=True, exist_ok=True)
    text = page.text(everything, outcomes, sorted(made_by))
    write_whole(page_file, text.encode())
    return outcomes
