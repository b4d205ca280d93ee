"""Paths of the project, of its build, and of this user's cache."""

from __future__ import annotations

import os
from pathlib import Path

TESTBED = Path(__file__).resolve().parents[2]
PROJECT = TESTBED.parent
# Scenarios, sweeps, papers, the card, faults and link traces.
DATA = TESTBED / "data"
# May be that of another checkout, or of an installed copy.
BUILD = Path(os.environ.get("GCC_BUILD_DIR", PROJECT / "build")).resolve()
PLUGIN = BUILD / "plugin"
MODEL_PLUGIN = BUILD / "testbed" / "model" / "libgstrmcatvideomodel.so"
WALL_CLOCK = BUILD / "testbed" / "model" / "libwallclock.so"
PEER_BUILDER = TESTBED / "peer" / "build.sh"
# Installs Snakemake, which only sweeps need.
SWEEP_PREPARATION = f"{PROJECT / 'examples' / 'scorecard.sh'} --dry-run"
KERNEL_BUILDER = TESTBED / "kernel" / "build.sh"


def cache() -> Path:
    """This user's cache directory; it may be deleted at any time."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gcc-testbed"
