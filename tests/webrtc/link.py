"""A link between two network namespaces, shaped by tbf on both sides, whose rate can be changed.

It needs no privileges but those of a namespace of one's own: run the program that makes it by
`unshare --net`, with `--user --map-root-user` for an ordinary user (`in_a_namespace`). The near end
is that namespace, the far end another; both are gone when the processes in them have ended.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NEAR, FAR = "10.77.0.1", "10.77.0.2"

# Drop tail: the papers' queue.
QUEUE_S = 0.3
# Three packets: enough for tbf to keep its rate, too little to be felt.
BURST_BYTES = 4500

OPEN_S = 5


def in_a_namespace(*command: str) -> list[str]:
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", "--net", *user, *command]


def what_is_missing() -> str | None:
    """Why there can be no shaped link here, for pytest.skip."""
    probe = "ip link add probe0 type veth peer name probe1 && tc qdisc add dev probe0 root " + (
        "tbf rate 1mbit burst 4500 limit 40000"
    )
    try:
        done = subprocess.run(
            in_a_namespace("sh", "-c", probe), capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return "no unshare (util-linux)"
    return None if done.returncode == 0 else f"no network namespace with tbf: {done.stderr.strip()}"


def run(*command: str) -> None:
    subprocess.run(command, check=True)


class Link:
    """The near end is where this runs; `far_command` runs something at the other."""

    def __init__(self, pid: int) -> None:
        self._far = ("nsenter", "--target", str(pid), "--net", "--")

    def far_command(self, *command: str) -> list[str]:
        return [*self._far, *command]

    def set_up(self, pid: int) -> None:
        run("ip", "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(pid))
        for prefix, device, address, gateway in (
            ((), "near", NEAR, FAR),
            (self._far, "far", FAR, NEAR),
        ):
            run(*prefix, "ip", "link", "set", "lo", "up")
            run(*prefix, "ip", "address", "add", f"{address}/24", "dev", device)
            run(*prefix, "ip", "link", "set", device, "up")
            # without a default route ICE finds no address worth offering
            run(*prefix, "ip", "route", "add", "default", "via", gateway)

    def set_rate(self, bits_per_s: int) -> None:
        limit = int(QUEUE_S * bits_per_s / 8)
        shape = f"root tbf rate {bits_per_s}bit burst {BURST_BYTES} limit {limit}".split()
        run("tc", "qdisc", "replace", "dev", "near", *shape)
        run(*self._far, "tc", "qdisc", "replace", "dev", "far", *shape)


def wait_for_namespace(pid: int) -> None:
    own = Path("/proc/self/ns/net").readlink()
    end = time.monotonic() + OPEN_S
    while Path(f"/proc/{pid}/ns/net").readlink() == own:
        if time.monotonic() > end:
            raise TimeoutError("the far namespace does not open")
        time.sleep(0.01)


@contextmanager
def shaped(bits_per_s: int) -> Iterator[Link]:
    holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
    try:
        wait_for_namespace(holder.pid)
        link = Link(holder.pid)
        link.set_up(holder.pid)
        link.set_rate(bits_per_s)
        yield link
    finally:
        holder.kill()
        holder.wait()
