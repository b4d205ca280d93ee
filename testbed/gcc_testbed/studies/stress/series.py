"""The stress test: its headline counts calls, since a mean over such draws is one over no calls."""

from __future__ import annotations

from gcc_testbed.studies.drawn.results import MUCH_POINTS, Results, worst_tenth
from gcc_testbed.studies.drawn.series import Series
from gcc_testbed.support.paths import DATA


def _headline(results: Results) -> list[str]:
    return [
        f"**{own.title} is better than {other.title} in {pair.better()} of the same "
        f"{len(pair.own)} calls, worse in {pair.worse()}, by more than {MUCH_POINTS:g} points in "
        f"{pair.worse(by=MUCH_POINTS)}.**"
        for own, other, pair in results.pairs()
    ] or [
        f"**{column.title}: the worst tenth has {worst_tenth(results.points_of(column)):.1f} "
        "points.**"
        for column in results.columns
    ]


SERIES = Series(
    name="stress",
    title="Stress test",
    letter="s",
    file=DATA / "stress.toml",
    calls=200,
    headline=_headline,
    about="The calls are a guess at where calls go wrong, not a census: a mean here is no mean "
    "over the world's calls.",
)
