"""Two traces of one call on one time axis, though two hosts' clocks may differ."""

from __future__ import annotations

import numpy as np

from gcc_testbed.measure.trace_table import Table

# Feedback is late by an interval, a round trip and the writing of a line: a smaller difference of
# clocks cannot be seen.
_LEAST_S = 0.5
# The beginning and the end of the call have to show the same difference.
_AGREEMENT_S = 1.0


def shift(sender: Table, receiver: Table) -> float:
    """The time to add to the receiver's times, in seconds; 0 where its clock is the sender's.

    Feedback that leaves the receiver is taken by the sender half a round trip later, both when it
    begins and when the traces end. A trace which misses a part of the call has another difference
    at one of them, and then the clocks are taken as they are.
    """
    left = receiver.times_of("transport-cc", "ccfb", "remb")
    taken = sender.times_of("transport-feedback", "remb")
    if not len(left) or not len(taken):
        return 0.0
    begin, end = taken[0] - left[0], taken[-1] - receiver.time_s[-1]
    if abs(begin) < _LEAST_S or abs(begin - end) > _AGREEMENT_S:
        return 0.0
    round_trips = [sender.points(column)[1] for column in ("path_rtt_ms", "rtt_ms")]
    known = np.concatenate(round_trips)
    return float(begin) - (float(known.min()) / 2000 if len(known) else 0.0)
