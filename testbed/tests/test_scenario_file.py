"""From a scenario file to a Scenario and back, and every mistake in one line."""

from pathlib import Path
from typing import Any

import pytest

from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.flows import (
    CbrFlow,
    EncoderModel,
    GccFlow,
    LaunchFlow,
    TcpFlow,
    Transfers,
)
from gcc_testbed.scenario.link import Codel, DropTail, FqCodel, Pie, Sfq
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.errors import TestbedError

SMALLEST = """
title = "The least there is"
duration_s = 10
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "gcc"
"""

EVERYTHING = """
title = "Everything at once"
source = "nobody"
duration_s = 100
measure_from_s = 20
seed = 7
world = "namespace"
[link]
one_way_delay_ms = 50
jitter_ms = 5
loss_percent = 1
arrival_noise_ms = 2
arrival_tick_ms = 10
[link.forward]
rate_kbps = "0:1000,40:2500"
burst_bytes = 10000
[link.forward.queue]
kind = "codel"
target_ms = 13
[link.backward]
rate_kbps = 500
[[flow]]
kind = "gcc"
profile = "rmcat-2016"
abs_send_time = true
feedback = "transport-cc"
probing = false
report_interval_ms = 180
frame_rate = 15
resolution = [640, 480]
degradation = "balanced"
min_kbps = 100
encoder = { "cpu-used" = -8, "error-resilient" = "partitions" }
pause = [[40, 60]]
extra_one_way_delay_ms = 50
protection = ["rtx", "fec"]
pacing_factor = 0
max_pacing_delay_ms = 100
[[flow]]
kind = "gcc"
direction = "backward"
start_s = 5
stop_s = 90
[[flow]]
kind = "tcp"
count = 2
congestion = "bbr"
transfers = { bytes_min = 30000, bytes_max = 50000, idle_mean_s = 10 }
[[flow]]
kind = "udp-cbr"
name = "noise"
rate_kbps = 500
[[flow]]
kind = "launch"
sender = "fakesrc ! udpsink host={b} port={rtp}"
receiver = "udpsrc port={rtp} ! fakesink"
"""


def loaded(tmp_path: Path, text: str, *changes: str) -> Scenario:
    (tmp_path / "s.toml").write_text(text)
    return scenario_file.load(tmp_path / "s.toml", changes)


def test_what_is_left_out_has_a_sensible_value(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, SMALLEST)
    assert (scenario.measure_from_s, scenario.seed, scenario.world) == (0, 1, "virtual")
    assert (scenario.link.rtt_ms, scenario.link.forward.queue) == (50, DropTail(ms=300))
    assert scenario.link.backward is None
    (flow,) = scenario.flows
    assert flow == GccFlow(name="gcc-1")


def test_everything_arrives_where_it_belongs(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, EVERYTHING)
    link = scenario.link
    assert (link.one_way_delay_ms, link.jitter_ms, link.loss_percent) == (50, 5, 1)
    assert (link.arrival_noise_ms, link.arrival_tick_ms) == (2, 10)
    assert (link.forward.queue, link.forward.burst_bytes) == (Codel(target_ms=13), 10000)
    assert link.backward is not None
    assert str(link.backward.rate) == "500"
    names = [flow.name for flow in scenario.flows]
    assert names == ["gcc-1", "gcc-2", "tcp-1", "tcp-2", "noise", "launch-1"]
    first, second, tcp, _, noise, own = scenario.flows
    assert isinstance(first, GccFlow) and isinstance(second, GccFlow)
    assert first.encoder == (("cpu-used", "-8"), ("error-resilient", "partitions"))
    assert first.pause == ((40.0, 60.0),)
    assert (first.frame_rate, first.resolution) == (15, (640, 480))
    assert (first.degradation, second.degradation) == ("balanced", None)
    assert first.protection == ("rtx", "fec")
    assert (first.report_interval_ms, second.report_interval_ms) == (180, None)
    assert (first.abs_send_time, second.abs_send_time) == (True, False)
    assert (first.feedback, first.probing) == ("transport-cc", False)
    assert (second.feedback, second.probing) == ("auto", None)
    assert (first.pacing_factor, first.max_pacing_delay_ms) == (0, 100)
    assert second.active(20, 100) == (20, 90)
    assert isinstance(tcp, TcpFlow)
    assert (tcp.congestion, tcp.transfers) == ("bbr", Transfers(30000, 50000, 10))
    assert isinstance(noise, CbrFlow)
    assert isinstance(own, LaunchFlow)


@pytest.mark.parametrize("text", [SMALLEST, EVERYTHING])
def test_what_is_written_down_is_read_again_as_the_same(tmp_path: Path, text: str) -> None:
    scenario = loaded(tmp_path, text)
    assert scenario_file.from_data(scenario_file.to_data(scenario), "call.json", None) == scenario


@pytest.mark.parametrize(
    ("words", "queue"),
    [
        ('kind = "droptail"\nbytes = 30000', DropTail(ms=None, bytes=30000)),
        ('kind = "codel"', Codel(None, 100, 1000)),
        ('kind = "pie"\ntupdate_ms = 15', Pie(20, 15, 1000)),
        ('kind = "sfq"\npackets = 50', Sfq(ms=None, packets=50)),
        ('kind = "sfq"\nperturb_s = 10', Sfq(perturb_s=10)),
        ('kind = "fq_codel"\nquantum_bytes = 300', FqCodel(13, 100, 10240, 300)),
    ],
)
def test_every_queue_has_its_parameters(tmp_path: Path, words: str, queue: object) -> None:
    text = SMALLEST.replace("[[flow]]", f"[link.forward.queue]\n{words}\n[[flow]]")
    assert loaded(tmp_path, text).link.forward.queue == queue


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rate_kbps = 1000", "rate_kbps = -5", "link.forward.rate_kbps = -5: a rate is 1 to"),
        ("rate_kbps = 1000", "", "link.forward.rate_kbps is missing: expected kbit/s"),
        (
            "rate_kbps = 1000",
            "rate_kbs = 5",
            "unknown key link.forward.rate_kbs: did you mean rate_kbps?",
        ),
        (
            "rate_kbps = 1000",
            "rate_kbps = 1000\nqeue = 5",
            "unknown key link.forward.qeue: did you mean queue?",
        ),
        ("duration_s = 10", "duration_s = 0", "duration_s = 0: expected seconds, more than 0"),
        ("duration_s = 10", "duration = 10", "unknown key duration: did you mean duration_s?"),
        (
            "duration_s = 10",
            "duration_s = 10\nmeasure_from_s = 10",
            "measure_from_s = 10.0: expected less than duration_s (10)",
        ),
        (
            'kind = "gcc"',
            'kind = "gc"',
            'flow[0].kind = "gc": expected one of gcc, rtpgccbwe, tcp, udp-cbr',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nstart_s = 5\nstop_s = 4',
            "flow[0].stop_s = 4.0: expected more than start_s (5)",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nstart_s = 10',
            "flow[0].start_s = 10.0: expected less than duration_s (10)",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsequence = "forman"',
            'flow[0].sequence = "forman": expected foreman, fourpeople, still-foreman or a video',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nprofil = "x"',
            "unknown key flow[0].profil: did you mean profile?",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "h264"',
            'flow[0].source = "h264": expected one of vp8, model',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nencoder = { threads = 1 }',
            "flow[0].encoder = {'threads': 1}: expected none with source = \"model\"",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\npause = [[2, 4]]',
            'flow[0].pause = [[2, 4]]: expected none with source = "model"',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nresolution = [640, 480]',
            'flow[0].resolution = [640, 480]: expected none with source = "model"',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\ndegradation = "balanced"',
            'flow[0].degradation = "balanced": expected none with source = "model"',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\ndegradation = "low"',
            'flow[0].degradation = "low": expected one of balanced, maintain-framerate',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nmodel = { late_ms = 500 }',
            "flow[0].model = {'late_ms': 500}: expected none without source = \"model\"",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nmodel = 3',
            "flow[0].model = 3: expected a table",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nmodel = { late = 500 }',
            "unknown key flow[0].model.late: did you mean late_ms?",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nmodel = { late_ms = -1 }',
            "flow[0].model.late_ms = -1: expected ms, at least 0 and at most 60000",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nmodel = { rate_factor = 0 }',
            "flow[0].model.rate_factor = 0: expected times the target, at least 0.1 and at most 10",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nmodel = { key_frame_bytes = 0.5 }',
            "flow[0].model.key_frame_bytes = 0.5: expected bytes, at least 1 and at most 10000000",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nmodel = { key_frame_every_s = 0 }',
            "flow[0].model.key_frame_every_s = 0: expected seconds, at least 0.1 and at most 3600",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nsource = "model"\nmodel = { key_frame_at_change = 1 }',
            "flow[0].model.key_frame_at_change = 1: expected true or false",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nencoder_change_cost_ms = -1',
            "flow[0].encoder_change_cost_ms = -1: expected ms, at least 0 and at most 60000",
        ),
        (
            "[link.forward]",
            'quality = true\n[[flow]]\nkind = "gcc"\nsource = "model"\n[link.forward]',
            'quality = true: expected false with a flow of source "model": it has no video',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nprotection = ["red"]',
            "flow[0].protection = ['red']: expected a list of rtx and fec, each once",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nprotection = "fec"',
            'flow[0].protection = "fec": expected a list of rtx and fec, each once',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nprotection = ["rtx", "rtx"]',
            "flow[0].protection = ['rtx', 'rtx']: expected a list",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nreport_interval_ms = 0',
            "flow[0].report_interval_ms = 0: expected ms, at least 1 and at most 60000",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nfeedback = "twcc"',
            'flow[0].feedback = "twcc": expected one of auto, remb, transport-cc',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nprobing = "no"',
            'flow[0].probing = "no": expected true or false',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nabs_send_time = 3',
            "flow[0].abs_send_time = 3: expected true or false",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\npacing_factor = -1',
            "flow[0].pacing_factor = -1: expected times A_s, at least 0 and at most 100",
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nmax_pacing_delay_ms = 0.5',
            "flow[0].max_pacing_delay_ms = 0.5: expected ms, at least 1 and at most 10000",
        ),
        (
            'kind = "gcc"',
            'kind = "tcp"\nprotection = ["rtx"]',
            "unknown key flow[0].protection",
        ),
        (
            "[link.forward]",
            'quality = true\n[[flow]]\nkind = "gcc"\nprotection = ["fec"]\n[link.forward]',
            'quality = true: expected false with a flow of protection "fec"',
        ),
        (
            'kind = "gcc"',
            'kind = "gcc"\nresolution = [352]',
            "flow[0].resolution = [352]: expected [width, height] in pixels",
        ),
        (
            "[link.forward]",
            'quality = true\n[[flow]]\nkind = "gcc"\nframe_rate = 15\n[link.forward]',
            "quality = true: expected false with a flow of another frame rate",
        ),
        (
            "[link.forward]",
            "[link.forward]\nburst_bytes = 1500",
            "link.forward.burst_bytes = 1500: expected bytes, at least 1540",
        ),
        ('kind = "gcc"', 'kind = "gcc"\nmin_kbps = 900', "expected min <= start <= max"),
        ('kind = "gcc"', 'kind = "gcc"\npause = [[5, 4]]', "flow[0].pause = [[5, 4]]: expected"),
        ('kind = "gcc"', 'kind = "udp-cbr"', "flow[0].rate_kbps is missing: expected kbit/s"),
        (
            'kind = "gcc"',
            'kind = "udp-cbr"\nrate_kbps = -1',
            "flow[0].rate_kbps = -1: expected kbit/s, more than 0 and at most 1000000",
        ),
        (
            'kind = "gcc"',
            'kind = "tcp"\ncongestion = "vegas"',
            'flow[0].congestion = "vegas": expected one of cubic, reno, bbr',
        ),
        (
            "[[flow]]",
            '[link.forward.queue]\nkind = "red"\n[[flow]]',
            'link.forward.queue.kind = "red": expected one of droptail, pfifo_head_drop, codel, '
            "pie, sfq, fq_codel",
        ),
        (
            "[[flow]]",
            '[link.forward.queue]\nkind = "codel"\nms = 300\n[[flow]]',
            "unknown key link.forward.queue.ms",
        ),
        (
            "[[flow]]",
            "[link.forward.queue]\nms = 300\nbytes = 3000\n[[flow]]",
            "link.forward.queue: ms and bytes given: expected one of them",
        ),
        ('[[flow]]\nkind = "gcc"', "", "flow is missing: expected at least one [[flow]]"),
        ("title =", "title", "not TOML: "),
    ],
)
def test_a_mistake_names_the_file_the_key_and_what_was_expected(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    with pytest.raises(TestbedError) as raised:
        loaded(tmp_path, SMALLEST.replace(old, new))
    assert str(raised.value).startswith(f"{tmp_path / 's.toml'}: ")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_any_key_can_be_changed_from_outside(tmp_path: Path) -> None:
    changes = ("link.forward.rate_kbps=0:1000,5:500", "flow[0].profile=rmcat-2016", "seed=9")
    scenario = loaded(tmp_path, SMALLEST, *changes)
    assert str(scenario.link.forward.rate) == "0:1000,5:500"
    assert scenario.seed == 9
    assert isinstance(scenario.flows[0], GccFlow)
    assert scenario.flows[0].profile == "rmcat-2016"
    scenario = loaded(tmp_path, SMALLEST, 'link.forward.queue.kind="pie"', "flow[0].pause=[[2,4]]")
    assert scenario.link.forward.queue == Pie()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("seed", "--set seed: expected KEY=VALUE"),
        ("flow[3].profile=x", r"there is no \[3\]; expected a number from 0 to 0"),
        ("duration_s.x=1", "duration_s is not a table"),
        ("seeed=1", "unknown key seeed: did you mean seed?"),
    ],
)
def test_a_wrong_change_is_explained(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(TestbedError, match=message):
        loaded(tmp_path, SMALLEST, change)


def test_a_sequence_file_is_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "clip.mkv").write_text("video")
    text = SMALLEST.replace('kind = "gcc"', 'kind = "gcc"\nsequence = "clip.mkv"')
    assert loaded(tmp_path, text).sequences() == (str(tmp_path / "clip.mkv"),)


def test_a_model_needs_no_sequence_and_says_what_it_is(tmp_path: Path) -> None:
    text = SMALLEST + 'source = "model"\n'
    model = loaded(tmp_path, text)
    assert (model.sequences(), model.video_source(), model.has_model()) == ((), "model", True)
    assert model.flows[0].label == "gcc-1 (model)"
    assert scenario_file.from_data(scenario_file.to_data(model), "call.json", None) == model
    both = loaded(tmp_path, text + '[[flow]]\nkind = "gcc"\n')
    assert (both.sequences(), both.video_source()) == (("foreman",), "vp8+model")
    assert both.flows[1].label == "gcc-2"


def test_an_encoder_as_it_is_is_read_and_written(tmp_path: Path) -> None:
    text = SMALLEST + (
        'source = "model"\nframe_rate = 60\nencoder_change_cost_ms = 500\n'
        "model = { rate_factor = 1.3, late_ms = 400, key_frame_bytes = 60000, "
        "key_frame_every_s = 3, key_frame_at_change = true }\n"
    )
    scenario = loaded(tmp_path, text)
    (flow,) = scenario.flows
    assert isinstance(flow, GccFlow)
    assert flow.model == EncoderModel(
        rate_factor=1.3,
        late_ms=400,
        key_frame_bytes=60000,
        key_frame_every_s=3,
        key_frame_at_change=True,
    )
    assert (flow.frame_rate, flow.encoder_change_cost_ms) == (60, 500)
    assert scenario_file.from_data(scenario_file.to_data(scenario), "call.json", None) == scenario


def test_two_flows_of_one_name_are_refused(tmp_path: Path) -> None:
    flow = '[[flow]]\nkind = "gcc"\nname = "me"\n'
    with pytest.raises(TestbedError, match="two flows are called me"):
        loaded(tmp_path, SMALLEST.replace('[[flow]]\nkind = "gcc"', flow + flow))


def test_more_lengths_of_the_way_than_the_delay_line_has_are_refused(tmp_path: Path) -> None:
    flow = '[[flow]]\nkind = "gcc"\nextra_one_way_delay_ms = '
    text = SMALLEST + "".join(f"{flow}{number}\n" for number in range(1, 17))
    with pytest.raises(TestbedError, match="16 different extra_one_way_delay_ms: expected at mo"):
        loaded(tmp_path, text)


def kinds(table: dict[str, Any]) -> set[str]:
    tables = scenario_file.schema()["$defs"]
    names = [each["$ref"].rpartition("/")[2] for each in table["oneOf"]]
    return {tables[name]["properties"]["kind"]["const"] for name in names}


def test_the_schema_for_editors_has_every_key_with_what_is_expected_of_it() -> None:
    schema = scenario_file.schema()
    assert set(schema["required"]) == {"title", "duration_s", "link", "flow"}
    assert schema["properties"]["world"]["enum"] == ["virtual", "namespace"]
    link = schema["$defs"]["LinkTable"]
    assert link["additionalProperties"] is False
    assert link["properties"]["mtu_bytes"]["description"] == "bytes, at least 576 and at most 1500"
    assert link["properties"]["mtu_bytes"]["maximum"] == 1500
    flows = schema["properties"]["flow"]["items"]
    assert kinds(flows) == {"gcc", "rtpgccbwe", "tcp", "udp-cbr", "launch"}
    assert "pie" in kinds(schema["$defs"]["ShaperTable"]["properties"]["queue"])


def test_the_schema_for_editors_says_nothing_of_the_record_of_a_call() -> None:
    assert "mean_kbps" not in str(scenario_file.schema())
    assert "trace" in scenario_file.schema()["$defs"]["Traced"]["properties"]
