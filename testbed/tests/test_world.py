"""The needs of a call, and the files that a failed call leaves."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gcc_testbed.commands import make_call
from gcc_testbed.run import plugin, world
from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.scenario import Scenario
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import PLUGIN


def test_a_model_that_is_not_built_is_missed_before_the_call(
    scenario: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_call, "MODEL_PLUGIN", tmp_path / "model.so")
    make_call._check_model(scenario)
    with pytest.raises(TestbedError, match="no traffic model in .*; build the project with"):
        make_call._check_model(replace(scenario, flows=(GccFlow(source="model"),)))


def test_two_checkouts_load_a_plugin_each_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    registries = []
    for name in ("one", "other"):
        copy = tmp_path / name / "plugin"
        shutil.copytree(PLUGIN, copy, ignore=shutil.ignore_patterns("*.p"))
        (tmp_path / name / "gst").symlink_to(PLUGIN.parent / "gst")
        monkeypatch.setattr(plugin, "PLUGIN", copy)
        registries.append((copy, plugin.registry()))
    for copy, registry in registries:
        assert str(copy).encode() in registry.read_bytes()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "run" / "logs").mkdir(parents=True)
    (tmp_path / "run" / "logs" / "sender.log").write_text("no such element")
    return tmp_path / "run"


def test_the_logs_of_the_last_failure_replace_those_before(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GCC_TESTBED_FAILED_LOGS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    kept = tmp_path / "cache" / "gcc-testbed" / "last-failure"
    kept.mkdir(parents=True)
    (kept / "old.log").touch()
    assert world._keep_logs(run) == kept
    assert [file.name for file in kept.iterdir()] == ["sender.log"]


def test_failures_beside_each_other_have_a_place_of_their_own(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for number in (1, 2):
        place = tmp_path / "logs" / f"seed-{number}"
        monkeypatch.setenv("GCC_TESTBED_FAILED_LOGS", str(place))
        assert world._keep_logs(run) == place
        assert (place / "sender.log").read_text() == "no such element"
    assert not (tmp_path / "cache").exists()


def test_a_directory_that_was_named_keeps_what_is_in_it(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GCC_TESTBED_FAILED_LOGS", str(tmp_path / "logs"))
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "thesis").touch()
    world._keep_logs(run)
    assert (tmp_path / "logs" / "thesis").exists()
