"""Loss in bursts, and queues that drop at their head or mark packets."""

from pathlib import Path

import pytest

from gcc_testbed.run import topology
from gcc_testbed.scenario import loss_bursts, scenario_file
from gcc_testbed.scenario.link import Condition
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.errors import TestbedError

SCENARIO = """
title = "Bursts"
duration_s = 60
seed = {seed}
[link]
{link}
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "tcp"
"""


def loaded(directory: Path, link: str, seed: int = 1) -> Scenario:
    (directory / "s.toml").write_text(SCENARIO.format(link=link, seed=seed))
    return scenario_file.load(directory / "s.toml")


def test_bursts_are_as_long_and_as_many_as_they_are_asked_for() -> None:
    found = list(loss_bursts.bursts(2, 30, 36000, 1))
    lossy = sum(end - begin for begin, end in found)
    assert lossy / 36000 == pytest.approx(0.02, rel=0.05)
    assert lossy / len(found) == pytest.approx(0.030, rel=0.05)


def test_a_burst_loses_all_and_between_them_nothing_is_lost(tmp_path: Path) -> None:
    link = loaded(tmp_path, "loss_percent = 2\nloss_burst_ms = 30").link
    assert link.conditions[0] == Condition(0.0)
    assert [each.loss_percent for each in link.conditions[1:5]] == [100, 0, 100, 0]
    assert all("loss random" not in line for line in topology.impairment("forward", link))
    assert "loss 2 % in bursts of 30 ms" in str(link)


def test_another_seed_has_other_bursts_and_the_same_has_the_same(tmp_path: Path) -> None:
    text = "loss_percent = 2\nloss_burst_ms = 30"
    one, other = (loaded(tmp_path, text, seed).link.conditions for seed in (1, 2))
    assert one != other
    assert loaded(tmp_path, text).link.conditions == one


def test_a_finished_call_has_the_same_bursts(tmp_path: Path) -> None:
    scenario = loaded(tmp_path, "loss_percent = 2\nloss_burst_ms = 30")
    data = scenario_file.to_data(scenario)
    assert scenario_file.from_data(data, "call.json", None) == scenario


def test_bursts_are_added_to_what_is_recorded() -> None:
    recorded = (Condition(0, 5, 1), Condition(2, 9, 3))
    assert loss_bursts.with_bursts(recorded, iter([(1.0, 1.5), (1.9, 2.1)])) == (
        Condition(0, 5, 1), Condition(1, 5, 100), Condition(1.5, 5, 1), Condition(1.9, 5, 100),
        Condition(2, 9, 100), Condition(2.1, 9, 3),
    )  # fmt: skip


def test_bursts_without_loss_are_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(TestbedError, match="loss_percent with it"):
        loaded(tmp_path, "loss_burst_ms = 30")


@pytest.mark.parametrize(
    ("queue", "words"),
    [
        ('kind = "pfifo_head_drop"\npackets = 1500', "pfifo_head_drop limit 1500"),
        ('kind = "codel"\necn = true', "interval 100000us ecn"),
        ('kind = "pie"\necn = true', "tupdate 30000us ecn"),
        ('kind = "fq_codel"\nce_threshold_ms = 1', "quantum 1514 ce_threshold 1000us"),
        ('kind = "fq_codel"\necn = false', "quantum 1514 noecn"),
        ('kind = "fq_codel"', "quantum 1514"),
    ],
)
def test_a_queue_drops_at_its_head_or_marks(tmp_path: Path, queue: str, words: str) -> None:
    link = loaded(tmp_path, f"[link.forward.queue]\n{queue}").link
    assert topology.bottleneck("add", "rb", link.forward, 1000)[1].endswith(words)
