"""The scorecard: its card, its points, and its page from made-up results."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gcc_testbed.commands import scorecard as command
from gcc_testbed.run import peer
from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.studies.scorecard import calls_file, card, page, peers
from gcc_testbed.studies.scorecard.card import Card, Goal, load, problem_with, run_of
from gcc_testbed.studies.scorecard.measures import MEASURES, Values, of_call, points
from gcc_testbed.studies.scorecard.results import Results, read
from gcc_testbed.studies.sweeps import runner, sweep_file
from gcc_testbed.support.errors import TestbedError

TESTBED = Path(__file__).resolve().parent.parent

CARD = """
[[column]]
name = "ours"
title = "Ours"
of = "gst-gcc"
flow = { profile = "recommended" }
[[column]]
name = "theirs"
title = "Theirs"
of = "peer"
flow = { kind = "rtpgccbwe", estimator = "kalman" }
[[group]]
name = "alone"
title = "Alone"
quick = true
  [[group.row]]
  name = "plain"
  title = "A plain link"
  scenario = "call.toml"
  reach = { from_s = 10, kbps = 900 }
  goals = ["utilisation >= 0.95", "loss_percent <= 0", "reach_s <= 3"]
[[group]]
name = "tcp"
title = "Beside TCP"
  [[group.row]]
  name = "cubic"
  title = "CUBIC"
  scenario = "call.toml"
  set = { "link.forward.rate_kbps" = 2000 }
  fair_share = 0.5
  goals = ["share >= 0.40", "share <= 0.60"]
"""
SCENARIO = """
title = "A call"
duration_s = 60
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "gcc"
[[flow]]
kind = "tcp"
[[flow]]
kind = "gcc"
"""


@pytest.fixture
def small(tmp_path: Path) -> Card:
    (tmp_path / "call.toml").write_text(SCENARIO)
    (tmp_path / "card.toml").write_text(CARD)
    return load(tmp_path / "card.toml")


def flow(name: str, kind: str, **numbers: Any) -> dict[str, Any]:  # noqa: ANN401
    delays = {"p50": numbers.get("p50", 5.0), "p95": numbers.get("p95", 20.0)}
    frames = {"p50": numbers.get("d50", 10.0), "p95": numbers.get("d95", 40.0)}
    return {
        "name": name,
        "kind": kind,
        "direction": "forward",
        "loss_ratio": numbers.get("loss", 0.0),
        "one_way_queueing_ms": delays,
        "frame_delay_ms": frames,
        "frames_incomplete_ratio": 0.0,
        "convergence_s": numbers.get("converge", 4.0),
    }


def finish(
    out: Path,
    run: sweep_file.Run,
    *flows: dict[str, Any],
    used: float = 0.9,
    shares: dict[str, float] | None = None,
    rates: tuple[float, ...] = (),
) -> Path:
    """A finished call, as far as the card reads it."""
    directory = out / run.directory
    directory.mkdir(parents=True)
    metrics = {
        "flows": list(flows),
        "link": {"utilisation": used},
        "fairness": {"jain": 0.9, "shares": shares or {}},
    }
    (directory / "metrics.json").write_text(json.dumps(metrics))
    record = {"versions": {"commit": "abc1234"}, "scenario": {"duration_s": 60}}
    (directory / "call.json").write_text(json.dumps(record))
    lines = [f"{second},{flows[0]['name']},{kbps}" for second, kbps in enumerate(rates)]
    (directory / "per-second.csv").write_text("\n".join(["time_s,flow,received_kbps", *lines]))
    return directory


# The card that comes with the testbed.


@pytest.mark.parametrize("row", load().rows, ids=lambda row: str(row.name))
def test_every_call_of_the_card_can_be_made_by_every_contender(row: card.Row) -> None:
    """But for those of a modelled encoder, which only gccsender sets."""
    for column in load().columns:
        problem = problem_with(row, column)
        if column.of == "rtpgccbwe" and row.group == "reported":
            assert problem == "the testbed has no flow[0].source: did you mean sequence?"
        else:
            assert problem is None


def test_the_card_has_the_goals_of_one_flow_as_they_were_set() -> None:
    (row,) = load().chosen(["one-flow"], quick=False)
    assert [str(goal) for goal in row.goals] == [
        "U ≥ 0.95",
        "loss % ≤ 0",
        "queueing p95 ms ≤ 25",
        "frame delay p95 ms ≤ 45",
        "reached after s ≤ 2",
    ]


def test_all_contenders_have_the_same_video_and_limits() -> None:
    """A column may say who controls the rate, not what is sent."""
    allowed = {"kind", "profile", "feedback", "estimator", "abs_send_time"}
    for column in load().columns:
        assert set(column.flow) <= allowed


def test_flows_beside_tcp_have_a_fair_share() -> None:
    for row in load().rows:
        scenario = scenario_file.load(row.scenario) if "trace" not in str(row.settings) else None
        if scenario is not None and row.scenario.name == "beside-tcp.toml":
            count = row.settings.get("flow[1].count", 1)
            assert row.fair_share == 1 / (count + 1), row.name


# Choosing.


def test_a_contender_takes_the_place_of_every_gcc_flow(small: Card) -> None:
    plain, cubic = small.rows
    assert plain.with_column(small.columns[1]) == {
        "flow[0].kind": "rtpgccbwe",
        "flow[0].estimator": "kalman",
        "flow[2].kind": "rtpgccbwe",
        "flow[2].estimator": "kalman",
    }
    assert cubic.with_column(small.columns[0])["link.forward.rate_kbps"] == 2000
    run = run_of(cubic, small.columns[1], 3)
    changes = tuple(sweep_file.option(key, value) for key, value in run.settings.items())
    scenario = scenario_file.load(run.scenario, changes)
    assert [flow.kind for flow in scenario.flows] == ["rtpgccbwe", "tcp", "rtpgccbwe"]
    assert run.directory == "runs/cubic.theirs/seed-3"


def test_rows_are_chosen_by_name_by_group_and_quickly(small: Card) -> None:
    def names(*words: str, quick: bool = False) -> list[str]:
        return [row.name for row in small.chosen(list(words), quick=quick)]

    assert names() == ["plain", "cubic"]
    assert names("cubic") == names("tcp") == ["cubic"]
    assert names(quick=True) == ["plain"]
    with pytest.raises(TestbedError, match="^nobody: expected one of alone, tcp, plain, cubic$"):
        names("nobody")


def test_a_traces_path_is_relative_to_the_card(tmp_path: Path) -> None:
    (tmp_path / "call.toml").write_text(SCENARIO)
    changed = CARD.replace('rate_kbps" = 2000', 'rate_kbps" = { trace = "links/lte" }')
    (tmp_path / "card.toml").write_text(changed)
    settings = load(tmp_path / "card.toml").rows[1].settings
    assert settings["link.forward.rate_kbps"] == {"trace": str(tmp_path / "links" / "lte")}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("share <= 0.60", "shares <= 0.60", '"shares <= 0.60": expected MEASURE >= NUMBER'),
        ('"call.toml"', '"none.toml"', "scenario: there is no"),
        ("fair_share", "fare_share", "unexpected keyword argument 'fare_share'"),
        ('name = "theirs"', 'name = "ours"', "ours: expected a name of its own"),
        ('of = "peer"', "", "missing 1 required positional argument: 'of'"),
        ("[[column]]", "[[columns]]", "column is missing"),
    ],
)
def test_a_mistake_in_a_card_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    (tmp_path / "call.toml").write_text(SCENARIO)
    (tmp_path / "card.toml").write_text(CARD.replace(old, new))
    with pytest.raises(TestbedError) as raised:
        load(tmp_path / "card.toml")
    assert str(raised.value).startswith(f"{tmp_path / 'card.toml'}: ")
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


# Measures and points.


def test_the_worst_flow_of_media_counts(small: Card, tmp_path: Path) -> None:
    run = run_of(small.rows[0], small.columns[0], 1)
    good, bad = flow("media-1", "gcc"), flow("media-2", "gcc", loss=0.02, d95=90.0, converge=None)
    values = of_call(finish(tmp_path, run, good, bad))
    assert values is not None
    assert values["loss_percent"] == pytest.approx(2)
    assert values["frame_delay_p95_ms"] == 90
    assert (values["converge_s"], values["jain"], values["share"]) == (None, 0.9, None)


def test_beside_tcp_the_share_counts_and_tcps_loss_does_not(small: Card, tmp_path: Path) -> None:
    run = run_of(small.rows[1], small.columns[0], 1)
    tcp = flow("tcp", "tcp", loss=0.3)
    directory = finish(tmp_path, run, flow("media", "gcc"), tcp, shares={"media": 0.4, "tcp": 0.6})
    values = of_call(directory)
    assert values is not None
    assert (values["share"], values["jain"], values["loss_percent"]) == (0.4, None, 0)


def test_a_rate_is_reached_with_the_end_of_the_first_second_that_has_it(
    small: Card, tmp_path: Path
) -> None:
    run = run_of(small.rows[0], small.columns[0], 1)
    directory = finish(tmp_path, run, flow("m", "gcc"), rates=(950, 300, 500, 899, 900, 950))
    for reach, after in (((0, 900), 1), ((1, 900), 4), ((1, 951), None)):
        values = of_call(directory, reach)
        assert values is not None
        assert values["reach_s"] == after


BEST: Values = dict.fromkeys(MEASURES) | {
    "utilisation": 1.0,
    "loss_percent": 0.0,
    "frame_delay_p95_ms": 0.0,
}


def test_points_are_a_hundred_for_a_full_link_without_delay_or_loss() -> None:
    assert points(BEST) == 100
    assert points({**BEST, "utilisation": 1.01}) == 100


def test_each_fault_costs_points() -> None:
    assert points({**BEST, "utilisation": 0.5}) == pytest.approx(50)
    assert points({**BEST, "frame_delay_p95_ms": 200.0}) == pytest.approx(50)
    assert points({**BEST, "loss_percent": 1.0}) == pytest.approx(90.4, abs=0.1)
    assert points({**BEST, "jain": 0.8}) == pytest.approx(80)
    assert points({**BEST, "reach_s": 30.0}, reach=True) == pytest.approx(50)


def test_what_never_came_has_no_points() -> None:
    assert points({**BEST, "frame_delay_p95_ms": None}) == 0
    assert points({**BEST, "reach_s": None}, reach=True) == 0
    assert points({**BEST, "utilisation": None}) is None


def test_beside_tcp_too_much_is_as_bad_as_too_little() -> None:
    def at(share: float) -> float | None:
        return points({**BEST, "share": share}, fair_share=0.5)

    assert at(0.5) == 100
    assert at(0.25) == pytest.approx(50)
    assert at(1.0) == pytest.approx(50)


def test_nobody_pays_for_the_losses_of_the_path() -> None:
    assert points({**BEST, "loss_percent": 5.0}, path_loss_percent=5.0) == pytest.approx(100)
    six = points({**BEST, "loss_percent": 5.95}, path_loss_percent=5.0)
    assert six == pytest.approx(90.4, abs=0.1)


def test_a_goal_is_judged_as_precisely_as_it_is_shown() -> None:
    assert Goal("loss_percent", "<=", 0).reached(0.004)
    assert not Goal("loss_percent", "<=", 0).reached(0.006)
    assert not Goal("reach_s", "<=", 3).reached(None)


# The page.


@pytest.fixture
def made(small: Card, tmp_path: Path) -> Results:
    """Ours fills the plain link and loses beside CUBIC; the peer is slow and fair. Two seeds."""
    plain, cubic = small.rows
    ours, theirs = small.columns
    quick, slow = (0.0,) * 11 + (950.0,) * 9, (0.0,) * 30
    for seed in (1, 2):
        finish(tmp_path, run_of(plain, ours, seed), flow("m", "gcc"), used=0.96, rates=quick)
        peer_flow = flow("m", "rtpgccbwe")
        finish(tmp_path, run_of(plain, theirs, seed), peer_flow, used=0.8 + seed / 50, rates=slow)
        for column, kind, share, lost in ((ours, "gcc", 0.8, 0.056), (theirs, "rtpgccbwe", 0.5, 0)):
            finish(
                tmp_path,
                run_of(cubic, column, seed),
                flow("m", kind, loss=lost),
                flow("tcp", "tcp"),
                shares={"m": share, "tcp": 1 - share},
            )
    return read(small, tmp_path, 5, {"Others": "the plugin has no profile others"})


def written(results: Results, tmp_path: Path) -> str:
    page.write(results, tmp_path / "docs" / "card.md")
    return (tmp_path / "docs" / "card.md").read_text()


@pytest.fixture
def text(made: Results, tmp_path: Path) -> str:
    (tmp_path / "docs").mkdir()
    return written(made, tmp_path)


def line_of(text: str, beginning: str) -> str:
    (line,) = [line for line in text.splitlines() if line.startswith(beginning)]
    return line


def test_the_page_says_at_once_who_wins_how_much(text: str) -> None:
    assert "**Calls won: gst-gcc 1, peer 1, of 2.**" in text
    assert "Goals reached: Ours 4/5, Theirs 3/5." in text


def test_a_call_that_nobody_else_has_made_is_not_won(small: Card, tmp_path: Path) -> None:
    plain, ours = small.rows[0], small.columns[0]
    finish(tmp_path, run_of(plain, ours, 1), flow("m", "gcc"), used=0.96, rates=(950.0,) * 20)
    (tmp_path / "docs").mkdir()
    text = written(read(small, tmp_path, 1, {}), tmp_path)
    assert "**Calls won: none, of 0.** 1 more nobody else has made yet." in text


def test_each_call_has_its_winner_and_by_how_much(text: str, made: Results) -> None:
    plain = line_of(text, "| A plain link | **Ours** +")
    assert "**" in plain.split("|")[3]
    assert "✓ 3/3" in plain
    verdict = made.verdict(made.card.rows[1])
    assert verdict.winner == "theirs"
    assert line_of(text, "| CUBIC | **Theirs** +").count("|") == 5


def test_a_call_that_not_all_have_made_is_won_so_far(
    small: Card, made: Results, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    plain, theirs = small.rows[0], small.columns[1]
    del made.cells[plain.name, theirs.name]
    assert "| **Ours** so far |" in line_of(written(made, tmp_path), "| A plain link | **Ours**")


def test_losses_and_spread_are_not_hidden(text: str) -> None:
    assert "5.6 % lost" in line_of(text, "| CUBIC | **Theirs**")
    assert "0.830 (0.820–0.840)" in line_of(text, "| A plain link | U ≥ 0.95 |")


def test_the_page_says_where_ours_is_the_worst(text: str) -> None:
    assert "gst-gcc is worse than every other contender in: CUBIC." in text


def test_goals_are_marked_as_reached_or_missed(text: str) -> None:
    assert "| ✓ 0.960 (0.960–0.960) | ✗ 0.830" in line_of(text, "| A plain link | U ≥ 0.95 |")
    assert "| ✗ 0.80 (0.80–0.80) | ✓ 0.50" in line_of(text, "| CUBIC | share ≤ 0.6 |")
    assert line_of(text, "| A plain link | reached after s ≤ 3 |").endswith("| ✗ never |")


def test_what_could_not_be_run_is_said(text: str) -> None:
    assert "* Not run: Others: the plugin has no profile others." in text


def test_there_are_a_picture_and_a_line_for_each_call(text: str, tmp_path: Path) -> None:
    assert "](card/points.png)" in text
    assert (tmp_path / "docs" / "card" / "points.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "docs" / "card" / "calls.csv").open(newline="") as content:
        lines = list(csv.DictReader(content))
    assert len(lines) == 8
    assert {line["seed"] for line in lines} == {"1", "2"}


def test_the_page_is_the_same_when_it_is_written_again(
    text: str, made: Results, tmp_path: Path
) -> None:
    picture = tmp_path / "docs" / "card" / "points.png"
    before = picture.read_bytes()
    assert written(made, tmp_path) == text
    assert picture.read_bytes() == before


def test_nobody_wins_by_less_than_the_spread(small: Card, tmp_path: Path) -> None:
    row = small.rows[1]
    for column, used in zip(small.columns, ((0.48, 0.5), (0.44, 0.49)), strict=True):
        for seed, share in enumerate(used, start=1):
            shares = {"m": share, "tcp": 1 - share}
            run = run_of(row, column, seed)
            finish(tmp_path, run, flow("m", "gcc"), flow("tcp", "tcp"), shares=shares)
    verdict = read(small, tmp_path, 5, {}).verdict(row)
    assert verdict.winner is None
    assert verdict.by is not None
    assert verdict.by > 1


def test_our_own_columns_do_not_win_against_each_other(small: Card, tmp_path: Path) -> None:
    """By how much is said of the best of another owner."""
    columns = tuple(
        card.Column(name, name, of, {}) for name, of in (("a", "us"), ("b", "us"), ("c", "them"))
    )
    three = Card(small.groups, small.rows, columns)
    for column, used in zip(columns, (0.9, 0.89, 0.6), strict=True):
        finish(tmp_path, run_of(three.rows[1], column, 1), flow("m", "gcc"), used=used)
    results = read(
        Card(small.groups, (card.Row("cubic", "t", "tcp", small.rows[1].scenario, {}),), columns),
        tmp_path,
        1,
        {},
    )
    verdict = results.verdict(results.card.rows[0])
    assert verdict.winner == "a"
    assert verdict.by == pytest.approx((90 - 60) / 1.2)


def test_a_page_without_calls_says_so(small: Card, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    text = written(read(small, tmp_path / "none", 5, {}), tmp_path)
    assert "No call has been made yet." in text
    assert "2 of the card's 2 calls are not made yet." in text


# Calls that were made elsewhere.


def test_a_page_can_be_written_from_the_calls_of_another_alone(
    text: str, small: Card, tmp_path: Path
) -> None:
    # Guards: the runs are gone with the machine that made them, the page is not.
    known = calls_file.read(tmp_path / "docs" / "card" / "calls.csv")
    results = read(small, tmp_path / "none", 5, {"Theirs": "it is not built yet"}, known)
    again = written(results, tmp_path)
    assert again == text.replace("* Not run: Others: the plugin has no profile others.\n", "")


def test_an_own_call_counts_instead_of_one_made_elsewhere(
    text: str, small: Card, tmp_path: Path
) -> None:
    known = calls_file.read(tmp_path / "docs" / "card" / "calls.csv")
    row, column = small.rows[0], small.columns[0]
    finish(tmp_path / "own", run_of(row, column, 2), flow("m", "gcc"), used=0.5)
    finish(tmp_path / "own", run_of(row, column, 3), flow("m", "gcc"), used=0.4)
    cell = read(small, tmp_path / "own", 5, {}, known).cell(row, column)
    assert cell is not None
    assert cell.of("utilisation") == [0.96, 0.5, 0.4]


def test_calls_from_before_commits_were_recorded_are_read(tmp_path: Path) -> None:
    (tmp_path / "calls.csv").write_text(
        f"row,column,seed,points,{','.join(MEASURES)}\nplain,ours,1,50,0.9{',' * 14}\n"
    )
    (call,) = calls_file.read(tmp_path / "calls.csv").values()
    assert call.commit == ""
    assert call.values["utilisation"] == 0.9
    assert call.values["reach_s"] is None


@pytest.mark.parametrize("content", ["a,b\n1,2\n", "row,column,seed\nplain,ours,first\n", "\xff\0"])
def test_another_file_than_a_cards_is_told_in_a_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "calls.csv").write_bytes(content.encode("latin-1"))
    with pytest.raises(TestbedError, match=r"^--with .*calls.csv: "):
        calls_file.read(tmp_path / "calls.csv")


def test_what_was_made_elsewhere_is_not_made_again(text: str, small: Card, tmp_path: Path) -> None:
    known = str(tmp_path / "docs" / "card" / "calls.csv")
    done = scorecard(
        *("--card", str(tmp_path / "card.toml"), "--with", known, "--dry-run", "--seeds", "3")
    )
    assert done.stdout.splitlines()[-1].startswith("4 calls")


# The command.


def scorecard(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gcc_testbed", "scorecard", *words],
        cwd=TESTBED,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_dry_run_lists_the_calls(small: Card, tmp_path: Path) -> None:
    done = scorecard("--card", str(tmp_path / "card.toml"), "--dry-run", "--seeds", "3", "cubic")
    assert done.stdout.splitlines() == ["cubic.ours", "cubic.theirs", "6 calls (0.1 call-hours)"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nobody",), "error: nobody: expected one of design, rfc8867, "),
        (("--seeds", "0"), "error: --seeds 0: expected a whole number, from 1 to 20"),
        (("--cores", "x"), "error: --cores x: expected a whole number"),
        (("--column", "x"), "error: --column x: expected one of remb, auto, "),
        (("--page", "x.html"), "error: --page x.html: expected a file that ends in .md"),
    ],
)
def test_a_wrong_option_is_told_in_a_line(words: tuple[str, ...], said: str) -> None:
    done = scorecard("--dry-run", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1


def test_a_contender_that_is_not_here_is_left_out(
    small: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent() -> None:
        raise TestbedError("no rtpgccbwe: cargo is not here")

    monkeypatch.setattr(peer, "check", absent)
    monkeypatch.setattr(command, "_profiles", lambda: "(0): recommended - The default\n")
    assert command._missing(small.rows, small.columns) == {
        "Theirs": "no rtpgccbwe: cargo is not here"
    }


def test_a_profile_that_the_plugin_lacks_is_left_out(
    small: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer, "check", lambda: None)
    monkeypatch.setattr(command, "_profiles", lambda: "(0): goog-2020 - libwebrtc's\n")
    assert command._missing(small.rows, small.columns) == {
        "Ours": "the plugin has no profile recommended"
    }


def test_a_call_that_this_testbed_cannot_make_is_left_out(
    small: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer, "check", lambda: None)
    monkeypatch.setattr(command, "_profiles", lambda: "(0): recommended - The default\n")
    monkeypatch.setitem(small.rows[1].settings, "link.colour", "blue")
    missing = command._missing(small.rows, small.columns)
    assert list(missing) == ["CUBIC"]
    assert missing["CUBIC"] == "the testbed has no link.colour"


def test_the_reason_shows_no_path_of_this_machine(small: Card) -> None:
    row, column = small.rows[1], small.columns[0]
    row.settings["link.forward.rate_kbps"] = {"track": "/home/me/lte"}
    assert problem_with(row, column) == (
        "the testbed has no link.forward.rate_kbps.track: did you mean trace?"
    )
    row.settings["link.forward.rate_kbps"] = "fast"
    assert problem_with(row, column) == 'the testbed has no link.forward.rate_kbps "fast"'


def test_what_has_been_made_is_not_made_again(
    small: Card, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[list[str]] = []

    def make(_: object, runs: list[sweep_file.Run], directory: Path, *__: object) -> None:
        asked.append([run.point for run in runs])
        for run in runs:
            made = directory / run.directory
            if not made.exists():
                finish(directory, run, flow("m", "gcc"), flow("tcp", "tcp"))
                (made / "a.pcap").write_text("packets")

    monkeypatch.setattr(runner, "make", make)
    # it is not needed for what it does not make
    monkeypatch.setattr(runner, "check_installed", lambda: None)
    monkeypatch.setattr(command, "_missing", lambda *_: {})
    again = ["--card", str(tmp_path / "card.toml"), "--out", str(tmp_path / "out"), "--quiet"]
    assert command.main([*again, "--seeds", "2"]) == 0
    assert len(asked) == 2
    assert not list((tmp_path / "out").rglob("*.pcap"))
    assert command.main([*again, "--seeds", "2"]) == 0
    assert len(asked) == 2
    assert command.main([*again, "--seeds", "3"]) == 0
    assert len(asked) == 3
    assert (tmp_path / "out" / "scorecard.md").is_file()


def test_another_seed_or_fewer_rows_leave_all_results_valid(small: Card) -> None:
    """The plan that decides which results are stale holds all that the card may need."""
    planned = {(run.point, run.seed) for run in card.plan(small).runs}
    assert len(planned) == 2 * 2 * card.MOST_SEEDS


def test_gcc_flows_have_nothing_that_a_peer_cannot_have() -> None:
    """Or a contender's call would be another one."""
    plain = GccFlow()
    for row in load().rows:
        if "trace" in str(row.settings):
            continue
        for each in scenario_file.load(row.scenario).flows:
            if isinstance(each, GccFlow):
                assert each.protection == plain.protection
                assert each.overuse_threshold_ms == plain.overuse_threshold_ms
                assert each.report_interval_ms == plain.report_interval_ms


# --- beside the best of the others ---


def beside(small: Card, tmp_path: Path, **numbers: float) -> Results:
    """A call of ours with these numbers, and one of the other's that is plain."""
    row = replace(small.rows[0], beside_peers=True)
    card_ = replace(small, rows=(row, *small.rows[1:]))
    for column, of_flow in zip(card_.columns, (numbers, {}), strict=True):
        used = of_flow.pop("used", 0.9)
        finish(tmp_path, run_of(row, column, 1), flow("media", "gcc", **of_flow), used=used)
    return read(card_, tmp_path, 1, {})


@pytest.mark.parametrize(
    ("numbers", "worse"),
    [
        ({}, []),
        ({"used": 0.82}, []),
        ({"used": 0.80}, ["utilisation"]),
        ({"p95": 21.9}, []),
        ({"p95": 22.1}, ["queueing_p95_ms"]),
        ({"loss": 0.001}, []),
        ({"loss": 0.002}, ["loss_percent"]),
        ({"used": 0.5, "loss": 0.1}, ["utilisation", "loss_percent"]),
    ],
)
def test_more_than_a_tenth_worse_than_the_best_of_the_others_is_much(
    small: Card, tmp_path: Path, numbers: dict[str, float], worse: list[str]
) -> None:
    results = beside(small, tmp_path, **numbers)
    (ours,) = peers.ours(results)
    assert peers.much_worse(results, results.rows()[0], ours) == worse


def test_a_row_that_asks_for_it_is_set_beside_the_others_on_the_page(
    small: Card, tmp_path: Path
) -> None:
    lines = peers.table(beside(small, tmp_path, p95=50.0))
    assert lines[-1] == "| A plain link | ✗ queueing p95 ms 50 / 20 |"


def test_a_card_that_does_not_ask_for_it_has_no_such_table(small: Card, tmp_path: Path) -> None:
    finish(tmp_path, run_of(small.rows[0], small.columns[0], 1), flow("media", "gcc"))
    assert peers.table(read(small, tmp_path, 1, {})) == []
