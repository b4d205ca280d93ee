"""Host a — router r — host b, as the commands that build it. Nothing here runs anything.

a ── netem rtt/2 ──►  r ── tbf, queue under test ──► b        (media)
a ◄──────────────────  r ◄── netem rtt/2 ─────────── b        (feedback)
"""

from __future__ import annotations

from gcc_testbed.scenario import MTU, DropTail, Link

HOSTS = ("a", "r", "b")
A_ADDRESS = "10.0.1.2"
B_ADDRESS = "10.0.2.2"
# Where packets are recorded: behind a's delay but before the bottleneck, and at b.
CAPTURE_POINTS = {"a": "a0", "b": "b0"}

# One packet. A larger bucket would let that many bytes pass without queueing after every pause, and
# the measured delay would be too small by burst/rate; a smaller one passes no full packet at all.
BURST_BYTES = MTU + 40
# Rates and queues count IP bytes, as the results do: tbf would count the Ethernet header too.
WITHOUT_ETHERNET_HEADER = "stab overhead -14 linklayer ethernet"
# A delay line must never be a queue: netem's default of 1000 packets could overflow.
NETEM_LIMIT_PACKETS = 100_000

# (host, device, address, peer's host, peer's device, peer's address); numbers that never change, so
# that addresses and headers are the same in every run.
_WIRES = (
    ("a", "a0", A_ADDRESS, "r", "ra", "10.0.1.1"),
    ("b", "b0", B_ADDRESS, "r", "rb", "10.0.2.1"),
)
_MAC = {
    "a0": "02:00:00:00:00:0a",
    "ra": "02:00:00:00:00:1a",
    "b0": "02:00:00:00:00:0b",
    "rb": "02:00:00:00:00:1b",
}


def build(link: Link) -> list[str]:
    """All commands, in order, that make the three hosts and the link at its first rate."""
    return [
        *batch("ip", [f"netns add {host}" for host in HOSTS]),
        *batch("ip -n r", [_pair(wire) for wire in _WIRES]),
        *(line for host in HOSTS for line in batch(f"ip -n {host}", _inside(host))),
        "ip netns exec r sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'",
        delay("a", "a0", link.rtt_ms / 2),
        delay("b", "b0", link.rtt_ms / 2),
        bottleneck("add", link.rate.steps[0].kbps, link.queue),
    ]


def batch(program: str, lines: list[str]) -> list[str]:
    """One process for many commands: starting one is what takes time in a user-mode kernel."""
    return [f"{program} -batch - <<'END'", *lines, "END"]


def delay(host: str, device: str, ms: float) -> str:
    """The propagation delay of one direction."""
    return (
        f"tc -n {host} qdisc add dev {device} root netem "
        f"delay {round(ms * 1000)}us limit {NETEM_LIMIT_PACKETS}"
    )


def bottleneck(verb: str, kbps: float, queue: DropTail) -> str:
    """Adds the shaper, or changes it in place: its queue survives a change."""
    return (
        f"tc -n r qdisc {verb} dev rb root {WITHOUT_ETHERNET_HEADER} "
        f"tbf rate {round(kbps * 1000)}bit burst {BURST_BYTES} limit {queue.limit_bytes(kbps)}"
    )


def rate_changes(link: Link) -> list[tuple[float, float, str]]:
    """(time, new rate, command) for every later step of the schedule."""
    return [
        (step.at_s, step.kbps, bottleneck("change", step.kbps, link.queue))
        for step in link.rate.steps[1:]
    ]


def _pair(wire: tuple[str, ...]) -> str:
    host, device, _, _, peer_device, _ = wire
    return (
        f"link add {peer_device} address {_MAC[peer_device]} mtu {MTU} type veth "
        f"peer name {device} address {_MAC[device]} mtu {MTU} netns {host}"
    )


def _inside(host: str) -> list[str]:
    """What is done within one host: its ends of the wires, and the way to the others."""
    lines = ["link set lo up"]
    for near, device, address, far, far_device, far_address in _WIRES:
        if near == host:
            lines += _end(device, address, far_device, far_address)
            lines.append(f"route add default via {far_address}")
        elif far == host:
            lines += _end(far_device, far_address, device, address)
    return lines


def _end(device: str, address: str, far_device: str, far_address: str) -> list[str]:
    return [
        # One packet is one packet: no segmentation offload behind the shaper's back. And no IPv6
        # address, whose discovery would put packets of its own on the wire.
        f"link set {device} gso_max_segs 1 addrgenmode none",
        f"address add {address}/24 dev {device}",
        f"link set {device} up",
        # Known beforehand: the first packet does not wait for an answer to "who has".
        f"neigh replace {far_address} lladdr {_MAC[far_device]} dev {device}",
    ]
