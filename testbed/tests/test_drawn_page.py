"""Points of drawn calls, their page from finished calls, and the command."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from small_card import TESTBED, finish, flow

from gcc_testbed.commands import contenders
from gcc_testbed.commands import stress as command
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import from_data
from gcc_testbed.studies.drawn import draws, link_share, page, picture
from gcc_testbed.studies.drawn.calls import name_of
from gcc_testbed.studies.drawn.plan import Planned, planned
from gcc_testbed.studies.drawn.points import Terms, points, seen
from gcc_testbed.studies.drawn.results import Pair, Results, read, worst_tenth
from gcc_testbed.studies.drawn.shaped import drawn
from gcc_testbed.studies.scorecard import calls_file, card
from gcc_testbed.studies.scorecard import measures as card_measures
from gcc_testbed.studies.scorecard.measures import MEASURES, Values
from gcc_testbed.studies.sweeps import runner
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run

COLUMNS = card.load().columns


def values(**numbers: float) -> Values:
    """A good call, but for the numbers given."""
    good = {"utilisation": 0.9, "loss_percent": 0.0, "frame_delay_p95_ms": 50.0}
    return {**dict.fromkeys(MEASURES), **good, **numbers}


# Points.


def test_a_call_whose_frames_all_arrive_has_the_scorecards_points() -> None:
    whole = values(incomplete_percent=0.0, frozen_percent=0.0)
    assert points(whole, Terms()) == pytest.approx(card_measures.points(whole))


def test_a_fifth_of_the_frames_without_a_packet_halves_the_points() -> None:
    assert seen(values(incomplete_percent=20.0)) == pytest.approx(0.5, abs=0.02)
    # Also where the path loses them: the viewer does not ask.
    lossy = Terms(path_loss_percent=5.0)
    bad = points(values(loss_percent=5.0, incomplete_percent=20.0), lossy)
    assert bad == pytest.approx(0.512 * points(values(), Terms()))


def test_a_picture_that_stands_a_twentieth_of_the_time_halves_the_points() -> None:
    assert seen(values(frozen_percent=5.0)) == 0.5
    assert seen(values(frozen_percent=100.0)) < 0.05


def test_a_call_that_sent_nothing_has_no_points() -> None:
    assert points(dict.fromkeys(MEASURES), Terms()) == 0


def test_a_call_that_fills_what_its_own_limit_lets_it_has_full_use() -> None:
    assert points(values(utilisation=0.3), Terms(usable=0.3)) == pytest.approx(80)


# The part of the link that the call can use.


def scenario(*flows: dict[str, Any], kbps: float = 1000, **media: Any) -> Scenario:  # noqa: ANN401
    first = {"kind": "gcc", "name": "media", "source": "model", "max_kbps": 2000, **media}
    tables = {
        "title": "A call",
        "duration_s": 50,
        "measure_from_s": 10,
        "link": {"forward": {"rate_kbps": kbps}},
        "flow": [first, *flows],
    }
    return from_data(tables, "call", None)


def test_a_senders_own_limit_is_the_most_it_can_use() -> None:
    assert link_share.usable(scenario(max_kbps=300)) == pytest.approx(0.3)
    assert link_share.usable(scenario()) == 1
    cbr = {"kind": "udp-cbr", "rate_kbps": 200, "start_s": 30}
    assert link_share.usable(scenario(cbr, max_kbps=300)) == pytest.approx(0.4)
    assert link_share.usable(scenario({"kind": "tcp"}, max_kbps=300)) == 1


def test_beside_tcp_that_stays_all_flows_have_the_same() -> None:
    assert link_share.fair_share(scenario({"kind": "tcp"})) == pytest.approx(1 / 2)
    assert link_share.fair_share(scenario({"kind": "tcp", "count": 3})) == pytest.approx(1 / 4)


def test_a_flow_that_comes_late_has_half_of_the_link_only_then() -> None:
    """The call has all of it for half of the time, and half of it then: 750 to 500."""
    assert link_share.fair_share(scenario({"kind": "tcp", "start_s": 30})) == pytest.approx(0.6)


def test_without_greedy_tcp_there_is_no_fair_share() -> None:
    web = {"kind": "tcp", "transfers": {"bytes_min": 1, "bytes_max": 2, "idle_mean_s": 1}}
    gone = {"kind": "tcp", "start_s": 1, "stop_s": 9}
    back = {"kind": "tcp", "direction": "backward"}
    assert link_share.fair_share(scenario(web, gone, back)) is None


def test_a_call_that_wants_less_than_its_share_leaves_the_rest() -> None:
    small = scenario({"kind": "tcp"}, start_kbps=200, max_kbps=200)
    assert link_share.fair_share(small) == pytest.approx(0.2)


# The page.


def some(count: int, out: Path) -> list[Planned]:
    population = draws.load()
    names = [name_of(1, number, "s") for number in range(1, count + 1)]
    return planned([drawn(name, population) for name in names], COLUMNS, out)


def make(each: Planned, out: Path, *, used: float = 0.9, **seen: float) -> None:
    """A finished call of thin air."""
    number = each.call.seed
    media = {**flow("media", "gcc", d95=20.0 + number), **seen}
    others = [flow(f"tcp-{n}", "tcp") for n in range(1, 9)]
    shares = {"media": 0.5, **{other["name"]: 0.5 for other in others}}
    finish(out / "calls", each.run, media, *others, used=used, shares=shares)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stress")


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    """Ours over transport-cc has frozen pictures in the third call; goog-2026 is like it else."""
    every = [each for each in some(30, folder) if each.column.name in ("auto", "goog-2026")]
    for each in every:
        bad = each.column.name == "auto" and each.call.name == "s1-003"
        make(each, folder, frames_frozen_ratio=0.5 if bad else 0.0)
    return read(every, folder / "calls", {"Others": "cargo is not here"})


@pytest.fixture(scope="module")
def written(results: Results, folder: Path) -> str:
    page.write(results, COLUMNS, folder / "stress.md")
    return (folder / "stress.md").read_text()


def test_the_page_has_the_mean_and_the_worst_tenth_of_each_contender(
    written: str, results: Results
) -> None:
    auto = next(column for column in results.columns if column.name == "auto")
    won = results.points_of(auto)
    line = next(li for li in written.splitlines() if li.startswith(f"| {auto.title} |"))
    assert f"| 30 | **{sum(won) / 30:.1f}** | {sum(sorted(won)[:3]) / 3:.1f} |" in line
    assert line.endswith("| 29 of 30 |")
    assert "* Not run: Others: cargo is not here." in written


def test_the_page_begins_with_means_of_the_same_calls(results: Results, tmp_path: Path) -> None:
    """goog-2026 has not made the call in which ours stands still half of the time."""
    made = {key: each for key, each in results.made.items() if key != ("s1-003", "goog-2026")}
    fewer = Results(results.columns, results.calls, made)
    page.write(fewer, COLUMNS, tmp_path / "stress.md")
    lead = (tmp_path / "stress.md").read_text().splitlines()[2]
    assert lead.endswith("in the same 29 calls.")
    means = re.findall(r"[0-9]+\.[0-9]", lead)
    assert len(means) == 2
    assert means[0] == means[1]


def test_the_page_says_in_how_many_calls_ours_is_better_and_much_worse(written: str) -> None:
    lines = written.splitlines()
    at = lines.index("## Call by call")
    (row,) = lines[at + 4 : lines.index("", at + 4)]
    assert row.startswith("| recommended, transport-cc | goog-2026 | 30 | ")
    means, tenths = row.split(" | ")[3:5]
    assert all(re.fullmatch(r"[0-9.]+ : [0-9.]+", cell) for cell in (means, tenths))
    # Ours has the call that stands still, and no other differs.
    assert all(
        float(own) < float(other) for own, other in (means.split(" : "), tenths.split(" : "))
    )
    assert row.endswith(" | 0 (0%) | 1 (3%) | 1 (3%) |")


def test_a_contender_is_beside_itself_where_calls_were_repeated(tmp_path: Path) -> None:
    names = ["s1-001", "s1-002", "s1-002b", "s1-003c"]
    every = planned([drawn(name, draws.load()) for name in names], COLUMNS, tmp_path)
    every = [each for each in every if each.column.name == "auto"]
    for each in every:
        make(each, tmp_path, frames_frozen_ratio=0.5 if each.call.name == "s1-002b" else 0.0)
    results = read(every, tmp_path / "calls", {})
    assert len(results.repeats(results.columns[0]).own) == 1
    page.write(results, COLUMNS, tmp_path / "stress.md")
    text = (tmp_path / "stress.md").read_text()
    (row,) = [line for line in text.splitlines() if "itself, other random numbers" in line]
    assert row.startswith("| recommended, transport-cc | itself, other random numbers | 1 | ")
    assert row.endswith(" | 1 (100%) | 0 (0%) | 0 (0%) |")


def test_equal_points_are_neither_better_nor_worse() -> None:
    pair = Pair([50.0, 50.0, 50.0, 50.0], [50.01, 49.9, 60.0, 60.1])
    assert (pair.better(), pair.worse(), pair.worse(by=10)) == (1, 2, 1)


def test_the_worst_tenth_of_a_few_calls_is_the_worst_one() -> None:
    assert worst_tenth([5.0, 1.0, 9.0]) == 1.0
    assert worst_tenth([float(n) for n in range(20)]) == 0.5


def test_the_worst_twenty_are_there_by_name_with_their_keys(written: str, results: Results) -> None:
    lines = written.splitlines()
    at = lines.index("## The worst 20 of recommended, transport-cc")
    rows = lines[at + 4 : lines.index("", at + 4)]
    assert len(rows) == 20
    assert rows[0].startswith("| s1-003 | ")
    (third,) = [call for call in results.calls if call.name == "s1-003"]
    assert rows[0].endswith(f"| 50.0 | {third.title} |")


def test_where_ours_is_behind_the_best_is_there(written: str) -> None:
    lines = written.splitlines()
    at = lines.index("## Where recommended, transport-cc is furthest behind the best")
    rows = lines[at + 4 : lines.index("", at + 4)]
    assert [row.split(" | ")[0] for row in rows] == ["| s1-003"]


def test_there_are_pictures_and_a_line_for_each_call(written: str, folder: Path) -> None:
    for name in ("points.png", "kinds.png"):
        assert f"](stress/{name})" in written
        assert (folder / "stress" / name).read_bytes().startswith(b"\x89PNG")
    with (folder / "stress" / "calls.csv").open(newline="") as content:
        assert len(list(csv.DictReader(content))) == 60


def test_a_page_can_be_written_from_the_calls_of_another_alone(
    written: str, results: Results, folder: Path
) -> None:
    known = calls_file.read(folder / "stress" / "calls.csv")
    every = some(30, folder)
    again = read(every, folder / "none", {}, known)
    assert [call.name for call in again.calls] == [call.name for call in results.calls]
    for key, made in results.made.items():
        # As precise as the file is.
        assert again.made[key].points == pytest.approx(made.points, rel=1e-4)
    assert written


def test_one_contender_alone_is_behind_nobody(tmp_path: Path) -> None:
    every = [each for each in some(3, tmp_path) if each.column.name == "auto"]
    for each in every:
        make(each, tmp_path)
    alone = read(every, tmp_path / "calls", {})
    assert alone.behind_of(alone.columns[0]) == []
    assert list(picture.kinds(alone)) == []
    page.write(alone, COLUMNS, tmp_path / "stress.md")
    text = (tmp_path / "stress.md").read_text()
    assert "| – | – | – |" in text
    assert "## The worst 3 of" in text


def test_a_page_without_calls_says_so(tmp_path: Path) -> None:
    page.write(read(some(1, tmp_path), tmp_path / "calls", {}), COLUMNS, tmp_path / "p.md")
    assert "No call has been made yet." in (tmp_path / "p.md").read_text()


# The command.


def test_a_dry_run_lists_the_calls_with_their_keys() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gcc_testbed", "stress", "--dry-run", "s3-017", "s3-002"],
        cwd=TESTBED,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == f"s3-017  {drawn('s3-017', draws.load()).title}"
    assert [line.split()[0] for line in lines] == ["s3-017", "s3-002", "2"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("s3",), "error: s3: expected the name of a call, like s3-017"),
        (("--calls", "0"), "error: --calls 0: expected a whole number, from 1 to 9999"),
        (("--column", "x"), "error: --column x: expected one of remb, auto, "),
        (("--page", "x.html"), "error: --page x.html: expected a file that ends in .md"),
    ],
)
def test_a_wrong_option_is_told_in_a_line(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--dry-run", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(said)


def test_calls_of_an_earlier_command_stay_and_are_not_made_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[str]] = []
    plans: list[set[str]] = []

    def make_calls(plan: Plan, runs: list[Run], directory: Path, *_: object) -> None:
        asked.append([run.point for run in runs])
        plans.append({run.point for run in plan.runs})
        assert not plan.plots
        for run in runs:
            finish(directory, run, flow("media", "gcc"))

    monkeypatch.setattr(runner, "make", make_calls)
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(contenders, "problem_with", lambda _: None)
    out = ["--out", str(tmp_path / "out"), "--quiet"]
    assert command.main([*out, "--calls", "3", "--column", "auto"]) == 0
    assert command.main([*out, "--calls", "2", "--column", "auto"]) == 0
    assert command.main([*out, "s7-009", "--column", "remb"]) == 0
    assert asked == [["s1-001.auto", "s1-002.auto", "s1-003.auto"], ["s7-009.remb"]]
    assert {"s1-003.auto", "s1-003.remb", "s7-009.remb"} <= plans[-1]
    known = json.loads((tmp_path / "out" / "stress.json").read_text())["calls"]
    assert known == ["s1-001", "s1-002", "s1-003", "s7-009"]
    assert "from 4 drawn calls, s1-001 to s7-009" in (tmp_path / "out/stress.md").read_text()


def test_another_directory_is_never_written_to(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("mine")
    assert command.main(["--out", str(tmp_path / "mine"), "--draw"]) == 2
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["file"]
