"""A picture of any call from its traces; an error in a trace names file and line."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gcc_testbed.cli import main
from gcc_testbed.measure import trace_table, whole_trace
from gcc_testbed.measure.pixels import Pixels, falls, spans_where
from gcc_testbed.measure.trace_table import Words

RECORDED = Path(__file__).parent / "traces"
SENDER = RECORDED / "sender.csv"
RECEIVER = RECORDED / "receiver.csv"
SMALL = "time_s,event,a_s_bps,reason,rtt_ms\n100,start,300000,start,\n101,report,2e5,loss,50\n"


def plot(*words: str | Path) -> int:
    return main(["plot", *map(str, words)])


def svg(out: Path, *words: str | Path) -> str:
    assert plot(*words, "--out", out) == 0
    return out.read_text(encoding="utf-8")


def written(folder: Path, text: str, name: str = "sender.csv") -> Path:
    (folder / name).write_text(text)
    return folder / name


# --- the picture ---


def test_both_traces_of_a_call_make_a_picture(tmp_path: Path) -> None:
    text = svg(tmp_path / "call.svg", SENDER, RECEIVER)
    for shown in ("rate (kbit/s)", "round trip", "lost", "time (s)", "sender's", "probe result"):
        assert shown in text
    for row in ("over-use", "under-use", "drain", "fall: drain", "fall: overuse", "fall: loss"):
        assert f">{row}<" in text
    assert "from 2026-11-25 22:22:06 UTC, 12.1 s" in text


def test_the_order_of_the_traces_does_not_matter(tmp_path: Path) -> None:
    assert whole_trace.read([SENDER, RECEIVER]).rates().keys() == (
        whole_trace.read([RECEIVER, SENDER]).rates().keys()
    )


def test_a_receivers_trace_is_enough(tmp_path: Path) -> None:
    text = svg(tmp_path / "call.svg", RECEIVER)
    assert "receiver's" in text
    assert ">R(t)<" in text
    assert "round trip" not in text
    assert ">fall: drain<" in text


def test_the_picture_goes_beside_no_trace_but_into_this_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert plot(SENDER) == 0
    assert capsys.readouterr().out == "picture: sender.png\n"
    assert (tmp_path / "sender.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("text", [SMALL, SMALL.replace("\n", "\r\n"), SMALL + "102,repo"])
def test_two_lines_of_an_old_trace_are_enough(tmp_path: Path, text: str) -> None:
    trace = written(tmp_path, text)
    found = whole_trace.read([trace])
    assert found.falls().reasons == ["loss"]
    assert found.round_trips()[1].tolist() == [50]


def test_one_line_is_enough(tmp_path: Path) -> None:
    trace = written(tmp_path, "time_s,event,a_s_bps\n5,start,300000\n")
    assert plot(trace, "--out", tmp_path / "call.png") == 0


def test_a_capture_adds_the_rate_of_its_largest_flow(
    tmp_path: Path, write_capture: Callable[..., None]
) -> None:
    rows = [(100 + n / 100, 1, n, 1250) for n in range(100)]
    write_capture(tmp_path / "call.pcap", rows)
    trace = written(tmp_path, SMALL)
    assert ">capture<" in svg(tmp_path / "call.svg", trace, "--pcap", tmp_path / "call.pcap")


MARKED = (
    "time_s,event,a_s_bps,reason,ect1_packets,ce_packets\n"
    "1,report,9,growth,4,0\n2,report,9,growth,4,0\n3,report,8,ecn,7,1\n4,report,7,ecn,7,3\n"
)


def test_marks_have_a_panel_where_there_are_any(tmp_path: Path) -> None:
    shown = svg(tmp_path / "marked.svg", written(tmp_path, MARKED))
    assert ">marked<" in shown
    assert ">fall: ecn<" in shown
    assert ">marked<" not in svg(tmp_path / "call.svg", SENDER, RECEIVER)


# --- what the traces tell ---


def test_marks_are_a_part_of_the_packets_of_each_report(tmp_path: Path) -> None:
    times, percent = whole_trace.read([written(tmp_path, MARKED)]).marks()
    assert (times.tolist(), percent.tolist()) == ([0, 2, 3], [0, 25, 100])


def test_a_trace_without_ecn_has_no_marks() -> None:
    assert not len(whole_trace.read([SENDER]).marks()[0])


def moved(folder: Path, file: Path, by_s: float, first: int = 1) -> Path:
    header, *lines = file.read_text().splitlines()
    parts = (line.split(",", 1) for line in lines[first - 1 :])
    rows = [f"{float(at) + by_s:.6f},{rest}" for at, rest in parts]
    return written(folder, "\n".join([header, *rows, ""]), file.name)


def test_traces_of_one_clock_are_not_moved() -> None:
    assert whole_trace.read([SENDER, RECEIVER]).shift_s == 0


def test_the_receivers_clock_is_moved_to_the_senders(tmp_path: Path) -> None:
    trace = whole_trace.read([SENDER, moved(tmp_path, RECEIVER, 100)])
    assert trace.shift_s == pytest.approx(-100, abs=0.6)
    assert trace.end_s < 14


def test_a_trace_that_began_later_is_not_taken_for_another_clock(tmp_path: Path) -> None:
    late = moved(tmp_path, SENDER, 0, first=150)
    assert whole_trace.read([late, RECEIVER]).shift_s == 0


def test_less_sent_on_reports_is_a_loss_test(tmp_path: Path) -> None:
    lines = "1,report,9,remb,none\n2,report,6,remb,drain\n4,report,9,remb,none\n"
    trace = written(tmp_path, "time_s,event,a_s_bps,feedback,competition\n" + lines)
    ((name, spans),) = whole_trace.read([trace]).lanes()
    assert (name, spans.tolist()) == ("loss test", [[1, 3]])
    trace = written(tmp_path, trace.read_text().replace("remb", "transport-cc"))
    assert [name for name, _ in whole_trace.read([trace]).lanes()] == ["drain"]


def test_a_verdict_is_told_at_the_end_of_a_drain_and_when_it_changes(tmp_path: Path) -> None:
    lines = (
        "1,rate,9,none,none\n2,rate,6,drain,none\n3,rate,9,none,own\n4,rate,6,drain,own\n"
        "5,rate,6,drain,slower-link\n6,rate,9,none,own\n7,rate,6,drain,own\n8,rate,9,none,own\n"
    )
    trace = written(tmp_path, "time_s,event,a_r_bps,competition,verdict\n" + lines)
    found = {name: at.tolist() for name, at in whole_trace.read([trace]).verdicts()}
    assert found == {"own": [2, 5, 7], "slower-link": [4]}


def test_a_trace_without_verdicts_has_none(tmp_path: Path) -> None:
    trace = written(tmp_path, "time_s,event,a_s_bps\n1,start,9\n2,report,9\n")
    assert whole_trace.read([trace]).verdicts() == []


def test_silence_lasts_until_feedback_comes(tmp_path: Path) -> None:
    lines = "1,start,9\n2,silence,9\n5,feedback,9\n6,silence,9\n8,timeout,9\n"
    trace = written(tmp_path, "time_s,event,a_s_bps\n" + lines)
    ((name, spans),) = whole_trace.read([trace]).lanes()
    assert (name, spans.tolist()) == ("no feedback", [[1, 4], [5, 7]])


def test_steps_for_one_reason_are_one_fall() -> None:
    reasons = Words(["growth", "loss", "drain"], np.array([0, 1, 1, 2, 0, 1, 1], np.int16))
    rates = np.array([100.0, 90, 80, 40, 100, 99, np.nan])
    found = falls(np.arange(7.0), rates, reasons, 0.05)
    assert list(zip(found.reasons, found.before, found.after, strict=True)) == [
        ("loss", 100, 80),
        ("drain", 80, 40),
    ]


def test_a_clock_that_is_set_back_stands_still(tmp_path: Path) -> None:
    trace = written(tmp_path, "time_s,event,a_s_bps\n5,start,1\n3,report,2\n6,report,3\n")
    assert trace_table.read(trace, ["a_s_bps"]).time_s.tolist() == [5, 5, 6]


def test_chunks_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trace_table.read(SENDER, ["a_s_bps", "reason", "rtt_ms"])
    monkeypatch.setattr(trace_table, "_CHUNK", 1000)
    parts = trace_table.read(SENDER, ["a_s_bps", "reason", "rtt_ms"])
    for column in ("a_s_bps", "rtt_ms"):
        np.testing.assert_array_equal(parts.number(column), whole.number(column))
    assert parts.word("reason").names == whole.word("reason").names
    assert parts.word("reason").codes.tolist() == whole.word("reason").codes.tolist()


# --- no finer than a picture ---


def test_what_is_finer_than_a_column_is_summed_up() -> None:
    at = np.arange(0, 100, 0.001)
    line = Pixels(0, 100, count=10).line(at, at % 1)
    assert line.least is not None
    assert line.greatest is not None
    assert len(line.at) == 10
    assert line.values == pytest.approx(0.5, abs=0.01)
    assert (line.least.max(), line.greatest.min()) == pytest.approx((0, 1), abs=0.01)


def test_a_column_is_as_dark_as_the_time_that_a_state_takes() -> None:
    at = np.arange(0, 100, 0.01)
    held = (at % 1 < 0.25) & (at < 50)
    row = Pixels(0, 100, count=10, most_spans=10).spans(spans_where(at, held))
    assert row.spans[-1].tolist() == pytest.approx([40, 50])
    assert row.share == pytest.approx(0.25, abs=0.01)


def test_a_long_trace_is_quick(tmp_path: Path) -> None:
    header, *lines = SENDER.read_text().splitlines()
    rest = [line.split(",", 1)[1] for line in lines]
    rows = (f"{100 + n / 20:.6f},{rest[n % len(rest)]}" for n in range(25_000))
    trace = written(tmp_path, "\n".join([header, *rows, ""]))
    begin = time.process_time()
    assert plot(trace, "--out", tmp_path / "call.png") == 0
    # A million lines are forty times as many: this leaves room for a slow machine.
    assert time.process_time() - begin < 5


# --- what is wrong ---


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ':1: expected the header of a trace, time_s,event,..., got ""'),
        ("a,b\n1,2\n", ':1: expected the header of a trace, time_s,event,..., got "a,b"'),
        ("\0\x1b[2J\n", ':1: expected the header of a trace, time_s,event,..., got "??[2J"'),
        ("time_s,event,a_s_bps\n", ": no whole line below its header yet"),
        ("time_s,event,a_s_bps\n1,start,3", ": no whole line below its header yet"),
        (SMALL + "102,report,x,,\n", ':4: expected a number in "a_s_bps", got "x"'),
        (SMALL + "102,report,inf,,\n", ':4: expected a number in "a_s_bps", got "inf"'),
        (SMALL + "102,report,nan,,\n", ':4: expected a number in "a_s_bps", got "nan"'),
        (SMALL + ",report,1,,\n", ':4: expected a number in "time_s", got ""'),
        (SMALL + "102,report,1\n", ":4: expected 5 values, got 3"),
        (SMALL + "102,report,1,,,\n103,\n", ":4: expected 5 values, got 6"),
        (SMALL + "102,report,1,,\n\n", ":5: expected 5 values, got 1"),
        (SMALL + f"102,report,{'9' * 5000},,\n", ":4: expected values, got 5000 letters"),
    ],
)
def test_a_bad_trace_is_one_line_with_file_and_line(
    tmp_path: Path, text: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = written(tmp_path, text)
    assert plot(trace, "--out", tmp_path / "call.png") == 2
    assert capsys.readouterr().err == f"error: {trace}{problem}\n"
    assert not (tmp_path / "call.png").exists()


def test_a_line_is_called_by_its_number_in_a_later_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(trace_table, "_CHUNK", 64)
    trace = written(tmp_path, SMALL + "102,report,1,loss,\n" * 50 + "102,report,1,loss,y\n")
    assert plot(trace, "--out", tmp_path / "call.png") == 2
    assert capsys.readouterr().err == (
        f'error: {trace}:54: expected a number in "rtt_ms", got "y"\n'
    )


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["nowhere.csv"], "nowhere.csv: expected the trace of an element, and there is no file"),
        (["."], ".: expected the trace of an element, and there is no file"),
        ([SENDER, SENDER], f"{SENDER}: expected the receiver's trace beside the sender's"),
        ([SENDER, SENDER, SENDER], "expected one trace or two, got 3"),
        ([SENDER, "--out", "call.gif"], "--out call.gif: expected a name that ends in .png or"),
        ([SENDER, "--out", "no/call.png"], "--out no/call.png: No such file or directory"),
        ([SENDER, "--pcap", "no.pcap"], "cannot read the capture no.pcap: No such file"),
        ([SENDER, "--pcap", SENDER], f"cannot read the capture {SENDER}: it is not one"),
    ],
)
def test_wrong_use_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str | Path],
    problem: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert plot(*words) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"error: {problem}")
    assert error.count("\n") == 1


def test_a_capture_without_rtp_is_told(
    tmp_path: Path, write_capture: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    write_capture(tmp_path / "call.pcap", [])
    assert plot(SENDER, "--pcap", tmp_path / "call.pcap", "--out", tmp_path / "call.png") == 2
    assert "expected RTP over UDP" in capsys.readouterr().err
