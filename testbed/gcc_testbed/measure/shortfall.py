"""Where a call on a recorded path loses what it could have: in which stretch, and what fell there.

Pure functions of arrays; times are seconds of the call, rates kbit/s of IP bytes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from gcc_testbed.measure import pixels, recorded
from gcc_testbed.measure.frames import Frames
from gcc_testbed.measure.recorded import AFTER_S, GRID_S, NEAR, Numbers, Steps
from gcc_testbed.measure.trace_table import Words
from gcc_testbed.measure.traces import Trace
from gcc_testbed.scenario.link import Link

# Of what is lost, this part lies in the stretch that is named.
MOST_OF_IT = 0.5
# The latest frames are those beyond this percentile.
LATE_PERCENT = 95
# A fall of A_s has a reason from this part of the rate on.
FALL = 0.05
UNFALLEN = "start"


@dataclass(frozen=True)
class Course:
    """The path, and what was asked for, over the time of a call."""

    link: Steps
    # Of the path, in ms.
    delay: Steps
    holes: list[tuple[float, float]]
    # None: the sender has no trace of A_s.
    asked: Steps | None

    def place(self, begin_s: float, end_s: float) -> dict[str, Any]:
        """A stretch: its means, and the longest hole that it follows or contains."""
        near = [
            (over - at, at) for at, over in self.holes if at < end_s and over > begin_s - AFTER_S
        ]
        hole = max(near, default=None)
        until_s = max(end_s, begin_s + GRID_S)
        asked = None if self.asked is None else self.asked.mean(begin_s, until_s)
        return {
            "from_s": round(begin_s, 3),
            "to_s": round(end_s, 3),
            "asked_kbps": None if asked is None else round(asked, 1),
            "link_kbps": round(self.link.mean(begin_s, until_s), 1),
            "delay_ms": round(self.delay.mean(begin_s, until_s), 1),
            "hole": None if hole is None else {"at_s": round(hole[1], 3), "s": round(hole[0], 3)},
        }


def stretch(times: Numbers) -> tuple[float, float] | None:
    """The shortest one with half of these times."""
    if not len(times):
        return None
    ordered = np.sort(times)
    more = int(np.ceil(MOST_OF_IT * len(ordered))) - 1
    lengths = ordered[more:] - ordered[: len(ordered) - more]
    first = int(lengths.argmin())
    return float(ordered[first]), float(ordered[first + more])


def times_late(frames: Frames) -> Numbers:
    """When the latest of the frames that arrived whole were sent."""
    whole = frames.delay_s[frames.whole]
    if not len(whole):
        return np.array([])
    return frames.sent_s[frames.whole][whole >= np.percentile(whole, LATE_PERCENT)]


def times_low(course: Course, limit_kbps: float, begin_s: float, end_s: float) -> Numbers:
    """The times, evenly spaced, at which less is asked for than the link takes and the limit is."""
    assert course.asked is not None
    grid = np.arange(begin_s, end_s, GRID_S)
    possible = np.minimum(course.link.at(grid), limit_kbps)
    return grid[course.asked.at(grid) < NEAR * possible]


def last_reasons(sender: Trace, times: Numbers) -> list[str]:
    """Why A_s fell last before each time; `start` where it has not fallen yet."""
    at_s = sender.number("time_s") - sender.origin_s
    words = sender.text("reason")
    names = list(dict.fromkeys(words))
    codes = np.array([names.index(word) for word in words], np.int16)
    found = pixels.falls(at_s, sender.number("a_s_bps"), Words(names, codes), FALL)
    reasons = [UNFALLEN, *found.reasons]
    return [reasons[place] for place in np.searchsorted(found.time_s, times, side="right")]


def measure(
    link: Link, limit_kbps: float, sender: Trace, frames: Frames, begin_s: float, end_s: float
) -> dict[str, Any]:
    """Of use, delay, freezes and incomplete frames: where most of each is lost; None: nowhere."""
    asked_s, asked_bps = sender.points("a_s_bps")
    course = Course(
        recorded.taken(link),
        recorded.delayed(link),
        recorded.holes(recorded.carried(link), limit_kbps, end_s, begin_s),
        Steps(asked_s, asked_bps / 1000) if len(asked_s) else None,
    )
    sent = frames.between(begin_s, end_s)
    longest = max(frames.freezes(begin_s, end_s), key=lambda each: each[1] - each[0], default=None)
    stretches = {
        "late": stretch(times_late(sent)),
        "frozen": longest,
        "incomplete": stretch(sent.sent_s[~sent.whole]),
    }
    return {
        "low": None if course.asked is None else _low(course, limit_kbps, sender, begin_s, end_s),
        **{
            name: None if place is None else course.place(*place)
            for name, place in stretches.items()
        },
    }


def _low(
    course: Course, limit_kbps: float, sender: Trace, begin_s: float, end_s: float
) -> dict[str, Any] | None:
    times = times_low(course, limit_kbps, begin_s, end_s)
    place = stretch(times)
    if place is None:
        return None
    ((reason, count),) = Counter(last_reasons(sender, times)).most_common(1)
    return {
        "ratio": round(len(times) * GRID_S / (end_s - begin_s), 5),
        **course.place(*place),
        # Of a sender whose trace has no reasons it is empty.
        "reason": reason,
        "reason_ratio": round(count / len(times), 5),
    }
