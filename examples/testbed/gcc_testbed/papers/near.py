"""Repeats of the points behind a verdict that another run could change."""

from __future__ import annotations

from gcc_testbed.papers.paper import Paper
from gcc_testbed.papers.rounds import Part
from gcc_testbed.papers.verdicts import Judged, is_near, points_of

NEAR_REPEATS = 3


def near_bounds(paper: Paper, judged: list[Judged], made: dict[str, set[str]]) -> list[Part]:
    """Runs 2 and 3 of the points, of those made, behind a verdict that is near its bound."""
    wanted: dict[str, set[str]] = {}
    for each in judged:
        if is_near(each):
            of_sweep = wanted.setdefault(each.result.sweep, set())
            of_sweep |= points_of(paper, each.result) & made[each.result.sweep]
    parts = [
        Part(
            paper,
            sweep,
            tuple(
                run
                for run in sweep.plan.runs
                if run.point in wanted.get(sweep.name, ()) and run.seed <= NEAR_REPEATS
            ),
        )
        for sweep in paper.sweeps
    ]
    return [part for part in parts if part.runs]
