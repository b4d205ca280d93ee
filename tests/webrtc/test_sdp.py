"""What examples/webrtc writes into SDP."""

from __future__ import annotations

import sys
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "webrtc"
sys.path.insert(0, str(EXAMPLE))

import sdp  # noqa: E402

ANSWER = "v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n"
CANDIDATE = "candidate:1 1 UDP 2015363327 192.0.2.1 40000 typ host"


def test_every_candidate_is_a_line() -> None:
    both = sdp.with_candidates(ANSWER, [CANDIDATE, CANDIDATE.replace("40000", "40001")])
    assert both.splitlines()[2:] == [f"a={CANDIDATE}", f"a={CANDIDATE}".replace("40000", "40001")]


def test_the_empty_candidate_that_ends_gathering_is_left_out() -> None:
    # webrtcbin signals one from GStreamer 1.26 on: Chromium and Firefox refuse "a=".
    assert sdp.with_candidates(ANSWER, [CANDIDATE, ""]) == f"{ANSWER}a={CANDIDATE}\r\n"
