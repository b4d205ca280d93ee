"""Measures every profile and writes the table of docs/profiles.md.

    build/venv/bin/python testbed/tools/measure_profiles.py

Eight calls of each profile in virtual time, six of them beside TCP: some 40 minutes on one core.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import fmean
from typing import Any

from page_table import replace_rows

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/profiles.md"
CALLS = (
    (),
    ("--rate", "0:1000,40:2500,60:600", "--duration", "90"),
)
BESIDE_TCP = (
    (),
    ("--set", "flow[1].count=3", "--set", "link.forward.rate_kbps=4000"),
)
# Beside TCP a few packets decide which of two ways a call goes.
SEEDS = (1, 2, 3)
# (begin, end) in s, the rate in kbit/s to which A_s has to rise
FOLLOWS = ((0, 40, 800), (40, 60, 1600))


def profiles() -> list[str]:
    """The default first."""
    table = (ROOT / "gst/gcc/profiles/gcc-profile.c").read_text(encoding="utf-8")
    return [name.replace("_", "-") for name in re.findall(r"&gcc_profile_(\w+),", table)]


def testbed(command: str, *options: str, out: Path) -> dict[str, Any]:
    words = (sys.executable, "-m", "gcc_testbed", command, "--quiet", *options, "--out", str(out))
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    metrics: dict[str, Any] = json.loads((out / "metrics.json").read_text(encoding="utf-8"))
    return metrics


def call(profile: str, options: tuple[str, ...], out: Path) -> dict[str, float]:
    flow = testbed("call", "--profile", profile, *options, out=out)["flows"][0]
    return {
        "U": flow["utilisation"],
        "loss": flow["loss_ratio"],
        "p95": flow["one_way_queueing_ms"]["p95"],
    }


def beside_tcp(profile: str, options: tuple[str, ...], out: Path) -> str:
    """The mean share of the link."""
    calls = [
        testbed(
            *("run", "rfc8867-5.6", "--seed", str(seed)),
            *("--set", f"flow[0].profile={profile}", *options),
            out=out,
        )
        for seed in SEEDS
    ]
    shares = [call["flows"][0]["received_kbps"] / call["capacity_kbps"] for call in calls]
    return f"{fmean(shares):.2f}"


def targets(out: Path) -> list[tuple[float, float]]:
    """(s since the start, A_s in kbit/s) from the sender's trace."""
    with (out / "link.csv").open(encoding="utf-8") as link:
        start = float(next(csv.DictReader(link))["time_s"])
    with (out / "sender.csv").open(encoding="utf-8") as trace:
        return [
            (float(r["time_s"]) - start, int(r["a_s_bps"]) / 1000) for r in csv.DictReader(trace)
        ]


def time_to_follow(out: Path, begin: float, end: float, kbps: float) -> str:
    for time, rate in targets(out):
        if begin <= time < end and rate >= kbps:
            return f"{time - begin:.1f} s"
    return f"not in {end - begin:g} s"


def cells(measured: dict[str, float]) -> str:
    loss = f"{100 * measured['loss']:.2f} %" if measured["loss"] else "0"
    return f"{measured['U']:.3f} | {loss} | {measured['p95']:.0f}"


def main() -> None:
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "call"
        for profile in profiles():
            print(profile, file=sys.stderr)
            row = [cells(call(profile, options, out)) for options in CALLS]
            row += [time_to_follow(out, *follow) for follow in FOLLOWS]
            row += [beside_tcp(profile, options, out) for options in BESIDE_TCP]
            rows.append(f"| {profile} | {' | '.join(row)} |")

    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(replace_rows(page, "| profile | 1: U", rows), encoding="utf-8")


if __name__ == "__main__":
    main()
