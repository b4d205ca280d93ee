"""The link of a scenario, from and to the tables of its TOML file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from gcc_testbed.scenario import link_trace, recording
from gcc_testbed.scenario.keys import Branches, Entries, Kinds, Table, number, of_type, text
from gcc_testbed.scenario.link import (
    QUEUES,
    SMALLEST_BURST_BYTES,
    Condition,
    DropTail,
    Fault,
    Link,
    LinkTrace,
    PathSettings,
    Queue,
    RateSchedule,
    RateStep,
    Sfq,
    Shaper,
    parse_schedule,
)
from gcc_testbed.scenario.loss_bursts import bursts, with_bursts
from gcc_testbed.scenario.stops import WIDE, Stops, stopped
from gcc_testbed.scenario.tables import Place
from gcc_testbed.support.errors import TestbedError

_Read = TypeVar("_Read")
_SETTINGS = tuple(each.name for each in fields(PathSettings))


@dataclass(frozen=True)
class Traced:
    """The rate of a link that a trace drives."""

    trace: Annotated[str, text()]


@dataclass(frozen=True, kw_only=True)
class TracedBefore(Traced):
    """The same as the record of a finished call has it: the file may change or go."""

    mean_kbps: Annotated[float, number("kbit/s", above=0)]
    schedule: Annotated[str, text()]
    change_passes_bytes: Annotated[int, number("bytes", at_least=0, whole=True)] = (
        LinkTrace.change_passes_bytes
    )
    stops: Annotated[str, text()] = ""

    def link_trace(self) -> tuple[RateSchedule, LinkTrace]:
        steps = (part.split(":") for part in self.schedule.split(","))
        rate = RateSchedule(tuple(RateStep(float(at), float(kbps)) for at, kbps in steps))
        return rate, LinkTrace(self.trace, self.mean_kbps, self.change_passes_bytes, self.stops)


@dataclass(frozen=True)
class RecordedBefore:
    """The effect of a recording in the record of a finished call: `seconds:ms:percent`, ..."""

    conditions: Annotated[str, text()]

    def all(self) -> tuple[Condition, ...]:
        parts = (part.split(":") for part in self.conditions.split(","))
        return tuple(Condition(float(at), float(late), float(lost)) for at, late, lost in parts)


_RATE_EXPECTED = 'kbit/s like 1000, a schedule like 0:1000,40:2500, or { trace = "FILE" }'
_RATE = Branches(
    _RATE_EXPECTED,
    (
        (
            lambda given: isinstance(given, dict) and "schedule" in given,
            Annotated[TracedBefore, Table(hidden=True)],
        ),
        (lambda given: isinstance(given, dict), Annotated[Traced, Table()]),
        (lambda given: isinstance(given, str), Annotated[str, text(_RATE_EXPECTED)]),
        (
            lambda given: isinstance(given, int | float) and not isinstance(given, bool),
            Annotated[float, of_type(float, _RATE_EXPECTED)],
        ),
    ),
)
_RECORDING_EXPECTED = "a file, or a list of some"
_RECORDING = Branches(
    _RECORDING_EXPECTED,
    (
        (
            lambda given: isinstance(given, dict) and "conditions" in given,
            Annotated[RecordedBefore, Table(hidden=True)],
        ),
        (lambda given: isinstance(given, str), Annotated[str, text()]),
        (
            lambda given: (
                isinstance(given, list)
                and bool(given)
                and all(isinstance(name, str) for name in given)
            ),
            list[str],
        ),
    ),
)


@dataclass(frozen=True)
class ShaperTable:
    """A bottleneck as the file has it."""

    # None: that of the recording.
    rate_kbps: Annotated[Any, _RATE] = None
    queue: Annotated[Queue, Kinds(QUEUES, "droptail")] = field(default_factory=DropTail)
    burst_bytes: Annotated[
        int, number("bytes", at_least=SMALLEST_BURST_BYTES, at_most=10_000_000, whole=True)
    ] = SMALLEST_BURST_BYTES


@dataclass(frozen=True)
class FaultTable(Fault):
    """A fault as the file has it: of the whole call, unless it says when."""

    from_s: Annotated[float, number("seconds", at_least=0)] = 0.0
    to_s: Annotated[float, number("seconds")] | None = None  # type: ignore[assignment]


@dataclass(frozen=True)
class StopsTable(Stops):
    """Stops as the file has them."""

    # Compared with ms.
    every_ms: Annotated[Any, of_type(Any, "ms")] = None


@dataclass(frozen=True, kw_only=True)
class LinkTable(PathSettings):
    """The table `link`."""

    # None: that of the recording.
    forward: Annotated[ShaperTable, Table("a table with rate_kbps")] | None = None
    backward: Annotated[ShaperTable, Table()] | None = None
    recording: Annotated[Any, _RECORDING] = None
    stops: Annotated[StopsTable, Table()] | None = None
    fault: Annotated[
        tuple[Annotated[FaultTable, Table()], ...], Entries("[[link.fault]] tables")
    ] = ()


def completed(
    table: LinkTable,
    data: dict[str, Any],
    place: Place,
    duration: float,
    seed: int,
    directory: Path | None,
) -> Link:
    """The link of a call of `duration` seconds, from the table as read from `data`."""
    recorded = _recorded(table.recording, data, place, duration, directory)
    forward = _forward(table, data, place, recorded, duration, directory)
    backward = None
    if table.backward is not None:
        inner = place.at("backward")
        backward = _shaper(table.backward, data["backward"], inner, duration, directory)
    if table.stops is not None:
        stops = _stops(table.stops, place.at("stops"))
        ways = (forward, backward or WIDE)
        forward, backward = _checked(
            place, "stops", str(stops), lambda: [stopped(way, stops, duration) for way in ways]
        )
    faults = _faults(table.fault, place, duration)
    conditions = recorded.conditions
    if table.loss_burst_ms is not None and directory is not None:
        if not table.loss_percent:
            raise place.wrong("loss_burst_ms", table.loss_burst_ms, "loss_percent with it")
        lost = bursts(table.loss_percent, table.loss_burst_ms, duration, seed)
        conditions = with_bursts(conditions, lost)
    settings = {key: getattr(table, key) for key in _SETTINGS}
    return Link(forward, backward, faults=faults, conditions=conditions, **settings)


def _stops(table: StopsTable, place: Place) -> Stops:
    expected = f"ms, more than {table.ms:g} and at most 120000"
    every = table.every_ms
    if every is None:
        raise place.missing("every_ms", expected)
    is_number = isinstance(every, int | float) and not isinstance(every, bool)
    if not is_number or not table.ms < every <= 120_000:
        raise place.wrong("every_ms", every, expected)
    return Stops(table.ms, float(every))


def _recorded(
    given: Any,  # noqa: ANN401
    data: dict[str, Any],
    place: Place,
    duration: float,
    directory: Path | None,  # noqa: ANN401
) -> recording.Driven:
    """The settings that the recording of a link gives; those of a finished call from its record."""
    if given is None:
        return recording.Driven(None, ())
    if isinstance(given, RecordedBefore) == (directory is not None):
        raise place.wrong("recording", data["recording"], _RECORDING_EXPECTED)
    if isinstance(given, RecordedBefore):
        return recording.Driven(None, given.all())
    assert directory is not None
    names = given if isinstance(given, list) else [given]
    files = [(directory / name).absolute() for name in names]
    return _checked(place, "recording", given, lambda: recording.driven(files, duration))


def _forward(  # noqa: PLR0913
    table: LinkTable,
    data: dict[str, Any],
    place: Place,
    recorded: recording.Driven,
    duration: float,
    directory: Path | None,
) -> Shaper:
    """The bottleneck from a to b, whose rate is that of the recording if it has one."""
    if table.forward is None:
        if recorded.rate is None:
            raise place.missing("forward", "a table with rate_kbps")
        return Shaper(recorded.rate[0], trace=recorded.rate[1])
    inner = place.at("forward")
    return _shaper(table.forward, data["forward"], inner, duration, directory, recorded.rate)


def _shaper(  # noqa: PLR0913
    table: ShaperTable,
    data: dict[str, Any],
    place: Place,
    duration: float,
    directory: Path | None,
    recorded: tuple[RateSchedule, LinkTrace] | None = None,
) -> Shaper:
    if recorded is not None and table.rate_kbps is not None:
        raise TestbedError(
            f"{place.file}: {place.where('rate_kbps')} and link.recording given, which has a rate: "
            "expected one of them"
        )
    rate, trace = recorded or _rate(table.rate_kbps, data, place, duration, directory)
    burst = table.burst_bytes
    if trace is not None and burst > SMALLEST_BURST_BYTES:
        raise place.wrong(
            "burst_bytes",
            burst,
            f"{SMALLEST_BURST_BYTES} with a trace, each change of whose rate fills the bucket",
        )
    return Shaper(rate, _queue(table.queue, data.get("queue", {}), place), trace, burst)


def _rate(
    given: Any,  # noqa: ANN401
    data: dict[str, Any],
    place: Place,
    duration: float,
    directory: Path | None,  # noqa: ANN401
) -> tuple[RateSchedule, LinkTrace | None]:
    """The rate of a bottleneck, and the trace that it comes from."""
    if given is None:
        raise place.missing("rate_kbps", _RATE_EXPECTED)
    if isinstance(given, Traced):
        if isinstance(given, TracedBefore) == (directory is not None):
            raise place.wrong("rate_kbps", data["rate_kbps"], _RATE_EXPECTED)
        if isinstance(given, TracedBefore):
            return given.link_trace()
        assert directory is not None
        path = (directory / given.trace).absolute()
        inner = place.at("rate_kbps")
        return _checked(inner, "trace", given.trace, lambda: link_trace.driven(path, duration))
    shown = data["rate_kbps"]
    return _checked(place, "rate_kbps", shown, lambda: parse_schedule(str(shown))), None


def _queue(queue: Queue, data: dict[str, Any], place: Place) -> Queue:
    """The queue, with the one key that bounds it."""
    given = [name for name in ("ms", "bytes", "packets") if name in data]
    if len(given) > 1:
        raise TestbedError(
            f"{place.file}: {place.where('queue')}: {' and '.join(given)} given: expected one of "
            "them"
        )
    if isinstance(queue, DropTail | Sfq) and given and given != ["ms"]:
        return replace(queue, ms=None)
    return queue


def _faults(tables: tuple[FaultTable, ...], place: Place, duration: float) -> tuple[Fault, ...]:
    """The `[[link.fault]]` tables, each after those before it of its direction."""
    ends: dict[str, float] = {}
    faults: list[Fault] = []
    for number_of, table in enumerate(tables):
        fault = _fault(table, place.at(f"fault[{number_of}]"), ends, duration)
        ends[fault.direction] = fault.to_s
        faults.append(fault)
    return tuple(faults)


def _fault(table: FaultTable, place: Place, ends: dict[str, float], duration: float) -> Fault:
    begin, end = table.from_s, duration if table.to_s is None else table.to_s
    if end > duration:
        raise place.wrong("to_s", end, f"seconds, at most {duration:.10g}")
    last = ends.get(table.direction, 0.0)
    if begin < last:
        raise place.wrong("from_s", begin, f"at least {last:g}, where the last one ends")
    if end <= begin:
        raise place.wrong("to_s", end, f"more than from_s ({begin:g})")
    fault = Fault(**{**vars(table), "to_s": end})
    if fault == Fault(table.direction, begin, end):
        happens = ", ".join(each.name for each in fields(Fault)[3:])
        raise TestbedError(
            f"{place.file}: {place.path}: nothing happens: expected one of {happens}"
        )
    return fault


def _checked(place: Place, key: str, given: Any, reading: Callable[[], _Read]) -> _Read:  # noqa: ANN401
    """The result of `reading`; its errors name the key."""
    try:
        return reading()
    except TestbedError as problem:
        shown = place.wrong(key, given, "")
        raise TestbedError(f"{str(shown).removesuffix('expected ')}{problem}") from None


def _conditions_data(conditions: tuple[Condition, ...]) -> dict[str, Any]:
    """As the file may change or go: `seconds:ms:percent`, and so on."""
    if not conditions:
        return {}
    parts = (f"{each.at_s}:{each.delay_ms}:{each.loss_percent}" for each in conditions)
    return {"recording": {"conditions": ",".join(parts)}}


def link_data(link: Link) -> dict[str, Any]:
    """The link as TOML tables, the inverse of `read_link`."""
    shapers = {"forward": link.forward, "backward": link.backward}
    return {
        **{key: value for key in _SETTINGS if (value := getattr(link, key)) is not None},
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
