"""Finished calls on recordings: their measures, and how far each is from the possible."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gcc_testbed.scenario.run_files import METRICS
from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.drawn.mean import Mean, mean
from gcc_testbed.studies.drawn.plan import Planned
from gcc_testbed.studies.paths.oracle import Oracles, Possible
from gcc_testbed.studies.paths.seen import PARTS, Seen
from gcc_testbed.studies.scorecard.card import Column
from gcc_testbed.support.output import MARK

_Value = float | None
Values = dict[str, _Value]


def _times(factor: float, value: _Value) -> _Value:
    return None if value is None else factor * value


@dataclass(frozen=True)
class Measure:
    """A number of a call: how it is shown, and `of`, which takes it from its flow's metrics."""

    title: str
    digits: int
    of: Callable[[dict[str, Any]], _Value]


def _path(key: str) -> Callable[[dict[str, Any]], _Value]:
    return lambda flow: flow["recorded_path"][key]


def _hole(key: str) -> Callable[[dict[str, Any]], _Value]:
    # Calls of an earlier commit may lack it.
    return lambda flow: flow["recorded_path"]["holes"].get(key)


def _used(flow: dict[str, Any]) -> _Value:
    """Headers may bring it above all that is wanted."""
    use = flow["recorded_path"]["use"]
    return None if use is None else min(1.0, use)


def _ssim(flow: dict[str, Any]) -> _Value:
    """The median over pictures; a model sends none."""
    return flow["video"]["ssim_y"]["p50"] if "video" in flow else None


MEASURES = {
    "use": Measure("use", 3, _used),
    "frozen_s": Measure("frozen s a minute", 1, lambda f: _times(60, f["frames_frozen_ratio"])),
    "delay_p50_ms": Measure("frame delay p50 ms", 0, lambda f: f["frame_delay_ms"]["p50"]),
    "delay_p95_ms": Measure("frame delay p95 ms", 0, lambda f: f["frame_delay_ms"]["p95"]),
    "delay_p99_ms": Measure("frame delay p99 ms", 0, _path("frame_delay_p99_ms")),
    "incomplete_percent": Measure(
        "incomplete frames %", 2, lambda f: _times(100, f["frames_incomplete_ratio"])
    ),
    "false_back_off_percent": Measure(
        "false back-off %", 1, lambda f: _times(100, f["recorded_path"]["false_back_off_ratio"])
    ),
    "start_s": Measure("0.9 of the limit after s", 1, _path("start_s")),
    "holes": Measure("holes", 0, _hole("count")),
    "back_s": Measure("back after a hole s", 1, _hole("back_mean_s")),
    "lost_in_holes_percent": Measure(
        "lost of what is sent in holes %", 1, lambda f: _times(100, _hole("lost_ratio")(f))
    ),
    "delay_after_p95_ms": Measure(
        "frame delay after holes p95 ms", 0, _hole("frame_delay_after_p95_ms")
    ),
    "ssim": Measure("SSIM", 4, _ssim),
}


@dataclass(frozen=True)
class Made:
    """A contender's call beside the oracle's."""

    values: Values
    commit: str
    possible: Possible
    # Where most is lost of each part: `measure/shortfall.py`.
    shortfall: dict[str, Any] = field(default_factory=dict)

    @property
    def use_behind(self) -> _Value:
        """How much less is used."""
        use = self.values["use"]
        return None if use is None else self.possible.use - use

    @property
    def delay_beyond_ms(self) -> _Value:
        """How much later 95 % of the frames are; None where no frame arrived whole."""
        own, best = self.values["delay_p95_ms"], self.possible.frame_delay_p95_ms
        return None if own is None or best is None else own - best

    @property
    def frozen_beyond_s(self) -> _Value:
        """How many more seconds a minute the picture stands still."""
        own = self.values["frozen_s"]
        return None if own is None else own - self.possible.frozen_s_a_minute

    @property
    def seen(self) -> Seen:
        return Seen(**{name: self.values[name] for name in PARTS})

    @property
    def best(self) -> Seen:
        """The oracle's."""
        possible = self.possible
        return Seen(possible.use, possible.frame_delay_p95_ms, possible.frozen_s_a_minute, 0.0)

    @property
    def reached_percent(self) -> _Value:
        """The part of the oracle's points that is reached."""
        best = self.best.points
        return 100 * self.seen.points / best if best else None

    def costs(self) -> dict[str, float]:
        """Of the oracle's 100 points, how many each part alone costs."""
        best, own = self.best, self.seen
        worse = {name: replace(best, **{name: getattr(own, name)}).points for name in PARTS}
        return {name: 100 * (1 - points / best.points) for name, points in worse.items()}


@dataclass(frozen=True)
class Results:
    """All results."""

    # In the card's order; those with a finished call.
    columns: tuple[Column, ...]
    # In the order of their names; those that somebody has made.
    calls: tuple[Drawn, ...]
    # By the names of call and contender.
    made: dict[tuple[str, str], Made]
    # Contenders that could not be run, and why.
    missing: dict[str, str] = field(default_factory=dict)

    def of(self, column: Column) -> dict[str, Made]:
        """A contender's calls by name."""
        found = ((call.name, self.made.get((call.name, column.name))) for call in self.calls)
        return {name: made for name, made in found if made is not None}

    def possible(self) -> dict[str, Possible]:
        """The oracle's calls by name."""
        return {name: made.possible for (name, _), made in self.made.items()}

    def mean(self, column: Column, of: Callable[[Made], _Value]) -> Mean | None:
        found = (of(made) for made in self.of(column).values())
        return mean([value for value in found if value is not None])

    def lead(self, column: Column, other: Column) -> tuple[int, Mean | None]:
        """How much more of the oracle's points than another reaches, in the calls of both."""
        others = self.of(other)
        pairs = [
            (made.reached_percent, others[name].reached_percent)
            for name, made in self.of(column).items()
            if name in others
        ]
        gains = [own - its for own, its in pairs if own is not None and its is not None]
        return len(gains), mean(gains)

    def furthest(self, column: Column, count: int) -> list[tuple[Drawn, Made]]:
        """The calls in which the least part of the oracle's points is reached."""
        made = self.of(column)
        found = [(call, made[call.name]) for call in self.calls if call.name in made]
        known = [each for each in found if each[1].reached_percent is not None]
        return sorted(known, key=lambda each: each[1].reached_percent or 0.0)[:count]

    @property
    def commits(self) -> list[str]:
        """That made the calls, each once; "" where it was not recorded."""
        return list(dict.fromkeys(made.commit for made in self.made.values()))


def read(
    planned: Iterable[Planned], out: Path, missing: dict[str, str], oracles: Oracles
) -> Results:
    """The finished calls below `out`."""
    columns: dict[str, Column] = {}
    calls: dict[str, Drawn] = {}
    found: dict[tuple[str, str], Made] = {}
    for each in planned:
        name, directory = each.call.name, out / each.run.directory
        flow = _flow(directory)
        if flow is None:
            continue
        commit = json.loads((directory / MARK).read_text())["versions"].get("commit", "")
        columns[each.column.name], calls[name] = each.column, each.call
        found[name, each.column.name] = Made(
            _values(flow),
            commit,
            oracles.possible(each.call),
            flow["recorded_path"].get("shortfall", {}),
        )
    names = sorted(calls, key=lambda name: (len(name), name))
    return Results(tuple(columns.values()), tuple(calls[name] for name in names), found, missing)


def of_call(directory: Path) -> Values | None:
    """The measures of a finished call's first flow; None if it is not finished."""
    flow = _flow(directory)
    return None if flow is None else _values(flow)


def _flow(directory: Path) -> dict[str, Any] | None:
    """The metrics of a finished call's first flow."""
    try:
        flow: dict[str, Any] = json.loads((directory / METRICS).read_text())["flows"][0]
    except (OSError, ValueError):
        return None
    return flow


def _values(flow: dict[str, Any]) -> Values:
    return {name: measure.of(flow) for name, measure in MEASURES.items()}


def write_csv(every: Iterable[Results], file: Path) -> None:
    """A line for each call of each contender, with every measure, and the oracle's."""
    best = ("use", "frame_delay_p95_ms", "frozen_s_a_minute")
    rows = [made for results in every for made in sorted(results.made.items())]
    with file.open("w", newline="") as content:
        lines = csv.writer(content, lineterminator="\n")
        lines.writerow(
            ["call", "contender", "commit", *MEASURES, *(f"oracle_{name}" for name in best)]
        )
        for (call, column), made in rows:
            numbers = [*made.values.values(), *(getattr(made.possible, name) for name in best)]
            shown = ["" if number is None else f"{number:.6g}" for number in numbers]
            lines.writerow([call, column, made.commit, *shown])
