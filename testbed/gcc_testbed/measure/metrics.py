"""The metrics of a call, each defined once. The schema is in docs/testbed.md."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure import captures, quality, recorded, send_side, shortfall, traces
from gcc_testbed.measure.captures import Contents, Journeys
from gcc_testbed.measure.frames import Frames, frames
from gcc_testbed.measure.traces import Trace
from gcc_testbed.scenario import run_files
from gcc_testbed.scenario.flows import AnyFlow, CbrFlow, GccFlow, TcpFlow, VideoFlow
from gcc_testbed.scenario.link import RateSchedule, RateStep
from gcc_testbed.scenario.network import MEDIA_PAYLOAD_TYPE, Ports, ends
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.support.errors import TestbedError

PERCENTILES = (5, 25, 50, 75, 95)
# The first bytes of a packet's content: all packets of a frame have the same.
TIMESTAMP_AND_SSRC = 8
# Convergence: the rate over this many seconds stays this near to its new steady value.
CONVERGENCE_WINDOW_S = 5
CONVERGENCE_BAND = 0.1
# The steady value is the rate over this last part of the time until the next change.
STEADY_PART = 1 / 3
PER_SECOND = (
    "time_s,flow,sent_kbps,received_kbps,loss_ratio,queueing_p50_ms,queueing_p95_ms,capacity_kbps"
)


@dataclass(frozen=True)
class FlowRecord:
    """The recordings of one flow; times are seconds of the call."""

    flow: AnyFlow
    journeys: Journeys
    # Of TCP: cwnd, ssthresh and RTT, as the kernel reports them.
    sender: Trace
    receiver: Trace
    # With protection: the media packets sent, and those available after repair.
    sent: Contents | None = None
    repaired: Contents | None = None
    # Of a flow of video.
    frames: Frames | None = None


@dataclass(frozen=True)
class Record:
    """The recordings of a run."""

    scenario: Scenario
    # The capacity as the shaper logged it.
    capacity: RateSchedule
    flows: tuple[FlowRecord, ...]
    # None: the way back is not shaped.
    backward: RateSchedule | None = field(default=None)

    def capacity_of(self, direction: str) -> RateSchedule | None:
        return self.capacity if direction == "forward" else self.backward

    def of(self, direction: str) -> tuple[FlowRecord, ...]:
        """The flows of one direction."""
        return tuple(flow for flow in self.flows if flow.flow.direction == direction)


def read_record(run: Path, scenario: Scenario) -> Record:
    """Reads the files of a run, with times relative to the start of the call."""
    origin_s, capacity = read_link_log(run / run_files.LINK_LOGS["forward"])
    backward = None
    if scenario.link.backward is not None:
        _, backward = read_link_log(run / run_files.LINK_LOGS["backward"])
    seen = {host: captures.read(run / run_files.capture(host), origin_s) for host in ("a", "b")}
    tcp_logs = {
        host: traces.read(run / name, origin_s) for host, name in run_files.TCP_LOGS.items()
    }
    repaired = {
        direction: captures.read(run / run_files.REPAIRED[direction], origin_s)
        for direction in scenario.protected_directions()
    }
    flows = []
    for number, flow in enumerate(scenario.flows):
        source, sink = ends(flow.direction)
        ports = Ports.of_flow(number)
        receiver = traces.read(run / run_files.trace(scenario, "receiver", number), origin_s)
        if isinstance(flow, TcpFlow):
            packets = [captures.tcp(seen[host], ports.rtp) for host in (source, sink)]
            sender = tcp_logs[source].where("flow", flow.name)
            flows.append(FlowRecord(flow, captures.match(*packets), sender, receiver))
            continue
        sender = traces.read(run / run_files.trace(scenario, "sender", number), origin_s)
        protected = isinstance(flow, GccFlow) and bool(flow.protection)
        media = MEDIA_PAYLOAD_TYPE if protected else None
        packets = [captures.rtp(seen[host], ports.rtp, media) for host in (source, sink)]
        journeys = captures.match(*packets)
        found = FlowRecord(flow, journeys, sender, receiver)
        if not isinstance(flow, CbrFlow):
            fields = captures.rtp_fields(seen[source], ports.rtp)
            found = replace(found, frames=frames(packets[0], fields, journeys))
        if protected:
            found = replace(
                found,
                sent=captures.contents(seen[source], ports.rtp, MEDIA_PAYLOAD_TYPE),
                repaired=captures.contents(
                    repaired[flow.direction], ports.repaired, MEDIA_PAYLOAD_TYPE
                ),
            )
        flows.append(found)
    return Record(scenario, capacity, tuple(flows), backward)


def read_link_log(file: Path) -> tuple[float, RateSchedule]:
    """(the clock's time at second zero, the capacity from there on)."""
    try:
        with file.open(newline="") as content:
            rows = [(float(row["time_s"]), float(row["kbps"])) for row in csv.DictReader(content)]
    except OSError as problem:
        raise TestbedError(f"cannot read {file}: {problem.strerror}") from None
    if not rows:
        raise TestbedError("the link's log is empty: the call never began")
    origin_s = rows[0][0]
    steps = tuple(RateStep(round(at - origin_s, 6), kbps) for at, kbps in rows)
    return origin_s, RateSchedule(steps)


def measure(record: Record) -> dict[str, Any]:
    """All metrics of a run, over packets sent from `measure_from_s` to the end."""
    scenario = record.scenario
    begin, end = scenario.measure_from_s, scenario.duration_s
    flows = [_measure_flow(flow, record, begin, end) for flow in record.flows]
    measured: dict[str, Any] = {
        "measure_from_s": begin,
        "duration_s": end,
        "capacity_kbps": round(record.capacity.mean_kbps(begin, end), 3),
        "flows": flows,
        "link": _measure_link(record, "forward", begin, end),
    }
    if record.backward is not None:
        measured["link"]["backward"] = _measure_link(record, "backward", begin, end)
    measured["fairness"] = _fairness(record, flows)
    return measured


def _measure_flow(record: FlowRecord, run: Record, begin: float, end: float) -> dict[str, Any]:
    flow = record.flow
    begin, end = flow.active(begin, end)
    capacity = run.capacity_of(flow.direction)
    capacity_kbps = None if capacity is None or begin >= end else capacity.mean_kbps(begin, end)
    journeys = record.journeys.between(begin, end)
    rate = received_kbps(record.journeys, begin, end)
    return {
        "name": flow.name,
        "kind": flow.kind,
        **({"source": flow.source} if isinstance(flow, GccFlow) else {}),
        "direction": flow.direction,
        "active_s": [begin, end] if begin < end else None,
        "received_kbps": round(rate, 3),
        "utilisation": _ratio(rate, capacity_kbps),
        "good_utilisation": _ratio(good_kbps(record.journeys, begin, end), capacity_kbps),
        "loss_ratio": loss_ratio(journeys),
        **_protected(record, run.scenario, begin, end),
        "one_way_queueing_ms": distribution(journeys.delay_s[journeys.arrived] * 1000),
        "rtt_queueing_ms": distribution(rtt_queueing_ms(record, run.scenario, begin, end)),
        **_frame_delay(record, begin, end),
        **_on_recorded_path(record, run.scenario, begin, end),
        "n_dd": _lowered(record.sender, begin, end),
        **send_side.measure(record.sender, begin, end),
        **_convergence_of(record, capacity, run.scenario),
    }


def _measure_link(record: Record, direction: str, begin: float, end: float) -> dict[str, Any]:
    """A bottleneck and all flows through it, without RTCP and TCP acknowledgements."""
    journeys = captures.together([flow.journeys for flow in record.of(direction)])
    capacity = record.capacity_of(direction)
    assert capacity is not None
    kbps = capacity.mean_kbps(begin, end)
    sent = journeys.between(begin, end)
    return {
        "capacity_kbps": round(kbps, 3),
        "utilisation": _ratio(received_kbps(journeys, begin, end), kbps),
        "loss_ratio": loss_ratio(sent),
        "one_way_queueing_ms": distribution(sent.delay_s[sent.arrived] * 1000),
    }


def received_kbps(journeys: Journeys, begin_s: float, end_s: float) -> float:
    """R: IP bytes received in an interval, whenever they were sent, over its length.

    A full queue at its beginning must not count as capacity unused.
    """
    if begin_s >= end_s:
        return 0.0
    got = journeys.received_between(begin_s, end_s)
    return int(got.ip_bytes.sum()) * 8 / (end_s - begin_s) / 1000


def good_kbps(journeys: Journeys, begin_s: float, end_s: float) -> float:
    """g · b: payload received, without headers, TCP's repetitions counted once."""
    if begin_s >= end_s:
        return 0.0
    got = journeys.received_between(begin_s, end_s)
    return int(got.payload_bytes.sum()) * 8 / (end_s - begin_s) / 1000


def loss_ratio(sent: Journeys) -> float | None:
    """IP bytes lost over IP bytes sent."""
    sent_bytes = int(sent.ip_bytes.sum())
    received_bytes = int(sent.ip_bytes[sent.arrived].sum())
    return round(1 - received_bytes / sent_bytes, 6) if sent_bytes else None


def residual(
    sent: Contents, repaired: Contents, begin_s: float, end_s: float
) -> dict[str, float | None]:
    """Media packets that no repair brought back, and their frames, over those of an interval.

    FEC shares the media's sequence numbers, and its decoder numbers packets anew: they are known by
    their content.
    """
    wanted = Counter(sent.between(begin_s, end_s))
    missing = wanted - Counter(repaired.content)
    frames = {content[:TIMESTAMP_AND_SSRC] for content in wanted}
    incomplete = {content[:TIMESTAMP_AND_SSRC] for content in missing}
    return {
        "residual_loss_ratio": _share(missing.total(), wanted.total()),
        "residual_incomplete_ratio": _share(len(incomplete), len(frames)),
    }


def _protected(record: FlowRecord, scenario: Scenario, begin: float, end: float) -> dict[str, Any]:
    """The rates of protection and the residual loss; empty for a flow without protection."""
    flow = record.flow
    if not isinstance(flow, GccFlow) or record.sent is None or record.repaired is None:
        return {}
    # Packets sent last cannot be repaired once the sender has stopped.
    last = flow.active(0.0, scenario.duration_s)[1] - scenario.repair_latency_ms(flow) / 1000
    columns = {"video": "r_video_bps", "fec": "r_fec_bps", "rtx": "r_rtx_bps"}
    means = {name: record.sender.mean(column, begin, end) for name, column in columns.items()}
    return {
        **residual(record.sent, record.repaired, begin, min(end, last)),
        "rates_kbps": {
            name: None if bps is None else round(bps / 1000, 3) for name, bps in means.items()
        },
    }


def rtt_queueing_ms(
    record: FlowRecord, scenario: Scenario, begin_s: float, end_s: float
) -> NDArray[np.float64]:
    """The papers' T_q: RTT(t) − RTT_m, over the sender's samples: RTCP's, or TCP's smoothed one."""
    trace = record.sender
    if not isinstance(record.flow, TcpFlow):
        trace = trace.of("report")
    at, rtt_ms = trace.points("rtt_ms")
    chosen = (at >= begin_s) & (at <= end_s) & (rtt_ms > 0)
    return rtt_ms[chosen] - scenario.link.rtt_ms - 2 * record.flow.extra_one_way_delay_ms


def _frame_delay(record: FlowRecord, begin: float, end: float) -> dict[str, Any]:
    """The delay of the frames sent in an interval that arrived whole, and what a viewer misses."""
    if record.frames is None:
        return {}
    sent = record.frames.between(begin, end)
    missing = round(float(1 - sent.whole.mean()), 6) if len(sent.whole) else None
    return {
        "frame_delay_ms": distribution(sent.delay_s[sent.whole] * 1000),
        "frames_incomplete_ratio": missing,
        "frames_frozen_ratio": _frozen(record.frames, begin, end),
    }


def _on_recorded_path(
    record: FlowRecord, scenario: Scenario, begin: float, end: float
) -> dict[str, Any]:
    """The measures of a flow of video through a recorded path; none for every other flow."""
    flow, link = record.flow, scenario.link
    if link.forward.trace is None and not link.conditions:
        return {}
    if not isinstance(flow, VideoFlow) or flow.direction != "forward" or record.frames is None:
        return {}
    if begin >= end:
        return {}
    limit, sender, sent = flow.max_kbps, record.sender, record.frames
    return {
        "recorded_path": {
            **recorded.measure(link, limit, record.journeys, sender, sent, begin, end),
            "shortfall": shortfall.measure(link, limit, sender, sent, begin, end),
        }
    }


def _frozen(sent: Frames, begin: float, end: float) -> float | None:
    """The part of an interval in which the picture stood still; None: no frame was ever sent."""
    if begin >= end or not len(sent.sent_s):
        return None
    return round(sent.frozen_s(begin, end) / (end - begin), 6)


def distribution(values: NDArray[np.float64]) -> dict[str, float | None]:
    """Percentiles, maximum and mean; all None without values."""
    names = [f"p{number}" for number in PERCENTILES] + ["max", "mean"]
    if not len(values):
        return dict.fromkeys(names)
    numbers = [*np.percentile(values, PERCENTILES), values.max(), values.mean()]
    return {name: round(float(value), 3) for name, value in zip(names, numbers, strict=True)}


def jain(rates: list[float]) -> float | None:
    """Jain's index: 1 when all have the same, 1/n when one has everything."""
    squares = sum(rate * rate for rate in rates)
    return sum(rates) ** 2 / (len(rates) * squares) if squares else None


def convergence_s(journeys: Journeys, change_s: float, until_s: float) -> float | None:
    """From a change until the rate stays within 10 % of its new steady value.

    The rate is R over the last 5 s (or since the change); the steady value is R over the last third
    of the time until the next change. None when the rate leaves the band in that last third.
    """
    steady_from = until_s - (until_s - change_s) * STEADY_PART
    steady = received_kbps(journeys, steady_from, until_s)
    if steady <= 0 or until_s - change_s < 3 * CONVERGENCE_WINDOW_S:
        return None
    settled = change_s
    for at in np.arange(change_s + 1, until_s + 1e-9, 1.0):
        rate = received_kbps(journeys, max(change_s, at - CONVERGENCE_WINDOW_S), at)
        if abs(rate - steady) > CONVERGENCE_BAND * steady:
            settled = float(at)
    return round(settled - change_s, 3) if settled < steady_from else None


def _convergence_of(
    record: FlowRecord, capacity: RateSchedule | None, scenario: Scenario
) -> dict[str, Any]:
    """For the flow's start and every later change of capacity; the last one is `convergence_s`."""
    start, stop = record.flow.active(0.0, scenario.duration_s)
    shaper = scenario.link.shaper(record.flow.direction)
    # A trace changes all the time.
    steps = () if capacity is None or (shaper and shaper.trace) else capacity.steps
    changes = [start, *(round(s.at_s, 1) for s in steps if start < round(s.at_s, 1) < stop)]
    found = [
        {"at_s": at, "s": convergence_s(record.journeys, at, until)}
        for at, until in zip(changes, [*changes[1:], stop], strict=True)
    ]
    return {"convergence_s": found[-1]["s"], "convergence": found}


def _fairness(record: Record, flows: list[dict[str, Any]]) -> dict[str, Any]:
    """Among greedy flows, by direction; constant rate and short transfers do not count."""
    found: dict[str, Any] = {"jain": None, "shares": {}}
    for direction in record.scenario.directions():
        rates = {
            measured["name"]: measured["received_kbps"]
            for each, measured in zip(record.flows, flows, strict=True)
            if each.flow.direction == direction
            and each.flow.elastic
            and getattr(each.flow, "transfers", None) is None
        }
        total = sum(rates.values())
        index = jain(list(rates.values())) if len(rates) > 1 else None
        found["shares"] |= {name: _ratio(rate, total) for name, rate in rates.items()}
        found["jain" if direction == "forward" else "jain_backward"] = (
            None if index is None else round(index, 4)
        )
    return found


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _ratio(part: float, whole: float | None) -> float | None:
    return round(part / whole, 5) if whole else None


def _lowered(sender: Trace, begin_s: float, end_s: float) -> int | None:
    """How many REMBs lowered the rate in the interval."""
    at_end = sender.last_before("n_dd", end_s)
    if at_end is None:
        return None
    return int(at_end - (sender.last_before("n_dd", begin_s) or 0))


def received_video(
    run: Path, scenario: Scenario, sequences: tuple[Sequence, ...]
) -> dict[str, dict[str, Any]]:
    """PSNR, SSIM, freezes and frame rate of every video flow, by name; docs in quality.py."""
    origin_s, _ = read_link_log(run / run_files.LINK_LOGS["forward"])
    seen = {host: captures.read(run / run_files.capture(host), origin_s) for host in ("a", "b")}
    found = {}
    for number, flow in enumerate(scenario.flows):
        if not isinstance(flow, VideoFlow):
            continue
        source, sink = ends(flow.direction)
        port = Ports.of_flow(number).rtp
        arrived = captures.rtp(seen[sink], port)
        if isinstance(flow, GccFlow) and flow.protection:
            # A repaired packet arrives later than the original would have.
            capture = captures.read(run / run_files.REPAIRED[flow.direction], origin_s)
            arrived = captures.rtp(capture, Ports.of_flow(number).repaired)
        begin, end = flow.active(scenario.measure_from_s, scenario.duration_s)
        found[flow.name] = quality.measure(
            run / run_files.recording(flow),
            sequences[scenario.sequences().index(flow.sequence)],
            arrivals=captures.unwrapped(arrived),
            first_timestamp=captures.first_timestamp(seen[source], port),
            begin_s=begin,
            end_s=end,
        )
    return found


def per_second(record: Record) -> list[list[str]]:
    """A row for each second and flow: what was sent, received and lost, and how long it queued."""
    rows = [PER_SECOND.split(",")]
    seconds = int(record.scenario.duration_s)
    for each in record.flows:
        capacity = record.capacity_of(each.flow.direction)
        for second in range(seconds):
            sent = each.journeys.between(second, np.nextafter(second + 1, 0))
            delay = distribution(sent.delay_s[sent.arrived] * 1000)
            values = [
                int(sent.ip_bytes.sum()) * 8 / 1000,
                received_kbps(each.journeys, second, np.nextafter(second + 1, 0)),
                loss_ratio(sent),
                delay["p50"],
                delay["p95"],
                None if capacity is None else capacity.mean_kbps(second, second + 1),
            ]
            shown = ["" if value is None else f"{round(value, 6):g}" for value in values]
            rows.append([str(second), each.flow.name, *shown])
    return rows
