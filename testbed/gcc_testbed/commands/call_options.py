"""The options of one call: from the command line to a Scenario. Standard library only."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from gcc_testbed.scenario.flows import (
    DEFAULT_PROFILE,
    ECN_MODES,
    FEEDBACKS,
    NAMED_SEQUENCES,
    PROFILES,
    REMB_PROFILES,
    SOURCES,
    GccFlow,
    default_feedback,
    present_profile,
)
from gcc_testbed.scenario.link import (
    SMALLEST_QUEUE_BYTES,
    DropTail,
    Link,
    Shaper,
    parse_schedule,
)
from gcc_testbed.scenario.scenario import WORLDS, Scenario
from gcc_testbed.support.errors import TestbedError


def add_options(parser: argparse.ArgumentParser) -> None:
    """All options of `call`, as text; `scenario_from` checks them."""
    link = parser.add_argument_group("link (forward direction, a to b)")
    link.add_argument(
        "--rate",
        default="1000",
        metavar="KBPS|SCHEDULE",
        help="capacity in kbit/s of IP bytes, or a schedule of seconds:kbit/s such as "
        "0:1000,40:2500,60:600 (default: 1000)",
    )
    link.add_argument(
        "--rtt", default="50", metavar="MS", help="round-trip time without queues (default: 50)"
    )
    queue = link.add_mutually_exclusive_group()
    queue.add_argument(
        "--queue-ms",
        metavar="MS",
        help="length of the drop-tail queue in ms at the current rate (default: 300)",
    )
    queue.add_argument(
        "--queue-bytes", metavar="BYTES", help="length of the drop-tail queue in bytes"
    )

    media = parser.add_argument_group("media and control")
    media.add_argument(
        "--sequence",
        default="foreman",
        metavar="foreman|fourpeople|FILE",
        help="video to send, looped: a named test sequence or any file that ffmpeg reads "
        "(default: foreman)",
    )
    media.add_argument(
        "--source",
        default="vp8",
        metavar="|".join(SOURCES),
        help="vp8: encode the sequence; model: the traffic model of RFC 8593 in its place, without "
        "video but much faster (default: vp8)",
    )
    media.add_argument(
        "--profile",
        default=DEFAULT_PROFILE,
        help=f"generation of the algorithm: {', '.join(PROFILES)} (default: {DEFAULT_PROFILE})",
    )
    media.add_argument(
        "--feedback",
        metavar="|".join(FEEDBACKS),
        help="what tells the sender of the path: transport-cc: transport-wide feedback; ccfb: "
        "reports of RFC 8888; remb: the receiver's estimate; auto: transport-cc as if both ends "
        "had negotiated it (default: auto; "
        f"remb with the older profiles, {', '.join(REMB_PROFILES)})",
    )
    media.add_argument(
        "--ecn",
        default="off",
        metavar="|".join(ECN_MODES),
        help="ect1: send with ECT(1), and follow CE marks, over feedback ccfb (default: off)",
    )
    for name, default in (("min", 50), ("start", 300), ("max", 2000)):
        media.add_argument(
            f"--{name}-bitrate",
            default=str(default),
            metavar="KBPS",
            help=f"{name} bitrate in kbit/s (default: {default})",
        )

    run = parser.add_argument_group("run")
    run.add_argument(
        "--duration", default="60", metavar="S", help="length of the call in seconds (default: 60)"
    )
    run.add_argument(
        "--measure-from",
        default="20",
        metavar="S",
        help="start of the measured interval in seconds (default: 20)",
    )
    run.add_argument(
        "--world",
        default="virtual",
        metavar="|".join(WORLDS),
        help="virtual: a kernel of its own in virtual time, no root needed; namespace: this "
        "machine's kernel in real time, needs netem (default: virtual)",
    )
    run.add_argument(
        "--seed",
        default="1",
        metavar="N",
        help="seed of all random numbers; the same seed gives the same packets (default: 1)",
    )
    run.add_argument(
        "--out",
        default="call-out",
        metavar="DIR",
        help="directory for the results; an earlier call's is replaced (default: ./call-out)",
    )
    run.add_argument("--quiet", action="store_true", help="no progress, only the summary")


def scenario_from(options: argparse.Namespace) -> Scenario:
    """The scenario that the options describe, or a TestbedError that names the wrong option."""
    duration = _number("--duration", options.duration, "seconds", above=0, at_most=86400)
    measure_from = _number("--measure-from", options.measure_from, "seconds", at_least=0)
    if measure_from >= duration:
        raise TestbedError(
            f"--measure-from {options.measure_from}: expected less than --duration ({duration:g} s)"
        )
    try:
        rate = parse_schedule(options.rate)
    except TestbedError as problem:
        raise TestbedError(f"--rate {options.rate}: {problem}") from None
    rtt = _number("--rtt", options.rtt, "ms", at_least=0, at_most=10000)
    flow = _flow_from(options)
    world = _one_of("--world", options.world, WORLDS)
    seed = _integer("--seed", options.seed, "a whole number", 0, 2**32 - 1)
    return Scenario(
        link=Link(Shaper(rate, _queue_from(options)), one_way_delay_ms=rtt / 2),
        flows=(flow,),
        duration_s=duration,
        measure_from_s=measure_from,
        seed=seed,
        world=world,
    )


def _queue_from(options: argparse.Namespace) -> DropTail:
    if options.queue_bytes is not None:
        limit = _integer(
            "--queue-bytes", options.queue_bytes, "bytes", SMALLEST_QUEUE_BYTES, 2**31 - 1
        )
        return DropTail(ms=None, bytes=limit)
    if options.queue_ms is not None:
        return DropTail(ms=_number("--queue-ms", options.queue_ms, "ms", above=0, at_most=100_000))
    return DropTail()


def _flow_from(options: argparse.Namespace) -> GccFlow:
    limits = [
        _integer(f"--{name}-bitrate", getattr(options, f"{name}_bitrate"), "kbit/s", 1, 1_000_000)
        for name in ("min", "start", "max")
    ]
    if limits != sorted(limits):
        raise TestbedError(
            "--min-bitrate {} --start-bitrate {} --max-bitrate {}: expected min <= start <= max "
            "(kbit/s)".format(*limits)
        )
    sequence = options.sequence
    if sequence not in NAMED_SEQUENCES and not Path(sequence).is_file():
        raise TestbedError(
            f"--sequence {sequence}: no such file; expected {', '.join(NAMED_SEQUENCES)} or a "
            "video file"
        )
    profile = _one_of("--profile", present_profile(options.profile), PROFILES)
    feedback = default_feedback(profile) if options.feedback is None else options.feedback
    return GccFlow(
        source=_one_of("--source", options.source, SOURCES),
        sequence=sequence,
        profile=profile,
        feedback=_one_of("--feedback", feedback, FEEDBACKS),
        ecn=_one_of("--ecn", options.ecn, ECN_MODES),
        min_kbps=limits[0],
        start_kbps=limits[1],
        max_kbps=limits[2],
    )


def _one_of(option: str, text: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise TestbedError(f"{option} {text}: expected one of {', '.join(known)}")
    return text


def _number(
    option: str,
    text: str,
    unit: str,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
) -> float:
    bounds = [
        f"{relation} {bound:g}"
        for relation, bound in (("at least", at_least), ("more than", above), ("at most", at_most))
        if bound is not None
    ]
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if (
        not math.isfinite(value)
        or (at_least is not None and value < at_least)
        or (above is not None and value <= above)
        or (at_most is not None and value > at_most)
    ):
        raise TestbedError(f"{option} {text}: expected {unit}, {' and '.join(bounds)}")
    return value


def _integer(option: str, text: str, unit: str, lowest: int, highest: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = lowest - 1
    if not lowest <= value <= highest:
        raise TestbedError(f"{option} {text}: expected {unit}, from {lowest} to {highest}")
    return value
