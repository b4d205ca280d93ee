"""`meson dist`: the archive of a release has all that is committed, and builds as a subproject."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
# The tests of an archive are those of the checkout: they run there.
OPTIONS = ("-Dtests=disabled", "-Dtestbed=disabled", "-Dwerror=true")


def run(*command: str, folder: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def committed() -> set[str]:
    return set(run("git", "ls-tree", "-rz", "--name-only", "HEAD").split("\0")) - {""}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `meson dist` makes of the last commit."""
    for tool in ("meson", "git"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool}: apt install {tool}")
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout: meson dist takes from git what belongs to the project")
    build = tmp_path_factory.mktemp("dist") / "build"
    run("meson", "setup", *OPTIONS, str(build), str(ROOT))
    # --allow-dirty: changes at home that are not committed are left out.
    run("meson", "dist", "-C", str(build), "--no-tests", "--allow-dirty", "--formats=gztar")
    (made,) = (build / "meson-dist").glob("*.tar.gz")
    return made


def test_the_archive_has_all_that_is_committed(archive: Path) -> None:
    with tarfile.open(archive) as opened:
        files = [PurePosixPath(member.name) for member in opened if not member.isdir()]
    assert {str(PurePosixPath(*file.parts[1:])) for file in files} == committed()


def test_the_archive_builds_as_its_wrap_file_has_it(archive: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(ROOT / "examples" / "subproject", project)
    subprojects = project / "subprojects"
    (subprojects / "packagefiles").mkdir()
    shutil.copy(archive, subprojects / "packagefiles")
    wrap = run(str(ROOT / "scripts" / "wrap"), str(archive))
    (subprojects / "gst-gcc.wrap").write_text(wrap, encoding="utf-8")

    options = ("-Dwerror=true", "--force-fallback-for=gst-gcc")
    run("meson", "setup", *options, "build", folder=project)
    run("ninja", "-C", "build", folder=project)
    assert (project / "build" / "both").is_file()
    assert (subprojects / archive.name.removesuffix(".tar.gz")).is_dir()


def test_a_wrap_file_names_the_place_of_its_archive(archive: Path) -> None:
    wrap = run(str(ROOT / "scripts" / "wrap"), str(archive), "https://example.org/it.tar.gz")
    assert "source_url = https://example.org/it.tar.gz\n" in wrap
