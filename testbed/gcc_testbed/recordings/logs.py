"""The output of programs that measure a path, as rows of a recording.

Each format is a function from the lines of a file to rows, in order; `read` finds the format by its
first telling line. A line that is wrong is named with its number.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from gcc_testbed.scenario.link import MTU
from gcc_testbed.scenario.recording import Row
from gcc_testbed.support.errors import TestbedError

Rows = list[Row]
# Lines with their numbers, without empty ones.
Lines = list[tuple[int, str]]

# The deliveries of a mahimahi file in this time become one rate.
MAHIMAHI_STEP_S = 0.2
# ping sends so often unless told otherwise.
PING_INTERVAL_S = 1.0


@dataclass(frozen=True)
class Format:
    """A program's output: how it is recognised, and read."""

    name: str
    # Whether a line is one of it.
    tells: Callable[[str], bool]
    read: Callable[[Lines], Rows]


def read(text: str) -> tuple[str, Rows]:
    """The format of a file's text, and its rows."""
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise TestbedError("it is empty")
    if lines[0][1].startswith("{"):
        return "iperf3 --json", _iperf_json(text)
    for form in FORMATS:
        if any(form.tells(line) for _, line in lines[:20]):
            rows = form.read(lines)
            if not rows:
                raise TestbedError(f"{form.name}: it has no measurement")
            return form.name, _from_zero(rows)
    names = ", ".join(["iperf3 --json", *(form.name for form in FORMATS)])
    raise TestbedError(
        f'line {lines[0][0]} is "{lines[0][1][:40]}": expected the output of {names}'
    )


def _from_zero(rows: Rows) -> Rows:
    """Times from the first row on, and delays above the least."""
    begin = rows[0].time_s
    least = min((row.delay_ms for row in rows if row.delay_ms is not None), default=0.0)
    return [
        replace(
            row,
            time_s=round(row.time_s - begin, 6),
            delay_ms=None if row.delay_ms is None else round(row.delay_ms - least, 3),
        )
        for row in rows
    ]


def _wrong(number: int, line: str, expected: str) -> TestbedError:
    return TestbedError(f'line {number} is "{line[:40]}", not {expected}')


# --- iperf3 ---

_UNIT = {"bits": 1e-3, "Kbits": 1.0, "Mbits": 1e3, "Gbits": 1e6}
_IPERF = re.compile(
    r"\[ *(?P<stream>SUM|\d+)\] +(?P<begin>[\d.]+)-(?P<end>[\d.]+) +sec +[\d.]+ [KMGT]?Bytes +"
    r"(?P<rate>[\d.]+) (?P<unit>[KMG]?bits)/sec(?P<rest>.*)"
)
_LOST = re.compile(r"\((?P<percent>[\d.e+-]+)%\)")


def _iperf(lines: Lines) -> Rows:
    """The lines of each interval; of several streams those of their sum."""
    found = [(n, line, match) for n, line in lines if (match := _IPERF.match(line))]
    if any(match["stream"] == "SUM" for _, _, match in found):
        found = [each for each in found if each[2]["stream"] == "SUM"]
    rows: Rows = []
    for number, line, match in found:
        # The summary at the end is of the whole time, and so is what follows.
        if rows and float(match["begin"]) <= rows[-1].time_s:
            break
        if float(match["end"]) <= float(match["begin"]):
            raise _wrong(number, line, "an interval with an end after its begin")
        lost = _LOST.search(match["rest"])
        rows.append(
            Row(
                float(match["begin"]),
                round(float(match["rate"]) * _UNIT[match["unit"]], 3),
                loss_percent=float(lost["percent"]) if lost else None,
            )
        )
    return rows


def _iperf_json(text: str) -> Rows:
    try:
        report = json.loads(text)
    except ValueError as problem:
        raise TestbedError(f"not JSON: {problem}") from None
    except RecursionError:
        raise TestbedError("not a report of iperf3: it is nested too deeply") from None
    rows = []
    try:
        for interval in report["intervals"]:
            rows.append(_iperf_interval(interval["sum"]))
    except (KeyError, TypeError, ValueError):
        raise TestbedError(
            f"not a report of iperf3: intervals[{len(rows)}].sum with start and bits_per_second "
            "is missing"
        ) from None
    if not rows:
        raise TestbedError("iperf3 --json: it has no interval")
    return _from_zero(rows)


def _iperf_interval(measured: dict[str, Any]) -> Row:
    lost = measured.get("lost_percent")
    return Row(
        float(measured["start"]),
        round(float(measured["bits_per_second"]) / 1000, 3),
        loss_percent=None if lost is None else float(lost),
    )


# --- nuttcp ---

_NUTTCP = re.compile(r"[\d.]+ MB / +(?P<length>[\d.]+) sec = +(?P<rate>[\d.]+) Mbps(?P<rest>.*)")
_NUTTCP_LOST = re.compile(r"(?P<lost>[\d.]+) ~?%loss")


def _nuttcp(lines: Lines) -> Rows:
    """Intervals follow each other; the line with TX and RX is the summary."""
    rows, now = [], 0.0
    for _, line in lines:
        match = _NUTTCP.match(line)
        if match is None or "%TX" in match["rest"]:
            continue
        lost = _NUTTCP_LOST.search(match["rest"])
        rows.append(
            Row(
                round(now, 6),
                round(float(match["rate"]) * 1000, 3),
                loss_percent=float(lost["lost"]) if lost else None,
            )
        )
        now += float(match["length"])
    return rows


# --- ping ---

_PING = re.compile(
    r"(?:\[(?P<at>\d+\.\d+)\] )?\d+ bytes from .*icmp_seq=(?P<seq>\d+) .*time=(?P<ms>[\d.]+) ms"
)


def _ping(lines: Lines) -> Rows:
    """Round trips, all of whose variation is in one direction; who does not answer is lost.

    With -D each answer has its time; without, answers are a second apart.
    """
    answers: dict[int, tuple[float | None, float]] = {}
    for _, line in lines:
        match = _PING.match(line)
        if match is None or "DUP!" in line:
            continue
        at = float(match["at"]) if match["at"] else None
        answers[int(match["seq"])] = (at, float(match["ms"]))
    if not answers:
        return []
    first, last = min(answers), max(answers)
    times = {seq: at for seq, (at, _) in answers.items() if at is not None}
    interval, origin = PING_INTERVAL_S, 0.0
    if len(times) > 1:
        interval = (times[max(times)] - times[min(times)]) / (max(times) - min(times))
        origin = times[min(times)]
    rows, late = [], answers[first][1]
    for seq in range(first, last + 1):
        _, late = answers.get(seq, (None, late))
        at = round(origin + (seq - first) * interval, 6)
        rows.append(Row(at, delay_ms=late, loss_percent=0.0 if seq in answers else 100.0))
    return rows


# --- mahimahi ---


def _mahimahi(lines: Lines) -> Rows:
    """A line is a time in ms at which a packet of 1500 bytes can leave."""
    bins: Counter[int] = Counter()
    before = 0
    for number, line in lines:
        if not (line.isascii() and line.isdigit() and len(line) <= 12):
            raise _wrong(number, line, "a time in whole ms")
        if int(line) < before:
            raise _wrong(number, line, "a time after the one before")
        before = int(line)
        bins[int(before / 1000 / MAHIMAHI_STEP_S)] += 1
    packet_kbps = MTU * 8 / 1000 / MAHIMAHI_STEP_S
    return [
        Row(round(step * MAHIMAHI_STEP_S, 3), round(bins[step] * packet_kbps, 3))
        for step in range(max(bins) + 1)
    ]


# --- columns ---


def _columns(lines: Lines) -> Rows:
    """Two columns, seconds and Mbit/s; or four, with the round trip in ms and the part lost."""
    rows: Rows = []
    width = len(_cells(lines[0][1]))
    for number, line in lines:
        cells = _cells(line)
        try:
            values = [float(cell) for cell in cells]
        except ValueError:
            values = []
        if len(values) != width or width not in (2, 4) or not all(0 <= v < 1e9 for v in values):
            raise _wrong(number, line, "seconds and Mbit/s, with round trip in ms and part lost")
        if rows and values[0] <= rows[-1].time_s:
            raise _wrong(number, line, "later than the line before")
        delay, lost = (values[2], 100 * values[3]) if width == 4 else (None, None)
        if lost is not None and lost > 100:
            raise _wrong(number, line, "a part lost of at most 1")
        rows.append(Row(values[0], round(1000 * values[1], 3), delay, lost))
    return rows


def _cells(line: str) -> list[str]:
    return line.replace(",", " ").split()


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?", text) is not None


FORMATS = (
    Format("iperf3", lambda line: _IPERF.match(line) is not None, _iperf),
    Format("nuttcp -i", lambda line: _NUTTCP.match(line) is not None, _nuttcp),
    Format("ping", lambda line: _PING.match(line) is not None, _ping),
    Format("mahimahi", str.isdigit, _mahimahi),
    Format("two or four columns", lambda line: all(map(_is_number, _cells(line))), _columns),
)


def joined(rate: Rows, delay: Rows) -> Rows:
    """One recording of two that were made at the same time, such as iperf3 and ping."""
    length = min(rate[-1].time_s, delay[-1].time_s)
    times = sorted({row.time_s for row in [*rate, *delay] if row.time_s <= length})
    return [_both(at, _at(rate, at), _at(delay, at)) for at in times]


def _both(at: float, one: Row, other: Row) -> Row:
    pairs: Iterator[Any] = (
        getattr(other, name) if getattr(one, name) is None else getattr(one, name)
        for name in ("kbps", "delay_ms", "loss_percent")
    )
    return Row(at, *pairs)


def _at(rows: Rows, at: float) -> Row:
    return rows[bisect_right(rows, at, key=lambda row: row.time_s) - 1]
