"""A call is watched while it runs: the file, what is shown of it, the terminal and the page."""

from __future__ import annotations

import importlib.metadata
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from http.client import HTTPConnection
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from gcc_testbed.cli import main
from gcc_testbed.commands.watch_server import server
from gcc_testbed.measure import follow
from gcc_testbed.measure.follow import Watch
from gcc_testbed.measure.live import Live

RECORDED = Path(__file__).parent / "traces"
HEADER = "time_s,event,a_s_bps,v_bps,reason,path_rtt_ms,rtt_ms"


def live(*lines: str, header: str = HEADER) -> Live:
    made = Live("sender.csv")
    for number, line in enumerate((header, *lines), 1):
        made.feed(line, number)
    return made


# --- lines to what is shown ---


def test_values_have_units() -> None:
    shown = live("5,report,300000,290500,growth,,48.25").shown("")
    assert shown.values == [
        ("A_s", "300 kbit/s"),
        ("v", "290 kbit/s"),
        ("RTT", "48.2 ms"),
        ("reason", "growth"),
    ]
    assert shown.title == "sender.csv, of gccsender, last line 00:00:05.0 UTC"


def test_a_value_holds_until_the_next_one() -> None:
    (rates, _) = live("5,report,3e5,3e5,growth,,", "9,report,4e5,3e5,growth,,").shown("").charts
    (a_s, _) = rates.curves
    assert a_s.points == [(-4, 300), (0, 300), (0, 400), (0, 400)]


def test_a_minute_is_kept_and_what_held_when_it_began() -> None:
    lines = [f"{at},report,{at}000,1,growth,," for at in range(100, 300)]
    (rates, _) = live(*lines).shown("").charts
    points = rates.curves[0].points
    assert (points[0], points[-1]) == ((-60, 239), (0, 299))
    assert len(points) == 2 * 61


def test_a_reason_is_told_with_its_time_and_what_became_of_the_rate() -> None:
    shown = live(
        "1,start,300000,1,start,,",
        "2,report,400000,1,growth,,",
        "3,report,500000,1,growth,,",
        "4.25,report,350000,1,loss,,",
    ).shown("")
    assert shown.reasons == [
        ("00:00:04.2", "loss", "500 kbit/s to 350 kbit/s"),
        ("00:00:02.0", "growth", "300 kbit/s to 500 kbit/s"),
        ("00:00:01.0", "start", "300 kbit/s to 300 kbit/s"),
    ]


def test_a_bad_line_is_told_and_changes_nothing() -> None:
    made = live("1,start,300000,1,start,,")
    before = made.shown("")
    for line in ("", "2,report,x,1,loss,,", "\0,,,,,,", "2,report,1", "inf,report,1,1,loss,,"):
        made.feed(line, 7)
        assert made.shown("").values == before.values
        assert made.shown("").reasons == before.reasons
    assert made.shown("ok").status == (
        'ok; cannot be read: sender.csv:7: expected a number in "time_s", got "inf"'
    )


@pytest.mark.parametrize("back", ["1", "1e300", "-1e300"])
def test_a_clock_that_is_set_begins_another_minute(back: str) -> None:
    made = live("500,start,300000,1,start,,", f"{back},report,200000,1,loss,,")
    (rates, _) = made.shown("").charts
    assert [value for _, value in rates.curves[0].points] == [200, 200]


def test_a_trace_cannot_control_the_terminal() -> None:
    made = live("1,start,300000,1,\x1b[2J\x9b31m" + "x" * 99 + ",,")
    word = dict(made.shown("").values)["reason"]
    assert word == "?[2J?31m" + "x" * 32 + "..."


def test_a_receivers_trace_has_its_own_values() -> None:
    made = Live("receiver.csv")
    for number, line in enumerate((RECORDED / "receiver.csv").read_text().splitlines(), 1):
        made.feed(line, number)
    shown = made.shown("")
    assert [name for name, _ in shown.values][:4] == ["A_r", "R(t)", "m", "gamma"]
    assert shown.charts[1].title == "detector (ms)"


# --- a file that grows ---


def test_a_file_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    trace = tmp_path / "sender.csv"
    watch = Watch(trace)
    assert watch.step(0).status == "the file does not exist yet: waits for it"
    trace.write_text("")
    assert watch.step(1).status == "no line yet: waits for one"
    with trace.open("a") as growing:
        growing.write(HEADER + "\n1,start,300000,1,st")
        growing.flush()
        assert watch.step(2).status == "no line yet: waits for one"
        growing.write("art,,\n")
        growing.flush()
        assert dict(watch.step(3).values)["reason"] == "start"
    assert watch.step(5).status == "follows the file"
    assert watch.step(13).status == "no new line for 10 s"
    watch.close()


@pytest.mark.parametrize("replaced", [True, False])
def test_a_file_that_is_replaced_or_cut_off_begins_again(tmp_path: Path, replaced: bool) -> None:
    trace = tmp_path / "sender.csv"
    trace.write_text(HEADER + "\n1,start,300000,1,start,,\n2,report,200000,1,loss,,\n")
    watch = Watch(trace)
    assert len(watch.step(0).reasons) == 2
    new = tmp_path / "new.csv" if replaced else trace
    new.write_text(HEADER + "\n1,start,500000,1,start,,\n")
    new.rename(trace)
    shown = watch.step(1)
    assert [change for _, _, change in shown.reasons] == ["500 kbit/s to 500 kbit/s"]
    assert shown.status == "follows the file, which has begun again"
    trace.unlink()
    assert watch.step(2).status == "the file does not exist yet: waits for it"
    watch.close()


def test_of_a_long_trace_the_end_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "_TAIL_BYTES", 1000)
    trace = tmp_path / "sender.csv"
    lines = [f"{at},report,{at}000,1,growth,,\n" for at in range(500, 1500)]
    trace.write_text(HEADER + "\n" + "".join(lines))
    watch = Watch(trace)
    shown = watch.step(0)
    assert dict(shown.values)["A_s"] == "1499 kbit/s"
    assert (shown.status, len(shown.charts[0].curves[0].points)) == ("follows the file", 2 * 32)
    with trace.open("a") as growing:
        growing.write("x\n")
    assert f"{trace}:1002: expected 7 values, got 1" in watch.step(1).status
    watch.close()


def test_what_is_no_trace_is_told(tmp_path: Path) -> None:
    trace = tmp_path / "sender.csv"
    trace.write_bytes(b"\x89PNG\r\n\x1a\n")
    assert "expected the header of a trace" in Watch(trace).step(0).status


# --- the terminal ---


@pytest.mark.parametrize(("columns", "rows"), [(110, 40), (40, 10), (250, 80)])
@pytest.mark.parametrize("name", ["sender.csv", "receiver.csv"])
def test_a_screen_has_values_charts_and_reasons(name: str, columns: int, rows: int) -> None:
    terminal = pytest.importorskip("gcc_testbed.report.terminal")
    from rich.console import Console

    watch = Watch(RECORDED / name)
    console = Console(width=columns, height=rows, color_system=None)
    with console.capture() as shown:
        console.print(terminal.render(watch.step(0), columns, rows))
    watch.close()
    lines = shown.get().splitlines()
    assert max(map(len, lines)) <= columns
    for word in ("kbit/s", "-60 s", "last reasons"):
        assert word in shown.get()


def test_a_screen_says_what_is_waited_for(tmp_path: Path) -> None:
    terminal = pytest.importorskip("gcc_testbed.report.terminal")
    from rich.console import Console

    console = Console(width=80, color_system=None)
    with console.capture() as shown:
        console.print(terminal.render(Watch(tmp_path / "[red]x.csv").step(0), 80, 24))
    assert "[red]x.csv" in shown.get().replace("\n", "")
    assert "does not exist yet" in shown.get()


def test_a_library_that_is_missing_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("rich", "plotext"):
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["watch", str(tmp_path / "x.csv")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: Python packages are missing: rich, plotext; install them: ")
    assert error.endswith("[watch]', or use --web\n")
    assert error.count("\n") == 1


def test_a_library_with_other_functions_is_one_line_with_the_version_that_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("plotext")
    found = {"plotext": "6.1.0", "rich": "13.9.4"}
    monkeypatch.setattr(importlib.metadata, "version", found.__getitem__)
    assert main(["watch", str(tmp_path / "x.csv")]) == 2
    error = capsys.readouterr().err
    assert (
        "missing: rich >=14,<16 (13.9.4 is too old), plotext >=5.3,<6 (6.1.0 is too new);" in error
    )
    assert error.count("\n") == 1


def test_what_is_no_terminal_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rich")
    assert main(["watch", str(tmp_path / "x.csv")]) == 2
    assert capsys.readouterr().err == (
        "error: watch needs a terminal; --web shows the same on a page\n"
    )


# --- the page ---


@pytest.fixture
def page(tmp_path: Path) -> Iterator[ThreadingHTTPServer]:
    trace = tmp_path / "sender.csv"
    trace.write_text(HEADER + "\n1,start,300000,1,<script>alert(1)</script>,,\n")
    watch = Watch(trace)
    with server(watch, 0) as found:
        thread = threading.Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        found.shutdown()
        thread.join()
    watch.close()


def get(found: ThreadingHTTPServer, path: str, host: str | None = None) -> tuple[int, str, str]:
    port = int(found.server_address[1])
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body, answer.headers["Content-Security-Policy"]


class Tags(HTMLParser):
    """The tags of a page, and the addresses that they name."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value for name, value in attrs if name in ("src", "href", "action")]


def test_the_page_asks_nobody_else(page: ThreadingHTTPServer) -> None:
    status, body, policy = get(page, "/")
    assert (status, policy.split(";")[0]) == (200, "default-src 'none'")
    tags = Tags()
    tags.feed(body)
    assert tags.addresses == []
    assert tags.tags.count("script") == 1
    # Nothing of a trace becomes markup.
    for sink in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert sink not in body


def test_the_page_follows_the_trace(page: ThreadingHTTPServer, tmp_path: Path) -> None:
    assert dict(json.loads(get(page, "/state")[1])["values"])["A_s"] == "300 kbit/s"
    with (tmp_path / "sender.csv").open("a") as growing:
        growing.write("2,report,400000,1,growth,,\n")
    state = json.loads(get(page, "/state")[1])
    assert dict(state["values"])["A_s"] == "400 kbit/s"
    assert [reason for _, reason, _ in state["reasons"]] == [
        "growth",
        "<script>alert(1)</script>",
    ]


def test_another_site_may_not_read_it(page: ThreadingHTTPServer) -> None:
    for path in ("/", "/state"):
        assert get(page, path, "evil.example")[0] == 403
    for path in ("/../../etc/passwd", "/watch.html", "/state?x"):
        assert get(page, path)[0] == 404


def test_it_listens_on_this_host_alone(page: ThreadingHTTPServer) -> None:
    assert page.server_address[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_one_line(
    page: ThreadingHTTPServer, capsys: pytest.CaptureFixture[str]
) -> None:
    port = str(page.server_address[1])
    assert main(["watch", "x.csv", "--web", port]) == 2
    assert capsys.readouterr().err == f"error: --web {port}: Address already in use\n"


@pytest.mark.parametrize("port", ["x", "-1", "65536"])
def test_a_port_that_is_none_is_one_line(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "x.csv", f"--web={port}"]) == 2
    assert capsys.readouterr().err.startswith(f"error: --web {port}: expected a port, 0 to 65535")


def test_ctrl_c_ends_it_without_a_word(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "gcc_testbed", "watch", "x.csv", "--web", "0"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(RECORDED.parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("http://127.0.0.1:")
        running.send_signal(signal.SIGINT)
        out, error = running.communicate(timeout=60)
    assert (running.returncode, out, error) == (0, "", "")
