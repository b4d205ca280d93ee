"""A picture comes out, however little there is to draw."""

from pathlib import Path

import numpy as np
import pytest

from gcc_testbed import figures, metrics, traces
from gcc_testbed.captures import Journeys
from gcc_testbed.metrics import FlowRecord, Record
from gcc_testbed.report import summary
from gcc_testbed.scenario import Scenario

FULL = (
    "time_s,event,d_ms,modified_m_ms,gamma_ms,signal,state,a_r_bps,news\n"
    "1,group,0.1,3,12.5,normal,,,x\n2,group,0.1,14,12.5,overuse,,,x\n2,rate,,,,,decrease,5e5,x\n"
)


def record(scenario: Scenario, journeys: Journeys, trace: str, directory: Path) -> Record:
    (directory / "receiver.csv").write_text(trace)
    read = traces.read(directory / "receiver.csv")
    flow = FlowRecord(scenario.flows[0], journeys, traces.Trace(), read)
    return Record(scenario, scenario.link.rate, (flow,))


@pytest.mark.parametrize(
    "trace", ["", "time_s,event\n", "time_s,event,m_ms\n1,group,2\n1,rate,\n", FULL]
)
@pytest.mark.parametrize("count", [0, 1, 400])
def test_a_picture_is_drawn_from_whatever_there_is(
    scenario: Scenario, tmp_path: Path, trace: str, count: int
) -> None:
    sent = np.linspace(0, 8, count)
    received = np.where(np.arange(count) % 7 == 3, np.nan, sent + 0.02)
    journeys = Journeys(sent, received, np.full(count, 1000))
    drawn = record(scenario, journeys, trace, tmp_path)
    measured = {**metrics.measure(drawn), "sequence": {"name": "foreman"}}
    figures.draw_call(drawn, measured, tmp_path / "call.png")
    assert (tmp_path / "call.png").read_bytes().startswith(b"\x89PNG")


def test_the_summary_has_a_dash_for_what_is_unknown(scenario: Scenario, tmp_path: Path) -> None:
    nothing = Journeys(np.array([]), np.array([]), np.array([], int))
    text = summary(metrics.measure(record(scenario, nothing, "", tmp_path)))
    assert text.splitlines()[1].split() == ["gcc-1", "0.000", "0.0", "-", "-", "-", "-"]
