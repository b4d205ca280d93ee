"""Which part of the testbed may use which: imports go one way, between packages and files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import gcc_testbed

ROOT = Path(gcc_testbed.__file__).parent

# The imports that each package may have. A package that is not named here may have none.
MAY_IMPORT = {
    # Errors, paths, processes, output.
    "support": set[str](),
    # A call as data.
    "scenario": {"support"},
    # A path is recorded.
    "recordings": {"scenario", "support"},
    # A call is made.
    "run": {"scenario", "support"},
    # A finished call is measured, from its files alone.
    "measure": {"scenario", "support"},
    # A measured call is shown.
    "report": {"measure", "scenario"},
    "studies": set[str](),
    # Many calls.
    "studies.sweeps": {"scenario", "support"},
    # Published results, ours beside them.
    "studies.papers": {"studies.sweeps", "report", "measure", "scenario", "support"},
    # Ours beside what else could be used.
    "studies.scorecard": {"studies.sweeps", "report", "scenario", "support"},
    # Calls drawn at random, measured as the card's.
    "studies.drawn": {
        "studies.scorecard",
        "studies.sweeps",
        "report",
        "scenario",
        "support",
    },
    # Two series of them.
    "studies.stress": {"studies.drawn", "support"},
    "studies.ordinary": {"studies.drawn", "support"},
    # Calls on recordings of paths.
    "studies.paths": {
        "studies.drawn",
        "studies.scorecard",
        "report",
        "measure",
        "scenario",
        "support",
    },
    # The effect of faults on a call.
    "studies.faults": {"measure", "scenario", "support"},
    # The commands of a user.
    "commands": {
        "studies.faults",
        "studies.ordinary",
        "studies.paths",
        "studies.stress",
        "studies.drawn",
        "studies.scorecard",
        "studies.papers",
        "studies.sweeps",
        "report",
        "measure",
        "recordings",
        "run",
        "scenario",
        "support",
    },
    "": {"commands", "support"},
}


def modules() -> dict[str, Path]:
    """Every module by its dotted name within the package; "" is the package itself."""
    names = {}
    for file in sorted(ROOT.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return names


def imported(source: str, known: set[str]) -> Iterator[str]:
    """The modules of the testbed that a source imports, within functions too."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            paths = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            # from package import module, or from module import name
            paths = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for path in paths:
            if path.split(".")[0] == "gcc_testbed":
                name = path.partition(".")[2]
                while name not in known:
                    name = name.rpartition(".")[0]
                yield name


def package(module: str) -> str:
    """The folder of a module, one level deep; each of the studies is a package of its own."""
    parts = module.split(".")
    names = parts[: 2 if parts[0] == "studies" else 1]
    return ".".join(names) if ROOT.joinpath(*names).is_dir() else ""


def wrong(module: str, uses: set[str]) -> set[str]:
    """The packages among those used that the module's own may not use."""
    own = package(module)
    others = {package(name) for name in uses if name} - {own}
    return others - MAY_IMPORT.get(own, set())


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    files = modules()
    return {
        name: set(imported(file.read_text(encoding="utf-8"), set(files)))
        for name, file in files.items()
    }


def test_packages_import_only_what_they_may(graph: dict[str, set[str]]) -> None:
    found = {module: names for module, uses in graph.items() if (names := wrong(module, uses))}
    assert found == {}


def test_every_arrow_that_is_allowed_is_needed(graph: dict[str, set[str]]) -> None:
    drawn: dict[str, set[str]] = {name: set() for name in MAY_IMPORT}
    for module, uses in graph.items():
        own = package(module)
        drawn[own] |= {package(name) for name in uses if name} - {own}
    assert drawn == MAY_IMPORT


def test_no_file_imports_in_a_circle(graph: dict[str, set[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as problem:
        pytest.fail(f"a circle of imports: {' -> '.join(problem.args[1])}")


def test_a_wrong_arrow_is_found() -> None:
    source = "def late():\n    from gcc_testbed.measure import quality\n"
    uses = set(imported(source, set(modules())))
    assert uses == {"measure.quality"}
    assert wrong("run.pipelines", uses) == {"measure"}
