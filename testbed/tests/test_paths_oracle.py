"""The possible: the sender that knows the recording."""

from __future__ import annotations

from typing import Any

import pytest

from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import from_data
from gcc_testbed.studies.paths import calls
from gcc_testbed.studies.paths.oracle import Oracle, Possible


def scenario(
    rates: str | float,
    *beside: dict[str, Any],
    conditions: str = "",
    **media: Any,  # noqa: ANN401
) -> Scenario:
    link: dict[str, Any] = {"one_way_delay_ms": 20, "forward": {"rate_kbps": rates}}
    if conditions:
        link["recording"] = {"conditions": conditions}
    first = {"kind": "gcc", "source": "model", "max_kbps": 1000, "min_kbps": 50, **media}
    tables = {
        "title": "A call",
        "duration_s": 20,
        "measure_from_s": 5,
        "link": link,
        "flow": [first, *beside],
    }
    return from_data(tables, "call", None)


def possible(*words: Any, **keys: Any) -> Possible:  # noqa: ANN401
    return Oracle(scenario(*words, **keys)).possible()


def test_on_a_free_link_nothing_is_left_and_nothing_waits() -> None:
    found = possible(5000)
    assert found.use == pytest.approx(1)
    assert found.frozen_s_a_minute == 0
    assert found.frame_delay_p99_ms is not None
    assert found.frame_delay_p99_ms < 2


def test_a_slow_link_is_full_with_fifty_milliseconds_of_queue() -> None:
    found = possible(400)
    assert found.use == pytest.approx(1, abs=0.01)
    assert found.frame_delay_p50_ms is not None
    assert found.frame_delay_p99_ms is not None
    # A frame begins within a step of 5 ms.
    assert 45 < found.frame_delay_p50_ms <= found.frame_delay_p99_ms < 50.01


def test_the_queue_bridges_a_moment_in_which_nothing_passes() -> None:
    found = possible("0:5000,10:1,10.04:5000")
    assert found.use == pytest.approx(1, abs=0.001)
    assert found.frozen_s_a_minute == 0


def test_in_a_hole_the_picture_stands_as_long_as_it_lasts() -> None:
    found = possible("0:5000,10:1,11:5000")
    # One second of fifteen, less at most a frame and the queue.
    assert found.frozen_s_a_minute == pytest.approx(4 * 1, abs=0.4)
    assert found.use == pytest.approx(1, abs=0.01)
    # A hole of 100 ms is no freeze.
    assert possible("0:5000,10:1,10.1:5000").frozen_s_a_minute == 0


def test_the_recorded_delay_is_beyond_the_queue() -> None:
    found = possible(5000, conditions="0.0:3.0:0.0,10.0:40.0:0.0")
    assert found.frame_delay_p50_ms == pytest.approx(40, abs=2)
    assert possible(5000, conditions="0.0:3.0:0.0").frame_delay_p99_ms == pytest.approx(3, abs=2)


def test_a_jump_of_the_delay_freezes_as_it_does_for_a_viewer() -> None:
    found = possible(5000, conditions="0.0:0.0:0.0,10.0:400.0:0.0")
    assert found.frozen_s_a_minute == pytest.approx(4 * 0.4, abs=0.2)


def test_what_is_lost_behind_the_link_is_lost_for_the_oracle_too() -> None:
    assert possible(5000, conditions="0.0:0.0:10.0").use == pytest.approx(0.9)


def test_beside_others_the_oracle_has_its_share() -> None:
    tcp = {"kind": "tcp", "start_s": 10}
    # Half of the link for ten of fifteen seconds.
    assert possible(800, tcp).use == pytest.approx((5 + 10 / 2) / 15, abs=0.01)
    web = {"kind": "tcp", "transfers": {"bytes_min": 1, "bytes_max": 2, "idle_mean_s": 1}}
    assert possible(800, web).use == pytest.approx(1, abs=0.01)
    call = {"kind": "gcc", "source": "model", "name": "two", "max_kbps": 300}
    assert possible(800, call).use == pytest.approx(500 / 800, abs=0.01)


def test_the_oracle_knows_every_drawn_call() -> None:
    source = calls.load()
    for number in range(1, 9):
        found = Oracle(calls.drawn(calls.name_of(3, number), source).scenario()).possible()
        assert 0 < found.use <= 1
        assert found.frame_delay_p95_ms is not None
