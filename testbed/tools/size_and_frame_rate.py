"""Fixed sizes beside gccscale: a table and the picture of docs/how-to/size-and-frame-rate.md.

    build/venv/bin/python testbed/tools/size_and_frame_rate.py DIRECTORY [--draw]

Makes the calls of testbed/data/sweeps/size-and-frame-rate.toml into DIRECTORY, those that are
missing there, one at a time. Half an hour. With --draw it makes none: a call that is missing has a
dash in the table, and no point.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import MultipleLocator
from page_table import replace_rows

from gcc_testbed.report.style import FLOWS, STYLE
from gcc_testbed.studies.sweeps import results, runner, sweep_file
from gcc_testbed.studies.sweeps.results import Gathered
from gcc_testbed.support.processes import interruptible
from gcc_testbed.support.progress import Progress

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/how-to/size-and-frame-rate.md"
PICTURE = ROOT / "docs/images/size-and-frame-rate.png"
SWEEP = ROOT / "testbed/data/sweeps/size-and-frame-rate.toml"
HEADER = "| link, kbit/s |"

OURS = "gccscale"
RATE = "link.forward.rate_kbps"
# Of the contenders, in their order in the sweep: the fixed sizes, from the largest, and ours.
COLOURS = (FLOWS[4], FLOWS[3], FLOWS[2], FLOWS[0])
# Names of lines that end side by side are so far apart, as a part of the panel's height.
APART = 0.07
# The panel goes on by this factor of the rate where the names are.
NAME_ROOM = 3.2


@dataclass(frozen=True)
class Shown:
    """The pictures of one call; without any of them there is no SSIM."""

    frozen_percent: float
    frame_rate: float
    ssim: float | None

    def __str__(self) -> str:
        ssim = "none" if self.ssim is None else f"{self.ssim:.3f}"
        return f"{self.frozen_percent:.0f} %, {self.frame_rate:.1f}, {ssim}"


# By contender, and by the rate of the link in kbit/s.
Study = dict[str, dict[int, Shown]]


def study(gathered: Gathered) -> Study:
    """The calls of the sweep that have been made."""
    found: Study = {}
    for run, metrics in zip(gathered.plan.runs, gathered.metrics, strict=True):
        calls = found.setdefault(run.point.split("+")[0], {})
        if metrics is not None:
            video = metrics["flows"][0]["video"]
            calls[run.keys[RATE]] = _shown(video, run.settings["duration_s"])
    return found


def _shown(video: dict[str, Any], duration_s: float) -> Shown:
    frozen = 100 * video["freeze_s"] / duration_s
    return Shown(frozen, video["frame_rate"], video["ssim_y"]["mean"])


def rows(found: Study) -> list[str]:
    """A row for each link, a cell for each contender."""
    return [
        f"| {rate} | {' | '.join(str(calls.get(rate, '-')) for calls in found.values())} |"
        for rate in _rates(found)
    ]


def _rates(found: Study) -> list[int]:
    return sorted({rate for calls in found.values() for rate in calls})


def draw(found: Study, file: Path) -> None:
    """Two panels over the rate of the link: the frozen part of each call, and its SSIM."""
    with plt.rc_context({**STYLE, "font.size": 11}):
        figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
        left.set_title("Frozen part of the call (lower is better)", fontsize=12, loc="left")
        right.set_title("SSIM of the pictures shown (higher is better)", fontsize=12, loc="left")
        left.yaxis.set_major_formatter("{x:.0f} %")
        right.yaxis.set_major_locator(MultipleLocator(0.05))
        _lines(left, found, lambda shown: shown.frozen_percent, named_at=0)
        _lines(right, found, lambda shown: shown.ssim, named_at=-1)
        figure.savefig(file, dpi=110, metadata={"Software": None})
        plt.close(figure)


def _lines(
    axis: Axes, found: Study, measure: Callable[[Shown], float | None], named_at: int
) -> None:
    """A line for each contender, with its name at one end."""
    ends: dict[str, float] = {}
    for (contender, calls), colour in zip(found.items(), COLOURS, strict=True):
        points = [
            (rate, value) for rate, one in calls.items() if (value := measure(one)) is not None
        ]
        if not points:
            continue
        width, size = (3, 7) if contender == OURS else (1.6, 5)
        axis.plot(*zip(*points, strict=True), "o-", lw=width, ms=size, color=colour)
        ends[contender] = points[named_at][1]
    _make_logarithmic(axis, _rates(found), named_at)
    _name(axis, ends, named_at)


def _make_logarithmic(axis: Axes, rates: list[int], named_at: int) -> None:
    """With a tick at each rate, and room for names at one end."""
    axis.set_xscale("log")
    axis.set_xticks(rates, [str(rate) for rate in rates])
    axis.minorticks_off()
    axis.tick_params(axis="x", labelsize=8.5)
    axis.set_xlabel("rate of the link, kbit/s")
    room = (NAME_ROOM, 1.15) if named_at == 0 else (1.15, NAME_ROOM)
    axis.set_xlim(rates[0] / room[0], rates[-1] * room[1])


def _name(axis: Axes, ends: dict[str, float], named_at: int) -> None:
    """Names beside the ends of lines, from below, each clear of the one before it."""
    low, high = axis.get_ylim()
    apart = APART * (high - low)
    at, colours = low - apart, dict(zip(ends, COLOURS, strict=True))
    ticks = axis.get_xticks()
    axis.set_ylim(low, high + apart)
    # Of lines that end in one point the first is on top.
    names = list(ends)
    for contender in sorted(names, key=lambda name: (ends[name], -names.index(name))):
        at = max(ends[contender], at + apart)
        axis.annotate(
            contender, (ticks[named_at], at), xytext=(8 if named_at else -8, 0),
            textcoords="offset points", ha="left" if named_at else "right", va="center",
            color=colours[contender], fontweight="bold" if contender == OURS else "normal",
        )  # fmt: skip


def main() -> None:
    interruptible()
    directory = Path(sys.argv[1])
    plan = replace(sweep_file.load(SWEEP), plots=False)
    if "--draw" not in sys.argv:
        runner.make(plan, plan.runs, directory, 1, [], Progress(quiet=False))
    found = study(results.gather(plan, directory))
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(replace_rows(page, HEADER, rows(found)), encoding="utf-8")
    draw(found, PICTURE)


if __name__ == "__main__":
    main()
