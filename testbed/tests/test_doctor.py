"""The doctor: what it says of a machine, and with which exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gcc_testbed.commands import doctor
from gcc_testbed.commands.doctor import Finding
from gcc_testbed.run import virtual_world
from gcc_testbed.support.paths import BUILD

TESTBED = Path(__file__).resolve().parent.parent


def examined(monkeypatch: pytest.MonkeyPatch, *findings: Finding) -> int:
    monkeypatch.setattr(doctor, "examine", lambda: iter(findings))
    return doctor.main([])


def test_what_is_there_is_ok_and_what_is_not_comes_with_its_fix() -> None:
    assert str(Finding("tc", True, "/usr/sbin/tc", "apt install iproute2")) == (
        "ok       tc: /usr/sbin/tc"
    )
    assert str(Finding("ffmpeg", False, "not found", "apt install ffmpeg")) == (
        "missing  ffmpeg: not found; fix: apt install ffmpeg"
    )
    assert str(Finding("tc", False, "not found", "apt install iproute2", needed=True)).startswith(
        "MISSING"
    )


def test_the_exit_code_is_about_the_virtual_world_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    fine = Finding("kernel", True, "boots", needed=True)
    assert examined(monkeypatch, fine, Finding("netem", False, "not here")) == 0
    assert examined(monkeypatch, fine, Finding("vp8enc", False, "none", needed=True)) == 1


def test_a_machine_without_anything_is_told_so_line_by_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            # Without site packages: no numpy, as on a bare machine.
            *(sys.executable, "-S", "-c"),
            "import sys; from gcc_testbed.commands.doctor import main; sys.exit(main([]))",
        ],
        capture_output=True,
        text=True,
        check=False,
        env={
            "PATH": str(tmp_path),
            "HOME": str(tmp_path),
            "PYTHONPATH": str(TESTBED),
            "GCC_BUILD_DIR": str(tmp_path / "build"),
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        },
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "MISSING  python packages: no numpy, matplotlib, dpkt, pydantic; fix: " in done.stdout
    assert "MISSING  plugin" in done.stdout
    for line in done.stdout.splitlines()[:-1]:
        assert line.startswith("ok ") or "; fix: " in line, line


def test_every_fix_of_a_python_package_names_all_that_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("snakemake", "rich", "plotext"):
        monkeypatch.setitem(sys.modules, name, None)
    assert str(doctor._snakemake()).startswith("missing  snakemake: sweeps need snakemake; fix: ")
    watch = str(doctor._watch())
    assert watch.startswith("missing  watch: no rich, plotext; fix: ")
    assert watch.endswith(f" -m pip install -e '{TESTBED}[watch]'")


def test_a_plugin_that_is_built_comes_with_the_shell_that_finds_it() -> None:
    found = doctor._plugin()
    if not found.good:
        pytest.skip(found.detail)
    assert f"libgstgcc.so; gst-launch-1.0 finds it in the shell of: meson devenv -C {BUILD}" in (
        found.detail
    )


def test_a_kernel_that_does_not_boot_is_found_out(tmp_path: Path) -> None:
    kernel = tmp_path / "linux"
    kernel.write_text("#!/bin/sh\necho Kernel panic\n")
    kernel.chmod(0o755)
    finding = doctor._boots(kernel)
    assert (finding.good, finding.needed, finding.detail) == (False, True, "Kernel panic")
    assert "build.sh" in finding.fix


def test_it_knows_how_much_memory_a_call_takes() -> None:
    assert doctor.CALL_MEMORY_MB == virtual_world.MEMORY_MB


@pytest.mark.virtual
def test_this_machine_can_make_virtual_calls(capsys: pytest.CaptureFixture[str]) -> None:
    code = doctor.main([])
    said = capsys.readouterr().out
    assert code == 0, said
    assert "ok       kernel boots: in virtual time" in said
    assert os.cpu_count() is None or "cores" in said
