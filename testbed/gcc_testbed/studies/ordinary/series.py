"""Ordinary calls: their headline is a mean, with its error."""

from __future__ import annotations

import statistics

from gcc_testbed.studies.drawn.mean import mean
from gcc_testbed.studies.drawn.results import MUCH_POINTS, Results
from gcc_testbed.studies.drawn.series import Series
from gcc_testbed.support.paths import DATA


def _headline(results: Results) -> list[str]:
    return [
        f"**{own.title} {statistics.fmean(pair.own):.1f} points, {other.title} "
        f"{statistics.fmean(pair.other):.1f}: {gain.signed(1)}** in the same {len(pair.own)} "
        f"calls; better in {pair.better()}, worse by more than {MUCH_POINTS:g} in "
        f"{pair.worse(by=MUCH_POINTS)}."
        for own, other, pair in results.pairs()
        if (gain := pair.gain) is not None
    ] or [
        f"**{column.title}: {found.shown(1)} points.**"
        for column in results.columns
        if (found := mean(results.points_of(column))) is not None
    ]


SERIES = Series(
    name="ordinary",
    title="Ordinary calls",
    letter="o",
    file=DATA / "ordinary.toml",
    calls=100,
    headline=_headline,
    about="The calls are a guess at those that most people make: a line at home or a phone, a "
    "limit of 2.5 Mbit/s, mostly nobody beside. Another guess has another mean.",
)
