"""The checked-in style holds everywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_LINES = 600
MOST_LINES_OF_C_TESTS = 800
RUFF = (sys.executable, "-m", "ruff")


def run(*command: str, folder: str = ".") -> None:
    done = subprocess.run(command, cwd=ROOT / folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def ruff(*command: str) -> None:
    # ruff tells our modules from others' by the folder it runs in
    run(*RUFF, *command, folder="testbed")
    settings = ("--config", "testbed/pyproject.toml")
    run(*RUFF, *command, *settings, "tests", "examples/webrtc", "examples/python")


def test_c_sources_are_formatted() -> None:
    run("scripts/format.sh", "--check")


def test_c_is_clean() -> None:
    run("scripts/tidy.sh")


def test_python_is_clean() -> None:
    ruff("check")


def test_python_is_formatted() -> None:
    ruff("format", "--check")


def test_python_types_hold() -> None:
    # The files are named in the configuration, relative to its folder.
    run(sys.executable, "-m", "mypy", folder="testbed")


def longer_than(most: int, pattern: str, *folders: str) -> dict[str, int]:
    """The files that have more lines."""
    files = [file for folder in folders for file in (ROOT / folder).rglob(pattern)]
    lines = {str(file.relative_to(ROOT)): len(file.read_text().splitlines()) for file in files}
    assert len(lines) > 100
    return {name: count for name, count in lines.items() if count > most}


def test_no_python_file_has_more_than_six_hundred_lines() -> None:
    assert longer_than(MOST_LINES, "*.py", "testbed", "tests", "examples") == {}


def test_no_c_file_of_tests_has_more_than_eight_hundred_lines() -> None:
    assert longer_than(MOST_LINES_OF_C_TESTS, "*.[ch]", "tests") == {}


def test_shell_scripts_are_clean() -> None:
    folders = ("scripts", "tests", "examples", "testbed")
    found = sorted(file for folder in folders for file in (ROOT / folder).rglob("*.sh"))
    named = (".ci/run", "scripts/check", "scripts/release-notes", "scripts/test")
    scripts = [*(ROOT / name for name in named), *found]
    run(str(Path(sys.executable).with_name("shellcheck")), *map(str, scripts))
