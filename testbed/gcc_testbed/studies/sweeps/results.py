"""The results of a sweep: one row per call, and a table of its points. Standard library only."""

from __future__ import annotations

import csv
import io
import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.scenario.sequence import is_stand_in
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run
from gcc_testbed.support.output import write_whole

Row = dict[str, Any]


@dataclass(frozen=True)
class Gathered:
    """The calls of a sweep with what they measured."""

    plan: Plan
    # The metrics of each run of the plan, in order; None: not finished.
    metrics: tuple[dict[str, Any] | None, ...]
    # Those with a log but no metrics.
    failed: tuple[Run, ...]
    # Names of the versions that differ between calls.
    mixed: tuple[str, ...]

    @property
    def done(self) -> int:
        """How many calls have been made."""
        return sum(metrics is not None for metrics in self.metrics)


def gather(plan: Plan, out: Path) -> Gathered:
    """Reads what the calls left in the sweep's directory."""
    metrics = tuple(_json(out / run.directory / "metrics.json") for run in plan.runs)
    without = [run for run, found in zip(plan.runs, metrics, strict=True) if found is None]
    versions: dict[str, set[str]] = {}
    for run, found in zip(plan.runs, metrics, strict=True):
        if found is not None:
            call = _json(out / run.directory / "call.json") or {}
            for name, version in (call.get("versions") or {}).items():
                versions.setdefault(name, set()).add(str(version))
    return Gathered(
        plan,
        metrics,
        failed=tuple(run for run in without if (out / run.log).is_file()),
        mixed=tuple(name for name, seen in versions.items() if len(seen) > 1),
    )


def write_csv(gathered: Gathered, file: Path) -> None:
    """One row per call: its keys, its seed, whether it was made, and every metric."""
    keys = list(dict.fromkeys(key for run in gathered.plan.runs for key in run.keys))
    rows = []
    for run, metrics in zip(gathered.plan.runs, gathered.metrics, strict=True):
        state = "failed" if run in gathered.failed else "missing"
        row: Row = {"point": run.point, "state": "done" if metrics is not None else state}
        row |= {f"set {key}": _text(value) for key, value in run.keys.items()}
        row["seed"] = run.seed
        rows.append(row | flatten(metrics or {}))
    columns = ["point", *(f"set {key}" for key in keys), "seed", "state"]
    columns = list(dict.fromkeys([*columns, *(name for row in rows for name in row)]))
    content = io.StringIO()
    writer = csv.DictWriter(content, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(file, content.getvalue().encode())


def modelled(gathered: Gathered) -> int:
    """How many calls sent the traffic model, not video."""
    return sum("model" in (metrics.get("source") or "") for metrics in gathered.metrics if metrics)


def stood_in(calls: Iterable[Mapping[str, Any] | None]) -> int:
    """How many calls sent a generated video, for want of the one that the scenario names."""
    return sum(is_stand_in(metrics.get("sequence")) for metrics in calls if metrics)


def tell_stand_ins(calls: Sequence[Mapping[str, Any] | None]) -> None:
    """Points from a generated video are not those of the one that a call names."""
    if count := stood_in(calls):
        done = sum(metrics is not None for metrics in calls)
        print(f"note: {count} of {done} calls sent a generated video, not the one named")


def flatten(metrics: dict[str, Any], prefix: str = "") -> Row:
    """Nested metrics as columns: `flows[0].one_way_queueing_ms.p95`; null is an empty cell."""
    row: Row = {}
    for key, value in metrics.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            row |= flatten(value, f"{name}.")
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            for number, item in enumerate(value):
                row |= flatten(item, f"{name}[{number}].")
        else:
            row[name] = _text(value)
    return row


def table(gathered: Gathered) -> str:
    """A line per point: the mean over its calls, with the standard deviation where it has several.

    Rate and utilisation are sums over the media flows, loss and delay are of the worst flow. There
    is a column for residual loss if a call had protection.
    """
    of_point: dict[str, list[dict[str, Any] | None]] = {}
    for run, metrics in zip(gathered.plan.runs, gathered.metrics, strict=True):
        of_point.setdefault(run.point, []).append(metrics)
    columns = [("R kbit/s", 0), ("U", 3), ("loss %", 2), ("residual %", 2), ("p95 ms", 1)]
    columns += [("Jain", 3)]
    summaries = {
        point: [_summary(metrics) for metrics in runs if metrics is not None]
        for point, runs in of_point.items()
    }
    if all(one["residual %"] is None for of_calls in summaries.values() for one in of_calls):
        columns.remove(("residual %", 2))
    lines = [["point", "calls", *(name for name, _ in columns)]]
    for point, runs in of_point.items():
        of_calls = summaries[point]
        cells = [
            _mean([value for one in of_calls if (value := one[name]) is not None], digits)
            for name, digits in columns
        ]
        lines.append([point, f"{len(of_calls)}/{len(runs)}", *cells])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            [line[0].ljust(widths[0])]
            + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        ).rstrip()
        for line in lines
    )


def _summary(metrics: dict[str, Any]) -> dict[str, float | None]:
    flows = [flow for flow in metrics.get("flows", []) if flow.get("kind") in ("gcc", "launch")]
    loss, residual = (
        [100 * flow[key] for flow in flows if flow.get(key) is not None]
        for key in ("loss_ratio", "residual_loss_ratio")
    )
    delay = [
        flow["one_way_queueing_ms"]["p95"]
        for flow in flows
        if (flow.get("one_way_queueing_ms") or {}).get("p95") is not None
    ]
    return {
        "R kbit/s": sum(flow.get("received_kbps") or 0 for flow in flows) if flows else None,
        "U": sum(flow.get("utilisation") or 0 for flow in flows) if flows else None,
        "loss %": max(loss, default=None),
        "residual %": max(residual, default=None),
        "p95 ms": max(delay, default=None),
        "Jain": (metrics.get("fairness") or {}).get("jain"),
    }


def _mean(values: list[float], digits: int) -> str:
    if not values:
        return "-"
    text = f"{statistics.fmean(values):.{digits}f}"
    if len(values) > 1:
        text += f" ± {statistics.stdev(values):.{digits}f}"
    return text


def _text(value: object) -> object:
    return json.dumps(value) if isinstance(value, dict | list) else value


def _json(file: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(file.read_text())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None
