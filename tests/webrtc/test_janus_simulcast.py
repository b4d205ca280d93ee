"""Simulcast by rid to Janus, an SFU, in virtual time: its echo test sends one picture back."""

from __future__ import annotations

import json
from pathlib import Path

import application
import janus
import pytest
from call_scripts import said

pytestmark = pytest.mark.webrtc

CALL = Path(__file__).with_name("janus_simulcast.py")


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    for module in (janus, application):
        missing = module.what_is_missing()
        if missing is not None:
            pytest.skip(missing)
    folder = tmp_path_factory.mktemp("janus")
    told = said("virtual.sh", application.PYTHON, str(CALL), str(folder))
    return json.loads(told.splitlines()[-1])


def test_rids_are_negotiated(call: dict[str, object]) -> None:
    assert "a=simulcast:recv h;m;l\r\n" in call["answer"]


def test_the_rate_follows_transport_cc(call: dict[str, object]) -> None:
    assert call["feedback"] == "transport-cc"


def test_each_picture_that_is_asked_for_comes_back(call: dict[str, object]) -> None:
    print(call["picked"])
    assert None not in call["picked"]


def test_what_comes_back_is_what_the_link_takes(call: dict[str, object]) -> None:
    print(call["fitting"])
    assert None not in call["fitting"]
