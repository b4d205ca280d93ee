"""The flows of a scenario, from and to the tables of its TOML file."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from gcc_testbed.scenario.flows import (
    CONGESTION_CONTROLS,
    DEFAULT_PROFILE,
    DEGRADATIONS,
    ESTIMATORS,
    FEEDBACKS,
    FORMER_PROFILES,
    NAMED_SEQUENCES,
    PROFILES,
    PROTECTIONS,
    SOURCES,
    AnyFlow,
    CbrFlow,
    EncoderModel,
    GccFlow,
    LaunchFlow,
    RtpGccBweFlow,
    TcpFlow,
    Transfers,
    default_feedback,
    present_profile,
)
from gcc_testbed.scenario.link import DIRECTIONS
from gcc_testbed.scenario.table import Reader, Table, number, one_of, optional, read
from gcc_testbed.support.errors import TestbedError

MOST_FLOWS = 400


def _sequence(table: Table, directory: Path | None) -> str:
    """A named sequence as it is, a file by its absolute path."""
    wanted = table.text("sequence", "foreman")
    if wanted in NAMED_SEQUENCES or directory is None:
        return wanted
    file = directory / wanted
    if not file.is_file():
        known = ", ".join(NAMED_SEQUENCES)
        raise table.wrong("sequence", wanted, f"{known} or a video file; there is no such file")
    return str(file.absolute())


def _resolution(table: Table, key: str) -> tuple[int, int] | None:
    if not table.has(key):
        return None
    given = table.raw(key)
    if (
        not isinstance(given, list)
        or len(given) != 2
        or any(not isinstance(n, int) or not 16 <= n <= 8192 for n in given)
    ):
        raise table.wrong(key, given, "[width, height] in pixels")
    return given[0], given[1]


def _encoder(table: Table, key: str) -> tuple[tuple[str, str], ...]:
    if not table.has(key):
        return ()
    settings = table.raw(key)
    if not isinstance(settings, dict) or any(
        not isinstance(value, str | int | float) for value in settings.values()
    ):
        raise table.wrong(key, settings, 'settings of vp8enc like { "cpu-used" = -6 }')
    return tuple(
        (name, str(value).lower() if isinstance(value, bool) else str(value))
        for name, value in settings.items()
    )


def _protection(table: Table, key: str) -> tuple[str, ...]:
    given = table.raw(key, [])
    if not isinstance(given, list) or any(
        name not in PROTECTIONS or given.count(name) > 1 for name in given
    ):
        raise table.wrong(key, given, f"a list of {' and '.join(PROTECTIONS)}, each once")
    return tuple(given)


def _steps(table: Table, key: str) -> tuple[tuple[float, float], ...]:
    given = table.raw(key, [])
    last = 0.0
    for step in given if isinstance(given, list) else [None]:
        if (
            not isinstance(step, list)
            or len(step) != 2
            or any(isinstance(n, bool) or not isinstance(n, int | float) for n in step)
            or not last < step[0]
            or not abs(step[1]) <= 86400
        ):
            expected = "[[at, by], ...] in seconds, in order, by at most a day"
            raise table.wrong(key, given, expected)
        last = step[0]
    return tuple((float(at), float(by)) for at, by in given)


def _times(table: Table, key: str, start: float, end: float) -> tuple[float, ...]:
    given = table.raw(key, [])
    last = start
    for at in given if isinstance(given, list | tuple) else [None]:
        if isinstance(at, bool) or not isinstance(at, int | float) or not last < at < end:
            expected = "[at, ...] in seconds of the call, in order, while the flow is active"
            raise table.wrong(key, given, expected)
        last = at
    return tuple(map(float, given))


def _intervals(table: Table, key: str, start: float, end: float) -> tuple[tuple[float, float], ...]:
    given = table.raw(key, [])
    expected = "[[from, to], ...] in seconds of the call, in order, while the flow is active"
    last = start
    for part in given if isinstance(given, list) else [None]:
        if (
            not isinstance(part, list)
            or len(part) != 2
            or not all(isinstance(time, int | float) for time in part)
            or not last < part[0] < part[1] < end
        ):
            raise table.wrong(key, given, expected)
        last = part[1]
    return tuple((float(begin), float(end)) for begin, end in given)


_KBPS: dict[str, Any] = {"unit": "kbit/s", "at_least": 1, "at_most": 1e6, "whole": True}
_LIMITS: dict[str, Reader] = {
    "min_kbps": number(50, **_KBPS),
    "start_kbps": number(300, **_KBPS),
    "max_kbps": number(2000, **_KBPS),
}
_VIDEO: dict[str, Reader] = {
    "frame_rate": number(None, unit="frames per second", at_least=1, at_most=240, whole=True),
    "resolution": _resolution,
    "encoder": _encoder,
}


def _video(
    table: Table, common: dict[str, Any], directory: Path | None, end: float
) -> dict[str, Any]:
    """The keys that every flow of encoded video has."""
    limits = read(table, _LIMITS)
    if list(limits.values()) != sorted(limits.values()):
        given = ", ".join(f"{key} {value}" for key, value in limits.items())
        raise TestbedError(f"{table.file}: {table.path}: {given}: expected min <= start <= max")
    return {
        **common,
        **limits,
        "sequence": _sequence(table, directory),
        **read(table, _VIDEO),
        "pause": _intervals(table, "pause", common["start_s"], end),
    }


_CHANGE_COST = number(None, unit="ms", at_least=0, at_most=60_000, whole=True)
_GCC: dict[str, Reader] = {
    "degradation": optional(one_of(DEGRADATIONS, DEGRADATIONS[0])),
    "probing": optional(Table.flag),
    "overuse_threshold_ms": number(None, unit="ms", at_least=0, at_most=600),
    "report_interval_ms": number(None, unit="ms", at_least=1, at_most=60_000),
    "abs_send_time": Table.flag,
    "protection": _protection,
    "pacing_factor": number(None, unit="times A_s", at_least=0, at_most=100),
    "max_pacing_delay_ms": number(None, unit="ms", at_least=1, at_most=10_000, whole=True),
}


def _gcc(table: Table, common: dict[str, Any], directory: Path | None, end: float) -> GccFlow:
    source = table.one_of("source", SOURCES, "vp8")
    video = _video(table, common, directory, end)
    for key in ("encoder", "pause", "resolution"):
        if source == "model" and video[key]:
            raise table.wrong(key, table.raw(key), 'none with source = "model"')
    if source == "model" and table.has("degradation"):
        raise table.wrong("degradation", table.raw("degradation"), 'none with source = "model"')
    profile = present_profile(
        table.one_of("profile", (*PROFILES, *FORMER_PROFILES), DEFAULT_PROFILE)
    )
    return GccFlow(
        **video,
        source=source,
        model=_encoder_model(table, source),
        profile=profile,
        encoder_change_cost_ms=_CHANGE_COST(table, "encoder_change_cost_ms"),
        feedback=table.one_of("feedback", FEEDBACKS, default_feedback(profile)),
        **read(table, _GCC),
        **_flow_faults(table, video["start_s"], end),
    )


_MODEL: dict[str, Reader] = {
    "rate_factor": number(None, unit="times the target", at_least=0.1, at_most=10),
    "late_ms": number(None, unit="ms", at_least=0, at_most=60_000, whole=True),
    "key_frame_bytes": number(None, unit="bytes", at_least=1, at_most=10_000_000, whole=True),
    "key_frame_every_s": number(None, unit="seconds", at_least=0.1, at_most=3600),
    "key_frame_at_change": optional(Table.flag),
}


def _encoder_model(table: Table, source: str) -> EncoderModel:
    """The table `model`: an encoder as it is, in place of that of RFC 8593."""
    if not table.has("model"):
        return EncoderModel()
    if source != "model":
        raise table.wrong("model", table.raw("model"), 'none without source = "model"')
    inner = table.table("model")
    model = EncoderModel(**read(inner, _MODEL))
    inner.finish()
    return model


_FLOW_TIMES = (
    "ssrc_changes_s",
    "sender_restarts_s",
    "receiver_restarts_s",
    "clock_losses_s",
    "clock_changes_s",
)
_FLOW_INTERVALS = ("clock_stops", "notify_blocks", "message_blocks", "probe_blocks")
_CLOCKS: dict[str, Reader] = {
    "clock_skew_ppm": number(0.0, unit="ppm", at_least=-10_000, at_most=10_000),
    "device_clock_ppm": number(None, unit="ppm", at_least=-10_000, at_most=10_000),
    "wall_clock_steps": _steps,
}
_FIRST: dict[str, Reader] = {
    "first_sequence_number": number(
        None, unit="a whole number", at_least=0, at_most=2**16 - 1, whole=True
    ),
    "first_timestamp": number(
        None, unit="a whole number", at_least=0, at_most=2**32 - 1, whole=True
    ),
}


def _flow_faults(table: Table, start: float, end: float) -> dict[str, Any]:
    """The faults of the ends of a flow."""
    found: dict[str, Any] = {
        **read(table, _CLOCKS),
        **{key: _times(table, key, start, end) for key in _FLOW_TIMES},
        **{key: _intervals(table, key, start, end) for key in _FLOW_INTERVALS},
        **read(table, _FIRST),
    }
    if table.has("pause") and found["sender_restarts_s"]:
        raise table.wrong("sender_restarts_s", table.raw("sender_restarts_s"), "none with pause")
    if len(found["clock_losses_s"]) > 1:
        raise table.wrong("clock_losses_s", table.raw("clock_losses_s"), "one time at most")
    return found


def _rtpgccbwe(
    table: Table, common: dict[str, Any], directory: Path | None, end: float
) -> RtpGccBweFlow:
    return RtpGccBweFlow(
        **_video(table, common, directory, end),
        estimator=table.one_of("estimator", ESTIMATORS, ESTIMATORS[0]),
    )


_BYTES = number(unit="bytes", at_least=1, at_most=2**31 - 1, whole=True)
_IDLE = number(unit="seconds", at_least=0, at_most=86400)


def _tcp(table: Table, common: dict[str, Any], _: Path | None, __: float) -> TcpFlow:
    congestion = table.one_of("congestion", CONGESTION_CONTROLS, "cubic")
    transfers = None
    if table.has("transfers"):
        inner = table.table("transfers")
        low, high = (_BYTES(inner, key) for key in ("bytes_min", "bytes_max"))
        if low > high:
            raise inner.wrong("bytes_max", high, f"at least bytes_min ({low})")
        transfers = Transfers(low, high, _IDLE(inner, "idle_mean_s"))
        inner.finish()
    return TcpFlow(**common, congestion=congestion, transfers=transfers)


_CBR: dict[str, Reader] = {
    "rate_kbps": number(unit="kbit/s", above=0, at_most=1e6),
    "packet_bytes": number(1200, unit="bytes", at_least=64, at_most=1500, whole=True),
}


def _cbr(table: Table, common: dict[str, Any], _: Path | None, __: float) -> CbrFlow:
    return CbrFlow(**common, **read(table, _CBR))


def _pipeline(table: Table, key: str) -> str:
    """A line of words for gst-launch-1.0."""
    line = table.text(key)
    try:
        shlex.split(line)
    except ValueError as problem:
        raise table.wrong(key, line, f"a line for gst-launch-1.0 ({problem})") from None
    return line


def _launch(table: Table, common: dict[str, Any], directory: Path | None, _: float) -> LaunchFlow:
    return LaunchFlow(
        **common,
        sender=_pipeline(table, "sender"),
        receiver=_pipeline(table, "receiver"),
        sequence=_sequence(table, directory),
    )


_KINDS: dict[str, Callable[[Table, dict[str, Any], Path | None, float], AnyFlow]] = {
    "gcc": _gcc,
    "rtpgccbwe": _rtpgccbwe,
    "tcp": _tcp,
    "udp-cbr": _cbr,
    "launch": _launch,
}

_COUNT = number(1, unit="connections", at_least=1, at_most=MOST_FLOWS, whole=True)
_PATH: dict[str, Reader] = {
    "direction": one_of(DIRECTIONS, "forward"),
    "extra_one_way_delay_ms": number(0.0, unit="ms", at_least=0, at_most=5000),
}


def read_flows(
    table: Table, duration: float, directory: Path | None, before: list[AnyFlow]
) -> list[AnyFlow]:
    """One entry of the file: a flow, or `count` of them."""
    kind = table.one_of("kind", tuple(_KINDS))
    count = 1
    if kind == "tcp":
        count = _COUNT(table, "count")
    name = table.text("name", "")
    if name and not (name.replace("-", "").replace("_", "").isalnum() and name.isascii()):
        raise table.wrong("name", name, "letters, digits, - and _")
    start = table.number("start_s", 0.0, unit="seconds", at_least=0)
    if start >= duration:
        raise table.wrong("start_s", start, f"less than duration_s ({duration:g})")
    stop = table.number("stop_s", None, unit="seconds", above=0)
    if stop is not None and stop <= start:
        raise table.wrong("stop_s", stop, f"more than start_s ({start:g})")
    common: dict[str, Any] = {
        "name": name,
        "start_s": start,
        "stop_s": None if stop is None or stop >= duration else stop,
        **read(table, _PATH),
    }
    flow = _KINDS[kind](table, common, directory, stop or duration)
    taken = {flow.name for flow in before}
    named: list[AnyFlow] = []
    for nth in range(1, count + 1):
        if name:
            called = name if count == 1 else f"{name}-{nth}"
        else:
            free = (f"{kind}-{n}" for n in itertools.count(1))
            called = next(candidate for candidate in free if candidate not in taken)
        taken.add(called)
        named.append(replace(flow, name=called))
    return named


def _pairs(value: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [list(part) for part in value]


def _known(model: EncoderModel) -> dict[str, Any]:
    return {name: value for name, value in vars(model).items() if value is not None}


# How a value is written that is not written as it is.
_WRITTEN: dict[str, Callable[[Any], Any]] = {
    "encoder": dict,
    "model": _known,
    "transfers": vars,
    **dict.fromkeys(("pause", "wall_clock_steps", *_FLOW_INTERVALS), _pairs),
    **dict.fromkeys(("protection", "resolution", *_FLOW_TIMES), list),
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
