"""The wheel of the elements, by scripts/wheel: the system's GStreamer finds what pip installs."""

from __future__ import annotations

import email
import hashlib
import os
import re
import subprocess
import sys
import zipfile
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
PAGE = ROOT / "docs" / "how-to" / "install.md"
PLACE = "share/gstreamer-1.0/plugins/libgstgcc.so"
# Where GStreamer, Python and pip would else look for more.
NOT_OURS = ("GST_", "XDG_", "PYTHON", "PIP_USER", "VIRTUAL_ENV", "LD_LIBRARY_PATH")


def run(*words: str, home: Path | None = None) -> str:
    """A command in the checkout, of somebody with nothing at home."""
    environment = {name: text for name, text in os.environ.items() if not name.startswith(NOT_OURS)}
    if home is not None:
        environment["HOME"] = str(home)
    done = subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


def made(folder: Path) -> Path:
    return Path(run("scripts/wheel", str(BUILD), str(folder)).strip())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as opened:
        (name,) = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        return email.message_from_bytes(opened.read(name))


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def project(key: str) -> str:
    found = re.search(rf"^  {key}: '(.*)',$", (ROOT / "meson.build").read_text("utf-8"), re.M)
    assert found is not None, key
    return found[1]


def lines(wheel: Path) -> str:
    """The page's own, with the wheel that is there already."""
    section = PAGE.read_text("utf-8").partition("\n## As a wheel\n")[2].partition("\n## ")[0]
    block = section.split("```\n")[1].partition("scripts/wheel\n")[2]
    assert "build/wheel" in block
    return block.replace("build/wheel", str(wheel.parent))


def test_the_same_build_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    again = made(tmp_path)
    assert again.name == wheel.name
    assert digest(again) == digest(wheel)


def test_its_metadata_are_those_of_the_project(wheel: Path, metadata: Message) -> None:
    assert wheel.name.startswith(f"gst_gcc-{project('version')}-py3-none-manylinux_2_")
    assert metadata["Version"] == project("version")
    assert metadata["License-Expression"] == project("license")
    assert "gccsender" in metadata.get_payload()
    with zipfile.ZipFile(wheel) as opened:
        (licence,) = [name for name in opened.namelist() if name.endswith("/licenses/LICENSE")]
        assert opened.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_it_names_the_libraries_that_no_tag_has(metadata: Message) -> None:
    for name in ("glib-2.0", "gstreamer-1.0"):
        version = run("pkg-config", "--modversion", name).rpartition(".")[0]
        assert f"{name} (>={version})" in metadata.get_all("Requires-External", [])


def test_it_brings_no_library_along(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        libraries = [name for name in opened.namelist() if ".so" in name]
    assert libraries == [f"gst_gcc-{project('version')}.data/data/{PLACE}"]


def test_the_lines_of_the_page_find_the_elements(wheel: Path, tmp_path: Path) -> None:
    said = run("bash", "-euc", lines(wheel), home=tmp_path)
    found = re.search(r"^  Filename +(.*)$", said, re.M)
    assert found is not None, said
    assert found[1].startswith(str(tmp_path)), said
    assert found[1].endswith(PLACE), said


def test_as_the_users_own_it_needs_no_variable(wheel: Path, tmp_path: Path) -> None:
    """pip install --user has ~/.local for a prefix."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-index")
    run(*pip, "--prefix", str(tmp_path / ".local"), str(wheel), home=tmp_path)
    said = run("gst-inspect-1.0", "gccreceiver", home=tmp_path)
    assert str(tmp_path / ".local" / PLACE) in said
