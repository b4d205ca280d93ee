"""Files and words that are nothing the testbed can use: a line each, soon, and exit code 2."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gcc_testbed.cli import main

SCENARIO = """
title = "A short one"
duration_s = 5
{more}
[link.forward]
rate_kbps = 1000
[[flow]]
kind = "tcp"
"""
DIGITS = "9" * 5000
A_HUNDRED_THOUSAND = 100_000
# The rate of a trace that changes 200,000 times, up and down.
STEPS = "".join(f"{n * 100 + n % 2}\n" for n in range(1, 200_000))


Said = Callable[..., str]


@pytest.fixture
def said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Said:
    """The one line that a command says of some words, on stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        code = main(list(words))
        out, error = capsys.readouterr()
        assert (code, out) == (2, "")
        assert error.startswith("error: ")
        assert error.count("\n") == 1
        return error

    return run


def scenario(place: Path, more: str = "", change: Callable[[str], str] = str) -> None:
    (place / "s.toml").write_text(change(SCENARIO.format(more=more)))


def flows(count: int, more: str = "") -> Callable[[str], str]:
    return lambda text: text + f'[[flow]]\nkind = "tcp"\n{more}\n' * count


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (
            f"a = {'[' * 5000}{']' * 5000}",
            "s.toml: not TOML: tables or lists in more than 32 level",
        ),
        (f"a = {'[' * 40}{']' * 40}", "s.toml: not TOML: tables or lists in more than 32 levels"),
        (f"{'a.' * 5000}a = 1", "s.toml: not TOML: tables or lists in more than 32 levels"),
        (f"seed = {DIGITS}", "s.toml: not TOML: a number of too many digits"),
        (f"seed = 0x{'F' * 5000}", "s.toml: not TOML: a number of too many digits"),
        ("seed = 9223372036854775807", "s.toml: seed = 9223372036854775807: expected a whole numb"),
        (f"seed = {DIGITS}.5", "s.toml: seed = inf: expected a whole number, at least 0"),
        ('world = "a\\nb\\u0007"', 's.toml: world = "a\\nb\\x07": expected one of virtual, names'),
        (f'world = "{"x" * 5000}"', 's.toml: world = "xxx'),
        (f'"{"k" * 5000}" = 1', "s.toml: unknown key kkk"),
    ],
    ids=lambda value: value[:20],
)
def test_a_scenario_beyond_all_measure_is_one_line(
    tmp_path: Path, said: Said, more: str, line: str
) -> None:
    scenario(tmp_path, more)
    assert said("run", "s.toml", "--check").startswith(f"error: {line}")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (flows(A_HUNDRED_THOUSAND), "s.toml: flow: 100001 entries: expected at most 400"),
        (flows(2, "count = 400"), "s.toml: flow: more than 400 flows: expected fewer"),
        (flows(300, "count = 400"), "s.toml: flow: more than 400 flows: expected fewer"),
        (
            lambda text: text + "[[link.fault]]\n" * A_HUNDRED_THOUSAND,
            "s.toml: link.fault: 100000 entries: expected at most 1000",
        ),
        (
            lambda text: text.replace("1000", f'"{",".join(f"{n}:9" for n in range(200_000))}"'),
            's.toml: link.forward.rate_kbps = "0:9,1:9',
        ),
    ],
    ids=["entries", "two of many", "hundreds of many", "faults", "steps"],
)
def test_more_of_a_thing_than_a_call_can_have_is_one_line(
    tmp_path: Path, said: Said, change: Callable[[str], str], line: str
) -> None:
    scenario(tmp_path, change=change)
    told = said("run", "s.toml", "--check")
    assert told.startswith(f"error: {line}")
    assert len(told) < 500


# (the file, and the reason in the error)
NO_FILES = [
    ("/dev/zero", "it is a device or a pipe, not a file"),
    ("pipe", "it is a device or a pipe, not a file"),
    ("folder", "Is a directory"),
    ("large", "it is larger than 64 MB"),
    ("latin", "it is not text"),
    ("nowhere", "No such file or directory"),
]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "large").open("wb") as file:
        file.truncate(10 << 30)
    (tmp_path / "latin").write_bytes(b"title = \xe9\n")
    return tmp_path


@pytest.mark.parametrize(("file", "reason"), NO_FILES)
def test_what_is_no_file_is_one_line_wherever_it_is_named(
    place: Path, said: Said, file: str, reason: str
) -> None:
    assert said("run", file).startswith(f"error: {file}: {reason}; expected a scenario")
    assert said("sweep", file) == f"error: {file}: {reason}\n"
    assert said("scorecard", "--card", file) == f"error: {file}: {reason}\n"
    assert said("plot", file).startswith(f"error: {file}:")
    scenario(place, change=lambda text: text.replace("1000", f'{{ trace = "{file}" }}'))
    line = f'error: s.toml: link.forward.rate_kbps.trace = "{file}": cannot read it: {reason}\n'
    assert said("run", "s.toml") == line


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (f"{DIGITS}\n", f'line 1 is "{"9" * 40}", not a time in whole ms'),
        ("1\n", "86400000 packets in 86400 s: expected at most 20000000"),
        (
            "".join(f"{n * 100 + n % 2}\n" for n in range(1, 200_000)),
            "1727999 steps of the rate: expected at most 100000",
        ),
    ],
    ids=["digits", "packets", "steps"],
)
def test_a_trace_beyond_all_measure_is_one_line(
    tmp_path: Path, said: Said, content: str, reason: str
) -> None:
    (tmp_path / "trace").write_text(content)
    day = SCENARIO.format(more="").replace("= 5", f"= {20_000 if content is STEPS else 86400}")
    (tmp_path / "s.toml").write_text(day.replace("1000", '{ trace = "trace" }'))
    told = said("run", "s.toml", "--check")
    assert told.startswith('error: s.toml: link.forward.rate_kbps.trace = "trace": ')
    assert reason in told


def test_a_name_that_no_file_can_have_is_one_line(tmp_path: Path, said: Said) -> None:
    scenario(tmp_path, change=lambda text: text.replace("1000", '{ trace = "a\\u0000b" }'))
    told = said("run", "s.toml")
    assert told.endswith('trace = "a\\x00b": cannot read it: no file has such a name\n')


def test_a_pipeline_that_no_shell_would_split_is_one_line(tmp_path: Path, said: Said) -> None:
    launch = 'kind = "launch"\nsender = "videotestsrc \'"\nreceiver = "fakesink"'
    scenario(tmp_path, change=lambda text: text.replace('kind = "tcp"', launch))
    told = said("run", "s.toml", "--check")
    assert told.startswith('error: s.toml: flow[0].sender = "videotestsrc \'": expected a line for')


@pytest.mark.parametrize("text", [DIGITS, "²", "٣", "0", "-1", "1.5", ""])
@pytest.mark.parametrize(
    "words",
    [
        ("sweep", "sweep.toml", "--jobs"),
        ("scorecard", "--seeds"),
        ("scorecard", "--cores"),
        ("stress", "--calls"),
        ("ordinary", "--calls"),
        ("papers", "--jobs"),
        ("faults", "--jobs"),
    ],
)
def test_a_count_that_is_none_is_one_line(
    tmp_path: Path, said: Said, words: tuple[str, ...], text: str
) -> None:
    scenario(tmp_path)
    (tmp_path / "sweep.toml").write_text('scenario = "s.toml"')
    told = said(*words[:-1], f"{words[-1]}={text}")
    assert told.startswith(f"error: {words[-1]} {text}: expected a whole number, from 1 to ")


def test_a_port_of_many_digits_is_one_line(said: Said) -> None:
    told = said("watch", "trace.csv", "--web", DIGITS)
    assert "expected a port, 0 to 65535" in told


def test_a_grid_that_would_fill_the_memory_is_one_line(tmp_path: Path, said: Said) -> None:
    scenario(tmp_path)
    keys = "".join(f'"flow[0].k{n}" = {list(range(50))}\n' for n in range(12))
    (tmp_path / "sweep.toml").write_text(f'scenario = "s.toml"\n[grid]\n{keys}')
    told = said("sweep", "sweep.toml", "--dry-run")
    assert told == f"error: sweep.toml: grid: {50**12} points are more than 100000\n"


def test_a_record_of_a_call_that_is_none_is_one_line(tmp_path: Path, said: Said) -> None:
    for content in ("[" * 100_000, '{"scenario": ' + "9" * 5000 + "}", "[]", "\0"):
        (tmp_path / "call.json").write_text(content)
        told = said("report", ".")
        assert told == "error: .: its call.json is not one of this testbed's version\n"
