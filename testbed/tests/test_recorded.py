"""The measures of a call on a recorded path, on small arrays."""

from __future__ import annotations

import numpy as np
import pytest

from gcc_testbed.measure import recorded
from gcc_testbed.measure.captures import Journeys
from gcc_testbed.measure.frames import Frames
from gcc_testbed.measure.recorded import Steps
from gcc_testbed.measure.traces import Trace
from gcc_testbed.scenario.link import Condition, Link, RateSchedule, RateStep, Shaper


def steps(*pairs: tuple[float, float]) -> Steps:
    at_s, value = zip(*pairs, strict=True)
    return Steps(np.array(at_s, float), np.array(value, float))


def link(*rates: tuple[float, float], conditions: tuple[Condition, ...] = ()) -> Link:
    shaper = Shaper(RateSchedule(tuple(RateStep(*rate) for rate in rates)))
    return Link(shaper, one_way_delay_ms=20, conditions=conditions)


def sending(*parts: tuple[float, float, float], delay_s: float = 0.05) -> Journeys:
    """(from, to, kbit/s) in packets of 125 bytes, one kbit, all of which arrive."""
    sent = np.concatenate([np.arange(begin, end, 1 / kbps) for begin, end, kbps in parts])
    sizes = np.full(len(sent), 125)
    return Journeys(sent, sent + delay_s, sizes, sizes)


def test_steps_hold_until_the_next_one() -> None:
    course = steps((0, 100), (1, 300))
    assert course.at(np.array([-1, 0, 0.9, 1, 9])).tolist() == pytest.approx(
        [np.nan, 100, 100, 300, 300], nan_ok=True
    )
    assert course.mean(0, 2) == 200
    assert course.mean(0.5, 1.5) == 200
    assert course.at_most(150).mean(0, 2) == 125


def test_a_path_carries_what_the_link_takes_less_what_is_lost() -> None:
    path = recorded.carried(
        link((0, 1000), (2, 500), conditions=(Condition(0), Condition(1, 0, 40)))
    )
    assert path.at(np.array([0, 1, 2])).tolist() == [1000, 600, 300]
    assert recorded.carried(link((0, 1000))).value.tolist() == [1000]


def test_the_delay_of_a_path_is_what_was_recorded() -> None:
    path = link((0, 1000), conditions=(Condition(0, 5), Condition(1, 30)))
    assert recorded.delayed(path).at(np.array([0, 1])).tolist() == [5, 30]
    assert recorded.delayed(link((0, 1000))).at(np.array([3])).tolist() == [0]


# Holes.


def test_a_hole_is_where_less_than_half_passes_for_two_hundred_milliseconds() -> None:
    path = steps((0, 2000), (3, 400), (3.5, 2000), (6, 400), (6.19, 2000))
    assert recorded.holes(path, 1000, 10) == [(3.0, 3.5)]


def test_a_link_that_falls_and_takes_the_limit_still_has_no_hole() -> None:
    assert recorded.holes(steps((0, 9000), (3, 1000)), 1000, 10) == []


def test_a_hole_lasts_until_half_of_what_passed_before_it_passes_again() -> None:
    path = steps((0, 1000), (3, 0), (4, 300), (5, 600))
    assert recorded.holes(path, 1000, 10) == [(3.0, 5.0)]
    assert recorded.holes(steps((0, 1000), (9, 0)), 1000, 10) == [(9.0, 10)]


def test_a_hole_may_be_the_first_thing_and_the_call_may_end_in_a_short_one() -> None:
    assert recorded.holes(steps((0, 0), (1, 1000)), 1000, 10) == []
    assert recorded.holes(steps((0, 1000), (9.9, 0)), 1000, 10) == []


def test_after_a_hole_the_rate_is_back_when_a_second_has_nine_tenths() -> None:
    came = recorded.departures(sending((0, 3, 1000), (4, 6, 500), (6, 12, 1000)))
    passing = steps((0, 1000), (3, 0), (4, 1000))
    # A second from 5.8 s on has 0.9 of the possible.
    assert recorded.back_after_s(came, passing, 4, 12) == pytest.approx(1.8, abs=0.03)
    # The next hole comes first.
    assert recorded.back_after_s(came, passing, 4, 5.5) == 1.5
    assert recorded.back_after_s(came, passing, 6, 6.5) == 0.5


def test_a_queue_that_empties_after_a_hole_is_no_rate_of_the_sender() -> None:
    """Sent at 100 kbit/s for three seconds; what was sent in the hole arrives at its end."""
    sent = sending((0, 4, 1000), (4, 7, 100), (7, 12, 1000))
    held = (sent.sent_s >= 3) & (sent.sent_s < 4)
    late = Journeys(
        sent.sent_s, np.where(held, 4.01, sent.received_s), sent.ip_bytes, sent.ip_bytes
    )
    frames = Frames(*(np.array([0.0]) for _ in range(4)))
    path = link((0, 5000), (3, 0), (4, 5000))
    found = recorded.measure(path, 1000, late, Trace(), frames, 0, 12)["holes"]
    assert found["back_mean_s"] == pytest.approx(2.9, abs=0.05)


def test_the_frames_after_holes_are_those_of_five_seconds() -> None:
    sent = np.arange(0, 20, 0.1)
    delay = np.where((sent > 4) & (sent < 9), 0.3, 0.05)
    frames = Frames(sent, delay, sent, sent + delay)
    assert recorded.delay_after_ms(frames, [4.0]) == pytest.approx(300)
    assert recorded.delay_after_ms(frames, [12.0]) == pytest.approx(50)
    assert recorded.delay_after_ms(frames, []) is None


def test_the_loss_in_holes_is_that_of_what_was_sent_while_they_last() -> None:
    """Ten packets a second: lost from 4 to 6 s, half of them in a hole, and from 15 s on."""
    sent = np.arange(0.05, 20, 0.1)
    gone = ((sent > 4) & (sent < 6)) | (sent > 15)
    sizes = np.full(len(sent), 125)
    journeys = Journeys(sent, np.where(gone, np.nan, sent + 0.05), sizes, sizes)
    assert recorded.lost_in(journeys, [(5.0, 6.0), (9.0, 10.0)]) == {
        "sent_packets": 20, "lost_packets": 10, "lost_ratio": 0.5
    }  # fmt: skip


def test_without_a_hole_nothing_is_said_of_the_loss_in_it() -> None:
    assert recorded.lost_in(sending((0, 9, 100)), []) == {
        "sent_packets": 0, "lost_packets": 0, "lost_ratio": None
    }  # fmt: skip


def test_a_hole_before_the_measured_interval_does_not_count() -> None:
    path = steps((0, 1000), (3, 0), (4, 1000), (8, 0), (9, 1000))
    assert recorded.holes(path, 1000, 10, since_s=5) == [(8.0, 9.0)]


# The start, and false back-off.


def test_the_start_lasts_until_half_a_second_has_nine_tenths_of_the_limit() -> None:
    came = recorded.arrivals(sending((1, 3, 300), (3, 10, 1000), delay_s=0))
    assert recorded.start_s(came, 1.0, 1000) == pytest.approx(2.43, abs=0.02)
    assert recorded.start_s(came, 1.0, 1200) is None


def test_a_target_below_the_limit_is_false_only_where_the_link_is_roomy() -> None:
    path = steps((0, 3000), (5, 1500))
    target = steps((0, 1000), (2, 800), (4, 950), (6, 100))
    assert recorded.false_back_off(path, target, 1000, 0, 10) == pytest.approx(0.2, abs=0.01)
    assert recorded.false_back_off(path, target, 1000, 5, 10) == 0


# All together.


def test_a_call_has_all_measures() -> None:
    sent = np.arange(0, 20, 0.1)
    frames = Frames(sent, np.full(200, 0.05), sent, sent + 0.05)
    rows = [{"time_s": "0", "a_s_bps": "300000"}, {"time_s": "10", "a_s_bps": "1000000"}]
    path = link((0, 4000), (15, 0), (15.5, 4000))
    measured = recorded.measure(
        path, 1000, sending((0, 10, 500), (10, 20, 1000)), Trace(rows), frames, 0, 20
    )
    assert measured["wanted_kbps"] == 975
    assert measured["use"] == pytest.approx(0.75 / 0.975, abs=0.01)
    assert measured["false_back_off_ratio"] == pytest.approx(0.5, abs=0.01)
    assert measured["start_s"] == pytest.approx(10.45, abs=0.05)
    assert measured["frame_delay_p99_ms"] == 50
    assert measured["holes"] == {
        "count": 1, "s": 0.5, "back_mean_s": 0.0, "frame_delay_after_p95_ms": 50,
        "sent_packets": 500, "lost_packets": 0, "lost_ratio": 0.0,
    }  # fmt: skip


def test_a_call_that_sent_nothing_has_no_measures_but_the_paths() -> None:
    nothing = np.array([])
    frames = Frames(nothing, nothing, nothing, nothing)
    silent = Journeys(nothing, nothing, nothing, nothing)
    measured = recorded.measure(link((0, 4000)), 1000, silent, Trace(), frames, 0, 20)
    assert measured["wanted_kbps"] == 1000
    assert (measured["use"], measured["start_s"], measured["false_back_off_ratio"]) == (
        0, None, None,
    )  # fmt: skip
