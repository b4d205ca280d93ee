"""The wheel: what is in it, and its command where there is no checkout."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from gcc_testbed.support.paths import BUILD, PLUGIN, TESTBED

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
OFFLINE = ("--quiet", "--no-deps", "--no-index")
BESIDE = ("data", "kernel", "peer")
# Versions of setuptools from this one make wheels by themselves.
MAKES_WHEELS = (70, 1)


def why_not() -> str | None:
    if importlib.util.find_spec("pip") is None:
        return "no pip: apt install python3-venv"
    try:
        version = importlib.metadata.version("setuptools")
    except importlib.metadata.PackageNotFoundError:
        return "no setuptools: pip install 'gcc-testbed[dev]'"
    if tuple(int(part) for part in version.split(".")[:2]) < MAKES_WHEELS:
        return f"setuptools {version} makes no wheel: pip install 'gcc-testbed[dev]'"
    return None


pytestmark = pytest.mark.skipif(why_not() is not None, reason=why_not() or "")


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command without GCC_BUILD_DIR in its environment."""
    own = {name: text for name, text in os.environ.items() if name != "GCC_BUILD_DIR"}
    return subprocess.run(
        words, env={**own, **environment}, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built of a copy: setuptools leaves its own files beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    own = shutil.ignore_patterns("build", "dist", "*.egg-info", "__pycache__", "tests", "tools")
    shutil.copytree(TESTBED, folder / "testbed", ignore=own)
    built = run(
        *(*PIP, "wheel", *OFFLINE, "--no-build-isolation"),
        *("--wheel-dir", str(folder), str(folder / "testbed")),
    )
    assert built.returncode == 0, built.stderr
    (made,) = folder.glob("gcc_testbed-*-py3-none-any.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    target = wheel.parent / "installed"
    done = run(*PIP, "install", *OFFLINE, "--target", str(target), str(wheel))
    assert done.returncode == 0, done.stderr
    return target


def command(installed: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """gcc-testbed as the wheel has it."""
    program = str(installed / "bin" / "gcc-testbed")
    return run(program, *words, PYTHONPATH=str(installed), **environment)


def test_every_file_of_the_testbed_is_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        packed = {name for name in opened.namelist() if name.startswith("gcc_testbed/")}
    package = {file for file in (TESTBED / "gcc_testbed").rglob("*") if file.suffix != ".pyc"}
    wanted = {str(file.relative_to(TESTBED)) for file in package if file.is_file()}
    for name in BESIDE:
        files = (file for file in (TESTBED / name).rglob("*") if file.is_file())
        wanted |= {f"gcc_testbed/{file.relative_to(TESTBED)}" for file in files}
    assert len(wanted) > 200
    assert packed == wanted


def test_the_command_lists_the_scenarios_that_came_with_it(installed: Path) -> None:
    shown = command(installed, "list")
    names = [line.split()[0] for line in shown.stdout.splitlines()]
    assert names == sorted(file.stem for file in (TESTBED / "data" / "scenarios").glob("*.toml"))


def test_the_doctor_finds_an_installed_plugin_and_the_kernels_builder(
    installed: Path, tmp_path: Path
) -> None:
    if not (PLUGIN / "libgstgcc.so").exists():
        pytest.skip(f"no plugin in {BUILD}")
    cache = str(tmp_path)
    shown = command(installed, "doctor", GST_PLUGIN_PATH=str(PLUGIN), XDG_CACHE_HOME=cache)
    assert f"ok       plugin: {PLUGIN}/libgstgcc.so\n" in shown.stdout, shown.stderr
    builder = installed / "gcc_testbed" / "kernel" / "build.sh"
    assert f"fix: {builder} " in shown.stdout
    assert os.access(builder, os.X_OK)


def test_the_command_for_missing_packages_finds_the_testbed_that_is_installed(
    wheel: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    assert run(sys.executable, "-m", "venv", str(environment)).returncode == 0
    python = str(environment / "bin" / "python")
    assert run(python, *PIP[1:], "install", *OFFLINE, str(wheel)).returncode == 0
    program = str(environment / "bin" / "gcc-testbed")
    told = run(program, "watch", str(tmp_path / "x.csv")).stderr
    command_line = f"{python} -m pip install 'gcc-testbed[watch]'"
    assert told == (
        "error: Python packages are missing: numpy, matplotlib, dpkt, pydantic, rich, plotext; "
        f"install them: {command_line}\n"
    )
    tried = run("sh", "-c", f"{command_line} --no-index --disable-pip-version-check")
    assert "No matching distribution found for " in tried.stderr
    assert "for gcc-testbed" not in tried.stderr
    assert "Requirement already satisfied: gcc-testbed[watch]" in tried.stdout


def test_an_installed_testbed_says_what_it_misses(installed: Path, tmp_path: Path) -> None:
    cache = str(tmp_path)
    nowhere = {"GST_PLUGIN_PATH": "", "GST_PLUGIN_SYSTEM_PATH": cache, "XDG_CACHE_HOME": cache}
    shown = command(installed, "doctor", **nowhere, GST_REGISTRY=str(tmp_path / "registry.bin"))
    assert re.search(r"^MISSING  plugin: .*; fix: .*gstreamer1\.0-gcc", shown.stdout, re.M)

    text = "from gcc_testbed.support.paths import *; print(not_built(WALL_CLOCK.parent, 'OPTION'))"
    told = run(sys.executable, "-c", text, PYTHONPATH=str(installed))
    assert "build a source tree of gst-gcc with OPTION and set GCC_BUILD_DIR" in told.stdout
