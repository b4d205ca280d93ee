"""The page: a line for each fault and kind of feedback, from the results there are."""

from __future__ import annotations

from collections.abc import Iterable

from gcc_testbed.studies.faults.outcome import RECOVERED, WINDOW_S, Outcome
from gcc_testbed.studies.faults.plan import MODES, Fault
from gcc_testbed.support import commits

Outcomes = dict[tuple[str, str], Outcome]

_HEAD = (
    "| fault | feedback | R before | A_s least, after | R during | R at the end | "
    "RTT most | recovered after | lost by the network | media packets lost by us |"
)
_HOW = f"""
Rates in kbit/s. *Recovered*: the time from the end of the fault after which A_s over {WINDOW_S:g} s
stays at least {100 * RECOVERED:.0f} % of what it was in the six seconds before the fault; **not**
within the call is in bold. *Lost by us*: gaps in the sequence numbers of what left
the sender, in every SSRC. A_s least: from the fault on, and how long after its beginning.
*RTT most*: in ms, the longest round trip from the end of the fault to the end of the call.
The link is 1 Mbit/s, RTT 50 ms, drop tail of 300 ms; unless the fault needs an encoder, the traffic
model of RFC 8593 sends. One call of each, seed 1: a second more or less says nothing.
`testbed/data/faults` has the faults, `gcc_testbed/studies/faults` the measures.
""".strip()

_LONG = """
`tests/unit/compose/test-long-calls.c` makes calls with the library alone, in its own time: an
hour over each kind of feedback whenever the unit tests run, in which neither memory nor rate may
drift. `GCC_HOURS=24 build/tests/unit/test-long-calls --verbose` makes a day in 16 s; the numbers of
packets wrap 159 times in it. A day in the testbed takes three and a half hours, and CI makes none:

```
gcc-testbed run testbed/data/faults/call.toml \\
  --set duration_s=86400 --set "flow[0].feedback=transport-cc"
```
""".strip()

_TEN_CALLS = """
`tests/ten-calls.sh` makes ten calls in one process, in virtual time: each with an rtpbin that
sends, a session that receives, and a link of 100 kbit/s of its own; five over transport-wide
feedback and five over REMB. It fails when a rate, the memory, threads or files change, when a
critical or a warning comes, or when a packet is missing that left. Three minutes of it are part
of CI; an hour takes 9 minutes of a processor.
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
        "\n".join([_HEAD, "|---" * 10 + "|", *_lines(faults, outcomes)]),
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
        _line(fault, mode, outcomes[fault.name, mode])
        for fault in faults
        for mode in MODES
        if (fault.name, mode) in outcomes
    ]


def _line(fault: Fault, mode: str, outcome: Outcome) -> str:
    least = "–"
    if outcome.least_target_kbps is not None and outcome.least_after_s is not None:
        least = f"{outcome.least_target_kbps:.0f}, {outcome.least_after_s:.1f} s"
    recovered = "–"
    if outcome.before_kbps is not None:
        back = outcome.recovered_s
        recovered = "**not**" if back is None else f"{back:.1f} s"
    lost = str(outcome.lost_by_us)
    if outcome.repeated_by_us:
        lost += f" ({outcome.repeated_by_us} sent twice)"
    cells = (
        fault.title,
        mode,
        _rate(outcome.before_kbps),
        least,
        _rate(outcome.during_kbps),
        _rate(outcome.end_kbps),
        _rate(outcome.rtt_after_ms),
        recovered,
        f"{outcome.network_loss_percent:.1f} %",
        lost,
    )
    return f"| {' | '.join(cells)} |"


def _memory(faults: tuple[Fault, ...], outcomes: Outcomes) -> list[str]:
    """A sentence for each call that is long enough to tell."""
    return [
        f"Memory, {fault.title} ({mode}): both ends together "
        f"{outcome.memory_growth_kb:+d} kB from the second minute to the last."
        for fault in faults
        for mode in MODES
        if (outcome := outcomes.get((fault.name, mode))) is not None
        and outcome.memory_growth_kb is not None
    ]


def _rate(kbps: float | None) -> str:
    return "–" if kbps is None else f"{kbps:.0f}"
