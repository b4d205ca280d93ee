"""A release has one version, and a section of the changelog as the text of its tag."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Each file that has the version, and where.
PLACES = {
    "meson.build": r"^  version: '(.*)',$",
    "testbed/pyproject.toml": r'^version = "(.*)"$',
    "testbed/gcc_testbed/__init__.py": r'^__version__ = "(.*)"$',
    "debian/changelog": r"\Agst-gcc \((.*)\) ",
    "CHANGELOG.md": r"^## (\S+) \(",
}


def version(file: str) -> str:
    found = re.search(PLACES[file], (ROOT / file).read_text(encoding="utf-8"), re.M)
    assert found is not None, file
    return found[1]


def notes(*words: str) -> str:
    return subprocess.run(
        [ROOT / "scripts" / "release-notes", *words], capture_output=True, text=True, check=True
    ).stdout


def test_every_file_has_the_same_version() -> None:
    assert len({version(file) for file in PLACES}) == 1, PLACES.keys()


def test_the_notes_are_the_section_of_the_version() -> None:
    section = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert notes() == f"gst-gcc {version('meson.build')}\n" + section.partition("\n")[2] + "\n"
    assert notes("--version") == version("meson.build") + "\n"


def test_highlights_are_five_once_there_are_some() -> None:
    highlights = notes().partition("### Highlights\n")[2].partition("\n### ")[0]
    assert len(re.findall(r"^\* \*\*", highlights, re.M)) in {0, 5}


def test_each_other_entry_is_a_line() -> None:
    rest = notes().partition("### Highlights\n")[2].partition("\n### ")[2]
    entries = rest.partition("\n")[2].splitlines()
    assert [line for line in entries if line and not re.match(r"\* |### ", line)] == []


def test_a_build_of_the_packages_leaves_the_tree_clean() -> None:
    packages = re.findall(r"^Package: (.*)$", (ROOT / "debian/control").read_text(), re.M)
    made = ["obj-x86_64-linux-gnu/build.ninja", "debian/files", "debian/debhelper-build-stamp"]
    for package in packages:
        made += [f"debian/{package}/DEBIAN/control", f"debian/{package}.substvars"]
    for name in made:
        done = subprocess.run(["git", "check-ignore", "-q", name], cwd=ROOT, check=False)
        assert done.returncode == 0, name
