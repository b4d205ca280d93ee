"""Calls drawn at random: a name is a call, and the draws follow their distributions."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_card import TESTBED

from gcc_testbed.commands import drawn_calls
from gcc_testbed.commands import series as command
from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.flows import CONGESTION_CONTROLS
from gcc_testbed.scenario.link import QUEUES
from gcc_testbed.studies.drawn import calls, draws, shaped
from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.drawn.draws import Draws, Numbers, Population, Words
from gcc_testbed.studies.drawn.plan import planned, text
from gcc_testbed.studies.drawn.series import Series
from gcc_testbed.studies.ordinary.series import SERIES as ORDINARY
from gcc_testbed.studies.paths import calls as paths
from gcc_testbed.studies.scorecard import card
from gcc_testbed.studies.stress.series import SERIES as STRESS
from gcc_testbed.support.errors import TestbedError

BOTH = (STRESS, ORDINARY)
POPULATIONS = {series: draws.load(series.file) for series in BOTH}
# Of both.
KEYS = sorted(POPULATIONS[STRESS].keys)


def names(series: Series) -> list[str]:
    return [series.name_of(seed, number) for seed in range(1, 6) for number in range(1, 201)]


def drawn(name: str, population: Population = POPULATIONS[STRESS]) -> Drawn:
    return shaped.drawn(name, population, name[:1])


@pytest.fixture(scope="module", params=BOTH, ids=lambda series: series.name)
def series(request: pytest.FixtureRequest) -> Series:
    found: Series = request.param
    return found


@pytest.fixture(scope="module")
def many(series: Series) -> list[Drawn]:
    return series.drawn(names(series)[:150])


def link(tables: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = tables["link"]
    return found


# A name is a call.


def test_a_name_always_gives_the_same_call() -> None:
    assert STRESS.drawn(["s3-017"]) == STRESS.drawn(["s3-017"])
    # Whatever this Python, and whatever was drawn before: published pages' names stand for it.
    assert Draws("s3-017", POPULATIONS[STRESS])._chance("rtt_ms", 0) == pytest.approx(
        0.3579011, abs=1e-6
    )


def test_the_stress_test_has_the_calls_that_it_had_under_another_name() -> None:
    (call,) = STRESS.drawn(["s22-030"])
    assert call.title == (
        "5940 kbit/s, RTT 142 ms, drop tail 203 ms, 4.34 % loss, model 30/s, a key frame of 39798 "
        "bytes each 3.2 s, 300 to 8435 kbit/s, beside cubic"
    )


def test_no_two_studies_have_calls_of_one_name() -> None:
    assert len({STRESS.letter, ORDINARY.letter, paths.LETTER}) == 3
    with pytest.raises(TestbedError, match="expected the name of a call, like o3-017"):
        ORDINARY.drawn(["s3-017"])


def test_other_names_give_other_calls(many: list[Drawn]) -> None:
    assert len({call.title for call in many}) == len(many)
    assert drawn("s1-017").title != drawn("s2-017").title


def test_how_many_calls_are_asked_for_changes_none() -> None:
    def asked(*words: str) -> list[str]:
        options = command._parser(STRESS).parse_args(list(words))
        return drawn_calls.names(options, STRESS.calls, STRESS.check, STRESS.name_of)

    few, more = asked("--seed", "3", "--calls", "20"), asked("--seed", "3", "--calls", "40")
    assert few == more[:20]
    assert asked("s3-017") == [few[16]]


def test_a_key_that_is_added_changes_no_other_draw() -> None:
    population = POPULATIONS[STRESS]
    more = replace(population, keys={"fog": Words({"thick": 100.0}), **population.keys})
    some = names(STRESS)[:20]
    assert [drawn(name, more) for name in some] == STRESS.drawn(some)


def test_a_repeat_has_the_keys_of_the_call_and_other_random_numbers() -> None:
    first, again = (drawn(name) for name in ("s3-017", "s3-017b"))
    assert again.title == first.title
    assert {**again.tables, "title": ""} == {**first.tables, "title": ""}
    assert (first.seed, again.seed, drawn("s3-017c").seed) == (17, 10017, 20017)


@pytest.mark.parametrize(
    "name",
    ["", "17", "s3", "s3-0", "s3-000", "s3-17", "s03-017", "../s3-017", "s3-017a", "s3-017bb"],
)
def test_what_is_no_name_is_told(name: str) -> None:
    with pytest.raises(TestbedError, match="expected the name of a call, like s3-017"):
        STRESS.drawn([name])


# A call is a scenario.


def test_each_drawn_call_is_valid_for_the_loader(many: list[Drawn], tmp_path: Path) -> None:
    for call in many:
        file = tmp_path / "call.toml"
        file.write_text(text(call))
        scenario = scenario_file.load(file)
        assert scenario == call.scenario(), call.name
        assert 5 <= scenario.link.rtt_ms <= 600
        assert scenario.link.loss_percent <= 8
        assert scenario.flows[0].name == "media"
        # A trace has moments of nothing.
        if scenario.link.forward.trace is None:
            rates = [step.kbps for step in scenario.link.forward.rate.steps]
            assert 32 <= min(rates) <= max(rates) <= 30_000


def test_a_rate_that_changes_all_the_time_has_a_packets_bucket(many: list[Drawn]) -> None:
    """Each change of the rate fills the bucket, and a large one passes twice the trace's bytes."""
    changing = [call for call in many if call.kinds["rate"] in ("fading", "trace")]
    assert {call.kinds["bucket"] for call in changing} == {"packet"}
    assert not any("burst_bytes" in call.tables["link"]["forward"] for call in changing)
    assert {call.kinds["bucket"] for call in many} == {"packet", "bucket", "policer"}


def test_peers_make_the_calls_that_their_flows_can(many: list[Drawn], tmp_path: Path) -> None:
    columns = card.load().columns
    some = many[:40]
    pairs = {(each.call.name, each.column.name) for each in planned(some, columns, tmp_path)}
    for call in some:
        assert {(call.name, name) for name in ("remb", "auto", "goog-2020", "goog-2026")} <= pairs
        flows = [flow for flow in call.tables["flow"] if flow["kind"] == "gcc"]
        plain = not any("source" in flow or "protection" in flow for flow in flows)
        assert ((call.name, "kalman") in pairs) == plain


def test_a_contenders_call_has_the_seed_of_its_name(tmp_path: Path) -> None:
    (each,) = planned(STRESS.drawn(["s3-017"]), card.load().columns[:1], tmp_path)
    assert each.run.directory == f"runs/s3-017.{each.column.name}/seed-17"
    assert tomllib.loads(each.run.scenario.read_text())["title"].startswith("s3-017: ")


# The draws follow their distributions.


def share_within(values: list[float], low: float, high: float) -> float:
    """Of numbers as they are drawn, which are rounded."""
    slack = 10.0 ** (1 - draws.SIGNIFICANT)
    inside = [value for value in values if low * (1 - slack) <= value <= high * (1 + slack)]
    return 100 * len(inside) / len(values)


def tolerance(percent: float, count: int) -> float:
    """Four standard deviations of a share; the draws are fixed, so none fails by chance."""
    return 4 * math.sqrt(percent * (100 - percent) / count)


@pytest.mark.parametrize("key", KEYS)
def test_each_key_has_its_stated_shares_over_a_thousand_draws(series: Series, key: str) -> None:
    population = POPULATIONS[series]
    spread = population.keys[key]
    of_names = [Draws(name, population) for name in names(series)]
    if isinstance(spread, Words):
        words = [each.word(key) for each in of_names]
        assert set(words) == set(spread.shares)
        for word, percent in spread.shares.items():
            found = 100 * words.count(word) / len(words)
            assert found == pytest.approx(percent, abs=tolerance(percent, len(words)))
        return
    numbers = [each.number(key) for each in of_names]
    lows, highs = ([getattr(band, end) for band in spread.bands] for end in ("low", "high"))
    assert share_within(numbers, min(lows), max(highs)) == 100
    for band in spread.bands:
        if spread.whole and band.low != band.high:
            # Its edges are in the next band, too.
            continue
        found = share_within(numbers, band.low, band.high)
        assert found == pytest.approx(band.percent, abs=tolerance(band.percent, len(numbers)) + 2)


def test_numbers_lie_evenly_on_a_logarithmic_scale_within_a_band() -> None:
    population = POPULATIONS[STRESS]
    numbers = [Draws(name, population).number("route_ms") for name in names(STRESS)]
    assert share_within(numbers, 5, math.sqrt(5 * 100)) == pytest.approx(50, abs=6)


def test_the_keys_are_those_that_scenario_files_know(series: Series) -> None:
    population = POPULATIONS[series]

    def words(key: str) -> set[str]:
        spread = population.keys[key]
        assert isinstance(spread, Words)
        return set(spread.shares)

    # Starlink's queue, which drops at its head, is no part of it.
    assert words("queue") == set(QUEUES) - {"pfifo_head_drop"}
    assert words("tcp_congestion") == set(CONGESTION_CONTROLS)
    assert words("source") == set(population.most_kbps)
    assert all((calls.TRACES / trace).is_file() for trace in words("trace"))


def test_every_key_of_the_file_is_drawn_by_some_call(
    series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = set()
    chance = Draws._chance

    def noted(self: Draws, key: str, nth: int) -> float:
        asked.add(key)
        return chance(self, key, nth)

    monkeypatch.setattr(Draws, "_chance", noted)
    series.drawn(names(series)[:200])
    assert asked == set(POPULATIONS[series].keys) == set(KEYS)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("shares = { a = 60, b = 30 }", "draw.x: 90 of 100"),
        ("shares = { a = 110, b = -10 }", "draw.x: 100 of 100: expected 100, each above 0"),
        ("bands = [[100, 0, 5]]", "draw.x: from 0 to 5: expected 0 < from < to"),
        ("colour = 1", "bands is missing"),
    ],
)
def test_a_wrong_distribution_is_told_in_a_line(table: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "stress.toml"
    file.write_text(f"[call]\n[most_kbps]\n[draw.x]\n{table}\n")
    with pytest.raises(TestbedError, match=said):
        draws.load(file)


def test_a_band_ends_where_the_next_begins() -> None:
    numbers = Numbers((draws.Band(50, 1, 10), draws.Band(50, 10, 100)))
    assert [numbers.at(chance) for chance in (0, 0.25, 0.5, 0.75, 1)] == [1, 3.16, 10, 31.6, 100]


def test_the_distributions_are_where_the_documentation_says(series: Series) -> None:
    assert series.file == TESTBED / "data" / f"{series.name}.toml"
    text = (TESTBED.parent / "docs/testbed.md").read_text(encoding="utf-8")
    assert f"`testbed/data/{series.name}.toml`" in text


def test_ordinary_calls_want_at_most_what_applications_ask_for() -> None:
    media = [call.tables["flow"][0] for call in ORDINARY.drawn(names(ORDINARY)[:60])]
    models = [flow["max_kbps"] for flow in media if "source" in flow]
    assert max(models) == 2500
