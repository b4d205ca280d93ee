"""The plugin that calls are made with, and what GStreamer's programs have to be told of it."""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache as remembered
from pathlib import Path

from gcc_testbed.support.digests import digest
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import HAS_BUILD, PLUGIN, cache

_NO_PLUGIN = (
    "GStreamer finds no gccsender; install the package gstreamer1.0-gcc, or set GST_PLUGIN_PATH to "
    "the directory of libgstgcc.so, or GCC_BUILD_DIR to a build of gst-gcc"
)


def directory() -> Path:
    """Where libgstgcc.so is: in the build, or for an installed testbed where GStreamer finds it."""
    if not HAS_BUILD:
        return _installed()
    if not (PLUGIN / "libgstgcc.so").exists():
        raise TestbedError(f"no plugin in {PLUGIN}; build the project: meson compile -C build")
    return PLUGIN


@remembered
def _installed() -> Path:
    shown = _inspect({**os.environ, "LC_ALL": "C"})
    found = re.search(r"^\s*Filename\s+(\S.*)$", shown.stdout, re.M)
    if shown.returncode != 0 or found is None:
        raise TestbedError(_NO_PLUGIN)
    return Path(found[1].strip()).parent


def registry() -> Path:
    """GStreamer's plugin registry, built on the host, where that is fast.

    Each checkout has its own: it names the plugin that a call loads, and calls of two checkouts may
    run at the same time.
    """
    plugin = directory()
    file = cache() / f"gstreamer-registry-{digest(str(plugin))}.bin"
    file.parent.mkdir(parents=True, exist_ok=True)
    loaded = _inspect({**os.environ, "GST_REGISTRY": str(file), "GST_PLUGIN_PATH": str(plugin)})
    if loaded.returncode != 0:
        raise TestbedError(f"GStreamer does not load gccsender from {plugin}")
    return file


def environment() -> dict[str, str]:
    """The variables by which GStreamer's programs load this plugin."""
    return {"GST_PLUGIN_PATH": str(directory()), "GST_REGISTRY": str(registry())}


def _inspect(variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["gst-inspect-1.0", "gccsender"], env=variables, capture_output=True, text=True, check=False
    )
