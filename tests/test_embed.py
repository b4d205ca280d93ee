"""What an application gets: examples/embed, and what is installed into a prefix."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("GCC_BUILD_DIR", ROOT / "build")).resolve()
SOURCE = ROOT / "examples" / "embed" / "embed.c"
LIBRARY_SOURCE = ROOT / "tests" / "embed_library.c"
FLAGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")

# A busy machine needs longer than the two seconds that it takes an idle one.
PATIENCE_S = 30
LIMITS = range(100_000, 1_500_001)
START = 300_000

STATS = re.compile(r"stats A_s (\d+) A_r (\d+) bit/s, RTT ([\d.]+) ms")
TARGET = re.compile(r"target-bitrate (\d+)")


@dataclass(frozen=True)
class Installed:
    """`meson install` into an empty prefix, with what finds it there."""

    root: Path
    environment: dict[str, str]

    def flags(self, *packages: str) -> list[str]:
        command = ("pkg-config", "--cflags", "--libs", *packages)
        return run(*command, environment=self.environment).split()

    def program_flags(self, *packages: str) -> list[str]:
        """The same for a program that finds the library by itself, as README has it."""
        command = ("pkg-config", "--variable=libdir", "gstgcc-1.0")
        libdir = run(*command, environment=self.environment).strip()
        return [*self.flags(*packages), f"-Wl,-rpath,{libdir}"]


def run(*command: str, environment: dict[str, str], folder: Path | None = None) -> str:
    done = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def finding(plugin: Path, folder: Path) -> dict[str, str]:
    """Where the plugin is, and nothing about its library."""
    clean = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    return {
        **clean,
        "GST_PLUGIN_PATH": str(plugin),
        "GST_REGISTRY": str(folder / "registry.bin"),
        "G_DEBUG": "fatal-criticals",
    }


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    if shutil.which("meson") is None:
        pytest.skip("no Meson: apt install meson")
    folder = tmp_path_factory.mktemp("installed")
    build, root = folder / "build", folder / "prefix"
    options = (f"--prefix={root}", "-Dtests=disabled", "-Dtestbed=disabled", "-Dwerror=true")
    everything = dict(os.environ)
    run("meson", "setup", *options, str(build), str(ROOT), environment=everything)
    run("meson", "install", "--quiet", "-C", str(build), environment=everything)
    # Nothing may be found where it was built.
    shutil.rmtree(build)

    (description,) = root.rglob("gstgcc-1.0.pc")
    (plugin,) = root.rglob("libgstgcc.so")
    environment = finding(plugin.parent, folder)
    environment["PKG_CONFIG_PATH"] = str(description.parent)
    return Installed(root, environment)


def free_ports() -> tuple[int, int]:
    """Two even ports that nobody has: RTCP takes the odd one above."""
    ports: list[int] = []
    while len(ports) < 2:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.bind(("", 0))
            port = one.getsockname()[1] & ~1
        if port not in ports:
            ports.append(port)
    return ports[0], ports[1]


def is_in_a_call(text: str) -> bool:
    """Whether rates travelled both ways and moved the target."""
    targets = [int(target) for target in TARGET.findall(text)]
    stats = STATS.findall(text)
    return any(target != START for target in targets) and any(
        int(a_r) > 0 and float(rtt) > 0 for _, a_r, rtt in stats
    )


def call(program: Path, environment: dict[str, str], folder: Path) -> list[str]:
    """Lets two of @program call each other until both have rates. Returns what each printed."""
    a, b = free_ports()
    logs = [folder / "a.txt", folder / "b.txt"]
    ends = []
    for log, (port, peer) in zip(logs, ((a, b), (b, a)), strict=True):
        with log.open("w") as output:
            command = (str(program), "127.0.0.1", str(port), str(peer), "fakesink")
            ends.append(
                subprocess.Popen(
                    command, env=environment, stdout=output, stderr=subprocess.STDOUT, cwd=folder
                )
            )
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and not all(is_in_a_call(log.read_text()) for log in logs):
        time.sleep(0.2)
    for process in ends:
        process.send_signal(signal.SIGINT)
    statuses = [process.wait(timeout=10) for process in ends]
    texts = [log.read_text() for log in logs]
    assert statuses == [0, 0], texts
    return texts


def assert_rates_travelled(texts: list[str]) -> None:
    for text in texts:
        assert is_in_a_call(text), text
        rates = [int(rate) for rate in TARGET.findall(text)]
        rates += [int(a_s) for a_s, _, _ in STATS.findall(text)]
        assert all(rate in LIMITS for rate in rates), text


def test_the_built_example_makes_a_call(tmp_path: Path) -> None:
    program = BUILD / "examples" / "embed" / "gcc-embed"
    if not program.is_file():
        pytest.skip(f"{program} was not built")
    environment = finding(BUILD / "plugin", tmp_path)
    assert_rates_travelled(call(program, environment, tmp_path))


def test_the_installed_elements_are_found_without_a_library_path(installed: Installed) -> None:
    assert "LD_LIBRARY_PATH" not in installed.environment
    for element in ("gccsender", "gccreceiver"):
        said = run("gst-inspect-1.0", element, environment=installed.environment)
        assert str(installed.root) in said


def test_it_builds_outside_the_tree_and_makes_a_call_there(
    installed: Installed, tmp_path: Path
) -> None:
    source = tmp_path / SOURCE.name
    shutil.copy(SOURCE, source)
    program = tmp_path / "gcc-embed"
    flags = installed.program_flags("gstgcc-1.0", "gstreamer-1.0")
    assert not [flag for flag in flags if str(ROOT) in flag]
    run("cc", *FLAGS, str(source), "-o", str(program), *flags, environment=installed.environment)
    assert_rates_travelled(call(program, installed.environment, tmp_path))


def test_an_application_gets_the_controllers_and_no_stage(installed: Installed) -> None:
    """Each header more is a promise: what it shows may not change any more."""
    assert {header.stem for header in installed.root.rglob("gst/gcc/*.h")} == {
        "gcc",
        "gcc-abs-send-time",
        "gcc-column",
        "gcc-profile",
        "gcc-receiver",
        "gcc-remb",
        "gcc-report-block",
        "gcc-sender",
        "gcc-sent-packet",
        "gcc-states",
        "gcc-types",
    }


def test_an_application_can_do_without_gstreamer(installed: Installed, tmp_path: Path) -> None:
    source = tmp_path / LIBRARY_SOURCE.name
    shutil.copy(LIBRARY_SOURCE, source)
    program = tmp_path / "application"
    flags = installed.program_flags("gstgcc-1.0", "glib-2.0")
    run("cc", *FLAGS, str(source), "-o", str(program), *flags, environment=installed.environment)
    said = run(str(program), environment=installed.environment)
    rates = re.fullmatch(r"rtcweb-2013: A_r (\d+) A_s (\d+)\n", said)
    assert rates is not None, said
    a_r, a_s = map(int, rates.groups())
    assert a_r > 1_000_000
    assert 100_000 <= a_s <= min(a_r, 2_000_000)


def test_every_installed_header_compiles_by_itself(installed: Installed, tmp_path: Path) -> None:
    headers = sorted(installed.root.rglob("gst/gcc/*.h"))
    assert headers
    for header in headers:
        source = tmp_path / f"{header.stem}.c"
        source.write_text(f"#include <gst/gcc/{header.name}>\n", encoding="utf-8")
        # glib-2.0 only: the library knows nothing of GStreamer
        flags = installed.flags("gstgcc-1.0")
        run(
            *("cc", *FLAGS, "-fsyntax-only", str(source), *flags),
            environment=installed.environment,
        )
