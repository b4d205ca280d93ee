"""Which room of the library may use which: includes go one way, as the data does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "gst" / "gcc"
INCLUDE = re.compile(r'^#include [<"]gst/gcc/([\w/-]+)\.h[>"]$', re.M)

# In this order: each room may use those before it. "" are the headers that applications include.
ORDER = (
    "",
    # Bytes in, bytes out.
    "wire",
    # Packets that were sent, and reports about them.
    "history",
    # The default's own rules about the path.
    "path",
    # The arrival filter and the over-use detector.
    "delay",
    # The rate controller, and the rates that it measures.
    "rate",
    # Both kinds of probes.
    "probe",
    # Reports of the receiver.
    "report",
    # From A_s to the packets that leave.
    "output",
    # The loss controllers.
    "loss",
    # The numbers of all of them.
    "profiles",
    "profiles/published",
    # The stages together.
    "compose",
)


def room_of(file: Path, library: Path = LIBRARY) -> str:
    room = file.relative_to(library).parent.as_posix()
    return "" if room == "." else room


def sources(library: Path = LIBRARY) -> list[Path]:
    return sorted(library.rglob("*.[ch]"))


def included(source: str) -> Iterator[str]:
    """Headers of the library, without "gst/gcc/" and suffix."""
    yield from INCLUDE.findall(source)


def against_the_flow(library: Path = LIBRARY) -> list[str]:
    """Includes of a room that comes later."""
    return [
        f"{file.relative_to(library)} includes {header}.h"
        for file in sources(library)
        for header in included(file.read_text(encoding="utf-8"))
        if ORDER.index(room_of(library / header, library)) > ORDER.index(room_of(file, library))
    ]


def test_every_file_is_in_a_room_that_is_known() -> None:
    assert {room_of(file) for file in sources()} == set(ORDER)


def test_only_headers_stand_in_front_of_the_rooms() -> None:
    assert [file.name for file in sources() if room_of(file) == "" and file.suffix == ".c"] == []


def test_includes_go_one_way() -> None:
    assert against_the_flow() == []


def test_an_include_against_the_flow_is_found(tmp_path: Path) -> None:
    for room in ("wire", "rate"):
        (tmp_path / room).mkdir()
    (tmp_path / "wire" / "gcc-a.h").write_text("#include <gst/gcc/rate/gcc-b.h>\n")
    (tmp_path / "rate" / "gcc-b.h").write_text("#include <gst/gcc/wire/gcc-a.h>\n")
    assert against_the_flow(tmp_path) == ["wire/gcc-a.h includes rate/gcc-b.h"]


def test_no_headers_include_each_other() -> None:
    graph = {
        file.relative_to(LIBRARY).with_suffix("").as_posix(): set(
            included(file.read_text(encoding="utf-8"))
        )
        for file in sources()
        if file.suffix == ".h"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_every_unit_test_is_in_the_room_of_its_file() -> None:
    for test in sorted((ROOT / "tests" / "unit").glob("*/test-*.c")):
        name = test.stem.removeprefix("test-")
        for file in LIBRARY.rglob(f"gcc-{name}.c"):
            assert room_of(file).partition("/")[0] == test.parent.name, test
