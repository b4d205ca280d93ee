"""Paths of the project, of its build, and of this user's cache."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
TESTBED = _PACKAGE.parent
PROJECT = TESTBED.parent
# A wheel has the data in the package, a checkout beside it: testbed/setup.py.
IS_CHECKOUT = not (_PACKAGE / "data").is_dir()
_BESIDE = TESTBED if IS_CHECKOUT else _PACKAGE
# Scenarios, sweeps, papers, the card, faults and link traces.
DATA = _BESIDE / "data"
# May be that of another checkout, or of an installed copy.
BUILD = Path(os.environ.get("GCC_BUILD_DIR", PROJECT / "build")).resolve()
HAS_BUILD = IS_CHECKOUT or "GCC_BUILD_DIR" in os.environ
PLUGIN = BUILD / "plugin"
MODEL_PLUGIN = BUILD / "testbed" / "model" / "libgstrmcatvideomodel.so"
WALL_CLOCK = BUILD / "testbed" / "model" / "libwallclock.so"
PEER_BUILDER = _BESIDE / "peer" / "build.sh"
KERNEL_BUILDER = _BESIDE / "kernel" / "build.sh"


def not_built(directory: Path, option: str = "") -> str:
    """Where a part of the build is missed, and how it is made."""
    if HAS_BUILD:
        return f" in {directory}; build the project{option and f' with {option}'}"
    return (
        "; an installed testbed has none: build a source tree of gst-gcc"
        f"{option and f' with {option}'} and set GCC_BUILD_DIR to its build directory"
    )


def cache() -> Path:
    """This user's cache directory; it may be deleted at any time."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gcc-testbed"
