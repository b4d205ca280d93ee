"""What the published lines reached: a part of docs/compatibility.md."""

from __future__ import annotations

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

_HEAD = f"| lines | feedback | A_s is {GOAL:g} after, s | {GOAL:g} arrives after, s | at the end |"
_HOW = f"""
Each published line is run as it stands over a link of {KBPS / 1000:g} Mbit/s, RTT {RTT_MS:g} ms,
drop tail of {QUEUE_MS:g} ms, for {DURATION_S:g} s of virtual time. `tests/published/words.py` has
what is replaced, such as the camera. A row is a sender with the receiver that follows it, or the
one that is named.

Rates are parts of the link: all that the other end gets, with IP headers, over {WINDOW_S:g} s, and
over the last {LAST_S:g} s at the end. A line fails when A_s or what arrives is less than {GOAL:g}
for all of {WITHIN_S:g} s after the first packet, when an end warns, and where its
`feedback=transport-cc` is not in use or no probe has a result.
""".strip()


def text(version: str, results: list[Result]) -> str:
    """The part of the page."""
    good = sum(not result.problems() for result in results)
    rows = [
        _row(result, end, reached) for result in results for end, reached in result.reached.items()
    ]
    none = [f"* {name}: {reason}" for name, reason in NO_CALL.items()]
    parts = [
        "## Published lines",
        f"**{good} of {len(results)} calls reach what they promise.** Written by "
        f"`tests/published_lines.py` from calls with {version}.",
        _HOW,
        "\n".join([_HEAD, "|---" * 5 + "|", *rows]),
        "Blocks with a pipeline that are no call:\n\n" + "\n".join(none),
    ]
    return "\n\n".join(parts) + "\n"


def _row(result: Result, end: str, reached: Reached) -> str:
    where = f", at {end}" if len(result.reached) > 1 else ""
    cells = (
        f"{result.title}{where}",
        reached.feedback,
        _after(reached.target_after_s),
        _after(reached.arrived_after_s),
        f"{reached.arrived:.2f}",
    )
    return f"| {' | '.join(cells)} |"


def _after(seconds: float | None) -> str:
    return "**not**" if seconds is None else f"{seconds:.1f}"
