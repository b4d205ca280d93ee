"""The network as text."""

from dataclasses import replace

import pytest

from gcc_testbed.run import topology
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.link import (
    Codel,
    DropTail,
    FqCodel,
    Link,
    Pie,
    Queue,
    RateSchedule,
    RateStep,
    Sfq,
    Shaper,
)
from gcc_testbed.scenario.network import Ports
from gcc_testbed.scenario.scenario import Scenario

STEP = RateSchedule((RateStep(0, 1000), RateStep(40, 2500)))


def test_each_direction_has_half_the_round_trip(scenario: Scenario) -> None:
    lines = topology.build(scenario)
    delays = [line for line in lines if "netem" in line]
    assert [line.split(" netem ")[0] for line in delays] == [
        "tc -n a qdisc add dev a0 root",
        "tc -n b qdisc add dev b0 root",
    ]
    assert all("delay 25000us" in line for line in delays)


def test_the_bottleneck_is_the_router_towards_b(scenario: Scenario) -> None:
    (line,) = [line for line in topology.build(scenario) if "tbf" in line]
    assert line.startswith("tc -n r qdisc add dev rb root ")
    assert line.endswith("tbf rate 1000000bit burst 1540 limit 37500")


def test_the_token_bucket_is_the_scenarios() -> None:
    shaper = Shaper(STEP, burst_bytes=10_000)
    assert " burst 10000 " in topology.bottleneck("add", "rb", shaper, 1000)[0]
    assert " burst 10000 " in topology.bottleneck("change", "rb", shaper, 2500)[0]


def test_a_busy_receiver_delays_what_its_capture_has_seen(scenario: Scenario) -> None:
    busy = replace(scenario, link=replace(scenario.link, arrival_noise_ms=2, arrival_tick_ms=10))
    lines = topology.build(busy)
    (line,) = [line for line in lines if "late0 root" in line]
    # netem takes no distribution without a delay.
    assert "netem delay 1us 2000us distribution normal rate 100gbit slot 10000us limit" in line
    assert any("dev b0 parent ffff:" in line and "redirect dev late0" in line for line in lines)
    # Before the clock has moved a netem takes the beginning of its slots for none.
    assert "sleep 0.001" in lines[: lines.index(line)]
    assert not any("late0" in line for line in topology.build(scenario))


def test_the_bottleneck_counts_ip_bytes() -> None:
    assert "stab overhead -14" in topology.bottleneck("add", "rb", Shaper(STEP), 1000)[0]
    # A change without these words would take them away.
    assert "stab overhead -14" in topology.bottleneck("change", "rb", Shaper(STEP), 1000)[0]


def test_a_change_of_rate_keeps_a_queue_in_ms_as_long() -> None:
    link = Link(Shaper(STEP, DropTail(ms=300)))
    ((at, kbps, line),) = topology.rate_changes(link)
    assert (at, kbps) == (40, 2500)
    assert "qdisc change" in line
    assert line.endswith("rate 2500000bit burst 1540 limit 93750")


def test_a_change_of_rate_keeps_a_queue_in_bytes_as_large() -> None:
    link = Link(Shaper(STEP, DropTail(ms=None, bytes=30000)))
    assert topology.rate_changes(link)[0][2].endswith("limit 30000")


def test_addresses_and_neighbours_are_fixed(scenario: Scenario) -> None:
    text = "\n".join(topology.build(scenario))
    assert text.count("neigh replace") == 4
    for device in ("a0", "ra", "b0", "rb"):
        assert f"{device} address 02:00:00:00:00:" in text


@pytest.mark.parametrize(
    ("queue", "words"),
    [
        (Codel(), "codel limit 1000 target 13000us interval 100000us"),
        (Pie(), "pie limit 1000 target 20000us tupdate 30000us"),
        (Sfq(), "sfq limit 25 depth 25"),
        (Sfq(perturb_s=10), "sfq limit 25 depth 25 perturb 10"),
        (FqCodel(), "fq_codel limit 10240 target 13000us interval 100000us quantum 1514"),
    ],
)
def test_a_queue_discipline_takes_the_place_of_the_shapers_own(queue: Queue, words: str) -> None:
    shaper, child = topology.bottleneck("add", "rb", Shaper(STEP, queue), 1000)
    assert " root handle 1: " in shaper
    assert child == f"tc -n r qdisc add dev rb parent 1:1 handle 10: {words}"


def test_a_change_of_rate_leaves_the_queue_discipline_alone() -> None:
    (change,) = topology.bottleneck("change", "rb", Shaper(STEP, Sfq()), 2500)
    assert " root handle 1: " in change


def test_codels_target_follows_the_rate_as_in_the_paper() -> None:
    for kbps, target in ((1000, "target 13000us"), (2000, "target 5000us")):
        assert target in str(topology.child_discipline(Codel(), kbps, kbps))


def test_the_way_back_has_a_bottleneck_of_its_own(scenario: Scenario) -> None:
    link = replace(scenario.link, backward=Shaper(STEP))
    lines = topology.build(replace(scenario, link=link))
    (line,) = [line for line in lines if "tbf" in line and "dev ra" in line]
    assert "rate 1000000bit" in line
    assert [at for at, _, line in topology.rate_changes(link, "backward") if "dev ra" in line]


def test_jitter_keeps_the_order_of_packets(scenario: Scenario) -> None:
    words = topology.netem(replace(scenario.link, jitter_ms=5))
    assert words.startswith("netem delay 25000us 5000us distribution normal rate ")


def test_loss_strikes_once_behind_the_first_capture(scenario: Scenario) -> None:
    lines = topology.build(replace(scenario, link=replace(scenario.link, loss_percent=2.5)))
    (line,) = [line for line in lines if "loss random" in line]
    assert "dev loss0 root netem loss random 2.5%" in line


def test_flows_with_a_longer_way_wait_in_a_delay_line_of_their_own(scenario: Scenario) -> None:
    flows = (GccFlow(), GccFlow(name="gcc-2", extra_one_way_delay_ms=75))
    lines = topology.build(replace(scenario, flows=flows))
    assert [line for line in lines if "parent 1:2 netem delay 100000us" in line]
    assert [line for line in lines if "match ip dport 5010 0xffff flowid 1:2" in line]
    assert not [line for line in lines if "match ip dport 5000 " in line]


def test_no_two_flows_share_a_port() -> None:
    ports = [Ports.of_flow(number) for number in range(400)]
    used = [port for f in ports for port in (f.rtp, f.rtcp, f.feedback, f.repaired)]
    sources = {port + 1000 for flow in ports for port in (flow.rtp, flow.rtcp)}
    listened_at_the_same_host = {flow.feedback for flow in ports}
    assert len(set(used)) == 1600
    assert not sources & listened_at_the_same_host
    assert max(flow.tcp_source for flow in ports) + 99 < 65536
