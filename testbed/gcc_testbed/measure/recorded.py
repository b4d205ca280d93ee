"""How a sender fares on a recorded path: what it uses, where it backs off, what holes cost.

Pure functions of arrays; times are seconds of the call, rates kbit/s of IP bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure.captures import Journeys
from gcc_testbed.measure.frames import Frames
from gcc_testbed.measure.traces import Trace
from gcc_testbed.scenario.link import Condition, Link

Numbers = NDArray[np.float64]

# A rate this near to another one has reached it.
NEAR = 0.9
# A link that takes as many times the limit leaves no reason to send less.
ROOMY = 2.0
# A hole: for so long the path carries less than this part of what passed in the second before.
HOLE_S = 0.2
HOLE_PART = 0.5
BEFORE_S = 1.0
# After a hole: frames are watched for so long, and a rate is that of a second.
AFTER_S = 5.0
BACK_WINDOW_S = 1.0
# At the start a rate is that of as long.
START_WINDOW_S = 0.5
GRID_S = 0.02


@dataclass(frozen=True)
class Steps:
    """A value that holds from each time until the next, and from the last one for ever."""

    at_s: Numbers
    value: Numbers

    def at(self, times: Numbers) -> Numbers:
        """NaN before the first time."""
        place = np.searchsorted(self.at_s, times, side="right") - 1
        return np.where(place < 0, np.nan, self.value[np.maximum(place, 0)])

    def until(self, times: Numbers) -> Numbers:
        """The value times the time that it held, from the first time on."""
        sums = np.concatenate([[0.0], np.cumsum(self.value[:-1] * np.diff(self.at_s))])
        place = np.maximum(np.searchsorted(self.at_s, times, side="right") - 1, 0)
        return sums[place] + self.value[place] * np.maximum(times - self.at_s[place], 0.0)

    def mean(self, begin_s: float, end_s: float) -> float:
        begin, end = self.until(np.array([begin_s, end_s]))
        return float(end - begin) / (end_s - begin_s)

    def at_most(self, most: float) -> Steps:
        return Steps(self.at_s, np.minimum(self.value, most))


def taken(link: Link) -> Steps:
    """The capacity of the forward link."""
    steps = link.forward.rate.steps
    return Steps(np.array([step.at_s for step in steps]), np.array([step.kbps for step in steps]))


def delayed(link: Link) -> Steps:
    """The recorded delay of the forward path in ms, as captures see it: without queues."""
    conditions = link.conditions or (Condition(0.0),)
    late_ms = np.array([each.delay_ms for each in conditions])
    return Steps(np.array([each.at_s for each in conditions]), late_ms)


def lost(link: Link) -> Steps:
    """The recorded loss of the forward path in percent."""
    conditions = link.conditions or (Condition(0.0),)
    percent = np.array([each.loss_percent for each in conditions])
    return Steps(np.array([each.at_s for each in conditions]), percent)


def carried(link: Link) -> Steps:
    """The rate that a full forward link delivers: its capacity, less the loss behind it."""
    rate, loss = taken(link), lost(link)
    at_s = np.union1d(rate.at_s, loss.at_s)
    return Steps(at_s, rate.at(at_s) * (1 - loss.at(at_s) / 100))


def holes(
    path: Steps, limit_kbps: float, end_s: float, since_s: float = 0.0
) -> list[tuple[float, float]]:
    """(begin, end) of each: less than half of what passed in the second before, at most the limit.

    A property of the path and the application alone, so the same for each contender.
    """
    passing = path.at_most(limit_kbps)
    since = np.maximum(passing.at_s - BEFORE_S, passing.at_s[0])
    lasted = np.maximum(passing.at_s - since, GRID_S)
    before = (passing.until(passing.at_s) - passing.until(since)) / lasted
    ends = np.append(passing.at_s[1:], np.inf)
    found = []
    begin_s, bound = None, 0.0
    for at_s, until_s, kbps, passed in zip(passing.at_s, ends, passing.value, before, strict=True):
        if begin_s is None and kbps < HOLE_PART * passed:
            begin_s, bound = float(at_s), HOLE_PART * float(passed)
        if begin_s is None:
            continue
        over = kbps >= bound
        if over or until_s >= end_s:
            stop_s = min(float(at_s) if over else end_s, end_s)
            if begin_s >= since_s and stop_s - begin_s >= HOLE_S:
                found.append((begin_s, stop_s))
            begin_s = None
        if until_s >= end_s:
            break
    return found


def false_back_off(
    path: Steps, target: Steps, limit_kbps: float, begin_s: float, end_s: float
) -> float:
    """The part of the time in which the link takes twice the limit, and less is asked for."""
    grid = np.arange(begin_s, end_s, GRID_S)
    roomy = path.at(grid) >= ROOMY * limit_kbps
    low = target.at(grid) < NEAR * limit_kbps
    return float((roomy & low).mean())


@dataclass(frozen=True)
class Passed:
    """The packets that passed a point, and their times."""

    at_s: Numbers
    # In all, the packet of that time included.
    kbit: Numbers

    def kbps(self, begin_s: Numbers, length_s: float) -> Numbers:
        """The rate over intervals of a length."""
        return (self._until(begin_s + length_s) - self._until(begin_s)) / length_s

    def _until(self, times: Numbers) -> Numbers:
        sums = np.concatenate([[0.0], self.kbit])
        return sums[np.searchsorted(self.at_s, times, side="right")]


def arrivals(journeys: Journeys) -> Passed:
    """Of a flow's packets, at the receiver."""
    return _passed(journeys.received_s[journeys.arrived], journeys.ip_bytes[journeys.arrived])


def departures(journeys: Journeys) -> Passed:
    """Of a flow's packets, before the queue."""
    return _passed(journeys.sent_s, journeys.ip_bytes)


def _passed(times: Numbers, ip_bytes: NDArray[np.int64]) -> Passed:
    order = np.argsort(times, kind="stable")
    return Passed(times[order], np.cumsum(ip_bytes[order] * 8 / 1000))


def back_after_s(
    went: Passed, passing: Steps, since_s: float, until_s: float, step_s: float = GRID_S
) -> float:
    """From the end of a hole until a second in which 0.9 of the possible is sent.

    The whole time until the next one where there is no such second. Not of arrivals: a queue that
    empties after the hole is no rate of the sender.
    """
    times = np.arange(since_s, until_s - BACK_WINDOW_S + step_s / 2, step_s)
    possible = passing.until(times + BACK_WINDOW_S) - passing.until(times)
    reached = np.flatnonzero(went.kbps(times, BACK_WINDOW_S) * BACK_WINDOW_S >= NEAR * possible)
    return float(times[reached[0]] - since_s) if len(reached) else until_s - since_s


def start_s(came: Passed, first_s: float, limit_kbps: float) -> float | None:
    """From the first packet to 0.9 of the limit; None: never."""
    rates = came.kbps(came.at_s - START_WINDOW_S, START_WINDOW_S)
    reached = came.at_s[rates >= NEAR * limit_kbps]
    return float(reached[0]) - first_s if len(reached) else None


def delay_after_ms(frames: Frames, ends_s: list[float]) -> float | None:
    """p95 of the delay of the frames that were sent in the five seconds after holes."""
    after = [frames.between(end_s, end_s + AFTER_S) for end_s in ends_s]
    delays = [each.delay_s[each.whole] * 1000 for each in after]
    return percentile(np.concatenate([np.array([]), *delays]), 95)


def lost_in(journeys: Journeys, found: list[tuple[float, float]]) -> dict[str, Any]:
    """The packets that were sent while holes lasted, and those of them that never arrived."""
    inside = [journeys.between(begin_s, over_s).arrived for begin_s, over_s in found]
    sent = sum(len(arrived) for arrived in inside)
    lost = sum(int((~arrived).sum()) for arrived in inside)
    return {
        "sent_packets": sent,
        "lost_packets": lost,
        "lost_ratio": round(lost / sent, 5) if sent else None,
    }


def percentile(values: Numbers, percent: float) -> float | None:
    return round(float(np.percentile(values, percent)), 3) if len(values) else None


def measure(
    link: Link,
    limit_kbps: float,
    journeys: Journeys,
    sender: Trace,
    frames: Frames,
    begin_s: float,
    end_s: float,
) -> dict[str, Any]:
    """All measures of a flow over an interval; its start is that of the call."""
    path, came, went = carried(link), arrivals(journeys), departures(journeys)
    wanted_kbps = taken(link).at_most(limit_kbps).mean(begin_s, end_s)
    received_kbps = float(came.kbps(np.array([begin_s]), end_s - begin_s)[0])
    asked_s, asked_bps = sender.points("a_s_bps")
    backed_off = None
    if len(asked_s):
        target = Steps(asked_s, asked_bps / 1000)
        backed_off = round(false_back_off(taken(link), target, limit_kbps, begin_s, end_s), 5)
    found = holes(path, limit_kbps, end_s, begin_s)
    passing = path.at_most(limit_kbps)
    nexts = [*(begin for begin, _ in found[1:]), end_s]
    back = [
        back_after_s(went, passing, over, after)
        for (_, over), after in zip(found, nexts, strict=False)
    ]
    sent = frames.between(begin_s, end_s)
    started = start_s(came, float(journeys.sent_s.min()), limit_kbps) if len(came.at_s) else None
    return {
        "wanted_kbps": round(wanted_kbps, 3),
        "use": round(received_kbps / wanted_kbps, 5) if wanted_kbps else None,
        "false_back_off_ratio": backed_off,
        "frame_delay_p99_ms": percentile(sent.delay_s[sent.whole] * 1000, 99),
        "start_s": None if started is None else round(started, 3),
        "holes": {
            "count": len(found),
            "s": round(sum(over - begin for begin, over in found), 3),
            "back_mean_s": round(float(np.mean(back)), 3) if back else None,
            **lost_in(journeys, found),
            "frame_delay_after_p95_ms": delay_after_ms(frames, [over for _, over in found]),
        },
    }
