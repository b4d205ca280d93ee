"""Many calls: a grid or a list over scenario keys, with seeds, run by Snakemake.

What is run is decided by `sweep_plan`, how by Snakemake and the Snakefile beside this module; here
both are put together, the progress is shown, and the results are gathered. Until the sweep file is
right, only the standard library is imported.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import importlib.util
import json
import os
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gcc_testbed import scenario_file, sweep_plan, sweep_results
from gcc_testbed.command import Parser, perform
from gcc_testbed.errors import EXIT_INTERRUPTED, EXIT_SOME_FAILED, TestbedError
from gcc_testbed.output import check_mark
from gcc_testbed.processes import interruptible, lines_of, process_group
from gcc_testbed.progress import Progress
from gcc_testbed.scenario import MODEL, NAMED_SEQUENCES
from gcc_testbed.sweep_plan import Plan, Run

SNAKEFILE = Path(__file__).with_name("Snakefile")
# What a sweep's directory holds; nothing without it is ever written to.
MARK = "plan.json"
LOG = "snakemake.log"
# Snakemake cancels what runs elsewhere when it is interrupted; that takes a moment.
CANCEL_S = 20.0
# With one of these the user says where the calls run, and how many at a time.
_PLACING = ("-e", "--executor", "-j", "--jobs", "-c", "--cores", "--profile", "--workflow-profile")


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed sweep`; returns its exit code."""
    return perform(arguments, _parser(), _sweep)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gcc-testbed sweep",
        usage="%(prog)s SWEEP.toml [--out DIR] [--jobs N] [--dry-run] [--quiet] [-- SNAKEMAKE...]",
        description="Makes every call of a sweep file, as many at a time as there are cores, and "
        "gathers their measures in DIR/results.csv. Started again, it makes what is missing. "
        "Words after -- go to Snakemake, for example --executor slurm --jobs 100.",
    )
    parser.add_argument("sweep", metavar="SWEEP.toml", help="the sweep, see docs/sweeps.md")
    parser.add_argument(
        "--out", metavar="DIR", help="directory of the results (default: ./NAME-out)"
    )
    parser.add_argument("--jobs", metavar="N", help="calls at a time (default: one per core)")
    parser.add_argument(
        "--dry-run", action="store_true", help="only list the calls; needs no Snakemake"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress, only the results")
    return parser


def _sweep(options: argparse.Namespace, for_snakemake: list[str]) -> int:
    file = Path(options.sweep)
    plan = sweep_plan.load(file)
    at_a_time = jobs(options.jobs)
    for runs in plan.points().values():
        _check(file, runs[0])
    out = Path(options.out or f"{file.stem}-out")
    if options.dry_run:
        for run in plan.runs:
            print(shlex.join(["gcc-testbed", "run", *_words(run, str(run.scenario))]))
        print(f"{len(plan.points())} points, {len(plan.runs)} calls")
        return 0

    check_output(out)
    if importlib.util.find_spec("snakemake") is None:
        raise TestbedError(
            "Snakemake is missing; install it: "
            f"{sys.executable} -m pip install 'snakemake>=8.30,<10'"
        )
    interruptible()
    progress = Progress(options.quiet)
    with _only_one(out):
        write(plan, out)
        try:
            code = _run(plan, out, snakemake(at_a_time, out, for_snakemake), progress)
        except KeyboardInterrupt:
            progress.end_line()
            gathered = sweep_results.gather(plan, out)
            sweep_results.write_csv(gathered, out / "results.csv")
            print(
                f"interrupted: {gathered.done} of {len(plan.runs)} calls are done; "
                "the same command goes on from there",
                file=sys.stderr,
            )
            return EXIT_INTERRUPTED
        gathered = sweep_results.gather(plan, out)
        sweep_results.write_csv(gathered, out / "results.csv")
    if code != 0 and gathered.done == len(plan.runs):
        code = 0  # a call that failed at first and was made again
    if code != 0 and not gathered.failed:
        raise TestbedError(f"Snakemake stopped: {_last_words(out / LOG)} (log: {out / LOG})")
    print(sweep_results.table(gathered))
    if count := sweep_results.modelled(gathered):
        print(f"note: {count} of {gathered.done} calls sent the {MODEL} in place of encoded video")
    for run in gathered.failed:
        print(f"failed: {run.point} seed {run.seed}: {_last_words(out / run.log)}")
        print(f"        log: {out / run.log}")
    if gathered.mixed:
        print(f"note: these calls were not all made by the same {', '.join(gathered.mixed)}")
    print(f"results: {out / 'results.csv'}")
    return EXIT_SOME_FAILED if gathered.done < len(plan.runs) else 0


def command() -> str:
    """The testbed's own command, for a shell; another may be named (a container's, a stub)."""
    own = shlex.join([sys.executable, "-m", "gcc_testbed"])
    return os.environ.get("GCC_TESTBED_COMMAND") or own


def snakemake(jobs: int | None, out: Path, more: list[str]) -> list[str]:
    """The command that runs the plan in `out`, with the user's own words last."""
    placed = any(word.split("=")[0] in _PLACING for word in more)
    return [
        *(sys.executable, "-m", "snakemake"),
        *("--snakefile", str(SNAKEFILE), "--directory", str(out)),
        *(() if placed else ("--cores", str(jobs or _cores()))),
        *(("--jobs", str(jobs)) if placed and jobs else ()),
        "--keep-going",
        "--rerun-incomplete",
        # `write` has removed what changed settings made; a new version of the testbed is no reason.
        *("--rerun-triggers", "mtime"),
        # Our own lock ends with the process; Snakemake's outlives a SIGKILL.
        "--nolock",
        # The calls do not depend on each other: no solver is needed to order them.
        *("--scheduler", "greedy"),
        *more,
    ]


def make(
    plan: Plan,
    runs: Sequence[Run],
    out: Path,
    at_a_time: int | None,
    for_snakemake: list[str],
    progress: Progress,
) -> None:
    """Makes some runs of a plan, those that are missing, in the directory of the whole plan."""
    check_output(out)
    targets = [f"{run.directory}/metrics.json" for run in runs]
    with _only_one(out):
        write(plan, out)
        words = snakemake(at_a_time, out, [*targets, *for_snakemake])
        _run(Plan(plan.title, tuple(runs)), out, words, progress)


def check_output(out: Path) -> None:
    """Refuses a directory that holds something other than a sweep."""
    check_mark(
        out,
        MARK,
        "something other than a sweep; expected an empty or new directory, or this sweep's",
    )
    if not out.absolute().parent.is_dir():
        raise TestbedError(f"--out {out}: {out.absolute().parent} is not a directory")


def write(plan: Plan, out: Path) -> None:
    """Puts all that the calls need into the sweep's directory, so that it stands for itself."""
    (out / "scenarios").mkdir(exist_ok=True)
    copies: dict[Path, str] = {}
    changed: set[str] = set()
    for number, scenario in enumerate(plan.scenarios()):
        name = scenario.name
        if f"scenarios/{name}" in copies.values():
            name = f"{scenario.stem}-{number}{scenario.suffix}"
        copies[scenario] = f"scenarios/{name}"
        if _write_if_new(out / copies[scenario], scenario.read_bytes()):
            changed.add(copies[scenario])
    runs = []
    for run in plan.runs:
        runs.append(
            {
                "point": run.point,
                "seed": run.seed,
                "keys": run.keys,
                "directory": run.directory,
                "scenario": copies[run.scenario],
                "options": shlex.join(_settings(run)),
                "at_most_min": 4 + round(duration_s(run) / 3),
            }
        )
    _forget_stale(out, runs, changed)
    content = {"title": plan.title, "command": command(), "runs": runs}
    _write_if_new(out / MARK, (json.dumps(content, indent=1) + "\n").encode())


def _forget_stale(out: Path, runs: list[dict[str, Any]], changed: set[str]) -> None:
    """Removes the measures of calls that would now be made differently."""
    try:
        before = json.loads((out / MARK).read_text())["runs"]
    except (OSError, ValueError, KeyError):
        return
    as_before = {(run["directory"], run["options"], run["scenario"]) for run in before}
    for run in runs:
        known = (run["directory"], run["options"], run["scenario"]) in as_before
        if not known or run["scenario"] in changed:
            (out / run["directory"] / "metrics.json").unlink(missing_ok=True)


def _words(run: Run, scenario: str) -> list[str]:
    return [scenario, "--out", run.directory, "--seed", str(run.seed), *_settings(run)]


def _settings(run: Run) -> list[str]:
    settings = {**_sequences(run.scenario), **run.settings}
    words = []
    for key, value in settings.items():
        if key.endswith(".sequence") and isinstance(value, str):
            value = _absolute(value, run.scenario)
        words += ["--set", sweep_plan.option(key, value)]
    return words


def _sequences(scenario: Path) -> dict[str, str]:
    """A scenario's own video files: its copy lies elsewhere."""
    named = [
        (f"flow[{number}].sequence", flow["sequence"])
        for number, flow in enumerate(_flows(scenario))
        if isinstance(flow, dict) and isinstance(flow.get("sequence"), str)
    ]
    return {key: name for key, name in named if name not in NAMED_SEQUENCES}


def _absolute(sequence: str, scenario: Path) -> str:
    return sequence if sequence in NAMED_SEQUENCES else str((scenario.parent / sequence).absolute())


def _flows(scenario: Path) -> list[Any]:
    flows = _toml(scenario).get("flow", [])
    return flows if isinstance(flows, list) else []


def _toml(scenario: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(scenario.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise TestbedError(f"{scenario}: not TOML: {problem}") from None


def duration_s(run: Run) -> float:
    """How long a call lasts."""
    duration = run.settings.get("duration_s", _toml(run.scenario).get("duration_s", 60))
    return float(duration) if isinstance(duration, int | float) else 60.0


def _check(file: Path, run: Run) -> None:
    """A TestbedError when the scenario or a key set in it is wrong, before any call is made."""
    changes = tuple(sweep_plan.option(key, value) for key, value in run.settings.items())
    try:
        scenario_file.load(run.scenario, changes)
    except TestbedError as problem:
        raise TestbedError(f"{file}: {run.point}: {problem}") from None


def jobs(text: str | None) -> int | None:
    """How many calls at a time, as the user says it."""
    if text is None:
        return None
    if not text.isdigit() or not 1 <= int(text) <= 100_000:
        raise TestbedError(f"--jobs {text}: expected a whole number, from 1 to 100000")
    return int(text)


def _cores() -> int:
    return len(os.sched_getaffinity(0))


def _write_if_new(file: Path, content: bytes) -> bool:
    """Leaves a file of the same content alone: its time decides what is made again."""
    if file.is_file() and file.read_bytes() == content:
        return False
    beside = file.with_name(f".{file.name}.new")
    beside.write_bytes(content)
    beside.replace(file)
    return True


@contextlib.contextmanager
def _only_one(out: Path) -> Iterator[None]:
    """One sweep per directory. The lock goes with the process, however that ends."""
    out.mkdir(exist_ok=True)
    with (out / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise TestbedError(f"--out {out}: another sweep is at work there") from None
        yield


def _run(plan: Plan, out: Path, words: list[str], progress: Progress) -> int:
    """Runs Snakemake, shows how far it is, and leaves no process behind; its exit code."""
    shown = _Shown(plan, out, progress)
    environment = {**os.environ, "PYTHONPATH": _python_path()}
    with (out / LOG).open("wb") as log, process_group(words, environment) as child:
        try:
            for line in lines_of(child, log, lambda: 1.0):
                if line is None:
                    shown.update()
                else:
                    shown.line(line)
            code = child.wait()
        except KeyboardInterrupt:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGINT)
            # A second one does not wait.
            with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
                child.wait(timeout=CANCEL_S)
            raise
    progress.end_line()
    return code


def _python_path() -> str:
    """Calls find this package, even where it is not installed."""
    own = str(Path(__file__).resolve().parent.parent)
    return os.pathsep.join([own, *filter(None, [os.environ.get("PYTHONPATH")])])


class _Shown:
    """How far a sweep has come, from the results that are there."""

    EVERY_S = 2.0

    def __init__(self, plan: Plan, out: Path, progress: Progress) -> None:
        self._progress = progress
        self._total = len(plan.runs)
        self._weights = {out / run.directory / "metrics.json": duration_s(run) for run in plan.runs}
        self._left = dict(self._weights)
        self._failed = 0
        self._began = time.monotonic()
        self._next = 0.0
        self._there = 0.0
        self._look()
        self._there = sum(self._weights.values()) - sum(self._left.values())
        done = self._total - len(self._left)
        already = f", {done} of them already made" if done else ""
        progress.step(f"sweep: {self._total} calls{already}")

    def line(self, text: str) -> None:
        """Something Snakemake said."""
        if text.startswith("Error in rule call"):
            self._failed += 1

    def update(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self.EVERY_S
        self._look()
        total, left = sum(self._weights.values()), sum(self._left.values())
        done = self._total - len(self._left)
        detail = f"  {done} of {self._total} calls"
        if self._failed:
            detail += f", {self._failed} failed"
        made = total - left - self._there
        if made > 0:
            detail += f", about {_duration((now - self._began) * left / made)} left"
        self._progress.advance("sweep", 1 - left / total if total else 1.0, detail)

    def _look(self) -> None:
        self._left = {file: weight for file, weight in self._left.items() if not file.is_file()}


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _last_words(log: Path) -> str:
    try:
        lines = [line.strip() for line in log.read_text(errors="replace").splitlines()]
    except OSError:
        return "it never began"
    errors = [line for line in lines if "error" in line.lower()] or [line for line in lines if line]
    return (errors[-1] if errors else "it said nothing").removeprefix("error: ")
