"""The worth of each rule of the default: drawn calls with and without it.

    build/venv/bin/python testbed/tools/ablation.py make DIRECTORY [NAME...] [--without RULE]...
    build/venv/bin/python testbed/tools/ablation.py page DIRECTORY [--page FILE] [--with CALLS]

`make` builds the default without some rules of ablation.toml, in a copy of the source below
DIRECTORY, and makes drawn calls with it: those of the names, or 24 of each seed that the default
was tuned on, six minutes on two cores. Without a rule it makes the calls of the default as it is,
with which the others are compared: --column says which. --column goog-2026, and goog-2020 over
REMB, makes those of the generation that has none of the rules. Calls are deterministic, so a call
in which a rule never acts need not be made again. A directory belongs to the commit that it was
begun with.
`page` writes a table for each column to FILE, or DIRECTORY/ablation.md, and in a directory beside
it all points, calls.csv, and the picture of the mean points over the numbers that are left. --with
takes the calls.csv of a page of the same default: its trials are on the page, too.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from gcc_testbed.report.style import FLOWS, STYLE
from gcc_testbed.studies.drawn.results import SAME_POINTS, worst_tenth
from gcc_testbed.studies.stress.series import SERIES as STRESS
from gcc_testbed.support import commits
from gcc_testbed.support.digests import digest
from gcc_testbed.support.errors import TestbedError

ROOT = Path(__file__).parents[2]
RULES = Path(__file__).with_suffix(".toml")
PROFILE = Path("gst/gcc/profiles/gcc-profile-recommended.c")
PAGE = "ablation.md"
PICTURE = "frontier.png"
POINTS = "calls.csv"
FIELDS = ("commit", "column", "without", "numbers", "row", "points")
COMMIT = "commit.txt"
HEADER = (
    "| without | numbers | mean | worst tenth | calls that change | worst | best |",
    "|---|---|---|---|---|---|---|",
)
TOGETHER = (
    "| rules off | numbers left | mean points | beside all rules | worst tenth | without |",
    "|---|---|---|---|---|---|",
)
LEFT_OUT = " (left out since)"
HOW_TO_READ = """\
## How to read it

Each line of the tables is a trial: the same calls, made by the default without one rule. *Numbers*
are those of our own that only this rule needs. *Mean* and *worst tenth* are what the points of the
calls gain without it: below 0 the rule pays, above 0 it costs. ± is the standard error of that
mean: within twice as much of 0 the calls do not tell which. *Worst* and *best* are the calls that
lose and gain most. A rule that changes no call is there for another kind of call, or for nothing;
[decision 56](decisions/worth.md#56-a-rule-that-pays-nowhere-is-left-out) says what became of it.

The calls are those of the [stress test](testbed.md#the-stress-test). A name begins with its seed,
and the default is tuned on seeds 1 to 3. In the picture each dot is a rule alone; the line is of
rules that are off together. Bars are the errors of what they differ by from all rules.
"""
TITLES = {"auto": "Over transport-cc", "remb": "Over REMB"}
# Of a column, the generation that has none of the rules.
PLAIN = {"auto": "goog-2026", "remb": "goog-2020"}
# The seeds that the default was tuned on, and how many calls of each.
SEEDS, CALLS_OF_EACH = (1, 2, 3), 24
MARK = "without.json"
# Of a build, the parts that a drawn call needs.
TARGETS = (
    "plugin/libgstgcc.so",
    "testbed/model/libgstrmcatvideomodel.so",
    "testbed/model/libwallclock.so",
)
OURS = "ours"


@dataclass(frozen=True)
class Rule:
    """A rule of the default in one column, and where in the profile its numbers are."""

    name: str
    column: str
    off: tuple[tuple[str, str], ...]
    place: range


@dataclass(frozen=True)
class Variant:
    """The points of calls without some rules; calls that are not there are as with all rules.

    `numbers` of our own are left in the profile then; `commit` made the calls.
    """

    column: str
    without: tuple[str, ...]
    numbers: int
    points: Mapping[str, float]
    commit: str = ""


def rules(profile: str) -> list[Rule]:
    """Those of ablation.toml, found in the text of the profile."""
    return [_rule(table, profile) for table in tomllib.loads(RULES.read_text("utf-8"))["rule"]]


def _rule(table: dict[str, Any], profile: str) -> Rule:
    begin = _only(profile, table["from"])
    end = profile.index(table["to"], begin)
    off = tuple((old, new) for old, new in table["off"])
    for old, _ in off:
        _only(profile, old)
    return Rule(table["name"], table["column"], off, range(begin, end))


def _only(profile: str, text: str) -> int:
    """Where a text stands that is there once."""
    if profile.count(text) != 1:
        raise SystemExit(f"{RULES.name}: {PROFILE} has this {profile.count(text)} times: {text!r}")
    return profile.index(text)


def switched_off(profile: str, some: Sequence[Rule]) -> str:
    """The profile without some rules. A text that is part of another's goes with that one."""
    done: list[str] = []
    texts = [each for rule in some for each in rule.off]
    for old, new in sorted(texts, key=lambda text: len(text[0]), reverse=True):
        if old not in profile and not any(old in longer for longer in done):
            raise SystemExit(f"{RULES.name}: another rule has replaced some of {old!r}")
        profile = profile.replace(old, new)
        done.append(old)
    return profile


def left(profile: str, off: Sequence[Rule]) -> int:
    """The numbers of our own that only other rules need."""
    places = [found.start() for found in re.finditer(OURS, profile)]
    return sum(all(at not in rule.place for rule in off) for at in places)


def chosen(every: Sequence[Rule], names: Sequence[str], column: str) -> list[Rule]:
    """The rules of a column by their names."""
    found = {rule.name: rule for rule in every if rule.column == column}
    unknown = [name for name in names if name not in found]
    if unknown:
        raise SystemExit(f"no rule {unknown[0]!r} in column {column}; known: {', '.join(found)}")
    return [found[name] for name in names]


# --- calls ---


def make(directory: Path, column: str, without: Sequence[str], names: Sequence[str]) -> None:
    """Makes the calls of one variant."""
    tree = _copy(directory)
    profile = (directory / PROFILE.name).read_text("utf-8")
    off = chosen(rules(profile), without, column)
    (tree / PROFILE).write_text(switched_off(profile, off), "utf-8")
    subprocess.run(("ninja", "-C", tree / "build", *TARGETS), check=True)
    out = directory / place(column, without)
    calls = (sys.executable, "-m", "gcc_testbed", STRESS.name, *(names or _names()))
    environment = {**os.environ, "GCC_BUILD_DIR": str(tree / "build")}
    environment["PYTHONPATH"] = str(ROOT / "testbed")
    subprocess.run(
        (*calls, "--column", column, "--out", str(out)), check=True, env=environment, cwd=ROOT
    )
    # The command takes no directory that has anything else before it begins.
    numbers = left(profile, off) if column in TITLES else 0
    mark = {"column": column, "without": list(without), "numbers": numbers}
    (out / MARK).write_text(json.dumps(mark) + "\n")


def _copy(directory: Path) -> Path:
    """The committed source, with a build of its own; beside it, the profile with all rules."""
    tree = directory / "source"
    if not tree.is_dir():
        tree.mkdir(parents=True)
        commit = ("git", "rev-parse", "--short", "HEAD")
        made = subprocess.run(commit, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        (directory / COMMIT).write_text(made.stdout)
        archive = subprocess.run(
            ("git", "archive", "HEAD"), cwd=ROOT, check=True, stdout=subprocess.PIPE
        )
        subprocess.run(("tar", "-x"), cwd=tree, check=True, input=archive.stdout)
        shutil.copy(tree / PROFILE, directory)
        subprocess.run(
            ("meson", "setup", "--buildtype=debugoptimized", "build"), cwd=tree, check=True
        )
    return tree


def _names() -> list[str]:
    return [STRESS.name_of(seed, n) for seed in SEEDS for n in range(1, CALLS_OF_EACH + 1)]


def place(column: str, without: Sequence[str]) -> str:
    """The directory of a variant; its names may be too long for a file's."""
    return f"{column}-{digest('; '.join(sorted(without)))}"


# --- results ---


def gather(directory: Path) -> list[Variant]:
    """All variants that were made in a directory."""
    commit = (directory / COMMIT).read_text("utf-8").strip()
    return [_variant(mark, commit) for mark in sorted(directory.glob(f"*/{MARK}"))]


def _variant(mark: Path, commit: str) -> Variant:
    made = json.loads(mark.read_text("utf-8"))
    calls = mark.parent / STRESS.name / POINTS
    rows = list(csv.DictReader(calls.open(encoding="utf-8"))) if calls.is_file() else []
    points = {row["row"]: float(row["points"]) for row in rows if row["column"] == made["column"]}
    return Variant(made["column"], tuple(made["without"]), made["numbers"], points, commit)


def keep(variants: Sequence[Variant], file: Path) -> None:
    """Writes the points of all calls; a variant without calls has a line, too."""
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(FIELDS)
        for each in variants:
            said = (each.commit, each.column, "; ".join(each.without), each.numbers)
            calls: dict[str, object] = {**each.points} or {"": ""}
            table.writerows((*said, *call) for call in sorted(calls.items()))


def kept(file: Path) -> list[Variant]:
    """The variants that keep() has written."""
    table = csv.DictReader(file.open(encoding="utf-8"))
    return [_kept(said, rows) for said, rows in groupby(table, key=itemgetter(*FIELDS[:4]))]


def _kept(said: tuple[str, ...], rows: Iterable[dict[str, str]]) -> Variant:
    commit, column, without, numbers = said
    points = {row["row"]: float(row["points"]) for row in rows if row["row"]}
    rules_off = tuple(without.split("; ")) if without else ()
    return Variant(column, rules_off, int(numbers), points, commit)


def joined(made: Sequence[Variant], earlier: Sequence[Variant]) -> list[Variant]:
    """Those made now, and earlier ones of the same default that were not made again."""
    again = {(each.column, each.without): each for each in made}
    for each in earlier:
        whole = again.get((each.column, ()), each)
        if not each.without and whole.points != each.points:
            raise SystemExit(f"{TITLES[each.column]}: the earlier calls are of another default")
    return [*made, *(each for each in earlier if (each.column, each.without) not in again)]


def base(variants: Sequence[Variant], column: str) -> Variant:
    """The default as it is."""
    return next(v for v in variants if v.column == column and not v.without)


def rows(variants: Sequence[Variant], column: str) -> list[str]:
    """A row for each rule, the one that pays most first."""
    whole = base(variants, column)
    single = [v for v in variants if v.column == column and len(v.without) == 1]
    return [_row(whole, v) for v in sorted(single, key=lambda v: _mean(whole, v))]


def _with_all(whole: Variant, variant: Variant) -> list[float]:
    return list({**whole.points, **variant.points}.values())


def _mean(whole: Variant, variant: Variant) -> float:
    return fmean(_with_all(whole, variant))


def _row(whole: Variant, variant: Variant) -> str:
    change = {call: points - whole.points[call] for call, points in variant.points.items()}
    moved = {call: by for call, by in change.items() if abs(by) > SAME_POINTS}
    tenths = [worst_tenth(_with_all(whole, each)) for each in (whole, variant)]
    cells = (
        *(_name(variant.without[0]), whole.numbers - variant.numbers),
        _beside(whole, variant),
        f"{tenths[1] - tenths[0]:+.2f}",
        len(moved),
        *(_named(moved, pick) for pick in (min, max)),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _gains(whole: Variant, variant: Variant) -> list[float]:
    return [variant.points.get(call, points) - points for call, points in whole.points.items()]


def _error(whole: Variant, variant: Variant) -> float:
    """The standard error of the mean gain."""
    gains = _gains(whole, variant)
    return stdev(gains) / math.sqrt(len(gains)) if len(gains) > 1 else math.nan


def _beside(whole: Variant, variant: Variant) -> str:
    return f"{fmean(_gains(whole, variant)):+.2f} ± {_error(whole, variant):.2f}"


@cache
def _present() -> list[Rule]:
    return rules((ROOT / PROFILE).read_text("utf-8"))


def _name(rule: str) -> str:
    return rule if rule in {each.name for each in _present()} else f"{rule}{LEFT_OUT}"


def _named(moved: Mapping[str, float], pick: Callable[..., str]) -> str:
    if not moved:
        return "–"
    call = pick(moved, key=lambda name: moved[name])
    return f"{moved[call]:+.0f} ({call})"


def together(variants: Sequence[Variant], column: str) -> list[str]:
    """A row for each set of rules, and for the default as it is."""
    whole = base(variants, column)
    sets = [v for v in variants if v.column == column and len(v.without) != 1]
    rows = [_set_row(whole, v) for v in sorted(sets, key=lambda v: len(v.without))]
    return [*rows, *(_set_row(whole, v) for v in _plain(variants, column))]


def _plain(variants: Sequence[Variant], column: str) -> list[Variant]:
    """The generation without rules, where its calls were made."""
    return [v for v in variants if v.column == PLAIN.get(column)]


def _set_row(whole: Variant, variant: Variant) -> str:
    points = _with_all(whole, variant)
    is_plain = variant.column not in TITLES
    cells = (
        *("–" if is_plain else len(variant.without), variant.numbers, f"{fmean(points):.2f}"),
        "–" if variant is whole else _beside(whole, variant),
        f"{worst_tenth(points):.2f}",
        f"{variant.column}, as published" if is_plain else "; ".join(variant.without) or "–",
    )
    return f"| {' | '.join(map(str, cells))} |"


def _untried(variants: Sequence[Variant], column: str) -> list[str]:
    tried = {v.without for v in variants}
    left = [rule.name for rule in _present() if rule.column == column]
    left = [name for name in left if (name,) not in tried]
    return textwrap.wrap(f"Not tried alone: {'; '.join(left)}.", 100) if left else []


def page(directory: Path, file: Path, earlier: Sequence[Variant] = ()) -> None:
    """The page, the points and the picture of all variants that were made there, and earlier."""
    variants = joined(gather(directory), earlier)
    picture = file.with_suffix("") / PICTURE
    made_by = sorted({each.commit for each in variants})
    commits.check(file, made_by)
    lines = [
        *("# The worth of each rule of the default", ""),
        f"Written by `testbed/tools/ablation.py` from drawn calls, {commits.made_by(made_by)}",
        *("", f"![mean points over the numbers that are left]({picture.relative_to(file.parent)})"),
    ]
    for column in _columns(variants):
        calls = len(base(variants, column).points)
        lines += ["", f"## {TITLES[column]}: {calls} calls", ""]
        if alone := rows(variants, column):
            lines += [*HEADER, *alone, ""]
        lines += ["Rules together:", "", *TOGETHER, *together(variants, column)]
        lines += ["", *_untried(variants, column)]
    file.write_text("\n".join([*lines, "", HOW_TO_READ]), "utf-8")
    picture.parent.mkdir(exist_ok=True)
    keep(variants, picture.with_name(POINTS))
    draw(variants, picture)


def _columns(variants: Sequence[Variant]) -> list[str]:
    """Those of which there are calls with all rules, to compare with."""
    whole = {each.column for each in variants if not each.without}
    return [column for column in TITLES if column in whole]


# --- the picture ---


def draw(variants: Sequence[Variant], file: Path) -> None:
    """Mean points over the numbers of our own that are left, for each set of rules."""
    with plt.rc_context({**STYLE, "font.size": 11}):
        columns = _columns(variants)
        figure, axes = plt.subplots(
            1, len(columns), figsize=(6 * len(columns), 4.6), layout="constrained", squeeze=False
        )
        for axis, column in zip(axes[0], columns, strict=True):
            _panel(axis, [v for v in variants if v.column == column])
            for plain in _plain(variants, column):
                _mark(axis, plain, base(variants, column))
            axis.set_title(TITLES[column], fontsize=12, loc="left")
        figure.savefig(file, dpi=110, metadata={"Software": None})
        plt.close(figure)


def _panel(axis: Axes, variants: Sequence[Variant]) -> None:
    """A point for each rule alone, and a line of rules together."""
    whole = base(variants, variants[0].column)
    together = []
    for each in variants:
        point = (each.numbers, _mean(whole, each))
        if len(each.without) == 1:
            axis.plot(*point, "o", ms=5, color=FLOWS[1])
        else:
            together.append(point)
            axis.errorbar(*point, yerr=_error(whole, each), lw=1, capsize=3, color=FLOWS[0])
    axis.plot(*zip(*sorted(together), strict=True), "o-", lw=2, ms=7, color=FLOWS[0])
    axis.set_ylim(0, 1.2 * max(_mean(whole, each) for each in variants))
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.set_xlabel("numbers of our own that are left")
    axis.set_ylabel(f"mean points of {len(whole.points)} calls")


def _mark(axis: Axes, plain: Variant, whole: Variant) -> None:
    """The generation without rules."""
    point = (plain.numbers, _mean(whole, plain))
    axis.errorbar(*point, yerr=_error(whole, plain), fmt="D", ms=7, lw=1, capsize=3, color=FLOWS[2])
    axis.annotate(plain.column, point, xytext=(10, -4), textcoords="offset points")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="make the calls of one variant")
    making.add_argument("directory", type=Path)
    making.add_argument("names", nargs="*", metavar="NAME")
    making.add_argument("--column", choices=(*TITLES, *PLAIN.values()), default="auto")
    making.add_argument("--without", action="append", default=[], metavar="RULE")
    paging = commands.add_parser("page", help="write the page")
    paging.add_argument("directory", type=Path)
    paging.add_argument("--page", type=Path, metavar="FILE")
    paging.add_argument("--with", type=Path, metavar="CALLS", dest="earlier")
    options = parser.parse_args(arguments)
    if options.command == "make":
        make(options.directory, options.column, options.without, options.names)
        return 0
    earlier = kept(options.earlier) if options.earlier else []
    try:
        page(options.directory, options.page or options.directory / PAGE, earlier)
    except TestbedError as problem:
        raise SystemExit(f"error: {problem}") from None
    return 0


if __name__ == "__main__":
    sys.exit(main())
