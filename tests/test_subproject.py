"""examples/subproject: its wrap file fetches gst-gcc, linked dynamically and statically."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
URL = re.compile(r"^url = .*$", re.M)
SAYS = re.compile(r"recommended: gccsender (\d+) bit/s, the library (\d+) bit/s\n")


def run(*command: str, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def set_up(project: Path, folder: Path, kind: str) -> None:
    # as if no copy were installed
    options = ("--force-fallback-for=gst-gcc", f"-Ddefault_library={kind}", "-Dwerror=true")
    run("meson", "setup", *options, str(folder), str(project))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, whose wrap file clones the last commit of this checkout."""
    for tool in ("meson", "git"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool}: apt install {tool}")
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout: the wrap file clones one")
    project = tmp_path_factory.mktemp("subproject") / "project"
    shutil.copytree(ROOT / "examples" / "subproject", project)
    wrap = project / "subprojects" / "gst-gcc.wrap"
    text, count = URL.subn(f"url = {ROOT.as_uri()}", wrap.read_text(encoding="utf-8"))
    assert count == 1
    wrap.write_text(text, encoding="utf-8")
    return project


@pytest.fixture(scope="module", params=["shared", "static"])
def build(request: pytest.FixtureRequest, project: Path) -> Path:
    folder: Path = project.parent / str(request.param)
    set_up(project, folder, request.param)
    run("ninja", "-C", str(folder))
    return folder


def environment_without_plugins(folder: Path) -> dict[str, str]:
    own = {key: value for key, value in os.environ.items() if not key.startswith("GST_PLUGIN")}
    return {
        **own,
        "GST_PLUGIN_SYSTEM_PATH": str(folder),
        "GST_REGISTRY": str(folder / "registry.bin"),
        "G_DEBUG": "fatal-warnings",
    }


def test_a_project_has_the_library_and_the_elements(build: Path, tmp_path: Path) -> None:
    environment = environment_without_plugins(tmp_path)
    said = SAYS.fullmatch(run(str(build / "both"), environment=environment))
    assert said is not None
    elements, library = map(int, said.groups())
    assert elements == library == 300_000


def test_a_static_program_needs_no_library_of_ours(build: Path) -> None:
    shared = build.name == "shared"
    assert ("libgstgcc" in run("ldd", str(build / "both"))) == shared
    assert any(build.rglob("*.so")) == shared
