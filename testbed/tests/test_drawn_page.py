"""Points of drawn calls, and their page from finished calls."""

from __future__ import annotations

import csv
import re
import statistics
from pathlib import Path
from typing import Any

import pytest
from small_card import finish, flow

from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.scenario_file import from_data
from gcc_testbed.studies.drawn import link_share, page, picture
from gcc_testbed.studies.drawn.plan import Planned, planned
from gcc_testbed.studies.drawn.points import Terms, points, seen
from gcc_testbed.studies.drawn.results import Pair, Results, read, worst_tenth
from gcc_testbed.studies.drawn.series import Series
from gcc_testbed.studies.ordinary.series import SERIES as ORDINARY
from gcc_testbed.studies.scorecard import calls_file, card
from gcc_testbed.studies.scorecard import measures as card_measures
from gcc_testbed.studies.scorecard.measures import MEASURES, Values
from gcc_testbed.studies.stress.series import SERIES as STRESS

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
    names = [STRESS.name_of(1, number) for number in range(1, count + 1)]
    return planned(STRESS.drawn(names), COLUMNS, out)


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
    return text(results, folder, STRESS)


def text(results: Results, folder: Path, series: Series) -> str:
    file = folder / f"{series.name}.md"
    page.write(results, series, COLUMNS, file)
    return file.read_text()


def test_the_page_has_the_mean_and_the_worst_tenth_of_each_contender(
    written: str, results: Results
) -> None:
    auto = next(column for column in results.columns if column.name == "auto")
    won = results.points_of(auto)
    line = next(li for li in written.splitlines() if li.startswith(f"| {auto.title} |"))
    error = statistics.stdev(won) / 30**0.5
    tenth = sum(sorted(won)[:3]) / 3
    assert f"| 30 | {sum(won) / 30:.1f} ± {error:.1f} | {tenth:.1f} |" in line
    assert line.endswith("| 29 of 30 |")
    assert "* Not run: Others: cargo is not here." in written


def test_the_stress_test_begins_with_counts_of_calls_and_no_mean(written: str) -> None:
    assert written.splitlines()[:3] == [
        "# Stress test",
        "",
        "* **recommended, transport-cc is better than goog-2026 in 0 of the same 30 calls, worse "
        "in 1, by more than 10 points in 1.**",
    ]


def test_ordinary_calls_begin_with_the_difference_of_means_and_its_error(
    results: Results, tmp_path: Path
) -> None:
    lines = text(results, tmp_path, ORDINARY).splitlines()
    columns = {column.name: results.points_of(column) for column in results.columns}
    gains = [own - other for own, other in zip(columns["auto"], columns["goog-2026"], strict=True)]
    difference = f"{statistics.fmean(gains):.1f} ± {statistics.stdev(gains) / 30**0.5:.1f}"
    assert lines[:3] == [
        "# Ordinary calls",
        "",
        f"* **recommended, transport-cc {statistics.fmean(columns['auto']):.1f} points, goog-2026 "
        f"{statistics.fmean(columns['goog-2026']):.1f}: {difference}** in the same 30 calls; "
        "better in 0, worse by more than 10 in 1.",
    ]
    assert difference.startswith("-")
    assert any("`testbed/data/ordinary.toml`" in line for line in lines)


def test_the_means_of_a_headline_are_of_the_same_calls(results: Results, tmp_path: Path) -> None:
    """goog-2026 has not made the call in which ours stands still half of the time."""
    made = {key: each for key, each in results.made.items() if key != ("s1-003", "goog-2026")}
    fewer = Results(results.columns, results.calls, made)
    lead = text(fewer, tmp_path, ORDINARY).splitlines()[2]
    assert "+0.0 ± 0.0** in the same 29 calls;" in lead
    means = re.findall(r"[0-9]+\.[0-9]", lead)
    assert means[0] == means[1]


def test_the_page_says_in_how_many_calls_ours_is_better_and_much_worse(written: str) -> None:
    lines = written.splitlines()
    at = lines.index("## Call by call")
    (row,) = lines[at + 4 : lines.index("", at + 4)]
    assert row.startswith("| recommended, transport-cc | goog-2026 | 30 | ")
    difference, tenths = row.split(" | ")[3:5]
    # Ours has the call that stands still, and no other differs.
    assert re.fullmatch(r"-[0-9.]+ ± [0-9.]+", difference)
    own, other = (float(points) for points in tenths.split(" : "))
    assert own < other
    assert row.endswith(" | 0 (0%) | 1 (3%) | 1 (3%) |")


def test_a_contender_is_beside_itself_where_calls_were_repeated(tmp_path: Path) -> None:
    names = ["s1-001", "s1-002", "s1-002b", "s1-003c"]
    every = planned(STRESS.drawn(names), COLUMNS, tmp_path)
    every = [each for each in every if each.column.name == "auto"]
    for each in every:
        make(each, tmp_path, frames_frozen_ratio=0.5 if each.call.name == "s1-002b" else 0.0)
    results = read(every, tmp_path / "calls", {})
    assert len(results.repeats(results.columns[0]).own) == 1
    lines = text(results, tmp_path, STRESS).splitlines()
    (row,) = [line for line in lines if "itself, other random numbers" in line]
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
    written = text(alone, tmp_path, STRESS)
    assert "* **recommended, transport-cc: the worst tenth has " in written
    assert "| – | – | – |" in written
    assert "## The worst 3 of" in written
    lead = text(alone, tmp_path, ORDINARY).splitlines()[2]
    assert re.fullmatch(r"\* \*\*recommended, transport-cc: [0-9.]+ ± [0-9.]+ points\.\*\*", lead)


@pytest.mark.parametrize("series", [STRESS, ORDINARY], ids=lambda series: series.name)
def test_a_page_of_one_call_has_no_mean_of_it(series: Series, tmp_path: Path) -> None:
    for each in (every := [each for each in some(1, tmp_path) if "kind" not in each.column.flow]):
        make(each, tmp_path)
    lines = text(read(every, tmp_path / "calls", {}), tmp_path, series).splitlines()
    assert f"| {every[0].column.title} | 1 | – | " in "\n".join(lines)
    (row,) = [line for line in lines if line.startswith("| recommended, transport-cc | goog-2026 ")]
    assert row.startswith("| recommended, transport-cc | goog-2026 | 1 | – | ")
    assert not any("±" in line for line in lines[: lines.index("## How to read it")])
    # The headline of ordinary calls is a mean.
    assert [line for line in lines[:4] if line.startswith("* ")] == [] or series is STRESS


def test_a_page_without_calls_says_so(tmp_path: Path) -> None:
    none = read(some(1, tmp_path), tmp_path / "calls", {})
    assert "No call has been made yet." in text(none, tmp_path, STRESS)
