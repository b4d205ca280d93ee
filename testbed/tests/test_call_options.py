"""From words on a command line to a scenario."""

import argparse

import pytest

from gcc_testbed.commands.call_options import add_options, scenario_from
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.link import DropTail, RateSchedule, RateStep, parse_schedule
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.errors import TestbedError


def scenario_of(*words: str) -> Scenario:
    parser = argparse.ArgumentParser()
    add_options(parser)
    return scenario_from(parser.parse_args(words))


def test_no_option_is_the_papers_call() -> None:
    scenario = scenario_of()
    assert (scenario.duration_s, scenario.measure_from_s, scenario.seed) == (60, 20, 1)
    assert scenario.link.forward.rate == RateSchedule((RateStep(0, 1000),))
    assert (scenario.link.rtt_ms, scenario.link.forward.queue) == (50, DropTail(ms=300))
    (flow,) = scenario.flows
    assert isinstance(flow, GccFlow)
    assert (flow.min_kbps, flow.max_kbps) == (50, 2000)


def test_the_traffic_model_is_asked_for() -> None:
    assert scenario_of().video_source() == "vp8"
    assert scenario_of("--source", "model").video_source() == "model"


def test_feedback_is_negotiated_unless_the_profile_is_older_or_a_user_wants_something_else() -> (
    None
):
    def used(*words: str) -> str:
        (flow,) = scenario_of(*words).flows
        assert isinstance(flow, GccFlow)
        return flow.feedback

    assert used() == "auto"
    assert used("--profile", "goog-2020") == "remb"
    assert used("--profile", "goog-2020", "--feedback", "auto") == "auto"
    for mode in ("auto", "remb", "transport-cc"):
        assert used("--feedback", mode) == mode


def test_a_schedule_lists_seconds_and_rates() -> None:
    schedule = parse_schedule("0:1000,40:2500,60:600")
    assert schedule.steps == (RateStep(0, 1000), RateStep(40, 2500), RateStep(60, 600))


def test_a_schedule_can_be_written_again() -> None:
    for text in ("1000", "0:1000,40:2500"):
        assert str(parse_schedule(text)) == text


def test_a_schedule_must_start_at_zero() -> None:
    with pytest.raises(TestbedError, match="starts at 0"):
        parse_schedule("5:1000")


@pytest.mark.parametrize("text", ["0:1000,40:2500,40:600", "0:1000,40:2500,30:600"])
def test_the_times_of_a_schedule_must_increase(text: str) -> None:
    with pytest.raises(TestbedError, match="increase"):
        parse_schedule(text)


@pytest.mark.parametrize("text", ["", "fast", "0:1000,2500", "0:", ":5", "nan", "0:inf", "0:1000,"])
def test_a_schedule_that_is_none_is_explained(text: str) -> None:
    with pytest.raises(TestbedError, match="expected kbit/s like 1000"):
        parse_schedule(text)


def test_the_mean_of_a_schedule_counts_only_the_interval() -> None:
    schedule = parse_schedule("0:1000,40:2500,60:600")
    assert schedule.mean_kbps(0, 40) == 1000
    assert schedule.mean_kbps(30, 50) == 1750
    assert schedule.mean_kbps(50, 70) == 1550


def test_a_queue_in_ms_follows_the_rate() -> None:
    queue = scenario_of("--queue-ms", "200").link.forward.queue
    assert (queue.limit_bytes(1000), queue.limit_bytes(500)) == (25000, 12500)


def test_a_queue_in_bytes_does_not_follow_the_rate() -> None:
    queue = scenario_of("--queue-bytes", "30000").link.forward.queue
    assert (queue.limit_bytes(1000), queue.limit_bytes(500)) == (30000, 30000)


def test_a_queue_always_holds_one_packet() -> None:
    assert DropTail(ms=1).limit_bytes(50) >= 1500


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rate", "-5"], "--rate -5: a rate is 1 to"),
        (["--rate", "5:1000"], "--rate 5:1000: a rate schedule starts at 0 s"),
        (["--rtt", "-1"], "--rtt -1: expected ms, at least 0"),
        (["--rtt", "soon"], "--rtt soon: expected ms"),
        (["--duration", "0"], "--duration 0: expected seconds, more than 0"),
        (["--duration", "nan"], "--duration nan: expected seconds"),
        (["--measure-from", "60"], r"--measure-from 60: expected less than --duration \(60 s\)"),
        (["--queue-ms", "0"], "--queue-ms 0: expected ms, more than 0"),
        (["--queue-bytes", "100"], "--queue-bytes 100: expected bytes, from 1540"),
        (["--source", "h264"], "--source h264: expected one of vp8, model"),
        (["--feedback", "twcc"], "--feedback twcc: expected one of auto, remb, transport-cc"),
        (["--profile", "best"], "--profile best: expected one of rtcweb-2013, "),
        (["--world", "real"], "--world real: expected one of virtual, namespace"),
        (["--seed", "x"], "--seed x: expected a whole number"),
        (["--min-bitrate", "0"], "--min-bitrate 0: expected kbit/s"),
        (["--start-bitrate", "9000"], "expected min <= start <= max"),
        (["--sequence", "nowhere.mp4"], "--sequence nowhere.mp4: no such file"),
    ],
)
def test_a_wrong_value_names_the_option_the_value_and_what_was_expected(
    words: list[str], message: str
) -> None:
    with pytest.raises(TestbedError, match=message):
        scenario_of(*words)
