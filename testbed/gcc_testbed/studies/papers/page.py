"""A paper's page: its figures, the calls they are made from, and published results beside ours."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import matplotlib.pyplot as plt

from gcc_testbed.studies.papers.calls import Call, by_point, data_file, matching, mean, write_csv
from gcc_testbed.studies.papers.layouts import bars as plot_bars
from gcc_testbed.studies.papers.layouts import curves as plot_curves
from gcc_testbed.studies.papers.layouts import delays as plot_delays
from gcc_testbed.studies.papers.layouts import scatter as plot_scatter
from gcc_testbed.studies.papers.layouts import timeline as plot_time
from gcc_testbed.studies.papers.layouts.axes import STYLE
from gcc_testbed.studies.papers.paper import Figure, Paper, Tries, is_chosen
from gcc_testbed.studies.papers.quantities import QUANTITIES
from gcc_testbed.studies.papers.verdicts import (
    DIFFERS,
    NOT_RUN,
    SAME,
    VERDICTS,
    WITHIN,
    Judged,
    judge,
)
from gcc_testbed.studies.sweeps.sweep_file import Run

LAYOUTS = {
    "bars": plot_bars.draw,
    "curves": plot_curves.draw,
    "delays": plot_delays.draw,
    "scatter": plot_scatter.draw,
    "time": plot_time.draw,
}
INDEX = "README.md"
MARKS = {WITHIN: "within tolerance", SAME: "same direction", DIFFERS: "**differs**", NOT_RUN: "–"}

VERDICT = """\
A result is *within tolerance* when ours lies in the interval that stands for the published number
(for numbers that the paper bounds, "above 0.8", the bound). It has the *same direction* when it is
outside, or the paper gives no number, and the paper's statement still holds by a second interval
(`same` in `published.toml`). Otherwise it *differs*."""
RULE = f"""\
{VERDICT}

*Take* says how several points become one number: the mean, least or most over the points (each the
mean of its repeats); *trend* is the part of the pairs of points that rise less the part that fall,
from -1 to 1; *difference* and *ratio* compare two sets of points. Where the last column names
points, the verdict is of these alone."""


@dataclass(frozen=True)
class Outcome:
    """A paper with its calls, by sweep."""

    paper: Paper
    calls_by_sweep: dict[str, list[Call]]

    def calls(self) -> list[Call]:
        """All of them, each once, though several sweeps may have it."""
        every = (call for calls in self.calls_by_sweep.values() for call in calls)
        return list({(call.settings, call.seed): call for call in every}.values())

    def judged(self) -> list[Judged]:
        results = self.paper.results
        return [judge(self.paper, result, self.calls_by_sweep[result.sweep]) for result in results]


def write(outcome: Outcome, pages: Path) -> None:
    """The page `NAME.md`, its pictures in `NAME/`, its data in `data/`."""
    paper, judged = outcome.paper, outcome.judged()
    pictures, data = pages / paper.name, pages / "data"
    for directory in (pictures, data):
        directory.mkdir(parents=True, exist_ok=True)
    for sweep in paper.sweeps:
        if calls := outcome.calls_by_sweep[sweep.name]:
            write_csv(calls, data_file(pages, paper, sweep))
    lines = [f"# {paper.title}", "", paper.citation, "", _stands_on(outcome), ""]
    if paper.notes:
        lines += [paper.notes.strip(), ""]
    lines += [*_counts(judged), ""]
    for figure in paper.figures:
        lines += _figure(paper, figure, outcome.calls_by_sweep[figure.sweep], judged, pictures)
    for tries in paper.tries:
        lines += tries_table(tries, outcome.calls_by_sweep[tries.sweep])
    lines += ["## The rule", "", RULE, ""]
    (pages / f"{paper.name}.md").write_text("\n".join(lines))


def index(outcomes: list[Outcome], pages: Path) -> None:
    """The index of the pages: verdicts by paper."""
    (pages / INDEX).write_text("\n".join([*_verdicts(outcomes, pages), *_closing(outcomes)]))


def summary(outcomes: list[Outcome], pages: Path, folder: Path) -> None:
    """The index alone, with the first figure of each paper beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    shown = []
    for each in outcomes:
        drawn = pages / each.paper.name / each.paper.figures[0].file
        if drawn.is_file():
            picture = f"{each.paper.name}.png"
            shutil.copyfile(drawn, folder / picture)
            first = each.paper.figures[0]
            shown += [f"![{first.name}]({picture})", ""]
            shown += [f"*{each.paper.title}, {first.name.lower()}: {first.shows}.*", ""]
    lines = [*_verdicts(outcomes, folder), *_closing(outcomes)]
    (folder / INDEX).write_text("\n".join([*lines, *shown]))


def _verdicts(outcomes: list[Outcome], pages: Path) -> list[str]:
    """The table: a line for each paper, which leads to its page where there is one."""
    lines = [
        "# Published results, made again",
        "",
        "Written by `gcc-testbed papers` (docs/how-to/reproduce-a-paper.md).",
        "",
        f"| paper | results | {' | '.join(VERDICTS)} | calls | call-hours |",
        f"|---|{'---|' * (len(VERDICTS) + 3)}",
    ]
    for each in outcomes:
        name, calls, judged = each.paper.name, each.calls(), each.judged()
        counts = Counter(one.verdict for one in judged)
        has_page = (pages / f"{name}.md").is_file()
        title = f"[{each.paper.title}]({name}.md)" if has_page else each.paper.title
        cells = [title, len(judged), *(counts[v] for v in VERDICTS)]
        cells += [len(calls), f"{_hours(calls):.1f}"]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def _closing(outcomes: list[Outcome]) -> list[str]:
    mechanisms = [f"* {each.paper.mechanism}" for each in outcomes if each.paper.mechanism]
    return ["", VERDICT, "", "Mechanisms, with the traces that show them:", "", *mechanisms, ""]


def _stands_on(outcome: Outcome) -> str:
    calls = outcome.calls()
    planned = sum(len(each.plan.runs) for each in outcome.paper.sweeps)
    if not calls:
        return f"None of its {planned} calls has been made yet."
    line = f"Made from {len(calls)} calls ({_hours(calls):.1f} call-hours) of the paper's {planned}"
    return (
        f"{line}: {_kinds(calls)}. Commit {_names(call.commit for call in calls)}, profile "
        f"{_names(call.profile for call in calls)}. A line for each call is in "
        f"`data/{outcome.paper.name}-*.csv`."
    )


def _figure(
    paper: Paper, figure: Figure, calls: list[Call], judged: list[Judged], pictures: Path
) -> list[str]:
    """A figure's part of the page."""
    calls = matching(calls, figure.where)
    if figure.layout == "time":
        calls = plot_time.shown_calls(figure, calls)
    lines = [f"## {figure.name}: {figure.shows}", ""]
    if calls and not _keeps_picture(figure, calls):
        with plt.rc_context(STYLE):
            drawn = LAYOUTS[figure.layout](figure, calls, paper)
            drawn.savefig(pictures / figure.file, dpi=100, metadata={"Software": None})
            plt.close(drawn)
    if calls and (pictures / figure.file).is_file():
        lines += [f"![{figure.name}]({paper.name}/{figure.file})", ""]
    lines += [_basis(paper, figure, calls), ""]
    own = [each for each in judged if each.result.figure == figure.name]
    if own:
        lines += ["| the paper | take | published | counts as the same | ours | verdict | calls |"]
        lines += ["|---|---|---|---|---|---|---|", *map(_row, own), ""]
    if figure.name in paper.explained:
        lines += [paper.explained[figure.name].strip(), ""]
    return lines


def _keeps_picture(figure: Figure, calls: list[Call]) -> bool:
    """A figure over time needs traces: without them the earlier drawing is kept."""
    return figure.layout == "time" and any(call.directory is None for call in calls)


def _basis(paper: Paper, figure: Figure, calls: list[Call]) -> str:
    """The points and runs a figure is made from."""
    runs = [run for run in paper.sweep(figure.sweep).plan.runs if is_chosen(run.keys, figure.where)]
    if figure.layout == "time":
        if not calls:
            return "*Not run yet.*"
        wanted = len(figure.how["call"])
        drawn = "as drawn then" if _keeps_picture(figure, calls) else "from their traces"
        return f"*{len(calls)} of {wanted} calls, {drawn}; {_kinds(calls)}; {_made_by(calls)}.*"
    planned: dict[str, list[Run]] = {}
    for run in runs:
        planned.setdefault(run.point, []).append(run)
    if not calls:
        return f"*Not run yet: {len(planned)} points.*"
    repeats = sorted(len(of_point) for of_point in by_point(calls).values())
    each = f"{repeats[0]}" if repeats[0] == repeats[-1] else f"{repeats[0]} to {repeats[-1]}"
    return (
        f"*{len(repeats)} of {len(planned)} points, {each} of {len(runs) // len(planned)} runs "
        f"each; {_kinds(calls)}; {_made_by(calls)}.*"
    )


def tries_table(tries: Tries, calls: list[Call]) -> list[str]:
    """A table with a line for each attempt, also for those without an effect."""
    head = ["tried", *(_plain(QUANTITIES[name].label) for name in tries.measures), "calls"]
    rows = [["*the paper*", *(tries.published.get(name, "–") for name in tries.measures), ""]]
    points = by_point(calls)
    for point, says in tries.tried.items():
        made = points.get(point, [])
        rows.append([says, *(_number(made, name) for name in tries.measures), str(len(made))])
    return [
        f"## Tries: {tries.name}",
        "",
        tries.about.strip(),
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        *([f"*{_kinds(calls)}; {_made_by(calls)}.*", ""] if calls else []),
    ]


def _number(calls: list[Call], quantity: str) -> str:
    value = mean(calls, quantity)
    return "–" if value is None else f"{value:.{QUANTITIES[quantity].digits}f}"


def _row(judged: Judged) -> str:
    result = judged.result
    digits = result.how.get("digits", QUANTITIES[result.quantity].digits)
    if result.take == "trend":
        digits = 2
    ours = "–" if judged.ours is None else f"{judged.ours:.{digits}f}"
    published = result.how.get("published", "–" if result.value is None else f"{result.value:g}")
    bounds = result.within if result.within is not None else result.same
    part = (
        ""
        if judged.points == judged.points_run
        else f"{judged.points_run} of {judged.points} points, "
    )
    what = f"{result.take} of {_plain(QUANTITIES[result.quantity].label)}"
    cells = [result.says, what, published, _interval(bounds), ours, MARKS[judged.verdict]]
    return f"| {' | '.join([*cells, f'{part}{judged.calls}'])} |"


def _plain(label: str) -> str:
    """A label without mathtext."""
    for sign in "${}":
        label = label.replace(sign, "")
    return label.replace("|", "\\|")


def _interval(bounds: tuple[float, float] | None) -> str:
    if bounds is None:
        return "–"
    low, high = bounds
    if high >= 1e6:
        return f"≥ {low:g}"
    if low <= -1e6:
        return f"≤ {high:g}"
    return f"{low:g} to {high:g}"


def _counts(judged: list[Judged]) -> list[str]:
    counts = Counter(each.verdict for each in judged)
    parts = [f"{counts[name]} {name}" for name in VERDICTS if counts[name]]
    return [f"**{len(judged)} published results: {', '.join(parts)}.**"]


def _kinds(calls: list[Call]) -> str:
    names = {"vp8": "real VP8", "model": "the traffic model"}
    counts = Counter(call.source for call in calls)
    if len(counts) == 1:
        source = next(iter(counts))
        return names.get(source, source)
    return ", ".join(f"{count} {names.get(source, source)}" for source, count in counts.items())


def _made_by(calls: list[Call]) -> str:
    profiles, commits = ({c.profile for c in calls}, {c.commit for c in calls})
    return f"profile {_names(profiles)}, commit {_names(commits)}"


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names)))


def _hours(calls: list[Call]) -> float:
    return sum(call.duration_s for call in calls) / 3600
