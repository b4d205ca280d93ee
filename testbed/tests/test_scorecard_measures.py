"""The measures of a call, points and goals."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_card import finish, flow

from gcc_testbed.studies.scorecard.card import Card, Goal, run_of
from gcc_testbed.studies.scorecard.measures import MEASURES, Values, of_call, points


def test_the_worst_flow_of_media_counts(small: Card, tmp_path: Path) -> None:
    run = run_of(small.rows[0], small.columns[0], 1)
    good, bad = flow("media-1", "gcc"), flow("media-2", "gcc", loss=0.02, d95=90.0, converge=None)
    values = of_call(finish(tmp_path, run, good, bad))
    assert values is not None
    assert values["loss_percent"] == pytest.approx(2)
    assert values["frame_delay_p95_ms"] == 90
    assert (values["converge_s"], values["jain"], values["share"]) == (None, 0.9, None)


def test_beside_tcp_the_share_counts_and_tcps_loss_does_not(small: Card, tmp_path: Path) -> None:
    run = run_of(small.rows[1], small.columns[0], 1)
    tcp = flow("tcp", "tcp", loss=0.3)
    directory = finish(tmp_path, run, flow("media", "gcc"), tcp, shares={"media": 0.4, "tcp": 0.6})
    values = of_call(directory)
    assert values is not None
    assert (values["share"], values["jain"], values["loss_percent"]) == (0.4, None, 0)


def test_a_rate_is_reached_with_the_end_of_the_first_second_that_has_it(
    small: Card, tmp_path: Path
) -> None:
    run = run_of(small.rows[0], small.columns[0], 1)
    directory = finish(tmp_path, run, flow("m", "gcc"), rates=(950, 300, 500, 899, 900, 950))
    for reach, after in (((0, 900), 1), ((1, 900), 4), ((1, 951), None)):
        values = of_call(directory, reach)
        assert values is not None
        assert values["reach_s"] == after


BEST: Values = dict.fromkeys(MEASURES) | {
    "utilisation": 1.0,
    "loss_percent": 0.0,
    "frame_delay_p95_ms": 0.0,
}


def test_points_are_a_hundred_for_a_full_link_without_delay_or_loss() -> None:
    assert points(BEST) == 100
    assert points({**BEST, "utilisation": 1.01}) == 100


def test_each_fault_costs_points() -> None:
    assert points({**BEST, "utilisation": 0.5}) == pytest.approx(50)
    assert points({**BEST, "frame_delay_p95_ms": 200.0}) == pytest.approx(50)
    assert points({**BEST, "loss_percent": 1.0}) == pytest.approx(90.4, abs=0.1)
    assert points({**BEST, "jain": 0.8}) == pytest.approx(80)
    assert points({**BEST, "reach_s": 30.0}, reach=True) == pytest.approx(50)


def test_what_never_came_has_no_points() -> None:
    assert points({**BEST, "frame_delay_p95_ms": None}) == 0
    assert points({**BEST, "reach_s": None}, reach=True) == 0
    assert points({**BEST, "utilisation": None}) is None


def test_beside_tcp_too_much_is_as_bad_as_too_little() -> None:
    def at(share: float) -> float | None:
        return points({**BEST, "share": share}, fair_share=0.5)

    assert at(0.5) == 100
    assert at(0.25) == pytest.approx(50)
    assert at(1.0) == pytest.approx(50)


def test_nobody_pays_for_the_losses_of_the_path() -> None:
    assert points({**BEST, "loss_percent": 5.0}, path_loss_percent=5.0) == pytest.approx(100)
    six = points({**BEST, "loss_percent": 5.95}, path_loss_percent=5.0)
    assert six == pytest.approx(90.4, abs=0.1)


def test_a_goal_is_judged_as_precisely_as_it_is_shown() -> None:
    assert Goal("loss_percent", "<=", 0).reached(0.004)
    assert not Goal("loss_percent", "<=", 0).reached(0.006)
    assert not Goal("reach_s", "<=", 3).reached(None)
