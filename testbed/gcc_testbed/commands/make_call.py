"""One call from beginning to end: run it, measure it, report it."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import subprocess
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gcc_testbed import __version__
from gcc_testbed.measure import metrics
from gcc_testbed.report import page
from gcc_testbed.report.plots import draw
from gcc_testbed.run import peer, plugin, topology
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.run.namespace_world import NamespaceWorld
from gcc_testbed.run.sequences import prepare
from gcc_testbed.run.virtual_world import VirtualWorld
from gcc_testbed.run.world import World, perform
from gcc_testbed.scenario.flows import MODEL, GccFlow, RtpGccBweFlow
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import from_data, to_data
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.output import MARK, Output, write_whole
from gcc_testbed.support.paths import IS_CHECKOUT, MODEL_PLUGIN, PROJECT, WALL_CLOCK, not_built
from gcc_testbed.support.progress import Progress

WORLD: dict[str, type[World]] = {"virtual": VirtualWorld, "namespace": NamespaceWorld}


def run_call(
    scenario: Scenario, out: Path, progress: Progress, *, report: bool = True, plots: bool = True
) -> dict[str, Any]:
    """Makes the call, writes its results to `out`, and returns its metrics.

    Without a report only the recordings are written; without plots, recordings and numbers.
    """
    with Output(out) as output:
        world = WORLD[scenario.world]()
        world.check()
        _check_model(scenario)
        if scenario.has_peer():
            peer.check()
        sequences = sequences_of(scenario, progress)
        experiment = Experiment(scenario, sequences, output.path)
        progress.step(
            f"call: {scenario.duration_s:g} s of {_what(scenario, sequences)} over "
            f"{scenario.link}, in the {scenario.world} world"
        )
        command = perform(world, experiment, output.scratch, progress)
        write_json(
            output.path / MARK,
            {
                "scenario": to_data(scenario),
                "sequences": [asdict(sequence) for sequence in sequences],
                "versions": {**versions_of(world), **_peer_version(scenario)},
                "command": command,
            },
        )
        with output.finished():
            measured = evaluate(output.path, progress, plots=plots) if report else {}
            output.keep()
    return measured


def sequences_of(scenario: Scenario, progress: Progress) -> tuple[Sequence, ...]:
    """The video of a call, unpacked; a missing sequence is downloaded or generated."""
    return tuple(
        prepare(wanted, progress.step, progress.advance) for wanted in scenario.sequences()
    )


def _peer_version(scenario: Scenario) -> dict[str, str]:
    """Which rtpgccbwe a call was made with; empty for a call without."""
    if not scenario.has_peer():
        return {}
    return {"rtpgccbwe": peer.plugin().with_name("version").read_text().strip()}


def _check_model(scenario: Scenario) -> None:
    if scenario.has_model() and not MODEL_PLUGIN.exists():
        raise TestbedError(
            'source "model": no traffic model' + not_built(MODEL_PLUGIN.parent, "-Dtestbed=enabled")
        )
    if scenario.has_wall_clock() and not WALL_CLOCK.exists():
        # The loader would only warn, and no clock would be set.
        raise TestbedError(
            f"wall_clock_steps: no {WALL_CLOCK.name}"
            + not_built(WALL_CLOCK.parent, "-Dtestbed=enabled")
        )


def evaluate(run: Path, progress: Progress, *, plots: bool = True) -> dict[str, Any]:
    """Metrics, plots and report of a run, from the files in its directory alone."""
    try:
        call = json.loads((run / MARK).read_text())
        data = call["scenario"]
        sequences = tuple(Sequence(**each) for each in call["sequences"])
        versions, command = call["versions"], call["command"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise TestbedError(f"{run}: its {MARK} is not one of this testbed's version") from None
    # The video file may be gone.
    scenario = from_data(data, str(run / MARK), directory=None)
    record = metrics.read_record(run, scenario)
    measured = describe(scenario, sequences, metrics.measure(record))
    if scenario.quality:
        video = metrics.received_video(run, scenario, sequences)
        for flow in measured["flows"]:
            if flow["name"] in video:
                flow["video"] = video[flow["name"]]
    write_json(run / "metrics.json", measured)
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows(metrics.per_second(record))
    write_whole(run / "per-second.csv", lines.getvalue().encode())
    if not plots:
        return measured
    commands = page.Commands(
        command,
        topology.commands(scenario),
        Experiment(scenario, sequences, run).processes(),
    )
    drawn = draw(record, measured, run, partial(progress.advance, "drawing"))
    progress.end_line()
    page.write(run / "report.html", scenario, sequences, measured, versions, commands, drawn)
    return measured


def _what(scenario: Scenario, sequences: tuple[Sequence, ...]) -> str:
    """The flows in one line."""
    kinds = [flow.kind for flow in scenario.flows]
    parts = [f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)]
    names = ", ".join(
        [*(sequence.name for sequence in sequences), *([MODEL] if scenario.has_model() else [])]
    )
    if kinds == ["gcc"]:
        return names
    return " + ".join(parts) + (f" ({names})" if names else "")


def describe(
    scenario: Scenario, sequences: tuple[Sequence, ...], measured: dict[str, Any]
) -> dict[str, Any]:
    """The metrics together with the settings."""
    profiles = [
        flow.profile if isinstance(flow, GccFlow) else f"{flow.kind} {flow.estimator}"
        for flow in scenario.flows
        if isinstance(flow, GccFlow | RtpGccBweFlow)
    ]
    measured = dict(measured)
    settings = {
        "title": scenario.title,
        "seed": scenario.seed,
        "profile": profiles[0] if profiles else None,
        "world": scenario.world,
        "source": scenario.video_source(),
        "sequence": sequences[0].as_result() if sequences else None,
    }
    head = {key: measured.pop(key) for key in ("measure_from_s", "duration_s", "capacity_kbps")}
    return {**head, **settings, **measured}


def write_json(file: Path, content: dict[str, Any]) -> None:
    """Indented JSON."""
    write_whole(file, f"{json.dumps(content, indent=2)}\n".encode())


_DESCRIBE = ("describe", "--always", "--dirty")


def versions_of(world: World) -> dict[str, str]:
    """The versions of everything that affects the result."""
    plugins = {**os.environ, **plugin.environment()}
    return {
        "kernel": world.version(),
        "GStreamer": _first_line(["gst-launch-1.0", "--version"], "version", plugins),
        "vp8enc": _first_line(["gst-inspect-1.0", "vp8enc"], "Version", plugins),
        "gccsender": _first_line(["gst-inspect-1.0", "gccsender"], "Version", plugins),
        "iproute2": _first_line(["ip", "-V"], "", plugins),
        "gcc-testbed": __version__,
        "commit": _first_line(["git", "-C", str(PROJECT), *_DESCRIBE], "", plugins)
        if IS_CHECKOUT
        else "none: an installed wheel",
        "Python": platform.python_version(),
        "numpy": version("numpy"),
        "matplotlib": version("matplotlib"),
    }


def _first_line(command: list[str], containing: str, environment: dict[str, str]) -> str:
    try:
        shown = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    lines = [line.strip() for line in shown.stdout.splitlines() if containing in line]
    return lines[0].removeprefix("Version").strip() if lines else "unknown"
