"""Nothing is left running, however a run ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.processes import run


def gone(pid: int) -> bool:
    """Within a few seconds. A zombie that was not waited for counts as gone."""
    for _ in range(50):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


def test_lines_are_handed_on_and_kept(tmp_path: Path) -> None:
    lines: list[str] = []
    log = tmp_path / "log"
    code = run(["sh", "-c", "echo one; echo two"], log=log, timeout_s=10, on_line=lines.append)
    assert (code, lines, log.read_text()) == (0, ["one", "two"], "one\ntwo\n")


def test_a_run_that_takes_too_long_is_stopped_with_all_its_children(tmp_path: Path) -> None:
    pids: list[str] = []
    with pytest.raises(TestbedError, match="longer than 1 s of real time"):
        run(
            ["sh", "-c", "sleep 60 & echo $!; sleep 60"],
            log=tmp_path / "log",
            timeout_s=1,
            on_line=pids.append,
        )
    assert gone(int(pids[0]))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_killing_the_caller_takes_the_children_along(number: int, tmp_path: Path) -> None:
    program = (
        "from pathlib import Path; from gcc_testbed.support.processes import run, interruptible\n"
        "interruptible()\n"
        "run(['sh', '-c', 'sleep 60 & echo $!; echo $$; sleep 60'], log=Path('log'),"
        " timeout_s=60, on_line=lambda line: print(line, flush=True))"
    )
    caller = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)},
    )
    assert caller.stdout is not None
    children = [int(caller.stdout.readline()) for _ in range(2)]
    caller.send_signal(number)
    caller.wait(timeout=10)
    caller.stdout.close()
    assert all(gone(child) for child in children)
