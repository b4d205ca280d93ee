"""Drawn calls in the simulators of the unit tests: a hundred in some seconds.

    build/venv/bin/python testbed/tools/judge.py [NAME...] [--build DIR]... [--profile NAME]...
    build/venv/bin/python testbed/tools/judge.py --series ordinary --seed 3 --calls 100

A help for development: a result is published only once the testbed confirms it. The calls are those
of `gcc-testbed paths` and `ordinary`, by their names, or the first ones of a seed. Each build makes
them with each profile, by its program tests/judge/judge. The table has means with their standard
errors, and the difference of the points from those of the first one in the same calls. --csv writes
all measures.

The encoder follows its target exactly, and retransmission costs no rate. With FQ-CoDel all flows
that are active have the same share. Calls with anything else that the simulators lack are left out,
and counted.
"""

from __future__ import annotations

import argparse
import csv
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from gcc_testbed.measure import recorded
from gcc_testbed.scenario.flows import AnyFlow, EncoderModel, GccFlow, TcpFlow
from gcc_testbed.scenario.link import Codel, DropTail, Fault, FqCodel, Link, coarse_target_ms
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.studies.drawn.calls import Drawn, name_of
from gcc_testbed.studies.drawn.mean import cell, mean
from gcc_testbed.studies.drawn.points import points, terms
from gcc_testbed.studies.ordinary.series import SERIES as ORDINARY
from gcc_testbed.studies.paths import calls as paths
from gcc_testbed.studies.paths import folder
from gcc_testbed.studies.paths.seen import Seen
from gcc_testbed.studies.scorecard.measures import MEASURES
from gcc_testbed.support.errors import TestbedError

ROOT = Path(__file__).parents[2]
PROGRAM = Path("tests/judge/judge")
PROFILE = "recommended"
LETTERS = {"paths": paths.LETTER, "ordinary": ORDINARY.letter}
# The groups of the table, by the words of the distributions.
BESIDE = {"nobody": "nobody", "web": "web", "tcp": "tcp", "call": "call", "calls": "call"}
HEADER = (
    "| | beside | calls | use | frame delay p50 ms | p95 ms | frozen % | incomplete % | lost % "
    "| false back-off % | points | beside the first |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
)
# Columns of the table, and their digits.
SHOWN = {
    "use": 3,
    "delay_p50_ms": 0,
    "delay_p95_ms": 0,
    "frozen_percent": 2,
    "incomplete_percent": 2,
    "lost_percent": 2,
    "false_back_off_percent": 1,
    "points": 1,
}

Measures = dict[str, float | None]


class Lacking(Exception):
    """The simulators have no such thing."""


@dataclass(frozen=True)
class Contender:
    """The library of a build, with a profile and a feedback."""

    build: Path
    profile: str
    remb: bool

    @property
    def title(self) -> str:
        return f"{self.build.name} {self.profile}{' REMB' if self.remb else ''}"

    def judge(self, text: str) -> dict[str, Measures]:
        """The measures of each described call, by its name."""
        program = self.build / PROGRAM
        words = [str(program), "--profile", self.profile, *(["--remb"] if self.remb else [])]
        try:
            done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise TestbedError(f"{program}: not built: ninja -C {self.build} {PROGRAM}") from None
        if done.returncode != 0:
            raise TestbedError(f"{program}: {done.stderr.strip()}")
        rows = csv.DictReader(done.stdout.splitlines())
        return {
            row["call"]: {key: _number(row[key]) for key in row if key != "call"} for row in rows
        }


def _number(text: str) -> float | None:
    value = float(text)
    return None if math.isnan(value) else value


# ---- the description of a call ----


def describe(call: Drawn) -> str:
    """A call as the program reads it; Lacking if the simulators cannot make it."""
    scenario = call.scenario()
    lines = [
        f"call {call.name}",
        f"seed {call.seed}",
        f"duration_s {scenario.duration_s:g}",
        f"measure_from_s {scenario.measure_from_s:g}",
        *_link(scenario.link, scenario.duration_s),
        *_media(scenario.flows[0]),
        *(line for flow in scenario.flows[1:] for line in _beside(flow, scenario)),
        *_web(scenario.flows[1:]),
        "end",
    ]
    return "\n".join(lines) + "\n"


def _link(link: Link, duration_s: float) -> Iterator[str]:
    if link.backward is not None:
        raise Lacking("a shaped way back")
    if link.arrival_noise_ms:
        raise Lacking("a busy receiver")
    yield f"one_way_delay_ms {link.one_way_delay_ms:g}"
    yield f"jitter_ms {link.jitter_ms:g}"
    yield f"tick_ms {link.arrival_tick_ms:g}"
    yield f"loss_percent {link.loss_percent:g}"
    yield f"bucket_bytes {link.forward.burst_bytes}"
    yield from _queue(link)
    yield from _way_back(link.faults, duration_s)
    yield from _rows(link)


def _queue(link: Link) -> Iterator[str]:
    queue, first_kbps = link.forward.queue, link.forward.rate.steps[0].kbps
    kbps = link.forward.queue_kbps(first_kbps)
    if isinstance(queue, Codel):
        target_ms = coarse_target_ms(kbps) if queue.target_ms is None else queue.target_ms
        yield f"codel {target_ms:g}"
    elif isinstance(queue, FqCodel):
        yield f"fq_codel {queue.target_ms:g}"
    elif not isinstance(queue, DropTail):
        raise Lacking(f"a queue {queue.kind}")
    elif queue.bytes is None and link.forward.trace is None:
        # It follows the rate.
        yield f"queue_ms {queue.ms:g}"
        return
    yield f"queue_bytes {queue.limit_bytes(kbps)}"


def _way_back(faults: Sequence[Fault], duration_s: float) -> Iterator[str]:
    for fault in faults:
        if fault.direction == "forward":
            continue
        if fault.delay_ms or (fault.from_s, fault.to_s) != (0, duration_s):
            raise Lacking("faults of the way back")
        yield f"feedback_loss_percent {fault.loss_percent:g}"


def _rows(link: Link) -> Iterator[str]:
    """The path over time: as recorded, and with the faults of the way there."""
    columns = (recorded.taken(link), recorded.delayed(link), recorded.lost(link))
    faults = [fault for fault in link.faults if fault.direction == "forward"]
    edges = [at for fault in faults for at in (fault.from_s, fault.to_s)]
    times = np.unique(np.concatenate([*(column.at_s for column in columns), edges]))
    kbps, late_ms, percent = (column.at(times) for column in columns)
    for fault in faults:
        inside = (times >= fault.from_s) & (times < fault.to_s)
        late_ms = late_ms + inside * fault.delay_ms
        percent = np.where(inside & (fault.loss_percent > 0), fault.loss_percent, percent)
    for row in zip(times, kbps, late_ms, percent, strict=True):
        yield "row {:.9g} {:.7g} {:g} {:g}".format(*row)


def _media(flow: AnyFlow) -> Iterator[str]:
    if not isinstance(flow, GccFlow) or flow.source != "model":
        raise Lacking("a real encoder")
    if flow.model not in (EncoderModel(), EncoderModel(key_frame_bytes=flow.model.key_frame_bytes)):
        raise Lacking("an encoder that does otherwise than told")
    if "fec" in flow.protection:
        raise Lacking("FEC")
    if "rtx" in flow.protection:
        yield "rtx"
    yield f"min_kbps {flow.min_kbps}"
    yield f"start_kbps {flow.start_kbps}"
    yield f"max_kbps {flow.max_kbps}"
    yield f"frame_rate {flow.frame_rate or 30}"


def _beside(flow: AnyFlow, scenario: Scenario) -> Iterator[str]:
    """A flow that is there for a time; transfers have their own line."""
    since_s, until_s = flow.active(0.0, scenario.duration_s)
    if flow.direction != "forward":
        raise Lacking("an upload")
    if isinstance(flow, GccFlow):
        yield f"second_call {since_s:g} {until_s:g} {flow.extra_one_way_delay_ms:g}"
    elif not isinstance(flow, TcpFlow):
        raise Lacking(f"{flow.kind} beside")
    elif flow.congestion != "cubic":
        raise Lacking(f"{flow.congestion} beside")
    elif flow.transfers is None:
        yield f"tcp {since_s:g} {until_s:g}"


def _web(flows: Sequence[AnyFlow]) -> Iterator[str]:
    """All connections, which do the same."""
    web = [flow.transfers for flow in flows if isinstance(flow, TcpFlow) and flow.transfers]
    if web:
        each = web[0]
        yield f"web {len(web)} {each.bytes_min} {each.bytes_max} {each.idle_mean_s:g}"


# ---- points and the table ----


def points_of(call: Drawn, found: Mapping[str, float | None]) -> float:
    """As the study has them that the call belongs to."""
    use, frozen = found["use"], found["frozen_percent"] or 0.0
    if call.name.startswith(paths.LETTER):
        used = None if use is None else min(1.0, use)
        frozen_s = 60 * frozen / 100
        return Seen(used, found["delay_p95_ms"], frozen_s, found["incomplete_percent"]).points
    values = {
        **dict.fromkeys(MEASURES),
        "utilisation": found["utilisation"],
        "loss_percent": found["lost_percent"],
        "frame_delay_p95_ms": found["delay_p95_ms"],
        "incomplete_percent": found["incomplete_percent"],
        "frozen_percent": found["frozen_percent"],
        "share": found["share"],
        "jain": found["jain"] if call.kinds["beside"] == "calls" else None,
    }
    return points(values, terms(call.scenario()))


@dataclass(frozen=True)
class Judged:
    """The calls that a contender has made: their measures, with the points, by name."""

    contender: Contender
    measures: dict[str, Measures]

    def column(self, key: str, names: Sequence[str]) -> list[float]:
        found = (self.measures[name][key] for name in names)
        return [value for value in found if value is not None]

    def gains(self, first: Judged, names: Sequence[str]) -> list[float]:
        """The difference of the points in each call."""
        pairs = zip(self.column("points", names), first.column("points", names), strict=True)
        return [own - its for own, its in pairs]


def judged(contender: Contender, calls: Sequence[Drawn], text: str) -> Judged:
    measures = contender.judge(text)
    for call in calls:
        measures[call.name]["points"] = points_of(call, measures[call.name])
    return Judged(contender, measures)


def table(every: Sequence[Judged], calls: Sequence[Drawn]) -> list[str]:
    """A line for each contender, of all calls and by the flows beside it."""
    groups: dict[str, list[str]] = {"all": [call.name for call in calls]}
    for word in dict.fromkeys(BESIDE.values()):
        names = [call.name for call in calls if BESIDE.get(call.kinds["beside"]) == word]
        if names:
            groups[word] = names
    lines = [_line(each, every[0], word, names) for word, names in groups.items() for each in every]
    return [*HEADER, *lines]


def _line(own: Judged, first: Judged, word: str, names: Sequence[str]) -> str:
    means = [cell(mean(own.column(key, names)), digits) for key, digits in SHOWN.items()]
    gain = cell(mean(own.gains(first, names)), 2, "+")
    return f"| {own.contender.title} | {word} | {len(names)} | {' | '.join(means)} | {gain} |"


def write_csv(every: Sequence[Judged], calls: Sequence[Drawn], file: Path) -> None:
    """A line for each call of each contender."""
    keys = list(next(iter(every[0].measures.values())))
    with file.open("w", newline="") as content:
        lines = csv.writer(content, lineterminator="\n")
        lines.writerow(["call", "contender", "beside", *keys])
        for own, call in product(every, calls):
            numbers = (own.measures[call.name][key] for key in keys)
            shown = ["" if number is None else f"{number:.6g}" for number in numbers]
            lines.writerow([call.name, own.contender.title, call.kinds["beside"], *shown])


# ---- the command ----


def drawn(names: Sequence[str], recordings: Path) -> list[Drawn]:
    """The calls of names of both series."""
    source = paths.load(recordings) if any(n.startswith(paths.LETTER) for n in names) else None
    return [
        ORDINARY.drawn([name])[0]
        if source is None or name.startswith(ORDINARY.letter)
        else paths.drawn(name, source)
        for name in names
    ]


def described(calls: Sequence[Drawn]) -> tuple[dict[str, str], Counter[str]]:
    """The descriptions by name, and what the other calls have that the simulators lack."""
    found: dict[str, str] = {}
    lacking: Counter[str] = Counter()
    for call in calls:
        try:
            found[call.name] = describe(call)
        except Lacking as problem:
            lacking[str(problem)] += 1
    return found, lacking


def main(words: Sequence[str] | None = None) -> None:
    options = _options(words)
    names = options.names or [
        name_of(options.seed, number, LETTERS[options.series])
        for number in range(1, options.calls + 1)
    ]
    calls = drawn(names, options.recordings)
    texts, lacking = described(calls)
    calls = [call for call in calls if call.name in texts]
    if lacking:
        total = sum(lacking.values())
        reasons = ", ".join(f"{count} {reason}" for reason, count in lacking.most_common())
        print(f"{total} of {len(names)} calls are left out: {reasons}.\n")
    if not calls:
        raise TestbedError("no call is left")
    contenders = [
        Contender(build, profile, options.remb)
        for build, profile in product(options.build, options.profile)
    ]
    every = [judged(contender, calls, "".join(texts.values())) for contender in contenders]
    print("\n".join(table(every, calls)))
    if options.csv:
        write_csv(every, calls, options.csv)


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="calls, like p3-017 and o3-017")
    add("--series", choices=LETTERS, default="paths", help="without names: of which (%(default)s)")
    add("--seed", type=int, default=1)
    add("--calls", type=int, default=100, help="without names: how many (%(default)s)")
    add("--recordings", type=Path, default=folder.RECORDINGS, metavar="DIR")
    add("--build", type=Path, action="append", metavar="DIR", help="several are compared (build)")
    add("--profile", action="append", metavar="NAME", help=f"several are compared ({PROFILE})")
    add("--remb", action="store_true", help="over REMB")
    add("--csv", type=Path, metavar="FILE", help="all measures of all calls")
    options = parser.parse_args(words)
    options.build = options.build or [ROOT / "build"]
    options.profile = options.profile or [PROFILE]
    return options


if __name__ == "__main__":
    try:
        main()
    except TestbedError as problem:
        sys.exit(f"error: {problem}")
