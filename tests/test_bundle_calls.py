"""Calls with several encoders in a bundle, and one whose picture stood still, in virtual time."""

from __future__ import annotations

import pytest
from call_scripts import said
from gcc_testbed.run import sequences
from gcc_testbed.support.errors import TestbedError

CALLS = (
    "two_encoders_share_1_mbit",
    "a_track_is_added_in_mid_call",
    "a_picture_that_stood_still_moves",
)
CALM = "webrtcsinks_encoder_is_calm"


def passed(*words: str, program: str = "element/bundle-calls") -> list[str]:
    """The calls of a program of tests/ that keep their promises."""
    lines = said("virtual.sh", f"tests/{program}", *words).splitlines()
    return [line.rpartition("/")[2] for line in lines if line[:3] == "ok "]


def foreman() -> str:
    """The pattern of its frames, or of a generated source's, which is then printed."""
    try:
        sequence = sequences.prepare("foreman", print, lambda *_: None)
    except TestbedError as problem:
        pytest.skip(f"no frames: {problem}")
    return f"{sequence.frames}/f%04d.i420"


def test_calls_of_a_bundle_are_as_promised() -> None:
    """tests/element/bundle-calls.c has the promises."""
    assert passed() == list(CALLS)


def test_vp8enc_with_the_settings_of_webrtcsink_is_calm() -> None:
    """A link of 2, 0.5 and 2 Mbit/s is used by nine tenths, and 95 % wait for 60 ms at most."""
    assert passed(foreman(), "-p", f"/bundle-calls/{CALM}") == [CALM]
