"""How true a replayed recording is: what the captures of two calls say beside its rows.

A thin flow shows delay and loss: it never waits at the bottleneck. A full one shows the rate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure import metrics
from gcc_testbed.measure.captures import Journeys
from gcc_testbed.scenario import recording, scenario_file
from gcc_testbed.scenario.recording import Row

Values = NDArray[np.float64]

# Rates and losses are compared over this time: shorter ones have few packets.
BIN_S = 0.5


@dataclass(frozen=True)
class Replay:
    """Correlations of what was measured with what was recorded."""

    rate: float
    # Received in all, over what the recording carries.
    mean_rate: float
    # With the delays that keep packets in order.
    delay: float
    loss: float
    lost: int
    sent: int
    # Packets that arrived before one that was sent earlier.
    overtaking: int


@dataclass(frozen=True)
class Replayed:
    """The captures of two calls on a path, and the rows that they should show."""

    played: tuple[Row, ...]
    few: Journeys
    many: Journeys
    duration_s: float

    def rates(self) -> tuple[Values, Values]:
        """kbit/s measured and recorded, of each bin but the first."""
        return _rates(self.played, self.many, self.duration_s)

    def delays(self) -> tuple[Values, Values, Values]:
        """(time, measured, recorded) of each packet that arrived, in s."""
        arrived = self.few.arrived
        recorded = _in_order_delay(self.played, self.few.sent_s)
        return self.few.sent_s[arrived], self.few.delay_s[arrived], recorded[arrived]

    def losses(self) -> tuple[Values, Values]:
        """Parts lost, measured and recorded, of each bin."""
        return _losses(self.played, self.few)

    def measure(self) -> Replay:
        rate, carried = self.rates()
        _, late, expected = self.delays()
        arrivals = self.few.received_s[self.few.arrived]
        return Replay(
            rate=_correlation(rate, carried),
            mean_rate=float(rate.mean() / carried.mean()),
            delay=_correlation(late, expected),
            loss=_correlation(*self.losses()),
            lost=int((~self.few.arrived).sum()),
            sent=len(self.few.sent_s),
            overtaking=int((np.diff(arrivals) < 0).sum()),
        )


def read_replay(recordings: Iterable[tuple[Row, ...]], thin: Path, full: Path) -> Replayed:
    """The two calls on all the recordings; @thin and @full are their directories."""
    few, duration = _journeys(thin)
    many, _ = _journeys(full)
    return Replayed(recording.together(recordings, duration), few, many, duration)


def _journeys(run: Path) -> tuple[Journeys, float]:
    data = json.loads((run / "call.json").read_text())["scenario"]
    scenario = scenario_file.from_data(data, str(run), None)
    record = metrics.read_record(run, scenario)
    return record.flows[0].journeys, scenario.duration_s


def _column(played: tuple[Row, ...], name: str, at: Values) -> Values:
    times = np.array([row.time_s for row in played])
    values = np.array([getattr(row, name) or 0.0 for row in played])
    return np.asarray(values[np.searchsorted(times, at, side="right") - 1], np.float64)


def _in_order_delay(played: tuple[Row, ...], sent_s: Values) -> Values:
    """A packet is as late as recorded, or as the packets before it."""
    due = sent_s + _column(played, "delay_ms", sent_s) / 1000
    return np.asarray(np.maximum.accumulate(due) - sent_s, np.float64)


def _losses(played: tuple[Row, ...], sent: Journeys) -> tuple[Values, Values]:
    bins = (sent.sent_s // BIN_S).astype(int)
    count = np.maximum(np.bincount(bins), 1)
    expected = _column(played, "loss_percent", sent.sent_s) / 100
    return (
        np.bincount(bins, weights=~sent.arrived) / count,
        np.bincount(bins, weights=expected) / count,
    )


def _rates(played: tuple[Row, ...], sent: Journeys, duration: float) -> tuple[Values, Values]:
    """kbit/s received, and carried by the recording, of each bin but the first.

    A packet arrives as late as recorded, and never before an earlier one.
    """
    n_bins = int(duration / BIN_S)
    leaves = np.arange(0, duration, 0.001, dtype=np.float64)
    # 1 kbit/s for a millisecond is a bit.
    bits = _column(played, "kbps", leaves)
    arrived = sent.arrived
    return (
        _kbps(sent.received_s[arrived], np.float64(8) * sent.ip_bytes[arrived], n_bins),
        _kbps(leaves + _in_order_delay(played, leaves), bits, n_bins),
    )


def _kbps(at: Values, bits: Values, n_bins: int) -> Values:
    """The rate of each bin but the first, of bits that arrive at these times."""
    bins = (at // BIN_S).astype(int)
    within = (bins >= 0) & (bins < n_bins)
    summed = np.bincount(bins[within], weights=bits[within], minlength=n_bins)
    return np.asarray(summed[1:] / BIN_S / 1000, np.float64)


def _correlation(one: Values, other: Values) -> float:
    """NaN where one of them never changes: there is nothing to compare."""
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])
