"""Progress in a log: a line now and then, and no line without news."""

import time
from collections.abc import Callable

import pytest

from gcc_testbed.support.progress import Progress


@pytest.fixture
def logged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """The lines of a log for these fractions, so many seconds apart."""

    def log(every_s: float, *fractions: float) -> str:
        now = 100.0
        monkeypatch.setattr(time, "monotonic", lambda: now)
        progress = Progress()
        for fraction in fractions:
            progress.advance("sweep", fraction)
            now += every_s
        return capsys.readouterr().err

    return log


def test_a_line_of_a_log_is_not_repeated(logged: Callable[..., str]) -> None:
    assert logged(Progress.EVERY_S, 0.0, 0.0, 0.001, 0.02) == "sweep:   0 %\nsweep:   2 %\n"


def test_a_log_has_a_line_every_ten_seconds_at_most(logged: Callable[..., str]) -> None:
    assert logged(Progress.EVERY_S / 2, 0.0, 0.1, 0.2) == "sweep:   0 %\nsweep:  20 %\n"
