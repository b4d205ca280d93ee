"""How much of the link a call could use: by its own limits, and in fairness beside TCP."""

from __future__ import annotations

from collections.abc import Iterator

from gcc_testbed.scenario.flows import CbrFlow, Flow, GccFlow, TcpFlow
from gcc_testbed.scenario.scenario import Scenario


def usable(scenario: Scenario) -> float:
    """The part of the forward link that the call's flows may use at all, at most 1.

    A sender's own limit is no fault of congestion control. TCP takes what there is.
    """
    flows = [flow for flow in scenario.flows if flow.direction == "forward"]
    if any(isinstance(flow, TcpFlow) for flow in flows):
        return 1.0
    begin, end = scenario.measure_from_s, scenario.duration_s
    most = sum(_most_kbps(flow) * _active_part(flow, begin, end) for flow in flows)
    return min(1.0, most / scenario.link.forward.rate.mean_kbps(begin, end))


def fair_share(scenario: Scenario) -> float | None:
    """The share of the first flow if all flows that are active at a time had the same.

    As the share is measured: of each flow's rate while it is active. None without greedy TCP.
    """
    media = scenario.flows[0]
    rivals = [
        flow
        for flow in scenario.flows
        if isinstance(flow, TcpFlow) and flow.transfers is None and flow.direction == "forward"
    ]
    begin, end = scenario.measure_from_s, scenario.duration_s
    rivals = [flow for flow in rivals if _active_part(flow, begin, end) > 0]
    if not rivals:
        return None
    capacity = scenario.link.forward.rate.mean_kbps(begin, end)
    got = {flow.name: 0.0 for flow in (media, *rivals)}
    for since, until in _spans(rivals, begin, end):
        there = [f for f in rivals if f.active(begin, end)[0] <= since < f.active(begin, end)[1]]
        ours = min(capacity / (len(there) + 1), _most_kbps(media))
        got[media.name] += ours * (until - since)
        for flow in there:
            got[flow.name] += (capacity - ours) / len(there) * (until - since)
    rates = {
        flow.name: got[flow.name] / (_active_part(flow, begin, end) * (end - begin))
        for flow in (media, *rivals)
    }
    return rates[media.name] / sum(rates.values())


def _spans(flows: list[TcpFlow], begin: float, end: float) -> Iterator[tuple[float, float]]:
    """The times between which the same flows are there."""
    edges = {begin, end, *(at for flow in flows for at in flow.active(begin, end))}
    times = sorted(at for at in edges if begin <= at <= end)
    yield from zip(times, times[1:], strict=False)


def _active_part(flow: Flow, begin: float, end: float) -> float:
    since, until = flow.active(begin, end)
    return max(0.0, until - since) / (end - begin)


def _most_kbps(flow: Flow) -> float:
    if isinstance(flow, GccFlow):
        return flow.max_kbps * min(1.0, flow.model.rate_factor or 1.0)
    return flow.rate_kbps if isinstance(flow, CbrFlow) else 0.0
