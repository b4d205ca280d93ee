"""The checked-in style holds everywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = ("tests", "examples")
CONFIG = ("--config", "examples/testbed/pyproject.toml")


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_c_sources_are_formatted() -> None:
    run("scripts/format.sh", "--check")


def test_python_is_clean() -> None:
    run(sys.executable, "-m", "ruff", "check", *CONFIG, *PYTHON)


def test_python_is_formatted() -> None:
    run(sys.executable, "-m", "ruff", "format", "--check", *CONFIG, *PYTHON)


def test_shell_scripts_parse() -> None:
    scripts = [
        ROOT / ".ci/run",
        *(ROOT / "scripts").glob("*.sh"),
        *(ROOT / "tests").glob("*.sh"),
        *(ROOT / "examples").rglob("*.sh"),
    ]
    for script in scripts:
        run("bash", "-n", str(script))
