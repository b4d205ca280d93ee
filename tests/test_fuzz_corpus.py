"""The archives of inputs that fuzz targets begin with: tests/fuzz/corpus.py."""

from __future__ import annotations

import importlib.util
import os
import tarfile
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parent / "fuzz"
TARGETS = {file.stem.removeprefix("fuzz-") for file in FUZZ.glob("fuzz-*.c")}
# Fewer than there are, since a merge may find one superfluous.
FEWEST = 8
FEWEST_OF_ALL = 900

_spec = importlib.util.spec_from_file_location("corpus", FUZZ / "corpus.py")
assert _spec is not None and _spec.loader is not None
corpus = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(corpus)


def archive(target: str) -> Path:
    return FUZZ / "corpus" / f"{target}.tar.xz"


def test_each_target_has_an_archive_and_no_archive_is_without_a_target() -> None:
    assert {file.name.removesuffix(".tar.xz") for file in (FUZZ / "corpus").iterdir()} == TARGETS


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_an_archive_has_inputs_to_begin_with(target: str) -> None:
    assert len(corpus.inputs(archive(target))) >= FEWEST


def test_no_input_was_lost_on_the_way_into_the_archives() -> None:
    assert sum(len(corpus.inputs(archive(target))) for target in TARGETS) >= FEWEST_OF_ALL


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_an_archive_tells_nothing_of_who_made_it_and_when(target: str) -> None:
    with tarfile.open(archive(target)) as tar:
        members = tar.getmembers()
    assert all(
        (each.isfile(), each.mtime, each.uid, each.gid, each.uname, each.gname)
        == (True, 0, 0, 0, "", "")
        for each in members
    )
    assert [each.name for each in members] == sorted(each.name for each in members)


def test_the_same_inputs_make_the_same_archive_at_any_time_and_in_any_order(
    tmp_path: Path,
) -> None:
    made = []
    for name, order in (("first", ["a", "b", "c"]), ("second", ["c", "a", "b"])):
        folder = tmp_path / name
        folder.mkdir()
        for place, each in enumerate(order):
            (folder / each).write_bytes(each.encode() * 3)
            os.utime(folder / each, (1000 * place, 1000 * place))
        corpus.pack(folder, tmp_path / f"{name}.tar.xz")
        made.append((tmp_path / f"{name}.tar.xz").read_bytes())
    assert made[0] == made[1]


def test_what_is_unpacked_is_what_was_packed_and_nothing_from_before(tmp_path: Path) -> None:
    folder, target = tmp_path / "made", tmp_path / "unpacked"
    folder.mkdir()
    target.mkdir()
    (target / "left").write_bytes(b"of an earlier archive")
    (folder / "new").write_bytes(b"\x00\xff")
    (folder / "empty").write_bytes(b"")
    corpus.pack(folder, tmp_path / "a.tar.xz")
    corpus.unpack(tmp_path / "a.tar.xz", target)
    assert {file.name: file.read_bytes() for file in target.iterdir()} == {
        "new": b"\x00\xff",
        "empty": b"",
    }
