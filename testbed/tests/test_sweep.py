"""Sweeps: from a TOML file to a list of calls, and these run, killed, continued and gathered."""

import csv
import importlib.util
import json
import os
import shlex
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from gcc_testbed.scenario import scenario_file
from gcc_testbed.scenario.sequence import stand_in
from gcc_testbed.studies.sweeps import directory, results, runner, sweep_file
from gcc_testbed.support.errors import TestbedError

TESTBED = Path(__file__).resolve().parent.parent

SCENARIO = """
title = "test"
duration_s = 30
[link]
one_way_delay_ms = 25
[link.forward]
rate_kbps = 1000
queue = { kind = "droptail", bytes = 30000 }
[[flow]]
kind = "gcc"
name = "gcc"
"""

SWEEP = """
scenario = "scenario.toml"
repeats = 2
[grid]
"link.forward.queue.bytes" = [15000, 30000]
"flow[0].profile" = ["rtcweb-2013", "goog-2020"]
"""

# Stands for the testbed: `run SCENARIO --out DIR --seed N --set ...`. It writes down that it was
# called, fails for the words in FAIL, and takes SLOW seconds.
STUB = """
import json, os, pathlib, sys, time
words = sys.argv[1:]
out, seed = pathlib.Path(words[3]), int(words[5])
with open(os.environ["CALLS"], "a") as calls:
    calls.write(" ".join(words) + "\\n")
time.sleep(float(os.environ.get("SLOW", "0")))
if os.environ.get("FAIL", "nothing fails") in " ".join(words):
    print("error: no such luck", file=sys.stderr)
    sys.exit(2)
flow = {"name": "gcc", "kind": "gcc", "received_kbps": 900 + seed, "utilisation": 0.9,
        "loss_ratio": None, "one_way_queueing_ms": {"p95": 40.0}}
assert out.is_dir()
metrics = {"seed": seed, "flows": [flow], "fairness": {"jain": None}}
(out / "metrics.json").write_text(json.dumps(metrics))
"""

# The sweep's command, on a machine that has not got the module named in WITHOUT.
COMMAND = """
import os, sys
sys.modules |= dict.fromkeys(os.environ.get("WITHOUT", "").split())
from gcc_testbed.commands.sweep import main
sys.exit(main())
"""

CLUSTER = "snakemake_executor_plugin_cluster_generic"

needs_snakemake = pytest.mark.skipif(
    importlib.util.find_spec("snakemake") is None,
    reason="snakemake is not installed: examples/scorecard.sh --dry-run",
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    (tmp_path / "sweep.toml").write_text(SWEEP)
    (tmp_path / "stub.py").write_text(STUB)
    (tmp_path / "calls").touch()
    return tmp_path


def loads(place: Path, text: str) -> sweep_file.Plan:
    (place / "sweep.toml").write_text(textwrap.dedent(text))
    return sweep_file.load(place / "sweep.toml")


def start(place: Path, *words: str, out: str = "out", **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(sys.executable, "-c", COMMAND, "sweep.toml", "--out", out, *words),
        ],
        cwd=place,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={
            **os.environ,
            "PYTHONPATH": str(TESTBED),
            "GCC_TESTBED_COMMAND": f"{sys.executable} {place / 'stub.py'}",
            "CALLS": str(place / "calls"),
            **environment,
        },
    )


def run(
    place: Path, *words: str, out: str = "out", **environment: str
) -> subprocess.CompletedProcess[str]:
    child = start(place, *words, out=out, **environment)
    stdout, stderr = child.communicate(timeout=120)
    return subprocess.CompletedProcess(child.args, child.returncode, stdout, stderr)


def calls(place: Path) -> list[str]:
    return (place / "calls").read_text().splitlines()


def rows(place: Path) -> list[dict[str, str]]:
    with (place / "out" / "results.csv").open(newline="") as content:
        return list(csv.DictReader(content))


# The plan.


def test_a_grid_is_every_combination_with_every_seed(place: Path) -> None:
    plan = sweep_file.load(place / "sweep.toml")
    assert len(plan.runs) == 2 * 2 * 2
    assert [run.seed for run in plan.runs[:3]] == [1, 2, 1]
    assert plan.runs[-1].settings == {
        "link.forward.queue.bytes": 30000,
        "flow[0].profile": "goog-2020",
    }
    assert plan.runs[-1].directory == "runs/queue.bytes-30000+profile-goog-2020/seed-2"


def test_cases_are_a_list_and_a_grid_multiplies_them(place: Path) -> None:
    plan = loads(
        place,
        """
        scenario = "scenario.toml"
        [set]
        duration_s = 10
        [grid]
        "link.forward.rate_kbps" = [500, "0:500,5:1000"]
        [[case]]
        name = "short queue"
        "link.forward.queue" = { kind = "droptail", ms = 50 }
        [[case]]
        "flow[0].profile" = "goog-2020"
        """,
    )
    assert list(plan.points()) == [
        "short-queue+rate_kbps-500",
        "short-queue+rate_kbps-0-500-5-1000",
        "profile-goog-2020+rate_kbps-500",
        "profile-goog-2020+rate_kbps-0-500-5-1000",
    ]
    assert all(run.settings["duration_s"] == 10 for run in plan.runs)
    assert "duration_s" not in plan.runs[0].keys


def test_cases_may_have_scenarios_of_their_own(place: Path) -> None:
    (place / "other.toml").write_text(SCENARIO)
    plan = loads(place, '[[case]]\nscenario = "scenario.toml"\n[[case]]\nscenario = "other.toml"')
    assert list(plan.points()) == ["scenario", "other"]
    assert [file.name for file in plan.scenarios()] == ["scenario.toml", "other.toml"]


def test_a_sweep_that_extends_another_takes_what_it_does_not_say_itself(place: Path) -> None:
    (place / "first.toml").write_text(f"title = 'first'\n{SWEEP}[set]\nduration_s = 10\n")
    plan = loads(
        place,
        """
        extends = "first.toml"
        repeats = 1
        [set]
        "link.loss_percent" = 1
        """,
    )
    first = sweep_file.load(place / "first.toml")
    assert plan.title == "sweep"
    assert list(plan.points()) == list(first.points())
    assert [run.seed for run in plan.runs] == [1, 1, 1, 1]
    for run, its in zip(plan.runs, first.runs[::2], strict=True):
        assert run.settings == {**its.settings, "link.loss_percent": 1}


def test_a_sweep_extends_one_that_is_whole_and_beside_it(place: Path) -> None:
    (place / "first.toml").write_text('extends = "sweep.toml"')
    with pytest.raises(TestbedError, match="that sweep extends another one"):
        loads(place, 'extends = "first.toml"')
    with pytest.raises(TestbedError, match="expected the name of a sweep file beside this one"):
        loads(place, 'extends = "../first.toml"')
    with pytest.raises(TestbedError, match="none.toml: No such file"):
        loads(place, 'extends = "none.toml"')


def test_points_whose_names_would_be_one_are_told_apart(place: Path) -> None:
    plan = loads(
        place,
        """
        scenario = "scenario.toml"
        [grid]
        title = ["a b", "a,b", "A-B"]
        """,
    )
    assert len({name.lower() for name in plan.points()}) == 3


def test_a_long_point_has_a_name_that_fits_a_file_system(place: Path) -> None:
    plan = loads(place, f'scenario = "scenario.toml"\n[grid]\ntitle = ["{"x" * 400}", "y"]')
    assert max(map(len, plan.points())) <= 120


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1000, "k=1000"),
        (0.5, "k=0.5"),
        (True, "k=true"),
        ("0:1000,40:2500", "k=0:1000,40:2500"),
        ([[40, 60]], "k=[[40, 60]]"),
        ({"kind": "pie", "cpu-used": -6}, 'k={ kind = "pie", cpu-used = -6 }'),
    ],
)
def test_a_setting_is_written_as_run_reads_it(value: object, text: str) -> None:
    assert sweep_file.option("k", value) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[grid", "not TOML: Expected ']'"),
        ("repeat = 3", "repeat: unknown key; expected one of title, extends, scenario"),
        ("repeats = 0", "repeats = 0: expected a whole number, from 1 to 1000"),
        ("[grid]\nduration_s = 5", "grid: duration_s = 5: expected a list of values"),
        ("[grid]\nduration_s = []", "grid: duration_s = []: expected a list of values"),
        ("[grid]\nduration_s = [5, 5]", "grid: duration_s: the same value twice"),
        ("[grid]\nseed = [1, 2]", "grid: seed: the seeds are 1 to repeats; set repeats instead"),
        ('[grid]\n"link forward" = [1]', "grid: link forward: expected a scenario key such as"),
        ("[grid]\nlink.one_way_delay_ms = [1]", "grid: link: expected the key in quotes"),
        ("[case]\nduration_s = 5", "case: expected one or more [[case]] tables"),
        ("[[case]]\nname = 5", "case[0]: name = 5: expected text"),
        ("[[case]]\n[[case]]", "case: the same point twice: call"),
        ('scenario = "none.toml"', "scenario = 'none.toml': no such file"),
        ("repeats = 1", "scenario = None: expected the name of a scenario file"),
    ],
)
def test_a_wrong_sweep_is_one_line_with_its_file(place: Path, text: str, message: str) -> None:
    if "scenario =" not in text and "scenario = None" not in message:
        text = f'scenario = "scenario.toml"\n{text}'
    with pytest.raises(TestbedError) as problem:
        loads(place, text)
    said = str(problem.value)
    assert said.startswith(f"{place / 'sweep.toml'}: {message}")
    assert "\n" not in said


def test_a_key_that_no_scenario_has_is_found_before_any_call(place: Path) -> None:
    (place / "sweep.toml").write_text(
        'scenario = "scenario.toml"\n[grid]\n"link.forward.rate" = [500]\n'
    )
    done = run(place)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: sweep.toml: rate-500: ")
    assert "link.forward.rate" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (place / "out").exists()


def test_a_dry_run_lists_the_calls_and_makes_none(place: Path) -> None:
    done = run(place, "--dry-run")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "4 points, 8 calls"
    assert "--seed 2 --set link.forward.queue.bytes=15000" in done.stdout
    assert calls(place) == []
    assert not (place / "out").exists()


def test_a_directory_of_something_else_is_left_alone(place: Path) -> None:
    (place / "out").mkdir()
    (place / "out" / "thesis.tex").write_text("years of work")
    done = run(place)
    assert done.returncode == 2
    assert done.stderr.startswith("error: --out out: it holds something other than a sweep")


def test_without_snakemake_the_way_to_install_it_is_told(place: Path) -> None:
    done = run(place, WITHOUT="snakemake")
    assert done.returncode == 2
    assert done.stderr.startswith("error: Snakemake is missing; install it: ")
    assert done.stderr.endswith("/examples/scorecard.sh --dry-run\n")
    assert not (place / "out").exists()


def test_the_users_words_decide_where_calls_run() -> None:
    here = runner.snakemake(None, Path("out"), [])
    assert "--cores" in here
    assert "--jobs" not in here
    elsewhere = runner.snakemake(None, Path("out"), ["--executor", "slurm", "--jobs", "100"])
    assert "--cores" not in elsewhere
    assert elsewhere[-4:] == ["--executor", "slurm", "--jobs", "100"]


def test_a_scenarios_own_video_is_found_from_elsewhere(place: Path) -> None:
    (place / "scenario.toml").write_text(SCENARIO + 'sequence = "film.y4m"\n')
    for one in loads(place, 'scenario = "scenario.toml"').runs:
        assert directory.settings(one) == ["--set", f"flow[0].sequence={place / 'film.y4m'}"]


@pytest.mark.parametrize(
    "keys",
    [
        "",
        '"link.forward.rate_kbps" = { trace = "traces/other" }',
        '"link.forward.rate_kbps.trace" = "traces/other"',
        '"link.backward" = { rate_kbps = { trace = "traces/other" } }',
        '"flow[0]" = { kind = "gcc", name = "gcc", sequence = "film.y4m" }',
        '"link.recording" = "path.csv"',
    ],
    ids=["scenario", "rate", "trace", "link", "flow", "recording"],
)
def test_a_call_reads_the_very_files_that_its_sweep_has_checked(place: Path, keys: str) -> None:
    (place / "traces").mkdir()
    (place / "film.y4m").touch()
    (place / "path.csv").write_text("time_s,kbps,delay_ms,loss_percent\n0,,5,\n")
    for name, times in (("lte", "5\n10\n"), ("other", "5\n")):
        (place / "traces" / name).write_text(times)
    (place / "scenario.toml").write_text(
        SCENARIO.replace("rate_kbps = 1000", 'rate_kbps = { trace = "traces/lte" }')
    )
    plan = loads(place, f'scenario = "scenario.toml"\n[set]\n{keys}\n')
    (one,) = plan.runs
    checked = scenario_file.load(
        one.scenario, tuple(sweep_file.option(key, value) for key, value in one.settings.items())
    )
    (place / "out").mkdir()
    directory.write(plan, place / "out")
    (written,) = json.loads((place / "out" / "plan.json").read_text())["runs"]
    changes = tuple(word for word in shlex.split(written["options"]) if word != "--set")
    assert scenario_file.load(place / "out" / written["scenario"], changes) == checked


def test_a_trace_with_an_absolute_path_changes_no_option_of_a_call(place: Path) -> None:
    """A sweep that is half made goes on: its calls are known by their options."""
    (place / "lte").write_text("5\n")
    plan = loads(
        place,
        f"""
        scenario = "scenario.toml"
        [set]
        "link.forward.rate_kbps" = {{ trace = "{place}/lte" }}
        """,
    )
    for one in plan.runs:
        assert directory.settings(one) == [
            *("--set", f'link.forward.rate_kbps={{ trace = "{place}/lte" }}')
        ]


def test_measures_become_columns() -> None:
    measured = {"a": {"b": 1}, "flows": [{"n": None}, {"n": 2}], "list": [1, 2]}
    assert results.flatten(measured) == {
        "a.b": 1,
        "flows[0].n": None,
        "flows[1].n": 2,
        "list": "[1, 2]",
    }


@pytest.mark.parametrize(("source", "count"), [("vp8", 0), ("model", 1), ("vp8+model", 1)])
def test_calls_without_video_are_counted(place: Path, source: str, count: int) -> None:
    plan = loads(place, 'scenario = "scenario.toml"\n[grid]\nduration_s = [10, 20]')
    run = place / "out" / plan.runs[0].directory
    run.mkdir(parents=True)
    (run / "metrics.json").write_text(json.dumps({"source": source}))
    gathered = results.gather(plan, place / "out")
    assert (gathered.done, results.modelled(gathered)) == (1, count)


@pytest.mark.parametrize(("name", "count"), [("foreman", 0), (stand_in("foreman"), 1)])
def test_calls_with_a_generated_video_are_counted(place: Path, name: str, count: int) -> None:
    plan = loads(place, 'scenario = "scenario.toml"')
    run = place / "out" / plan.runs[0].directory
    run.mkdir(parents=True)
    (run / "metrics.json").write_text(json.dumps({"sequence": {"name": name}}))
    assert results.stood_in(results.gather(plan, place / "out").metrics) == count


def test_what_is_left_is_told_by_the_encoders_too(place: Path) -> None:
    tcp = SCENARIO.replace('kind = "gcc"', 'kind = "tcp"').replace('"gcc"', '"tcp"')
    (place / "two.toml").write_text(SCENARIO + SCENARIO[SCENARIO.index("[[flow]]") :])
    (place / "tcp.toml").write_text(SCENARIO + tcp[tcp.index("[[flow]]") :])
    cases = "".join(f'[[case]]\nscenario = "{name}.toml"\n' for name in ("scenario", "two", "tcp"))
    plan = loads(place, cases)
    assert [directory.effort(run) for run in plan.runs] == [30 * 2, 30 * 3, 30 * 2]


# With Snakemake.


@needs_snakemake
def test_every_call_is_made_once_and_has_its_row(place: Path) -> None:
    done = run(place, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert len(calls(place)) == 8
    found = rows(place)
    assert [row["state"] for row in found] == ["done"] * 8
    assert found[1]["set flow[0].profile"] == "rtcweb-2013"
    assert (found[1]["seed"], found[1]["flows[0].received_kbps"]) == ("2", "902")
    assert "queue.bytes-15000+profile-rtcweb-2013    2/2   902 ± 1" in done.stdout

    again = run(place)
    assert again.returncode == 0
    assert "8 of them already made" in again.stderr
    assert len(calls(place)) == 8


# Each would be something else in a shell, or in Snakemake's own patterns.
NOT_FOR_A_SHELL = (
    "$(touch owned).toml",
    "my call.toml",
    "`touch owned`;touch owned&.toml",
    'it\'s {point} "here".toml',
    "-rf *.toml",
    "two\nlines.toml",
)


@needs_snakemake
@pytest.mark.parametrize(
    ("executor", "out"),
    [
        ("local", 'it\'s $(touch owned) {point} "out"'),
        # The executor itself gives a shell the directory, in double quotes.
        ("cluster-generic", "it's my out"),
    ],
)
def test_no_name_of_a_file_is_run_by_a_shell_or_split_into_words(
    place: Path, executor: str, out: str
) -> None:
    if executor != "local" and importlib.util.find_spec(CLUSTER) is None:
        pytest.skip(f"{CLUSTER} is not installed")
    cases = ""
    for name in NOT_FOR_A_SHELL:
        (place / name).write_text(SCENARIO)
        cases += f"[[case]]\nscenario = {json.dumps(name)}\n"
    (place / "sweep.toml").write_text(
        f"""[grid]\ntitle = ["$(touch owned)", "a 'b' {{c}}"]\n{cases}"""
    )
    done = run(place, *elsewhere(place, executor), out=out)
    assert done.returncode == 0, done.stdout + done.stderr
    made = [line.split(" --seed ") for line in calls(place)]
    assert len({words.split()[1] for words, _ in made}) == len(NOT_FOR_A_SHELL)
    for title in ("$(touch owned)", "a 'b' {c}"):
        named = [rest for _, rest in made if rest == f"1 --set title={title}"]
        assert len(named) == len(NOT_FOR_A_SHELL)
    assert list(place.rglob("owned")) == []


def test_an_ordinary_name_of_a_scenario_stays_that_of_its_copy(place: Path) -> None:
    plan = loads(place, 'scenario = "scenario.toml"')
    (place / "out").mkdir()
    directory.write(plan, place / "out")
    assert [file.name for file in (place / "out" / "scenarios").iterdir()] == ["scenario.toml"]


@needs_snakemake
def test_a_failed_call_keeps_its_log_and_does_not_lose_the_others(place: Path) -> None:
    done = run(place, FAIL="bytes=15000 --set flow[0].profile=goog-2020")
    assert done.returncode == 1
    assert [row["state"] for row in rows(place)].count("done") == 6
    assert "failed: queue.bytes-15000+profile-goog-2020 seed 1: no such luck" in done.stdout
    log = place / "out" / "logs" / "queue.bytes-15000+profile-goog-2020" / "seed-1.log"
    assert "no such luck" in log.read_text()

    again = run(place)
    assert again.returncode == 0
    assert len(calls(place)) == 8 + 2


@needs_snakemake
def test_what_a_change_does_not_touch_is_not_made_again(place: Path) -> None:
    assert run(place).returncode == 0
    (place / "sweep.toml").write_text(SWEEP.replace("[15000, 30000]", "[15000, 60000]"))
    assert run(place).returncode == 0
    assert len(calls(place)) == 8 + 4
    # Another scenario: all of it.
    (place / "scenario.toml").write_text(SCENARIO.replace("= 25", "= 50"))
    assert run(place).returncode == 0
    assert len(calls(place)) == 8 + 4 + 8


@needs_snakemake
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_sweep_that_is_killed_leaves_nothing_behind_and_goes_on(
    place: Path, number: signal.Signals
) -> None:
    child = start(place, "--jobs", "1", SLOW="1.5")
    wait_for(lambda: len(made(place)) >= 1 and len(calls(place)) >= 2)
    child.send_signal(number)
    child.communicate(timeout=60)
    wait_for(lambda: not processes(place))
    before = len(made(place))
    assert 1 <= before < 8
    if number != signal.SIGKILL:
        assert child.returncode == 130
        assert [row["state"] for row in rows(place)].count("done") == before

    done = run(place)
    assert done.returncode == 0, done.stderr
    assert f"{before} of them already made" in done.stderr
    assert len(calls(place)) == 8 + 1


@needs_snakemake
def test_two_sweeps_do_not_work_in_one_directory(place: Path) -> None:
    first = start(place, "--jobs", "1", SLOW="2")
    wait_for(lambda: len(calls(place)) >= 1)
    second = run(place)
    assert second.returncode == 2
    assert second.stderr.startswith(
        f"error: --out out: another run is at work there: process {first.pid} on "
    )
    assert second.stderr.count("\n") == 1
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=60)


@needs_snakemake
@pytest.mark.skipif(importlib.util.find_spec(CLUSTER) is None, reason=f"{CLUSTER} is not installed")
def test_a_second_executor_makes_the_same_calls(place: Path) -> None:
    (place / "sweep.toml").write_text(SWEEP.replace("repeats = 2", ""))
    done = run(place, *elsewhere(place, "cluster-generic"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert [row["state"] for row in rows(place)] == ["done"] * 4


def elsewhere(place: Path, executor: str) -> list[str]:
    """The words for Snakemake by which another executor makes the calls."""
    if executor == "local":
        return []
    submit = place / "submit.sh"
    submit.write_text('#!/bin/sh\nsetsid "$1" >/dev/null 2>&1 </dev/null &\necho $!\n')
    submit.chmod(0o755)
    words = ["--", "--executor", executor, "--jobs", "4"]
    words += ["--seconds-between-status-checks", "1"]
    return [*words, "--cluster-generic-submit-cmd", str(submit)]


def made(place: Path) -> list[Path]:
    return list((place / "out").glob("runs/*/*/metrics.json"))


def wait_for(happens: object) -> None:
    assert callable(happens)
    deadline = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def processes(place: Path) -> list[str]:
    """The processes of a sweep that still run: its Snakemake and its stubs."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if str(place / "stub.py") in words or (str(place) in words and "snakemake" in words):
            found.append(words)
    return found


def test_a_plan_stands_for_itself(place: Path) -> None:
    (place / "out").mkdir()
    directory.write(sweep_file.load(place / "sweep.toml"), place / "out")
    written = json.loads((place / "out" / "plan.json").read_text())
    assert len(written["runs"]) == 8
    assert written["runs"][0]["scenario"] == "scenarios/scenario.toml"
    assert (place / "out" / "scenarios" / "scenario.toml").read_text() == SCENARIO
