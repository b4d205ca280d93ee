"""A flow with FEC and retransmissions: its lines, what is left lost, and where that is shown."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.axes import Axes

from gcc_testbed.measure import captures, metrics
from gcc_testbed.measure.traces import Trace
from gcc_testbed.report import page, panels, plots
from gcc_testbed.run import pipelines
from gcc_testbed.run.experiment import Experiment
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.link import Link, RateSchedule, RateStep, Shaper
from gcc_testbed.scenario.network import Ports
from gcc_testbed.scenario.scenario import REPAIR_MARGIN_MS, Scenario
from gcc_testbed.scenario.sequence import Sequence
from gcc_testbed.studies.sweeps.results import Gathered, table
from gcc_testbed.studies.sweeps.sweep_file import Plan, Run

MEDIA, RTX, FEC = 96, 97, 100
BOTH = GccFlow(protection=("rtx", "fec"))
ORIGIN = 1577836801.0


# Lines.


def in_order(words: list[str], *wanted: str) -> bool:
    places = [words.index(word) for word in wanted]
    return places == sorted(places)


def sender(flow: GccFlow, sequence: Sequence) -> list[str]:
    return pipelines.sender(flow, sequence, Ports.of_flow(0), "/t.csv")


def receiver(flow: GccFlow) -> list[str]:
    return pipelines.receiver(flow, Ports.of_flow(0), "/t.csv", latency_ms=550)


def test_gccsender_stands_behind_what_it_keeps_within_its_target(sequence: Sequence) -> None:
    words = sender(BOTH, sequence)
    assert in_order(words, "rtpvp8pay", "rtpulpfecenc", "rtprtxsend", "gccsender")


def test_gccreceiver_sees_every_packet_before_the_repair() -> None:
    words = receiver(BOTH)
    parts = ("gccreceiver", "rtprtxreceive", "rtpstorage", "rtpjitterbuffer", "rtpulpfecdec")
    assert in_order(words, *parts, "rtpptdemux", "rtpvp8depay")
    assert "do-retransmission=true" in words


@pytest.mark.parametrize(
    ("asked", "there", "missing"),
    [(("rtx",), "rtprtx", "rtpulpfec"), (("fec",), "rtpulpfec", "rtprtx")],
)
def test_only_what_is_asked_for_is_in_the_lines(
    sequence: Sequence, asked: tuple[str, ...], there: str, missing: str
) -> None:
    flow = GccFlow(protection=asked)
    for words in (sender(flow, sequence), receiver(flow)):
        assert any(word.startswith(there) for word in words)
        assert not any(word.startswith(missing) for word in words)
    retransmits = str("rtx" in asked).lower()
    assert f"do-retransmission={retransmits}" in receiver(flow)


def test_an_ordinary_flow_knows_nothing_of_it(sequence: Sequence) -> None:
    for words in (sender(GccFlow(), sequence), receiver(GccFlow())):
        assert not [word for word in words if "rtx" in word or "fec" in word]
    assert "rtpbin" in receiver(GccFlow())


def test_pacing_is_the_profiles_unless_it_is_given(sequence: Sequence) -> None:
    assert not [word for word in sender(GccFlow(), sequence) if "pacing" in word]
    words = sender(GccFlow(pacing_factor=0, max_pacing_delay_ms=100), sequence)
    assert {"pacing-factor=0", "max-pacing-delay=100"} <= set(words)


def test_the_receiver_waits_for_a_round_trip_and_more() -> None:
    link = Link(Shaper(RateSchedule((RateStep(0, 1000),))), one_way_delay_ms=100)
    flow = GccFlow(protection=("rtx",), extra_one_way_delay_ms=50)
    scenario = Scenario(link=link, flows=(flow,))
    assert scenario.repair_latency_ms(flow) == 300 + REPAIR_MARGIN_MS


# Measures.


@pytest.fixture
def experiment(
    scenario: Scenario, sequence: Sequence, tmp_path: Path, write_contents: Callable[..., None]
) -> Experiment:
    """100 media packets and 10 of FEC a second for 8 s.

    From 5 s on 10 % of the media is lost. A half of that is sent again, and the repair numbers all
    it has anew.
    """
    media = [(ORIGIN + 0.005 + n / 100, b"%05d" % n + bytes(95)) for n in range(800)]
    lost = {n for n in range(500, 800) if n % 10 == 5}
    again = {n for n in lost if n % 20 == 5}
    sent = [(at, MEDIA, n + n // 10, payload) for n, (at, payload) in enumerate(media)]
    sent += [
        (at + 0.001, FEC, n + n // 10 + 1, bytes(100))
        for n, (at, _) in enumerate(media)
        if n % 10 == 9
    ]
    sent += [(media[n][0] + 0.1, RTX, n, b"no" + media[n][1]) for n in again]
    gone = {media[n][1] for n in lost}
    kept = [row for row in sorted(sent) if row[3] not in gone]
    write_contents(tmp_path / "a.pcap", sorted(sent))
    write_contents(tmp_path / "b.pcap", [(at + 0.01, *rest) for at, *rest in kept])
    there = [media[n] for n in range(800) if n not in lost or n in again]
    write_contents(
        tmp_path / "repaired.pcap",
        [(at + 0.2, MEDIA, 7 + n, payload) for n, (at, payload) in enumerate(there)],
        Ports.of_flow(0).repaired,
    )
    (tmp_path / "link.csv").write_text(f"time_s,kbps\n{ORIGIN},1000\n")
    (tmp_path / "sender.csv").write_text(
        "time_s,event,a_s_bps,r_video_bps,r_fec_bps,r_rtx_bps,v_bps\n"
        f"{ORIGIN},start,300000,100000,0,0,300000\n"
        f"{ORIGIN + 5},report,300000,200000,40000,20000,240000\n"
    )
    return Experiment(replace(scenario, flows=(BOTH,)), (sequence,), tmp_path)


def test_residual_loss_is_the_media_that_no_repair_brought_back(experiment: Experiment) -> None:
    record = metrics.read_record(experiment.run, experiment.scenario)
    (flow,) = metrics.measure(record)["flows"]
    # From 2 s until a repair could no longer have come, 550 ms before the end: 545 media packets,
    # of which those lost and not sent again are 515, 535 ... 735.
    assert flow["residual_loss_ratio"] == pytest.approx(12 / 545, abs=1e-6)
    assert flow["residual_incomplete_ratio"] == 1


def test_loss_and_rate_are_those_of_all_three_kinds(experiment: Experiment) -> None:
    (flow,) = metrics.measure(metrics.read_record(experiment.run, experiment.scenario))["flows"]
    # Media, FEC and retransmissions sent from 2 s on, and the media lost.
    sent = 600 * 140 + 60 * 140 + 15 * 142
    assert flow["loss_ratio"] == pytest.approx(30 * 140 / sent, rel=1e-3)
    received = (sent - 30 * 140) * 8 / 6 / 1000
    assert flow["received_kbps"] == pytest.approx(received, rel=0.01)
    # Good is the media alone.
    assert flow["good_utilisation"] == pytest.approx(570 * 100 * 8 / 6 / 1e6, rel=0.01)


def test_rates_are_averaged_over_time_not_over_lines(experiment: Experiment) -> None:
    (flow,) = metrics.measure(metrics.read_record(experiment.run, experiment.scenario))["flows"]
    assert flow["rates_kbps"] == {"video": 150, "fec": 20, "rtx": 10}


def test_a_mean_covers_no_more_than_what_is_known() -> None:
    rows = [{"time_s": "1", "x": "10"}, {"time_s": "3", "x": "20"}]
    assert Trace(rows).mean("x", 0, 4) == pytest.approx((2 * 10 + 1 * 20) / 3)
    assert Trace(rows).mean("x", 2, 4) == 15
    assert Trace(rows).mean("y", 0, 4) is None


def test_a_flow_without_protection_has_no_residual(experiment: Experiment, tmp_path: Path) -> None:
    (tmp_path / "repaired.pcap").unlink()
    plain = replace(experiment.scenario, flows=(GccFlow(),))
    (flow,) = metrics.measure(metrics.read_record(tmp_path, plain))["flows"]
    assert not {"residual_loss_ratio", "rates_kbps"} & set(flow)


# The frames that are shown.


def test_the_summary_has_a_residual_only_with_protection(experiment: Experiment) -> None:
    record = metrics.read_record(experiment.run, experiment.scenario)
    lines = page.summary(metrics.measure(record)).splitlines()
    assert lines[0].split()[3:6] == ["kbit/s", "loss", "residual"]
    assert "2.20 %" in lines[1]
    plain = replace(experiment.scenario, flows=(GccFlow(),))
    text = page.summary(metrics.measure(metrics.read_record(experiment.run, plain)))
    assert "residual" not in text


@pytest.mark.parametrize(("flow", "drawn"), [(BOTH, True), (GccFlow(), False)])
def test_what_protection_takes_is_drawn(
    experiment: Experiment, monkeypatch: pytest.MonkeyPatch, flow: GccFlow, drawn: bool
) -> None:
    names: list[str] = []
    label = panels.label_at_right

    def noted(axis: Axes, labels: list[tuple[str, float, str]], top: float) -> None:
        names.extend(name for name, _, _ in labels)
        label(axis, labels, top)

    monkeypatch.setattr(panels, "label_at_right", noted)
    scenario = replace(experiment.scenario, flows=(flow,))
    record = metrics.read_record(experiment.run, scenario)
    measured = {**metrics.measure(record), "sequence": {"name": "foreman"}}
    plots.draw(record, measured, experiment.run)
    assert ({"$v$", "$r_{FEC}$", "$r_{RTX}$"} <= set(names)) == drawn


@pytest.mark.parametrize("residual", [0.0049, None])
def test_the_table_of_a_sweep_has_a_column_for_it(residual: float | None) -> None:
    flow = {"kind": "gcc", "loss_ratio": 0.1}
    if residual is not None:
        flow["residual_loss_ratio"] = residual
    run = Run("one", {}, Path("s.toml"), {}, 1)
    text = table(Gathered(Plan("a sweep", (run,)), ({"flows": [flow]},), (), ()))
    assert ("residual %" in text, "0.49" in text) == (residual is not None,) * 2


# A call.

SCENARIO = """
title = "A protected call over a lossy link"
duration_s = 20
measure_from_s = 5
[link]
loss_percent = 5
[link.forward]
rate_kbps = 2000
[[flow]]
kind = "gcc"
profile = "rtcweb-2013"
start_kbps = 1000
"""


@pytest.fixture(scope="module")
def calls(
    tmp_path_factory: pytest.TempPathFactory, testbed: Callable[..., None]
) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("protected")
    (base / "s.toml").write_text(SCENARIO)
    for kind in ("rtx", "fec"):
        protection = f'flow[0].protection=["{kind}"]'
        testbed(base, "run", "s.toml", "--quiet", "--out", kind, "--set", protection)
    return {kind: base / kind for kind in ("rtx", "fec")}


@pytest.mark.virtual
@pytest.mark.parametrize("kind", ["rtx", "fec"])
def test_each_kind_repairs_by_itself(calls: dict[str, Path], kind: str) -> None:
    (flow,) = json.loads((calls[kind] / "metrics.json").read_text())["flows"]
    assert 0.02 < flow["loss_ratio"] < 0.1
    assert flow["residual_loss_ratio"] < 0.6 * flow["loss_ratio"]
    other = {"rtx": "fec", "fec": "rtx"}[kind]
    assert flow["rates_kbps"][kind] > 10
    assert flow["rates_kbps"][other] == 0


@pytest.mark.virtual
@pytest.mark.parametrize("kind", ["rtx", "fec"])
def test_what_is_repaired_is_byte_for_byte_what_was_sent(calls: dict[str, Path], kind: str) -> None:
    sent = captures.contents(captures.read(calls[kind] / "a.pcap"), 5000, MEDIA)
    capture = captures.read(calls[kind] / "repaired.pcap")
    repaired = captures.contents(capture, Ports.of_flow(0).repaired, MEDIA)
    received = captures.contents(captures.read(calls[kind] / "b.pcap"), 5000, MEDIA)
    # The chain of the repair is linked while the first packets pass, and may let one fall.
    settled = {
        content
        for time_s, content in zip(received.time_s, received.content, strict=True)
        if time_s > received.time_s[0] + 0.5
    }
    assert settled < set(repaired.content) <= set(sent.content)
