"""One definition of each measure, used everywhere. The schema is in docs/testbed.md."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gcc_testbed import captures, traces
from gcc_testbed.captures import Journeys
from gcc_testbed.errors import TestbedError
from gcc_testbed.experiment import LINK_LOG, Experiment
from gcc_testbed.pipelines import Ports
from gcc_testbed.scenario import GccFlow, RateSchedule, RateStep, Scenario
from gcc_testbed.traces import Trace

PERCENTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True)
class FlowRecord:
    """What was recorded of one flow; times are seconds of the call."""

    flow: GccFlow
    journeys: Journeys
    sender: Trace
    receiver: Trace


@dataclass(frozen=True)
class Record:
    """What was recorded of a run."""

    scenario: Scenario
    # The capacity as the shaper logged it: the truth under every estimate.
    capacity: RateSchedule
    flows: tuple[FlowRecord, ...]


def read_record(experiment: Experiment) -> Record:
    """Everything a run left behind, on one clock that starts with the call."""
    run = experiment.run
    origin_s, capacity = read_link_log(run / LINK_LOG)
    flows = []
    for number, flow in enumerate(experiment.scenario.flows):
        port = Ports.of_flow(number).rtp
        sent = captures.read_rtp(run / "a.pcap", port, origin_s)
        received = captures.read_rtp(run / "b.pcap", port, origin_s)
        flows.append(
            FlowRecord(
                flow=flow,
                journeys=captures.match(sent, received),
                sender=traces.read(run / experiment.trace("sender", number), origin_s),
                receiver=traces.read(run / experiment.trace("receiver", number), origin_s),
            )
        )
    return Record(experiment.scenario, capacity, tuple(flows))


def read_link_log(file: Path) -> tuple[float, RateSchedule]:
    """(the clock's time at second zero, the capacity from there on)."""
    with file.open(newline="") as content:
        rows = [(float(row["time_s"]), float(row["kbps"])) for row in csv.DictReader(content)]
    if not rows:
        raise TestbedError("the link's log is empty: the call never began")
    origin_s = rows[0][0]
    steps = tuple(RateStep(round(at - origin_s, 6), kbps) for at, kbps in rows)
    return origin_s, RateSchedule(steps)


def measure(record: Record) -> dict[str, Any]:
    """All measures of a run, over packets sent from `measure_from_s` to the end."""
    scenario = record.scenario
    begin, end = scenario.measure_from_s, scenario.duration_s
    capacity = record.capacity.mean_kbps(begin, end)
    return {
        "measure_from_s": begin,
        "duration_s": end,
        "capacity_kbps": round(capacity, 3),
        "flows": [_measure_flow(flow, begin, end, capacity) for flow in record.flows],
    }


def _measure_flow(
    record: FlowRecord, begin_s: float, end_s: float, capacity_kbps: float
) -> dict[str, Any]:
    journeys = record.journeys.between(begin_s, end_s)
    arrived = journeys.arrived
    sent_bytes = int(journeys.ip_bytes.sum())
    received_bytes = int(journeys.ip_bytes[arrived].sum())
    # Received is what arrives within the interval, whenever it was sent: a full queue at its
    # beginning must not count as capacity unused.
    at_b = (record.journeys.received_s >= begin_s) & (record.journeys.received_s <= end_s)
    received_kbps = int(record.journeys.ip_bytes[at_b].sum()) * 8 / (end_s - begin_s) / 1000
    return {
        "name": record.flow.name,
        "kind": record.flow.kind,
        "received_kbps": round(received_kbps, 3),
        "utilisation": round(received_kbps / capacity_kbps, 5),
        "loss_ratio": round(1 - received_bytes / sent_bytes, 6) if sent_bytes else None,
        "one_way_queueing_ms": _distribution(journeys.delay_s[arrived] * 1000),
        "n_dd": _lowered(record.sender, begin_s, end_s),
    }


def _distribution(values: np.ndarray) -> dict[str, float | None]:
    names = [f"p{number}" for number in PERCENTILES] + ["max", "mean"]
    if not len(values):
        return dict.fromkeys(names)
    numbers = [*np.percentile(values, PERCENTILES), values.max(), values.mean()]
    return {name: round(float(value), 3) for name, value in zip(names, numbers, strict=True)}


def _lowered(sender: Trace, begin_s: float, end_s: float) -> int | None:
    """How many REMBs lowered the rate within the interval."""
    at_end = sender.last_before("n_dd", end_s)
    if at_end is None:
        return None
    return int(at_end - (sender.last_before("n_dd", begin_s) or 0))
