"""The script that runs inside a world."""

import subprocess
from pathlib import Path

import pytest

from gcc_testbed.experiment import Experiment
from gcc_testbed.scenario import Scenario
from gcc_testbed.sequences import Sequence


@pytest.fixture
def experiment(scenario: Scenario, sequence: Sequence, tmp_path: Path) -> Experiment:
    run = tmp_path / "a run"
    run.mkdir()
    return Experiment(scenario, (sequence,), run)


def test_the_script_is_valid_bash_even_with_spaces_in_paths(experiment: Experiment) -> None:
    script = experiment.script({"GST_PLUGIN_PATH": "/some where/else"})
    checked = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_what_listens_is_started_before_what_sends(experiment: Experiment) -> None:
    script = experiment.script({})
    positions = [
        script.index(f"in_host {words}")
        for words in ("a capture-a", "b capture-b", "b receiver-gcc-1", "a sender-gcc-1")
    ]
    assert positions == sorted(positions)


def test_the_link_changes_at_its_time_and_says_so(experiment: Experiment) -> None:
    (line,) = [line for line in experiment.script({}).splitlines() if "qdisc change" in line]
    assert line.startswith("sleep_until_us 4000000; tc ")
    assert "&& link_rate 500 " in line


def test_each_process_has_random_numbers_of_its_own(experiment: Experiment) -> None:
    experiment.write_seeds()
    seeds = [file.read_bytes() for file in (experiment.run / "seeds").iterdir()]
    assert len(seeds) == len(set(seeds)) == 4


def test_the_same_seed_gives_the_same_random_numbers(
    scenario: Scenario, sequence: Sequence, tmp_path: Path
) -> None:
    contents = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        Experiment(scenario, (sequence,), tmp_path / name).write_seeds()
        contents.append((tmp_path / name / "seeds" / "sender-gcc-1").read_bytes())
    assert contents[0] == contents[1]
