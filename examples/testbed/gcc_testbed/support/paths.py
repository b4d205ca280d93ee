"""Paths of the project, of its build, and of this user's cache."""

from __future__ import annotations

import os
from pathlib import Path

TESTBED = Path(__file__).resolve().parents[2]
PROJECT = TESTBED.parent.parent
# A build elsewhere (a second checkout, an installed copy) can be named.
BUILD = Path(os.environ.get("GCC_BUILD_DIR", PROJECT / "build")).resolve()
PLUGIN = BUILD / "plugin"
MODEL_PLUGIN = BUILD / "examples" / "testbed" / "model" / "libgstrmcatvideomodel.so"
KERNEL_BUILDER = TESTBED / "kernel" / "build.sh"


def cache() -> Path:
    """This user's cache directory; everything in it can be made again."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gcc-testbed"
