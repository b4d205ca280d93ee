"""The card that comes with the testbed, and what a card may be."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_card import CARD, SCENARIO

from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.scorecard.card import Card, load, problem_with, run_of
from gcc_testbed.studies.sweeps import sweep_file
from gcc_testbed.support.errors import TestbedError


@pytest.mark.parametrize("row", load().rows, ids=lambda row: str(row.name))
def test_every_call_of_the_card_can_be_made_by_every_contender(row: card.Row) -> None:
    """But for those of a modelled encoder, which only gccsender sets."""
    for column in load().columns:
        problem = problem_with(row, column)
        if column.of == "rtpgccbwe" and row.group == "reported":
            assert problem == "the testbed has no flow[0].source: did you mean sequence?"
        else:
            assert problem is None


def test_the_card_has_the_goals_of_one_flow_as_they_were_set() -> None:
    (row,) = load().chosen(["one-flow"], quick=False)
    assert [str(goal) for goal in row.goals] == [
        "U ≥ 0.95",
        "loss % ≤ 0",
        "queueing p95 ms ≤ 25",
        "frame delay p95 ms ≤ 45",
        "reached after s ≤ 2",
    ]


def test_all_contenders_have_the_same_video_and_limits() -> None:
    """A column may say who controls the rate, not what is sent."""
    allowed = {"kind", "profile", "feedback", "estimator", "abs_send_time"}
    for column in load().columns:
        assert set(column.flow) <= allowed


def test_flows_beside_tcp_have_a_fair_share() -> None:
    for row in load().rows:
        scenario = scenario_file.load(row.scenario) if "trace" not in str(row.settings) else None
        if scenario is not None and row.scenario.name == "beside-tcp.toml":
            count = row.settings.get("flow[1].count", 1)
            assert row.fair_share == 1 / (count + 1), row.name


def test_a_contender_takes_the_place_of_every_gcc_flow(small: Card) -> None:
    plain, cubic = small.rows
    assert plain.with_column(small.columns[1]) == {
        "flow[0].kind": "rtpgccbwe",
        "flow[0].estimator": "kalman",
        "flow[2].kind": "rtpgccbwe",
        "flow[2].estimator": "kalman",
    }
    assert cubic.with_column(small.columns[0])["link.forward.rate_kbps"] == 2000
    run = run_of(cubic, small.columns[1], 3)
    changes = tuple(sweep_file.option(key, value) for key, value in run.settings.items())
    scenario = scenario_file.load(run.scenario, changes)
    assert [flow.kind for flow in scenario.flows] == ["rtpgccbwe", "tcp", "rtpgccbwe"]
    assert run.directory == "runs/cubic.theirs/seed-3"


def test_rows_are_chosen_by_name_by_group_and_quickly(small: Card) -> None:
    def names(*words: str, quick: bool = False) -> list[str]:
        return [row.name for row in small.chosen(list(words), quick=quick)]

    assert names() == ["plain", "cubic"]
    assert names("cubic") == names("tcp") == ["cubic"]
    assert names(quick=True) == ["plain"]
    with pytest.raises(TestbedError, match="^nobody: expected one of alone, tcp, plain, cubic$"):
        names("nobody")


def test_a_traces_path_is_relative_to_the_card(tmp_path: Path) -> None:
    (tmp_path / "call.toml").write_text(SCENARIO)
    changed = CARD.replace('rate_kbps" = 2000', 'rate_kbps" = { trace = "links/lte" }')
    (tmp_path / "card.toml").write_text(changed)
    settings = load(tmp_path / "card.toml").rows[1].settings
    assert settings["link.forward.rate_kbps"] == {"trace": str(tmp_path / "links" / "lte")}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("share <= 0.60", "shares <= 0.60", '"shares <= 0.60": expected MEASURE >= NUMBER'),
        ('"call.toml"', '"none.toml"', "scenario: there is no"),
        ("fair_share", "fare_share", "unexpected keyword argument 'fare_share'"),
        ('name = "theirs"', 'name = "ours"', "ours: expected a name of its own"),
        ('of = "peer"', "", "missing 1 required positional argument: 'of'"),
        ("[[column]]", "[[columns]]", "column is missing"),
    ],
)
def test_a_mistake_in_a_card_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    (tmp_path / "call.toml").write_text(SCENARIO)
    (tmp_path / "card.toml").write_text(CARD.replace(old, new))
    with pytest.raises(TestbedError) as raised:
        load(tmp_path / "card.toml")
    assert str(raised.value).startswith(f"{tmp_path / 'card.toml'}: ")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_reason_shows_no_path_of_this_machine(small: Card) -> None:
    row, column = small.rows[1], small.columns[0]
    row.settings["link.forward.rate_kbps"] = {"track": "/home/me/lte"}
    assert problem_with(row, column) == (
        "the testbed has no link.forward.rate_kbps.track: did you mean trace?"
    )
    row.settings["link.forward.rate_kbps"] = "fast"
    assert problem_with(row, column) == 'the testbed has no link.forward.rate_kbps "fast"'


def test_another_seed_or_fewer_rows_leave_all_results_valid(small: Card) -> None:
    """The plan that decides which results are stale holds all that the card may need."""
    planned = {(run.point, run.seed) for run in card.plan(small).runs}
    assert len(planned) == 2 * 2 * card.MOST_SEEDS


def test_gcc_flows_have_nothing_that_a_peer_cannot_have() -> None:
    """Or a contender's call would be another one."""
    plain = GccFlow()
    for row in load().rows:
        if "trace" in str(row.settings):
            continue
        for each in scenario_file.load(row.scenario).flows:
            if isinstance(each, GccFlow):
                assert each.protection == plain.protection
                assert each.overuse_threshold_ms == plain.overuse_threshold_ms
                assert each.report_interval_ms == plain.report_interval_ms
