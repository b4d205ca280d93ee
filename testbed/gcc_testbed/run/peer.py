"""rtpgccbwe, built for this testbed by other means: found, not built here."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import PEER_BUILDER

# Runs inside the world, where PATH is the system's.
PYTHON = "/usr/bin/python3"
_BINDINGS = "import gi; gi.require_version('Gst', '1.0')"


def plugin() -> Path:
    """The plugin that has rtpgccbwe; a TestbedError says how to get it."""
    found = subprocess.run(
        [str(PEER_BUILDER), "--which"], capture_output=True, text=True, check=False
    )
    if found.returncode != 0:
        reason = (found.stderr.strip().splitlines() or ["it is not built yet"])[-1]
        reason = reason.removeprefix("error: ").removeprefix("rtpgccbwe: ")
        raise TestbedError(f"no rtpgccbwe: {reason}; run {PEER_BUILDER}")
    return Path(found.stdout.strip()) / "libgstrsrtp.so"


def check() -> None:
    """A TestbedError when a call with rtpgccbwe cannot be made here."""
    plugin()
    try:
        done = subprocess.run([PYTHON, "-Ic", _BINDINGS], capture_output=True, check=False)
    except OSError:
        raise TestbedError(f"no rtpgccbwe: there is no {PYTHON}") from None
    if done.returncode != 0:
        raise TestbedError(
            "no rtpgccbwe: Python has no bindings of GStreamer; install them: "
            "apt install python3-gi gir1.2-gstreamer-1.0"
        )
