"""Functions of the commands that draw calls by name, and make each with each contender."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.commands import contenders
from gcc_testbed.studies.drawn.calls import MOST_CALLS, Drawn
from gcc_testbed.studies.drawn.plan import Planned
from gcc_testbed.studies.scorecard.calls_file import Key
from gcc_testbed.studies.scorecard.card import Column
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.studies.sweeps.sweep_file import Plan
from gcc_testbed.support import locks
from gcc_testbed.support.errors import EXIT_INTERRUPTED, EXIT_SOME_FAILED, TestbedError
from gcc_testbed.support.output import write_whole
from gcc_testbed.support.processes import interruptible
from gcc_testbed.support.progress import Progress

MOST_SEED = 999_999
# Calls between two writes of the page.
ROUND = 20


def add_options(parser: argparse.ArgumentParser, study: str, example: str, calls: int) -> None:
    """Those that each of these commands has."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"these calls only, such as {example}"
    )
    parser.add_argument("--seed", metavar="S", help="of the calls that are drawn (default: 1)")
    parser.add_argument("--calls", metavar="N", help=f"how many (default: {calls})")
    parser.add_argument(
        "--column", action="append", default=[], metavar="NAME", help="only this contender (again)"
    )
    parser.add_argument(
        "--out", metavar="DIR", default=f"{study}-out", help=f"default: ./{study}-out"
    )
    parser.add_argument(
        "--page",
        metavar="FILE.md",
        help=f"the page, of all calls in OUT (default: OUT/{study}.md)",
    )
    parser.add_argument(
        "--cores", metavar="N", help=f"calls at a time (default: {contenders.AT_A_TIME})"
    )
    parser.add_argument(
        "--draw", action="store_true", help="only write the page, from existing calls"
    )
    parser.add_argument("--dry-run", action="store_true", help="only list the calls")
    parser.add_argument("--quiet", action="store_true", help="no progress")


def names(
    options: argparse.Namespace,
    calls: int,
    check: Callable[[str], object],
    name_of: Callable[[int, int], str],
) -> list[str]:
    """The calls that are asked for."""
    for name in options.names:
        check(name)
    if options.names:
        return list(dict.fromkeys(options.names))
    seed = contenders.number("--seed", options.seed, 1, MOST_SEED)
    count = contenders.number("--calls", options.calls, calls, MOST_CALLS)
    return [name_of(seed, number) for number in range(1, count + 1)]


def show(found: Iterable[Drawn]) -> None:
    """The calls in a line each."""
    calls = list(found)
    for call in calls:
        print(f"{call.name}  {call.title}")
    hours = sum(call.tables["duration_s"] for call in calls) / 3600
    print(f"{len(calls)} calls of each contender ({hours:.1f} call-hours)")


@dataclass(frozen=True)
class Study:
    """A directory of drawn calls, and the contenders that are asked for."""

    name: str
    out: Path
    columns: tuple[Column, ...]
    at_a_time: int
    for_snakemake: list[str]
    # Of these names, with each contender whose results the directory may hold.
    planned: Callable[[Iterable[str]], list[Planned]]
    # Writes the page of all calls of these names, without those contenders.
    write: Callable[[list[str], dict[str, str]], None]
    # Calls that need not be made.
    elsewhere: Collection[Key] = ()
    # Stands for the recordings that calls are drawn from; empty: there are none.
    recordings: str = ""

    @property
    def mark(self) -> Path:
        """Identifies the directory: all calls that were ever asked for, and their recordings."""
        return self.out / f"{self.name}.json"

    def known(self) -> list[str]:
        """The calls that were ever asked for in the directory."""
        return list(self._marked().get("calls", []))

    def remember(self, names: list[str]) -> None:
        """Writes down the calls of the directory."""
        recordings = {"recordings": self.recordings} if self.recordings else {}
        content = json.dumps({"calls": names, **recordings})
        write_whole(self.mark, f"{content}\n".encode())

    def check_recordings(self) -> None:
        """A directory has calls of the same recordings only: their names would not tell."""
        before = self._marked().get("recordings", self.recordings)
        if before != self.recordings:
            raise TestbedError(
                f"--out {self.out}: its calls are of other recordings ({before}, now "
                f"{self.recordings}): expected the same folder, or another --out"
            )

    def _marked(self) -> dict[str, Any]:
        if not self.mark.is_file():
            return {}
        found: dict[str, Any] = json.loads(self.mark.read_text())
        return found


def perform(study: Study, names: list[str], *, draw: bool, quiet: bool) -> int:
    """Makes the missing calls and writes the page, or the page alone; the exit code."""
    contenders.check_output(study.out, study.mark.name)
    study.check_recordings()
    interruptible()
    if draw:
        study.write(study.known(), {})
        return 0
    runner.check_installed()
    with locks.only_one(study.out):
        known = list(dict.fromkeys([*study.known(), *names]))
        study.remember(known)
        return _make(study, names, known, Progress(quiet))


def _make(study: Study, names: list[str], known: list[str], progress: Progress) -> int:
    """Makes the missing calls, some at a time, and writes the page after each."""
    missing = contenders.missing(study.columns)
    for title, reason in missing.items():
        progress.step(f"left out: {title}: {reason}")
    # The plan has all that this directory may hold: results of other contenders stay valid.
    every = study.planned(known)
    plan = Plan(study.name, tuple(each.run for each in every), plots=False)
    able = {column.name for column in study.columns if column.title not in missing}
    failed = 0
    try:
        for at in range(0, len(names), ROUND):
            wanted = set(names[at : at + ROUND])
            runs = [
                each.run
                for each in every
                if each.call.name in wanted
                and each.column.name in able
                and key_of(each) not in study.elsewhere
            ]
            progress.step(f"{study.name}: calls {at + 1} to {at + len(wanted)} of {len(names)}")
            failed += contenders.make(
                plan, runs, study.out / "calls", study.at_a_time, study.for_snakemake, progress
            )
            study.write(known, missing)
    except KeyboardInterrupt:
        progress.end_line()
        study.write(known, missing)
        print("interrupted: the same command goes on from there", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_SOME_FAILED if failed else 0


def key_of(each: Planned) -> Key:
    return Key(each.call.name, each.column.name, each.call.seed)
