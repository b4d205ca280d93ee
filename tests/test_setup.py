"""scripts/setup.sh: stages that say how far they are, and a kernel that is built beside them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_S = 60


def script(lines: str, folder: Path, builder: str = "") -> list[str]:
    """A script that uses the functions, with a folder and a builder of kernels of its own."""
    build = folder / "build.sh"
    build.write_text(f"#!/bin/sh\n{builder}\n")
    build.chmod(0o755)
    own = f"gcc_build_dir={folder} gcc_kernel_log={folder}/kernel.log gcc_kernel_builder={build}"
    return ["bash", "-euo", "pipefail", "-c", f". {ROOT}/scripts/setup.sh\n{own}\n{lines}"]


def run(lines: str, folder: Path, builder: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        script(lines, folder, builder),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def begin(lines: str, folder: Path, builder: str) -> subprocess.Popen[bytes]:
    """The same in the foreground of a terminal of its own, where interrupts count.

    In the background of a script, and under nohup, they are ignored, and bash cannot change that.
    """

    def heed() -> None:
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)

    return subprocess.Popen(
        script(lines, folder, builder),
        start_new_session=True,
        stderr=subprocess.PIPE,
        preexec_fn=heed,  # noqa: PLW1509
    )


def until(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def is_written(file: Path) -> bool:
    return file.is_file() and file.read_text() != ""


def is_running(process: int) -> bool:
    """Not one that has ended and is still to be reaped, by whatever is process 1 here."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_stage_says_which_of_how_many_it_is(tmp_path: Path) -> None:
    done = run("gcc_stages 2; gcc_stage packages; gcc_stage 'the call'", tmp_path)
    assert done.stderr == "stage 1 of 2: packages\nstage 2 of 2: the call\n"


@pytest.mark.parametrize(
    ("line", "percent"),
    [
        ("[30/120] Compiling C object", "25"),
        ("dlstatus:3:48.1081:Retrieving file 3 of 20", "48"),
        ("pmstatus:gcc:75.2:Installing gcc", "75"),
        ("Setting up gcc (4:14.2.0-1) ...", ""),
    ],
)
def test_ninja_and_apt_say_how_far_they_are(tmp_path: Path, line: str, percent: str) -> None:
    done = run(f"percent=; gcc_percent_in '{line}' percent || true; echo $percent", tmp_path)
    assert done.stdout.strip() == percent


def test_what_fails_names_its_log_and_its_output_is_there(tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = run(f"gcc_logged {log} 'the build' sh -c 'echo broken; exit 3'", tmp_path)
    assert (done.returncode, done.stderr) == (2, f"error: the build failed, see {log}\n")
    assert log.read_text() == "broken\n"


def test_the_size_of_a_large_download_is_said_before_it(tmp_path: Path) -> None:
    said = "echo 'Downloading small.whl (12 kB)'; echo '  Downloading large.whl (16.6 MB)'"
    done = run(f'gcc_logged {tmp_path}/log pip sh -c "{said}"', tmp_path)
    assert done.stderr == "   Downloading large.whl (16.6 MB)\n"


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("sleep 3", "  the work: at work for "),
        ("echo '[30/120] Compiling'; sleep 3", "  the work: 25 %, at work for "),
        ("for n in 1 2 3 4 5 6; do echo word; sleep 0.5; done", "  the work: at work for "),
        ("printf 'half a line'; sleep 3; echo ', and the rest'", "  the work: at work for "),
    ],
    ids=["silent", "percent", "talkative", "half"],
)
def test_without_a_terminal_a_long_stage_says_now_and_then_that_it_is_at_work(
    tmp_path: Path, command: str, line: str
) -> None:
    lines = "gcc_line_each_s=1; gcc_stages 1; gcc_stage one"
    done = run(f'{lines}\ngcc_logged {tmp_path}/log "the work" sh -c "{command}"', tmp_path)
    first, *said = done.stderr.splitlines()
    assert (done.returncode, first) == (0, "stage 1 of 1: one")
    assert said
    assert all(each.startswith(line) for each in said)
    if command.startswith("printf"):
        assert (tmp_path / "log").read_text() == "half a line, and the rest\n"


def test_without_a_terminal_a_short_stage_and_a_quiet_one_say_no_more(tmp_path: Path) -> None:
    work = f'gcc_logged {tmp_path}/log "the work" sh -c'
    assert run(f"{work} 'echo done'", tmp_path).stderr == ""
    assert run(f"gcc_line_each_s=1 gcc_quiet=true; {work} 'sleep 2'", tmp_path).stderr == ""
    assert "gcc_line_each_s=30" in (ROOT / "scripts" / "setup.sh").read_text()


def test_without_a_terminal_the_kernel_says_how_far_it_is(tmp_path: Path) -> None:
    lines = "gcc_line_each_s=1; gcc_begin_kernel; gcc_await_kernel"
    done = run(lines, tmp_path, "echo 'kernel: compiling, 35 %' >&2; sleep 3")
    assert done.returncode == 0
    # The first line may be earlier than what the builder says.
    assert "  the kernel: 35 %, at work for " in done.stderr


def test_the_next_stage_waits_for_no_kernel(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    lines = (
        "gcc_stages 2; gcc_begin_kernel; gcc_stage one; echo >go; gcc_await_kernel; gcc_stage two"
    )
    done = run(f"cd {tmp_path}\n{lines}", tmp_path, "read -r _ <go")
    assert (done.returncode, done.stderr) == (0, "stage 1 of 2: one\nstage 2 of 2: two\n")


def test_a_kernel_that_cannot_be_built_ends_the_stages_with_its_own_words(tmp_path: Path) -> None:
    lines = (
        "gcc_stages 2; gcc_begin_kernel; sleep 1; gcc_stage one; gcc_stage two; gcc_await_kernel"
    )
    builder = "echo 'kernel: building' >&2; echo 'error: kernel: no disk' >&2; exit 2"
    done = run(lines, tmp_path, builder)
    assert (done.returncode, done.stderr) == (2, "error: kernel: no disk\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_no_compiler(tmp_path: Path, number: signal.Signals) -> None:
    # As build.sh does it: a trap that clears up, and children of its own.
    builder = (
        f"trap 'touch {tmp_path}/cleared' EXIT; trap 'exit 143' TERM\n"
        f"sleep 1000 & echo $! >{tmp_path}/id; wait"
    )
    process = begin("gcc_begin_kernel; gcc_await_kernel", tmp_path, builder)
    child = tmp_path / "id"
    until(
        lambda: process.poll() is not None or is_written(child),
        "it begins",
    )
    assert process.poll() is None, (tmp_path / "kernel.log").read_text()
    compiler = int(child.read_text())
    # A terminal interrupts all of the foreground.
    os.killpg(process.pid, number)
    process.communicate(timeout=PATIENCE_S)
    assert process.returncode != 0
    assert (tmp_path / "cleared").is_file()
    until(lambda: not is_running(compiler), "the compiler ends")


def test_an_interrupt_that_a_command_outlives_is_none_the_less_one(tmp_path: Path) -> None:
    patient = f"bash -c 'trap \"\" INT; touch {tmp_path}/patient; sleep 1'"
    builder = f"echo $$ >{tmp_path}/id; exec sleep 1000"
    process = begin(f"gcc_begin_kernel; {patient}; gcc_await_kernel", tmp_path, builder)
    until((tmp_path / "patient").is_file, "it begins")
    until(lambda: is_written(tmp_path / "id"), "the kernel begins")
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=PATIENCE_S) == 130
    compiler = int((tmp_path / "id").read_text())
    until(lambda: not is_running(compiler), "the compiler ends")


def test_an_error_of_another_stage_ends_the_kernel_too(tmp_path: Path) -> None:
    builder = f"echo $$ >{tmp_path}/id; exec sleep 1000"
    lines = f"gcc_begin_kernel; until [ -s {tmp_path}/id ]; do sleep 0.05; done; gcc_fail broken"
    done = run(lines, tmp_path, builder)
    assert (done.returncode, done.stderr) == (2, "error: broken\n")
    assert not is_running(int((tmp_path / "id").read_text()))
