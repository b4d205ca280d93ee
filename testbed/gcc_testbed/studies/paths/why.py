"""A line for a call: which part of it costs most of the oracle's points, and where that is lost."""

from __future__ import annotations

from typing import Any

from gcc_testbed.measure.shortfall import UNFALLEN
from gcc_testbed.studies.paths.results import Made

# A recorded delay below this one explains nothing.
SOME_MS = 5.0
# Of each part what the line calls it; the table above has its value.
_PARTS = {
    "use": "use costs",
    "delay_p95_ms": "late frames cost",
    "frozen_s": "freezes cost",
    "incomplete_percent": "incomplete frames cost",
}
# Of each part the stretch that is measured, and what is in it.
_PLACES = {
    "delay_p95_ms": ("late", "half"),
    "frozen_s": ("frozen", "the longest"),
    "incomplete_percent": ("incomplete", "half"),
}


def line(made: Made) -> str:
    """The costliest part, and its place as far as it was measured."""
    costs = made.costs()
    part = max(costs, key=lambda name: costs[name])
    lost_all = part == "delay_p95_ms" and made.seen.delay_p95_ms is None
    said = "no frame arrived whole" if lost_all else f"{_PARTS[part]} {costs[part]:.0f}"
    return "; ".join([said, *_where(made, part)])


def _where(made: Made, part: str) -> list[str]:
    if part == "use":
        return _low(made.shortfall.get("low"))
    name, what = _PLACES[part]
    place = made.shortfall.get(name)
    return [] if place is None else [f"{what} {_place(place)}"]


def _low(low: dict[str, Any] | None) -> list[str]:
    """The time in which less is asked for than could be."""
    if low is None:
        return []
    percent, of_that = 100 * low["ratio"], 100 * low["reason_ratio"]
    said = f"A_s is low in {percent:.0f} % of the time"
    if low["reason"]:
        after = "before any fall" if low["reason"] == UNFALLEN else f"after `{low['reason']}`"
        said += f", {after} in {of_that:.0f} % of that"
    return [said, f"half {_place(low)}"]


def _place(place: dict[str, Any]) -> str:
    said = f"from {place['from_s']:.1f} to {place['to_s']:.1f} s"
    if place["asked_kbps"] is not None:
        rates = (place[key] / 1000 for key in ("asked_kbps", "link_kbps"))
        said += ", A_s {:.2f}, link {:.2f} Mbit/s".format(*rates)
    if place["delay_ms"] >= SOME_MS:
        said += f", path delay +{place['delay_ms']:.0f} ms"
    if (hole := place["hole"]) is not None:
        said += f", hole of {hole['s']:.1f} s at {hole['at_s']:.1f} s"
    return said
