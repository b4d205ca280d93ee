"""The virtual-time kernel's clock: it stands still for who works, and moves for who waits."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from gcc_testbed.run.virtual_world import kernel
from gcc_testbed.support.processes import run

pytestmark = pytest.mark.virtual

BOOT_TIMEOUT_S = 60
HEAD = """#!/bin/bash
mount -t proc proc /proc
# Never the host, whatever happens.
grep -q 'User Mode Linux' /proc/cpuinfo || exit 1
"""


@pytest.fixture
def says(tmp_path: Path) -> Callable[[str], str]:
    """What a script says that is the only program of a machine in virtual time."""

    def boot(script: str) -> str:
        init = tmp_path / "init"
        init.write_text(f"{HEAD}{script}\nexec /sbin/halt -f\n")
        init.chmod(init.stat().st_mode | stat.S_IXUSR)
        log = tmp_path / "boot.log"
        command = [str(kernel()), "mem=32M", "time-travel=inf-cpu", f"init={init}"]
        command += ["root=/dev/root", "rootfstype=hostfs", "rootflags=/", "rw"]
        command += ["con=null", "con0=fd:0,fd:1", "quiet", "panic=-1"]
        run(
            command,
            log=log,
            timeout_s=BOOT_TIMEOUT_S,
            environment={**os.environ, "TMPDIR": str(tmp_path)},
        )
        return log.read_text(errors="replace")

    return boot


def test_reading_the_clock_and_failing_take_no_time(says: Callable[[str], str]) -> None:
    # The loader looks for libraries in as many places as the processor has generations: were that
    # to take time, each kind of machine would make other calls of one seed.
    said = says(
        "start=$EPOCHREALTIME\n"
        "for i in {1..2000}; do\n"
        '  [[ ! -e /nowhere/$i && $EPOCHREALTIME == "$start" ]] || break\n'
        "done\n"
        "echo after $i"
    )
    assert "after 2000" in said


def test_a_loop_that_waits_for_the_clock_ends(says: Callable[[str], str]) -> None:
    said = says(
        'start=$EPOCHREALTIME\nwhile [[ $EPOCHREALTIME == "$start" ]]; do :; done\necho moved'
    )
    assert "moved" in said


def test_a_loop_that_waits_for_what_fails_ends(says: Callable[[str], str]) -> None:
    said = says(
        "mount -t tmpfs none /run\n"
        "(sleep 0.01; : >/run/there) &\n"
        "until [[ -e /run/there ]]; do :; done\n"
        "echo found"
    )
    assert "found" in said
