"""The delay of frames for a viewer, in the network and in the sender's own pacer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gcc_testbed.measure.captures import Journeys, Packets, RtpFields
from gcc_testbed.scenario.network import MEDIA_PAYLOAD_TYPE, RTX_PAYLOAD_TYPE

RTP_CLOCK = 90_000
# A picture that is late by less does not seem to stand still.
FROZEN_S = 0.150


@dataclass(frozen=True)
class Frames:
    """Every frame sent, in the order of its first packet."""

    # When its first packet was captured at the sender.
    sent_s: NDArray[np.float64]
    # From its RTP timestamp to the arrival of its last packet, over the least that any frame took
    # to leave the sender; NaN if a packet never arrived.
    delay_s: NDArray[np.float64]
    # Its RTP timestamp, from any zero on.
    captured_s: NDArray[np.float64]
    # Of its last packet; NaN if one never arrived.
    arrived_s: NDArray[np.float64]

    def between(self, begin_s: float, end_s: float) -> Frames:
        """Those sent in an interval."""
        chosen = (self.sent_s >= begin_s) & (self.sent_s <= end_s)
        return Frames(
            self.sent_s[chosen],
            self.delay_s[chosen],
            self.captured_s[chosen],
            self.arrived_s[chosen],
        )

    def frozen_s(self, begin_s: float, end_s: float) -> float:
        """How long of an interval the picture stands still though the next one is due."""
        return sum(until_s - since_s for since_s, until_s in self.freezes(begin_s, end_s))

    def freezes(self, begin_s: float, end_s: float) -> list[tuple[float, float]]:
        """When in an interval the picture stands still though the next one is due.

        A picture is due as long after the one before as it was captured after it. So a slow frame
        rate, a dropped frame and a pause are no freeze. A frame that lacks a packet is not shown.
        """
        waits = (wait for wait in self._waits() if wait[1] - wait[0] > FROZEN_S)
        inside = ((max(since_s, begin_s), min(until_s, end_s)) for since_s, until_s in waits)
        return [(since_s, until_s) for since_s, until_s in inside if since_s < until_s]

    def _waits(self) -> Iterator[tuple[float, float]]:
        """From when a picture is due until there is one; the last one is never there."""
        due_s = float(self.sent_s[0]) if len(self.sent_s) else np.inf
        shown = np.flatnonzero(self.whole)
        shown_s = np.maximum.accumulate(self.arrived_s[shown])
        steps_s = np.append(np.diff(self.captured_s), np.inf)
        for frame, at_s in zip(shown, shown_s, strict=True):
            yield due_s, float(at_s)
            due_s = float(at_s + steps_s[frame])
        yield due_s, np.inf

    @property
    def whole(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.delay_s)


def frames(sent: Packets, fields: RtpFields, journeys: Journeys) -> Frames:
    """The frames of a flow: its media packets of one timestamp each.

    A packet of padding is no part of a frame, whatever its timestamp. Nor is a retransmission or
    FEC: but a retransmission that arrives stands for the packet that it repeats, whose arrival is
    the earlier of the two. Packets that FEC restores are not seen here.
    """
    arrived_s = _repaired(sent, fields, journeys)
    media = np.flatnonzero((fields.payload_type == MEDIA_PAYLOAD_TYPE) & ~fields.padding)
    if not len(media):
        return Frames(*(np.array([]) for _ in range(4)))
    captured_s = _unwrapped(fields.timestamp[media]) / RTP_CLOCK
    _, first, frame = np.unique(captured_s, return_index=True, return_inverse=True)
    last_s = np.full(len(first), -np.inf)
    # The arrival of a lost packet is NaN, and so is then its frame's.
    with np.errstate(invalid="ignore"):
        np.maximum.at(last_s, frame, arrived_s[media])
    sent_s = sent.time_s[media][first]
    # The least delay at the receiver would not do, because it includes a queue that was never
    # empty.
    delay_s = last_s - captured_s[first] - (sent_s - captured_s[first]).min()
    order = np.argsort(first, kind="stable")
    arrived = np.where(np.isnan(delay_s), np.nan, last_s)
    return Frames(sent_s[order], delay_s[order], captured_s[first][order], arrived[order])


def _repaired(sent: Packets, fields: RtpFields, journeys: Journeys) -> NDArray[np.float64]:
    """When each packet arrived, itself or in a retransmission."""
    arrived_s = journeys.received_s.copy()
    latest: dict[int, int] = {}
    for index in range(len(sent)):
        if fields.padding[index]:
            continue
        if fields.payload_type[index] == MEDIA_PAYLOAD_TYPE:
            # Numbers wrap: a retransmission repeats the latest packet of that number.
            latest[int(sent.sequence[index])] = index
        elif fields.payload_type[index] == RTX_PAYLOAD_TYPE:
            repeated = latest.get(int(fields.original[index]))
            if repeated is not None:
                arrived_s[repeated] = np.fmin(arrived_s[repeated], journeys.received_s[index])
    return arrived_s


def _unwrapped(timestamp: NDArray[np.int64]) -> NDArray[np.int64]:
    """RTP timestamps that never wrap, from any value on."""
    steps = (np.diff(timestamp) + (1 << 31)) % (1 << 32) - (1 << 31)
    return np.concatenate([[0], np.cumsum(steps)])
