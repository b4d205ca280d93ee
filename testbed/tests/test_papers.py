"""The papers: what is made again, in which order, verdicts by the rule, and honest pages."""

import json
import os
import re
import subprocess
import sys
import tarfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gcc_testbed.cli import main
from gcc_testbed.measure import dynamics
from gcc_testbed.run import pipelines
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.network import Ports
from gcc_testbed.scenario.scenario_file import load
from gcc_testbed.scenario.sequence import stand_in
from gcc_testbed.studies.papers import page as paper_page
from gcc_testbed.studies.papers import paper, verdicts
from gcc_testbed.studies.papers.calls import Call, read, settings_of
from gcc_testbed.studies.papers.layouts import delays
from gcc_testbed.studies.papers.near import near_bounds
from gcc_testbed.studies.papers.quantities import QUANTITIES
from gcc_testbed.studies.papers.rounds import rounds_of
from gcc_testbed.studies.sweeps.sweep_file import option
from gcc_testbed.support import archive
from gcc_testbed.support.errors import TestbedError

TESTBED = Path(__file__).resolve().parent.parent
ALL = ("ccr16", "fhmn13", "ietf88", "pv13")
# Stands for the testbed's `run`: counts, and leaves what a call leaves.
STUB = """
import json, os, pathlib, signal, sys
words = sys.argv[1:]
out, seed = pathlib.Path(words[3]), int(words[5])
log = pathlib.Path(os.environ["CALLS"])
with log.open("a") as calls:
    calls.write(f"{out} {seed}\\n")
delay = dict.fromkeys(("p5", "p25", "p50", "p75", "p95", "max", "mean"), 10.0)
flow = {"name": "gcc", "kind": "gcc", "received_kbps": 900.0, "utilisation": 0.9, "n_dd": 3,
        "loss_ratio": 0.01, "rtt_queueing_ms": delay, "good_utilisation": 0.88}
metrics = {"measure_from_s": 0, "duration_s": 300, "capacity_kbps": 1000, "profile": "rtcweb-2013",
           "source": "vp8", "flows": [flow], "link": {"utilisation": 0.9}}
scenario = {"flow": [{"kind": "gcc", "name": "gcc", "min_kbps": 50}], "duration_s": 300}
(out / "link.csv").write_text("time_s,kbps\\n100,1000\\n")
seconds = "time_s,flow,received_kbps\\n0,gcc,900\\n1,gcc,910\\n"
(out / "per-second.csv").write_text(seconds)
(out / "a.pcap").write_text("large")
record = {"scenario": scenario, "versions": {"commit": "abc1234"}}
(out / "call.json").write_text(json.dumps(record))
(out / "metrics.json").write_text(json.dumps(metrics))
"""


def pv13() -> paper.Paper:
    return paper.load("pv13")


def call(u: float, seed: int = 1, **keys: object) -> Call:
    about = ("rtcweb-2013", "vp8", "abc1234", 300)
    return Call(str(keys), dict(keys), seed, Path(), {"U": u}, *about, settings="5e771965")


def result(take: str = "mean", **more: Any) -> paper.Result:  # noqa: ANN401
    values: dict[str, Any] = {"within": None, "same": None, "how": {}, "where": {}} | more
    return paper.Result(
        "F", "says", "s", quantity="U", take=take, value=None, tolerance=None, **values
    )


def test_every_paper_can_be_read_and_every_point_of_it_is_a_scenario() -> None:
    assert tuple(paper.names()) == ALL
    for name in ALL:
        for sweep in paper.load(name).sweeps:
            for runs in sweep.plan.points().values():
                changes = tuple(option(*setting) for setting in runs[0].settings.items())
                found = load(runs[0].scenario, changes)
                # Published before there was transport-wide feedback.
                for flow in found.flows:
                    assert not isinstance(flow, GccFlow) or flow.feedback == "remb"


def test_the_grids_are_those_of_the_papers() -> None:
    count = {
        (name, sweep.name): len(sweep.plan.runs)
        for name in ALL
        for sweep in paper.load(name).sweeps
    }
    assert count["pv13", "figures-5-6-7"] == 720
    assert count["pv13", "figures-1-8-9-10-11"] == 540
    assert count["fhmn13", "figures-4-5"] == 16 * 5
    assert count["ccr16", "figure-4"] == 6 * 6
    assert count["ccr16", "figure-7"] == 5 * 5 * 6


def test_the_rate_beside_others_is_that_of_the_seconds_when_all_are_there(tmp_path: Path) -> None:
    rows = [(0, "gcc", 2000), (1, "gcc", 900), (1, "tcp", 5), (2, "gcc", 1100), (3, "gcc", 2000)]
    lines = ["time_s,flow,received_kbps", *(f"{s},{name},{kbps}" for s, name, kbps in rows)]
    (tmp_path / "per-second.csv").write_text("\n".join(lines) + "\n")
    flows = [{"name": "gcc", "start_s": 0}, {"name": "tcp", "start_s": 1, "stop_s": 3}]
    assert dynamics.rate_beside(tmp_path, {"duration_s": 4, "flow": flows}) == 1000
    assert dynamics.rate_beside(tmp_path, {"duration_s": 4, "flow": flows[:1]}) == 1500


def test_a_remb_below_a_s_counts_where_the_minimum_does_not_let_a_s_follow(tmp_path: Path) -> None:
    rows = [
        (0, "start", "", 60000),
        (1, "remb", 50000, 50000),
        (2, "remb", 45000, 50000),
        (3, "report", 45000, 50000),
        (4, "remb", 55000, 50000),
        (9, "remb", 40000, 50000),
    ]
    lines = ["time_s,event,remb_bps,a_s_bps", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "sender.csv").write_text("\n".join(lines) + "\n")
    trace = dynamics.trace_of(tmp_path, "sender", "gcc", 0)
    assert dynamics.rembs_below(trace, 0, 5) == 2


@pytest.mark.parametrize("name", ALL)
def test_quick_is_a_part_of_full_and_has_a_point_of_every_sweep(name: str) -> None:
    for sweep in paper.load(name).sweeps:
        quickly = sweep.quickly()
        assert quickly
        assert all(run in sweep.plan.runs for run in quickly)


@pytest.mark.parametrize("name", ALL)
def test_every_result_can_be_measured_and_has_a_bound(name: str) -> None:
    for each in paper.load(name).results:
        assert each.quantity in QUANTITIES
        assert each.take in verdicts.TAKES
        assert each.within or each.same


@pytest.mark.parametrize("name", ALL)
def test_every_figure_has_a_published_result(name: str) -> None:
    loaded = paper.load(name)
    judged = {each.figure for each in loaded.results}
    # Some show the calls of another one over time, for what is said of it.
    shown = {figure.name.removesuffix(" over time") for figure in loaded.figures}
    assert shown == judged


def test_the_smoke_test_makes_one_short_call_of_every_paper() -> None:
    ((_, parts),) = rounds_of([paper.load(name) for name in ALL], full=False, smoke=True)
    assert [part.paper.name for part in parts] == list(ALL)
    assert [run.settings["duration_s"] for part in parts for run in part.runs] == [10] * 4


def test_every_point_is_made_once_before_any_is_made_twice() -> None:
    rounds = list(rounds_of([pv13()], full=True, smoke=False))
    assert [title for title, _ in rounds] == [
        "quick",
        "run 1 of every point",
        "run 2 of every point",
        "run 3 of every point",
    ]
    once = {run.point for part in rounds[1][1] for run in part.runs}
    assert once == {run.point for sweep in pv13().sweeps for run in sweep.plan.runs}


def test_a_number_within_the_tolerance_is_within_it() -> None:
    bounds: dict[str, Any] = {"within": (0.8, 0.9), "same": (0.5, 1.0)}
    assert verdicts.verdict(0.85, result(**bounds)) == "within tolerance"
    assert verdicts.verdict(0.95, result(**bounds)) == "same direction"
    assert verdicts.verdict(0.2, result(**bounds)) == "differs"


def test_what_was_not_run_has_no_verdict() -> None:
    assert verdicts.verdict(None, result(within=(0, 1))) == "not run"


def test_a_statement_without_a_number_is_at_best_of_the_same_direction() -> None:
    assert verdicts.verdict(0.0, result(same=(0, 1))) == "same direction"


def test_a_trend_is_one_when_every_point_is_above_those_before() -> None:
    assert verdicts.trend([(1, 0.1), (2, 0.2), (3, 0.3)]) == 1
    assert verdicts.trend([(1, 0.3), (2, 0.2), (3, 0.1)]) == -1
    assert verdicts.trend([(1, 0.3), (2, 0.3)]) == 0
    assert verdicts.trend([(1, 0.3)]) is None


def test_a_trend_is_taken_for_each_of_the_other_settings() -> None:
    calls = [call(0.5, b=500, x=1), call(0.6, b=500, x=2), call(0.9, b=900, x=1)]
    rising = result("trend", how={"x": "x"})
    # With b = 900 there is one point: no trend.
    assert verdicts.TAKES["trend"](rising, calls) == 1


def test_a_key_may_go_along_with_that_of_a_trend() -> None:
    calls = [call(0.5, x=1, y=1), call(0.6, x=2, y=3)]
    assert verdicts.TAKES["trend"](result("trend", how={"x": "x"}), calls) is None
    along = result("trend", how={"x": "x", "along": ["y"]})
    assert verdicts.TAKES["trend"](along, calls) == 1


def test_the_least_is_over_points_and_over_calls_when_asked() -> None:
    calls = [call(0.2, seed=1, x=1), call(0.8, seed=2, x=1), call(0.7, x=2)]
    assert verdicts.TAKES["least"](result("least"), calls) == pytest.approx(0.5)
    assert verdicts.TAKES["least"](result("least", how={"over": "calls"}), calls) == 0.2


def test_a_difference_compares_where_with_against() -> None:
    calls = [call(0.9, x=1, y=1), call(0.6, x=2, y=1), call(0.1, x=2, y=2)]
    compared = result("difference", where={"x": [1], "y": [1]}, how={"against": {"x": 2}})
    assert verdicts.TAKES["difference"](compared, calls) == pytest.approx(0.3)


def test_a_verdict_near_a_bound_is_known() -> None:
    def judged(ours: float | None, **bounds: Any) -> verdicts.Judged:  # noqa: ANN401
        return verdicts.Judged(result(**bounds), ours, "", 1, 1, 1)

    assert verdicts.is_near(judged(0.895, within=(0.9, 1.0)))
    assert not verdicts.is_near(judged(0.95, within=(0.9, 1.0)))
    assert not verdicts.is_near(judged(0.7, within=(0.9, 1.0)))
    # The other interval may be what decides.
    assert verdicts.is_near(judged(0.51, within=(0.9, 1.0), same=(0.5, 1.0)))
    assert not verdicts.is_near(judged(None, within=(0.9, 1.0)))
    # Nothing is below no loss, or falls more than always.
    assert not verdicts.is_near(judged(0.0, within=(0.0, 0.5)))
    assert not verdicts.is_near(judged(-1.0, take="trend", same=(-1, -0.2)))
    assert verdicts.is_near(judged(0.0, take="difference", same=(0, 1)))


def test_what_is_missing_of_three_runs_is_made_near_a_bound() -> None:
    loaded = paper.load("ietf88")
    (at_5,) = [each for each in loaded.results if each.says == "rate at 5 %"]
    near = verdicts.Judged(at_5, 1391.0, "within tolerance", 1, 1, 1)
    calls: dict[str, list[Call]] = {sweep.name: [] for sweep in loaded.sweeps}
    calls["table-loss"] = [replace(call(1.0), point=each) for each in ("5-percent", "1-percent")]
    (part,) = near_bounds(loaded, [near], calls)
    assert {run.point for run in part.runs} == {"5-percent"}
    assert [run.seed for run in part.runs] == [2, 3]


def test_what_was_tried_is_a_table_with_the_papers_numbers(tmp_path: Path) -> None:
    tries = paper.Tries("F", "What was tried.", "s", ("U",), {"U": "> 0.9"}, {"a": "A", "b": "B"})
    made = [replace(call(0.94), point="a"), replace(call(0.92, seed=2), point="a")]
    lines = paper_page.tries_table(tries, made)
    assert "| *the paper* | > 0.9 |  |" in lines
    assert "| A | 0.930 | 2 |" in lines
    assert "| B | – | 0 |" in lines


def test_a_published_number_is_marked_in_its_panel(tmp_path: Path) -> None:
    loaded = paper.load("ccr16")
    (figure,) = [each for each in loaded.figures if each.name == "Figure 4"]
    queue = {"kind": "droptail", "ms": 300}
    keys: dict[str, Any] = {"link.forward.queue": queue, "link.forward.rate_kbps": 1000}
    drawn = delays.draw(figure, [call(0.9, **keys)], loaded)
    assert "published" in drawn.axes[0].get_legend_handles_labels()[1]


def planned(of: paper.Paper) -> int:
    return sum(len(sweep.plan.runs) for sweep in of.sweeps)


def test_a_page_without_calls_says_so_and_claims_nothing(tmp_path: Path) -> None:
    loaded = pv13()
    outcome = paper_page.Outcome(loaded, {sweep.name: [] for sweep in loaded.sweeps})
    paper_page.write(outcome, tmp_path)
    page = (tmp_path / "pv13.md").read_text()
    assert f"None of its {planned(loaded)} calls has been made yet." in page
    assert {each.verdict for each in outcome.judged()} == {"not run"}
    assert "![" not in page


def stubbed(tmp_path: Path, *words: str, calls: str = "calls") -> subprocess.CompletedProcess[str]:
    (tmp_path / "stub.py").write_text(STUB)
    return subprocess.run(
        [sys.executable, "-m", "gcc_testbed", "papers", *words],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        timeout=300,
        env={
            **os.environ,
            "PYTHONPATH": str(TESTBED),
            "GCC_TESTBED_COMMAND": f"{sys.executable} {tmp_path / 'stub.py'}",
            "CALLS": str(tmp_path / calls),
        },
    )


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("snakemake")
    place = tmp_path_factory.mktemp("papers")
    ended = stubbed(place, "--quick", "pv13", "--quiet")
    assert ended.returncode == 0, ended.stderr
    return place


def test_quick_makes_the_thinned_grid_and_a_page(quick: Path) -> None:
    wanted = sum(len(sweep.quickly()) for sweep in pv13().sweeps)
    assert len((quick / "calls").read_text().splitlines()) == wanted
    page = (quick / "papers-out/pages/pv13.md").read_text()
    assert f"Made from {wanted} calls" in page
    assert "real VP8. Commit abc1234, profile rtcweb-2013." in page
    basis = "real VP8; profile rtcweb-2013, commit abc1234"
    assert f"*6 of 48 points, 1 of 3 runs each; {basis}.*" in page


def test_every_picture_and_file_a_page_names_is_there(quick: Path) -> None:
    pages = quick / "papers-out/pages"
    for page in pages.glob("*.md"):
        for name in re.findall(r"\]\(([^):]+)\)", page.read_text()):
            assert (pages / name).is_file()


def test_a_generated_video_does_not_pass_for_the_papers(tmp_path: Path) -> None:
    sweep = pv13().sweep("figures-5-6-7")
    run = tmp_path / sweep.plan.runs[0].directory
    run.mkdir(parents=True)
    subprocess.run(
        [sys.executable, "-c", STUB, "", "", "", run, "", "1"],
        check=True,
        env={**os.environ, "CALLS": str(tmp_path / "calls")},
    )
    metrics = json.loads((run / "metrics.json").read_text())
    metrics["sequence"] = {"name": stand_in("foreman")}
    (run / "metrics.json").write_text(json.dumps(metrics))
    (found,) = read(sweep, tmp_path, tmp_path / "none.csv")
    assert found.source == "vp8 generated (in place of foreman)"


def test_the_data_has_a_line_for_each_call_with_what_made_it(quick: Path) -> None:
    head, *lines = (quick / "papers-out/pages/data/pv13-figures-5-6-7.csv").read_text().splitlines()
    assert "seed,profile,source,commit" in head
    assert len(lines) == 12
    assert all("rtcweb-2013,vp8,abc1234" in line for line in lines)


def test_what_is_there_is_not_made_again(quick: Path) -> None:
    ended = stubbed(quick, "--quick", "pv13", "--quiet", calls="again")
    assert ended.returncode == 0
    assert not (quick / "again").exists()


def test_what_is_missing_is_made(quick: Path) -> None:
    one = next((quick / "papers-out/pv13/figures-5-6-7").glob("runs/*/seed-1/metrics.json"))
    one.unlink()
    stubbed(quick, "--quick", "pv13", "--quiet", calls="missing")
    assert len((quick / "missing").read_text().splitlines()) == 1
    assert one.is_file()


def test_captures_are_not_kept(quick: Path) -> None:
    assert not list((quick / "papers-out").glob("**/*.pcap"))


def test_drawing_makes_no_call(quick: Path) -> None:
    page = quick / "papers-out/pages/pv13.md"
    before = page.read_text()
    page.unlink()
    assert stubbed(quick, "--draw", "pv13", calls="drawn").returncode == 0
    assert page.read_text() == before
    assert not (quick / "drawn").exists()


def test_a_summary_has_the_verdicts_and_a_picture_of_each_paper_without_its_page(
    quick: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    out = str(quick / "papers-out")
    assert main(["papers", "--draw", "--out", out, "--summary", str(folder), "pv13"]) == 0
    text = (folder / "README.md").read_text()
    assert "| PV'13: the dynamic behaviour of GCC | 20 |" in text
    assert "![Figure 1](pv13.png)" in text
    assert sorted(each.name for each in folder.iterdir()) == ["README.md", "pv13.png"]


def test_an_archive_has_the_pages_with_figures_and_calls(quick: Path, tmp_path: Path) -> None:
    out, file = str(quick / "papers-out"), tmp_path / "results.tar.xz"
    assert main(["papers", "--draw", "--out", out, "--archive", str(file), "pv13"]) == 0
    with tarfile.open(file) as packed:
        names = set(packed.getnames())
    assert {"pages/README.md", "pages/pv13.md", "pages/pv13/figure-5.png"} <= names
    assert "pages/data/pv13-figures-5-6-7.csv" in names


def test_an_archive_depends_on_the_files_alone(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "b.md").write_text("b")
    (pages / "a.md").write_text("a")
    archive.pack(pages, tmp_path / "one.tar.xz")
    os.utime(pages / "a.md", (0, 0))
    archive.pack(pages, tmp_path / "two.tar.xz")
    assert (tmp_path / "one.tar.xz").read_bytes() == (tmp_path / "two.tar.xz").read_bytes()


def test_an_archive_of_another_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "--draw", "--archive", "results.zip"]) == 2
    assert "expected a name that ends with .tar.xz" in capsys.readouterr().err


def test_what_was_not_made_here_is_taken_from_the_data_of_the_pages(quick: Path) -> None:
    pages = quick / "papers-out/pages"
    made = (pages / "pv13.md").read_text()
    drawn = stubbed(quick, "--draw", "pv13", "--out", "elsewhere", "--pages", str(pages))
    assert drawn.returncode == 0, drawn.stderr
    again = (pages / "pv13.md").read_text()
    # Traces are not in the data: figures over time stay as they were drawn.
    assert again == made.replace("from their traces", "as drawn then")


def test_the_data_of_other_settings_is_not_taken(quick: Path) -> None:
    data = quick / "papers-out/pages/data/pv13-figures-5-6-7.csv"
    (sweep,) = [sweep for sweep in pv13().sweeps if sweep.name == "figures-5-6-7"]
    assert len(read(sweep, quick / "nowhere", data)) == 12
    assert not read(sweep, quick / "nowhere", quick / "no.csv")
    changed = quick / "changed.csv"
    first = settings_of(sweep.quickly()[0])
    changed.write_text(data.read_text().replace(first, "00000000"))
    assert len(read(sweep, quick / "nowhere", changed)) == 11


def test_an_unknown_paper_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "mm16"]) == 2
    expected = f"error: mm16: expected one of {', '.join(ALL)}\n"
    assert capsys.readouterr().err == expected


def test_a_directory_of_something_else_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.txt").touch()
    assert main(["papers", "pv13", "--out", str(tmp_path)]) == 2
    assert "it holds something else" in capsys.readouterr().err


def test_a_dry_run_counts_the_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["papers", "--full", "--dry-run", "pv13"]) == 0
    assert capsys.readouterr().out.endswith(f"{planned(pv13())} calls\n")


def test_a_result_about_no_point_is_a_mistake(tmp_path: Path) -> None:
    for file in (paper.SHIPPED / "pv13").glob("*.toml"):
        (tmp_path / "pv13").mkdir(exist_ok=True)
        (tmp_path / "pv13" / file.name).write_text(file.read_text())
    published = tmp_path / "pv13/published.toml"
    published.write_text(published.read_text().replace("[60000, 75000]", "90000"))
    with pytest.raises(TestbedError, match="no point of figures-5-6-7 is like that"):
        paper.load("pv13", tmp_path)


def test_the_threshold_of_a_point_is_gccreceivers() -> None:
    (sweep,) = [sweep for sweep in pv13().sweeps if sweep.name == "figures-5-6-7"]
    run = sweep.plan.runs[0]
    assert run.keys["flow[0].overuse_threshold_ms"] == 10
    scenario = load(run.scenario, tuple(option(*setting) for setting in run.settings.items()))
    (flow, *_) = scenario.flows
    assert isinstance(flow, GccFlow)
    line = pipelines.receiver(flow, Ports.of_flow(0), "receiver.csv")
    assert "overuse-threshold=10" in line


def test_without_a_threshold_the_profile_decides() -> None:
    line = pipelines.receiver(GccFlow(), Ports.of_flow(0), "receiver.csv")
    assert not any("overuse-threshold" in word for word in line)


@pytest.mark.virtual
def test_a_short_call_of_every_paper_becomes_its_pages(tmp_path: Path) -> None:
    pytest.importorskip("snakemake")
    assert main(["papers", "--smoke", "--out", str(tmp_path / "out"), "--quiet"]) == 0
    for name in ALL:
        assert "Made from 1 calls" in (tmp_path / f"out/pages/{name}.md").read_text()
    record = json.loads(next((tmp_path / "out").glob("*/*/runs/*/*/call.json")).read_text())
    assert record["versions"]["commit"]
