"""Temporary directories: gone with their owner, or with the next run."""

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from gcc_testbed.support import temporary

TESTBED = Path(__file__).resolve().parent.parent
OWNER = """
import sys, time
from pathlib import Path
from gcc_testbed.support import temporary
with temporary.directory("call-", Path(sys.argv[1])) as made:
    (made / "capture").write_text("large")
    print(made, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process with a directory of its own, whose name it has printed."""
    child = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path)],
        env={"PYTHONPATH": str(TESTBED)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline().startswith(str(tmp_path / "call-"))
    yield child
    child.kill()
    child.communicate()


def entries(place: Path) -> int:
    return len(list(place.iterdir()))


def test_a_directory_ends_with_its_use(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), temporary.directory("call-", tmp_path) as made:
        (made / "file").touch()
        raise KeyboardInterrupt
    assert entries(tmp_path) == 0


def test_what_a_killed_owner_leaves_the_next_one_removes(
    owner: subprocess.Popen[str], tmp_path: Path
) -> None:
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    assert entries(tmp_path) == 1
    with temporary.directory("call-", tmp_path) as made:
        assert list(tmp_path.iterdir()) == [made]


def test_a_living_owners_directory_stays(owner: subprocess.Popen[str], tmp_path: Path) -> None:
    (theirs,) = tmp_path.iterdir()
    with temporary.directory("call-", tmp_path):
        assert (theirs / "capture").read_text() == "large"
    assert entries(tmp_path) == 1


@pytest.mark.parametrize("name", ["call-notlocked", "call-12345678", "other-12345678"])
def test_what_is_not_ours_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    if name.startswith("other"):
        (tmp_path / name / temporary.LOCK).touch()
    with temporary.directory("call-", tmp_path):
        pass
    assert (tmp_path / name).is_dir()


def test_a_kernels_scratch_directory_has_no_name_that_needs_quotes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("my files", "it's", "$(here)"):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
        assert temporary.plain() == Path("/tmp")
    monkeypatch.setattr(tempfile, "tempdir", "/var/tmp")
    assert temporary.plain() == Path("/var/tmp")
