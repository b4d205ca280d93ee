"""The faults, their measures and their page, from made-up results; and a few calls."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.commands import faults as command
from gcc_testbed.measure import captures
from gcc_testbed.studies.faults import outcome, page, plan
from gcc_testbed.studies.faults.outcome import Outcome
from gcc_testbed.studies.faults.plan import MODES, Fault
from gcc_testbed.support import commits
from gcc_testbed.support.errors import TestbedError

GOOD = Outcome(
    before_kbps=900.0,
    least_target_kbps=300.0,
    least_after_s=4.0,
    during_kbps=500.0,
    end_kbps=880.0,
    rtt_after_ms=61.0,
    recovered_s=2.5,
    network_loss_percent=3.0,
    lost_by_us=0,
    repeated_by_us=0,
    ssrcs=1,
    memory_growth_kb=None,
)
FAULTS = (
    Fault("cut", "a cut", 14, 19, {}),
    Fault("long", "a long call", 0, 0, {}),
)


def write(folder: Path, faults: str) -> Path:
    (folder / "call.toml").write_text((plan.FILE.parent / "call.toml").read_text())
    file = folder / "faults.toml"
    file.write_text(faults)
    return file


def test_every_shipped_fault_is_a_call_with_either_feedback() -> None:
    for fault in plan.load():
        for mode in MODES:
            assert fault.scenario(mode).flows[0].feedback == mode  # type: ignore[union-attr]


def test_there_is_time_to_recover_in_every_shipped_call() -> None:
    for fault in plan.load():
        assert fault.data["duration_s"] - fault.to_s >= 15, fault.name


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("from_s = 5\nto_s = 4", "at least 5"),
        ("from_s = 5\nto_s = 400", "at most 40"),
        ("from_s = 5\nto_s = 9\nlinks = 1", "unknown key"),
        ("from_s = 5\nto_s = 9\nflow.feedbacks = 1", "unknown key flow[0].feedbacks"),
    ],
)
def test_a_wrong_fault_is_refused_before_any_call(tmp_path: Path, keys: str, said: str) -> None:
    file = write(tmp_path, f'[[fault]]\nname = "x"\ntitle = "X"\n{keys}\n')
    with pytest.raises(TestbedError) as problem:
        plan.load(file)
    assert said in str(problem.value)


def test_two_faults_of_one_name_are_refused(tmp_path: Path) -> None:
    one = '[[fault]]\nname = "x"\ntitle = "X"\nfrom_s = 5\nto_s = 9\n'
    with pytest.raises(TestbedError, match="two faults are called x"):
        plan.load(write(tmp_path, one + one))


def test_an_unknown_fault_is_told_what_there_is() -> None:
    with pytest.raises(TestbedError, match="expected one of cut, long"):
        plan.chosen(FAULTS, ["cuts"], quick=False)


def test_a_long_call_is_at_most_a_day() -> None:
    (day,) = [command._of_length(fault, "24") for fault in FAULTS if fault.name == "long"]
    assert day.data["duration_s"] == 86400
    with pytest.raises(TestbedError, match="up to 24"):
        command._of_length(FAULTS[1], "25")


Write = Callable[..., None]


def sent(folder: Path, write_capture: Write, rows: list[tuple[float, int, int, int]]) -> Path:
    write_capture(folder / "a.pcap", rows)
    return folder / "a.pcap"


def test_a_number_that_never_left_is_lost_by_us(tmp_path: Path, write_capture: Write) -> None:
    rows = [(n / 100, 7, n, 1000) for n in range(10) if n != 4]
    packets = captures.read_rtp(sent(tmp_path, write_capture, rows), 5000)
    assert outcome.numbering(packets) == (1, 0)


def test_a_number_that_left_twice_is_repeated_by_us(tmp_path: Path, write_capture: Write) -> None:
    rows = [(n / 100, 7, n, 1000) for n in (0, 1, 1, 2)]
    packets = captures.read_rtp(sent(tmp_path, write_capture, rows), 5000)
    assert outcome.numbering(packets) == (0, 1)


def test_numbers_that_wrap_and_another_ssrc_are_no_loss(
    tmp_path: Path, write_capture: Write
) -> None:
    rows = [(n / 100, 7, (65530 + n) & 0xFFFF, 1000) for n in range(12)]
    rows += [(1 + n / 100, 8, 300 + n, 1000) for n in range(5)]
    packets = captures.read_rtp(sent(tmp_path, write_capture, rows), 5000)
    assert outcome.numbering(packets) == (0, 0)


def recovery(fault: Fault, *target: tuple[float, float]) -> float | None:
    """Of an A_s with these values from these seconds on, in a call of 40 s."""
    times, values = np.array(target).T
    return outcome.recovery_s(times, values, fault, 40.0)


def test_recovery_counts_from_the_end_of_the_fault() -> None:
    back = recovery(FAULTS[0], (0, 1000), (15, 100), (22, 1000))
    # Four seconds of which one and a third are low have a mean of 700.
    assert back == pytest.approx(22 - 4 / 3 - 19, abs=0.1)


def test_a_rate_that_never_fell_has_recovered_at_once() -> None:
    assert recovery(FAULTS[0], (0, 1000), (15, 800)) == 0.0


def test_what_falls_after_the_fault_has_not_recovered_before() -> None:
    back = recovery(FAULTS[0], (0, 1000), (21, 50), (30, 1000))
    assert back == pytest.approx(30 - 1.26 - 19, abs=0.1)


def test_what_is_low_at_the_end_has_not_recovered() -> None:
    assert recovery(FAULTS[0], (0, 1000), (15, 100), (22, 1000), (38, 100)) is None


def test_the_lives_of_a_sender_are_read_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "sender.csv").write_text("time_s,a_s_bps\n1,500\n2,600\n")
    (tmp_path / "sender-restarted-1.csv").write_text("time_s,a_s_bps\n3,700\n")
    times, values = outcome._sender(tmp_path, 0.0, "a_s_bps")
    assert (times.tolist(), values.tolist()) == ([1, 2, 3], [500, 600, 700])


def test_without_a_beginning_there_is_nothing_to_recover_from() -> None:
    assert recovery(FAULTS[1], (0, 1000), (15, 100)) is None


def test_memory_of_the_first_minute_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "memory.csv"
    assert outcome.memory_growth_kb(file) is None
    file.write_text(
        "60,sender-x,100\n60,receiver-x,50\n120,sender-x,200\n120,receiver-x,60\n"
        "180,sender-x,210\n180,receiver-x,60\n"
    )
    assert outcome.memory_growth_kb(file) == 10


def test_the_page_has_a_line_for_each_fault_and_names_what_was_not_run() -> None:
    text = page.text(FAULTS, {("cut", "remb"): GOOD}, ["abc"])
    assert "| a cut | 300 (4.0), – | 500, – | 2.5, – | 3.0, – |" in text
    assert "**1 of 1 calls recovered; media packets lost by us: 0.**" in text
    assert "a cut (transport-cc)" in text.split("Not run for this page: ")[1]
    assert not page.problems({("cut", "remb"): GOOD})


def test_a_page_below_docs_is_of_one_commit_or_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "DOCS", tmp_path / "docs")
    for mode, commit in zip(MODES, ("abc1234", "def5678"), strict=True):
        run = tmp_path / "out/cut" / mode
        run.mkdir(parents=True)
        (run / command.OUTCOME).write_text(json.dumps(asdict(GOOD)))
        (run / "call.json").write_text(json.dumps({"versions": {"commit": commit}}))
    with pytest.raises(TestbedError, match="made by several commits: not a result"):
        command._write(FAULTS, tmp_path / "out", tmp_path / "docs/page.md")
    assert not (tmp_path / "docs").exists()
    command._write(FAULTS, tmp_path / "out", tmp_path / "page.md")
    assert "**Made by several commits: not a result.**" in (tmp_path / "page.md").read_text()


def test_what_does_not_recover_and_what_we_lose_fail_the_suite() -> None:
    outcomes = {
        ("cut", "remb"): replace(GOOD, recovered_s=None),
        ("cut", "transport-cc"): replace(GOOD, lost_by_us=3, repeated_by_us=1),
    }
    text = page.text(FAULTS, outcomes, ["abc"])
    assert "**not**" in text
    assert "**cut, transport-cc: 3 packets lost and 1 repeated by us.**" in text
    assert page.problems(outcomes) == [
        "cut, remb: it did not recover within the call",
        "cut, transport-cc: 3 packets lost and 1 repeated by us",
    ]


def test_a_call_in_which_nothing_begins_has_nothing_to_recover_from() -> None:
    calm = replace(GOOD, before_kbps=None, during_kbps=None, recovered_s=None, memory_growth_kb=-12)
    text = page.text(FAULTS, {("long", "remb"): calm}, ["abc"])
    assert "| a long call | 300 (4.0), – | – | – | 3.0, – |" in text
    assert "to the last: -12 kB in a long call (remb)." in text
    assert not page.problems({("long", "remb"): calm})


@pytest.mark.virtual
def test_clocks_are_lost_and_handlers_block(tmp_path: Path, testbed: Callable[..., None]) -> None:
    """The log of the sender's program has the fault, and the call survives it."""
    said = {"clock-lost": "clock: GstSystemClock", "clock-replaced": "clock: other"}
    said |= {
        f"{kind}-blocks": "blocked for 2 s from 14." for kind in ("notify", "message", "probe")
    }
    testbed(tmp_path, "faults", *said, "--mode", "remb", "--out", "faults")
    for name, line in said.items():
        log = tmp_path / "faults" / name / "remb" / "logs" / "sender-gcc-1.log"
        assert line in log.read_text(), name


@pytest.mark.virtual
def test_two_calls_survive(tmp_path: Path, testbed: Callable[..., None]) -> None:
    """One fault of the quick look, both kinds of feedback: `meson test --suite faults` has all."""
    testbed(tmp_path, "faults", "wrap", "--out", "faults")
    assert "media packets lost by us: 0." in (tmp_path / "faults" / "reliability.md").read_text()
