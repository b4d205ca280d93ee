"""Boots a virtual-time kernel for a script, its only program. Standard library only."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from gcc_testbed.support.processes import run

BOOT_TIMEOUT_S = 60.0

_HEAD = """#!/bin/bash
mount -t proc proc /proc
# Never the host, whatever happens.
grep -q 'User Mode Linux' /proc/cpuinfo || exit 1
"""


def said_inside(linux: Path, script: str, scratch: Path) -> str:
    """The output of a bash script that is the first process of a machine in virtual time."""
    init = scratch / "init"
    init.write_text(f"{_HEAD}{script}\nexec /sbin/halt -f\n")
    init.chmod(init.stat().st_mode | stat.S_IXUSR)
    log = scratch / "boot.log"
    # A small memory file is enough to boot.
    command = [str(linux), "mem=32M", "time-travel=inf-cpu"]
    command += ["root=/dev/root", "rootfstype=hostfs", "rootflags=/", "rw"]
    command += [f"init={init}", "con=null", "con0=fd:0,fd:1", "quiet", "panic=-1"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    run(command, log=log, timeout_s=BOOT_TIMEOUT_S, environment=environment)
    return log.read_text(errors="replace")
