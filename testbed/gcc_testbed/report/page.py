"""A run as a table for the terminal and as one self-contained page."""

from __future__ import annotations

import base64
import html
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.report import flow_settings
from gcc_testbed.report.plots import Plots
from gcc_testbed.scenario.flows import MODEL
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.sequence import Sequence

# A longer table is cut off here.
MOST_ROWS = 30

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }}
h1 {{ font-size: 1.5rem; margin-bottom: 0 }} h2 {{ font-size: 1.1rem; margin-top: 2rem }}
img {{ width: 100%; height: auto }}
.small {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem }}
table {{ border-collapse: collapse }} td, th {{ padding: .25rem .9rem .25rem 0; text-align: left;
  border-bottom: 1px solid #ddd; vertical-align: top }} td.n, th.n {{ text-align: right }}
pre {{ background: #f6f6f6; padding: .8rem; overflow-x: auto; white-space: pre-wrap;
  font-size: 12px }}
</style></head><body>
<h1>{title}</h1>
<p>{subtitle}</p>
{summary}
<p>{over}</p>
<p><img alt="rates, delay, loss and detector over time" src="data:image/png;base64,{image}"></p>
<div class="small">{small}</div>
{feedback}<h2>Settings</h2>{settings}
<h2>Versions</h2>{versions}
<h2>Commands</h2>
<p>The world:</p><pre>{world}</pre>
<p>The link:</p><pre>{link}</pre>
{processes}
</body></html>
"""


@dataclass(frozen=True)
class Commands:
    """The commands of the run: of the world, of the link, and of the hosts' processes."""

    world: list[str]
    link: list[str]
    # (host, name, command)
    processes: list[tuple[str, str, list[str]]]


def summary_rows(metrics: dict[str, Any]) -> list[list[str]]:
    """The summary as rows of text, the first the header."""
    repaired = any("residual_loss_ratio" in flow for flow in metrics["flows"])
    residual = ["residual"] if repaired else []
    rows = [["flow", "U", "R kbit/s", "loss", *residual, "queueing p50", "p95"]]
    rows[0] += ["frame delay p50", "p95", "n_dd"]

    def add(name: str, measured: dict[str, Any], kbps: float, n_dd: int | None) -> None:
        rows.append(_row(name, measured, kbps, n_dd, repaired))

    for flow in metrics["flows"][:MOST_ROWS]:
        add(_label(flow), flow, flow["received_kbps"], flow["n_dd"])
    if len(metrics["flows"]) > MOST_ROWS:
        more = f"... {len(metrics['flows']) - MOST_ROWS} more"
        rows.append([more, *[""] * (len(rows[0]) - 1)])
    # A single flow's row says the same as its link's.
    if len(metrics["flows"]) > 1 and "link" in metrics:
        link = metrics["link"]
        directions = {"all": link, "all back": link.get("backward")}
        for name, each in directions.items():
            if each is not None and each["utilisation"] is not None:
                kbps = each["utilisation"] * each["capacity_kbps"]
                add(name, each, kbps, None)
    return rows


def _label(flow: dict[str, Any]) -> str:
    return f"{flow['name']} (model)" if flow.get("source") == "model" else flow["name"]


def _row(
    name: str, measured: dict[str, Any], kbps: float, n_dd: int | None, repaired: bool
) -> list[str]:
    delay = measured["one_way_queueing_ms"]
    # Of flows of video only.
    frames = measured.get("frame_delay_ms", {})

    def percent(ratio: float) -> str:
        return f"{100 * ratio:.2f} %"

    return [
        name,
        _text(measured["utilisation"], lambda ratio: f"{ratio:.3f}"),
        f"{kbps:.1f}",
        _text(measured["loss_ratio"], percent),
        *([_text(measured.get("residual_loss_ratio"), percent)] if repaired else []),
        _text(delay["p50"], lambda ms: f"{ms:.1f} ms"),
        _text(delay["p95"], lambda ms: f"{ms:.1f} ms"),
        _text(frames.get("p50"), lambda ms: f"{ms:.1f} ms"),
        _text(frames.get("p95"), lambda ms: f"{ms:.1f} ms"),
        _text(n_dd, str),
    ]


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
        ).rstrip()
        for row in rows
    ]
    lines.append(_over(metrics))
    return "\n".join(lines)


def _over(metrics: dict[str, Any]) -> str:
    """The interval, the capacity and the fairness of the summary."""
    text = (
        f"over {metrics['measure_from_s']:g}..{metrics['duration_s']:g} s, "
        f"capacity {metrics['capacity_kbps']:g} kbit/s"
    )
    fairness = metrics.get("fairness") or {}
    for key, word in (("jain", "Jain's index"), ("jain_backward", "back")):
        if fairness.get(key) is not None:
            text += f", {word} {fairness[key]:.3f}"
    if any(flow.get("source") == "model" for flow in metrics["flows"]):
        text += f"; model: {MODEL} in place of encoded video"
    return text


def write(
    file: Path,
    scenario: Scenario,
    sequences: tuple[Sequence, ...],
    metrics: dict[str, Any],
    versions: dict[str, str],
    commands: Commands,
    plots: Plots,
) -> None:
    """The report: plots, settings, versions, and every command needed to repeat the call."""
    link = scenario.link
    title = f"{scenario.title} ({MODEL})" if scenario.has_model() else scenario.title
    settings = [
        ("title", scenario.title),
        ("from", scenario.source),
        ("capacity", f"{link.forward.capacity} (IP bytes)"),
        ("queue", str(link.forward.queue)),
        ("way back", "not shaped" if link.backward is None else str(link.backward)),
        ("RTT without queues", f"{link.rtt_ms:g} ms"),
        ("jitter", f"{link.jitter_ms:g} ms" if link.jitter_ms else ""),
        ("random loss", f"{link.loss_percent:g} %" if link.loss_percent else ""),
        ("token bucket", f"{link.forward.burst_bytes} bytes"),
        ("arrival noise", f"{link.arrival_noise_ms:g} ms" if link.arrival_noise_ms else ""),
        ("arrival ticks", f"{link.arrival_tick_ms:g} ms" if link.arrival_tick_ms else ""),
        *((flow.name, flow_settings.line(flow)) for flow in scenario.flows[:MOST_ROWS]),
        *(("sequence", f"{each.name}: {each.file}, sha256 {each.sha256}") for each in sequences),
        ("duration", f"{scenario.duration_s:g} s, measured from {scenario.measure_from_s:g} s"),
        ("world", scenario.world),
        ("seed", str(scenario.seed)),
    ]
    file.write_text(
        _PAGE.format(
            title=html.escape(title),
            subtitle=html.escape(str(link)),
            summary=_table(summary_rows(metrics), header=True),
            over=html.escape(_over(metrics)),
            image=base64.b64encode(plots.picture.read_bytes()).decode(),
            small="\n".join(
                f'<img alt="{html.escape(what)}" src="data:image/svg+xml;base64,'
                f'{base64.b64encode(file.read_bytes()).decode()}">'
                for what, file in plots.small.items()
            ),
            feedback=_feedback(metrics),
            settings=_table([list(row) for row in settings if row[1]]),
            versions=_table([list(row) for row in versions.items()]),
            world=html.escape(shlex.join(commands.world)),
            link=html.escape("\n".join(commands.link)),
            processes="\n".join(
                f"<p>{html.escape(name)} (host {host}):</p>"
                f"<pre>{html.escape(shlex.join(command))}</pre>"
                for host, name, command in commands.processes
            ),
        )
    )


def _feedback(metrics: dict[str, Any]) -> str:
    """Results of senders with transport-wide feedback; empty without any."""
    head = ["flow", "feedback", "probes", "with a result", "highest", "ALR"]
    rows = [
        [_label(flow), *_feedback_row(found)]
        for flow in metrics["flows"]
        if (found := flow.get("transport_feedback")) is not None
    ]
    return f"<h2>Feedback</h2>{_table([head, *rows], header=True)}\n" if rows else ""


def _feedback_row(found: dict[str, Any]) -> list[str]:
    return [
        f"transport-cc in {100 * found['used_ratio']:.1f} % of the time",
        str(found["probes"]),
        str(found["probe_results"]),
        _text(found["highest_probe_kbps"], lambda kbps: f"{kbps:.0f} kbit/s"),
        f"{100 * found['alr_ratio']:.1f} %",
    ]


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
