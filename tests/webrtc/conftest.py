"""Calls in real time: pytest -m "not webrtc" leaves them out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The scripts that make calls are those of tests/.
sys.path.insert(0, str(Path(__file__).parent.parent))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "webrtc: calls with other WebRTC implementations, in real time"
    )
