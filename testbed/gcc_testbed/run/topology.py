"""Host a — router r — host b, as the commands that build it. Nothing here runs anything.

a ── netem delay ──► (1) [loss] r ── tbf, queue under test ──► (2) b        forward
a (2) ◄── tbf, queue under test ── r (1) ◄─────── netem delay ──── b        backward

tcpdump listens at a and at b: each sees one direction at its (1) and the other at its (2).
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from gcc_testbed.scenario.link import (
    SMALLEST_BURST_BYTES,
    Codel,
    Condition,
    Fault,
    FqCodel,
    HeadDrop,
    Link,
    Pie,
    Queue,
    Sfq,
    Shaper,
    coarse_target_ms,
)
from gcc_testbed.scenario.network import A_ADDRESS, B_ADDRESS, Ports
from gcc_testbed.scenario.scenario import Scenario

HOSTS = ("a", "r", "b")
# Where packets are captured: downstream of a host's delay, on either side of the bottleneck.
CAPTURE_POINTS = {"a": "a0", "b": "b0"}
# The router's device before which each direction's bottleneck lies.
BOTTLENECK = {"forward": "rb", "backward": "ra"}
# Where a direction's packets enter the router, and the device they are led through there.
ENTRY = {"forward": "ra", "backward": "rb"}
LED_THROUGH = {"forward": "loss0", "backward": "loss1"}

# The rate of a closed link, because tbf has no rate of 0.
CLOSED_KBPS = 1.0
# A packet waits for its bytes at the rate there was when it came to the head of the queue, which
# is seconds on a closed link, unless another one comes, such as a frame of so many bytes.
WAKING_BYTES = (1,)
# The whole bucket, which a change fills: a small packet would pass a closed link from it.
EMPTYING_BYTES = (SMALLEST_BURST_BYTES // 2,) * 2
# Rates and queues count IP bytes, as the results do: tbf would count the Ethernet header too.
WITHOUT_ETHERNET_HEADER = "stab overhead -14 linklayer ethernet"
# A delay line must never drop: netem's default limit is 1000 packets.
NETEM_LIMIT_PACKETS = 100_000
# Too fast to be a bottleneck; with a rate, netem keeps packets in order despite jitter.
NETEM_IN_ORDER = "rate 100gbit"
# How far ahead of the others a reordered packet is: two or three packets of a paced frame.
REORDER_MS = 15.0
SFQ_DEPTH = 127
# A trace has thousands.
MOST_SHOWN_CHANGES = 100

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


def build(scenario: Scenario) -> list[str]:
    """All commands, in order, that create the three hosts and the link at its first rates."""
    link = scenario.link
    extra = {
        number: flow.extra_one_way_delay_ms
        for number, flow in enumerate(scenario.flows)
        if flow.extra_one_way_delay_ms
    }
    return [
        *batch("ip", [f"netns add {host}" for host in HOSTS]),
        *batch("ip -n r", [_pair(wire, link.mtu_bytes) for wire in _WIRES]),
        *(line for host in HOSTS for line in batch(f"ip -n {host}", _inside(host))),
        "ip netns exec r sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'",
        *(_fresh_tcp(scenario)),
        *delay("a", link, extra),
        *delay("b", link, extra),
        *(line for direction in BOTTLENECK for line in impairment(direction, link)),
        *(late_arrival(link) if link.arrival_noise_ms or link.arrival_tick_ms else []),
        *(
            line
            for direction in BOTTLENECK
            if (shaper := link.shaper(direction)) is not None
            for line in bottleneck(
                "add", shaped_device(direction, link), shaper, first_kbps(shaper)
            )
        ),
    ]


def batch(program: str, lines: list[str]) -> list[str]:
    """One process for many commands: starting one is what takes time in a user-mode kernel."""
    return [f"{program} -batch - <<'END'", *lines, "END"]


def _fresh_tcp(scenario: Scenario) -> Iterable[str]:
    """Disables the TCP metrics cache, so that connections do not inherit state."""
    if any(flow.kind == "tcp" for flow in scenario.flows):
        for host in ("a", "b"):
            yield (f"ip netns exec {host} sh -c 'echo 1 > /proc/sys/net/ipv4/tcp_no_metrics_save'")


def netem(link: Link, extra_ms: float = 0.0) -> str:
    """The propagation delay of one direction."""
    discipline = f"netem delay {round((link.one_way_delay_ms + extra_ms) * 1000)}us"
    if link.jitter_ms:
        discipline += f" {round(link.jitter_ms * 1000)}us distribution normal {NETEM_IN_ORDER}"
    return f"{discipline} limit {NETEM_LIMIT_PACKETS}"


def delay(host: str, link: Link, extra: dict[int, float]) -> list[str]:
    """A host's delay line; with extra delays, one for each length."""
    device = f"{host}0"
    if not extra:
        return [f"tc -n {host} qdisc add dev {device} root {netem(link)}"]
    lengths = sorted(set(extra.values()))
    lines = [
        f"qdisc add dev {device} root handle 1: prio bands {len(lengths) + 1} "
        f"priomap {' '.join(['0'] * 16)}",
        f"qdisc add dev {device} parent 1:1 {netem(link)}",
    ]
    for band, length in enumerate(lengths, start=2):
        lines.append(f"qdisc add dev {device} parent 1:{band:x} {netem(link, length)}")
    for number, length in extra.items():
        ports = Ports.of_flow(number)
        # sport: TCP's acknowledgements.
        for match in (
            *(f"dport {port}" for port in (ports.rtp, ports.rtcp, ports.feedback)),
            f"sport {ports.rtp}",
        ):
            lines.append(
                f"filter add dev {device} parent 1: protocol ip prio 1 u32 "
                f"match ip {match} 0xffff flowid 1:{lengths.index(length) + 2:x}"
            )
    return batch(f"tc -n {host}", lines)


def impairment(direction: str, link: Link) -> list[str]:
    """Loss, faults and recorded delay of a direction, where it enters the router, if there are."""
    states = weather(direction, link)
    if states == [(0.0, None, None)] and not _usual_loss(direction, link):
        return []
    _, fault, condition = states[0]
    first = impaired(_usual_loss(direction, link), fault, condition)
    device, through = impaired_device(direction, link), LED_THROUGH[direction]
    led = on_arrival("r", ENTRY[direction], through, first if device == through else None)
    return led if device == through else [*led, f"tc -n r qdisc add dev {device} root {first}"]


def is_recorded(direction: str, link: Link) -> bool:
    """Whether delay and loss of a direction are recorded ones.

    They are of what comes downstream of the queue. Upstream of it a delay that grows would keep
    packets from the bottleneck, and take capacity away.
    """
    return direction == "forward" and bool(link.conditions)


def shaped_device(direction: str, link: Link) -> str:
    """The router's device that has the bottleneck of a direction."""
    return (LED_THROUGH if is_recorded(direction, link) else BOTTLENECK)[direction]


def impaired_device(direction: str, link: Link) -> str:
    """The router's device that has loss, faults and recorded delay of a direction."""
    return (BOTTLENECK if is_recorded(direction, link) else LED_THROUGH)[direction]


def _usual_loss(direction: str, link: Link) -> float:
    """Of packets by themselves."""
    return link.loss_percent if direction == "forward" and link.loss_burst_ms is None else 0.0


def late_arrival(link: Link) -> list[str]:
    """Delay of arrivals by a busy b, or by its timer, downstream of its capture."""
    discipline = "netem delay 1us"
    # The slots of a netem that is made at time zero never begin: its clock reads zero there, which
    # it takes for none, and in virtual time the hosts are made before the clock has moved.
    first = ["sleep 0.001"] if link.arrival_tick_ms else []
    if link.arrival_noise_ms:
        discipline += f" {_us(link.arrival_noise_ms)} distribution normal {NETEM_IN_ORDER}"
    if link.arrival_tick_ms:
        discipline += f" slot {_us(link.arrival_tick_ms)}"
    return [*first, *on_arrival("b", "b0", "late0", f"{discipline} limit {NETEM_LIMIT_PACKETS}")]


def on_arrival(host: str, device: str, through: str, discipline: str | None) -> list[str]:
    """Sends what arrives at a device through a discipline, or through that which comes later."""
    return [
        *batch(f"ip -n {host}", [f"link add {through} type ifb", f"link set {through} up"]),
        *batch(
            f"tc -n {host}",
            [
                *([f"qdisc add dev {through} root {discipline}"] if discipline else []),
                f"qdisc add dev {device} ingress",
                f"filter add dev {device} parent ffff: protocol all matchall "
                f"action mirred egress redirect dev {through}",
            ],
        ),
    ]


def impaired(usual_loss: float, fault: Fault | None, condition: Condition | None = None) -> str:
    """netem with the loss of the whole call, and what a fault and a recording add."""
    words, late_ms, parts = [], 0.0, [usual_loss]
    if fault is not None:
        late_ms += fault.delay_ms + (REORDER_MS if fault.reorder_percent else 0.0)
        parts.append(fault.loss_percent)
    if condition is not None:
        late_ms += condition.delay_ms
        parts.append(condition.loss_percent)
    if late_ms or condition is not None:
        words.append(f"delay {_us(late_ms)}")
    if condition is not None:
        words.append(NETEM_IN_ORDER)
    if fault is not None:
        if fault.reorder_percent:
            words.append(f"reorder {fault.reorder_percent:g}%")
        if fault.duplicate_percent:
            words.append(f"duplicate {fault.duplicate_percent:g}%")
    kept = math.prod(1 - part / 100 for part in parts)
    if kept < 1:
        words.append(f"loss random {100 * (1 - kept):.6g}%")
    return " ".join(["netem", *words, f"limit {NETEM_LIMIT_PACKETS}"])


# From a time on: the fault, and the condition of a recorded path, that there are.
State = tuple[float, Fault | None, Condition | None]


def weather(direction: str, link: Link) -> list[State]:
    """Faults and recorded conditions of a direction over time, the first at zero."""
    faults: dict[float, Fault | None] = {0.0: None}
    for fault in link.faults:
        if fault.direction == direction:
            faults |= {fault.from_s: fault}
            faults.setdefault(fault.to_s, None)
    recorded = link.conditions if direction == "forward" else ()
    conditions = {condition.at_s: condition for condition in recorded}
    states: list[State] = []
    fault_now, condition_now = None, None
    for at in sorted({*faults, *conditions}):
        fault_now = faults.get(at, fault_now)
        condition_now = conditions.get(at, condition_now)
        states.append((at, fault_now, condition_now))
    return states


def weather_changes(link: Link) -> list[tuple[float, str]]:
    """(time, arguments of tc) for every later state of either direction."""
    changes = []
    for direction in BOTTLENECK:
        command = f"qdisc change dev {impaired_device(direction, link)} root"
        usual = _usual_loss(direction, link)
        changes += [
            (at, f"{command} {impaired(usual, fault, condition)}")
            for at, fault, condition in weather(direction, link)[1:]
        ]
    return sorted(changes)


def bottleneck(verb: str, device: str, shaper: Shaper, kbps: float) -> list[str]:
    """Adds a shaper, or changes it in place without dropping queued packets.

    codel and the others replace tbf's own queue, whose limit then has no effect. They stay
    as they are at the first rate: the kernel cannot change SFQ, and AQMs count in time.
    """
    queue = shaper.queue
    first = shaper.rate.steps[0].kbps
    child = child_discipline(queue, shaper.queue_kbps(kbps), shaper.queue_kbps(first))
    handle = "handle 1: " if child else ""
    limit = queue.limit_bytes(shaper.queue_kbps(kbps))
    lines = [
        f"tc -n r qdisc {verb} dev {device} root {handle}{WITHOUT_ETHERNET_HEADER} tbf "
        f"rate {round(kbps * 1000)}bit burst {shaper.burst_bytes} limit {limit}"
    ]
    if child and verb == "add":
        lines.append(f"tc -n r qdisc {verb} dev {device} parent 1:1 handle 10: {child}")
    return lines


def child_discipline(queue: Queue, kbps: float, first_kbps: float) -> str | None:
    """The queue discipline below tbf; None for tbf's own first-in-first-out queue."""
    if isinstance(queue, HeadDrop):
        return f"pfifo_head_drop limit {queue.packets}"
    if isinstance(queue, Codel):
        target = coarse_target_ms(first_kbps) if queue.target_ms is None else queue.target_ms
        return (
            f"codel limit {queue.limit_packets} target {_us(target)} "
            f"interval {_us(queue.interval_ms)}{_marks(queue)}"
        )
    if isinstance(queue, Pie):
        return (
            f"pie limit {queue.limit_packets} target {_us(queue.target_ms)} "
            f"tupdate {_us(queue.tupdate_ms)}{' ecn' if queue.ecn else ''}"
        )
    if isinstance(queue, Sfq):
        limit = queue.limit_packets(kbps)
        quantum = f" quantum {queue.quantum_bytes}" if queue.quantum_bytes else ""
        perturb = f" perturb {queue.perturb_s}" if queue.perturb_s else ""
        return f"sfq limit {limit} depth {min(limit, SFQ_DEPTH)}{quantum}{perturb}"
    if isinstance(queue, FqCodel):
        return (
            f"fq_codel limit {queue.limit_packets} target {_us(queue.target_ms)} "
            f"interval {_us(queue.interval_ms)} quantum {queue.quantum_bytes}{_marks(queue)}"
        )
    return None


def _marks(queue: Codel | FqCodel) -> str:
    """The options for ECN that differ from the kernel's own."""
    words = "" if queue.ecn == type(queue).ecn else (" ecn" if queue.ecn else " noecn")
    if queue.ce_threshold_ms is not None:
        words += f" ce_threshold {_us(queue.ce_threshold_ms)}"
    return words


def _us(ms: float) -> str:
    return f"{round(ms * 1000)}us"


def commands(scenario: Scenario) -> list[str]:
    """The commands that create the link and change it, for the report."""
    changes = []
    for direction in BOTTLENECK:
        steps = rate_changes(scenario.link, direction)
        shown = steps[:MOST_SHOWN_CHANGES]
        changes += [f"# at {at:g} s\n{line}" for at, _, line in shown]
        if len(steps) > len(shown):
            changes.append(f"# and {len(steps) - len(shown)} more changes of the {direction} rate")
    states = weather_changes(scenario.link)
    shown_states = [f"# at {at:g} s\ntc -n r {line}" for at, line in states[:MOST_SHOWN_CHANGES]]
    if len(states) > len(shown_states):
        shown_states.append(f"# and {len(states) - len(shown_states)} more changes of the path")
    return [*build(scenario), *changes, *shown_states]


def rate_changes(link: Link, direction: str = "forward") -> list[tuple[float, float, str]]:
    """(time, new rate, command) for every later step of a direction's schedule."""
    shaper = link.shaper(direction)
    if shaper is None:
        return []
    rates = shaper_rates(shaper) if shaper.trace else [step.kbps for step in shaper.rate.steps]
    device = shaped_device(direction, link)
    return [
        (step.at_s, step.kbps, " && ".join(bottleneck("change", device, shaper, kbps)))
        for step, kbps in zip(shaper.rate.steps[1:], rates[1:], strict=True)
    ]


def first_kbps(shaper: Shaper) -> float:
    """The rate of a bottleneck at the start of the call."""
    return shaper_rates(shaper)[0] if shaper.trace else shaper.rate.steps[0].kbps


def shaper_rates(shaper: Shaper) -> list[float]:
    """The rates of tbf with which the bytes of a trace pass, in spite of those at every change.

    Bytes that a change passes beyond those of its step are taken from the steps that follow.
    """
    assert shaper.trace is not None
    steps, rates = shaper.rate.steps, []
    owed = 0.0
    for step, after in zip(steps, (*steps[1:], None), strict=True):
        # The last one lasts to the end of the call: of its debt nothing comes any more.
        length_s = 1.0 if after is None else after.at_s - step.at_s
        left = step.kbps * 125 * length_s - owed - shaper.trace.change_passes_bytes
        rates.append(max(CLOSED_KBPS, left / 125 / length_s))
        owed = max(0.0, -left)
    return rates


def nudges(direction: str, link: Link) -> list[tuple[float, str]]:
    """(time, device and sizes) of the frames for a bottleneck that opens, or that stops."""
    shaper = link.shaper(direction)
    if shaper is None or shaper.trace is None:
        return []
    device, steps = shaped_device(direction, link), shaper.rate.steps
    found = []
    for before, step in zip(steps, steps[1:], strict=False):
        sizes: tuple[int, ...] = ()
        if before.kbps == 0:
            sizes = WAKING_BYTES
        elif step.kbps == 0 and shaper.trace.stops:
            sizes = EMPTYING_BYTES
        if sizes:
            found.append((step.at_s, " ".join(map(str, (device, *sizes)))))
    return found


def _pair(wire: tuple[str, ...], mtu: int) -> str:
    host, device, _, _, peer_device, _ = wire
    return (
        f"link add {peer_device} address {_MAC[peer_device]} mtu {mtu} type veth "
        f"peer name {device} address {_MAC[device]} mtu {mtu} netns {host}"
    )


def _inside(host: str) -> list[str]:
    """The configuration of one host: its interfaces and its default route."""
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
        # No segmentation offload, which would pass several packets through the shaper as one;
        # no IPv6 address, as neighbour discovery would add packets of its own.
        f"link set {device} gso_max_segs 1 addrgenmode none",
        f"address add {address}/24 dev {device}",
        f"link set {device} up",
        # Static, so that the first packet does not wait for ARP.
        f"neigh replace {far_address} lladdr {_MAC[far_device]} dev {device}",
    ]
