"""Ten calls at once in one process, for three minutes; docs/reliability.md has an hour."""

from __future__ import annotations

from call_scripts import said


def test_ten_calls_at_once_stay_as_they_are() -> None:
    assert said("ten-calls.sh", "3")
