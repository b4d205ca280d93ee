"""Synthetic link traces: `python -m gcc_testbed.scenario.synthetic_traces DIR`.

Nothing in them was recorded. Those of LTE: the capacity is a random walk around a mean, on a
logarithmic scale: a slow part (distance, shadowing) and a fast one (fading); the scheduler serves
the user in some of the milliseconds, several packets at once; a handover stops everything. Those
of a scheduler: the same grants in every period. The same seed gives the same file. Standard
library only.
"""

from __future__ import annotations

import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.scenario.link import MTU


@dataclass(frozen=True)
class Channel:
    """The movement of a user, and the rate of the cell."""

    seed: int
    duration_ms: int
    median_kbps: float
    # Standard deviation of the natural logarithm of the rate, and the time it is correlated for.
    slow: tuple[float, float]
    fast: tuple[float, float]
    most_kbps: float
    # Mean time between handovers, and how long one takes, from and to.
    handover_every_ms: float | None = None
    handover_ms: tuple[int, int] = (0, 0)


CHANNELS = {
    "synthetic-lte-walking": Channel(1, 60_000, 1500, (0.45, 4000), (0.3, 120), 8000),
    "synthetic-lte-driving": Channel(
        2, 60_000, 1200, (0.8, 2500), (0.4, 40), 8000, 9000, (150, 1200)
    ),
    "synthetic-lte-tunnel": Channel(
        3, 90_000, 1200, (0.8, 2500), (0.4, 40), 8000, 30_000, (5000, 5000)
    ),
}
# The milliseconds in which packets leave, and the last of the period.
GRANTS = {
    "ten-each-200-ms": [200] * 10,
    "half-of-100-ms": [*range(1, 50, 2), 100],
}
# Part of the milliseconds in which the scheduler serves this user.
SERVED = 0.3


class Walk:
    """A random walk that returns to zero, in steps of 1 ms, or whatever its times are given in."""

    def __init__(self, chance: random.Random, deviation: float, correlated_ms: float) -> None:
        self._chance = chance
        self._keep = math.exp(-1 / correlated_ms)
        self._step = deviation * math.sqrt(1 - self._keep**2)
        self._at = chance.gauss(0, deviation)

    def next(self) -> float:
        self._at = self._keep * self._at + self._chance.gauss(0, self._step)
        return self._at


def opportunities(channel: Channel) -> list[int]:
    """The milliseconds in which a packet of 1500 bytes can leave."""
    chance = random.Random(channel.seed)
    slow, fast = (Walk(chance, *part) for part in (channel.slow, channel.fast))
    times: list[int] = []
    packets, closed_until, handover = 0.0, 0, _next_handover(chance, channel, 0)
    for now in range(1, channel.duration_ms + 1):
        kbps = min(channel.most_kbps, channel.median_kbps * math.exp(slow.next() + fast.next()))
        if now >= handover:
            closed_until = now + chance.randint(*channel.handover_ms)
            handover = _next_handover(chance, channel, closed_until)
        if now < closed_until:
            continue
        packets += kbps / 8 / MTU
        if chance.random() < SERVED:
            times += [now] * int(packets)
            packets -= int(packets)
    # The last time is the length of the trace.
    return times if times[-1] == channel.duration_ms else [*times, channel.duration_ms]


def _next_handover(chance: random.Random, channel: Channel, after: int) -> float:
    if channel.handover_every_ms is None:
        return math.inf
    return after + chance.expovariate(1 / channel.handover_every_ms)


def texts() -> dict[str, str]:
    """Each trace by its name, as a file's content."""
    times = {name: opportunities(channel) for name, channel in CHANNELS.items()} | GRANTS
    return {name: "".join(f"{time}\n" for time in trace) for name, trace in times.items()}


def main(directory: Path) -> None:
    """Writes all traces."""
    for name, text in texts().items():
        (directory / name).write_text(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
