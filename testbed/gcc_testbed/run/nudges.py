"""Sends frames into a device's queue: each line of the input is a device and sizes in IP bytes.

This file runs inside a world, copied into the run directory, with the system's Python and nothing
but its standard library. No host takes the frames: nobody has their protocol.
"""

from __future__ import annotations

import contextlib
import socket
import sys

# For experiments within a network.
PROTOCOL = 0x88B5
HEADER = bytes(12) + PROTOCOL.to_bytes(2, "big")


def main() -> None:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as wire:
        for line in sys.stdin:
            device, *sizes = line.split()
            for size in sizes:
                # A full queue takes no more.
                with contextlib.suppress(OSError):
                    wire.sendto(HEADER + bytes(int(size)), (device, PROTOCOL))


if __name__ == "__main__":
    main()
