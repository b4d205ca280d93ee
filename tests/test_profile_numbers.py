"""The numbers of the profiles are those of the library; the default's own have a page."""

from __future__ import annotations

import ctypes
import math
import os
import re
from pathlib import Path

import own_numbers
import params
import profile_numbers
import pytest
from profile_numbers import HEADERS, Stage

BUILD = Path(os.environ.get("GCC_BUILD_DIR", profile_numbers.ROOT / "build")).resolve()
HEADER = """
#define GCC_BEADS 2
/**
 * GccWay:
 * @GCC_WAY_UP: more
 */
typedef enum {
  GCC_WAY_UP,
  GCC_WAY_DOWN,
} GccWay;

/**
 * GccRodParams:
 * @beads: of a rod, below %GCC_BEADS
 */
typedef struct {
  guint beads[GCC_BEADS];
} GccRodParams;

/**
 * GccAbacusParams:
 * @way: of counting; see @rod
 * @wait: between two,
 *   at least
 * @rod: (nullable): the first
 *
 * Counts.
 */
typedef struct {
  GccWay way; /* of both */
  GccTime wait;
  const GccRodParams *rod;
} GccAbacusParams;
"""

TABLE = """
#define ROD (2 * GCC_SECOND) /* ours: a guess */
#define BEADS(n) \\
  { \\
    .wait = ROD, \\
    .count = 10, /* beads, ours: a hand has five */ \\
  }

const GccRules gcc_recommended_rules = {
  .rod = {
    .wait = ROD,
    .share = 0.5, /* ours: of one of
                   * two rods */
    .given = 4., /* RFC 4 */
  },
  BEADS (
      3. /* ours: of a child */),
};

const GccProfile gcc_profile_recommended = {
  .last = FALSE, /* ours: first */
};
"""


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    if not (BUILD / "gst" / "gcc" / "libgstgcc-1.0.so").is_file():
        pytest.skip(f"{BUILD} is no build: meson setup {BUILD}")
    return list(profile_numbers.stages(BUILD))


def headers(folder: Path, text: str) -> params.Headers:
    (folder / "abacus.h").write_text(text)
    return params.Headers(folder)


def plain(table: ctypes.Structure) -> list[float]:
    members = (getattr(table, each[0]) for each in table._fields_)
    return [member for member in members if isinstance(member, (int, float))]


def test_the_page_has_the_numbers_of_the_default() -> None:
    page = profile_numbers.PAGE.read_text(encoding="utf-8")
    assert page == profile_numbers.own_page(), "run tests/profile_numbers.py"


def test_the_file_has_every_number_of_the_library(stages: list[Stage], tmp_path: Path) -> None:
    file = tmp_path / "numbers.md"
    assert profile_numbers.main([str(file), str(BUILD)]) == 0
    written = file.read_text(encoding="utf-8")
    for stage in stages:
        for field in stage.numbers():
            cells = " | ".join([f"`{field.name}`", *stage.cells(field, stage.users())])
            assert f"\n| {cells} | " in written
    assert "| `beta` | 0.97 | 0.85 | 0.85 |" in written


def test_every_field_has_a_meaning(stages: list[Stage]) -> None:
    fields = {(stage.type, field.name) for stage in stages for field in stage.fields()}
    assert len(fields) > 300
    assert [each for stage in stages for each in stage.fields() if not each.about] == []


def test_the_layout_is_that_of_the_compiler(stages: list[Stage]) -> None:
    # A member that is read elsewhere is neither finite nor small.
    for stage in stages:
        for table in filter(None, stage.tables.values()):
            assert all(math.isfinite(number) for number in plain(table)), stage.path
            for choice in stage.choices():
                values = HEADERS.enums.get(choice.type, ["no", "yes"])
                assert 0 <= getattr(table, choice.name) < len(values), stage.path


def test_every_number_of_our_own_has_what_it_was_chosen_by() -> None:
    text = own_numbers.TABLE.read_text(encoding="utf-8")
    numbers = own_numbers.read(text)
    assert len(numbers) == len(re.findall(r"\bours\b", text))
    assert [number.name for number in numbers if not number.why or not number.value] == []
    assert len({number.name for number in numbers}) == len(numbers)


def test_a_number_is_named_by_its_place() -> None:
    assert own_numbers.read(TABLE) == [
        own_numbers.OwnNumber("ROD", "2 s", "a guess"),
        own_numbers.OwnNumber("BEADS.count", "10 beads", "a hand has five"),
        own_numbers.OwnNumber("rules.rod.share", "0.5", "of one of two rods"),
        own_numbers.OwnNumber("rules.BEADS", "3", "of a child"),
        own_numbers.OwnNumber("last", "FALSE", "first"),
    ]


def test_published_generations_have_no_rules_of_the_default(stages: list[Stage]) -> None:
    rules = [stage for stage in stages if "rules" in stage.path]
    assert len(rules) > 10
    assert {name for stage in rules for name in stage.users()} == {"recommended"}


def test_a_header_is_read(tmp_path: Path) -> None:
    found = headers(tmp_path, HEADER)
    assert found.structs["GccAbacusParams"] == [
        params.Field("way", "GccWay", False, None, "of counting; see `rod`"),
        params.Field("wait", "GccTime", False, None, "between two, at least"),
        params.Field("rod", "GccRodParams", True, None, "the first"),
    ]
    (beads,) = found.structs["GccRodParams"]
    assert (beads.count, beads.about) == (2, "of a rod, below GCC_BEADS")
    assert found.enums == {"GccWay": ["up", "down"]}


def test_a_struct_is_laid_out_as_the_compiler_does(tmp_path: Path) -> None:
    layout = headers(tmp_path, HEADER).layout("GccAbacusParams")
    assert [getattr(layout, name).offset for name in ("way", "wait", "rod")] == [0, 8, 16]


def test_a_member_that_is_unknown_is_no_silent_gap(tmp_path: Path) -> None:
    text = HEADER.replace("  GccTime wait;", "  GccTime wait, other;")
    with pytest.raises(params.UnreadableError, match="wait, other"):
        assert headers(tmp_path, text).structs


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [
        (0, "0"),
        (2_000_000, "2 s"),
        (1_500_000, "1500 ms"),
        (33_333, "33333 µs"),
        (profile_numbers.NEVER, "none"),
    ],
)
def test_a_time_has_its_unit(microseconds: int, text: str) -> None:
    assert profile_numbers.time(microseconds) == text
