"""A run as a table for the terminal and as one self-contained page."""

from __future__ import annotations

import base64
import html
import shlex
from pathlib import Path
from typing import Any

from gcc_testbed.experiment import Experiment

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }}
h1 {{ font-size: 1.5rem; margin-bottom: 0 }} h2 {{ font-size: 1.1rem; margin-top: 2rem }}
img {{ width: 100%; height: auto }}
table {{ border-collapse: collapse }} td, th {{ padding: .25rem .9rem .25rem 0; text-align: left;
  border-bottom: 1px solid #ddd; vertical-align: top }} td.n, th.n {{ text-align: right }}
pre {{ background: #f6f6f6; padding: .8rem; overflow-x: auto; white-space: pre-wrap;
  font-size: 12px }}
</style></head><body>
<h1>{title}</h1>
<p>{subtitle}</p>
{summary}
<p><img alt="rates, delay, loss and detector over time" src="data:image/png;base64,{image}"></p>
<h2>Settings</h2>{settings}
<h2>Versions</h2>{versions}
<h2>Commands</h2>
<p>The world:</p><pre>{world}</pre>
<p>The link:</p><pre>{link}</pre>
{processes}
</body></html>
"""


def summary_rows(metrics: dict[str, Any]) -> list[list[str]]:
    """The summary as rows of text, the first the header."""
    rows = [["flow", "U", "R kbit/s", "loss", "queueing p50", "p95", "n_dd"]]
    for flow in metrics["flows"]:
        delay = flow["one_way_queueing_ms"]
        rows.append(
            [
                flow["name"],
                f"{flow['utilisation']:.3f}",
                f"{flow['received_kbps']:.1f}",
                _text(flow["loss_ratio"], lambda ratio: f"{100 * ratio:.2f} %"),
                _text(delay["p50"], lambda ms: f"{ms:.1f} ms"),
                _text(delay["p95"], lambda ms: f"{ms:.1f} ms"),
                _text(flow["n_dd"], str),
            ]
        )
    return rows


def _text(value: Any, show: Any) -> str:  # noqa: ANN401
    return "-" if value is None else show(value)


def summary(metrics: dict[str, Any]) -> str:
    """The summary table for a terminal."""
    rows = summary_rows(metrics)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    lines.append(
        f"over {metrics['measure_from_s']:g}..{metrics['duration_s']:g} s, "
        f"capacity {metrics['capacity_kbps']:g} kbit/s"
    )
    return "\n".join(lines)


def write_page(
    experiment: Experiment,
    metrics: dict[str, Any],
    versions: dict[str, str],
    command: list[str],
    picture: Path,
    link: list[str],
    file: Path,
) -> None:
    """The report: everything a reader needs to believe the picture or to make it again."""
    scenario = experiment.scenario
    flow = scenario.flows[0]
    sequence = metrics["sequence"]
    settings = [
        ("capacity", f"{scenario.link.rate} kbit/s (IP bytes)"),
        ("RTT without queues", f"{scenario.link.rtt_ms:g} ms"),
        ("queue", f"drop tail, {scenario.link.queue}"),
        ("profile", flow.profile),
        ("min / start / max", f"{flow.min_kbps} / {flow.start_kbps} / {flow.max_kbps} kbit/s"),
        ("sequence", f"{sequence['name']}: {sequence['file']}, sha256 {sequence['sha256']}"),
        ("duration", f"{scenario.duration_s:g} s, measured from {scenario.measure_from_s:g} s"),
        ("world", scenario.world),
        ("seed", str(scenario.seed)),
    ]
    file.write_text(
        _PAGE.format(
            title="A call under Google Congestion Control",
            subtitle=html.escape(
                f"{flow.profile}, {sequence['name']}, {scenario.link.rate} kbit/s, "
                f"RTT {scenario.link.rtt_ms:g} ms, drop tail {scenario.link.queue}"
            ),
            summary=_table(summary_rows(metrics), header=True),
            image=base64.b64encode(picture.read_bytes()).decode(),
            settings=_table([list(row) for row in settings]),
            versions=_table([list(row) for row in versions.items()]),
            world=html.escape(shlex.join(command)),
            link=html.escape("\n".join(link)),
            processes="\n".join(
                f"<p>{html.escape(name)} (host {host}):</p>"
                f"<pre>{html.escape(shlex.join(words))}</pre>"
                for host, name, words in experiment.processes()
            ),
        )
    )


def _table(rows: list[list[str]], header: bool = False) -> str:
    lines = []
    for number, row in enumerate(rows):
        tag = "th" if header and number == 0 else "td"
        cells = "".join(
            f"<{tag}{' class=n' if header and column else ''}>{html.escape(cell)}</{tag}>"
            for column, cell in enumerate(row)
        )
        lines.append(f"<tr>{cells}</tr>")
    return f"<table>{''.join(lines)}</table>"
