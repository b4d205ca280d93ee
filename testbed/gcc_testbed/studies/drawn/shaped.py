"""A call on a shaped link: its draws as the tables of a scenario file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from gcc_testbed.scenario import link_trace
from gcc_testbed.scenario.link import QUEUES, SMALLEST_BURST_BYTES
from gcc_testbed.studies.drawn import words
from gcc_testbed.studies.drawn.calls import TRACES, Drawn, Table, parts_of
from gcc_testbed.studies.drawn.draws import Draws, Population

# A shaper's rate.
LEAST_KBPS, MOST_KBPS = 32.0, 30_000.0
# The least rate of a flow, except on the slowest links.
MIN_KBPS, LOW_MIN_KBPS = 50, 20
MODEL_FRAME_BYTES = 13_500
VIDEO_FRAME_RATE = 30


def drawn(name: str, population: Population, letter: str) -> Drawn:
    """The call of a name, whatever else is drawn."""
    draws = Draws(parts_of(name, letter)[0], population)
    call = _Call(draws)
    title = words.title(draws, call.capacity_kbps, call.tables)
    return Drawn(name, title, {"title": f"{name}: {title}", **call.tables}, words.kinds(draws))


@cache
def _trace_kbps(file: Path) -> float:
    return link_trace.mean_kbps(link_trace.read(file))


class _Call:
    """Composes the tables; each method is one of them, or one part."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._source = draws.word("source")
        still = "still_" if self._source == "still-foreman" else ""
        self._duration_s = draws.population.call[f"{still}duration_s"]
        self._measure_from_s = draws.population.call[f"{still}measure_from_s"]
        self.capacity_kbps = draws.number("capacity_kbps")
        if draws.word("course") == "trace":
            self.capacity_kbps = _trace_kbps(TRACES / draws.word("trace"))
        self.tables: Table = {
            "duration_s": self._duration_s,
            "measure_from_s": self._measure_from_s,
            "link": self._link(),
            "flow": [self._media(), *self._beside(), *self._uploads()],
        }

    def _at(self, part: float) -> float:
        """A moment of the call."""
        return round(part * self._duration_s, 2)

    def _bytes(self, ms: float) -> int:
        """The bytes that the link carries in a time; no less than a shaper needs."""
        return max(SMALLEST_BURST_BYTES, round(self.capacity_kbps * ms / 8))

    # The link.

    def _link(self) -> Table:
        draws = self._draws
        link: Table = {"one_way_delay_ms": draws.number("rtt_ms") / 2}
        for key in ("loss_percent", "jitter_ms"):
            if draws.number(key):
                link[key] = draws.number(key)
        arrival = draws.word("arrival")
        if arrival == "ticks":
            link["arrival_tick_ms"] = draws.number("arrival_tick_ms")
        if arrival == "noise":
            link["arrival_noise_ms"] = draws.number("arrival_noise_ms")
        link["forward"] = self._forward()
        if (backward := self._backward()) is not None:
            link["backward"] = backward
        if faults := [*self._routes(), *self._lossy_way_back()]:
            link["fault"] = faults
        return link

    def _forward(self) -> Table:
        draws, bucket = self._draws, words.bucket(self._draws)
        forward: Table = {"rate_kbps": self._rate()}
        if bucket == "bucket":
            forward["burst_bytes"] = self._bytes(draws.number("bucket_ms"))
        if bucket == "policer":
            forward["burst_bytes"] = self._bytes(draws.number("policer_ms"))
            forward["queue"] = {"kind": "droptail", "bytes": SMALLEST_BURST_BYTES}
            return forward
        kind = draws.word("queue")
        forward["queue"] = {"kind": kind}
        if hasattr(QUEUES[kind](), "ms"):
            forward["queue"]["ms"] = draws.number("queue_ms")
        return forward

    def _rate(self) -> float | str | Table:
        course = self._draws.word("course")
        if course == "trace":
            return {"trace": str(TRACES / self._draws.word("trace"))}
        if course == "steps":
            return self._schedule(self._step_times(), "step_factor")
        if course == "fading":
            every_s = self._draws.number("fading_every_s")
            times = [n * every_s for n in range(1, int(self._duration_s / every_s) + 1)]
            return self._schedule(times, "fading_factor")
        return self.capacity_kbps

    def _step_times(self) -> list[float]:
        """Evenly over the call, the first when it has settled."""
        count = self._draws.whole("steps")
        return [self._at(n / (count + 1)) for n in range(1, count + 1)]

    def _schedule(self, times: list[float], factor: str) -> str:
        """The capacity, and from each time on the capacity times a factor."""
        rates = [self.capacity_kbps * self._draws.number(factor, nth) for nth in range(len(times))]
        steps = zip([0.0, *times], [self.capacity_kbps, *rates], strict=True)
        return ",".join(f"{at:g}:{min(MOST_KBPS, max(LEAST_KBPS, kbps)):.0f}" for at, kbps in steps)

    def _backward(self) -> Table | None:
        way_back = self._draws.word("way_back")
        if way_back == "slow" and self._draws.word("beside") != "tcp":
            return {"rate_kbps": self._draws.number("way_back_kbps")}
        if way_back == "full":
            return {"rate_kbps": self._draws.number("way_back_full_kbps")}
        return None

    def _lossy_way_back(self) -> list[Table]:
        if self._draws.word("way_back") != "lossy":
            return []
        lost = self._draws.number("way_back_loss_percent")
        return [_fault("backward", 0, self._duration_s, loss_percent=lost)]

    def _routes(self) -> list[Table]:
        draws, end_s = self._draws, self._duration_s
        route, at_s = draws.word("route"), self._at(draws.number("route_at"))
        if route == "longer":
            return [_fault("forward", at_s, end_s, delay_ms=draws.number("route_ms"))]
        if route == "shorter":
            return [_fault("forward", 0, at_s, delay_ms=draws.number("route_ms"))]
        if route == "moves":
            return self._moves()
        return []

    def _moves(self) -> list[Table]:
        """Another delay each so often, and nothing arrives in the moment between."""
        every_s, faults = self._draws.number("route_every_s"), []
        for nth in range(1, int(self._duration_s / every_s) + 1):
            gap_s = self._draws.number("route_gap_s", nth)
            at_s, next_s = nth * every_s, min((nth + 1) * every_s, self._duration_s)
            if at_s + gap_s < next_s:
                late_ms = self._draws.number("route_ms", nth)
                faults += [
                    _fault("forward", at_s, at_s + gap_s, loss_percent=100),
                    _fault("forward", at_s + gap_s, next_s, delay_ms=late_ms),
                ]
        return faults

    # The flows.

    def _media(self) -> Table:
        most = self._most_kbps()
        least = min(most, MIN_KBPS if self.capacity_kbps >= 2 * MIN_KBPS else LOW_MIN_KBPS)
        media: Table = {
            "kind": "gcc",
            "name": "media",
            **self._video(),
            "min_kbps": least,
            "start_kbps": max(least, min(self._draws.whole("start_kbps"), most)),
            "max_kbps": most,
        }
        if self._draws.word("protection") != "none":
            media["protection"] = [self._draws.word("protection")]
        return media

    def _most_kbps(self) -> int:
        wanted = self.capacity_kbps * self._draws.number("limit")
        return max(LOW_MIN_KBPS, round(min(wanted, self._draws.population.most_kbps[self._source])))

    def _video(self) -> Table:
        """The video that is sent.

        A real encoder has no `source`, because rtpgccbwe's flows do not have the key.
        """
        frame_rate = self._draws.whole("frame_rate")
        if self._source != "model":
            slower = {"frame_rate": frame_rate} if frame_rate < VIDEO_FRAME_RATE else {}
            return {"sequence": self._source, **slower}
        model = self._encoder()
        video: Table = {"source": "model", "frame_rate": frame_rate}
        return {**video, "model": model} if model else video

    def _encoder(self) -> Table:
        draws, encoder = self._draws, self._draws.word("encoder")
        key_frame_bytes = self._bytes(draws.number("key_frame_ms"))
        if encoder == "late":
            return {"late_ms": draws.whole("encoder_late_ms")}
        if encoder == "coarse":
            return {"rate_factor": draws.number("encoder_factor")}
        if encoder == "key-frames":
            every_s = draws.number("key_frame_every_s")
            return {"key_frame_every_s": every_s, "key_frame_bytes": key_frame_bytes}
        if encoder == "starts-over":
            return {"key_frame_at_change": True, "key_frame_bytes": key_frame_bytes}
        # The RFC's first frame is longer than a second on the slowest links.
        return {"key_frame_bytes": min(MODEL_FRAME_BYTES, self._bytes(500))}

    def _beside(self) -> list[Table]:
        beside = self._draws.word("beside")
        others = {"tcp": self._tcp, "web": self._web, "cbr": self._cbr, "calls": self._calls}
        return others[beside]() if beside in others else []

    def _while(self, nth: int) -> Table:
        """When a flow beside comes, and when it goes, if it does."""
        start = self._draws.number("beside_from", nth)
        stop = start + self._draws.number("beside_lasts", nth)
        times = {"start_s": self._at(start)}
        return {**times, "stop_s": self._at(stop)} if stop < 1 else times

    def _tcp(self) -> list[Table]:
        return [
            {
                "kind": "tcp",
                "name": f"tcp-{nth}",
                "congestion": self._draws.word("tcp_congestion", nth),
                **self._while(nth),
            }
            for nth in range(1, self._draws.whole("tcp_flows") + 1)
        ]

    def _web(self) -> list[Table]:
        transfers = {
            "bytes_min": 20_000,
            "bytes_max": self._draws.whole("web_most_bytes"),
            "idle_mean_s": self._draws.number("web_idle_s"),
        }
        count = self._draws.whole("web_connections")
        return [{"kind": "tcp", "name": "web", "count": count, "transfers": transfers}]

    def _cbr(self) -> list[Table]:
        kbps = round(self.capacity_kbps * self._draws.number("cbr_part"), 1)
        return [{"kind": "udp-cbr", "name": "cbr", "rate_kbps": kbps, **self._while(1)}]

    def _calls(self) -> list[Table]:
        return [
            {
                **self._media(),
                "name": f"media-{nth + 1}",
                "start_s": self._at(self._draws.number("other_call_from", nth)),
                "extra_one_way_delay_ms": self._draws.number("other_call_extra_ms", nth),
            }
            for nth in range(1, self._draws.whole("other_calls") + 1)
        ]

    def _uploads(self) -> list[Table]:
        """The flows that fill the way back."""
        if self._draws.word("way_back") != "full":
            return []
        return [{"kind": "tcp", "name": "upload", "direction": "backward"}]


def _fault(direction: str, from_s: float, to_s: float, **what: float) -> Table:
    times = {"from_s": round(from_s, 3), "to_s": round(to_s, 3)}
    return {"direction": direction, **times, **what}
