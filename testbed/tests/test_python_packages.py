"""The command that installs missing packages: one that works, however this Python was made."""

import importlib.util
import sys
import sysconfig
from pathlib import Path

import pytest

from gcc_testbed.support import python_packages
from gcc_testbed.support.paths import PROJECT, TESTBED
from gcc_testbed.support.python_packages import install


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Python that is a virtual environment with pip."""
    monkeypatch.setattr(sys, "executable", "/my envs/bin/python")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name == "pip")
    return tmp_path


@pytest.fixture
def system(environment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The distribution's own Python, whose packages are not pip's."""
    monkeypatch.setattr(sys, "prefix", "/usr")
    monkeypatch.setattr(sysconfig, "get_path", lambda _: str(tmp_path))
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    return environment


@pytest.fixture
def wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The testbed is installed; there is no checkout."""
    monkeypatch.setattr(python_packages, "IS_CHECKOUT", False)


PIP = "'/my envs/bin/python' -m pip install"


@pytest.mark.usefixtures("environment")
def test_a_checkout_is_installed_by_its_path() -> None:
    assert install() == f"{PIP} -e {TESTBED}"
    assert install("watch") == f"{PIP} -e '{TESTBED}[watch]'"


@pytest.mark.usefixtures("environment", "wheel")
def test_an_installed_testbed_goes_by_its_name() -> None:
    assert install("watch") == f"{PIP} 'gcc-testbed[watch]'"


@pytest.mark.usefixtures("wheel")
def test_an_environment_of_uv_has_no_pip(
    environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    (environment / "pyvenv.cfg").write_text("home = /usr/bin\nuv = 0.9.1\n")
    assert install("watch") == (
        "uv pip install --python '/my envs/bin/python' 'gcc-testbed[watch]'"
    )
    (environment / "pyvenv.cfg").write_text("home = /usr/bin\n")
    assert install() == f"'/my envs/bin/python' -m ensurepip && {PIP} gcc-testbed"


@pytest.mark.usefixtures("system")
def test_a_checkout_on_the_distributions_python_gets_an_environment() -> None:
    made = PROJECT / "build" / "venv"
    assert install("watch") == (
        f"'/my envs/bin/python' -m venv {made} && {made}/bin/python -m pip install "
        f"-e '{TESTBED}[watch]'"
    )


@pytest.mark.usefixtures("system", "wheel")
def test_a_wheel_among_the_distributions_packages_stays_there() -> None:
    assert install("watch") == f"{PIP} --break-system-packages 'gcc-testbed[watch]'"


@pytest.mark.parametrize(
    ("version", "is_within"),
    [("5.3.2", True), ("5.3", True), ("5.2.8", False), ("6.0.0", False), ("5.10rc1", True)],
)
def test_a_version_is_compared_number_by_number(version: str, is_within: bool) -> None:
    assert python_packages._is_within(version, ">=5.3,<6") == is_within
