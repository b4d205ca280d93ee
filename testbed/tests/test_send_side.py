"""The results of a sender over transport-wide feedback, in numbers, picture and page."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gcc_testbed.commands.make_call import describe
from gcc_testbed.measure import metrics, send_side, traces
from gcc_testbed.measure.captures import Journeys
from gcc_testbed.measure.metrics import FlowRecord, Record
from gcc_testbed.report import page, plots
from gcc_testbed.report.page import Commands
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.scenario.sequence import Sequence

COLUMNS = (
    "time_s,event,a_s_bps,feedback,r_ack_bps,delay_based_bps,signal,m_ms,gamma_ms,loss_state,"
    "alr,probe_bps,pacing_bps"
)


def sender_trace(duration_s: int = 8) -> str:
    """A call that begins with two probes, is source-limited for a second, and goes back to REMB."""
    lines = [COLUMNS]
    probed = ""
    for number in range(duration_s * 20):
        at = number / 20
        rate = min(900.0, 300 + 600 * at)
        event = {10: "probe", 12: "probe_result", 30: "probe", 32: "probe_result", 60: "probe"}.get(
            number, "transport-feedback"
        )
        if event == "probe_result":
            probed = "880000" if number == 12 else "5000000"
        feedback = "transport-cc" if at < 0.75 * duration_s else "remb"
        m = 3 * np.sin(number / 5)
        signal = "overuse" if m > 2.9 else "normal"
        state = "delay-based" if at < 4 else "increasing"
        alr = int(4 <= at < 5)
        lines.append(
            f"{at},{event},{rate * 1000:.0f},{feedback},{rate * 970:.0f},{rate * 1100:.0f},"
            f"{signal},{m:.3f},12.5,{state},{alr},{probed},{rate * 2500:.0f}"
        )
    return "\n".join(lines) + "\n"


OLD = "time_s,event,a_s_bps,n_dd\n0,start,300000,0\n1,remb,400000,1\n"


def measured(
    scenario: Scenario, directory: Path, trace: str
) -> tuple[Record, dict[str, Any], traces.Trace]:
    (directory / "sender.csv").write_text(trace)
    sender = traces.read(directory / "sender.csv")
    at = np.linspace(0, 8, 800)
    journeys = Journeys(at, at + 0.02, np.full(800, 1000), np.full(800, 960))
    flow = FlowRecord(scenario.flows[0], journeys, sender, traces.Trace())
    record = Record(scenario, scenario.link.forward.rate, (flow,))
    return record, metrics.measure(record), sender


def test_what_the_sender_measured_is_counted_in_the_interval(
    scenario: Scenario, tmp_path: Path
) -> None:
    _, found, _ = measured(scenario, tmp_path, sender_trace())
    # From 2 to 8 s.
    assert found["flows"][0]["transport_feedback"] == {
        "used_ratio": pytest.approx(4 / 6, abs=1e-4),
        "alr_ratio": pytest.approx(1 / 6, abs=1e-4),
        "probes": 1,
        "probe_results": 0,
        "highest_probe_kbps": None,
    }
    _, whole, sender = measured(scenario, tmp_path, sender_trace())
    assert send_side.measure(sender, 0, 8)["transport_feedback"]["highest_probe_kbps"] == 5000


@pytest.mark.parametrize("trace", ["", OLD, OLD.replace("n_dd", "feedback")])
def test_an_older_trace_tells_nothing_and_is_drawn_as_ever(
    scenario: Scenario, sequence: Sequence, tmp_path: Path, trace: str
) -> None:
    record, found, _ = measured(scenario, tmp_path, trace)
    assert "transport_feedback" not in found["flows"][0]
    drawn = plots.draw(record, describe(scenario, (sequence,), found), tmp_path)
    picture = (tmp_path / "figures" / "call.svg").read_text()
    for word in ("probe", "ALR", "pacing", "loss estimate"):
        assert word not in picture
    file = tmp_path / "report.html"
    page.write(file, scenario, (), found, {}, Commands(["world"], [], []), drawn)
    assert "<h2>Feedback</h2>" not in file.read_text()


def test_the_picture_and_the_page_show_it(
    scenario: Scenario, sequence: Sequence, tmp_path: Path
) -> None:
    record, found, _ = measured(scenario, tmp_path, sender_trace())
    drawn = plots.draw(record, describe(scenario, (sequence,), found), tmp_path)
    picture = (tmp_path / "figures" / "call.svg").read_text()
    # One entry of the legend each, however many probes there are.
    for word in ("probe result", "probe asked for", "ALR (source-limited)", "pacing ↑"):
        assert picture.count(f">{word}<") == 1, word
    assert "transport-cc 67 %, else remb" in picture
    assert "loss estimate (strip):" in picture
    file = tmp_path / "report.html"
    page.write(file, scenario, (), found, {}, Commands(["world"], [], []), drawn)
    assert "transport-cc in 66.7 % of the time" in file.read_text()
