"""Draws a call of shaped_call.py, prints the times to follow: `plot.py FOLDER OUT [BROWSER]`."""

from __future__ import annotations

import sys
from pathlib import Path

import application
import matplotlib
from matplotlib import pyplot
from matplotlib.axes import Axes

matplotlib.use("Agg")

Row = application.Row
# Having followed is to be within this of the new rate.
NEAR = 0.8


def curve(axes: Axes, rows: list[Row], column: str, origin: float, **style: object) -> None:
    """In kbit/s over seconds; nothing where nobody told of it."""
    points = [(row["time_s"] - origin, row[column]) for row in rows if row[column] is not None]
    if not points:
        return
    axes.plot([t for t, _ in points], [rate / 1000 for _, rate in points], **style)


def time_to_follow(rows: list[Row], column: str, change: float, end: float, rate: float) -> str:
    """After which the target is below a lower capacity, or near a higher one."""
    after = [row for row in rows if change <= row["time_s"] < end and row[column] is not None]
    if not after:
        return "not told"
    falls = after[0][column] > rate
    for row in after:
        if row[column] <= rate if falls else row[column] >= NEAR * rate:
            return f"{row['time_s'] - change:.1f} s"
    return "never"


def main(folder: Path, out: Path, browser_name: str = "Chromium") -> None:
    sender, receiver, browser, capacity = (
        application.read(folder / f"{name}.csv")
        for name in ("sender", "receiver", "browser", "link")
    )
    origin = capacity[0]["time_s"]
    end = capacity[-1]["time_s"]
    figure, (to_browser, from_browser) = pyplot.subplots(2, sharex=True, figsize=(9, 6.5))

    to_browser.set_title(f"gccsender → {browser_name}")
    curve(to_browser, browser, "received_bps", origin, color="#64b5f6", label="received")
    curve(to_browser, sender, "remb_bps", origin, color="#ef6c00", label=f"REMB of {browser_name}")
    curve(to_browser, sender, "r_ack_bps", origin, color="#66bb6a", label="acknowledged")
    curve(to_browser, sender, "a_s_bps", origin, color="#1565c0", label="A_s of gccsender")
    from_browser.set_title(f"{browser_name} → gccreceiver")
    curve(from_browser, receiver, "r_bps", origin, color="#ffb74d", label="received")
    curve(from_browser, receiver, "a_r_bps", origin, color="#c62828", label="A_r of gccreceiver")
    curve(from_browser, browser, "available_bps", origin, color="#2e7d32", label="its limit")
    for axes in (to_browser, from_browser):
        times = [row["time_s"] - origin for row in capacity]
        rates = [row["capacity_bps"] / 1000 for row in capacity]
        axes.step(times, rates, where="post", color="black", linewidth=1, label="link")
        axes.set_xlim(0, end - origin)
        axes.set_ylim(0, 2600)
        axes.set_ylabel("kbit/s")
        axes.grid(alpha=0.3)
        axes.legend(loc="upper right", fontsize="small", ncols=4)
    from_browser.set_xlabel("s")
    figure.tight_layout()
    figure.savefig(out, dpi=110)

    for before, after in zip(capacity[1:], capacity[2:], strict=False):
        change, until, rate = before["time_s"], after["time_s"], before["capacity_bps"]
        limit = time_to_follow(browser, "available_bps", change, until, rate)
        print(
            f"to {rate / 1000:.0f} kbit/s: "
            f"A_s {time_to_follow(sender, 'a_s_bps', change, until, rate)}, "
            f"A_r {time_to_follow(receiver, 'a_r_bps', change, until, rate)}, "
            f"{browser_name}'s limit {limit}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
