"""Programs with the bindings of GStreamer, which are packages of the distribution's own Python."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
PYTHON = "/usr/bin/python3"


def last_line(program: str, timeout_s: float) -> str:
    """The last line that a program prints, which finds the elements that were built."""
    if subprocess.run([PYTHON, "-c", "import gi"], check=False).returncode != 0:
        pytest.skip("no bindings of GStreamer")
    done = subprocess.run(
        [PYTHON, "-c", program],
        cwd=ROOT,
        env={**os.environ, "GST_PLUGIN_PATH": str(BUILD / "plugin"), "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()[-1]
