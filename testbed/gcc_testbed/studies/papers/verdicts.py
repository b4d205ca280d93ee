"""Our result beside the published one, and a verdict by a stated rule.

`take` says how the values of a quantity become one:

    mean, least, most    over the points, of each the mean of its repeats; `over = "calls"`: over
                         the calls
    trend                over the key `x`: of all pairs of points the part that rises less the part
                         that falls, for each combination of the other keys but those that go
                         `along` with x, and the mean of these
    difference, ratio    the mean where `where` holds, and where `against` does
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations

from gcc_testbed.studies.papers.calls import Call, by_point, matching, mean
from gcc_testbed.studies.papers.paper import Choice, Paper, Result, choice, is_chosen

WITHIN = "within tolerance"
SAME = "same direction"
DIFFERS = "differs"
NOT_RUN = "not run"
# A fraction of our result, or of an interval.
NEAR = 0.1
VERDICTS = (WITHIN, SAME, DIFFERS, NOT_RUN)


@dataclass(frozen=True)
class Judged:
    """A published result with ours."""

    result: Result
    ours: float | None
    verdict: str
    calls: int
    # The points it covers, and those of them with a call.
    points: int
    points_run: int


def judge(paper: Paper, result: Result, calls: list[Call]) -> Judged:
    """`calls` are the calls of the result's sweep."""
    choices = [result.where]
    if "against" in result.how:
        choices.append(against(result))
    used = [
        call
        for call in calls
        if result.quantity in call.quantities
        and any(is_chosen(call.keys, each) for each in choices)
    ]
    plan = paper.sweep(result.sweep).plan
    wanted = {run.point for run in plan.runs if any(is_chosen(run.keys, each) for each in choices)}
    ours = TAKES[result.take](result, calls)
    return Judged(
        result, ours, verdict(ours, result), len(used), len(wanted), len({c.point for c in used})
    )


def verdict(ours: float | None, result: Result) -> str:
    """The rule: the paper's number within its tolerance, else the direction of what it says."""
    if ours is None:
        return NOT_RUN
    for name, bounds in ((WITHIN, result.within), (SAME, result.same)):
        if bounds is not None and bounds[0] <= ours <= bounds[1]:
            return name
    return DIFFERS


def is_near(judged: Judged) -> bool:
    """Whether ours is so near a bound that another run could change the verdict: a tenth of ours,
    or of the interval where that is less."""
    if judged.ours is None:
        return False
    for bounds in (judged.result.within, judged.result.same):
        if bounds is None:
            continue
        margin = NEAR * min(bounds[1] - bounds[0], abs(judged.ours) or 1.0)
        passable = [bound for bound in bounds if not _is_last(bound, judged.result)]
        if any(abs(judged.ours - bound) < margin for bound in passable):
            return True
    return False


def _is_last(bound: float, result: Result) -> bool:
    """Whether no value is beyond a bound: quantities are not negative, trends from -1 to 1."""
    if result.take == "trend":
        return abs(bound) == 1
    return bound == 0 and result.take != "difference"


def points_of(paper: Paper, result: Result) -> set[str]:
    """The points that stand behind a verdict."""
    choices = [result.where, *([against(result)] if "against" in result.how else [])]
    runs = paper.sweep(result.sweep).plan.runs
    return {run.point for run in runs if any(is_chosen(run.keys, each) for each in choices)}


def against(result: Result) -> Choice:
    """The other points of a comparison; keys that are not named are as in `where`."""
    return {**result.where, **choice(result.how["against"])}


def trend(points: Iterable[tuple[float, float]]) -> float | None:
    """From -1 (always falls) to 1 (always rises)."""
    pairs = [(a[1], b[1]) for a, b in combinations(sorted(points), 2) if a[0] < b[0]]
    steps = [(later > earlier) - (later < earlier) for earlier, later in pairs]
    return statistics.fmean(steps) if steps else None


def _over(summary: Callable[[list[float]], float]) -> Callable[[Result, list[Call]], float | None]:
    def take(result: Result, calls: list[Call]) -> float | None:
        used = matching(calls, result.where)
        if result.how.get("over") == "calls":
            groups = [[call] for call in used]
        else:
            groups = list(by_point(used).values())
        values = [value for group in groups if (value := mean(group, result.quantity)) is not None]
        return summary(values) if values else None

    return take


def _trend(result: Result, calls: list[Call]) -> float | None:
    x = result.how["x"]
    with_x = (x, *result.how.get("along", ()))
    groups: dict[str, list[tuple[float, float]]] = {}
    for of_point in by_point(matching(calls, result.where)).values():
        keys = of_point[0].keys
        rest = json.dumps({key: keys[key] for key in keys if key not in with_x}, sort_keys=True)
        if (value := mean(of_point, result.quantity)) is not None:
            groups.setdefault(rest, []).append((keys[x], value))
    found = [each for points in groups.values() if (each := trend(points)) is not None]
    return statistics.fmean(found) if found else None


def _compared(how: Callable[[float, float], float]) -> Callable[[Result, list[Call]], float | None]:
    def take(result: Result, calls: list[Call]) -> float | None:
        one = mean(matching(calls, result.where), result.quantity)
        other = mean(matching(calls, against(result)), result.quantity)
        return None if one is None or other is None else how(one, other)

    return take


TAKES: dict[str, Callable[[Result, list[Call]], float | None]] = {
    "mean": _over(statistics.fmean),
    "least": _over(min),
    "most": _over(max),
    "trend": _trend,
    "difference": _compared(lambda one, other: one - other),
    "ratio": _compared(lambda one, other: one / other if other else float("inf")),
}
