"""`gcc-testbed stress`: calls drawn where calls go wrong, with each contender."""

from __future__ import annotations

from collections.abc import Sequence

from gcc_testbed.commands import series
from gcc_testbed.studies.stress.series import SERIES


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed stress`; returns its exit code."""
    return series.main(SERIES, arguments)
