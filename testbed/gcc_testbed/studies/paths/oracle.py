"""The possible: a sender that knows the recording, with at most 50 ms of queue before the link.

It is computed, not simulated: a fluid that is sent only where the link takes it within 50 ms. No
controller can be better by more than that margin.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gcc_testbed.measure import recorded
from gcc_testbed.measure.frames import Frames
from gcc_testbed.measure.recorded import Numbers, Steps
from gcc_testbed.scenario.flows import GccFlow, TcpFlow
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.studies.drawn.calls import Drawn

QUEUE_S = 0.05
STEP_S = 0.005
# Of a fluid's sums, and of steps.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Possible:
    """The oracle's call as a viewer has it."""

    # Of what the application wants and the link takes: 1 but for what is lost behind it.
    use: float
    frame_delay_p50_ms: float | None
    frame_delay_p95_ms: float | None
    frame_delay_p99_ms: float | None
    frozen_s_a_minute: float


class Oracles:
    """The oracle's calls by name, each computed once: a page is written many times."""

    def __init__(self) -> None:
        self._found: dict[str, Possible] = {}

    def possible(self, call: Drawn) -> Possible:
        if call.name not in self._found:
            self._found[call.name] = Oracle(call.scenario()).possible()
        return self._found[call.name]


class Oracle:
    """The call of a scenario's first flow, by the sender that knows its path."""

    def __init__(self, scenario: Scenario) -> None:
        media = scenario.flows[0]
        assert isinstance(media, GccFlow)
        self._media = media
        self._begin_s, self._end_s = scenario.measure_from_s, scenario.duration_s
        self._link = recorded.taken(scenario.link)
        self._lost = recorded.lost(scenario.link)
        self._delayed = recorded.delayed(scenario.link)
        # Edges of the steps; the last ones are needed to know what the link takes after the end.
        self._at_s = np.arange(0.0, self._end_s + 2 * QUEUE_S, STEP_S)
        self._taken = _share(scenario, self._link).until(self._at_s)
        self._sent, self._level = self._fluid()

    def _fluid(self) -> tuple[Numbers, Numbers]:
        """In each step: the kbit sent, and how much the link has to take until they are through."""
        ahead = round(QUEUE_S / STEP_S)
        steps = len(self._at_s) - ahead
        sent, level = np.zeros(steps), np.zeros(steps)
        waiting, most = 0.0, self._media.max_kbps * STEP_S
        for step in range(steps):
            room = self._taken[step + ahead] - self._taken[step] - waiting
            sent[step] = min(max(room, 0.0), most)
            waiting += sent[step]
            level[step] = self._taken[step] + waiting
            waiting = max(0.0, waiting - (self._taken[step + 1] - self._taken[step]))
        return sent, level

    def possible(self) -> Possible:
        """Over the measured interval."""
        frames = self._frames()
        inside = frames.between(self._begin_s, self._end_s)
        delays_ms = inside.delay_s[inside.whole] * 1000
        length_s = self._end_s - self._begin_s
        return Possible(
            self._use(),
            recorded.percentile(delays_ms, 50),
            recorded.percentile(delays_ms, 95),
            recorded.percentile(delays_ms, 99),
            round(60 * frames.frozen_s(self._begin_s, self._end_s) / length_s, 3),
        )

    def _use(self) -> float:
        times = self._at_s[: len(self._sent)]
        arrived = self._sent * (1 - self._lost.at(times) / 100)
        kbit = float(arrived[(times >= self._begin_s) & (times < self._end_s)].sum())
        wanted = self._link.at_most(self._media.max_kbps).mean(self._begin_s, self._end_s)
        length_s = self._end_s - self._begin_s
        return min(1.0, kbit / (wanted * length_s)) if wanted else 1.0

    def _frames(self) -> Frames:
        """A frame is as large as what may be sent until the next one; less than the least: none."""
        rate = self._media.frame_rate or 30
        captured_s = np.arange(0.0, self._end_s, 1 / rate)
        sums = np.concatenate([[0.0], np.cumsum(self._sent)])
        edges = np.append(captured_s, self._end_s) / STEP_S
        steps = np.floor(edges + ROUNDING).astype(int)
        first, until = steps[:-1], steps[1:]
        least = self._media.min_kbps * (until - first) * STEP_S
        shown = sums[until] - sums[first] >= least - ROUNDING
        through_s = np.maximum(self._through_s()[first], captured_s)
        # The queue comes first, then the recorded delay.
        arrived_s = through_s + self._delayed.at(through_s) / 1000
        arrived_s = np.where(shown, np.maximum.accumulate(arrived_s), np.nan)
        return Frames(captured_s, arrived_s - captured_s, captured_s, arrived_s)

    def _through_s(self) -> Numbers:
        """When the link has taken what was sent in each step."""
        last = np.searchsorted(self._taken, self._level - ROUNDING)
        last = np.clip(last, 1, len(self._taken) - 1)
        before = self._taken[last - 1]
        step = np.maximum(self._taken[last] - before, ROUNDING)
        part = np.clip((self._level - before) / step, 0.0, 1.0)
        return self._at_s[last - 1] + part * STEP_S


def _share(scenario: Scenario, link: Steps) -> Steps:
    """The first flow's fair share of the link: of short transfers nothing is known."""
    for flow in scenario.flows[1:]:
        if isinstance(flow, TcpFlow) and flow.transfers is not None:
            continue
        since_s, _ = flow.active(0.0, scenario.duration_s)
        at_s = np.union1d(link.at_s, [since_s])
        kbps = link.at(at_s)
        left = kbps / 2
        if isinstance(flow, GccFlow):
            left = np.maximum(left, kbps - flow.max_kbps)
        link = Steps(at_s, np.where(at_s >= since_s, left, kbps))
    return link
