"""Two runs into one directory: the error of the second names the first."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gcc_testbed.commands import faults, ordinary, papers, scorecard, stress
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.support import locks
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.output import Output

TESTBED = Path(__file__).resolve().parent.parent
OWNER = """
import sys, time
from pathlib import Path
from gcc_testbed.support.output import Output
with Output(Path(sys.argv[1])) as output:
    (output.path / "call.json").write_text("the first")
    print("at work", flush=True)
    sys.stdin.readline()
    output.keep()
"""


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another run at work in `out`, until it reads a line."""
    child = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "out")],
        env={**os.environ, "PYTHONPATH": str(TESTBED)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "at work\n"
    yield child
    child.kill()
    child.communicate()


def test_a_second_call_into_one_directory_is_refused_and_the_first_is_kept(
    tmp_path: Path, owner: subprocess.Popen[str]
) -> None:
    with pytest.raises(TestbedError) as problem, Output(tmp_path / "out"):
        pass
    assert str(problem.value).startswith(
        f"--out {tmp_path}/out: another run is at work there: process {owner.pid} on "
    )
    assert str(problem.value).endswith("; wait for it, or name another directory")
    owner.communicate("\n")
    assert owner.returncode == 0
    assert (tmp_path / "out" / "call.json").read_text() == "the first"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_a_call_beside_another_is_not_refused(tmp_path: Path, owner: subprocess.Popen[str]) -> None:
    assert owner.poll() is None
    with Output(tmp_path / "out-2") as output:
        (output.path / "call.json").write_text("beside")
        output.keep()
    assert (tmp_path / "out-2" / "call.json").read_text() == "beside"


def test_a_killed_run_has_no_directory_any_more(
    tmp_path: Path, owner: subprocess.Popen[str]
) -> None:
    owner.send_signal(signal.SIGKILL)
    owner.communicate()
    with Output(tmp_path / "out") as output:
        (output.path / "call.json").write_text("the second")
        output.keep()
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(
    ("main", "words"),
    [
        (faults.main, ()),
        (papers.main, ()),
        (scorecard.main, ()),
        (stress.main, ("--calls", "1")),
        (ordinary.main, ("--calls", "1")),
    ],
    ids=["faults", "papers", "scorecard", "stress", "ordinary"],
)
def test_every_command_of_many_calls_holds_its_directory(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    main: Callable[[list[str]], int],
    words: tuple[str, ...],
) -> None:
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(scorecard, "_missing", lambda *_: {})
    (tmp_path / "out").mkdir()
    with locks.only_one(tmp_path / "out"):
        assert main([*words, "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert f"--out {tmp_path}/out: another run is at work there: process {os.getpid()} " in said
    assert [entry.name for entry in (tmp_path / "out").iterdir()] in ([], ["papers.json"])
