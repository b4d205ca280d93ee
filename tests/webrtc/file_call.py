"""examples/webrtc/send_file.py at both ends of a link: it begins with a call alone, then the file.

    python3 tests/webrtc/file_call.py BITS_PER_S FILE RECEIVED

It is run in virtual time (tests/virtual.sh), as root of a system of its own.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import link

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "webrtc" / "send_file.py"
PORT = 7000
# Until it listens.
START_S = 2


def example(*words: str) -> list[str]:
    return ["/usr/bin/python3", str(EXAMPLE), *words]


def main(bits_per_s: str, file: str, received: str) -> None:
    with link.shaped(int(bits_per_s)) as shaped:
        receiver = subprocess.Popen(shaped.far_command(*example("receive", str(PORT), received)))
        time.sleep(START_S)
        subprocess.run(example("send", f"{link.FAR}:{PORT}", file), check=True)
        assert receiver.wait() == 0


if __name__ == "__main__":
    main(*sys.argv[1:])
