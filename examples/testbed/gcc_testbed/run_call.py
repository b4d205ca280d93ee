"""One call from beginning to end: world, measures, picture, report."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gcc_testbed import __version__, figures, metrics, report, topology
from gcc_testbed.experiment import Experiment
from gcc_testbed.namespace_world import NamespaceWorld
from gcc_testbed.output import MARK, Output
from gcc_testbed.places import PLUGIN
from gcc_testbed.progress import Progress
from gcc_testbed.scenario import Scenario
from gcc_testbed.sequences import Sequence, prepare
from gcc_testbed.virtual_world import VirtualWorld
from gcc_testbed.world import World, perform, registry

WORLD: dict[str, type[World]] = {"virtual": VirtualWorld, "namespace": NamespaceWorld}


def run_call(scenario: Scenario, out: Path, progress: Progress) -> dict[str, Any]:
    """Makes the call, leaves everything about it in `out`, and returns its metrics."""
    with Output(out) as output:
        world = WORLD[scenario.world]()
        world.check()
        sequences = tuple(
            prepare(flow.sequence, progress.step, progress.advance) for flow in scenario.flows
        )
        experiment = Experiment(scenario, sequences, output.path)
        link = scenario.link
        progress.step(
            f"call: {scenario.duration_s:g} s of {sequences[0].name} over {link.rate} kbit/s, "
            f"RTT {link.rtt_ms:g} ms, drop tail {link.queue}, in the {scenario.world} world"
        )
        command = perform(world, experiment, output.scratch, progress)

        record = metrics.read_record(experiment)
        measured = describe(scenario, sequences, metrics.measure(record))
        versions = versions_of(world)
        write_json(output.path / "metrics.json", measured)
        write_json(
            output.path / MARK,
            {
                "scenario": scenario.as_dict(),
                "sequences": [asdict(sequence) for sequence in sequences],
                "versions": versions,
            },
        )
        picture = output.path / "call.png"
        figures.draw_call(record, measured, picture)
        commands = [
            *topology.build(link),
            *(f"# at {at:g} s\n{line}" for at, _, line in topology.rate_changes(link)),
        ]
        page = output.path / "report.html"
        report.write_page(experiment, measured, versions, command, picture, commands, page)
        output.keep()
    return measured


def describe(
    scenario: Scenario, sequences: tuple[Sequence, ...], measured: dict[str, Any]
) -> dict[str, Any]:
    """The measures with the settings they stand for."""
    return {
        "measure_from_s": measured["measure_from_s"],
        "duration_s": measured["duration_s"],
        "capacity_kbps": measured["capacity_kbps"],
        "seed": scenario.seed,
        "profile": scenario.flows[0].profile,
        "world": scenario.world,
        "sequence": sequences[0].as_result(),
        "flows": measured["flows"],
    }


def write_json(file: Path, content: dict[str, Any]) -> None:
    """JSON a person can read."""
    file.write_text(json.dumps(content, indent=2) + "\n")


def versions_of(world: World) -> dict[str, str]:
    """What made this result."""
    plugins = {**os.environ, "GST_PLUGIN_PATH": str(PLUGIN), "GST_REGISTRY": str(registry())}
    return {
        "kernel": world.version(),
        "GStreamer": _first_line(["gst-launch-1.0", "--version"], "version", plugins),
        "vp8enc": _first_line(["gst-inspect-1.0", "vp8enc"], "Version", plugins),
        "gccsender": _first_line(["gst-inspect-1.0", "gccsender"], "Version", plugins),
        "iproute2": _first_line(["ip", "-V"], "", plugins),
        "gcc-testbed": __version__,
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
