"""tests/architectures.sh: an architecture that cannot be tried is skipped, with a reason."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Nothing is installed or fetched.
STUBS = "gcc_add_packages() { :; }; lacks() { return 1; }; sysroot() { :; }"


def tried(lines: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Big endian, with functions of the script replaced."""
    own = f"gcc_build_dir={folder} results={folder}; mkdir -p {folder}/s390x"
    script = f". {ROOT}/tests/architectures.sh; {own}; {STUBS}; {lines}; try s390x || exit 1"
    words = ("bash", "-c", script)
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def told(done: subprocess.CompletedProcess[str]) -> tuple[int, list[str]]:
    return done.returncode, done.stdout.splitlines()


def test_a_compiler_that_is_missing_is_a_reason_to_skip(tmp_path: Path) -> None:
    assert told(tried("lacks() { echo gcc; }", tmp_path)) == (
        0,
        [
            "s390x: skipped: s390x: all: no gcc here",
            "s390x: 0 passed, 0 failed, 1 skipped",
        ],
    )


def test_packages_that_cannot_be_had_are_a_reason_to_skip(tmp_path: Path) -> None:
    status, lines = told(tried("sysroot() { return 1; }", tmp_path))
    assert status == 0
    assert "its packages cannot be had" in lines[0]
    assert lines[-1] == "s390x: 0 passed, 0 failed, 1 skipped"


def test_a_build_that_breaks_is_a_failure(tmp_path: Path) -> None:
    status, lines = told(tried("gcc_build_in() { return 1; }", tmp_path))
    assert (status, lines[-1]) == (1, "s390x: 0 passed, 2 failed")


def test_an_architecture_that_is_unknown_is_an_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(ROOT / "tests/architectures.sh"), "--results", str(tmp_path / "none"), "vax"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "known are i386, s390x and arm64" in done.stderr
    assert not (tmp_path / "none").exists()
