"""The library without the elements: `meson setup -Dplugin=disabled`."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("meson") is None:
        pytest.skip("no Meson: apt install meson")
    build = tmp_path_factory.mktemp("library") / "build"
    run("meson", "setup", "-Dplugin=disabled", "-Dtestbed=enabled", str(build), str(ROOT))
    return build


def test_the_library_alone_asks_for_glib_only(build: Path) -> None:
    asked = json.loads(run("meson", "introspect", "--dependencies", str(build)))
    # Meson 1.7 lists what the project itself declares, too.
    names = {each["name"] for each in asked if each.get("type") != "internal"}
    assert names - {"m"} == {"glib-2.0"}


def test_the_library_alone_comes_with_its_unit_tests(build: Path) -> None:
    tests = json.loads(run("meson", "introspect", "--tests", str(build)))
    assert len(tests) > 50
    assert all(any("unit" in suite for suite in each["suite"]) for each in tests)
