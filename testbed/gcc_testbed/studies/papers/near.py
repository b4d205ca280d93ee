"""Repeats of the points behind a verdict that another run could change."""

from __future__ import annotations

from gcc_testbed.studies.papers.calls import Call
from gcc_testbed.studies.papers.paper import Paper
from gcc_testbed.studies.papers.rounds import Part
from gcc_testbed.studies.papers.verdicts import Judged, is_near, points_of

NEAR_REPEATS = 3


def near_bounds(paper: Paper, judged: list[Judged], calls: dict[str, list[Call]]) -> list[Part]:
    """The missing ones of three runs of each point with a call, behind a verdict that is near its
    bound. `calls` are the finished ones of each sweep."""
    near = [each.result for each in judged if is_near(each)]
    parts = []
    for sweep in paper.sweeps:
        made = {(call.point, call.seed) for call in calls[sweep.name]}
        behind = [points_of(paper, result) for result in near if result.sweep == sweep.name]
        wanted = set().union(*behind) & {point for point, _ in made}
        runs = tuple(
            run
            for run in sweep.plan.runs
            if run.point in wanted
            and run.seed <= NEAR_REPEATS
            and (run.point, run.seed) not in made
        )
        if runs:
            parts.append(Part(paper, sweep, runs))
    return parts
