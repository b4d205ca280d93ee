"""The link of a scenario, from and to the tables of its TOML file."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from gcc_testbed.scenario import link_trace, recording
from gcc_testbed.scenario.link import (
    DIRECTIONS,
    MOST_KBPS,
    MTU,
    SMALLEST_BURST_BYTES,
    SMALLEST_QUEUE_BYTES,
    Codel,
    Condition,
    DropTail,
    Fault,
    FqCodel,
    HeadDrop,
    Link,
    LinkTrace,
    Pie,
    Queue,
    RateSchedule,
    RateStep,
    Sfq,
    Shaper,
)
from gcc_testbed.scenario.loss_bursts import bursts, with_bursts
from gcc_testbed.scenario.stops import WIDE, Stops, stopped
from gcc_testbed.scenario.table import Reader, Table, number, read
from gcc_testbed.support.errors import TestbedError

_Read = TypeVar("_Read")


def parse_schedule(text: str) -> RateSchedule:
    """`1000` or `0:1000,40:2500,60:600` (seconds:kbit/s)."""
    expected = "expected kbit/s like 1000, or a schedule of seconds:kbit/s like 0:1000,40:2500"
    steps = []
    for part in text.split(","):
        at, colon, rate = part.partition(":")
        if not colon:
            if len(text.split(",")) > 1:
                raise TestbedError(expected)
            at, rate = "0", part
        try:
            steps.append(RateStep(float(at), float(rate)))
        except ValueError:
            raise TestbedError(expected) from None
    if any(not math.isfinite(each) for step in steps for each in (step.at_s, step.kbps)):
        raise TestbedError(expected)
    for step in steps:
        if not 1 <= step.kbps <= MOST_KBPS:
            raise TestbedError(f"a rate is 1 to {MOST_KBPS} kbit/s, not {step.kbps:g}")
    return RateSchedule(tuple(steps))


_LINK: dict[str, Reader] = {
    "one_way_delay_ms": number(25.0, unit="ms", at_least=0, at_most=5000),
    "jitter_ms": number(0.0, unit="ms", at_least=0, at_most=1000),
    "loss_percent": number(0.0, unit="percent", at_least=0, at_most=99),
    "loss_burst_ms": number(None, unit="ms", at_least=1, at_most=10_000),
    "mtu_bytes": number(MTU, unit="bytes", at_least=576, at_most=MTU, whole=True),
    "arrival_noise_ms": number(0.0, unit="ms", at_least=0, at_most=1000),
    "arrival_tick_ms": number(0.0, unit="ms", at_least=0, at_most=1000),
}


def read_link(table: Table, duration: float, seed: int, directory: Path | None) -> Link:
    """The link of a call of `duration` seconds, from the table `link`."""
    settings = read(table, _LINK)
    recorded = _recorded(table, duration, directory)
    forward = _forward(table, recorded, duration, directory)
    backward = None
    if table.has("backward"):
        backward = _shaper(table.table("backward"), duration, directory)
    if table.has("stops"):
        stops = _stops(table.table("stops"))
        ways = (forward, backward or WIDE)
        forward, backward = _checked(
            table, "stops", str(stops), lambda: [stopped(way, stops, duration) for way in ways]
        )
    faults = _faults(table, duration)
    table.finish()
    conditions = recorded.conditions
    if settings["loss_burst_ms"] is not None and directory is not None:
        conditions = _with_bursts(table, settings, conditions, duration, seed)
    return Link(forward, backward, faults=faults, conditions=conditions, **settings)


def _stops(table: Table) -> Stops:
    ms = table.number("ms", unit="ms", at_least=1, at_most=60_000)
    every_ms = table.number("every_ms", unit="ms", above=ms, at_most=120_000)
    table.finish()
    return Stops(ms, every_ms)


def _with_bursts(
    table: Table,
    settings: dict[str, Any],
    conditions: tuple[Condition, ...],
    duration: float,
    seed: int,
) -> tuple[Condition, ...]:
    """The conditions of a path with loss in bursts; a finished call has them already."""
    lost, burst_ms = settings["loss_percent"], settings["loss_burst_ms"]
    if not lost:
        raise table.wrong("loss_burst_ms", burst_ms, "loss_percent with it")
    return with_bursts(conditions, bursts(lost, burst_ms, duration, seed))


_NOT_RECORDED = recording.Driven(None, ())


def _recorded(table: Table, duration: float, directory: Path | None) -> recording.Driven:
    """The settings that the recording of a link gives; those of a finished call from its record."""
    if not table.has("recording"):
        return _NOT_RECORDED
    if directory is None:
        return recording.Driven(None, _conditions(table.table("recording")))
    given = table.raw("recording")
    names = given if isinstance(given, list) else [given]
    if not names or not all(isinstance(name, str) for name in names):
        raise table.wrong("recording", given, "a file, or a list of some")
    files = [(directory / name).absolute() for name in names]
    return _checked(table, "recording", given, lambda: recording.driven(files, duration))


def _conditions(table: Table) -> tuple[Condition, ...]:
    """The inverse of `_conditions_data`."""
    parts = (part.split(":") for part in table.text("conditions").split(","))
    table.finish()
    return tuple(Condition(float(at), float(late), float(lost)) for at, late, lost in parts)


def _conditions_data(conditions: tuple[Condition, ...]) -> dict[str, Any]:
    """As the file may change or go: `seconds:ms:percent`, and so on."""
    if not conditions:
        return {}
    parts = (f"{each.at_s}:{each.delay_ms}:{each.loss_percent}" for each in conditions)
    return {"recording": {"conditions": ",".join(parts)}}


def _forward(
    table: Table, recorded: recording.Driven, duration: float, directory: Path | None
) -> Shaper:
    """The bottleneck from a to b, whose rate is that of the recording if it has one."""
    if recorded.rate is not None and not table.has("forward"):
        return Shaper(recorded.rate[0], trace=recorded.rate[1])
    forward = table.table("forward", "a table with rate_kbps")
    return _shaper(forward, duration, directory, recorded.rate)


def _faults(table: Table, duration: float) -> tuple[Fault, ...]:
    """The `[[link.fault]]` tables."""
    entries = table.raw("fault", [])
    if not isinstance(entries, list):
        raise table.wrong("fault", entries, "[[link.fault]] tables")
    ends = dict.fromkeys(DIRECTIONS, 0.0)
    faults: list[Fault] = []
    for place, entry in enumerate(entries):
        inner = Table(entry, table.where(f"fault[{place}]"), table.file)
        fault = _fault(inner, ends, duration)
        inner.finish()
        ends[fault.direction] = fault.to_s
        faults.append(fault)
    return tuple(faults)


_PERCENT = number(0.0, unit="percent", at_least=0, at_most=100)
_FAULT: dict[str, Reader] = {
    "loss_percent": _PERCENT,
    "delay_ms": number(0.0, unit="ms", at_least=0, at_most=60_000),
    "reorder_percent": _PERCENT,
    "duplicate_percent": _PERCENT,
}


def _fault(table: Table, ends: dict[str, float], duration: float) -> Fault:
    direction = table.one_of("direction", DIRECTIONS)
    begin = table.number("from_s", 0.0, unit="seconds", at_least=0)
    end = table.number("to_s", duration, unit="seconds", at_most=duration)
    if begin < ends[direction]:
        raise table.wrong("from_s", begin, f"at least {ends[direction]:g}, where the last one ends")
    if end <= begin:
        raise table.wrong("to_s", end, f"more than from_s ({begin:g})")
    fault = Fault(direction, begin, end, **read(table, _FAULT))
    if fault == Fault(direction, begin, end):
        raise TestbedError(
            f"{table.file}: {table.path}: nothing happens: expected one of {', '.join(_FAULT)}"
        )
    return fault


def _ms(default: float | None) -> Reader:
    return number(default, unit="ms", above=0, at_most=100_000)


def _packets(default: int | None, least: int = 1) -> Reader:
    return number(default, unit="packets", at_least=least, at_most=1_000_000, whole=True)


def _quantum(default: int | None) -> Reader:
    return number(default, unit="bytes", at_least=256, at_most=1 << 20, whole=True)


_CODEL: dict[str, Reader] = {
    "target_ms": _ms(None),
    "interval_ms": _ms(100.0),
    "limit_packets": _packets(1000),
    "ecn": Table.flag,
    "ce_threshold_ms": _ms(None),
}
_PIE: dict[str, Reader] = {
    "target_ms": _ms(20.0),
    "tupdate_ms": _ms(30.0),
    "limit_packets": _packets(1000),
    "ecn": Table.flag,
}
_FQ_CODEL: dict[str, Reader] = {
    "target_ms": _ms(13.0),
    "interval_ms": _ms(100.0),
    "limit_packets": _packets(10240),
    "quantum_bytes": _quantum(1514),
    "ecn": lambda table, key: table.flag(key, True),
    "ce_threshold_ms": _ms(None),
}
_SFQ = {
    "perturb_s": number(None, unit="s", at_least=1, at_most=3600, whole=True),
    "quantum_bytes": _quantum(None),
}
_LIMIT = {
    "bytes": number(
        None, unit="bytes", at_least=SMALLEST_QUEUE_BYTES, at_most=2**31 - 1, whole=True
    ),
    "ms": _ms(None),
}
_SFQ_LIMIT = {**_LIMIT, "packets": _packets(None, 2)}


def _limit(table: Table, readers: dict[str, Reader]) -> dict[str, Any]:
    """The one key that bounds the queue."""
    limits = read(table, readers)
    given = [name for name in ("ms", "bytes", "packets") if limits.get(name) is not None]
    if len(given) > 1:
        raise TestbedError(
            f"{table.file}: {table.path}: {' and '.join(given)} given: expected one of them"
        )
    return limits if given else {**limits, "ms": 300.0}


_QUEUES: dict[str, Callable[[Table], Queue]] = {
    "droptail": lambda table: DropTail(**_limit(table, _LIMIT)),
    "pfifo_head_drop": lambda table: HeadDrop(_packets(1000)(table, "packets")),
    "codel": lambda table: Codel(**read(table, _CODEL)),
    "pie": lambda table: Pie(**read(table, _PIE)),
    "sfq": lambda table: Sfq(**_limit(table, _SFQ_LIMIT), **read(table, _SFQ)),
    "fq_codel": lambda table: FqCodel(**read(table, _FQ_CODEL)),
}
_BURST = number(
    SMALLEST_BURST_BYTES,
    unit="bytes",
    at_least=SMALLEST_BURST_BYTES,
    at_most=10_000_000,
    whole=True,
)


def _rate(
    table: Table, duration: float, directory: Path | None
) -> tuple[RateSchedule, LinkTrace | None]:
    """The rate of a bottleneck, and the trace that it comes from."""
    expected = 'kbit/s like 1000, a schedule like 0:1000,40:2500, or { trace = "FILE" }'
    given = table.raw("rate_kbps", expected=expected)
    if isinstance(given, dict):
        return _traced(table.table("rate_kbps"), duration, directory)
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        raise table.wrong("rate_kbps", given, expected)
    return _checked(table, "rate_kbps", given, lambda: parse_schedule(str(given))), None


def _shaper(
    table: Table,
    duration: float,
    directory: Path | None,
    recorded: tuple[RateSchedule, LinkTrace] | None = None,
) -> Shaper:
    if recorded is not None and table.has("rate_kbps"):
        raise TestbedError(
            f"{table.file}: {table.where('rate_kbps')} and link.recording given, which has a rate: "
            "expected one of them"
        )
    rate, trace = recorded or _rate(table, duration, directory)
    queue: Queue = DropTail()
    if table.has("queue"):
        inner = table.table("queue")
        kind = inner.one_of("kind", tuple(_QUEUES), "droptail")
        queue = _QUEUES[kind](inner)
        inner.finish()
    burst = _BURST(table, "burst_bytes")
    if trace is not None and burst > SMALLEST_BURST_BYTES:
        raise table.wrong(
            "burst_bytes",
            burst,
            f"{SMALLEST_BURST_BYTES} with a trace, each change of whose rate fills the bucket",
        )
    table.finish()
    return Shaper(rate, queue, trace, burst)


def _checked(table: Table, key: str, given: Any, reading: Callable[[], _Read]) -> _Read:  # noqa: ANN401
    """The result of `reading`; its errors name the key."""
    try:
        return reading()
    except TestbedError as problem:
        shown = table.wrong(key, given, "")
        raise TestbedError(f"{str(shown).removesuffix('expected ')}{problem}") from None


def _traced(
    table: Table, duration: float, directory: Path | None
) -> tuple[RateSchedule, LinkTrace]:
    """The rate of a link that a trace drives; that of a finished call from its record."""
    file = table.text("trace")
    if directory is None:
        steps = (part.split(":") for part in table.text("schedule").split(","))
        rate = RateSchedule(tuple(RateStep(float(at), float(kbps)) for at, kbps in steps))
        mean = table.number("mean_kbps", unit="kbit/s", above=0)
        passes = table.number(
            "change_passes_bytes", LinkTrace.change_passes_bytes, unit="bytes", at_least=0
        )
        trace = LinkTrace(file, mean, int(passes), table.text("stops", ""))
    else:
        path = (directory / file).absolute()
        rate, trace = _checked(table, "trace", file, lambda: link_trace.driven(path, duration))
    table.finish()
    return rate, trace


def link_data(link: Link) -> dict[str, Any]:
    """The link as TOML tables, the inverse of `read_link`."""
    shapers = {"forward": link.forward, "backward": link.backward}
    return {
        **{key: value for key in _LINK if (value := getattr(link, key)) is not None},
        **({"fault": [vars(fault) for fault in link.faults]} if link.faults else {}),
        **_conditions_data(link.conditions),
        **{name: _shaper_data(shaper) for name, shaper in shapers.items() if shaper},
    }


def _shaper_data(shaper: Shaper) -> dict[str, Any]:
    rate, queue = _rate_data(shaper), shaper.queue
    given = {key: value for key, value in vars(queue).items() if value is not None}
    return {
        "rate_kbps": rate,
        "burst_bytes": shaper.burst_bytes,
        "queue": {"kind": queue.kind, **given},
    }


def _rate_data(shaper: Shaper) -> str | dict[str, Any]:
    """A trace with the rates that came of it: the file may change or go."""
    if shaper.trace is None:
        return str(shaper.rate)
    trace = shaper.trace
    schedule = ",".join(f"{step.at_s}:{step.kbps}" for step in shaper.rate.steps)
    return {
        "trace": trace.file,
        "mean_kbps": trace.mean_kbps,
        "change_passes_bytes": trace.change_passes_bytes,
        **({"stops": trace.stops} if trace.stops else {}),
        "schedule": schedule,
    }
