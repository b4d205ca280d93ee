"""The worth of each rule of the default, and the ladder from a published generation to it.

    build/venv/bin/python testbed/tools/ablation.py DIRECTORY [--column NAME] [--seed N] [--calls N]
        [--recordings DIR] [--rungs-only] [--page FILE]

Builds the committed source below DIRECTORY without each rule of ablation.toml, and without those
that a rung of the ladder lacks. Each build makes drawn calls on recordings and ordinary ones, in
the simulators of judge.py: two minutes for each 300 calls and build. The page has the ladder of
each column, with its picture, and a line for each rule alone. A directory belongs to the commit
that it was begun with.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import judge
import matplotlib.pyplot as plt
from judge import Contender, Judged
from matplotlib.axes import Axes

from gcc_testbed.report.style import FLOWS, STYLE
from gcc_testbed.studies.drawn.calls import Drawn, name_of
from gcc_testbed.studies.drawn.mean import cell, mean
from gcc_testbed.studies.paths import folder
from gcc_testbed.support import commits
from gcc_testbed.support.errors import TestbedError

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_suffix(".toml")
LIBRARY = Path("gst/gcc")
PROFILE = LIBRARY / "profiles/gcc-profile-recommended.c"
COMMIT = "commit.txt"
OURS = "ours"
SERIES = ("paths", "ordinary")
COLUMNS = ("auto", "remb")
LADDER = (
    "| with | lines | numbers | recordings: points | beside the default | use | false back-off % "
    "| frame delay p95 ms | ordinary: points | beside the default |",
    "|---|---|---|---|---|---|---|---|---|---|",
)
ALONE = ("| without | numbers | recordings | ordinary |", "|---|---|---|---|")
HOW_TO_READ = """\
## How to read it

*Lines* are those of the files that the rules of a column need, *numbers* those of our own in the
profile. *Beside the default* is the mean difference of the points in the same calls, with its
standard error: below 0 the rules that are missing pay. A rung without a difference is as good as
the default. The calls are drawn as those of [recorded paths](paths.md) and [ordinary
calls](testbed.md#ordinary-calls), in the simulators of the unit tests. No rule was chosen by this
seed.
"""


@dataclass(frozen=True)
class Rule:
    """A rule of the default in one column, and where in the profile its numbers are."""

    name: str
    column: str
    off: tuple[tuple[str, str], ...]
    place: range


@dataclass(frozen=True)
class Rung:
    """The default without some rules, and without the files that nothing needs then."""

    name: str
    without: tuple[str, ...]
    unused: tuple[str, ...] = ()


@dataclass(frozen=True)
class Column:
    name: str
    title: str
    plain: str
    files: tuple[str, ...]
    rungs: tuple[Rung, ...]


def columns() -> list[Column]:
    tables = tomllib.loads(TABLE.read_text("utf-8"))["column"]
    return [_column(name, tables[name]) for name in COLUMNS]


def _column(name: str, table: dict[str, Any]) -> Column:
    rungs = (Rung(r["name"], tuple(r["without"]), tuple(r["unused"])) for r in table["rung"])
    return Column(name, table["title"], table["plain"], tuple(table["files"]), tuple(rungs))


def rules(profile: str) -> list[Rule]:
    """Those of ablation.toml, found in the text of the profile."""
    return [_rule(table, profile) for table in tomllib.loads(TABLE.read_text("utf-8"))["rule"]]


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
        raise SystemExit(f"{TABLE.name}: {PROFILE} has this {profile.count(text)} times: {text!r}")
    return profile.index(text)


def _of(column: Column, profile: str) -> list[Rule]:
    return [rule for rule in rules(profile) if rule.column == column.name]


def chosen(every: Sequence[Rule], names: Sequence[str], column: str) -> list[Rule]:
    """The rules of a column by their names."""
    found = {rule.name: rule for rule in every if rule.column == column}
    unknown = [name for name in names if name not in found]
    if unknown:
        raise SystemExit(f"no rule {unknown[0]!r} in column {column}; known: {', '.join(found)}")
    return [found[name] for name in names]


def switched_off(profile: str, some: Sequence[Rule]) -> str:
    """The profile without some rules. A text that is part of another's goes with that one."""
    done: list[str] = []
    texts = [each for rule in some for each in rule.off]
    for old, new in sorted(texts, key=lambda text: len(text[0]), reverse=True):
        if old not in profile and not any(old in longer for longer in done):
            raise SystemExit(f"{TABLE.name}: another rule has replaced some of {old!r}")
        profile = profile.replace(old, new)
        done.append(old)
    return profile


def numbers(profile: str, without: Sequence[Rule]) -> int:
    """The numbers of our own that only other rules need."""
    places = [found.start() for found in re.finditer(OURS, profile)]
    return sum(all(at not in rule.place for rule in without) for at in places)


def lines(files: Iterable[str], unused: Iterable[str] = ()) -> int:
    """Of the files of a column, less those that nothing needs."""
    left = _found(files) - _found(unused)
    return sum(len(file.read_text("utf-8").splitlines()) for file in left)


def _found(patterns: Iterable[str]) -> set[Path]:
    return {file for pattern in patterns for file in (ROOT / LIBRARY).glob(pattern)}


# --- the builds, and their calls ---


@dataclass
class Workshop:
    """The committed source, built with one profile after the other."""

    directory: Path
    calls: dict[str, list[Drawn]]
    texts: dict[str, str]
    made: dict[tuple[str, str, str], Judged] = field(default_factory=dict)

    @cached_property
    def tree(self) -> Path:
        tree = self.directory / "source"
        if not tree.is_dir():
            tree.mkdir(parents=True)
            (self.directory / COMMIT).write_text(_git("describe", "--always", "--dirty").decode())
            subprocess.run(("tar", "-x"), cwd=tree, check=True, input=_git("archive", "HEAD"))
            shutil.copy(tree / PROFILE, self.directory)
            subprocess.run(("meson", "setup", "build"), cwd=tree, check=True, stdout=sys.stderr)
        return tree

    @cached_property
    def profile(self) -> str:
        assert self.tree
        return (self.directory / PROFILE.name).read_text("utf-8")

    def judged(self, column: Column, series: str, without: Sequence[str], plain: bool) -> Judged:
        key = (column.name, series, column.plain if plain else "; ".join(without))
        if key not in self.made:
            self._build(column, without)
            name = column.plain if plain else judge.PROFILE
            contender = Contender(self.tree / "build", name, column.name == "remb")
            print(f"{column.title}: {series}, {key[2] or 'all rules'}", file=sys.stderr)
            self.made[key] = judge.judged(contender, self.calls[series], self.texts[series])
        return self.made[key]

    def _build(self, column: Column, without: Sequence[str]) -> None:
        off = chosen(rules(self.profile), without, column.name)
        text = switched_off(self.profile, off)
        file = self.tree / PROFILE
        if file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
        ninja = ("ninja", "-C", self.tree / "build", str(judge.PROGRAM))
        subprocess.run(ninja, check=True, stdout=subprocess.DEVNULL)


def _git(*words: str) -> bytes:
    made = subprocess.run(("git", *words), cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return made.stdout


def workshop(directory: Path, seed: int, calls: int, recordings: Path) -> Workshop:
    drawn, texts = {}, {}
    for series in SERIES:
        letter = judge.LETTERS[series]
        names = [name_of(seed, number, letter) for number in range(1, calls + 1)]
        every = judge.drawn(names, recordings)
        described, _ = judge.described(every)
        drawn[series] = [call for call in every if call.name in described]
        texts[series] = "".join(described.values())
    return Workshop(directory, drawn, texts)


# --- the page ---


@dataclass(frozen=True)
class Step:
    """A line of the ladder."""

    name: str
    lines: int
    numbers: int
    made: dict[str, Judged]


def ladder(shop: Workshop, column: Column) -> list[Step]:
    every = _of(column, shop.profile)
    plain = {series: shop.judged(column, series, (), plain=True) for series in SERIES}
    steps = [Step(f"{column.plain}, as published", 0, 0, plain)]
    of_others = numbers(shop.profile, every)
    for rung in column.rungs:
        off = chosen(every, rung.without, column.name)
        made = {series: shop.judged(column, series, rung.without, plain=False) for series in SERIES}
        own = numbers(shop.profile, off) - of_others
        steps.append(Step(rung.name, lines(column.files, rung.unused), own, made))
    return steps


def ladder_rows(steps: Sequence[Step], calls: dict[str, list[Drawn]]) -> list[str]:
    return [_ladder_row(step, steps[-1], calls) for step in steps]


def _ladder_row(step: Step, last: Step, calls: dict[str, list[Drawn]]) -> str:
    cells = [step.name, str(step.lines or "–"), str(step.numbers or "–")]
    for series in SERIES:
        own, names = step.made[series], [call.name for call in calls[series]]
        beside = mean(own.gains(last.made[series], names))
        cells.append(cell(mean(own.column("points", names)), 1))
        cells.append("–" if step is last else cell(beside, 1, "+"))
        if series == "paths":
            cells += [cell(mean(own.column("use", names)), 3)]
            cells += [cell(mean(own.column("false_back_off_percent", names)), 1)]
            cells += [cell(mean(own.column("delay_p95_ms", names)), 0)]
    return f"| {' | '.join(cells)} |"


def alone_rows(shop: Workshop, column: Column) -> list[str]:
    """The gain of the points without one rule, for each."""
    whole = {series: shop.judged(column, series, (), plain=False) for series in SERIES}
    rows = []
    for rule in _of(column, shop.profile):
        gains = []
        for series in SERIES:
            own = shop.judged(column, series, (rule.name,), plain=False)
            names = [call.name for call in shop.calls[series]]
            gains.append(cell(mean(own.gains(whole[series], names)), 1, "+"))
        used = numbers(shop.profile, []) - numbers(shop.profile, [rule])
        rows.append(f"| {rule.name} | {used} | {' | '.join(gains)} |")
    return rows


def page(shop: Workshop, some: Sequence[Column], file: Path, rungs_only: bool) -> None:
    made_by = (shop.tree.parent / COMMIT).read_text("utf-8").strip()
    commits.check(file, [made_by])
    picture = file.parent / "images" / f"{file.stem}.png"
    counts = " and ".join(f"{len(shop.calls[series])} ({series})" for series in SERIES)
    out = [
        *("# The ladder to the default, and the worth of each rule", ""),
        f"Written by `testbed/tools/ablation.py` from {counts} calls, {commits.made_by([made_by])}",
        *("", f"![points over lines of code]({picture.relative_to(file.parent)})"),
    ]
    ladders = {column.title: ladder(shop, column) for column in some}
    for column in some:
        out += ["", f"## {column.title}", "", *LADDER]
        out += ladder_rows(ladders[column.title], shop.calls)
        if not rungs_only:
            out += ["", *ALONE, *alone_rows(shop, column)]
    picture.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join([*out, "", HOW_TO_READ]), "utf-8")
    draw(ladders, shop.calls, picture)


def draw(ladders: dict[str, list[Step]], calls: dict[str, list[Drawn]], file: Path) -> None:
    """Points over lines of code, with errors of the difference from the default."""
    with plt.rc_context({**STYLE, "font.size": 11}):
        figure, axes = plt.subplots(
            1, len(ladders), figsize=(6 * len(ladders), 4.4), layout="constrained", squeeze=False
        )
        for axis, (title, steps) in zip(axes[0], ladders.items(), strict=True):
            for number, series in enumerate(SERIES):
                _line(axis, steps, series, [call.name for call in calls[series]], number)
            axis.set_title(title, fontsize=12, loc="left")
            axis.set_xlabel("lines of code of the default's own")
            axis.set_ylabel("points")
            axis.legend(loc="lower right", frameon=False)
        figure.savefig(file, dpi=110, metadata={"Software": None})
        plt.close(figure)


def _line(axis: Axes, steps: Sequence[Step], series: str, names: list[str], number: int) -> None:
    last = steps[-1].made[series]
    points = [mean(step.made[series].column("points", names)) for step in steps]
    errors = [mean(step.made[series].gains(last, names)) for step in steps]
    axis.errorbar(
        [step.lines for step in steps],
        [found.value for found in points if found],
        yerr=[found.error for found in errors if found],
        fmt="o-", lw=2, ms=6, capsize=3, color=FLOWS[number],
        label={"paths": "on recordings", "ordinary": "ordinary calls"}[series],
    )  # fmt: skip


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--column", choices=COLUMNS, action="append")
    parser.add_argument("--seed", type=int, default=301)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--recordings", type=Path, default=folder.RECORDINGS, metavar="DIR")
    parser.add_argument("--rungs-only", action="store_true", help="without a line for each rule")
    parser.add_argument("--page", type=Path, metavar="FILE", help="(DIRECTORY/ladder.md)")
    options = parser.parse_args(words)
    some = [each for each in columns() if each.name in (options.column or COLUMNS)]
    try:
        shop = workshop(options.directory, options.seed, options.calls, options.recordings)
        file = options.page or options.directory / "ladder.md"
        page(shop, some, file, options.rungs_only)
    except TestbedError as problem:
        raise SystemExit(f"error: {problem}") from None
    return 0


if __name__ == "__main__":
    sys.exit(main())
