"""Scenarios from and to TOML. Standard library only; each error is one line."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from gcc_testbed.scenario import link_trace
from gcc_testbed.scenario.flows import (
    CONGESTION_CONTROLS,
    DEFAULT_PROFILE,
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
    VideoFlow,
    default_feedback,
    present_profile,
)
from gcc_testbed.scenario.link import (
    DIRECTIONS,
    MOST_EXTRA_DELAYS,
    MOST_KBPS,
    SMALLEST_BURST_BYTES,
    SMALLEST_QUEUE_BYTES,
    Codel,
    DropTail,
    Fault,
    FqCodel,
    Link,
    LinkTrace,
    Pie,
    Queue,
    RateSchedule,
    RateStep,
    Sfq,
    Shaper,
)
from gcc_testbed.scenario.scenario import WORLDS, Scenario
from gcc_testbed.scenario.table import Table
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import DATA

SHIPPED = DATA / "scenarios"
_Read = TypeVar("_Read")

FLOW_KINDS = ("gcc", "rtpgccbwe", "tcp", "udp-cbr", "launch")
QUEUE_KINDS = ("droptail", "codel", "pie", "sfq", "fq_codel")
MOST_FLOWS = 400


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
    if any(not math.isfinite(number) for step in steps for number in (step.at_s, step.kbps)):
        raise TestbedError(expected)
    for step in steps:
        if not 1 <= step.kbps <= MOST_KBPS:
            raise TestbedError(f"a rate is 1 to {MOST_KBPS} kbit/s, not {step.kbps:g}")
    return RateSchedule(tuple(steps))


def find(wanted: str) -> Path:
    """A file, or the name of a scenario that comes with the testbed."""
    file = Path(wanted)
    if not file.exists() and file.name == wanted:
        for name in (wanted, f"{wanted}.toml"):
            if (SHIPPED / name).is_file():
                return SHIPPED / name
    return file


def shipped() -> list[tuple[str, str]]:
    """(name, title) of every scenario that comes with the testbed."""
    return [(file.stem, load(file).title) for file in sorted(SHIPPED.glob("*.toml"))]


def load(file: Path, changes: tuple[str, ...] = ()) -> Scenario:
    """The scenario in a TOML file, with `KEY=VALUE` changes applied."""
    try:
        data = tomllib.loads(file.read_text())
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "it is not text"
        raise TestbedError(
            f"{file}: {reason}; expected a scenario file (TOML), or a name from `list`"
        ) from None
    except tomllib.TOMLDecodeError as problem:
        raise TestbedError(f"{file}: not TOML: {problem}") from None
    for change in changes:
        apply_change(data, change)
    return from_data(data, str(file), file.parent)


def apply_change(data: dict[str, Any], change: str) -> None:
    """`link.forward.rate_kbps=2000`, `flow[0].profile=rmcat-2016`; the value is TOML or text."""
    key, equals, text = change.partition("=")
    steps = key.replace("[", ".").replace("]", "").split(".")
    if not equals or not all(steps):
        raise TestbedError(f"--set {change}: expected KEY=VALUE like link.forward.rate_kbps=2000")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    node: Any = data
    for step in steps[:-1]:
        node = _within(node, step, change, {})
    last = steps[-1]
    if isinstance(node, list):
        _within(node, last, change, None)
        node[int(last)] = value
    elif isinstance(node, dict):
        node[last] = value
    else:
        raise TestbedError(f"--set {change}: {'.'.join(steps[:-1])} is not a table")


def _within(node: Any, step: str, change: str, default: Any) -> Any:  # noqa: ANN401
    if isinstance(node, list):
        if not step.isdigit() or int(step) >= len(node):
            raise TestbedError(
                f"--set {change}: there is no [{step}]; expected a number from 0 to {len(node) - 1}"
            )
        return node[int(step)]
    if not isinstance(node, dict):
        raise TestbedError(f"--set {change}: {step} is not within a table")
    return node.setdefault(step, default)


def from_data(data: dict[str, Any], file: str, directory: Path | None) -> Scenario:
    """A scenario from the tables of a TOML file; paths in it are relative to `directory`.

    Without a directory they are taken as they are, and need not exist.
    """
    top = Table(data, "", file)
    title = top.text("title")
    duration = top.number("duration_s", unit="seconds", above=0, at_most=86400)
    measure_from = top.number("measure_from_s", 0.0, unit="seconds", at_least=0)
    if measure_from >= duration:
        raise top.wrong("measure_from_s", measure_from, f"less than duration_s ({duration:g})")
    seed = top.number("seed", 1, unit="a whole number", at_least=0, at_most=2**32 - 1, whole=True)
    world = top.one_of("world", WORLDS, "virtual")
    source = top.text("source", "")
    quality = top.flag("quality")
    link = _link(top.table("link", "a table with [link.forward]"), duration, directory)
    entries = top.raw("flow", expected="at least one [[flow]]")
    if not isinstance(entries, list) or not entries:
        raise top.wrong("flow", entries, "at least one [[flow]]")
    flows: list[AnyFlow] = []
    for number, entry in enumerate(entries):
        table = Table(entry, f"flow[{number}]", file)
        flows += _flows(table, duration, directory, flows)
        table.finish()
    lengths = {flow.extra_one_way_delay_ms for flow in flows} - {0.0}
    if len(lengths) > MOST_EXTRA_DELAYS:
        raise TestbedError(
            f"{file}: flow: {len(lengths)} different extra_one_way_delay_ms: expected at most "
            f"{MOST_EXTRA_DELAYS}"
        )
    if len(flows) > MOST_FLOWS:
        raise TestbedError(f"{file}: flow: {len(flows)} flows: expected at most {MOST_FLOWS}")
    top.finish()
    if quality and any(isinstance(flow, VideoFlow) and flow.pause for flow in flows):
        raise top.wrong("quality", quality, "false with a flow that pauses")
    if quality and any(isinstance(flow, GccFlow) and flow.converts for flow in flows):
        raise top.wrong("quality", quality, "false with a flow of another frame rate or resolution")
    if quality and any(isinstance(flow, GccFlow) and "fec" in flow.protection for flow in flows):
        # Downstream of the FEC decoder a frame that lacks a packet looks complete.
        raise top.wrong("quality", quality, 'false with a flow of protection "fec"')
    names = [flow.name for flow in flows]
    for name in names:
        if names.count(name) > 1:
            raise TestbedError(f"{file}: flow: two flows are called {name}: expected one of each")
    scenario = Scenario(
        link=link,
        flows=tuple(flows),
        duration_s=duration,
        measure_from_s=measure_from,
        seed=seed,
        world=world,
        title=title,
        source=source,
        quality=quality,
    )
    if quality and scenario.has_model():
        raise top.wrong("quality", quality, 'false with a flow of source "model": it has no video')
    return scenario


def _link(table: Table, duration: float, directory: Path | None) -> Link:
    delay = table.number("one_way_delay_ms", 25.0, unit="ms", at_least=0, at_most=5000)
    jitter = table.number("jitter_ms", 0.0, unit="ms", at_least=0, at_most=1000)
    loss = table.number("loss_percent", 0.0, unit="percent", at_least=0, at_most=99)
    noise = table.number("arrival_noise_ms", 0.0, unit="ms", at_least=0, at_most=1000)
    tick = table.number("arrival_tick_ms", 0.0, unit="ms", at_least=0, at_most=1000)
    forward = _shaper(table.table("forward", "a table with rate_kbps"), duration, directory)
    backward = None
    if table.has("backward"):
        backward = _shaper(table.table("backward"), duration, directory)
    faults = _faults(table, duration)
    table.finish()
    return Link(forward, backward, delay, jitter, loss, noise, tick, faults)


def _faults(table: Table, duration: float) -> tuple[Fault, ...]:
    """The `[[link.fault]]` tables."""
    entries = table.raw("fault", [])
    if not isinstance(entries, list):
        raise table.wrong("fault", entries, "[[link.fault]] tables")
    ends = dict.fromkeys(DIRECTIONS, 0.0)
    faults: list[Fault] = []
    for number, entry in enumerate(entries):
        inner = Table(entry, table.where(f"fault[{number}]"), table.file)
        fault = _fault(inner, ends, duration)
        inner.finish()
        ends[fault.direction] = fault.to_s
        faults.append(fault)
    return tuple(faults)


def _fault(table: Table, ends: dict[str, float], duration: float) -> Fault:
    direction = table.one_of("direction", DIRECTIONS)
    begin = table.number("from_s", 0.0, unit="seconds", at_least=0)
    end = table.number("to_s", duration, unit="seconds", at_most=duration)
    if begin < ends[direction]:
        raise table.wrong("from_s", begin, f"at least {ends[direction]:g}, where the last one ends")
    if end <= begin:
        raise table.wrong("to_s", end, f"more than from_s ({begin:g})")

    def percent(name: str) -> float:
        return float(table.number(name, 0.0, unit="percent", at_least=0, at_most=100))

    fault = Fault(
        direction,
        begin,
        end,
        loss_percent=percent("loss_percent"),
        delay_ms=table.number("delay_ms", 0.0, unit="ms", at_least=0, at_most=60_000),
        reorder_percent=percent("reorder_percent"),
        duplicate_percent=percent("duplicate_percent"),
    )
    if fault == Fault(direction, begin, end):
        raise TestbedError(
            f"{table.file}: {table.path}: nothing happens: expected one of loss_percent, delay_ms, "
            "reorder_percent, duplicate_percent"
        )
    return fault


def _shaper(table: Table, duration: float, directory: Path | None) -> Shaper:
    expected = 'kbit/s like 1000, a schedule like 0:1000,40:2500, or { trace = "FILE" }'
    given = table.raw("rate_kbps", expected=expected)
    trace: LinkTrace | None = None
    if isinstance(given, dict):
        rate, trace = _traced(table.table("rate_kbps"), duration, directory)
    elif isinstance(given, bool) or not isinstance(given, str | int | float):
        raise table.wrong("rate_kbps", given, expected)
    else:
        rate = _checked(table, "rate_kbps", given, lambda: parse_schedule(str(given)))
    queue: Queue = DropTail()
    if table.has("queue"):
        inner = table.table("queue")
        queue = _queue(inner)
        inner.finish()
    burst = table.number(
        "burst_bytes",
        SMALLEST_BURST_BYTES,
        unit="bytes",
        at_least=SMALLEST_BURST_BYTES,
        at_most=10_000_000,
        whole=True,
    )
    table.finish()
    return Shaper(rate, queue, trace, burst)


def _checked(table: Table, key: str, given: Any, read: Callable[[], _Read]) -> _Read:  # noqa: ANN401
    """What `read` returns; its errors name the key."""
    try:
        return read()
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
        trace = LinkTrace(file, table.number("mean_kbps", unit="kbit/s", above=0))
    else:
        path = (directory / file).absolute()
        rate, trace = _checked(table, "trace", file, lambda: link_trace.driven(path, duration))
    table.finish()
    return rate, trace


def _queue(table: Table) -> Queue:
    kind = table.one_of("kind", QUEUE_KINDS, "droptail")

    def ms(key: str, default: float | None, at_most: float = 100_000) -> Any:  # noqa: ANN401
        return table.number(key, default, unit="ms", above=0, at_most=at_most)

    def packets(default: int | None, key: str = "limit_packets", least: int = 1) -> Any:  # noqa: ANN401
        return table.number(
            key, default, unit="packets", at_least=least, at_most=1_000_000, whole=True
        )

    def quantum(default: int | None) -> Any:  # noqa: ANN401
        return table.number(
            "quantum_bytes", default, unit="bytes", at_least=256, at_most=1 << 20, whole=True
        )

    if kind == "codel":
        return Codel(ms("target_ms", None), ms("interval_ms", 100.0), packets(1000))
    if kind == "pie":
        return Pie(ms("target_ms", 20.0), ms("tupdate_ms", 30.0), packets(1000))
    if kind == "fq_codel":
        return FqCodel(
            ms("target_ms", 13.0), ms("interval_ms", 100.0), packets(10240), quantum(1514)
        )
    limit = table.number(
        "bytes", None, unit="bytes", at_least=SMALLEST_QUEUE_BYTES, at_most=2**31 - 1, whole=True
    )
    limits = {"ms": ms("ms", None), "bytes": limit}
    if kind == "sfq":
        limits["packets"] = packets(None, "packets", 2)
    given = [name for name, value in limits.items() if value is not None]
    if len(given) > 1:
        raise TestbedError(
            f"{table.file}: {table.path}: {' and '.join(given)} given: expected one of them"
        )
    if not given:
        limits["ms"] = 300.0
    if kind == "droptail":
        return DropTail(**limits)
    perturb = table.number("perturb_s", None, unit="s", at_least=1, at_most=3600, whole=True)
    return Sfq(**limits, quantum_bytes=quantum(None), perturb_s=perturb)


def _flows(
    table: Table, duration: float, directory: Path | None, before: list[AnyFlow]
) -> list[AnyFlow]:
    """One entry of the file: a flow, or `count` of them."""
    kind = table.one_of("kind", FLOW_KINDS)
    count = 1
    if kind == "tcp":
        count = table.number(
            "count", 1, unit="connections", at_least=1, at_most=MOST_FLOWS, whole=True
        )
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
        "direction": table.one_of("direction", DIRECTIONS, "forward"),
        "start_s": start,
        "stop_s": None if stop is None or stop >= duration else stop,
        "extra_one_way_delay_ms": table.number(
            "extra_one_way_delay_ms", 0.0, unit="ms", at_least=0, at_most=5000
        ),
    }
    flow = _KINDS[kind](table, common, directory, stop or duration)
    taken = {flow.name for flow in before}
    named: list[AnyFlow] = []
    for number in range(count):
        if name:
            called = name if count == 1 else f"{name}-{number + 1}"
        else:
            free = (f"{kind}-{n}" for n in range(1, MOST_FLOWS * 2))
            called = next(candidate for candidate in free if candidate not in taken)
        taken.add(called)
        named.append(replace(flow, name=called))
    return named


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


def _gcc(table: Table, common: dict[str, Any], directory: Path | None, end: float) -> GccFlow:
    source = table.one_of("source", SOURCES, "vp8")
    video = _video(table, common, directory, end)
    for key in ("encoder", "pause", "resolution"):
        if source == "model" and video[key]:
            raise table.wrong(key, table.raw(key), 'none with source = "model"')
    profile = present_profile(
        table.one_of("profile", (*PROFILES, *FORMER_PROFILES), DEFAULT_PROFILE)
    )
    return GccFlow(
        **video,
        source=source,
        model=_encoder_model(table, source),
        profile=profile,
        encoder_change_cost_ms=table.number(
            "encoder_change_cost_ms", None, unit="ms", at_least=0, at_most=60_000, whole=True
        ),
        feedback=table.one_of("feedback", FEEDBACKS, default_feedback(profile)),
        probing=table.flag("probing") if table.has("probing") else None,
        overuse_threshold_ms=table.number(
            "overuse_threshold_ms", None, unit="ms", at_least=0, at_most=600
        ),
        report_interval_ms=table.number(
            "report_interval_ms", None, unit="ms", at_least=1, at_most=60_000
        ),
        abs_send_time=table.flag("abs_send_time"),
        protection=_protection(table),
        pacing_factor=table.number(
            "pacing_factor", None, unit="times A_s", at_least=0, at_most=100
        ),
        max_pacing_delay_ms=table.number(
            "max_pacing_delay_ms", None, unit="ms", at_least=1, at_most=10_000, whole=True
        ),
        **_flow_faults(table, video["start_s"], end),
    )


def _encoder_model(table: Table, source: str) -> EncoderModel:
    """The table `model`: an encoder as it is, in place of that of RFC 8593."""
    if not table.has("model"):
        return EncoderModel()
    if source != "model":
        raise table.wrong("model", table.raw("model"), 'none without source = "model"')
    inner = table.table("model")
    model = EncoderModel(
        rate_factor=inner.number(
            "rate_factor", None, unit="times the target", at_least=0.1, at_most=10
        ),
        late_ms=inner.number("late_ms", None, unit="ms", at_least=0, at_most=60_000, whole=True),
        key_frame_bytes=inner.number(
            "key_frame_bytes", None, unit="bytes", at_least=1, at_most=10_000_000, whole=True
        ),
        key_frame_every_s=inner.number(
            "key_frame_every_s", None, unit="seconds", at_least=0.1, at_most=3600
        ),
        key_frame_at_change=(
            inner.flag("key_frame_at_change") if inner.has("key_frame_at_change") else None
        ),
    )
    inner.finish()
    return model


def _flow_faults(table: Table, start: float, end: float) -> dict[str, Any]:
    """What happens to the ends of a flow."""

    def first(name: str, bits: int) -> Any:  # noqa: ANN401
        most = 2**bits - 1
        return table.number(name, None, unit="a whole number", at_least=0, at_most=most, whole=True)

    found: dict[str, Any] = {
        "clock_skew_ppm": table.number(
            "clock_skew_ppm", 0.0, unit="ppm", at_least=-10_000, at_most=10_000
        ),
        "device_clock_ppm": table.number(
            "device_clock_ppm", None, unit="ppm", at_least=-10_000, at_most=10_000
        ),
        "wall_clock_steps": _steps(table),
        **{key: _times(table, key, start, end) for key in _FLOW_TIMES},
        **{key: _intervals(table, key, start, end) for key in _FLOW_INTERVALS},
        "first_sequence_number": first("first_sequence_number", 16),
        "first_timestamp": first("first_timestamp", 32),
    }
    if table.has("pause") and found["sender_restarts_s"]:
        raise table.wrong("sender_restarts_s", table.raw("sender_restarts_s"), "none with pause")
    if len(found["clock_losses_s"]) > 1:
        raise table.wrong("clock_losses_s", table.raw("clock_losses_s"), "one time at most")
    return found


_FLOW_TIMES = (
    "ssrc_changes_s",
    "sender_restarts_s",
    "receiver_restarts_s",
    "clock_losses_s",
    "clock_changes_s",
)
_FLOW_INTERVALS = ("clock_stops", "notify_blocks", "message_blocks", "probe_blocks")


def _times(table: Table, key: str, start: float, end: float) -> tuple[float, ...]:
    given = table.raw(key, [])
    last = start
    for at in given if isinstance(given, list | tuple) else [None]:
        if isinstance(at, bool) or not isinstance(at, int | float) or not last < at < end:
            expected = "[at, ...] in seconds of the call, in order, while the flow is active"
            raise table.wrong(key, given, expected)
        last = at
    return tuple(map(float, given))


def _steps(table: Table) -> tuple[tuple[float, float], ...]:
    given = table.raw("wall_clock_steps", [])
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
            raise table.wrong("wall_clock_steps", given, expected)
        last = step[0]
    return tuple((float(at), float(by)) for at, by in given)


def _rtpgccbwe(
    table: Table, common: dict[str, Any], directory: Path | None, end: float
) -> RtpGccBweFlow:
    return RtpGccBweFlow(
        **_video(table, common, directory, end),
        estimator=table.one_of("estimator", ESTIMATORS, ESTIMATORS[0]),
    )


def _video(
    table: Table, common: dict[str, Any], directory: Path | None, end: float
) -> dict[str, Any]:
    """The keys that every flow of encoded video has."""
    limits = [
        table.number(f"{name}_kbps", default, unit="kbit/s", at_least=1, at_most=1e6, whole=True)
        for name, default in (("min", 50), ("start", 300), ("max", 2000))
    ]
    if limits != sorted(limits):
        raise TestbedError(
            f"{table.file}: {table.path}: min_kbps {limits[0]}, start_kbps {limits[1]}, "
            f"max_kbps {limits[2]}: expected min <= start <= max"
        )
    return {
        **common,
        "name": "",
        "sequence": _sequence(table, directory),
        "frame_rate": table.number(
            "frame_rate", None, unit="frames per second", at_least=1, at_most=240, whole=True
        ),
        "resolution": _resolution(table),
        "min_kbps": limits[0],
        "start_kbps": limits[1],
        "max_kbps": limits[2],
        "encoder": _encoder(table),
        "pause": _intervals(table, "pause", common["start_s"], end),
    }


def _encoder(table: Table) -> tuple[tuple[str, str], ...]:
    if not table.has("encoder"):
        return ()
    settings = table.raw("encoder")
    if not isinstance(settings, dict) or any(
        not isinstance(value, str | int | float) for value in settings.values()
    ):
        raise table.wrong("encoder", settings, 'settings of vp8enc like { "cpu-used" = -6 }')
    return tuple(
        (key, str(value).lower() if isinstance(value, bool) else str(value))
        for key, value in settings.items()
    )


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


def _resolution(table: Table) -> tuple[int, int] | None:
    if not table.has("resolution"):
        return None
    given = table.raw("resolution")
    if (
        not isinstance(given, list)
        or len(given) != 2
        or any(not isinstance(n, int) or not 16 <= n <= 8192 for n in given)
    ):
        raise table.wrong("resolution", given, "[width, height] in pixels")
    return given[0], given[1]


def _protection(table: Table) -> tuple[str, ...]:
    given = table.raw("protection", [])
    if not isinstance(given, list) or any(
        name not in PROTECTIONS or given.count(name) > 1 for name in given
    ):
        raise table.wrong("protection", given, f"a list of {' and '.join(PROTECTIONS)}, each once")
    return tuple(given)


def _tcp(table: Table, common: dict[str, Any], _: Path | None, __: float) -> TcpFlow:
    congestion = table.one_of("congestion", CONGESTION_CONTROLS, "cubic")
    transfers = None
    if table.has("transfers"):
        inner = table.table("transfers")
        low, high = (
            inner.number(key, unit="bytes", at_least=1, at_most=2**31 - 1, whole=True)
            for key in ("bytes_min", "bytes_max")
        )
        if low > high:
            raise inner.wrong("bytes_max", high, f"at least bytes_min ({low})")
        transfers = Transfers(
            low, high, inner.number("idle_mean_s", unit="seconds", at_least=0, at_most=86400)
        )
        inner.finish()
    return TcpFlow(**common, name="", congestion=congestion, transfers=transfers)


def _cbr(table: Table, common: dict[str, Any], _: Path | None, __: float) -> CbrFlow:
    return CbrFlow(
        **common,
        name="",
        rate_kbps=table.number("rate_kbps", unit="kbit/s", above=0, at_most=1e6),
        packet_bytes=table.number(
            "packet_bytes", 1200, unit="bytes", at_least=64, at_most=1500, whole=True
        ),
    )


def _launch(table: Table, common: dict[str, Any], directory: Path | None, _: float) -> LaunchFlow:
    return LaunchFlow(
        **common,
        name="",
        sender=table.text("sender"),
        receiver=table.text("receiver"),
        sequence=_sequence(table, directory),
    )


_KINDS: dict[str, Callable[[Table, dict[str, Any], Path | None, float], AnyFlow]] = {
    "gcc": _gcc,
    "rtpgccbwe": _rtpgccbwe,
    "tcp": _tcp,
    "udp-cbr": _cbr,
    "launch": _launch,
}


def to_data(scenario: Scenario) -> dict[str, Any]:
    """The scenario as TOML tables, the inverse of `from_data`."""
    link = scenario.link
    shapers = {"forward": link.forward, "backward": link.backward}
    return {
        "title": scenario.title,
        "source": scenario.source,
        "duration_s": scenario.duration_s,
        "measure_from_s": scenario.measure_from_s,
        "seed": scenario.seed,
        "world": scenario.world,
        "quality": scenario.quality,
        "link": {
            "one_way_delay_ms": link.one_way_delay_ms,
            "jitter_ms": link.jitter_ms,
            "loss_percent": link.loss_percent,
            "arrival_noise_ms": link.arrival_noise_ms,
            "arrival_tick_ms": link.arrival_tick_ms,
            **({"fault": [vars(fault) for fault in link.faults]} if link.faults else {}),
            **{name: _shaper_data(shaper) for name, shaper in shapers.items() if shaper},
        },
        "flow": [_flow_data(flow) for flow in scenario.flows],
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
    return {"trace": trace.file, "mean_kbps": trace.mean_kbps, "schedule": schedule}


def _flow_data(flow: AnyFlow) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": flow.kind}
    for key, value in vars(flow).items():
        if value is None or value == ():
            continue
        if key == "encoder":
            data[key] = dict(value)
        elif key in ("pause", "wall_clock_steps", *_FLOW_INTERVALS):
            data[key] = [list(part) for part in value]
        elif key in _FLOW_TIMES or key in ("protection", "resolution"):
            data[key] = list(value)
        elif key == "transfers":
            data[key] = vars(value)
        elif key == "model":
            given = {name: one for name, one in vars(value).items() if one is not None}
            data.update({key: given} if given else {})
        else:
            data[key] = value
    return data
