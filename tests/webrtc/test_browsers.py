"""Calls between examples/webrtc and browsers over 2 Mbit/s, 500 kbit/s, and 2 Mbit/s again.

transport-cc is not negotiated, so each end follows nothing but the REMB of the other.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import application
import link
import pytest
from shaped_call import BROWSERS, SCHEDULE

pytestmark = pytest.mark.webrtc

CALL = Path(__file__).with_name("shaped_call.py")
TIME_OUT_S = 60 + sum(seconds for _, seconds in SCHEDULE)
NARROW = SCHEDULE[1][0]

# A rate is what it is on average over this.
WINDOW_S = 3.0
# A queue of 0.3 s is full, and overflows, before anybody knows; on a busy machine later.
FALL_S = 6.0
# More than the narrow link can carry. (An idle machine gets near the whole of the wide one.)
WIDE_AGAIN = 1.5 * NARROW


@dataclass(frozen=True)
class Direction:
    """What one end received of the other, and when."""

    times: list[float]
    rates: list[float]

    def mean(self, begin: float, end: float) -> float:
        inside = [r for t, r in zip(self.times, self.rates, strict=True) if begin <= t < end]
        return statistics.mean(inside) if inside else 0.0

    def highest(self, begin: float, end: float) -> float:
        starts = [t for t in self.times if begin <= t < end - WINDOW_S]
        return max((self.mean(t, t + WINDOW_S) for t in starts), default=0.0)


@dataclass(frozen=True)
class Call:
    """Both directions, and when the link changed."""

    to_browser: Direction
    from_browser: Direction
    changes: list[float]


def direction(file: Path, column: str) -> Direction:
    rows = [row for row in application.read(file) if row[column] is not None]
    return Direction([row["time_s"] for row in rows], [row[column] for row in rows])


@pytest.fixture(scope="module", params=BROWSERS)
def call(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Call:
    for module in (BROWSERS[request.param], link, application):
        missing = module.what_is_missing()
        if missing is not None:
            pytest.skip(missing)
    folder = tmp_path_factory.mktemp(request.param)
    command = link.in_a_namespace(sys.executable, str(CALL), str(folder), request.param)
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_OUT_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Call(
        to_browser=direction(folder / "browser.csv", "received_bps"),
        from_browser=direction(folder / "receiver.csv", "r_bps"),
        changes=[row["time_s"] for row in application.read(folder / "link.csv")],
    )


@pytest.fixture(params=["to_browser", "from_browser"])
def one_way(request: pytest.FixtureRequest, call: Call) -> Direction:
    return getattr(call, request.param)


def test_it_uses_a_wide_link(call: Call, one_way: Direction) -> None:
    begin, narrow, _, _ = call.changes
    assert one_way.highest(begin, narrow) > WIDE_AGAIN


def test_it_falls_when_the_link_narrows(call: Call, one_way: Direction) -> None:
    _, narrow, wide, _ = call.changes
    settled = one_way.mean(narrow + FALL_S, wide)
    assert NARROW / 4 < settled < NARROW


def test_it_rises_when_the_link_is_wide_again(call: Call, one_way: Direction) -> None:
    _, _, wide, end = call.changes
    assert one_way.highest(wide, end) > WIDE_AGAIN
