"""The card's page: who wins, what is missed, and whose calls it stands on."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest
from small_card import finish, flow, scorecard

from gcc_testbed.studies.scorecard import calls_file, card, page, peers
from gcc_testbed.studies.scorecard.card import Card, run_of
from gcc_testbed.studies.scorecard.measures import MEASURES
from gcc_testbed.studies.scorecard.results import Results, read
from gcc_testbed.support.errors import TestbedError


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
        lossy = 0.05 + seed / 250
        for column, kind, share, lost in ((ours, "gcc", 0.8, lossy), (theirs, "rtpgccbwe", 0.5, 0)):
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


def first_line_of(text: str, title: str) -> str:
    """The line of a call in the first table, with its points."""
    return next(line for line in text.splitlines() if line.startswith(f"| {title} | "))


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
    for number, title, winner in ((0, "A plain link", "ours"), (1, "CUBIC", "theirs")):
        verdict = made.verdict(made.card.rows[number])
        assert verdict.winner == winner
        _, ours, theirs, by = first_line_of(text, title).split(" | ")
        assert ours.startswith("**") == (winner == "ours")
        assert theirs.startswith("**") == (winner == "theirs")
        assert by == f"{verdict.by:.0f} |"


def test_a_call_that_not_all_have_made_is_won_so_far(
    small: Card, made: Results, tmp_path: Path
) -> None:
    (tmp_path / "docs").mkdir()
    plain, theirs = small.rows[0], small.columns[1]
    del made.cells[plain.name, theirs.name]
    assert first_line_of(written(made, tmp_path), "A plain link").endswith("| – | so far |")


def test_losses_and_spread_are_not_hidden(text: str) -> None:
    ours = first_line_of(text, "CUBIC").split(" | ")[1]
    spread = re.fullmatch(r"\d+ \((\d+)–(\d+)\), 5.6 %", ours)
    assert spread is not None
    assert int(spread[1]) < int(spread[2])


def test_the_page_says_where_ours_is_the_worst(text: str) -> None:
    assert "gst-gcc is worse than every other contender in: CUBIC." in text


def test_goals_are_marked_as_reached_or_missed(text: str) -> None:
    assert line_of(text, "| A plain link | U ≥ 0.95 |").endswith("| ✓ 0.960 | ✗ 0.830 |")
    assert line_of(text, "|  | reached after s ≤ 3 |").endswith("| ✗ never |")


def test_bounds_of_one_measure_are_one_line(text: str) -> None:
    assert line_of(text, "| CUBIC | share 0.4 to 0.6 |").endswith("| ✗ 0.80 | ✓ 0.50 |")


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


# Beside the best of the others.


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
    assert lines[-1] == "| A plain link | ✗ p95 50/20 |"


def test_a_card_that_does_not_ask_for_it_has_no_such_table(small: Card, tmp_path: Path) -> None:
    finish(tmp_path, run_of(small.rows[0], small.columns[0], 1), flow("media", "gcc"))
    assert peers.table(read(small, tmp_path, 1, {})) == []
