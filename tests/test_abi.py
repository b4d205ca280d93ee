"""The library exports what its headers declare, the plugin its entry points.

tests/abi/libgstgcc-1.0.symbols is the list of the library, kept by hand. A line that goes, or a
function whose declaration changes, breaks programs that are built already: then the soversion in
gst/gcc/meson.build is raised.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
LIBRARY = BUILD / "gst" / "gcc" / "libgstgcc-1.0.so"
PLUGIN = BUILD / "plugin" / "libgstgcc.so"
LISTED = ROOT / "tests" / "abi" / "libgstgcc-1.0.symbols"

# Each symbol is a promise.
MOST_SYMBOLS = 60
# Of another language, or an older one, than the library's own.
PROGRAM = """#include <gst/gcc/gcc.h>

int
main (void)
{
  return gcc_state_to_word (GCC_COLUMN_REASON, GCC_REASON_START) == NULL;
}
"""
STRICT = ("-pedantic", "-Wall", "-Wextra", "-Werror")

DECLARATION = re.compile(
    r"^(?!static|typedef|#)(\w[^;{}]*?\b(gcc_\w+)\s*(?:\([^;{}]*\)|\[\])?);", re.M
)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def built(file: Path, tool: str) -> str:
    if not file.is_file():
        pytest.skip(f"{file} was not built")
    if shutil.which(tool) is None:
        pytest.skip(f"no {tool}: apt install binutils")
    return str(file)


def exported(file: Path) -> set[str]:
    said = run("nm", "--dynamic", "--defined-only", "--format=posix", built(file, "nm"))
    return {line.split()[0] for line in said.splitlines()}


def dynamic(file: Path, tag: str) -> set[str]:
    """The values of @tag in the dynamic section: names of libraries."""
    said = run("readelf", "--dynamic", "--wide", built(file, "readelf"))
    return set(re.findall(rf"\({tag}\).*\[(.*)\]", said))


def installed_headers() -> list[Path]:
    folder = ROOT / "gst" / "gcc"
    listed = (folder / "meson.build").read_text(encoding="utf-8")
    section = listed.split("gstgcc_headers = files(")[1].split(")")[0]
    return [folder / name for name in re.findall(r"'([^']+)'", section)]


def declared() -> dict[str, str]:
    """Each name of the installed headers with its declaration, but for inline functions."""
    found = {}
    for header in installed_headers():
        code = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)
        found.update({name: text for text, name in DECLARATION.findall(code)})
    return found


def test_the_library_exports_what_its_headers_declare() -> None:
    assert exported(LIBRARY) == set(declared())


def test_a_declaration_says_that_it_is_exported() -> None:
    unmarked = [name for name, text in declared().items() if "GCC_API " not in text]
    assert unmarked == []


def test_what_the_library_exports_is_listed() -> None:
    listed = LISTED.read_text(encoding="utf-8").splitlines()
    assert listed == sorted(exported(LIBRARY))
    assert len(listed) <= MOST_SYMBOLS


def test_the_soname_is_that_of_the_abi() -> None:
    assert dynamic(LIBRARY, "SONAME") == {"libgstgcc-1.0.so.0"}


def test_the_plugin_exports_its_entry_points_only() -> None:
    assert exported(PLUGIN) == {"gst_plugin_gcc_get_desc", "gst_plugin_gcc_register"}


def test_the_plugin_needs_no_library_of_ours() -> None:
    """It may be loaded into a program with another version of the library."""
    assert not [name for name in dynamic(PLUGIN, "NEEDED") if name.startswith("libgstgcc")]


def test_installed_headers_name_only_what_is_installed() -> None:
    """A reader of the package has neither the other headers nor the pages of the project."""
    headers = installed_headers()
    names = {header.name for header in headers}
    text = "".join(header.read_text(encoding="utf-8") for header in headers)
    told = set(re.findall(r"[\w./-]+\.md\b", text))
    told |= {name for name in re.findall(r"\b(gcc-[\w-]+\.h)\b", text) if name not in names}
    types = set(re.findall(r"\b(Gcc\w+);", text)) | set(re.findall(r"typedef \w+ (Gcc\w+);", text))
    told |= {name for name in re.findall(r"#(Gcc\w+)", text) if name not in types}
    assert told == set()


@pytest.mark.parametrize(
    ("compiler", "name", "standard"),
    [("cc", "program.c", "c99"), ("c++", "program.cpp", "c++11")],
)
def test_a_strict_program_uses_the_headers(
    tmp_path: Path, compiler: str, name: str, standard: str
) -> None:
    """By pkg-config, as an application finds them."""
    built(LIBRARY, compiler)
    source, program = tmp_path / name, tmp_path / "program"
    source.write_text(PROGRAM)
    described = BUILD / "meson-uninstalled" / "gstgcc-1.0-uninstalled.pc"
    flags = run("pkg-config", "--cflags", "--libs", str(described)).split()
    run(compiler, f"-std={standard}", *STRICT, str(source), *flags, "-o", str(program))
    environment = {**os.environ, "LD_LIBRARY_PATH": str(LIBRARY.parent)}
    assert subprocess.run([program], env=environment, check=False).returncode == 0
