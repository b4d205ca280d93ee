"""A full disk: a line, and no finished call is thrown away."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gcc_testbed.commands import make_call
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.run.virtual_world import VirtualWorld
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support import temporary
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.output import write_whole
from gcc_testbed.support.progress import Progress

TESTBED = Path(__file__).resolve().parent.parent
# In a mount namespace of its own, with 64 kB at `disk`.
SMALL_DISK = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
MOUNTED = 'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"'
CALL = """
import sys
from pathlib import Path
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.output import Output
try:
    with Output(Path(sys.argv[1])) as output:
        (output.path / "call.json").write_text("{}")
        (output.path / "a.pcap").write_bytes(bytes(200_000))
        with output.finished():
            output.keep()
except TestbedError as problem:
    print(problem)
"""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(TESTBED), **more}


def on_a_small_disk(disk: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    disk.mkdir()
    probe = subprocess.run([*SMALL_DISK, MOUNTED, str(disk), "true"], check=False, text=True)
    if shutil.which("unshare") is None or probe.returncode != 0:
        pytest.skip("no small disk can be mounted here")
    return subprocess.run(
        [*SMALL_DISK, MOUNTED, str(disk), *words],
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_call_that_does_not_fit_its_directory_is_left_where_it_was_made(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    done = on_a_small_disk(
        tmp_path / "disk",
        *(sys.executable, "-c", CALL, str(tmp_path / "disk" / "out")),
        TMPDIR=str(tmp_path / "tmp"),
    )
    line = re.fullmatch(
        rf"--out {tmp_path}/disk/out: .*No space left on device.*; the call is made, and left in "
        r"(\S+): gcc-testbed report (\S+) measures it again\n",
        done.stdout,
    )
    assert line is not None, done.stdout + done.stderr
    left = Path(line[1])
    assert line[1] == line[2]
    assert (left / "a.pcap").stat().st_size == 200_000
    assert left.is_relative_to(tmp_path / "tmp")
    # Not even the next run removes it.
    with temporary.directory("gcc-testbed-", tmp_path / "tmp"):
        assert left.is_dir()


def test_a_call_that_cannot_be_measured_for_want_of_space_is_left(
    tmp_path: Path, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(_world: object, experiment: Experiment, *_: object) -> list[str]:
        (experiment.run / "a.pcap").write_text("packets")
        return []

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    class AnyWorld(VirtualWorld):
        def check(self) -> None:
            self._kernel = Path("/bin/true")

    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(temporary, "plain", lambda: tmp_path / "tmp")
    monkeypatch.setitem(make_call.WORLD, "virtual", AnyWorld)
    monkeypatch.setattr(make_call, "sequences_of", lambda *_: ())
    monkeypatch.setattr(make_call, "perform", made)
    monkeypatch.setattr(make_call, "evaluate", full)
    with pytest.raises(TestbedError) as problem:
        make_call.run_call(scenario, tmp_path / "out", Progress(quiet=True))
    (left,) = (tmp_path / "tmp").iterdir()
    assert str(problem.value) == (
        "cannot write: No space left on device; the call is made, and left in "
        f"{left}/run: gcc-testbed report {left}/run measures it again"
    )
    assert {"a.pcap", "call.json"} <= {file.name for file in (left / "run").iterdir()}
    assert not (tmp_path / "out").exists()


def test_results_that_do_not_fit_leave_the_earlier_ones(tmp_path: Path) -> None:
    text = (
        "import sys; from pathlib import Path; from gcc_testbed.support.output import write_whole\n"
        "file = Path(sys.argv[1]); write_whole(file, b'old')\n"
        "try: write_whole(file, bytes(100_000))\n"
        "except OSError as problem: print(problem.strerror)\n"
        "print([(each.name, each.read_bytes()) for each in file.parent.iterdir()])"
    )
    file = tmp_path / "disk" / "metrics.json"
    done = on_a_small_disk(tmp_path / "disk", sys.executable, "-c", text, str(file))
    assert done.stdout == "No space left on device\n[('metrics.json', b'old')]\n", done.stderr


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    write_whole(tmp_path / "file", b"whole")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("words", [("list",), ("papers", "--dry-run"), ("doctor", "--help")])
def test_output_that_does_not_fit_is_one_line(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gcc_testbed", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=environment(),
        )
    assert (done.returncode, done.stderr) == (2, "error: cannot write: No space left on device\n")
