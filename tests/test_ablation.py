"""The worth of each rule of the default."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "testbed/tools"))

import ablation  # noqa: E402
from ablation import Variant  # noqa: E402
from gcc_testbed.support import commits  # noqa: E402

PROFILE = (ROOT / ablation.PROFILE).read_text(encoding="utf-8")
ALL = Variant("auto", (), 100, {"s1-001": 10.0, "s1-002": 30.0})
LESS = Variant("auto", ("drains",), 95, {"s1-002": 20.0})
NONE = Variant("auto", ("noise is no queue",), 97, {})


def test_every_rule_is_found_in_the_profile_and_can_be_switched_off() -> None:
    rules = ablation.rules(PROFILE)
    for column in ablation.TITLES:
        own = [rule for rule in rules if rule.column == column]
        off = ablation.switched_off(PROFILE, own)
        assert own
        assert all(off.count(old) == 0 for rule in own for old, _ in rule.off)


def test_rules_whose_texts_overlap_are_off_in_any_order() -> None:
    rules = ablation.rules(PROFILE)
    names = ["drains", "a short queue is drained while another call may share it"]
    both = ablation.chosen(rules, names, "auto")
    off = ablation.switched_off(PROFILE, both)
    assert off == ablation.switched_off(PROFILE, both[::-1])
    assert off == ablation.switched_off(PROFILE, both[:1])
    # A number of both counts once.
    assert ablation.left(PROFILE, both) == ablation.left(PROFILE, both[:1])
    assert ablation.left(PROFILE, []) == PROFILE.count("ours")


def test_a_rule_that_is_not_known_is_named() -> None:
    with pytest.raises(SystemExit, match="no rule 'drain' in column remb; known: "):
        ablation.chosen(ablation.rules(PROFILE), ["drain"], "remb")


def test_a_call_that_was_not_made_without_a_rule_counts_as_with_it() -> None:
    assert ablation.rows([ALL, LESS, NONE], "auto") == [
        "| drains | 5 | -5.00 ± 5.00 | +0.00 | 1 | -10 (s1-002) | -10 (s1-002) |",
        "| noise is no queue | 3 | +0.00 ± 0.00 | +0.00 | 0 | – | – |",
    ]


def test_variants_that_begin_alike_have_directories_of_their_own() -> None:
    names = [rule.name for rule in ablation.rules(PROFILE) if rule.column == "auto"]
    assert ablation.place("auto", names) == ablation.place("auto", names[::-1])
    assert ablation.place("auto", names) != ablation.place("auto", names[:-1])


def made(directory: Path, variant: Variant) -> None:
    """A variant as the tool leaves it."""
    out = directory / ablation.place(variant.column, variant.without)
    out.mkdir()
    mark = {"column": "auto", "without": variant.without, "numbers": variant.numbers}
    (out / ablation.MARK).write_text(json.dumps(mark))
    lines = [
        "row,column,points",
        *(f"{call},auto,{n}" for call, n in variant.points.items()),
    ]
    if variant.points:
        (out / "stress").mkdir()
        (out / "stress/calls.csv").write_text("\n".join(lines) + "\n")


def test_the_page_has_a_row_for_each_rule_and_a_picture(tmp_path: Path) -> None:
    for variant in (ALL, LESS, NONE):
        made(tmp_path, variant)
    (tmp_path / ablation.COMMIT).write_text("0123abc\n")
    ablation.page(tmp_path, tmp_path / ablation.PAGE)
    page = (tmp_path / ablation.PAGE).read_text(encoding="utf-8")
    assert "\n".join(ablation.rows([ALL, LESS, NONE], "auto")) in page
    assert "REMB" not in page
    assert "from drawn calls, made by 0123abc." in page
    assert (tmp_path / "ablation" / ablation.PICTURE).stat().st_size > 10_000


def test_rules_that_are_off_together_have_a_table_of_their_own() -> None:
    both = Variant("auto", ("drains", "noise is no queue"), 92, {"s1-002": 10.0})
    assert ablation.together([ALL, LESS, both], "auto") == [
        "| 0 | 100 | 20.00 | – | 10.00 | – |",
        "| 2 | 92 | 10.00 | -10.00 ± 10.00 | 10.00 | drains; noise is no queue |",
    ]


def test_the_generation_without_rules_is_beside_them(tmp_path: Path) -> None:
    plain = Variant("goog-2026", (), 0, {"s1-001": 4.0, "s1-002": 16.0})
    assert ablation.together([ALL, plain], "auto") == [
        "| 0 | 100 | 20.00 | – | 10.00 | – |",
        "| – | 0 | 10.00 | -10.00 ± 4.00 | 4.00 | goog-2026, as published |",
    ]
    ablation.draw([ALL, plain], tmp_path / ablation.PICTURE)
    assert (tmp_path / ablation.PICTURE).stat().st_size > 10_000


def test_each_column_has_a_generation_of_its_own() -> None:
    remb = Variant("remb", (), 100, {"s1-001": 8.0, "s1-002": 32.0})
    plain = Variant("goog-2020", (), 0, {"s1-001": 4.0, "s1-002": 16.0})
    assert ablation.together([remb, plain], "remb")[-1].endswith("| goog-2020, as published |")
    assert len(ablation.together([ALL, plain], "auto")) == 1


def test_a_rule_that_is_there_no_more_is_said_to_be_left_out() -> None:
    gone = Variant("auto", ("divining",), 99, {})
    assert ablation.rows([ALL, gone], "auto")[0].startswith("| divining (left out since) | 1 |")


def test_trials_of_an_earlier_page_of_the_same_default_are_kept(tmp_path: Path) -> None:
    pages = [tmp_path / name for name in ("before.md", "after.md")]
    both = Variant("auto", ("drains", "noise is no queue"), 92, {"s1-002": 10.0})
    for page, variants in zip(pages, ((ALL, LESS, NONE), (ALL, both)), strict=True):
        directory = tmp_path / page.stem / "calls"
        directory.mkdir(parents=True)
        (directory / ablation.COMMIT).write_text(f"{page.stem}\n")
        for variant in variants:
            made(directory, variant)
        earlier = tmp_path / "before" / ablation.POINTS
        options = ["--with", str(earlier)] if earlier.exists() else []
        ablation.main(["page", str(directory), "--page", str(page), *options])
    text = pages[1].read_text(encoding="utf-8")
    assert "\n".join(ablation.rows([ALL, LESS, NONE], "auto")) in text
    assert "\n".join(ablation.together([ALL, both], "auto")) in text
    assert "made by after, before. **Made by several commits: not a result.**" in text
    found = ablation.kept(tmp_path / "after" / ablation.POINTS)
    assert {(each.commit, each.without) for each in found} == {
        ("after", ()),
        ("after", both.without),
        ("before", LESS.without),
        ("before", NONE.without),
    }


def test_a_page_below_docs_is_of_one_commit_or_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "DOCS", tmp_path / "docs")
    earlier = tmp_path / ablation.POINTS
    ablation.keep([replace(LESS, commit="0123abc")], earlier)
    made(tmp_path, ALL)
    (tmp_path / ablation.COMMIT).write_text("4567def\n")
    page = tmp_path / "docs" / ablation.PAGE
    words = ["page", str(tmp_path), "--with", str(earlier), "--page", str(page)]
    with pytest.raises(SystemExit, match="made by several commits: not a result"):
        ablation.main(words)
    assert not page.exists()


def test_trials_of_another_default_are_refused() -> None:
    other = Variant("auto", (), 100, {"s1-001": 11.0, "s1-002": 30.0})
    with pytest.raises(SystemExit, match="transport-cc: the earlier calls are of another default"):
        ablation.joined([ALL], [other])
