"""The ladder to the default, and the worth of each rule."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "testbed/tools"))

import ablation  # noqa: E402
import judge  # noqa: E402
from ablation import Column, Step, Workshop  # noqa: E402
from gcc_testbed.studies.drawn.calls import Drawn  # noqa: E402
from gcc_testbed.studies.ordinary.series import SERIES as ORDINARY  # noqa: E402
from gcc_testbed.support import commits  # noqa: E402
from gcc_testbed.support.errors import TestbedError  # noqa: E402

PROFILE = (ROOT / ablation.PROFILE).read_text(encoding="utf-8")
COLUMNS = ablation.columns()
CALLS = ORDINARY.drawn([f"{ORDINARY.letter}301-00{number}" for number in (1, 2, 3)])


def names(column: Column) -> list[str]:
    return [rule.name for rule in ablation.rules(PROFILE) if rule.column == column.name]


@pytest.mark.parametrize("column", COLUMNS, ids=ablation.COLUMNS)
def test_every_rule_is_found_in_the_profile_and_can_be_switched_off(
    column: Column,
) -> None:
    own = ablation.chosen(ablation.rules(PROFILE), names(column), column.name)
    off = ablation.switched_off(PROFILE, own)
    assert own
    assert all(off.count(old) == 0 for rule in own for old, _ in rule.off)


def test_rules_whose_texts_overlap_are_off_in_any_order() -> None:
    rules = ablation.rules(PROFILE)
    drains = ablation.chosen(rules, ["drains"], "auto")[0]
    within = ((".min_queueing = LONG,", ".min_queueing = 2 * LONG,"),)
    both = [drains, replace(drains, name="fewer drains", off=within)]
    off = ablation.switched_off(PROFILE, both)
    assert off == ablation.switched_off(PROFILE, both[::-1])
    assert off == ablation.switched_off(PROFILE, both[:1])
    # A number of both counts once.
    assert ablation.numbers(PROFILE, both) == ablation.numbers(PROFILE, both[:1])
    assert ablation.numbers(PROFILE, []) == PROFILE.count("ours")


def test_a_rule_that_is_not_known_is_named() -> None:
    with pytest.raises(SystemExit, match="no rule 'drain' in column remb; known: "):
        ablation.chosen(ablation.rules(PROFILE), ["drain"], "remb")


@pytest.mark.parametrize("column", COLUMNS, ids=ablation.COLUMNS)
def test_each_rung_has_the_rules_of_the_one_below_it(column: Column) -> None:
    without = [set(rung.without) for rung in column.rungs]
    assert all(above < below for below, above in zip(without, without[1:], strict=False))
    assert without[-1] == set()
    assert set().union(*without) <= set(names(column))


@pytest.mark.parametrize("column", COLUMNS, ids=ablation.COLUMNS)
def test_each_rung_has_more_lines_than_the_one_below_it(column: Column) -> None:
    found = [ablation.lines(column.files, rung.unused) for rung in column.rungs]
    assert found == sorted(found)
    assert found[0] < found[-1]
    for pattern in [
        *column.files,
        *(each for rung in column.rungs for each in rung.unused),
    ]:
        assert list((ROOT / ablation.LIBRARY).glob(pattern)), pattern


def test_every_file_of_the_rules_is_one_of_a_column() -> None:
    found = {file for column in COLUMNS for file in ablation._found(column.files)}
    folder = ROOT / ablation.LIBRARY
    assert found == {
        *folder.glob("path/*.[ch]"),
        *folder.glob("compose/*-rules.[ch]"),
        *folder.glob("profiles/*rules-params.h"),
    }


def made(points: dict[str, float]) -> judge.Judged:
    keys = ("use", "false_back_off_percent", "delay_p95_ms")
    measures: dict[str, judge.Measures] = {
        name: {"points": each, **dict.fromkeys(keys, 1.0)} for name, each in points.items()
    }
    return judge.Judged(judge.Contender(Path("build"), judge.PROFILE, False), measures)


def step(name: str, points: tuple[float, ...]) -> Step:
    found = made({call.name: each for call, each in zip(CALLS, points, strict=True)})
    return Step(name, 100, 5, dict.fromkeys(ablation.SERIES, found))


def test_a_rung_stands_beside_the_default_with_its_error() -> None:
    calls: dict[str, list[Drawn]] = dict.fromkeys(ablation.SERIES, CALLS)
    rows = ablation.ladder_rows([step("less", (1, 2, 3)), step("all", (2, 4, 3))], calls)
    assert rows[0].startswith("| less | 100 | 5 | 2.0 ± 0.6 | -1.0 ± 0.6 |")
    assert rows[1].startswith("| all | 100 | 5 | 3.0 ± 0.6 | – |")


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    calls: dict[str, list[Drawn]] = dict.fromkeys(ablation.SERIES, CALLS)
    steps = [step("less", (1, 2, 3)), step("all", (2, 4, 3))]
    ablation.draw({"Over REMB": steps}, calls, tmp_path / "ladder.png")
    assert (tmp_path / "ladder.png").stat().st_size > 10_000


def test_a_page_below_docs_is_of_a_commit_or_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "DOCS", tmp_path / "docs")
    (tmp_path / "source").mkdir()
    (tmp_path / ablation.COMMIT).write_text("0123abc-dirty\n")
    shop = Workshop(tmp_path, {}, {})
    with pytest.raises(TestbedError, match="changes that no commit has"):
        ablation.page(shop, COLUMNS, tmp_path / "docs/ladder.md", rungs_only=True)
