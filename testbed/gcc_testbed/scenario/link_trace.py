"""Links driven by a trace of packet deliveries, in the format of mahimahi.

Each line is a time in ms at which one packet of 1500 bytes can leave; times do not decrease, and a
line that is there twice is two packets. The trace repeats from its last time on.
Standard library only.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

from gcc_testbed.scenario.link import MOST_KBPS, MTU, LinkTrace, RateSchedule, RateStep
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.input_file import read_text

# The opportunities of this time become one rate of the shaper. Shorter than two frames and no
# longer than an ordinary round trip, so that what a sender has to follow stays in the trace; long
# enough that a rate is more than one or two packets (docs/testbed.md has numbers).
BIN_MS = 50
# In one call: a day of 2.7 Mbit/s.
MOST_OPPORTUNITIES = 20_000_000
# A time of a trace has fewer digits, however long the trace is.
_MOST_DIGITS = 15


def read(file: Path) -> tuple[int, ...]:
    """The times of the opportunities in ms, or a TestbedError that names the line."""
    try:
        lines = read_text(file).splitlines()
    except TestbedError as problem:
        raise TestbedError(f"cannot read it: {problem}") from None
    times: list[int] = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
            raise TestbedError(f'line {number} is "{text[:40]}", not a time in whole ms')
        times.append(int(text))
        if len(times) > 1 and times[-1] < times[-2]:
            raise TestbedError(f"line {number} is earlier than the one before: times increase")
    if not times or times[-1] == 0:
        raise TestbedError("it ends at 0 ms: nothing to repeat")
    return tuple(times)


def mean_kbps(times: tuple[int, ...]) -> float:
    """The capacity of the whole trace."""
    return len(times) * MTU * 8 / times[-1]


def schedule(times: tuple[int, ...], duration_s: float) -> RateSchedule:
    """The capacity of every bin of a call; bins of the same rate become one step."""
    end_ms = math.ceil(duration_s * 1000)
    opportunities = len(times) * math.ceil(end_ms / times[-1])
    if opportunities > MOST_OPPORTUNITIES:
        raise TestbedError(
            f"{opportunities} packets in {duration_s:g} s: expected at most {MOST_OPPORTUNITIES}"
        )
    bins: Counter[int] = Counter()
    for begin in range(0, end_ms + 1, times[-1]):
        for time in times:
            if begin + time >= end_ms:
                break
            bins[(begin + time) // BIN_MS] += 1
    steps: list[RateStep] = []
    for number in range(math.ceil(end_ms / BIN_MS)):
        kbps = bins[number] * MTU * 8 / BIN_MS
        if kbps > MOST_KBPS:
            raise TestbedError(f"{kbps:g} kbit/s at {number * BIN_MS} ms: at most {MOST_KBPS}")
        if not steps or steps[-1].kbps != kbps:
            steps.append(RateStep(round(number * BIN_MS / 1000, 3), kbps))
    return RateSchedule(tuple(steps))


def driven(file: Path, duration_s: float) -> tuple[RateSchedule, LinkTrace]:
    """The settings of a shaper for a trace, for a call of this length."""
    times = read(file)
    return schedule(times, duration_s), LinkTrace(str(file), mean_kbps(times))
