"""examples/*.sh tell wrong options before they install or build anything."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run(script: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [EXAMPLES / script, *words], text=True, capture_output=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("script", "words", "said"),
    [
        ("call.sh", ("--rate", "x"), "error: --rate x: expected kbit/s"),
        ("papers.sh", ("nobody",), "error: nobody: expected one of ccr16, fhmn13, ietf88, pv13"),
        ("papers.sh", ("--jobs", "0"), "error: --jobs 0: expected a whole number"),
        ("scorecard.sh", ("--seeds", "0"), "error: --seeds 0: expected a whole number"),
    ],
)
def test_a_wrong_option_is_told_in_a_line(script: str, words: tuple[str, ...], said: str) -> None:
    done = run(script, *words)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("script", ["call.sh", "papers.sh", "scorecard.sh"])
def test_help_is_all_there_is_with_help(script: str) -> None:
    done = run(script, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ")
