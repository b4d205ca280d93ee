"""`gcc-testbed import`: recordings of paths, from what programs print that measure them."""

from __future__ import annotations

import gzip
from pathlib import Path

from gcc_testbed.commands.arguments import Parser
from gcc_testbed.recordings import logs
from gcc_testbed.scenario import recording
from gcc_testbed.scenario.recording import Row
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.input_file import read_text


def parser() -> Parser:
    """The options."""
    found = Parser(
        prog="gcc-testbed import",
        description="Makes recordings that `[link] recording` replays: FILE.csv.gz of each FILE. "
        "Reads mahimahi files, the output of iperf3 (also --json), nuttcp -i and ping (best with "
        "-D), and logs of two or four columns (s, Mbit/s, round trip in ms, part lost).",
    )
    found.add_argument("files", metavar="FILE", nargs="+")
    found.add_argument(
        "--with-ping",
        metavar="PING",
        help="the output of a ping that ran at the same time: its delays and losses go with the "
        "rates of FILE",
    )
    found.add_argument(
        "--out", metavar="DIR", default=".", help="where they are written (default: here)"
    )
    return found


def main(arguments: list[str]) -> int:
    """Imports; the exit code."""
    options = parser().parse_args(arguments)
    directory = Path(options.out)
    delays = _read(Path(options.with_ping))[1] if options.with_ping else None
    read = {Path(name): _read(Path(name)) for name in options.files}
    directory.mkdir(parents=True, exist_ok=True)
    for file, (form, measured) in read.items():
        rows = measured if delays is None else logs.joined(measured, delays)
        target = directory / f"{file.stem or file.name}.csv.gz"
        _write(target, rows)
        print(f"{target}: {form}, {_words(rows)}")
    return 0


def _read(file: Path) -> tuple[str, list[Row]]:
    try:
        return logs.read(read_text(file))
    except TestbedError as problem:
        raise TestbedError(f"{file}: {problem}") from None


def _write(target: Path, rows: list[Row]) -> None:
    # Without a time or a name in its header: the same rows make the same file.
    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
    ):
        lines = [recording.COLUMNS, *map(_cells, rows)]
        packed.write("".join(f"{','.join(line)}\n" for line in lines).encode())


def _cells(row: Row) -> tuple[str, ...]:
    values = (row.time_s, row.kbps, row.delay_ms, row.loss_percent)
    return tuple("" if value is None else f"{value:.10g}" for value in values)


def _words(rows: list[Row]) -> str:
    """A recording in a line: its length, rates, delays and losses."""
    length = recording.length_s(tuple(rows))
    parts = [f"{len(rows)} rows, {length:.0f} s"]
    rates = [row.kbps for row in rows if row.kbps is not None]
    delays = sorted(row.delay_ms for row in rows if row.delay_ms is not None)
    losses = [row.loss_percent for row in rows if row.loss_percent is not None]
    if rates:
        parts.append(f"{min(rates):.0f} to {max(rates):.0f} kbit/s")
    if delays:
        parts.append(f"delay up to {delays[-1]:.0f} ms, median {delays[len(delays) // 2]:.0f}")
    if losses:
        parts.append(f"{sum(losses) / len(losses):.2g} % lost")
    return ", ".join(parts)
