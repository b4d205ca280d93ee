"""A call over RFC 8888 in the virtual world, with nothing in the packets of media."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.measure import captures

pytestmark = pytest.mark.virtual

CALL = ("--duration", "10", "--measure-from", "4", "--rate", "0:1000,6:500", "--quiet")
# Of the first byte of RTP (RFC 3550).
EXTENSION_BIT = 0x10
# Behind the headers of UDP and RTP; the words that follow its own.
EXTENSION_WORDS = 8 + 12 + 3
RTP, FEEDBACK = 5000, 5005


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory, testbed: Callable[..., None]) -> Path:
    base = tmp_path_factory.mktemp("ccfb")
    for feedback in ("ccfb", "transport-cc"):
        testbed(base, "call", *CALL, "--feedback", feedback, "--out", feedback)
    return base / "ccfb"


def words(call: Path, column: str) -> list[str]:
    with (call / "sender.csv").open(encoding="utf-8") as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        return [row[column] for row in rows]


def sent(call: Path, point: str, port: int) -> captures.Capture:
    found = captures.read(call / f"{point}.pcap")
    return found.chosen(found.port == port)


def test_the_sender_follows_it_from_the_first_second(call: Path) -> None:
    used = json.loads((call / "metrics.json").read_text(encoding="utf-8"))
    assert used["flows"][0]["transport_feedback"]["used_ratio"] == 1
    assert set(words(call, "feedback")) == {"remb", "ccfb"}


def test_the_link_is_used_without_a_queue(call: Path) -> None:
    (flow,) = json.loads((call / "metrics.json").read_text(encoding="utf-8"))["flows"]
    assert flow["utilisation"] > 0.8
    assert flow["loss_ratio"] < 0.02


def test_no_packet_of_media_has_a_header_extension(call: Path) -> None:
    first_bytes = sent(call, "a", RTP).transport[:, 8]
    assert len(first_bytes) > 500
    assert not np.any(first_bytes & EXTENSION_BIT)


def test_all_rtcp_takes_a_twentieth_of_the_media_at_most(call: Path) -> None:
    media, rtcp = sent(call, "b", RTP), sent(call, "b", FEEDBACK)
    assert len(rtcp) > 100
    assert rtcp.ip_bytes.sum() * 20 <= media.ip_bytes.sum()


def overhead(call: Path) -> float:
    """RTCP of the receiver and header extensions of the media, as a part of the media."""
    media, rtcp = sent(call, "a", RTP), sent(call, "b", FEEDBACK)
    extended = media.transport[media.transport[:, 8] & EXTENSION_BIT != 0]
    extensions = 4 * (extended[:, EXTENSION_WORDS].astype(np.int64) + 1)
    return float(rtcp.ip_bytes.sum() + extensions.sum()) / float(media.ip_bytes.sum())


def test_it_costs_one_percent_more_than_transport_cc_at_most(call: Path) -> None:
    """Its numbers and times have 2 bytes a packet, told twice; the other's extension has 8."""
    other = overhead(call.with_name("transport-cc"))
    assert other > 0.01
    assert overhead(call) <= other + 0.01
