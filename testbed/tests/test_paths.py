"""Calls on recordings: a name is a call, and the recordings that come with the testbed."""

from __future__ import annotations

import gzip
import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from gcc_testbed.commands import paths as commands
from gcc_testbed.commands.drawn_calls import Study
from gcc_testbed.scenario import recording, scenario_file, synthetic_recordings
from gcc_testbed.scenario.link import HeadDrop
from gcc_testbed.studies.drawn import draws
from gcc_testbed.studies.drawn.draws import Words
from gcc_testbed.studies.drawn.plan import text
from gcc_testbed.studies.paths import calls, folder
from gcc_testbed.studies.paths.calls import Source, drawn, name_of
from gcc_testbed.support import toml_file
from gcc_testbed.support.errors import TestbedError

SHIPPED = calls.load()
NAMES = [name_of(seed, number) for seed in range(1, 4) for number in range(1, 301)]
ROWS = "time_s,kbps,delay_ms,loss_percent\n0,2000,,\n1,1000,,\n"


def holding(directory: Path, *names: str) -> Source:
    """The calls of a folder with such recordings."""
    for name in names:
        (directory / f"{name}.csv").write_text(ROWS)
    return calls.load(directory)


# A name is a call.


def test_a_name_always_gives_the_same_call_of_the_same_folder() -> None:
    assert drawn("p3-017", SHIPPED) == drawn("p3-017", calls.load())
    assert drawn("p3-017", SHIPPED).seed == 17
    assert drawn("p3-017b", SHIPPED).seed == 10017
    assert drawn("p3-017b", SHIPPED).title == drawn("p3-017", SHIPPED).title


def test_a_key_that_is_added_changes_no_other_draw() -> None:
    keys = {"fog": Words({"thick": 100.0}), **SHIPPED.population.keys}
    more = replace(SHIPPED, population=replace(SHIPPED.population, keys=keys))
    assert [drawn(name, more) for name in NAMES[:20]] == [
        drawn(name, SHIPPED) for name in NAMES[:20]
    ]


@pytest.mark.parametrize("name", ["", "3-017", "s3-017", "p3", "p3-000", "../p3-017"])
def test_the_name_of_another_study_is_none(name: str) -> None:
    with pytest.raises(TestbedError, match="expected the name of a call, like p3-017"):
        drawn(name, SHIPPED)


def test_each_drawn_call_is_valid_for_the_loader(tmp_path: Path) -> None:
    for name in NAMES[:25]:
        call = drawn(name, SHIPPED)
        file = tmp_path / "call.toml"
        file.write_text(text(call))
        scenario = scenario_file.load(file)
        assert scenario == call.scenario(), name
        assert scenario.duration_s == 60
        assert scenario.flows[0].name == "media"
        assert scenario.link.forward.trace is not None


# A mobile path with rates alone has the delays of another recording.


def with_pings(directory: Path) -> Source:
    (directory / "ping-1.csv").write_text("time_s,kbps,delay_ms,loss_percent\n0,,5,\n1,,9,\n")
    (directory / "cell-1.csv").write_text("time_s,kbps,delay_ms,loss_percent\n0,1,5,\n1,2,9,\n")
    return holding(directory, "wifi-1", "uplink-1")


def test_a_mobile_path_without_delays_gets_those_of_a_ping(tmp_path: Path) -> None:
    source = with_pings(tmp_path)
    found = {}
    for name in NAMES[:60]:
        call = drawn(name, source)
        found[call.kinds["recording"]] = call
    assert found["uplink-1"].tables["link"]["recording"] == [
        str(tmp_path / "uplink-1.csv"),
        str(tmp_path / "ping-1.csv"),
    ]
    assert found["uplink-1"].title.startswith("uplink-1 with ping-1, RTT")
    # A recording that has delays keeps its own, and so does a path of another kind.
    assert found["cell-1"].tables["link"]["recording"] == str(tmp_path / "cell-1.csv")
    assert found["wifi-1"].tables["link"]["recording"] == str(tmp_path / "wifi-1.csv")
    calls.check(found.values())
    link = found["uplink-1"].scenario().link
    assert {condition.delay_ms for condition in link.conditions} == {5, 9}


def test_pings_change_no_other_draw(tmp_path: Path) -> None:
    before = [drawn(name, holding(tmp_path, "uplink-1")) for name in NAMES[:20]]
    (tmp_path / "ping-1.csv").write_text("time_s,kbps,delay_ms,loss_percent\n0,,5,\n1,,9,\n")
    for name, plain in zip(NAMES[:20], before, strict=True):
        call = drawn(name, calls.load(tmp_path))
        assert call.title.replace(" with ping-1", "") == plain.title
        assert call.tables["flow"] == plain.tables["flow"]


def test_a_satellite_drops_its_oldest_packet() -> None:
    found = next(
        call for name in NAMES if (call := drawn(name, SHIPPED)).kinds["path"] == "starlink"
    )
    queue = found.scenario().link.forward.queue
    assert isinstance(queue, HeadDrop)
    assert 1500 <= queue.packets <= 4000


# The shares are those of the file, of what is there.


def shares_of(source: Source, key: str) -> dict[str, float]:
    found = Counter(drawn(name, source).kinds[key] for name in NAMES)
    return {word: 100 * count / len(NAMES) for word, count in found.items()}


def test_kinds_that_a_folder_lacks_leave_their_share_to_the_others(tmp_path: Path) -> None:
    found = shares_of(holding(tmp_path, "wifi-1", "wifi-2", "uplink-1", "ping-1"), "recording")
    # Wi-Fi and mobile are 40 to 30, and two files of a kind are as likely.
    wanted = {"wifi-1": 28.6, "wifi-2": 28.6, "uplink-1": 42.9}
    assert found == {name: pytest.approx(share, abs=6) for name, share in wanted.items()}


def test_the_call_is_beside_somebody_as_often_as_the_file_says() -> None:
    wanted = {"nobody": 75, "web": 15, "tcp": 7, "call": 3}
    found = shares_of(SHIPPED, "beside")
    assert found == {word: pytest.approx(share, abs=4) for word, share in wanted.items()}


def test_every_number_has_a_source() -> None:
    tables = toml_file.read(calls.PATHS)["draw"]
    assert [key for key, table in tables.items() if not table.get("source")] == []


def test_each_kind_of_path_has_a_share() -> None:
    kinds = draws.load(calls.PATHS).keys["path"]
    assert isinstance(kinds, Words)
    assert set(kinds.shares) == set(folder.KINDS)


def test_a_recording_ships_for_each_kind_of_path() -> None:
    assert set(SHIPPED.recordings) == set(folder.KINDS)


def test_a_digest_stands_for_names_and_contents(tmp_path: Path) -> None:
    holding(tmp_path, "wifi-1", "wifi-2")
    before = folder.digest(tmp_path)
    (tmp_path / "README.md").write_text("No recording.\n")
    assert folder.digest(tmp_path) == before
    (tmp_path / "wifi-2.csv").rename(tmp_path / "wifi-3.csv")
    renamed = folder.digest(tmp_path)
    (tmp_path / "wifi-1.csv").write_text(ROWS.replace("2000", "2001"))
    assert len({before, renamed, folder.digest(tmp_path)}) == 3


@pytest.mark.parametrize(
    ("names", "said"),
    [((), "no file is named like wifi-1.csv.gz"), (("ping-1",), "no file is named like")],
)
def test_a_folder_without_recordings_is_told(
    names: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    with pytest.raises(TestbedError, match=said):
        holding(tmp_path, *names)
    with pytest.raises(TestbedError, match="there is no such directory"):
        calls.load(tmp_path / "none")


def test_a_directory_of_calls_goes_on_with_its_own_recordings_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "recordings").mkdir()
    holding(tmp_path / "recordings", "wifi-1")
    out = tmp_path / "out"
    out.mkdir()
    mark = out / "paths.json"
    mark.write_text('{"calls": [], "recordings": "0123"}')
    words = ["--recordings", str(tmp_path / "recordings"), "--out", str(out)]
    for more in (["--draw"], ["p1-001"]):
        assert commands.main([*words, *more]) == 2
        said = capsys.readouterr().err
        digest = folder.digest(tmp_path / "recordings")
        assert f"its calls are of other recordings (0123, now {digest})" in said
    assert mark.read_text() == '{"calls": [], "recordings": "0123"}'


def test_a_directory_remembers_its_recordings(tmp_path: Path) -> None:
    def study(recordings: str) -> Study:
        return Study(
            *("paths", tmp_path, (), 1, []),
            planned=lambda _: [],
            write=lambda *_: None,
            recordings=recordings,
        )

    study("0123").remember(["p1-001"])
    assert study("0123").known() == ["p1-001"]
    study("0123").check_recordings()
    with pytest.raises(TestbedError, match="expected the same folder, or another --out"):
        study("4567").check_recordings()


# The recordings that come with the testbed.


@pytest.mark.parametrize("name", sorted(synthetic_recordings.COURSES))
def test_the_shipped_recordings_are_what_their_seed_makes(name: str) -> None:
    file = folder.RECORDINGS / f"{name}.csv.gz"
    assert gzip.decompress(file.read_bytes()).decode() == synthetic_recordings.texts()[name]
    assert recording.length_s(recording.read(file)) == pytest.approx(60)


def test_every_shipped_recording_says_that_it_is_synthetic() -> None:
    names = {file.name for file in folder.RECORDINGS.iterdir()}
    assert names == {f"{name}.csv.gz" for name in synthetic_recordings.COURSES}
    assert all("-synthetic-" in name for name in names)


def test_a_synthetic_wifi_has_jumps_bursts_and_holes() -> None:
    rows = synthetic_recordings.COURSES["wifi-synthetic-2"].rows()
    median = sorted(kbps for kbps, _, _ in rows)[len(rows) // 2]
    jumps = [row for row in rows if row[1] >= 20]
    losses = [row for row in rows if row[2]]
    holes = [row for row in rows if row[0] < 0.1 * median]
    assert 400 < len(jumps) < 1600
    assert 20 < len(losses) < 200
    assert 100 < len(holes) < 1600
    assert max(delay for _, delay, _ in rows) <= 61


def test_a_synthetic_satellite_has_another_rate_and_delay_each_15_s() -> None:
    rows = synthetic_recordings.COURSES["starlink-synthetic-1"].rows()
    quarters = [sorted(row[1] for row in rows[at : at + 1000])[500] for at in range(0, 4000, 1000)]
    assert all(abs(one - two) > 0.5 for one, two in itertools.pairwise(quarters))
