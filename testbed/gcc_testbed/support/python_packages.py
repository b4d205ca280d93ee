"""The Python packages of the testbed: the missing ones, and the command that installs them.

Standard library only: it runs where nothing is installed yet.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shlex
import sys
import sysconfig
import tomllib
from pathlib import Path

from gcc_testbed.support.paths import IS_CHECKOUT, PROJECT, TESTBED

_DISTRIBUTION = "gcc-testbed"
# Of a requirement such as `rich>=14,<16`, with the extra that it belongs to.
_REQUIREMENT = re.compile(r"([\w.-]+)\s*([^;]*)(?:;\s*extra\s*==\s*[\"'](\w+)[\"'])?.*")
_BOUND = re.compile(r"(>=|<)([\d.]+)")


def missing(extra: str = "") -> list[str]:
    """The packages that the testbed, or an extra of it, lacks here: all of them, with a reason."""
    found = []
    for requirement in _requirements(extra):
        name, bounds = _parts(requirement)[:2]
        if importlib.util.find_spec(name) is None:
            found.append(name)
            continue
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if not _is_within(version, bounds):
            found.append(f"{name} {bounds} ({version} is too {_how(version, bounds)})")
    return found


def install(extra: str = "") -> str:
    """The command that installs the testbed's packages, or those of an extra, in this Python."""
    named = f"[{extra}]" if extra else ""
    # Where it is installed, pip takes what an extra needs from the record of that.
    wanted = ["-e", f"{TESTBED}{named}"] if IS_CHECKOUT else [f"{_DISTRIBUTION}{named}"]
    return " ".join([*_installer(), *map(shlex.quote, wanted)])


def prepare_sweeps() -> str:
    """The command that installs Snakemake, which only sweeps need."""
    if not IS_CHECKOUT:
        return install("sweep")
    return f"{shlex.quote(str(PROJECT / 'examples' / 'scorecard.sh'))} --dry-run"


def _installer() -> list[str]:
    """The words before the names of the packages, as this Python was made."""
    python = shlex.quote(sys.executable)
    pip = [python, "-m", "pip", "install"]
    in_environment = sys.prefix != sys.base_prefix
    if in_environment and importlib.util.find_spec("pip") is None:
        if _was_made_by_uv():
            return ["uv", "pip", "install", "--python", python]
        return [python, "-m", "ensurepip", "&&", *pip]
    if in_environment or not _is_the_distributions():
        return pip
    if not IS_CHECKOUT:
        return [*pip, "--break-system-packages"]
    environment = PROJECT / "build" / "venv"
    own = shlex.quote(str(environment / "bin" / "python"))
    return [python, "-m", "venv", shlex.quote(str(environment)), "&&", own, *pip[1:]]


def _was_made_by_uv() -> bool:
    record = Path(sys.prefix) / "pyvenv.cfg"
    return record.is_file() and re.search(r"^uv\s*=", record.read_text(), re.M) is not None


def _is_the_distributions() -> bool:
    """Whether the packages of this Python are those of the distribution, and pip refuses others."""
    return (Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED").is_file()


def _requirements(extra: str) -> list[str]:
    """The requirements of the testbed itself (""), or of one of its extras."""
    if IS_CHECKOUT:
        project = tomllib.loads((TESTBED / "pyproject.toml").read_text())["project"]
        listed = project["optional-dependencies"][extra] if extra else project["dependencies"]
        return [str(each) for each in listed]
    try:
        every = importlib.metadata.requires(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return [each for each in every if _parts(each)[2] == extra]


def _parts(requirement: str) -> tuple[str, str, str]:
    """The name, the bounds of the version, and the extra."""
    parts = _REQUIREMENT.fullmatch(requirement)
    assert parts is not None
    return parts[1], parts[2].strip(), parts[3] or ""


def _is_within(version: str, bounds: str) -> bool:
    return all(
        (_numbers(version) >= _numbers(bound)) == (relation == ">=")
        for relation, bound in _BOUND.findall(bounds)
    )


def _how(version: str, bounds: str) -> str:
    least = next((bound for relation, bound in _BOUND.findall(bounds) if relation == ">="), "0")
    return "old" if _numbers(version) < _numbers(least) else "new"


def _numbers(version: str) -> list[int]:
    """`5.3.2` as numbers to compare; what follows them, such as `rc1`, does not count."""
    digits = re.match(r"[\d.]*", version)
    return [int(part) for part in (digits[0] if digits else "").split(".") if part]
