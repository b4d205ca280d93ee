"""The command as its users meet it: exit codes and lines on stderr."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gcc_testbed import __version__

TESTBED = Path(__file__).resolve().parent.parent


def call(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gcc_testbed", "call", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(TESTBED)},
    )


def fails_with(words: list[str], line: str, cwd: Path) -> None:
    done = call(*words, cwd=cwd)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", line + "\n")


def test_right_options_pass_the_check(tmp_path: Path) -> None:
    done = call("--rate", "0:1000,40:2500", "--check", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_who_has_read_enough_is_no_error(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "gcc_testbed", "papers", "--dry-run"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(TESTBED)},
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_help_tells_every_option_with_its_default(tmp_path: Path) -> None:
    text = " ".join(call("--help", cwd=tmp_path).stdout.split())
    for words in ("--duration S", "--measure-from S", "(default: ./call-out)", "(default: 1000)"):
        assert words in text


def test_an_unknown_option_is_one_line(tmp_path: Path) -> None:
    fails_with(["--fast"], "error: unrecognized arguments: --fast", tmp_path)


def test_two_kinds_of_queue_are_one_too_many(tmp_path: Path) -> None:
    line = "error: argument --queue-bytes: not allowed with argument --queue-ms"
    fails_with(["--queue-ms", "1", "--queue-bytes", "2000"], line, tmp_path)


def test_a_negative_rate_is_one_line(tmp_path: Path) -> None:
    line = "error: --rate -1: a rate is 1 to 10000000 kbit/s, not -1"
    fails_with(["--rate", "-1"], line, tmp_path)


@pytest.mark.skipif(not shutil.which("ffprobe"), reason="ffprobe is not installed")
def test_a_file_that_is_not_video_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not video")
    line = "error: --sequence notes.txt: not video; expected a file that ffmpeg decodes"
    fails_with(["--sequence", "notes.txt"], line, tmp_path)


def test_a_directory_of_something_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    line = (
        "error: --out mine: it holds something other than a call's results; "
        "expected an empty or new directory"
    )
    fails_with(["--out", "mine"], line, tmp_path)


def test_a_world_that_is_not_there_leaves_nothing_behind(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gcc_testbed", "call", "--out", "new"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(TESTBED),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        },
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: no virtual-time kernel: ")
    assert done.stderr.count("\n") == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["cache"]


SCENARIO = """
title = "A short one"
duration_s = 5
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "gcc"
"""


def command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gcc_testbed", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(TESTBED)},
    )


def test_a_right_scenario_passes_the_check(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(SCENARIO)
    done = command("run", "s.toml", "--check", "--seed", "3", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["s.toml", "--seed", "x"], 's.toml: seed = "x": expected a whole number, at'),
        (["s.toml", "--world", "mars"], 's.toml: world = "mars": expected one of virtual,'),
        (["s.toml", "--set", "flow[0].kind=red"], 's.toml: flow[0].kind = "red": expected one of'),
        (["nowhere.toml"], "nowhere.toml: No such file or directory; expected a scenario file"),
    ],
)
def test_a_wrong_scenario_is_one_line_and_exit_code_2(
    tmp_path: Path, words: list[str], line: str
) -> None:
    (tmp_path / "s.toml").write_text(SCENARIO)
    done = command("run", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {line}")
    assert done.stderr.count("\n") == 1


def test_a_scenario_that_comes_along_goes_by_its_name(tmp_path: Path) -> None:
    for name in ("rfc8867-5.1", "rfc8867-5.1.toml"):
        done = command("run", name, "--check", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_report_needs_a_runs_directory(tmp_path: Path) -> None:
    done = command("report", ".", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: .: expected the directory of a run, with its call.json\n"


def test_the_version_is_told(tmp_path: Path) -> None:
    done = command("--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"gcc-testbed {__version__}\n")


@pytest.mark.parametrize(
    "name",
    ["call", "run", "report", "list", "sweep", "papers", "scorecard", "stress", "faults"]
    + ["ordinary", "paths", "plot", "watch", "doctor"],
)
def test_every_command_explains_itself_and_its_arguments(tmp_path: Path, name: str) -> None:
    done = command(name, "--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    usage, described, *options = done.stdout.split("\n\n")
    assert usage.startswith(f"usage: gcc-testbed {name}")
    assert len(described.split()) > 8
    lines = "\n".join(options).splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if re.match(r"  \S", line):
            # Its help is beside it, or below where it is long.
            assert re.search(r"\S  +\S", line) or after.startswith("       "), line


def test_without_any_package_all_that_are_missing_are_named_at_once(tmp_path: Path) -> None:
    for words, names in (
        (["watch", "x.csv"], "numpy, matplotlib, dpkt, pydantic, rich, plotext"),
        (["report", "."], "numpy, matplotlib, dpkt, pydantic"),
    ):
        (tmp_path / "call.json").write_text("{}")
        done = subprocess.run(
            # Without site packages, as on a bare machine.
            [sys.executable, "-S", "-m", "gcc_testbed", *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(TESTBED)},
        )
        assert done.returncode == 2
        assert done.stderr.startswith(f"error: Python packages are missing: {names}; install them")
        assert done.stderr.count("\n") == 1


def test_the_scenarios_that_come_along_are_listed_and_right(tmp_path: Path) -> None:
    done = command("list", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    names = [line.split()[0] for line in done.stdout.splitlines()]
    assert names == sorted(file.stem for file in (TESTBED / "data" / "scenarios").glob("*.toml"))
