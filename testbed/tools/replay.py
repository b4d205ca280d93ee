"""Replays recordings, and compares what the captures say with the files.

    build/venv/bin/python testbed/tools/replay.py [--out OUT] FILE[,FILE]...

Files with a comma between are one path: rates of one, delays of another. Three calls of 60 s are
made of each path, in virtual time, into OUT (default: ./replay-out): a thin flow that shows delay
and loss, a full one that shows the rate, and a video call whose processor time is taken. A call in
OUT is not made again. OUT gets `replay.md`, a table, and `replay.png`, the first three paths.
"""

from __future__ import annotations

import argparse
import json
import resource
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from measure_profiles import testbed

from gcc_testbed.measure.replay import BIN_S, Replayed, read_replay
from gcc_testbed.report.style import COLOUR, STYLE
from gcc_testbed.scenario import recording
from gcc_testbed.scenario.recording import COLUMNS, Row
from gcc_testbed.studies.sweeps.sweep_file import toml

DURATION_S = 60
# Small packets, so that a burst of loss has many.
THIN = {"kind": "udp-cbr", "rate_kbps": 1600, "packet_bytes": 100}
# Its link: a rate at which they never wait.
WIDE_KBPS = 100_000
# A full flow has so many times what the path ever carries.
MORE = 1.3
VIDEO = {"kind": "gcc", "source": "model", "max_kbps": 2500}
SHORT_QUEUE = {"queue": {"bytes": 10_000}}
SHOWN = 3
COLUMNS_SHOWN = (
    *("path", "changes", "rate", "mean rate", "delay", "loss"),
    *("lost of sent", "overtaking", "processor, s"),
)
HEAD = f"| {' | '.join(COLUMNS_SHOWN)} |\n|{'---|' * len(COLUMNS_SHOWN)}\n"


@dataclass(frozen=True)
class Course:
    """A path of some recordings, and the directory of its calls."""

    files: tuple[Path, ...]
    out: Path

    @property
    def name(self) -> str:
        return " with ".join(file.name.partition(".csv")[0] for file in self.files)

    def recordings(self) -> list[tuple[Row, ...]]:
        return [recording.read(file) for file in self.files]

    def make(self) -> None:
        """The three calls."""
        names = [str(file.absolute()) for file in self.files]
        most = max(row.kbps or 0.0 for rows in self.recordings() for row in rows)
        full = {**THIN, "rate_kbps": round(MORE * most), "packet_bytes": 1200}
        late = self._without_rates()
        wide = {"forward": {"rate_kbps": WIDE_KBPS}, **({"recording": late} if late else {})}
        self._call("thin", wide, THIN)
        self._call("full", {"recording": names, "forward": SHORT_QUEUE}, full)
        self._call("video", {"recording": names}, VIDEO)

    def _without_rates(self) -> list[str]:
        """The recordings with delays and losses alone."""
        self.out.mkdir(parents=True, exist_ok=True)
        found = []
        for file, rows in zip(self.files, self.recordings(), strict=True):
            if recording.columns(rows) != ("kbps",):
                found.append(str((self.out / file.name.partition(".csv")[0]).absolute()) + ".csv")
                Path(found[-1]).write_text("\n".join([",".join(COLUMNS), *map(_line, rows), ""]))
        return found

    def _call(self, name: str, link: dict[str, Any], flow: dict[str, Any]) -> None:
        out = self.out / name
        if (out / "processor.json").is_file():
            return
        file = self.out / f"{name}.toml"
        head = {"title": f"{self.name}, {name}", "duration_s": DURATION_S}
        tables = {**head, "link": link, "flow": [flow]}
        file.write_text("".join(f"{key} = {toml(value)}\n" for key, value in tables.items()))
        before = _processor_s()
        testbed("run", str(file), "--no-plots", out=out)
        (out / "processor.json").write_text(f"{_processor_s() - before:.1f}\n")

    def replayed(self) -> Replayed:
        return read_replay(self.recordings(), self.out / "thin", self.out / "full")

    def row(self) -> str:
        """The path's line of the table."""
        found = self.replayed().measure()
        cells = [
            self.name,
            str(self._changes()),
            _number(found.rate, 4),
            _number(found.mean_rate, 3),
            _number(found.delay, 4),
            _number(found.loss, 4),
            f"{found.lost} of {found.sent}",
            str(found.overtaking),
            f"{json.loads((self.out / 'video' / 'processor.json').read_text()):g}",
        ]
        return f"| {' | '.join(cells)} |\n"

    def _changes(self) -> int:
        """How often the link changes in a call."""
        driven = recording.driven(self.files, DURATION_S)
        rates = len(driven.rate[0].steps) - 1 if driven.rate else 0
        return rates + max(0, len(driven.conditions) - 1)


def _line(row: Row) -> str:
    cells = ("" if value is None else f"{value:g}" for value in (row.delay_ms, row.loss_percent))
    return f"{row.time_s:g},,{','.join(cells)}"


def _number(value: float, digits: int) -> str:
    return "none" if np.isnan(value) else f"{value:.{digits}f}"


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def draw(courses: list[Course], file: Path) -> None:
    """Each path in a column: rate, delay and loss, of the file and of the captures."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(
            3, len(courses), figsize=(5 * len(courses), 6), sharex=True, squeeze=False
        )
        for course, (rate, delay, loss) in zip(courses, axes.T, strict=True):
            replayed = course.replayed()
            measured, recorded = replayed.rates()
            times = BIN_S * np.arange(1, len(measured) + 1)
            _pair(rate, times, recorded / 1000, measured / 1000)
            at, late, expected = replayed.delays()
            _pair(delay, at, expected * 1000, late * 1000)
            lost, wanted = replayed.losses()
            _pair(loss, BIN_S * np.arange(len(lost)), wanted * 100, lost * 100)
            rate.set_title(course.name, loc="left")
            loss.set_xlabel("time (s)")
        for axis, label in zip(
            axes[:, 0], ("rate (Mbit/s)", "delay (ms)", "loss (%)"), strict=True
        ):
            axis.set_ylabel(label)
        axes[0, 0].legend(frameon=False, loc="upper right")
        figure.tight_layout()
        figure.savefig(file, dpi=130)
        plt.close(figure)


def _pair(axis: Axes, at: Any, recorded: Any, measured: Any) -> None:  # noqa: ANN401
    axis.plot(at, recorded, color=COLOUR["capacity edge"], lw=2.6, label="file", rasterized=True)
    axis.plot(at, measured, color=COLOUR["received"], lw=0.8, label="captures", rasterized=True)
    axis.set_ylim(0, max(1.0, 1.1 * float(np.max(recorded)), 1.1 * float(np.max(measured))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("replay-out"))
    parser.add_argument("paths", nargs="+", metavar="FILE[,FILE]")
    options = parser.parse_args()
    courses = []
    for given in options.paths:
        files = tuple(map(Path, given.split(",")))
        name = "+".join(file.name.partition(".csv")[0] for file in files)
        courses.append(Course(files, options.out / name))
    for course in courses:
        course.make()
    table = HEAD + "".join(course.row() for course in courses)
    (options.out / "replay.md").write_text(table)
    draw(courses[:SHOWN], options.out / "replay.png")
    print(table, end="")


if __name__ == "__main__":
    main()
