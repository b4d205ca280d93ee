"""Where a call on a recorded path loses most of what it could have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gcc_testbed.measure import shortfall
from gcc_testbed.measure.frames import Frames
from gcc_testbed.measure.traces import Trace
from gcc_testbed.scenario.link import Condition, Link, RateSchedule, RateStep, Shaper

LIMIT = 1000


def link(*rates: tuple[float, float]) -> Link:
    return Link(Shaper(RateSchedule(tuple(RateStep(*rate) for rate in rates))), one_way_delay_ms=20)


def sender(*rows: tuple[float, float, str]) -> Trace:
    """(time, A_s in kbit/s, reason)."""
    return Trace(
        [
            {"time_s": f"{100 + at_s}", "a_s_bps": f"{kbps * 1000}", "reason": reason}
            for at_s, kbps, reason in rows
        ],
        100.0,
    )


def frames(*late: tuple[float, float], lost: tuple[float, float] | None = None) -> Frames:
    """Ten a second for twenty seconds, late by 300 ms in these stretches, or lost in one."""
    sent = np.arange(0.05, 20, 0.1)
    delay = np.full(len(sent), 0.05)
    for begin, end in late:
        delay[(sent > begin) & (sent < end)] = 0.35
    if lost is not None:
        delay[(sent > lost[0]) & (sent < lost[1])] = np.nan
    return Frames(sent, delay, sent, sent + delay)


def measured(
    path: Link, trace: Trace, sent: Frames | None = None, begin_s: float = 0.0
) -> dict[str, Any]:
    return shortfall.measure(path, LIMIT, trace, frames() if sent is None else sent, begin_s, 20.0)


FREE = link((0, 9000))
FULL = sender((0, LIMIT, "start"))


def test_half_of_the_times_lie_in_the_shortest_stretch() -> None:
    assert shortfall.stretch(np.array([0, 9, 10, 11, 30.0])) == (9, 11)
    assert shortfall.stretch(np.array([7.0])) == (7, 7)
    assert shortfall.stretch(np.array([])) is None


def test_a_low_target_has_its_time_its_stretch_and_the_reason_of_the_last_fall() -> None:
    rows = (
        *((0, 300, "start"), (2, 1000, "growth"), (8, 500, "overuse"), (9, 600, "growth")),
        *((14, 1000, "growth"), (17, 800, "loss")),
    )
    low = measured(FREE, sender(*rows))["low"]
    # Two seconds at the start, six after the over-use, three after the loss.
    assert low["ratio"] == pytest.approx(11 / 20, abs=0.01)
    assert (low["reason"], low["reason_ratio"]) == ("overuse", pytest.approx(6 / 11, abs=0.01))
    assert (low["from_s"], low["to_s"]) == (
        pytest.approx(8, abs=0.05),
        pytest.approx(13.5, abs=0.1),
    )
    assert low["asked_kbps"] == pytest.approx((500 + 600 * 4.5) / 5.5, abs=5)
    assert low["link_kbps"] == 9000


def test_a_small_step_down_is_no_reason() -> None:
    low = measured(FREE, sender((0, 500, "start"), (5, 490, "loss")))["low"]
    assert (low["reason"], low["reason_ratio"]) == ("start", 1)


def test_a_target_that_is_as_high_as_the_slow_link_is_not_low() -> None:
    found = measured(link((0, 400)), sender((0, 380, "start")))
    assert found == {"low": None, "late": found["late"], "frozen": None, "incomplete": None}


def test_a_sender_without_a_trace_has_no_low_target() -> None:
    assert measured(FREE, Trace())["low"] is None


def test_a_trace_without_reasons_gives_none() -> None:
    rows = [{"time_s": "0", "a_s_bps": "900000"}, {"time_s": "1", "a_s_bps": "300000"}]
    assert measured(FREE, Trace(rows))["low"]["reason"] == ""


def test_late_frames_are_in_the_stretch_that_has_half_of_them() -> None:
    place = measured(FREE, FULL, frames((3, 4)))["late"]
    # Five of the ten, whichever.
    assert place["to_s"] - place["from_s"] == pytest.approx(0.4)
    assert 3 < place["from_s"] < place["to_s"] < 4
    assert (place["asked_kbps"], place["link_kbps"], place["hole"]) == (1000, 9000, None)


def test_the_hole_that_a_stretch_follows_or_contains_is_named() -> None:
    path = link((0, 9000), (4, 10), (4.5, 9000), (12, 10), (12.3, 9000))
    assert measured(path, FULL, frames((5, 6)))["late"]["hole"] == {"at_s": 4, "s": 0.5}
    assert measured(path, FULL, frames((12, 13)))["late"]["hole"] == {"at_s": 12, "s": 0.3}
    # More than five seconds after a hole.
    assert measured(path, FULL, frames((10, 11)))["late"]["hole"] is None


def test_incomplete_frames_and_the_longest_freeze_have_their_stretch() -> None:
    found = measured(FREE, FULL, frames(lost=(7, 9)))
    place = found["incomplete"]
    assert place["to_s"] - place["from_s"] == pytest.approx(0.9)
    assert 7 < place["from_s"] < 8.2
    frozen = found["frozen"]
    assert (frozen["from_s"], frozen["to_s"]) == (pytest.approx(7.1), pytest.approx(9.1))


def test_a_stretch_says_how_much_more_is_asked_for_than_the_link_takes() -> None:
    place = measured(link((0, 9000), (5, 200), (8, 9000)), FULL, frames((6, 7)))["late"]
    assert (place["asked_kbps"], place["link_kbps"]) == (1000, 200)


def test_a_stretch_says_how_late_the_path_itself_is() -> None:
    path = Link(FREE.forward, one_way_delay_ms=20, conditions=(Condition(0), Condition(6, 40)))
    assert measured(path, FULL, frames((7, 8)))["late"]["delay_ms"] == 40
    assert measured(path, FULL, frames((3, 4)))["late"]["delay_ms"] == 0


def test_what_was_before_the_measured_interval_does_not_count() -> None:
    low = measured(FREE, sender((0, 300, "start"), (9.98, 1000, "growth")), begin_s=10)["low"]
    assert low is None
