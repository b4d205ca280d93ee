"""Loss in bursts: the model of Gilbert and Elliott, in time. Standard library only.

The path is good or bad, for times that are exponentially distributed, and a bad one loses all. In
time, because radio loses what is sent while it is disturbed, however many packets that are.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from gcc_testbed.scenario.link import Condition


def bursts(
    loss_percent: float, burst_ms: float, duration_s: float, seed: int
) -> Iterator[tuple[float, float]]:
    """(begin, end) of each burst of a call: in all, `loss_percent` of its time."""
    numbers = random.Random(f"loss/{seed}")
    bad_s = burst_ms / 1000
    good_s = bad_s * (100 - loss_percent) / loss_percent
    now = numbers.expovariate(1 / good_s)
    while now < duration_s:
        end = now + numbers.expovariate(1 / bad_s)
        # A millisecond is less than a packet of an ordinary call takes.
        yield round(now, 3), max(round(end, 3), round(now, 3) + 0.001)
        now = end + numbers.expovariate(1 / good_s)


def with_bursts(
    conditions: tuple[Condition, ...], lossy: Iterator[tuple[float, float]]
) -> tuple[Condition, ...]:
    """The conditions of a path that loses all in those times, too."""
    changes: dict[float, bool] = {}
    for begin, end in lossy:
        changes.pop(begin, None)
        changes |= {begin: True, end: False}
    found: list[Condition] = []
    usual, is_lossy = Condition(0.0), False
    given = {condition.at_s: condition for condition in conditions}
    for at in sorted({0.0, *changes, *given}):
        usual, is_lossy = given.get(at, usual), changes.get(at, is_lossy)
        lost = 100.0 if is_lossy else usual.loss_percent
        now = replace(usual, at_s=at, loss_percent=lost)
        if not found or found[-1].differs(now):
            found.append(now)
    return tuple(found)
