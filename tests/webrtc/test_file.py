"""A file goes over the data channel of a call, beside its video, in virtual time."""

from __future__ import annotations

import random
import re
from pathlib import Path

import application
import pytest
from call_scripts import said

pytestmark = pytest.mark.webrtc

CALL = Path(__file__).with_name("file_call.py")
LINK = 2_000_000
SIZE = 500_000
# A packet has 1200 bytes at most, less those of SRTP, UDP, IP and Ethernet.
OF_PAYLOAD = (1200 + 10 + 28 + 14) / 1180


def test_neither_a_file_nor_the_video_beside_it_starves(tmp_path: Path) -> None:
    missing = application.what_is_missing()
    if missing is not None:
        pytest.skip(missing)
    file, received = tmp_path / "file", tmp_path / "received"
    file.write_bytes(random.Random(1).randbytes(SIZE))
    command = (application.PYTHON, str(CALL), str(LINK), str(file), str(received))
    told = said("virtual.sh", *command)
    assert received.read_bytes() == file.read_bytes()
    video = re.search(r"video beside it (\d+) kbit/s", told)
    assert video is not None, told
    assert 1000 * int(video[1]) * OF_PAYLOAD >= 0.6 * LINK
