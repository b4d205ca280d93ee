"""`gcc-testbed ordinary`: calls drawn as most people make them, with each contender."""

from __future__ import annotations

from collections.abc import Sequence

from gcc_testbed.commands import series
from gcc_testbed.studies.ordinary.series import SERIES


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed ordinary`; returns its exit code."""
    return series.main(SERIES, arguments)
