"""Scripts of this folder that make calls with the build."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
# Of a script that lacks something here.
SKIPPED = 77


def said(script: str, *words: str) -> str:
    """What a script prints whose calls keep their promises."""
    made = subprocess.run(
        [str(ROOT / "tests" / script), *words],
        env={**os.environ, "GCC_BUILD_DIR": str(BUILD)},
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode == SKIPPED:
        pytest.skip(made.stdout.strip())
    assert made.returncode == 0, made.stdout + made.stderr
    print(made.stdout)
    return made.stdout
