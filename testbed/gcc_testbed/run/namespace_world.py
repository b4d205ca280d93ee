"""The host's own kernel, in real time, in network namespaces that vanish with the run."""

from __future__ import annotations

import os
import platform
import stat
import subprocess
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from gcc_testbed.run import experiment_script, plugin
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.support.errors import TestbedError

# --pid --kill-child: when unshare ends, everything inside ends with it.
_UNSHARE = (
    *("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"),
    *("--propagation", "private"),
)
_HEAD = """#!/bin/bash
mount -t tmpfs tmpfs /run || { echo "@failed cannot mount /run in a namespace"; exit 1; }
"""
_PROBE = "ip link add v0 type veth peer name v1 && tc qdisc add dev v0 root "


class NamespaceWorld:
    """Network namespaces on this machine."""

    def check(self) -> None:
        if (problem := _try("ip link add v0 type veth peer name v1")) is not None:
            raise TestbedError(
                f"--world namespace: network namespaces cannot be made here: {problem}"
            )
        for qdisc, arguments in (("netem", "netem delay 1ms"), ("tbf", f"tbf {_TBF}")):
            if (problem := _try(_PROBE + arguments)) is not None:
                raise TestbedError(
                    f"--world namespace: this machine's kernel has no {qdisc} ({problem}); "
                    "use --world virtual"
                )

    def version(self) -> str:
        return f"Linux {platform.release()} (this machine's, real time)"

    def command_prefix(self) -> AbstractContextManager[list[str]]:
        # In real time the scheduler chooses the core.
        return nullcontext([])

    def command(self, experiment: Experiment, scratch: Path) -> list[str]:
        script = experiment.run / "logs" / "experiment.sh"
        script.write_text(_HEAD + experiment_script.script(experiment, plugin.environment()))
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return [*unshare(), "/bin/bash", str(script)]

    def environment(self, experiment: Experiment, scratch: Path) -> dict[str, str]:
        return {}

    def timeout_s(self, experiment: Experiment) -> float:
        return 60 + 2 * experiment.scenario.duration_s


_TBF = "rate 1mbit burst 1540 limit 30000"


def unshare() -> tuple[str, ...]:
    """The command that opens new namespaces, with a user namespace when we are not root."""
    return _UNSHARE if os.geteuid() == 0 else (*_UNSHARE, "--user", "--map-root-user")


def _try(line: str) -> str | None:
    """Runs a line in fresh namespaces; None when it works, else its first error."""
    try:
        tried = subprocess.run(
            [*unshare(), "/bin/sh", "-c", line],
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    if tried.returncode == 0:
        return None
    return (tried.stderr.strip().splitlines() or ["no reason given"])[0]
