"""The effect of a fault on a call: numbers from the files of a finished run."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure import captures, traces
from gcc_testbed.measure.captures import Packets
from gcc_testbed.measure.metrics import read_link_log
from gcc_testbed.scenario import run_files
from gcc_testbed.scenario.network import Ports
from gcc_testbed.studies.faults.plan import Fault

# Before the fault, the rate is that of this time; a call needs some to start.
BEFORE_S = 6.0
# Recovered: A_s over so long stays at least this part of what it was before. "Stays", because some
# faults hit when they end; A_s, because a queue is received long after it was sent.
WINDOW_S = 4.0
RECOVERED = 0.7
# The same for calls without a fault: their rate is compared with itself.
SETTLED_S = 8.0


@dataclass(frozen=True)
class Outcome:
    """One call; rates in kbit/s, None where there is nothing to measure."""

    before_kbps: float | None
    # The least A_s from the fault on, and when, counted from its beginning.
    least_target_kbps: float | None
    least_after_s: float | None
    # Received while the fault was there, and in the last seconds of the call.
    during_kbps: float | None
    end_kbps: float
    # The longest round trip that the sender measured from the end of the fault on.
    rtt_after_ms: float | None
    # None: not until the end of the call.
    recovered_s: float | None
    # Of the packets sent, by the network.
    network_loss_percent: float
    # Gaps and repetitions in the sequence numbers that left the sender.
    lost_by_us: int
    repeated_by_us: int
    ssrcs: int
    # Of the sender and the receiver, from the second minute to the end; None: a short call.
    memory_growth_kb: int | None


def of_run(run: Path, fault: Fault, duration_s: float) -> Outcome:
    """Reads a run's captures and traces."""
    origin_s, _ = read_link_log(run / run_files.LINK_LOGS["forward"])
    port = Ports.of_flow(0).rtp
    sent, received = (
        captures.read_rtp(run / run_files.capture(host), port, origin_s) for host in ("a", "b")
    )
    times, target = _sender(run, origin_s, "a_s_bps")
    begin = fault.from_s if fault.from_s else SETTLED_S
    before = _kbps(received, max(0.0, begin - BEFORE_S), begin) if fault.from_s else None
    least_s, least = _least(times, target / 1000, begin)
    lost, repeated = numbering(sent)
    arrived = captures.match(sent, received).arrived
    return Outcome(
        before_kbps=before,
        least_target_kbps=least,
        least_after_s=None if least_s is None else least_s - fault.from_s,
        during_kbps=_kbps(received, begin, fault.to_s) if fault.to_s > begin else None,
        end_kbps=_kbps(received, duration_s - BEFORE_S, duration_s),
        rtt_after_ms=rtt_after_ms(run, origin_s, max(fault.to_s, begin)),
        recovered_s=recovery_s(times, target, fault, duration_s),
        network_loss_percent=100 * (1 - float(arrived.mean())) if len(arrived) else 0.0,
        lost_by_us=lost,
        repeated_by_us=repeated,
        ssrcs=len(set(sent.ssrc.tolist())),
        memory_growth_kb=memory_growth_kb(run / run_files.MEMORY),
    )


def numbering(sent: Packets) -> tuple[int, int]:
    """(missing, repeated) sequence numbers of the packets that left the sender, of each SSRC."""
    numbers = captures.unwrapped(sent).sequence
    missing = repeated = 0
    for ssrc in set(sent.ssrc.tolist()):
        own = numbers[sent.ssrc == ssrc]
        distinct = len(set(own.tolist()))
        missing += int(own.max() - own.min()) + 1 - distinct
        repeated += len(own) - distinct
    return missing, repeated


def recovery_s(
    times: NDArray[np.float64], target: NDArray[np.float64], fault: Fault, end_s: float
) -> float | None:
    """How long after the fault A_s is back for good, to a tenth of a second; None: not at all."""
    if not fault.from_s:
        return None
    enough = RECOVERED * _mean(times, target, fault.from_s - BEFORE_S, fault.from_s)
    last = int((end_s - WINDOW_S - fault.to_s) * 10)
    low = [
        tenth
        for tenth in range(last + 1)
        if _mean(times, target, fault.to_s + tenth / 10, fault.to_s + tenth / 10 + WINDOW_S)
        < enough
    ]
    if not low:
        return 0.0
    return None if low[-1] == last else (low[-1] + 1) / 10


def _mean(
    times: NDArray[np.float64], values: NDArray[np.float64], begin_s: float, end_s: float
) -> float:
    """Over an interval: a value holds until the next one."""
    edges = np.clip(np.append(times, end_s), begin_s, end_s)
    lengths = np.diff(edges)
    return float((values * lengths).sum() / lengths.sum()) if lengths.any() else 0.0


def memory_growth_kb(file: Path) -> int | None:
    """By how much both ends together have grown since the second minute."""
    if not file.exists():
        return None
    sizes: dict[str, list[int]] = {}
    with file.open() as lines:
        for _, name, size in csv.reader(lines):
            sizes.setdefault(name, []).append(int(size))
    grown = [kept[-1] - kept[1] for kept in sizes.values() if len(kept) > 2]
    return sum(grown) if grown else None


def _kbps(packets: Packets, begin_s: float, end_s: float) -> float:
    within = (packets.time_s >= begin_s) & (packets.time_s < end_s)
    return float(packets.ip_bytes[within].sum()) * 8 / 1000 / (end_s - begin_s)


def rtt_after_ms(run: Path, origin_s: float, from_s: float) -> float | None:
    """The longest round trip from a moment on."""
    times, rtts = _sender(run, origin_s, "rtt_ms")
    later = rtts[times >= from_s]
    return float(later.max()) if len(later) else None


def _sender(
    run: Path, origin_s: float, column: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A column of the trace over time, of all lives of the sender."""
    found = [traces.read(file, origin_s).points(column) for file in sorted(run.glob("sender*.csv"))]
    times, values = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(times, kind="stable")
    return times[order], values[order]


def _least(
    times: NDArray[np.float64], values: NDArray[np.float64], from_s: float
) -> tuple[float | None, float | None]:
    later = times >= from_s
    if not later.any():
        return None, None
    at = int(np.argmin(values[later]))
    return float(times[later][at]), float(values[later][at])
