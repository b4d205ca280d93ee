"""Several streams through one gccsender, in virtual time."""

from __future__ import annotations

import pytest
from call_scripts import BUILD
from test_bundle_calls import foreman, passed

CALL = "the_layers_that_fit_reach_the_sfu"
OVER_WEBRTCBIN = "webrtc/simulcast-call"


def test_the_layers_that_fit_reach_the_sfu() -> None:
    """tests/element/simulcast-calls.c has the steps of the link, and what is promised."""
    assert passed(foreman(), program="element/simulcast-calls") == [CALL]


def test_the_layers_that_fit_reach_the_sfu_over_webrtcbin() -> None:
    """tests/webrtc/simulcast-call.c has the steps."""
    if not (BUILD / "tests" / OVER_WEBRTCBIN).is_file():
        pytest.skip("no webrtcbin")
    assert passed(foreman(), program=OVER_WEBRTCBIN) == [CALL]


def test_twenty_small_streams_come_and_go() -> None:
    """For five minutes what flows fits into A_s, and no stream that may flow is silent."""
    assert passed(program="element/small-calls") == ["twenty_small_streams_come_and_go"]
