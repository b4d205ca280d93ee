"""The gst-launch lines as text."""

import pytest

from gcc_testbed.run import pipelines
from gcc_testbed.scenario.flows import EncoderModel, GccFlow, LaunchFlow, RtpGccBweFlow
from gcc_testbed.scenario.network import Ports, ends
from gcc_testbed.scenario.sequence import Sequence


def test_the_sender_feeds_its_element_between_payloader_and_session(sequence: Sequence) -> None:
    words = pipelines.sender(GccFlow(), sequence, Ports.of_flow(0), "/t.csv")
    order = [words.index(word) for word in ("vp8enc", "rtpvp8pay", "gccsender")]
    assert [*order, words.index("rtp.send_rtp_sink_0")] == sorted(
        [*order, words.index("rtp.send_rtp_sink_0")]
    )


def test_limits_are_given_in_bit_per_second(sequence: Sequence) -> None:
    flow = GccFlow(min_kbps=100, start_kbps=400, max_kbps=3000)
    words = pipelines.sender(flow, sequence, Ports.of_flow(0), "/t.csv")
    for word in ("min-bitrate=100000", "start-bitrate=400000", "max-bitrate=3000000"):
        assert word in words
    assert "target-bitrate=400000" in words


def test_the_encoder_gets_the_frames_that_were_asked_for(sequence: Sequence) -> None:
    flow = GccFlow(frame_rate=15, resolution=(640, 480))
    words = pipelines.sender(flow, sequence, Ports.of_flow(0), "/t.csv")
    found = [words.index(word) for word in ("videorate", "videoscale", "vp8enc")]
    assert found == sorted(found)
    assert words[found[0] + 2] == "video/x-raw,framerate=15/1"
    assert words[found[1] + 2] == "video/x-raw,width=640,height=480"
    assert "videorate" not in pipelines.sender(GccFlow(), sequence, Ports.of_flow(0), "/t.csv")


def test_gccscale_is_upstream_of_the_encoder_where_it_is_asked_for(sequence: Sequence) -> None:
    flow = GccFlow(resolution=(640, 480), degradation="maintain-framerate")
    words = pipelines.sender(flow, sequence, Ports.of_flow(0), "/t.csv")
    at = words.index("gccscale")
    assert words[at + 1 : at + 4] == ["degradation=maintain-framerate", "!", "vp8enc"]
    assert words.index("videoscale") < at
    assert "gccscale" not in pipelines.sender(GccFlow(), sequence, Ports.of_flow(0), "/t.csv")


def test_the_sequence_is_looped_one_file_a_frame(sequence: Sequence) -> None:
    words = pipelines.sender(GccFlow(), sequence, Ports.of_flow(0), "/t.csv")
    assert "location=/frames/of it/f%04d.i420" in words
    assert "stop-index=299" in words
    assert "framerate=30/1" in words


def test_a_peer_has_the_same_camera_encoder_and_payloader(sequence: Sequence) -> None:
    ports = Ports.of_flow(0)
    ours = pipelines.sender(GccFlow(), sequence, ports, "/t.csv")
    theirs = pipelines.peer_sender(RtpGccBweFlow(), sequence, ports)
    until = ours.index("picture-id-mode=15-bit")
    same = [word for word in theirs if word != "name=encoder"]
    begin = ours.index("multifilesrc")
    first = same.index("multifilesrc")
    assert same[first : first + until - begin + 1] == ours[begin : until + 1]


def test_a_peer_is_numbered_and_answered_for_by_the_same_extension(sequence: Sequence) -> None:
    flow, ports = RtpGccBweFlow(estimator="linear-regression", max_kbps=3000), Ports.of_flow(0)
    sender = pipelines.peer_sender(flow, sequence, ports)
    (numbered,) = [word for word in sender if "transport-wide-cc" in word]
    (caps,) = [word for word in pipelines.peer_receiver(flow, ports) if word.startswith("caps=")]
    assert numbered.split(",")[1] in caps
    assert sender.index(numbered) < sender.index("rtpgccbwe") < sender.index("rtp.send_rtp_sink_0")
    assert {"estimator=linear-regression", "max-bitrate=3000000"} <= set(sender)


def test_the_model_stands_for_camera_and_encoder() -> None:
    flow = GccFlow(source="model", min_kbps=100, start_kbps=400, max_kbps=3000)
    words = pipelines.sender(flow, None, Ports.of_flow(0), "/t.csv", seed=7)
    begin, end = words.index("rmcatvideomodel"), words.index("rtpvp8pay")
    limits = ["bitrate=400000", "min-bitrate=100000", "max-bitrate=3000000"]
    assert words[begin:end] == ["rmcatvideomodel", "seed=7", *limits, "!"]
    assert "sink::encoder-bitrate-unit=1" in words
    assert "vp8enc" not in words


def test_the_model_is_made_the_encoder_that_is_asked_for() -> None:
    other = EncoderModel(
        rate_factor=0.8,
        late_ms=400,
        key_frame_bytes=60000,
        key_frame_every_s=2.5,
        key_frame_at_change=True,
    )
    flow = GccFlow(source="model", frame_rate=60, model=other)
    words = pipelines.sender(flow, None, Ports.of_flow(0), "/t.csv")
    asked = words[words.index("rmcatvideomodel") : words.index("rtpvp8pay")]
    assert asked[5:-1] == [
        "framerate=60/1",
        "rate-factor=0.8",
        "late=400",
        "key-frame-bytes=60000",
        "key-frame-interval=2500",
        "key-frame-at-change=true",
    ]


@pytest.mark.parametrize(
    ("flow", "cost"),
    [
        (GccFlow(), None),
        (GccFlow(encoder_change_cost_ms=500), "500"),
        # gccsender would take it for one that pays
        (GccFlow(source="model"), "0"),
        (GccFlow(source="model", encoder_change_cost_ms=500), "500"),
        (GccFlow(source="model", model=EncoderModel(key_frame_at_change=True)), None),
    ],
)
def test_only_an_encoder_that_pays_for_a_change_is_taken_for_one(
    flow: GccFlow, cost: str | None, sequence: Sequence
) -> None:
    pictures = None if flow.source == "model" else sequence
    words = pipelines.sender(flow, pictures, Ports.of_flow(0), "/t.csv")
    found = [
        word.partition("=")[2] for word in words if word.startswith("sink::encoder-change-cost=")
    ]
    assert found == ([] if cost is None else [cost])


def test_a_key_frame_is_asked_for_only_when_the_picture_is_kept() -> None:
    asks = "rtcp-fb-nack-pli=true"
    ordinary = pipelines.receiver(GccFlow(), Ports.of_flow(0), "/t.csv")
    kept = pipelines.receiver(GccFlow(), Ports.of_flow(0), "/t.csv", "/r.gdp")
    assert not any(asks in word for word in ordinary)
    assert any(word.startswith("caps=") and asks in word for word in kept)


def test_the_encoder_does_not_watch_the_clock() -> None:
    (effort,) = [word for word in pipelines.VP8_ENCODER if word.startswith("cpu-used=")]
    assert int(effort.partition("=")[2]) < 0


def test_both_ends_agree_on_profile_and_ports(sequence: Sequence) -> None:
    flow, ports = GccFlow(profile="rmcat-2016"), Ports.of_flow(1)
    sender = pipelines.sender(flow, sequence, ports, "/s.csv")
    receiver = pipelines.receiver(flow, ports, "/r.csv")
    assert "profile=rmcat-2016" in sender
    assert "profile=rmcat-2016" in receiver
    for port in (f"port={ports.rtp}", f"port={ports.rtcp}", f"port={ports.feedback}"):
        assert port in sender
        assert port in receiver


def test_the_receiver_has_its_own_settings_only_when_they_are_given() -> None:
    ports = Ports.of_flow(0)
    plain = pipelines.receiver(GccFlow(), ports, "/r.csv")
    assert not [word for word in plain if word.startswith(("overuse-", "report-"))]
    flow = GccFlow(overuse_threshold_ms=40, report_interval_ms=180)
    words = pipelines.receiver(flow, ports, "/r.csv")
    assert {"overuse-threshold=40", "report-interval=180"} <= set(words)


def test_both_ends_know_of_the_send_time_when_it_is_in_the_packets(sequence: Sequence) -> None:
    extension = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
    ports = Ports.of_flow(0)
    for flow in (GccFlow(), GccFlow(abs_send_time=True)):
        ends = (
            pipelines.sender(flow, sequence, ports, "/s.csv"),
            pipelines.receiver(flow, ports, "/r.csv"),
        )
        for words in ends:
            assert any(extension in word for word in words) == flow.abs_send_time


def both_ends(flow: GccFlow, sequence: Sequence) -> tuple[list[str], list[str]]:
    ports = Ports.of_flow(0)
    return (
        pipelines.sender(flow, sequence, ports, "/s.csv"),
        pipelines.receiver(flow, ports, "/r.csv"),
    )


@pytest.mark.parametrize("feedback", ["auto", "remb", "transport-cc"])
def test_both_elements_are_told_the_feedback(sequence: Sequence, feedback: str) -> None:
    for words in both_ends(GccFlow(feedback=feedback), sequence):
        assert f"feedback={feedback}" in words


def test_the_transport_wide_extension_is_as_negotiated_with_auto_alone(sequence: Sequence) -> None:
    """With transport-cc the elements add it themselves; with remb no element does."""
    extension = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    for feedback in ("auto", "remb", "transport-cc"):
        for words in both_ends(GccFlow(feedback=feedback, protection=("rtx",)), sequence):
            found = [word for word in words if f"extmap-12=(string){extension}" in word]
            assert len(found) == (feedback == "auto")
    sender, _ = both_ends(GccFlow(abs_send_time=True), sequence)
    (caps,) = [word for word in sender if extension in word]
    assert "extmap-3=" in caps
    assert sender.index("rtpvp8pay") < sender.index(caps) < sender.index("gccsender")


def test_probing_is_set_only_when_it_is_given(sequence: Sequence) -> None:
    for probing, expected in ((None, []), (True, ["probing=true"]), (False, ["probing=false"])):
        sender, receiver = both_ends(GccFlow(probing=probing), sequence)
        assert [word for word in sender if word.startswith("probing")] == expected
        assert not [word for word in receiver if word.startswith("probing")]


def test_no_two_sockets_of_many_flows_share_a_port() -> None:
    ports = [Ports.of_flow(number) for number in range(20)]
    used = [port for flow in ports for port in (flow.rtp, flow.rtcp, flow.feedback)]
    assert len(set(used)) == 60


def test_the_other_direction_changes_the_hosts(sequence: Sequence) -> None:
    flow, ports = GccFlow(direction="backward"), Ports.of_flow(0)
    assert ends("backward") == ("b", "a")
    assert "host=10.0.1.2" in pipelines.sender(flow, sequence, ports, "/s.csv")
    assert "host=10.0.2.2" in pipelines.receiver(flow, ports, "/r.csv")


def test_a_flows_own_encoder_settings_win() -> None:
    words = pipelines.encoder(GccFlow(encoder=(("cpu-used", "-12"), ("sharpness", "3"))))
    assert [word for word in words if word.startswith("cpu-used")] == ["cpu-used=-12"]
    assert "sharpness=3" in words


def test_a_pause_is_one_frame_that_lasts_as_long(sequence: Sequence) -> None:
    flow = GccFlow(start_s=10, pause=((40, 60),))
    words = pipelines.sender(flow, sequence, Ports.of_flow(0), "/s.csv")
    # 30 s at 30 frames a second, then one frame of 20 s.
    assert "num-buffers=900" in words
    assert "framerate=1000/20000" in words
    assert words.count("cameras.") == 3


def test_the_users_own_lines_get_addresses_ports_and_files(sequence: Sequence) -> None:
    line = "{source} ! {encoder} ! udpsink host={b} port={rtp} ! x trace={trace}"
    flow = LaunchFlow(name="launch-1", sender=line, receiver="fakesrc ! fakesink")
    words = pipelines.user_pipeline(flow, flow.sender, Ports.of_flow(2), sequence, "/t.csv")
    assert words[:2] == ["gst-launch-1.0", "--no-position"]
    for word in ("location=/frames/of it/f%04d.i420", "vp8enc", "host=10.0.2.2", "port=5020"):
        assert word in words
    assert words[-1] == "trace=/t.csv"
