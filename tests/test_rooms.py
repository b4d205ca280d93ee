"""Which room of the library or the plugin may use which: includes go one way, as the data does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Tree:
    """Files in rooms, each of which may use those before it; "" has those beside the rooms."""

    path: Path
    include: re.Pattern[str]
    rooms: tuple[str, ...]

    def room_of(self, file: Path) -> str:
        room = file.relative_to(self.path).parent.as_posix()
        return "" if room == "." else room

    def sources(self) -> list[Path]:
        return sorted(self.path.rglob("*.[ch]"))

    def included(self, file: Path) -> Iterator[str]:
        """Headers of the tree, without its path and suffix."""
        yield from self.include.findall(file.read_text(encoding="utf-8"))

    def against_the_flow(self) -> list[str]:
        """Includes of a room that comes later."""
        return [
            f"{file.relative_to(self.path)} includes {header}.h"
            for file in self.sources()
            for header in self.included(file)
            if self.rooms.index(self.room_of(self.path / header))
            > self.rooms.index(self.room_of(file))
        ]


LIBRARY = Tree(
    ROOT / "gst" / "gcc",
    re.compile(r'^#include [<"]gst/gcc/([\w/-]+)\.h[>"]$', re.M),
    (
        # The headers that applications include.
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
    ),
)

PLUGIN = Tree(
    ROOT / "plugin",
    re.compile(r'^#include "([\w/]+)\.h"$', re.M),
    (
        # Caps, pads, time, and what is told to whom.
        "support",
        # The RTP session, its RTCP and the way to it.
        "session",
        # The library's composers with their locks.
        "control",
        # A stream of gccsender: its pad, its encoder, its protection, its numbers.
        "stream",
        # The way out of gccsender.
        "exit",
        # The target, and the encoders that follow it.
        "encoder",
        # The elements.
        "",
    ),
)

TREES = pytest.mark.parametrize("tree", [LIBRARY, PLUGIN], ids=["library", "plugin"])


@TREES
def test_every_file_is_in_a_room_that_is_known(tree: Tree) -> None:
    assert {tree.room_of(file) for file in tree.sources()} == set(tree.rooms)


def test_only_headers_stand_in_front_of_the_librarys_rooms() -> None:
    in_front = [file for file in LIBRARY.sources() if LIBRARY.room_of(file) == ""]
    assert [file.name for file in in_front if file.suffix == ".c"] == []


@TREES
def test_includes_go_one_way(tree: Tree) -> None:
    assert tree.against_the_flow() == []


@pytest.mark.parametrize(
    ("tree", "include"),
    [(LIBRARY, "#include <gst/gcc/{}.h>\n"), (PLUGIN, '#include "{}.h"\n')],
    ids=["library", "plugin"],
)
def test_an_include_against_the_flow_is_found(tree: Tree, include: str, tmp_path: Path) -> None:
    for room, other in (("one", "other"), ("other", "one")):
        (tmp_path / room).mkdir()
        (tmp_path / room / "a.h").write_text(include.format(f"{other}/a"))
    crossed = replace(tree, path=tmp_path, rooms=("one", "other"))
    assert crossed.against_the_flow() == ["one/a.h includes other/a.h"]


@TREES
def test_no_headers_include_each_other(tree: Tree) -> None:
    graph = {
        file.relative_to(tree.path).with_suffix("").as_posix(): set(tree.included(file))
        for file in tree.sources()
        if file.suffix == ".h"
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_every_unit_test_is_in_the_room_of_its_file() -> None:
    for test in sorted((ROOT / "tests" / "unit").glob("*/test-*.c")):
        name = test.stem.removeprefix("test-")
        for file in LIBRARY.path.rglob(f"gcc-{name}.c"):
            assert LIBRARY.room_of(file).partition("/")[0] == test.parent.name, test


def test_a_packets_way_in_the_documentation_names_functions_of_the_code() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    way = page.partition("### The way of a packet")[2].partition("\n`gcc-target.c`")[0]
    rows = re.findall(r"^\| [^|]+ \| `(\w+)\(\)` \| ([^|]+) \|", way, re.M)
    code = [
        file.read_text(encoding="utf-8")
        for tree in (LIBRARY, PLUGIN)
        for file in tree.sources()
        if file.suffix == ".c"
    ]

    assert len(rows) > 10
    for function, _ in rows:
        assert function == "gst_pad_push" or any(
            re.search(rf"^{function} \(", text, re.M) for text in code
        ), function


@pytest.mark.parametrize(
    ("header", "struct", "least"),
    [
        ("compose/gcc-sender-private.h", "_GccSender", 3),
        ("compose/gcc-sender-control.h", "GccSenderControl", 4),
        ("compose/gcc-sender-path.h", "GccSenderPath", 2),
        ("compose/gcc-send-side.h", "GccSendSide", 4),
        ("compose/gcc-send-side-rates.h", "GccSendSideRates", 4),
        ("delay/gcc-result-delay.h", "GccResultDelay", 4),
        ("probe/gcc-probing.h", "GccProbing", 2),
        ("compose/gcc-receiver-private.h", "_GccReceiver", 4),
        ("compose/gcc-receiving-end.h", "GccReceivingEnd", 4),
        ("history/gcc-reports.h", "GccReports", 2),
        ("history/gcc-silence.h", "GccSilence", 2),
        ("output/gcc-media-budget.h", "GccMediaBudget", 3),
    ],
)
def test_the_documentation_draws_every_stage_of_a_composer(
    header: str, struct: str, least: int
) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    text = (ROOT / "gst/gcc" / header).read_text(encoding="utf-8")
    found = re.search(rf"struct {struct} {{([^}}]*)}};|{{([^}}]*)}} {struct};", text)
    assert found is not None
    headers = (file for file in LIBRARY.sources() if file.suffix == ".h")
    code = " ".join(" ".join(file.read_text(encoding="utf-8").split()) for file in headers)
    members = set(re.findall(r"^  (Gcc\w+) \*?\w+;$", found[1] or found[2], re.M))
    # A stage is begun by a function of its own; the others are numbers and results.
    stages = {each for each in members if re.search(rf"_init \( ?{each} \*self", code)}

    assert len(stages) >= least
    assert {each for each in stages if not re.search(rf"\b{each}\b", page)} == set()
