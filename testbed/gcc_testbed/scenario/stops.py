"""A link both ways of which stop again and again, as a radio that has to be elsewhere does.

For the last part of each period nothing leaves the queue in front of a bottleneck. Standard library
only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

from gcc_testbed.scenario.keys import number
from gcc_testbed.scenario.link import (
    MOST_STEPS,
    SMALLEST_BURST_BYTES,
    LinkTrace,
    RateSchedule,
    RateStep,
    Shaper,
)
from gcc_testbed.support.errors import TestbedError

# Of a way without a bottleneck of its own: too fast to be one while it is open.
WIDE = Shaper(RateSchedule((RateStep(0.0, 100_000.0),)))
# Less than of a trace: the frames that empty the bucket at each stop take half of it back, on
# average. Measured, with more traffic than the link carries.
CHANGE_PASSES_BYTES = 550


@dataclass(frozen=True)
class Stops:
    """Nothing passes for the last `ms` of each `every_ms`."""

    ms: Annotated[float, number("ms", at_least=1, at_most=60_000)]
    # More than ms.
    every_ms: Annotated[float, number("ms", above=0, at_most=120_000)]

    def __str__(self) -> str:
        return f"stopped for {self.ms:g} of each {self.every_ms:g} ms"


def stopped(shaper: Shaper, stops: Stops, duration_s: float) -> Shaper:
    """The same bottleneck with stops in a call of this length.

    Its queue is that of the mean rate: it does not shrink while the link is closed.
    """
    if shaper.burst_bytes > SMALLEST_BURST_BYTES:
        raise TestbedError(
            f"burst_bytes is {shaper.burst_bytes}: expected {SMALLEST_BURST_BYTES} with stops, "
            "each of which fills the bucket"
        )
    rate = RateSchedule(tuple(_steps(shaper.rate, stops, duration_s)))
    before = shaper.trace or LinkTrace("", shaper.rate.mean_kbps(0.0, duration_s))
    trace = replace(
        before,
        mean_kbps=before.mean_kbps * (1 - stops.ms / stops.every_ms),
        change_passes_bytes=CHANGE_PASSES_BYTES,
        stops=str(stops),
    )
    return replace(shaper, rate=rate, trace=trace)


def _steps(rate: RateSchedule, stops: Stops, duration_s: float) -> list[RateStep]:
    """The rates, each where it differs from the one before."""
    periods = math.ceil(duration_s * 1000 / stops.every_ms)
    if 2 * periods > MOST_STEPS:
        raise TestbedError(f"{periods} stops: expected at most {MOST_STEPS // 2}")
    opens = [round(period * stops.every_ms / 1000, 6) for period in range(periods)]
    closes = [round(at_s + (stops.every_ms - stops.ms) / 1000, 6) for at_s in opens]
    is_open = dict.fromkeys(opens, True) | dict.fromkeys(closes, False)
    given = {step.at_s: step.kbps for step in rate.steps}
    found: list[RateStep] = []
    usual_kbps, passes = 0.0, True
    for at_s in sorted({*is_open, *given}):
        usual_kbps, passes = given.get(at_s, usual_kbps), is_open.get(at_s, passes)
        kbps = usual_kbps if passes else 0.0
        if not found or found[-1].kbps != kbps:
            found.append(RateStep(at_s, kbps))
    return found
