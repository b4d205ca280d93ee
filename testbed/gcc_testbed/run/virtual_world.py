"""User-Mode Linux: a kernel as an ordinary process, whose clock advances only when it is idle."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gcc_testbed.run import experiment_script, plugin
from gcc_testbed.run.cores import own_core
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import KERNEL_BUILDER, cache

MEMORY_MB = 2048
# 1 January 2020; fixed, so that times in captures and traces are the same in every run.
CLOCK_START_NS = 1_577_836_800 * 10**9

_INIT_HEAD = """#!/bin/bash
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
# Never the host, whatever happens.
trap 'grep -q "User Mode Linux" /proc/cpuinfo && /sbin/halt -f' EXIT
"""


class VirtualWorld:
    """User-Mode Linux in virtual time."""

    def __init__(self) -> None:
        self._kernel: Path | None = None

    def check(self) -> None:
        self._kernel = kernel()

    def version(self) -> str:
        assert self._kernel is not None
        shown = subprocess.run(
            [str(self._kernel), "--version"], capture_output=True, text=True, check=False
        )
        return f"Linux {shown.stdout.strip() or 'unknown'} (user mode, virtual time)"

    @contextmanager
    def command_prefix(self) -> Iterator[list[str]]:
        with own_core(cache() / "cores") as core:
            yield ["taskset", "-c", str(core)]

    def command(self, experiment: Experiment, scratch: Path) -> list[str]:
        assert self._kernel is not None
        init = experiment.run / "logs" / "experiment.sh"
        extra = plugin.environment()
        if "GST_DEBUG" in os.environ:
            extra["GST_DEBUG"] = os.environ["GST_DEBUG"]
        init.write_text(_INIT_HEAD + experiment_script.script(experiment, extra))
        init.chmod(init.stat().st_mode | stat.S_IXUSR)
        # The run directory may have spaces in its path, scratch has none.
        link = scratch / "init"
        link.symlink_to(init)
        return [
            str(self._kernel),
            f"mem={MEMORY_MB}M",
            "time-travel=inf-cpu",
            f"time-travel-start={CLOCK_START_NS}",
            "norandmaps",
            *("root=/dev/root", "rootfstype=hostfs", "rootflags=/", "rw"),
            f"init={link}",
            *("con=null", "con0=fd:0,fd:1", "quiet", "panic=-1"),
        ]

    def environment(self, experiment: Experiment, scratch: Path) -> dict[str, str]:
        # The seed of the kernel's own random numbers, for loss, jitter and the queues.
        seed = str(experiment.scenario.seed)
        return {"TMPDIR": str(memory_directory(scratch)), "GCC_TESTBED_SEED": seed}

    def timeout_s(self, experiment: Experiment) -> float:
        # Usually a tenth of the call's duration; more for large frames on a loaded machine.
        # The number of packets grows with the rate.
        rates = experiment.scenario.link.forward.rate.steps
        return 120 + (20 + max(step.kbps for step in rates) / 1000) * experiment.scenario.duration_s


def kernel() -> Path:
    """The kernel binary from the cache; it is not built here."""
    found = subprocess.run(
        [str(KERNEL_BUILDER), "--which"], capture_output=True, text=True, check=False
    )
    if found.returncode != 0:
        reason = (found.stderr.strip().splitlines() or ["it is not built yet"])[-1]
        raise TestbedError(
            f"no virtual-time kernel: {reason.removeprefix('error: ')}; run {KERNEL_BUILDER}"
        )
    return Path(found.stdout.strip())


def memory_directory(fallback: Path) -> Path:
    """Where the kernel's memory file fits: /dev/shm is fast, but small in many containers."""
    shm = Path("/dev/shm")
    if shm.is_dir() and os.access(shm, os.W_OK):
        free = shutil.disk_usage(shm).free
        if free > (MEMORY_MB + 256) << 20:
            return shm
    return fallback
