"""Every published line is run as it stands, and docs/compatibility.md has what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from gcc_testbed.measure import traces
from published import blocks, lines, page, results, words
from published import call as calls
from published.blocks import Block
from published.call import Reached
from published.lines import Call
from published.results import Result

BLOCKS = blocks.published()
CALLS = lines.calls(BLOCKS)
GOOD = Reached(
    target_after_s=0.5,
    arrived_after_s=2.5,
    target=0.95,
    arrived=0.95,
    feedback="transport-cc",
    probes=3,
    probe_results=3,
)
BY_NAME = {block.name: block for block in BLOCKS}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[Result]]]:
    started = results.start(CALLS, tmp_path_factory.mktemp("published"))
    yield started
    for waiting in started.values():
        waiting.cancel()


@pytest.mark.virtual
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.title)
def test_the_line_keeps_what_it_promises(call: Call, made: dict[str, Future[Result]]) -> None:
    assert made[call.digest].result().problems() == []


@pytest.mark.virtual
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.title)
def test_the_page_tells_of_that_line(call: Call, made: dict[str, Future[Result]]) -> None:
    (kept,) = (result for result in results.load()[1] if result.title == call.title)
    now = made[call.digest].result()
    # Another version of GStreamer has other rates.
    assert kept.digest == now.digest, "run tests/published_lines.py"
    assert kept.problems() == now.problems()
    assert {end: each.feedback for end, each in kept.reached.items()} == {
        end: each.feedback for end, each in now.reached.items()
    }


@pytest.mark.virtual
def test_what_is_lost_is_sent_again(tmp_path: Path) -> None:
    call = next(call for call in CALLS if "rtprtxsend" in call.words_a)
    calls.make(call.commands(), tmp_path / "call", loss_percent=3.0)
    _, sent_again = traces.read(tmp_path / "call" / "a.csv").points("rtx")
    # Without loss there are none.
    assert sent_again[-1] > 0
    assert calls.warnings(tmp_path / "call") == []


def test_every_line_has_packets_that_fit_a_tunnel() -> None:
    payloaders = [
        following
        for call in CALLS
        for words_of_end in (call.words_a, call.words_b)
        for word, following in pairwise(words_of_end)
        if re.fullmatch(r"rtp(vp8|vp9|h264|h265|av1)pay", word)
    ]
    assert len(payloaders) >= len(CALLS)
    assert set(payloaders) == {"mtu=1200"}


def test_every_line_has_a_result() -> None:
    _, kept = results.load()
    assert [result.title for result in kept] == [call.title for call in CALLS]


def test_every_block_with_a_pipeline_is_in_a_call_or_known_to_be_none() -> None:
    assert lines.unclassified(BLOCKS, CALLS) == []
    assert set(lines.NO_CALL) <= set(BY_NAME)
    assert set(lines.PARTNERS) | set(lines.PARTNERS.values()) <= set(BY_NAME)


@pytest.mark.parametrize("same", lines.SAME, ids=lambda same: same[0])
def test_one_pipeline_is_the_same_wherever_it_stands(same: tuple[str, ...]) -> None:
    first, *others = (words.normalised(words.taken_apart(BY_NAME[name])) for name in same)
    for other in others:
        assert other == first


def test_every_script_to_copy_is_run() -> None:
    assert {block.document for block in BLOCKS if block.document in words.ARGUMENTS} == set(
        words.ARGUMENTS
    )


# --- what is done with a text ---


def of_text(text: str, document: str = "README.md") -> list[Block]:
    return blocks.of_document(document, text, blocks.of_markdown)


def test_a_quoted_block_is_found_and_a_block_without_a_pipeline_is_not() -> None:
    text = "## One\n> ```\n> gst-launch-1.0 a ! b\n> ```\n\n## Two\n```sh\n./tests/run.sh\n```\n"
    (found,) = of_text(text)
    assert found == Block("README.md", 1, "gst-launch-1.0 a ! b\n", "One")


def test_a_pipeline_is_found_without_the_command() -> None:
    assert len(of_text("```toml\nsender = 'videotestsrc ! fakesink'\n```\n")) == 1


def test_a_new_block_is_not_overlooked() -> None:
    new = of_text("```\ngst-launch-1.0 videotestsrc ! autovideosink\n```\n", "docs/new.md")
    assert lines.unclassified([*BLOCKS, *new], lines.calls([*BLOCKS, *new])) == ["docs/new.md 1"]


def test_a_sender_without_a_receiver_is_refused() -> None:
    new = of_text("```\ngst-launch-1.0 v4l2src ! gccsender ! fakesink\n```\n", "docs/new.md")
    with pytest.raises(ValueError, match="no line follows that receives"):
        lines.calls(new)


@pytest.mark.parametrize(
    "code",
    [
        "touch gst-launch-1.0 && gst-launch-1.0 a ! b",
        "gst-launch-1.0 a ! b\ngst-launch-1.0 c ! d",
        "# gst-launch-1.0 a ! b",
        "gst-launch-1.0 (a ! b",
    ],
)
def test_a_block_that_is_not_one_command_is_refused(code: str) -> None:
    (block,) = of_text(f"```\n{code}\n```\n", "docs/new.md")
    with pytest.raises(ValueError, match="expected one command"):
        words.taken_apart(block)


def test_a_shell_takes_the_line_apart() -> None:
    code = "A=b\ngst-launch-1.0 caps=\"x/y,$A\" \\\n  ! 'c d'\n"
    assert words.taken_apart(Block("README.md", 1, code)) == [
        *("gst-launch-1.0", "caps=x/y,b", "!", "c d"),
    ]


def test_nothing_is_replaced_but_what_the_table_has() -> None:
    typed = ["gst-launch-1.0", "v4l2src", "!", "gccsender", "name=v4l2src", "host=PEER"]
    assert words.as_run(typed, "b") == [
        "gst-launch-1.0",
        *words.REPLACED["v4l2src"].split(),
        *("!", "gccsender", "trace-location=/run/call/b.csv", "name=v4l2src", "host=10.0.1.2"),
    ]


# --- what is said of a call ---


@pytest.mark.parametrize(
    ("reached", "problem"),
    [
        (replace(GOOD, target_after_s=None), "A_s is not 0.9 of the link within 5 s"),
        (replace(GOOD, target_after_s=5.1), "A_s is not 0.9 of the link within 5 s"),
        (replace(GOOD, arrived_after_s=5.1), "what arrives is not 0.9 of the link within 5 s"),
        (replace(GOOD, feedback="remb"), "the feedback is remb, not transport-cc"),
        (replace(GOOD, probe_results=0), "no probe has a result"),
    ],
)
def test_a_line_that_does_not_reach_its_goal_is_told(reached: Reached, problem: str) -> None:
    assert GOOD.problems(says_transport_cc=True) == []
    assert reached.problems(says_transport_cc=True) == [problem]


def test_a_line_that_asks_for_no_transport_cc_needs_no_probe() -> None:
    assert replace(GOOD, feedback="remb", probe_results=0).problems(says_transport_cc=False) == []


def test_a_warning_is_a_problem() -> None:
    result = Result("line", "0", True, {"a": GOOD}, ("WARNING: from element",))
    assert result.problems() == ["WARNING: from element"]
    written = page.text("GStreamer", [result])
    assert "0 of 1 calls" in written
    assert "* line: WARNING: from element\n" in written


def test_the_page_names_the_worst_line_of_each_measure() -> None:
    never = replace(GOOD, target_after_s=None, arrived=0.5)
    results_ = [Result(name, "0", True, {"a": GOOD}, ()) for name in ("one", "two")]
    written = page.text("GStreamer", [*results_, Result("slow", "0", True, {"a": never}, ())])
    assert "| A_s is 0.9 after, s | 0.5 | 0.5 | **not**: slow |" in written
    assert "| arrives at the end | 0.95 | 0.95 | 0.50: slow |" in written


def test_warnings_are_read_from_both_ends(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "sender-a.log").write_text("Setting pipeline\nWARNING: from a\n")
    (tmp_path / "logs" / "receiver-b.log").write_text("(x:1): GLib-CRITICAL **: b\n")
    assert calls.warnings(tmp_path) == ["WARNING: from a", "(x:1): GLib-CRITICAL **: b"]
