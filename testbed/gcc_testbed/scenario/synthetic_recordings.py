"""Synthetic recordings of paths: `python -m gcc_testbed.scenario.synthetic_recordings DIR`.

Nothing in them was recorded. The rate is a random walk around a median, on a logarithmic scale.
Episodes interrupt it, as those of real paths do: jumps of the delay by 20 to 60 ms, bursts of loss
of 15 to 60 ms, and holes of 0.2 to 3 s in which hardly anything passes. A satellite's path begins
anew each 15 s, with another rate and another delay. The same seed gives the same file. Standard
library only.
"""

from __future__ import annotations

import gzip
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.scenario.recording import COLUMNS
from gcc_testbed.scenario.synthetic_traces import Walk

STEP_S = 0.015
STEPS = 4000
NEVER_S = 1e9


@dataclass(frozen=True)
class Episodes:
    """A rare event: its mean distance, and from and to of its length and its size."""

    every_s: float
    lasts_s: tuple[float, float]
    size: tuple[float, float]

    def over(self, chance: random.Random) -> list[float | None]:
        """The size at each step; None outside of the episodes."""
        sizes: list[float | None] = [None] * STEPS
        at_s = chance.expovariate(1 / self.every_s)
        while at_s < STEPS * STEP_S:
            lasts_s = _mostly_short(chance, *self.lasts_s)
            size = chance.uniform(*self.size)
            first, steps = int(at_s / STEP_S), max(1, round(lasts_s / STEP_S))
            for step in range(first, min(first + steps, STEPS)):
                sizes[step] = size
            at_s += lasts_s + chance.expovariate(1 / self.every_s)
        return sizes


def _mostly_short(chance: random.Random, least: float, most: float) -> float:
    """A length, of which half are within an eighth of the range: so are those of real paths."""
    return least + (most - least) * chance.random() ** 3


@dataclass(frozen=True)
class Course:
    """A path over time: its rate, and how far apart its episodes are on average."""

    seed: int
    median_kbps: float
    # Standard deviation of the natural logarithm of the rate; changes last some seconds.
    deviation: float
    jumps_every_s: float
    losses_every_s: float
    holes_every_s: float = NEVER_S
    # How often the path goes another way: with another rate, and another delay from and to.
    new_way_every_s: float = NEVER_S
    new_way_ms: tuple[float, float] = (0, 0)

    def rows(self) -> list[tuple[float, ...]]:
        """Rate in kbit/s, delay in ms and loss in percent at each step."""
        chance = random.Random(self.seed)
        slow = Walk(chance, self.deviation, 4 / STEP_S)
        fast = Walk(chance, self.deviation / 3, 0.1 / STEP_S)
        jumps = Episodes(self.jumps_every_s, (0.03, 0.2), (20, 60)).over(chance)
        losses = Episodes(self.losses_every_s, (0.015, 0.06), (20, 100)).over(chance)
        # Of a hole, the part of the rate that is left.
        holes = Episodes(self.holes_every_s, (0.2, 3), (0, 0.05)).over(chance)
        ways = self._ways(chance)
        found: list[tuple[float, ...]] = []
        for step, (jump, loss, hole) in enumerate(zip(jumps, losses, holes, strict=True)):
            factor, late_ms = ways[int(step * STEP_S / self.new_way_every_s)]
            kbps = factor * self.median_kbps * math.exp(slow.next() + fast.next())
            left = 1.0 if hole is None else hole
            delay_ms = late_ms + chance.choice((0.0, 0.5, 1.0)) + (jump or 0.0)
            found.append((float(f"{kbps * left:.3g}"), round(delay_ms, 1), round(loss or 0.0)))
        return found

    def _ways(self, chance: random.Random) -> list[tuple[float, float]]:
        """(factor of the rate, delay) of each way that the path goes."""
        if self.new_way_every_s == NEVER_S:
            return [(1.0, 0.0)]
        count = math.ceil(STEPS * STEP_S / self.new_way_every_s)
        return [(chance.uniform(0.4, 1.6), chance.uniform(*self.new_way_ms)) for _ in range(count)]


# The kind of a path is what is before the first dash.
COURSES = {
    "wifi-synthetic-1": Course(1, 20_000, 0.3, 2, 20, 20),
    "wifi-synthetic-2": Course(2, 6_000, 0.5, 0.5, 4, 8),
    "eth-synthetic-1": Course(3, 50_000, 0.05, 10, 10),
    "eth-synthetic-2": Course(4, 8_000, 0.05, 10, 20),
    "cell-synthetic-1": Course(5, 9_000, 0.5, 1, 20, 15),
    "cell-synthetic-2": Course(6, 2_500, 0.5, 1, 10, 15),
    "office-synthetic-1": Course(7, 10_000, 0.4, 0.5, 6, 10),
    "train-synthetic-1": Course(8, 4_000, 0.9, 1, 3, 5),
    "starlink-synthetic-1": Course(9, 12_000, 0.15, 2, 6, 30, 15, (0, 15)),
}


def texts() -> dict[str, str]:
    """Each recording by its name, as a CSV file's content; a row only where something changes."""
    return {name: _text(path.rows()) for name, path in COURSES.items()}


def _text(rows: list[tuple[float, ...]]) -> str:
    lines, before = [",".join(COLUMNS)], None
    for step, row in enumerate(rows):
        # The last row is as long as the one before.
        if row != before or step >= len(rows) - 2:
            lines.append(",".join(f"{value:g}" for value in (round(step * STEP_S, 3), *row)))
        before = row
    return "\n".join([*lines, ""])


def main(directory: Path) -> None:
    """Writes all recordings."""
    for name, text in texts().items():
        (directory / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
