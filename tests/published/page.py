"""What the published lines reached: a part of docs/compatibility.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from published.call import (
    DURATION_S,
    GOAL,
    KBPS,
    LAST_S,
    QUEUE_MS,
    RTT_MS,
    WINDOW_S,
    WITHIN_S,
    Reached,
)
from published.lines import NO_CALL
from published.results import Result

_HEAD = "| of all that send | best | median | worst |"
# Of each measure the least number is the best.
_MEASURES: tuple[tuple[str, Callable[[Reached], float], int], ...] = (
    (f"A_s is {GOAL:g} after, s", lambda each: _or_never(each.target_after_s), 1),
    (f"{GOAL:g} arrives after, s", lambda each: _or_never(each.arrived_after_s), 1),
    ("arrives at the end", lambda each: -each.arrived, 2),
)
_HOW = f"""
Each published line is run as it stands over a link of {KBPS / 1000:g} Mbit/s, RTT {RTT_MS:g} ms,
drop tail of {QUEUE_MS:g} ms, for {DURATION_S:g} s of virtual time. `tests/published/words.py` has
what is replaced, such as the camera, and `tests/published/results.json` what each has reached.

Rates are parts of the link: all that the other end gets, with IP headers, over {WINDOW_S:g} s, and
over the last {LAST_S:g} s at the end. A line fails when A_s or what arrives is less than {GOAL:g}
for all of {WITHIN_S:g} s after the first packet, when an end warns, and where its
`feedback=transport-cc` is not in use or no probe has a result.
""".strip()


def _or_never(seconds: float | None) -> float:
    return math.inf if seconds is None else seconds


def text(version: str, results: list[Result]) -> str:
    """The part of the page."""
    good = sum(not result.problems() for result in results)
    failed = [f"* {result.title}: {each}" for result in results for each in result.problems()]
    none = [f"* {name}: {reason}" for name, reason in NO_CALL.items()]
    parts = [
        "## Published lines",
        f"**{good} of {len(results)} calls reach what they promise.** Written by "
        f"`tests/published_lines.py` from calls with {version}.",
        *(["\n".join(failed)] if failed else []),
        _HOW,
        "\n".join([_HEAD, "|---" * 4 + "|", *_rows(results)]),
        "Blocks with a pipeline that are no call:\n\n" + "\n".join(none),
    ]
    return "\n\n".join(parts) + "\n"


def _rows(results: list[Result]) -> Iterator[str]:
    """A line for each measure; where it has the worst value is named."""
    ends = [(result.title, each) for result in results for each in result.reached.values()]
    for title, measure, digits in _MEASURES:
        values = sorted((measure(reached), name) for name, reached in ends)
        middle = values[len(values) // 2][0]
        best, median, worst = (
            _shown(each, digits) for each in (values[0][0], middle, values[-1][0])
        )
        yield f"| {title} | {best} | {median} | {worst}: {values[-1][1]} |"


def _shown(value: float, digits: int) -> str:
    """A time that never came is infinite."""
    return "**not**" if math.isinf(value) else f"{abs(value):.{digits}f}"
