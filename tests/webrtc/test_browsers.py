"""Calls between examples/webrtc and browsers over a link that narrows, and widens again.

By transport-cc each end measures by itself what became of its packets; by REMB it follows nothing
but what the other end says. The link changes as soon as both directions have followed it.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import application
import link
import pytest
from shaped_call import BROWSERS, DIRECTIONS, TO_FOLLOW
from test_sdp import sdp

pytestmark = pytest.mark.webrtc

CALL = Path(__file__).with_name("shaped_call.py")
# and what starts
TIME_OUT_S = 120 + application.PATIENCE_S * len(TO_FOLLOW)


@dataclass(frozen=True)
class Call:
    """Each rate of the link with who followed it, whose feedback ours did, what our receiver
    noted, and the SDP."""

    link: list[application.Row]
    feedback: list[str]
    events: list[str]
    offer: str
    answer: str


CALLS = [(browser, feedback) for browser in BROWSERS for feedback in ("transport-cc", "remb")]


@pytest.fixture(scope="module", params=CALLS, ids="-".join)
def call(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Call:
    browser, feedback = request.param
    for module in (BROWSERS[browser], link, application):
        missing = module.what_is_missing()
        if missing is not None:
            pytest.skip(missing)
    folder = tmp_path_factory.mktemp(browser)
    command = link.in_a_namespace(
        *(sys.executable, str(CALL), str(folder), browser),
        *("--feedback", feedback, "--until-followed"),
    )
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_OUT_S, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return Call(
        link=application.read(folder / "link.csv"),
        feedback=application.words(folder / "browser.csv", "our_feedback"),
        events=application.words(folder / "receiver.csv", "event"),
        offer=(folder / "offer.sdp").read_text(),
        answer=(folder / "answer.sdp").read_text(),
    )


@pytest.fixture(params=DIRECTIONS)
def direction(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def feedback(request: pytest.FixtureRequest, call: Call) -> str:
    return request.node.callspec.params["call"][1]


def test_transport_cc_is_answered_unless_remb_alone_is_wanted(call: Call, feedback: str) -> None:
    assert sdp.has_transport_cc(sdp.video(call.offer))
    answered = sdp.has_transport_cc(sdp.video(call.answer))
    assert answered == (feedback != "remb")
    assert answered == ("transport-cc" in call.answer)


def test_our_rate_follows_what_was_negotiated(call: Call, feedback: str) -> None:
    assert call.feedback[-1] == feedback
    # one change at most: a call begins with REMB
    assert call.feedback == sorted(call.feedback, key=lambda one: one == feedback)


def test_no_remb_is_due_where_there_is_transport_cc(call: Call, feedback: str) -> None:
    """A browser would keep to the last one for all of the call."""
    assert ("remb" in call.events) == (feedback == "remb")


def test_it_uses_a_wide_link(call: Call, direction: str) -> None:
    assert call.link[0][direction]


def test_it_falls_when_the_link_narrows(call: Call, direction: str) -> None:
    assert call.link[1][direction]


def test_it_rises_when_the_link_is_wide_again(call: Call, direction: str) -> None:
    assert call.link[2][direction]
