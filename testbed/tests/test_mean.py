"""A mean over calls, never without its error."""

from __future__ import annotations

import pytest

from gcc_testbed.studies.drawn.mean import Mean, cell, mean


def test_a_mean_has_its_standard_error() -> None:
    found = mean([1.0, 2.0, 3.0, 4.0])
    assert found is not None
    assert found.value == 2.5
    assert found.error == pytest.approx(0.6455, abs=1e-4)
    assert found.shown(1) == "2.5 ± 0.6"
    assert found.signed(1) == "+2.5 ± 0.6"
    assert Mean(-0.0002, 0.1).shown(3) == "0.000 ± 0.100"


def test_there_is_no_mean_without_a_standard_error() -> None:
    assert mean([]) is None
    assert mean([3.0]) is None


def test_a_table_has_a_dash_where_there_is_no_mean() -> None:
    assert cell(mean([3.0]), 1) == "–"
    assert cell(mean([1.0, 2.0, 3.0, 4.0]), 1, "+") == "+2.5 ± 0.6"
