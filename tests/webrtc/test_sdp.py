"""What examples/webrtc reads and writes as SDP."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "webrtc"
sys.path.insert(0, str(EXAMPLE))

import sdp  # noqa: E402

ANSWER = "v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n"
CANDIDATE = "candidate:1 1 UDP 2015363327 192.0.2.1 40000 typ host"

# As Firefox 153 offers: transport-cc for video, none for audio, though both are one bundle.
OFFER = """v=0
a=group:BUNDLE 0 1
m=audio 9 UDP/TLS/RTP/SAVPF 109
a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
a=rtpmap:109 opus/48000/2
m=video 9 UDP/TLS/RTP/SAVPF 120 124
a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid
a=extmap:4 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
a=extmap:7/recvonly http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
a=rtcp-fb:120 nack pli
a=rtcp-fb:120 goog-remb
a=rtcp-fb:120 transport-cc
a=rtpmap:120 VP8/90000
a=rtpmap:124 rtx/90000
""".replace("\n", "\r\n")
AUDIO, VIDEO = 1, 2

NUMBERS = f"extmap-7=(string){sdp.TRANSPORT_CC}"
TELLS = "a=rtcp-fb:120 transport-cc\r\n"
NUMBERED = f"a=extmap:7/recvonly {sdp.TRANSPORT_CC}\r\n"


def test_every_candidate_is_a_line() -> None:
    both = sdp.with_candidates(ANSWER, [CANDIDATE, CANDIDATE.replace("40000", "40001")])
    assert both.splitlines()[2:] == [f"a={CANDIDATE}", f"a={CANDIDATE}".replace("40000", "40001")]


def test_the_empty_candidate_that_ends_gathering_is_left_out() -> None:
    # webrtcbin signals one from GStreamer 1.26 on: Chromium and Firefox refuse "a=".
    assert sdp.with_candidates(ANSWER, [CANDIDATE, ""]) == f"{ANSWER}a={CANDIDATE}\r\n"


def test_candidates_are_those_of_the_first_section_of_a_bundle() -> None:
    data = "m=application 0 UDP/DTLS/SCTP webrtc-datachannel\r\n"
    assert sdp.with_candidates(ANSWER + data, [CANDIDATE]) == f"{ANSWER}a={CANDIDATE}\r\n{data}"


def test_transport_cc_is_answered_with_the_numbers_of_the_offer() -> None:
    caps = sdp.caps_for_answer(sdp.understood(OFFER), "VP8")
    assert "payload=120" in caps
    assert NUMBERS in caps
    assert "rtcp-fb-transport-cc=(boolean)true" in caps
    # what rules where no transport-wide feedback comes
    assert 'a-rtcp-fb=(string)"120 goog-remb"' in caps


def test_what_webrtcbin_would_accept_and_cannot_write_is_left_out() -> None:
    taken = sdp.understood(OFFER)
    assert re.findall(r"^a=extmap:(\d+)", taken, re.MULTILINE) == ["4", "7"]


def test_nothing_of_simulcast_is_answered() -> None:
    lines = "a=rid:q send\r\na=rid:h send pt=120\r\na=simulcast:send q;h\r\n"
    assert sdp.understood(OFFER + lines) == sdp.understood(OFFER)


def test_remb_alone_leaves_nothing_of_transport_cc() -> None:
    taken = sdp.understood(OFFER, "remb")
    assert sdp.TRANSPORT_CC not in taken
    assert "transport-cc" not in taken
    caps = sdp.caps_for_answer(taken, "VP8", "remb")
    assert sdp.TRANSPORT_CC not in caps
    assert "rtcp-fb-transport-cc=(boolean)false" in caps
    assert sdp.TRANSPORT_CC not in sdp.caps_for_offer("VP8", "remb")
    # webrtcbin would offer it by itself
    assert "rtcp-fb-transport-cc=(boolean)false" in sdp.caps_for_offer("VP8", "remb")


@pytest.mark.parametrize("missing", [TELLS, NUMBERED])
def test_half_of_transport_cc_is_none(missing: str) -> None:
    # Numbers of which nobody tells look like loss of everything; webrtcbin answers either half.
    taken = sdp.understood(OFFER.replace(missing, ""))
    assert "transport-cc" not in taken
    assert sdp.TRANSPORT_CC not in taken
    assert sdp.TRANSPORT_CC not in sdp.caps_for_answer(taken, "VP8")


def test_each_section_is_taken_by_itself() -> None:
    # Audio without transport-cc is no reason to go without it for video, and the other way round.
    audio = sdp.sections(sdp.understood(OFFER))[AUDIO]
    assert "a=extmap" not in audio
    both = OFFER.replace(
        "a=rtpmap:109",
        f"a=rtcp-fb:109 transport-cc\r\na=extmap:7 {sdp.TRANSPORT_CC}\r\na=rtpmap:109",
    ).replace(TELLS, "")
    sections = sdp.sections(sdp.understood(both))
    assert sdp.has_transport_cc(sections[AUDIO])
    assert not sdp.has_transport_cc(sections[VIDEO])
    assert sdp.TRANSPORT_CC not in sdp.caps_for_answer(sdp.understood(both), "VP8")


def test_feedback_for_every_payload_type_counts() -> None:
    every = OFFER.replace(TELLS, "a=rtcp-fb:* transport-cc\r\n")
    assert NUMBERS in sdp.caps_for_answer(sdp.understood(every), "VP8")


def test_an_offer_of_ours_has_both() -> None:
    caps = sdp.caps_for_offer("VP8")
    assert f"extmap-{sdp.TRANSPORT_CC_ID}=(string){sdp.TRANSPORT_CC}" in caps
    assert f"extmap-{sdp.ABS_SEND_TIME_ID}=(string){sdp.ABS_SEND_TIME}" in caps
    assert sdp.TRANSPORT_CC_ID != sdp.ABS_SEND_TIME_ID


def test_transport_cc_alone_refuses_an_offer_without_it() -> None:
    with pytest.raises(sdp.NoTransportCc):
        sdp.caps_for_answer(sdp.understood(OFFER.replace(TELLS, "")), "VP8", "transport-cc")


@pytest.mark.parametrize("offer", [OFFER.replace("VP8", "VP9"), OFFER.replace("m=video", "m=text")])
def test_an_offer_without_video_of_ours_is_refused(offer: str) -> None:
    with pytest.raises(sdp.NoVideo):
        sdp.caps_for_answer(sdp.understood(offer), "VP8")
