"""The flows of a scenario, from and to the tables of its TOML file."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

from gcc_testbed.scenario.flows import (
    INTERVALS,
    NAMED_SEQUENCES,
    TIMES,
    AnyFlow,
    CbrFlow,
    EncoderModel,
    GccFlow,
    LaunchFlow,
    RtpGccBweFlow,
    TcpFlow,
    VideoFlow,
    default_feedback,
    present_profile,
)
from gcc_testbed.scenario.keys import Kinds, number
from gcc_testbed.scenario.tables import Place
from gcc_testbed.support.errors import TestbedError

MOST_FLOWS = 400


@dataclass(frozen=True, kw_only=True)
class TcpFlows(TcpFlow):
    """TCP as the file has it: some alike."""

    count: Annotated[int, number("connections", at_least=1, at_most=MOST_FLOWS, whole=True)] = 1

    def one(self) -> TcpFlow:
        return TcpFlow(**{each.name: getattr(self, each.name) for each in fields(TcpFlow)})


FLOW = Kinds(
    {
        "gcc": GccFlow,
        "rtpgccbwe": RtpGccBweFlow,
        "tcp": TcpFlows,
        "udp-cbr": CbrFlow,
        "launch": LaunchFlow,
    }
)
_TIMES = (
    "ssrc_changes_s",
    "sender_restarts_s",
    "receiver_restarts_s",
    "clock_losses_s",
    "clock_changes_s",
)
_INTERVALS = ("pause", "clock_stops", "notify_blocks", "message_blocks", "probe_blocks")


def completed(  # noqa: PLR0913
    flow: AnyFlow,
    data: dict[str, Any],
    place: Place,
    duration: float,
    directory: Path | None,
    before: list[AnyFlow],
) -> list[AnyFlow]:
    """One entry of the file, as read from `data`: a flow, or `count` of them."""
    if flow.start_s >= duration:
        raise place.wrong("start_s", flow.start_s, f"less than duration_s ({duration:g})")
    if flow.stop_s is not None and flow.stop_s <= flow.start_s:
        raise place.wrong("stop_s", flow.stop_s, f"more than start_s ({flow.start_s:g})")
    count = 1
    if isinstance(flow, TcpFlows):
        count, flow = flow.count, flow.one()
    _check(flow, data, place, flow.stop_s or duration)
    if flow.stop_s is not None and flow.stop_s >= duration:
        flow = replace(flow, stop_s=None)
    if isinstance(flow, VideoFlow | LaunchFlow):
        flow = replace(flow, sequence=_sequence(flow.sequence, place, directory))
    if isinstance(flow, GccFlow):
        profile = present_profile(flow.profile)
        feedback = data.get("feedback", default_feedback(profile))
        flow = replace(flow, profile=profile, feedback=feedback)
    return _named(flow, data.get("name", ""), count, before)


def _sequence(wanted: str, place: Place, directory: Path | None) -> str:
    """A named sequence as it is, a file by its absolute path."""
    if wanted in NAMED_SEQUENCES or directory is None:
        return wanted
    file = directory / wanted
    if not file.is_file():
        known = ", ".join(NAMED_SEQUENCES)
        raise place.wrong("sequence", wanted, f"{known} or a video file; there is no such file")
    return str(file.absolute())


def _named(flow: AnyFlow, name: str, count: int, before: list[AnyFlow]) -> list[AnyFlow]:
    taken = {flow.name for flow in before}
    named: list[AnyFlow] = []
    for nth in range(1, count + 1):
        if name:
            called = name if count == 1 else f"{name}-{nth}"
        else:
            free = (f"{flow.kind}-{n}" for n in itertools.count(1))
            called = next(candidate for candidate in free if candidate not in taken)
        taken.add(called)
        named.append(replace(flow, name=called))
    return named


def _check(flow: AnyFlow, data: dict[str, Any], place: Place, end: float) -> None:
    """Refuses what each key allows, but not all of them together."""
    if isinstance(flow, VideoFlow):
        _check_limits(flow, place)
    if isinstance(flow, GccFlow):
        _check_source(flow, data, place)
    for key in (*_INTERVALS, *_TIMES):
        value = getattr(flow, key, ())
        times = [flow.start_s, *(itertools.chain(*value) if key in _INTERVALS else value), end]
        if value and times != sorted(set(times)):
            raise place.wrong(key, data[key], (INTERVALS if key in _INTERVALS else TIMES).expected)
    if isinstance(flow, GccFlow):
        if "pause" in data and flow.sender_restarts_s:
            raise place.wrong("sender_restarts_s", data["sender_restarts_s"], "none with pause")
        if len(flow.clock_losses_s) > 1:
            raise place.wrong("clock_losses_s", data["clock_losses_s"], "one time at most")
    if isinstance(flow, LaunchFlow):
        for key in ("sender", "receiver"):
            _check_line(key, data[key], place)
    if isinstance(flow, TcpFlow) and flow.transfers is not None:
        low, high = flow.transfers.bytes_min, flow.transfers.bytes_max
        if low > high:
            raise place.at("transfers").wrong("bytes_max", high, f"at least bytes_min ({low})")


def _check_limits(flow: VideoFlow, place: Place) -> None:
    limits = [flow.min_kbps, flow.start_kbps, flow.max_kbps]
    if limits != sorted(limits):
        given = "min_kbps {}, start_kbps {}, max_kbps {}".format(*limits)
        raise TestbedError(f"{place.file}: {place.path}: {given}: expected min <= start <= max")


def _check_source(flow: GccFlow, data: dict[str, Any], place: Place) -> None:
    if flow.source == "model":
        for key in ("encoder", "pause", "resolution", "degradation"):
            if getattr(flow, key):
                raise place.wrong(key, data[key], 'none with source = "model"')
    elif "model" in data:
        raise place.wrong("model", data["model"], 'none without source = "model"')


def _check_line(key: str, line: str, place: Place) -> None:
    """A line of words for gst-launch-1.0."""
    try:
        shlex.split(line)
    except ValueError as problem:
        raise place.wrong(key, line, f"a line for gst-launch-1.0 ({problem})") from None


def _pairs(value: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [list(part) for part in value]


def _known(model: EncoderModel) -> dict[str, Any]:
    return {name: value for name, value in vars(model).items() if value is not None}


# How a value is written that is not written as it is.
_WRITTEN: dict[str, Callable[[Any], Any]] = {
    "encoder": dict,
    "model": _known,
    "transfers": vars,
    **dict.fromkeys(("wall_clock_steps", *_INTERVALS), _pairs),
    **dict.fromkeys(("protection", "resolution", *_TIMES), list),
}


def flow_data(flow: AnyFlow) -> dict[str, Any]:
    """The flow as a TOML table, the inverse of `read_flows`; what is not given is left out."""
    data: dict[str, Any] = {"kind": flow.kind}
    for key, value in vars(flow).items():
        if value is None or value == ():
            continue
        written = _WRITTEN[key](value) if key in _WRITTEN else value
        if written != {}:
            data[key] = written
    return data
