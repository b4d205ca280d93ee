"""Calls of examples/webrtc with an SFU: Janus's echo test sends back what it gets.

What an SFU does with its receivers is not in it: the echo is the whole of the call.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import application
import janus
import link
import pytest
from test_sdp import sdp

pytestmark = pytest.mark.webrtc

CALL = Path(__file__).with_name("janus_call.py")
# and what starts
TIME_OUT_S = 120 + 2 * application.PATIENCE_S

# as in janus_call.py, which the distribution's Python runs
RISEN = 600_000
LIMIT = 250_000


@dataclass(frozen=True)
class Call:
    """What was offered and answered, and the stats after each wait."""

    offer: str
    answer: str
    risen: dict[str, float | str | None]
    limited: dict[str, float | str | None]


@pytest.fixture(scope="module", params=["remb", "auto"])
def call(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Call:
    for module in (janus, link, application):
        missing = module.what_is_missing()
        if missing is not None:
            pytest.skip(missing)
    folder = tmp_path_factory.mktemp(request.param)
    command = [application.PYTHON, str(CALL), str(folder), request.param]
    done = subprocess.run(
        link.in_a_namespace(*command),
        env=application.environment(folder),
        capture_output=True,
        text=True,
        timeout=TIME_OUT_S,
        check=False,
    )
    sys.stdout.write(done.stderr)
    assert done.returncode == 0
    offer, answer = ((folder / f"{kind}.sdp").read_text() for kind in ("offer", "answer"))
    return Call(offer, answer, **json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture
def feedback(request: pytest.FixtureRequest, call: Call) -> str:
    return request.node.callspec.params["call"]


def test_transport_cc_is_negotiated_unless_remb_alone_is_wanted(call: Call, feedback: str) -> None:
    offered = sdp.has_transport_cc(sdp.video(call.offer))
    # what we take of the answer: Janus 1.1 has its a=rtcp-fb even where nobody offered it
    answered = sdp.has_transport_cc(sdp.video(sdp.understood(call.answer, feedback)))
    assert (offered, answered) == ((True, True) if feedback == "auto" else (False, False))


def test_goog_remb_is_negotiated(call: Call) -> None:
    for description in (call.offer, call.answer):
        assert re.search(r"^a=rtcp-fb:96 goog-remb\s*$", description, re.MULTILINE)


def test_the_rate_follows_what_was_negotiated(call: Call, feedback: str) -> None:
    expected = "remb" if feedback == "remb" else "transport-cc"
    assert call.risen["feedback"] == expected
    # a limit does not replace what is measured
    assert call.limited["feedback"] == expected


def test_the_rate_rises(call: Call) -> None:
    assert call.risen["a_s_bps"] > RISEN


def test_what_comes_back_follows_it(call: Call) -> None:
    assert call.risen["received_bps"] > RISEN


def test_a_limit_that_it_sends_as_remb_is_obeyed(call: Call) -> None:
    assert call.limited["remb_bps"] == pytest.approx(LIMIT, rel=2**-17)
    assert call.limited["a_s_bps"] <= LIMIT
