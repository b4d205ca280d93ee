"""The network as text."""

from gcc_testbed import topology
from gcc_testbed.scenario import DropTail, Link, RateSchedule, RateStep, Scenario


def test_each_direction_has_half_the_round_trip(scenario: Scenario) -> None:
    lines = topology.build(scenario.link)
    delays = [line for line in lines if "netem" in line]
    assert [line.split(" netem ")[0] for line in delays] == [
        "tc -n a qdisc add dev a0 root",
        "tc -n b qdisc add dev b0 root",
    ]
    assert all("delay 25000us" in line for line in delays)


def test_the_bottleneck_is_the_router_towards_b(scenario: Scenario) -> None:
    (line,) = [line for line in topology.build(scenario.link) if "tbf" in line]
    assert line.startswith("tc -n r qdisc add dev rb root ")
    assert line.endswith("tbf rate 1000000bit burst 1540 limit 37500")


def test_the_bottleneck_counts_ip_bytes() -> None:
    assert "stab overhead -14" in topology.bottleneck("add", 1000, DropTail())
    # A change without these words would take them away.
    assert "stab overhead -14" in topology.bottleneck("change", 1000, DropTail())


def test_a_change_of_rate_keeps_a_queue_in_ms_as_long() -> None:
    link = Link(RateSchedule((RateStep(0, 1000), RateStep(40, 2500))), queue=DropTail(ms=300))
    ((at, kbps, line),) = topology.rate_changes(link)
    assert (at, kbps) == (40, 2500)
    assert "qdisc change" in line
    assert line.endswith("rate 2500000bit burst 1540 limit 93750")


def test_a_change_of_rate_keeps_a_queue_in_bytes_as_large() -> None:
    link = Link(
        RateSchedule((RateStep(0, 1000), RateStep(40, 2500))), queue=DropTail(ms=None, bytes=30000)
    )
    assert topology.rate_changes(link)[0][2].endswith("limit 30000")


def test_addresses_and_neighbours_are_fixed(scenario: Scenario) -> None:
    text = "\n".join(topology.build(scenario.link))
    assert text.count("neigh replace") == 4
    for device in ("a0", "ra", "b0", "rb"):
        assert f"{device} address 02:00:00:00:00:" in text
