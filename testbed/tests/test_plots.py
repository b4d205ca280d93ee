"""A picture comes out, however little there is to draw."""

import itertools
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from gcc_testbed.commands.make_call import describe
from gcc_testbed.measure import metrics, traces
from gcc_testbed.measure.captures import Journeys
from gcc_testbed.measure.metrics import FlowRecord, Record
from gcc_testbed.report import page, panels, plots
from gcc_testbed.report.page import Commands, summary
from gcc_testbed.scenario.flows import AnyFlow, CbrFlow, GccFlow, TcpFlow
from gcc_testbed.scenario.link import Shaper
from gcc_testbed.scenario.scenario import Scenario

FULL = (
    "time_s,event,d_ms,modified_m_ms,gamma_ms,signal,state,a_r_bps,news\n"
    "1,group,0.1,3,12.5,normal,,,x\n2,group,0.1,14,12.5,overuse,,,x\n2,rate,,,,,decrease,5e5,x\n"
)


def record(scenario: Scenario, journeys: Journeys, trace: str, directory: Path) -> Record:
    (directory / "receiver.csv").write_text(trace)
    read = traces.read(directory / "receiver.csv")
    flow = FlowRecord(scenario.flows[0], journeys, traces.Trace(), read)
    return Record(scenario, scenario.link.forward.rate, (flow,))


@pytest.mark.parametrize(
    "trace", ["", "time_s,event\n", "time_s,event,m_ms\n1,group,2\n1,rate,\n", FULL]
)
@pytest.mark.parametrize("count", [0, 1, 400])
def test_a_picture_is_drawn_from_whatever_there_is(
    scenario: Scenario, tmp_path: Path, trace: str, count: int
) -> None:
    sent = np.linspace(0, 8, count)
    received = np.where(np.arange(count) % 7 == 3, np.nan, sent + 0.02)
    journeys = Journeys(sent, received, np.full(count, 1000), np.full(count, 960))
    drawn = record(scenario, journeys, trace, tmp_path)
    measured = {**metrics.measure(drawn), "sequence": {"name": "foreman"}}
    plots.draw(drawn, measured, tmp_path)
    assert (tmp_path / "call.png").read_bytes().startswith(b"\x89PNG")
    for name in ("call", "delay-cdf", "delay-box"):
        assert (tmp_path / "figures" / f"{name}.svg").stat().st_size > 0
        assert (tmp_path / "figures" / f"{name}.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("count", [0, 1, 400])
def test_many_flows_share_a_picture(scenario: Scenario, tmp_path: Path, count: int) -> None:
    sent = np.linspace(0, 8, count)
    journeys = Journeys(sent, sent + 0.02, np.full(count, 1000), np.full(count, 960))
    back = GccFlow(name="back", direction="backward")
    flows: list[AnyFlow] = [GccFlow(), back, CbrFlow(name="x", rate_kbps=9)]
    flows += [TcpFlow(name=f"tcp-{number}", start_s=2) for number in range(8)]
    link = replace(scenario.link, backward=Shaper(scenario.link.forward.rate))
    scenario = replace(scenario, flows=tuple(flows), link=link)
    nothing = traces.Trace()
    records = tuple(FlowRecord(flow, journeys, nothing, nothing) for flow in flows)
    drawn = Record(scenario, link.forward.rate, records, link.forward.rate)
    # Eight TCP flows are a crowd.
    assert len(set(panels.colours(drawn))) == 4
    plots.draw(drawn, metrics.measure(drawn), tmp_path)
    assert (tmp_path / "call.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "figures" / "shares.svg").stat().st_size > 0


@pytest.mark.parametrize("shaped", [True, False])
def test_a_single_flow_may_go_the_other_way(
    scenario: Scenario, tmp_path: Path, shaped: bool
) -> None:
    sent = np.linspace(0, 8, 100)
    journeys = Journeys(sent, sent + 0.02, np.full(100, 1000), np.full(100, 960))
    flow, nothing = GccFlow(direction="backward", stop_s=1), traces.Trace()
    rate = scenario.link.forward.rate
    link = replace(scenario.link, backward=Shaper(rate) if shaped else None)
    record = Record(
        replace(scenario, flows=(flow,), link=link),
        rate,
        (FlowRecord(flow, journeys, nothing, nothing),),
        rate if shaped else None,
    )
    measured = metrics.measure(record)
    # It ended before the measured interval.
    assert measured["flows"][0]["active_s"] is None
    assert summary(measured)
    plots.draw(record, measured, tmp_path)
    assert (tmp_path / "call.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("others", [0, 1])
def test_whatever_is_shown_of_a_model_says_so(
    scenario: Scenario, tmp_path: Path, others: int
) -> None:
    sent = np.linspace(0, 8, 100)
    journeys = Journeys(sent, sent + 0.02, np.full(100, 1000), np.full(100, 960))
    nothing = traces.Trace()
    flows: tuple[AnyFlow, ...] = (
        GccFlow(source="model"),
        *[TcpFlow(name="tcp-1")] * others,
    )
    scenario = replace(scenario, flows=flows)
    records = tuple(FlowRecord(flow, journeys, nothing, nothing) for flow in flows)
    record = Record(scenario, scenario.link.forward.rate, records)
    measured = describe(scenario, (), metrics.measure(record))
    assert (measured["source"], measured["flows"][0]["source"]) == ("model", "model")
    lines = summary(measured).splitlines()
    assert lines[1].startswith("gcc-1 (model)")
    assert lines[-1].endswith("model: RFC 8593 traffic model in place of encoded video")
    drawn = plots.draw(record, measured, tmp_path)
    file = tmp_path / "report.html"
    page.write(file, scenario, (), measured, {}, Commands(["world"], [], []), drawn)
    assert f"<h1>{scenario.title} (RFC 8593 traffic model)</h1>" in file.read_text()
    assert "RFC 8593 traffic model" in (tmp_path / "figures" / "call.svg").read_text()
    for name in ("delay-cdf", "delay-box"):
        assert "gcc-1 (model)" in (tmp_path / "figures" / f"{name}.svg").read_text()


def test_the_summary_has_a_dash_for_what_is_unknown(scenario: Scenario, tmp_path: Path) -> None:
    nothing = Journeys(np.array([]), np.array([]), np.array([], int), np.array([], int))
    text = summary(metrics.measure(record(scenario, nothing, "", tmp_path)))
    assert text.splitlines()[1].split() == ["gcc-1", "0.000", "0.0", *["-"] * 6]


def boxes(figure: Figure) -> dict[str, Bbox]:
    """Where each text of a figure is, with the box around it."""
    figure.canvas.draw()
    found = {}
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text() and text.get_visible():
            patch = text.get_bbox_patch() or text
            found[text.get_text()] = patch.get_window_extent()
    return found


@pytest.mark.parametrize("width", [6, 11])
def test_the_boxes_of_the_detectors_legend_do_not_touch(
    scenario: Scenario, tmp_path: Path, width: float
) -> None:
    header = "time_s,event,m_ms,gamma_ms,signal,loss_state,feedback\n"
    rows = "1,transport-feedback,3,6,normal,padding,transport-cc\n"
    rows += "2,transport-feedback,9,6,overuse,delay-based,transport-cc\n"
    (tmp_path / "sender.csv").write_text(header + rows)
    none = np.zeros(0)
    journeys = Journeys(none, none, none.astype(int), none.astype(int))
    trace = traces.read(tmp_path / "sender.csv")
    flow = FlowRecord(scenario.flows[0], journeys, trace, traces.Trace())
    figure, axis = plt.subplots(figsize=(width, 3))
    panels.detector(axis, flow, 8)
    shown = boxes(figure)
    legend = ["signal:", "over-use", "under-use", "loss estimate (strip):", *panels.LOSS_STATES]
    for before, after in itertools.pairwise(legend):
        assert shown[after].x0 - shown[before].x1 > 3, (before, after)
    plt.close(figure)


def test_labels_at_the_right_stay_beside_their_panel_and_apart() -> None:
    figure, axis = plt.subplots()
    axis.set_ylim(0, 1120)
    names = ["received", "A", "delay-based", "r", "capacity", "pacing"]
    labels = [(name, value, "k") for name, value in zip(names, range(950, 1070, 20), strict=True)]
    panels.label_at_right(axis, [*labels, ("idle", 0, "k")], 1120)
    shown = boxes(figure)
    panel = axis.get_window_extent()
    for above, below in itertools.pairwise([*reversed(names), "idle"]):
        assert shown[above].y0 >= shown[below].y1 - 1
    assert shown["pacing"].y1 <= panel.y1 + 2
    assert abs(shown["idle"].y0 + shown["idle"].height / 2 - panel.y0) < 2
    plt.close(figure)


def test_no_word_about_the_measured_time_lies_in_a_panel(
    scenario: Scenario, tmp_path: Path
) -> None:
    sent = np.linspace(0, 8, 400)
    journeys = Journeys(sent, sent + 0.02, np.full(400, 1000), np.full(400, 960))
    drawn = record(scenario, journeys, FULL, tmp_path)
    measured = {**describe(scenario, (), metrics.measure(drawn)), "sequence": {"name": "foreman"}}
    figure = plots._one_call(drawn, measured)
    words = [text.get_text() for axis in figure.axes for text in axis.texts]
    assert not any("measured" in word for word in words)
    assert figure.axes[-1].get_xlabel() == "time (s), measured from 2 s"
    plt.close(figure)
