"""The page: a line for each fault, from the results there are."""

from __future__ import annotations

from collections.abc import Iterable

from gcc_testbed.studies.faults.outcome import RECOVERED, WINDOW_S, Outcome
from gcc_testbed.studies.faults.plan import MODES, Fault
from gcc_testbed.support import commits

Outcomes = dict[tuple[str, str], Outcome]

_HEAD = "| fault | A_s least, after s | R during | recovered after s | lost by the network, % |"
_HOW = f"""
A cell has a number of {MODES[0]}, then of {MODES[1]}, or one of both; – is nothing to measure.
Rates are in kbit/s.

* A_s least: from the fault on, and how long after its beginning.
* R during: the rate received while the fault lasts.
* Recovered: the time from the end of the fault after which A_s over {WINDOW_S:g} s stays at least
  {100 * RECOVERED:.0f} % of its value in the six seconds before the fault.
* Lost by us: gaps in the sequence numbers of the packets that left the sender.

The link is 1 Mbit/s, RTT 50 ms, drop tail of 300 ms. The traffic model of RFC 8593 sends, unless
the fault needs an encoder. Each call is one, of seed 1: a second more or less has no meaning.
`testbed/data/faults` has the faults, `gcc_testbed/studies/faults` the measures.

For another clock an application sets the pipeline to PAUSED, then to PLAYING. From GStreamer 1.24
on a live source may stop for good when it does both at once
([troubleshooting](troubleshooting.md), "RTCP feedback has stopped"), so the sender waits between
them there. Without the wait its udpsrc stops with 1.26.2, no feedback arrives any more, and A_s
falls to `min-bitrate`.
""".strip()

_LONG = """
The unit tests make calls of an hour over each kind of feedback with the library alone, in which
neither memory nor rate may drift. `GCC_HOURS=24 build/tests/unit/test-long-calls --verbose` makes a
day in 16 s. A day in the testbed takes three and a half hours:

```
gcc-testbed run testbed/data/faults/call.toml \\
  --set duration_s=86400 --set "flow[0].feedback=transport-cc"
```
""".strip()

_TEN_CALLS = """
`tests/ten-calls.sh` makes ten calls in one process, in virtual time: five over transport-wide
feedback and five over REMB, each with a link of 100 kbit/s of its own. It fails when a rate, the
memory, threads or files change, when a critical or a warning comes, or when a packet is missing
that left. Three minutes of it are part of CI; an hour takes 9 minutes of a processor.
""".strip()


def text(faults: tuple[Fault, ...], outcomes: Outcomes, made_by: Iterable[str]) -> str:
    """The whole page, of calls that these commits made."""
    missing = [
        f"{fault.title} ({mode})"
        for fault in faults
        for mode in MODES
        if (fault.name, mode) not in outcomes
    ]
    made = len(faults) * len(MODES) - len(missing)
    parts = [
        "# Reliability",
        f"**{summary(outcomes)}**",
        f"Written by `gcc-testbed faults` from {made} calls in virtual time, "
        f"{commits.made_by(made_by)}",
        "\n".join([_HEAD, "|---" * 5 + "|", *_lines(faults, outcomes)]),
        *(f"**{problem}.**" for problem in problems(outcomes)),
        *([f"Not run for this page: {', '.join(missing)}."] if missing else []),
        *_memory(faults, outcomes),
        "## A day",
        _LONG,
        "## Ten calls",
        _TEN_CALLS,
        "## How to read it",
        _HOW,
    ]
    return "\n\n".join(parts) + "\n"


def summary(outcomes: Outcomes) -> str:
    """The result in one line."""
    lost = sum(outcome.lost_by_us for outcome in outcomes.values())
    kept = [outcome for outcome in outcomes.values() if outcome.before_kbps is not None]
    back = sum(outcome.recovered_s is not None for outcome in kept)
    return f"{back} of {len(kept)} calls recovered; media packets lost by us: {lost}."


def problems(outcomes: Outcomes) -> list[str]:
    """Faults of the result for which the suite fails."""
    found = []
    for (name, mode), outcome in outcomes.items():
        if outcome.lost_by_us or outcome.repeated_by_us:
            found.append(
                f"{name}, {mode}: {outcome.lost_by_us} packets lost and "
                f"{outcome.repeated_by_us} repeated by us"
            )
        if outcome.before_kbps is not None and outcome.recovered_s is None:
            found.append(f"{name}, {mode}: it did not recover within the call")
    return found


def _lines(faults: tuple[Fault, ...], outcomes: Outcomes) -> list[str]:
    return [
        _line(fault, [outcomes.get((fault.name, mode)) for mode in MODES])
        for fault in faults
        if any((fault.name, mode) in outcomes for mode in MODES)
    ]


def _line(fault: Fault, of_modes: list[Outcome | None]) -> str:
    """Each cell has a number of each mode, or one of both."""
    rows = [["–"] * 4 if outcome is None else _cells(outcome) for outcome in of_modes]
    cells = (", ".join(dict.fromkeys(pair)) for pair in zip(*rows, strict=True))
    return f"| {fault.title} | {' | '.join(cells)} |"


def _cells(outcome: Outcome) -> list[str]:
    least = "–"
    if outcome.least_target_kbps is not None and outcome.least_after_s is not None:
        least = f"{outcome.least_target_kbps:.0f} ({outcome.least_after_s:.1f})"
    recovered = "–"
    if outcome.before_kbps is not None:
        back = outcome.recovered_s
        recovered = "**not**" if back is None else f"{back:.1f}"
    return [
        least,
        _rate(outcome.during_kbps),
        recovered,
        f"{outcome.network_loss_percent:.1f}",
    ]


def _memory(faults: tuple[Fault, ...], outcomes: Outcomes) -> list[str]:
    """Of the calls that are long enough to tell."""
    grown = [
        f"{outcome.memory_growth_kb:+d} kB in {fault.title} ({mode})"
        for fault in faults
        for mode in MODES
        if (outcome := outcomes.get((fault.name, mode))) is not None
        and outcome.memory_growth_kb is not None
    ]
    said = "Memory of both ends together, from the second minute to the last: "
    return [f"{said}{', '.join(grown)}."] if grown else []


def _rate(kbps: float | None) -> str:
    return "–" if kbps is None else f"{kbps:.0f}"
