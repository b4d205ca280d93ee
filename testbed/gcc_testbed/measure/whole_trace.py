"""The content of the traces of one call: of both, or of the one that exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure import clocks, trace_table
from gcc_testbed.measure.pixels import Falls, Numbers, Spans, falls, spans_where
from gcc_testbed.measure.trace_table import RECEIVER, SENDER, Table, Words
from gcc_testbed.support.errors import TestbedError

_COLUMNS = frozenset(
    ("reason", "feedback", "signal", "competition", "a_s_bps", "v_bps", "r_ack_bps", "remb_bps")
    + ("fraction_lost", "rtt_ms", "path_rtt_ms", "m_ms", "modified_m_ms", "gamma_ms", "alr")
    + ("probe_bps", "a_r_bps", "r_bps", "verdict", "ect1_packets", "ce_packets")
)
# A fall is at least this part of the rate; smaller steps are normal variation.
_FALL = 0.05

Points = tuple[Numbers, Numbers]
# Name, and the time in which it holds.
Lane = tuple[str, Spans]


@dataclass(frozen=True)
class WholeTrace:
    """The traces of a call on one time axis, which begins with the first line of either."""

    origin_s: float
    end_s: float
    sender: Table | None
    receiver: Table | None
    # Shift of the receiver's times.
    shift_s: float = 0.0

    @property
    def steering(self) -> Table:
        """The side whose detector steers the rate."""
        if self.receiver is None or (self.sender and self.transport_cc()):
            assert self.sender is not None
            return self.sender
        return self.receiver

    def transport_cc(self) -> bool:
        """Whether the sender followed feedback about each packet at some time."""
        return self.sender is not None and bool(
            self.sender.word("feedback").are("transport-cc", "ccfb").any()
        )

    def rates(self) -> dict[str, Points]:
        """Rates in bit/s by their names, as far as the traces have them."""
        sender, receiver = self.sender, self.receiver
        found = {
            "A_r": _points(sender, "remb_bps"),
            "r_{ack}": _points(sender, "r_ack_bps"),
            "v": _points(sender, "v_bps"),
            "A_s": _points(sender, "a_s_bps"),
        }
        # With transport-wide feedback nobody asks for the receiver's estimate.
        if not self.transport_cc() and receiver is not None:
            found["A_r"] = _points(receiver, "a_r_bps")
        if not len(found["r_{ack}"][0]):
            del found["r_{ack}"]
            found = {"R": _points(receiver, "r_bps"), **found}
        return {name: points for name, points in found.items() if len(points[0])}

    def falls(self) -> Falls:
        """Falls of A_s, or of A_r where the receiver alone has a trace."""
        if self.sender is not None:
            table, column, reasons = self.sender, "a_s_bps", self.sender.word("reason")
        else:
            assert self.receiver is not None
            table, column = self.receiver, "a_r_bps"
            competition = table.word("competition")
            names = [name if name in ("drain", "tcp") else "overuse" for name in competition.names]
            reasons = Words(names, competition.codes)
        return falls(table.time_s, table.number(column), reasons, _FALL)

    def lanes(self) -> list[Lane]:
        """States of the path by the traces."""
        side = self.steering
        signal, competition = side.word("signal"), side.word("competition")
        found = [
            ("over-use", _held(side, signal.are("overuse"))),
            ("under-use", _held(side, signal.are("underuse"))),
            ("beside TCP", _held(side, competition.are("tcp"))),
        ]
        drain, test = [], []
        for each in self._asking():
            less = each.word("competition").are("drain")
            # A sender that follows reports sends less to find the cause of loss.
            reports = each.word("feedback").are("remb") & (each.kind == SENDER)
            drain.append(_held(each, less & ~reports))
            test.append(_held(each, less & reports))
        found += [("drain", np.concatenate(drain)), ("loss test", np.concatenate(test))]
        if self.sender is not None:
            found += [
                ("source-limited", _held(self.sender, self.sender.number("alr") == 1)),
                ("no feedback", self._silence(self.sender)),
            ]
        return [(name, spans) for name, spans in found if len(spans)]

    def verdicts(self) -> list[tuple[str, Numbers]]:
        """By what was found, when drains and tests of losses have told who holds the queue."""
        found: dict[str, list[float]] = {}
        for side in self._asking():
            for at, name in verdicts(side):
                found.setdefault(name, []).append(at)
        return [(name, np.sort(np.array(times))) for name, times in sorted(found.items())]

    def _asking(self) -> list[Table]:
        """The sides that send less, or ask for less, to find the holder of a queue."""
        receiver = None if self.transport_cc() else self.receiver
        return [each for each in (receiver, self.sender) if each is not None]

    def _silence(self, sender: Table) -> Spans:
        """From the line that reports the silence to the line that reports feedback again."""
        begins, ends = sender.times_of("silence"), sender.times_of("feedback")
        after = np.searchsorted(ends, begins)
        return np.column_stack([begins, np.append(ends, self.end_s)[after]])

    def round_trips(self) -> Points:
        """Round-trip times in ms: of transport-wide feedback, or else of reports."""
        paths = _points(self.sender, "path_rtt_ms")
        return paths if len(paths[0]) else _points(self.sender, "rtt_ms")

    def loss(self) -> Points:
        """Packets lost of each report, in percent."""
        times, fraction = _points(self.sender, "fraction_lost")
        return times, 100 * fraction

    def marks(self) -> Points:
        """The part of packets with CE, of those with ECN in a report, in percent."""
        times, marked = _points(self.sender, "ce_packets")
        _, plain = _points(self.sender, "ect1_packets")
        if not marked.any():
            return np.array([]), np.array([])
        news = np.diff(marked, prepend=0), np.diff(plain, prepend=0)
        told = news[0] + news[1] > 0
        return times[told], 100 * news[0][told] / (news[0] + news[1])[told]

    def probes(self) -> tuple[Numbers, Points]:
        """When probes were asked for; their results in bit/s."""
        if self.sender is None:
            return np.array([]), (np.array([]), np.array([]))
        result = self.sender.word("event").are("probe_result")
        measured = self.sender.number("probe_bps")
        result &= ~np.isnan(measured)
        return self.sender.times_of("probe"), (self.sender.time_s[result], measured[result])

    def detector(self) -> tuple[Points, Points]:
        """The value that the steering detector compares, and its threshold, in ms."""
        side = self.steering
        compared = "m_ms" if side.kind == SENDER else "modified_m_ms"
        return side.points(compared), side.points("gamma_ms")


def verdicts(side: Table) -> Iterator[tuple[float, str]]:
    """When a drain or a test of losses has ended, or has told something else, and what."""
    verdict, asking = side.word("verdict"), side.word("competition").are("drain")
    reached = (asking[:-1] & ~asking[1:]) | (verdict.codes[1:] != verdict.codes[:-1])
    for at in np.flatnonzero(reached) + 1:
        name = verdict.names[verdict.codes[at]]
        if name not in ("", "none"):
            yield float(side.time_s[at]), name


def read(files: list[Path]) -> WholeTrace:
    """One trace or two of a call, in either order."""
    tables: dict[str, Table] = {}
    for file in files:
        table = trace_table.read(file, _COLUMNS)
        if table.kind in tables:
            raise TestbedError(f"{file}: expected the {_OTHER[table.kind]}'s trace beside "
                               f"the {table.kind}'s")  # fmt: skip
        tables[table.kind] = table
    sender, receiver = tables.get(SENDER), tables.get(RECEIVER)
    shift = clocks.shift(sender, receiver) if sender and receiver else 0.0
    if receiver:
        receiver = _moved(receiver, shift)
    sides = [side for side in (sender, receiver) if side]
    origin = min(float(side.time_s[0]) for side in sides)
    end = max(float(side.time_s[-1]) for side in sides) - origin
    return WholeTrace(
        origin,
        end,
        sender and _moved(sender, -origin),
        receiver and _moved(receiver, -origin),
        shift,
    )


_OTHER = {SENDER: RECEIVER, RECEIVER: SENDER}


def _moved(table: Table, by_s: float) -> Table:
    return replace(table, time_s=table.time_s + by_s)


def _points(table: Table | None, column: str) -> Points:
    return (np.array([]), np.array([])) if table is None else table.points(column)


def _held(table: Table, holds: NDArray[np.bool_]) -> Spans:
    return spans_where(table.time_s, holds)
