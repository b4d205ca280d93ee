"""Progress in a log: a line now and then, and none that tells nothing new."""

import time

import pytest

from gcc_testbed.support.progress import Progress


def test_a_line_of_a_log_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    progress = Progress()
    for fraction in (0.0, 0.0, 0.001, 0.02):
        progress.advance("sweep", fraction)
        now += Progress.EVERY_S
    assert capsys.readouterr().err == "sweep:   0 %\nsweep:   2 %\n"


def test_a_log_has_a_line_every_ten_seconds_at_most(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    progress = Progress()
    for fraction in (0.0, 0.1, 0.2):
        progress.advance("call", fraction)
        now += Progress.EVERY_S / 2
    assert capsys.readouterr().err == "call:   0 %\ncall:  20 %\n"
