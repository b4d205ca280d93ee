"""The measures of transport-wide feedback in a sender's trace; older traces have none."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure.traces import Trace

TRANSPORT_CC = "transport-cc"
# The feedback from which the sender measures.
MEASURED = {TRANSPORT_CC, "ccfb"}


def measures(sender: Trace) -> bool:
    """Whether the sender followed its own measurements at some time."""
    return bool(MEASURED & set(sender.text("feedback")))


def spans(trace: Trace, column: str, end_s: float) -> list[tuple[float, float, str]]:
    """(begin, end, value) of every stretch in which a text column keeps a value."""
    times = (trace.number("time_s") - trace.origin_s).tolist()
    known = [(t, value) for t, value in zip(times, trace.text(column), strict=True) if value]
    found: list[tuple[float, float, str]] = []
    begin, current = 0.0, ""
    for time, value in [*known, (end_s, "")]:
        if value == current:
            continue
        if current:
            found.append((begin, time, current))
        begin, current = time, value
    return found


def time_with(trace: Trace, column: str, value: str, begin_s: float, end_s: float) -> float:
    """The seconds of an interval in which a column has a value."""
    return sum(
        max(0.0, min(end, end_s) - max(begin, begin_s))
        for begin, end, found in spans(trace, column, end_s)
        if found == value
    )


def probe_results(sender: Trace) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Times, and rates in bit/s, of the results of probes."""
    return sender.of("probe_result").points("probe_bps")


def probes(sender: Trace) -> NDArray[np.float64]:
    """The times at which probe clusters were asked for."""
    return sender.of("probe").number("time_s") - sender.origin_s


def measure(sender: Trace, begin_s: float, end_s: float) -> dict[str, Any]:
    """The metrics of a sender that has transport-wide feedback; empty for every other one."""
    if not measures(sender) or begin_s >= end_s:
        return {}
    results, rates = probe_results(sender)
    inside = (results >= begin_s) & (results <= end_s)
    asked = probes(sender)
    length = end_s - begin_s

    def part(column: str, value: str) -> float:
        return round(time_with(sender, column, value, begin_s, end_s) / length, 5)

    return {
        "transport_feedback": {
            "used_ratio": sum(part("feedback", kind) for kind in sorted(MEASURED)),
            "alr_ratio": part("alr", "1"),
            "probes": int(((asked >= begin_s) & (asked <= end_s)).sum()),
            "probe_results": int(inside.sum()),
            "highest_probe_kbps": round(float(rates[inside].max()) / 1000, 3)
            if inside.any()
            else None,
        }
    }
