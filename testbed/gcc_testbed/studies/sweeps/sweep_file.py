"""A sweep as data: from its TOML file to the list of its runs. Nothing here runs anything."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gcc_testbed.support import toml_file
from gcc_testbed.support.digests import digest
from gcc_testbed.support.errors import TestbedError

TOP_LEVEL = ("title", "extends", "scenario", "repeats", "set", "grid", "case")
MOST_RUNS = 100_000
LONGEST_NAME = 120

# Names that are unclear without the one before them.
_UNCLEAR = ("ms", "bytes", "count", "kind", "name")

# link.forward.queue.bytes, flow[0].profile, flow[1].pause[0]
_KEY = re.compile(r"[A-Za-z_]\w*(\[\d+\])*(\.[A-Za-z_]\w*(\[\d+\])*)*")

Settings = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """One call: a point of the sweep and a seed."""

    point: str
    # The keys that distinguish this point; may include `scenario`.
    keys: Settings
    scenario: Path
    # Everything that differs from the scenario file.
    settings: Settings
    seed: int

    @property
    def directory(self) -> str:
        """Where the results go, below the sweep's own directory."""
        return f"runs/{self.point}/seed-{self.seed}"

    @property
    def log(self) -> str:
        """The log of the call."""
        return f"logs/{self.point}/seed-{self.seed}.log"


@dataclass(frozen=True)
class Plan:
    """All runs of a sweep, in the order of the file."""

    title: str
    runs: tuple[Run, ...]
    # Whether each call is drawn, too.
    plots: bool = True

    def scenarios(self) -> list[Path]:
        """The scenario files used, each once."""
        return list(dict.fromkeys(run.scenario for run in self.runs))

    def points(self) -> dict[str, list[Run]]:
        """The runs of each point."""
        found: dict[str, list[Run]] = {}
        for run in self.runs:
            found.setdefault(run.point, []).append(run)
        return found


def load(file: Path) -> Plan:
    """The plan of a sweep file, or a TestbedError that names the file and the key."""
    content = toml_file.read(file)
    try:
        return plan(_extended(content, file.parent), file.parent, file.stem)
    except TestbedError as problem:
        raise TestbedError(f"{file}: {problem}") from None


def _extended(content: dict[str, Any], base: Path) -> dict[str, Any]:
    """A sweep with all but the title of the one that it extends; `set` is merged key by key."""
    if "extends" not in content:
        return content
    name = content["extends"]
    if not isinstance(name, str) or Path(name).name != name:
        raise TestbedError(f"extends = {name!r}: expected the name of a sweep file beside this one")
    extended = toml_file.read(base / name)
    if "extends" in extended:
        raise TestbedError(f"extends = {name!r}: that sweep extends another one")
    common = {**_table("set", extended.get("set", {})), **_table("set", content.get("set", {}))}
    extended.pop("title", None)
    return {**extended, **content, "set": common}


def plan(content: dict[str, Any], base: Path, title: str) -> Plan:
    """The plan that a parsed sweep file stands for; paths in it are relative to `base`."""
    for key in content:
        if key not in TOP_LEVEL:
            raise TestbedError(f"{key}: unknown key; expected one of {', '.join(TOP_LEVEL)}")
    repeats = content.get("repeats", 1)
    if not isinstance(repeats, int) or isinstance(repeats, bool) or not 1 <= repeats <= 1000:
        raise TestbedError(f"repeats = {repeats!r}: expected a whole number, from 1 to 1000")

    common = _table("set", content.get("set", {}))
    combinations = _combinations(_table("grid", content.get("grid", {})))
    points = [
        _Point(name, {**case, **combination}, combination if name else {**case, **combination})
        for name, case in _cases(content.get("case"))
        for combination in combinations
    ]
    if len(points) * repeats > MOST_RUNS:
        raise TestbedError(f"{len(points) * repeats} runs are more than {MOST_RUNS}")

    default = content.get("scenario")
    runs = []
    for name, point in zip(_names(points), points, strict=True):
        scenario = _scenario(point.keys.get("scenario", default), base)
        settings = {key: value for key, value in point.keys.items() if key != "scenario"}
        settings = {**common, **settings}
        runs += [Run(name, point.keys, scenario, settings, seed) for seed in range(1, repeats + 1)]
    return Plan(str(content.get("title", title)), tuple(runs))


def option(key: str, value: object) -> str:
    """A setting as an argument of `gcc-testbed run --set`."""
    return f"{key}={value if isinstance(value, str) else toml(value)}"


def toml(value: object) -> str:
    """A value in TOML's inline syntax."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, list):
        return f"[{', '.join(toml(item) for item in value)}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{_toml_key(key)} = {toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return str(value)


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key)


@dataclass(frozen=True)
class _Point:
    name: str | None
    keys: Settings
    # The keys that its directory is named after.
    named: Settings


def _cases(cases: object) -> list[tuple[str | None, Settings]]:
    """(name, keys) of each case; a sweep without cases has one without keys."""
    if cases is None:
        return [(None, {})]
    if not isinstance(cases, list) or not cases:
        raise TestbedError("case: expected one or more [[case]] tables")
    found = []
    for number, case in enumerate(cases):
        keys = _table(f"case[{number}]", case)
        name = keys.pop("name", None)
        if name is not None and (not isinstance(name, str) or not for_a_file(name)):
            raise TestbedError(f"case[{number}]: name = {name!r}: expected text")
        found.append((name, keys))
    return found


def _table(name: str, table: object) -> Settings:
    """A table of scenario keys; their values are checked when the scenario is read."""
    if not isinstance(table, dict):
        raise TestbedError(f"{name}: expected a table of scenario keys")
    for key in table:
        if not _KEY.fullmatch(key):
            raise TestbedError(
                f"{name}: {key}: expected a scenario key such as "
                "link.forward.rate_kbps or flow[0].profile"
            )
        if key == "seed":
            raise TestbedError(f"{name}: seed: the seeds are 1 to repeats; set repeats instead")
        if isinstance(table[key], dict) and "." not in key and key in ("link", "flow"):
            raise TestbedError(
                f'{name}: {key}: expected the key in quotes, like "link.forward.rate_kbps"'
            )
    return dict(table)


def _combinations(grid: Settings) -> list[Settings]:
    for key, values in grid.items():
        if not isinstance(values, list) or not values:
            raise TestbedError(f"grid: {key} = {values!r}: expected a list of values")
        if any(values.count(value) > 1 for value in values):
            raise TestbedError(f"grid: {key}: the same value twice")
    count = math.prod(map(len, grid.values()))
    if count > MOST_RUNS:
        raise TestbedError(f"grid: {count} points are more than {MOST_RUNS}")
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def _scenario(name: object, base: Path) -> Path:
    if not isinstance(name, str):
        raise TestbedError(f"scenario = {name!r}: expected the name of a scenario file")
    file = (base / name).resolve()
    if not file.is_file():
        raise TestbedError(f"scenario = {name!r}: no such file")
    return file


def _names(points: list[_Point]) -> list[str]:
    """A short, telling name for each point that is valid as a file name."""
    short = _short_keys({key for point in points for key in point.keys})
    names = []
    for point in points:
        parts = [_part(short.get(key), value) for key, value in point.named.items()]
        name = "+".join(filter(None, map(for_a_file, [point.name or "", *parts]))) or "call"
        if len(name) > LONGEST_NAME:
            name = f"{name[: LONGEST_NAME - 9]}-{_digest(point.keys)}"
        names.append(name)
    # Some file systems are not case sensitive.
    counts = Counter(name.lower() for name in names)
    names = [
        f"{name}-{_digest(point.keys)}" if counts[name.lower()] > 1 else name
        for name, point in zip(names, points, strict=True)
    ]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise TestbedError(f"case: the same point twice: {twice[0]}")
    return names


def _short_keys(keys: set[str]) -> dict[str, str]:
    """The shortest end of each key that no other key has."""
    found = {}
    for key in keys - {"scenario"}:
        parts = key.split(".")
        for count in range(2 if parts[-1] in _UNCLEAR else 1, len(parts) + 1):
            end = ".".join(parts[-count:])
            if sum(f".{other}".endswith(f".{end}") for other in keys) == 1:
                break
        found[key] = end
    return found


def _part(key: str | None, value: object) -> str:
    if key is None:
        return Path(str(value)).stem
    if isinstance(value, dict):
        value = "-".join(str(item) for item in value.values())
    return f"{key}-{value}"


def for_a_file(text: str) -> str:
    """A text as one word of a file's name: letters, digits, `_`, `.` and `-`."""
    # Snakemake sends names to other machines in a list with "," and "=".
    return re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII).strip("-.")


def _digest(keys: Settings) -> str:
    text = json.dumps(keys, sort_keys=True, default=str)
    return digest(text)
