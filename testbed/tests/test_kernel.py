"""The virtual-time kernel's clock: it stands still for who works, and moves for who waits."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gcc_testbed.run.virtual_world import kernel
from gcc_testbed.support.boot import said_inside

pytestmark = pytest.mark.virtual


@pytest.fixture
def says(tmp_path: Path) -> Callable[[str], str]:
    """The output of a script that is the only program of a machine in virtual time."""
    return lambda script: said_inside(kernel(), script, tmp_path)


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
