"""Numbers from a call's traces that explain its rates."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from gcc_testbed.measure import traces
from gcc_testbed.measure.metrics import read_link_log
from gcc_testbed.measure.traces import Trace
from gcc_testbed.scenario.run_files import LINK_LOGS

# A_s below this multiple of its minimum counts as at the minimum.
NEAR_FLOOR = 1.2
# A_s above this fraction of A_r counts as limited by it.
NEAR_A_R = 0.98
MUCH_LOSS = 0.1


def of_flow(run: Path, flow: dict[str, Any], begin_s: float, end_s: float) -> dict[str, Any]:
    """The numbers of one gcc flow over an interval of the call."""
    origin_s, _ = read_link_log(run / LINK_LOGS["forward"])
    sender, receiver = (
        trace_of(run, side, flow["name"], origin_s) for side in ("sender", "receiver")
    )
    return {
        **_detector(receiver.of("group"), begin_s, end_s),
        **_rate(sender, flow["min_kbps"] * 1000, begin_s, end_s),
    }


def rate_beside(run: Path, scenario: dict[str, Any]) -> float | None:
    """Received kbit/s of the first flow, with headers, while every flow is active."""
    flows = scenario["flow"]
    begin_s = max(flow.get("start_s", 0) for flow in flows)
    end_s = min(flow.get("stop_s", scenario["duration_s"]) for flow in flows)
    with (run / "per-second.csv").open(newline="") as content:
        rates = [
            float(row["received_kbps"] or 0)
            for row in csv.DictReader(content)
            if row["flow"] == flows[0]["name"] and begin_s <= float(row["time_s"]) < end_s
        ]
    return _rounded(np.mean(rates)) if rates else None


def trace_of(run: Path, side: str, name: str, origin_s: float) -> Trace:
    """A flow's trace; the only flow's has no name."""
    named = run / f"{side}-{name}.csv"
    return traces.read(named if named.is_file() else run / f"{side}.csv", origin_s)


def _detector(groups: Trace, begin_s: float, end_s: float) -> dict[str, Any]:
    times = groups.number("time_s") - groups.origin_s
    inside = (times >= begin_s) & (times <= end_s)
    if not inside.any():
        return {}
    m, gamma = groups.number("modified_m_ms")[inside], groups.number("gamma_ms")[inside]
    overuse = np.array([signal == "overuse" for signal in groups.text("signal")])[inside]
    return {
        "overuse_part": _rounded(overuse.mean()),
        "m_above_part": _rounded(np.mean(m > gamma)),
        "m_p95_ms": _rounded(np.nanpercentile(np.abs(m), 95)),
        "gamma_ms": _rounded(np.nanmedian(gamma)),
    }


def _rate(sender: Trace, floor_bps: float, begin_s: float, end_s: float) -> dict[str, Any]:
    at, a_s = sender.points("a_s_bps")
    inside = (at >= begin_s) & (at <= end_s)
    low = at[inside & (a_s <= NEAR_FLOOR * floor_bps)]
    reports, lost = sender.of("report").points("fraction_lost")
    much = (reports >= begin_s) & (reports <= end_s) & (lost > MUCH_LOSS)
    return {
        "floor_s": _rounded(low[0] - begin_s) if len(low) else None,
        "by_delay_part": _held_by_a_r(sender, begin_s, end_s),
        "rembs": int(sender.last_before("rembs", end_s) or 0)
        - int(sender.last_before("rembs", begin_s) or 0),
        "lost_reports": int(much.sum()),
        "rembs_below": rembs_below(sender, begin_s, end_s),
    }


def rembs_below(sender: Trace, begin_s: float, end_s: float) -> int:
    """How many REMBs were below A_s when they came, also where its minimum kept A_s."""
    times = sender.number("time_s")[1:] - sender.origin_s
    is_remb = np.array([event == "remb" for event in sender.text("event")[1:]], bool)
    below = sender.number("remb_bps")[1:] < sender.number("a_s_bps")[:-1]
    return int(np.sum(is_remb & below & (times >= begin_s) & (times <= end_s)))


def _held_by_a_r(sender: Trace, begin_s: float, end_s: float) -> float | None:
    """The fraction of time in which A_s was limited by the last REMB."""
    times = sender.number("time_s") - sender.origin_s
    held = sender.number("a_s_bps") >= NEAR_A_R * sender.number("remb_bps")
    lengths = np.diff(np.clip(np.append(times, end_s), begin_s, end_s))
    return _rounded(lengths[held].sum() / lengths.sum()) if lengths.any() else None


def _rounded(value: float | np.floating[Any]) -> float:
    return round(float(value), 4)
