"""Calls in real time: pytest -m "not webrtc" leaves them out."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "webrtc: calls with other WebRTC implementations, in real time"
    )
