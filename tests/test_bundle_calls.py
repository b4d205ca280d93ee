"""Calls with several encoders in a bundle, and one whose picture stood still, in virtual time."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
CALLS = (
    "two_encoders_share_1_mbit",
    "a_track_is_added_in_mid_call",
    "a_picture_that_stood_still_moves",
)


def test_calls_of_a_bundle_are_as_promised() -> None:
    """tests/element/bundle-calls.c has the promises."""
    made = subprocess.run(
        [str(ROOT / "tests/virtual.sh"), "tests/element/bundle-calls"],
        env={**os.environ, "GCC_BUILD_DIR": str(BUILD)},
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode == 77:
        pytest.skip(made.stdout.strip())
    assert made.returncode == 0, made.stdout + made.stderr
    passed = [line.rpartition("/")[2] for line in made.stdout.splitlines() if line[:3] == "ok "]
    assert passed == list(CALLS)
