"""Results appear whole, or not at all."""

from pathlib import Path

import pytest

from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.output import Output


def test_results_appear_only_when_kept(tmp_path: Path) -> None:
    with Output(tmp_path / "out") as output:
        (output.path / "call.json").write_text("{}")
        assert not (tmp_path / "out").exists()
        output.keep()
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["call.json"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_a_failure_leaves_nothing_new_and_the_old_results_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "call.json").write_text("old")
    with pytest.raises(KeyboardInterrupt), Output(tmp_path / "out") as output:
        (output.path / "call.json").write_text("new")
        raise KeyboardInterrupt
    assert (tmp_path / "out" / "call.json").read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_earlier_results_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for name in ("call.json", "leftover"):
        (tmp_path / "out" / name).write_text("old")
    with Output(tmp_path / "out") as output:
        (output.path / "call.json").write_text("new")
        output.keep()
    assert [file.read_text() for file in (tmp_path / "out").iterdir()] == ["new"]


@pytest.mark.parametrize("kind", ["file", "full directory", "link", "no parent"])
def test_what_is_not_ours_is_refused(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "out"
    if kind == "file":
        place.write_text("mine")
    elif kind == "full directory":
        place.mkdir()
        (place / "thesis").write_text("mine")
    elif kind == "link":
        place.symlink_to(tmp_path)
    else:
        place = tmp_path / "not" / "there"
    with pytest.raises(TestbedError, match="--out "):
        Output(place)
