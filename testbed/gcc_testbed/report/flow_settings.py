"""The settings of a flow in one line, as a report shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from gcc_testbed.scenario.flows import MODEL, AnyFlow, GccFlow, RtpGccBweFlow

# A part of the line, and what is filled in: it is there once for each of these.
_Part = tuple[str, Callable[[Any], Iterable[tuple[Any, ...]]]]


def _given(key: str) -> Callable[[Any], list[tuple[Any]]]:
    """The value of a key; nothing where the flow leaves it to the profile or the element."""
    return lambda flow: [] if getattr(flow, key) is None else [(getattr(flow, key),)]


def _if(holds: Callable[[Any], Any]) -> Callable[[Any], list[tuple[()]]]:
    """Nothing to fill in: the part is there where this holds."""
    return lambda flow: [()] if holds(flow) else []


def _probing(flow: GccFlow) -> list[tuple[str]]:
    return [] if flow.probing is None else [("on" if flow.probing else "off",)]


def _ecn(flow: GccFlow) -> list[tuple[str]]:
    return [] if flow.ecn == "off" else [(flow.ecn,)]


def _model(flow: GccFlow) -> list[tuple[str, Any]]:
    return [(key, value) for key, value in vars(flow.model).items() if value is not None]


def _protection(flow: GccFlow) -> list[tuple[str]]:
    return [(" and ".join(flow.protection),)] if flow.protection else []


def _until(flow: AnyFlow) -> list[tuple[float, str]]:
    if not flow.start_s and flow.stop_s is None:
        return []
    return [(flow.start_s, "the end" if flow.stop_s is None else f"{flow.stop_s:g} s")]


def _limits(flow: GccFlow | RtpGccBweFlow) -> list[tuple[int, int, int]]:
    return [(flow.min_kbps, flow.start_kbps, flow.max_kbps)]


_VIDEO: tuple[_Part, ...] = (
    ("min / start / max {} / {} / {} kbit/s", _limits),
    ("{}={}", attrgetter("encoder")),
    ("pause {:g} to {:g} s", attrgetter("pause")),
)
_OF_KIND: dict[str, tuple[_Part, ...]] = {
    "gcc": (
        (MODEL, _if(lambda flow: flow.source == "model")),
        ("{} {}", _model),
        ("change cost {} ms", _given("encoder_change_cost_ms")),
        ("{}", _given("profile")),
        ("feedback {}", _given("feedback")),
        ("ECN {}", _ecn),
        ("probing {}", _probing),
        *_VIDEO,
        ("protection {}", _protection),
        ("reports every {:g} ms", _given("report_interval_ms")),
        ("abs-send-time", _if(attrgetter("abs_send_time"))),
        ("paced at {:g} A_s", _given("pacing_factor")),
        ("held back {} ms at most", _given("max_pacing_delay_ms")),
    ),
    "rtpgccbwe": (("rtpgccbwe, {}", _given("estimator")), *_VIDEO),
    "tcp": (
        ("TCP {}", _given("congestion")),
        ("transfers of {0.bytes_min} to {0.bytes_max} bytes", _given("transfers")),
        ("pauses of {0.idle_mean_s:g} s on average", _given("transfers")),
    ),
    "udp-cbr": (
        (
            "UDP {:g} kbit/s in packets of {} bytes",
            lambda flow: [(flow.rate_kbps, flow.packet_bytes)],
        ),
    ),
    "launch": (("the user's own lines", _if(lambda _: True)),),
}
_WHEN_AND_WHERE: tuple[_Part, ...] = (
    ("from {:g} s to {}", _until),
    (
        "{0.extra_one_way_delay_ms:g} ms more each way",
        lambda flow: [(flow,)] if flow.extra_one_way_delay_ms else [],
    ),
)


def line(flow: AnyFlow) -> str:
    """The settings of a flow that are given."""
    parts = (("{}", _given("direction")), *_OF_KIND[flow.kind], *_WHEN_AND_WHERE)
    return ", ".join(text.format(*values) for text, fill in parts for values in fill(flow))
