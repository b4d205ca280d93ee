"""The abilities of this machine, and how to get the missing ones. Standard library only."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcc_testbed.commands.arguments import Parser
from gcc_testbed.support import temporary
from gcc_testbed.support.boot import said_inside
from gcc_testbed.support.errors import TestbedError
from gcc_testbed.support.paths import (
    BUILD,
    HAS_BUILD,
    KERNEL_BUILDER,
    PROJECT,
)
from gcc_testbed.support.python_packages import install, missing, prepare_sweeps

EXIT_NO_VIRTUAL_WORLD = 1

# Modules that need packages which may be missing are imported where they are used.
PYTHON_VERSION = (3, 11)
FREE_DISK_MB = 2000
# The same as virtual_world.MEMORY_MB.
CALL_MEMORY_MB = 2048

# (program, package on Debian and Ubuntu, needed for any virtual call)
PROGRAMS = (
    ("gst-launch-1.0", "gstreamer1.0-tools", True),
    ("ip", "iproute2", True),
    ("tc", "iproute2", True),
    ("tcpdump", "tcpdump", True),
    ("ffmpeg", "ffmpeg", True),
    ("unshare", "util-linux", False),
)
KERNEL_TOOLS = ("make", "gcc", "flex", "bison", "bc", "tar", "xz", "bzip2", "flock")
KERNEL_PACKAGES = "linux-source gcc libc6-dev make flex bison bc xz-utils bzip2"
ELEMENTS = (
    ("vp8enc", "gstreamer1.0-plugins-good"),
    ("rtpbin", "gstreamer1.0-plugins-good"),
    ("rawvideoparse", "gstreamer1.0-plugins-base"),
    ("gdppay", "gstreamer1.0-plugins-bad"),
)
SEQUENCES = ("foreman", "fourpeople")
_INSTALL_PLUGIN = "apt install gstreamer1.0-tools, and the package gstreamer1.0-gcc"


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    name: str
    good: bool
    detail: str
    fix: str = ""
    # Whether calls in the virtual world need it.
    needed: bool = False

    def __str__(self) -> str:
        mark = "ok     " if self.good else "MISSING" if self.needed else "missing"
        line = f"{mark}  {self.name}: {self.detail}"
        return f"{line}; fix: {self.fix}" if self.fix and not self.good else line


def main(arguments: Sequence[str] | None = None) -> int:
    """`gcc-testbed doctor`; 0 when virtual calls work here."""
    parser = Parser(
        prog="gcc-testbed doctor",
        description="Checks what this machine supports: a line each, and with what is missing the "
        "command that installs it. MISSING is needed for calls in the virtual world. Exit code: "
        "0 when these work, else 1.",
    )
    parser.parse_args(arguments or [])
    healthy = True
    for finding in examine():
        print(finding, flush=True)
        healthy = healthy and (finding.good or not finding.needed)
    if healthy:
        print("calls in the virtual world work here")
        return 0
    print("calls in the virtual world do not work here: see MISSING above")
    return EXIT_NO_VIRTUAL_WORLD


def examine() -> Iterator[Finding]:
    """All checks, the fast ones first."""
    yield _python()
    yield _modules()
    yield _snakemake()
    yield _watch()
    for program, package, needed in PROGRAMS:
        yield _program(program, package, needed)
    yield from _elements()
    plugin = _plugin()
    yield plugin
    yield _kernel_tools()
    built = _kernel()
    yield built
    if built.good:
        yield _boots(Path(built.detail))
    yield _peer()
    yield _namespaces()
    yield _cores()
    yield _memory()
    yield _disk()
    for name in SEQUENCES:
        yield _sequence(name)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    good = sys.version_info[:2] >= PYTHON_VERSION
    return Finding("python", good, version, "use Python 3.11 or newer", needed=True)


def _modules() -> Finding:
    lacking = missing()
    detail = f"no {', '.join(lacking)}" if lacking else "calls can be made and measured"
    return Finding("python packages", not lacking, detail, install(), needed=True)


def _snakemake() -> Finding:
    lacking = missing("sweep")
    detail = f"sweeps need {', '.join(lacking)}" if lacking else "sweeps can be run"
    return Finding("snakemake", not lacking, detail, prepare_sweeps())


def _watch() -> Finding:
    lacking = missing("watch")
    detail = f"no {', '.join(lacking)}" if lacking else "a call can be watched in a terminal"
    return Finding("watch", not lacking, detail, install("watch"))


def which(program: str) -> str | None:
    """Also looks in the sbin directories, which a user's PATH may lack."""
    path = os.environ.get("PATH", os.defpath)
    return shutil.which(program, path=f"{path}:/usr/local/sbin:/usr/sbin:/sbin")


def _program(program: str, package: str, needed: bool) -> Finding:
    found = which(program)
    purpose = {"unshare": "no namespace world"}.get(program, "not found")
    return Finding(program, found is not None, found or purpose, f"apt install {package}", needed)


def _elements() -> Iterator[Finding]:
    inspect = which("gst-inspect-1.0")
    for element, package in ELEMENTS:
        needed = element != "gdppay"
        good = inspect is not None and _succeeds([inspect, "--exists", element])
        purpose = "GStreamer has it" if good else "GStreamer does not have it"
        yield Finding(element, good, purpose, f"apt install {package}", needed)


def _plugin() -> Finding:
    try:
        from gcc_testbed.run import plugin

        plugin.registry()
        found = str(plugin.directory() / "libgstgcc.so")
        return Finding("plugin", True, found + _where_it_is_found(plugin.directory()), needed=True)
    except (TestbedError, OSError, ImportError) as problem:
        detail, _, fix = str(problem).partition("; ")
        if HAS_BUILD:
            build = shlex.quote(str(BUILD))
            fix = f"meson setup {build} {shlex.quote(str(PROJECT))}; meson compile -C {build}"
        return Finding("plugin", False, detail, fix or _INSTALL_PLUGIN, needed=True)


def _where_it_is_found(directory: Path) -> str:
    """The shell in which GStreamer's own programs find a plugin that is built, not installed."""
    if not HAS_BUILD:
        return ""
    return f"; gst-launch-1.0 finds it in the shell of: meson devenv -C {shlex.quote(str(BUILD))}"


def _kernel_tools() -> Finding:
    lacking = [tool for tool in KERNEL_TOOLS if which(tool) is None]
    sources = sorted(Path("/usr/src").glob("linux-source-*.tar.*"))
    if not sources:
        lacking.append("linux-source")
    detail = f"no {', '.join(lacking)}" if lacking else f"{sources[-1].name} can be built"
    fix = f"apt install {KERNEL_PACKAGES}"
    return Finding("tools to build the kernel", not lacking, detail, fix)


def _kernel() -> Finding:
    try:
        from gcc_testbed.run.virtual_world import kernel

        return Finding("virtual-time kernel", True, str(kernel()), needed=True)
    except (TestbedError, ImportError) as problem:
        detail = "not built" if isinstance(problem, TestbedError) else str(problem)
        return Finding(
            "virtual-time kernel", False, detail, f"{KERNEL_BUILDER} (2 minutes)", needed=True
        )


def _boots(linux: Path) -> Finding:
    """Boots the kernel once: it may have been built on another machine."""
    with temporary.directory("gcc-testbed-", temporary.plain()) as scratch:
        try:
            said = said_inside(linux, "echo gcc-testbed-kernel-runs", scratch)
        except (TestbedError, OSError) as problem:
            said = str(problem)
    if "gcc-testbed-kernel-runs" in said:
        return Finding("kernel boots", True, "in virtual time", needed=True)
    detail = (said.strip().splitlines() or ["it says nothing"])[-1].strip()
    fix = f"rm -r {linux.parent}, then {KERNEL_BUILDER}"
    return Finding("kernel boots", False, detail, fix, needed=True)


def _peer() -> Finding:
    """rtpgccbwe, which only flows of its own kind need."""
    try:
        from gcc_testbed.run import peer

        peer.check()
        return Finding("rtpgccbwe", True, str(peer.plugin()))
    except (TestbedError, ImportError) as problem:
        detail, _, fix = str(problem).removeprefix("no rtpgccbwe: ").partition("; ")
        return Finding("rtpgccbwe", False, detail, fix.removeprefix("install them: ").strip())


def _namespaces() -> Finding:
    try:
        from gcc_testbed.run.namespace_world import NamespaceWorld

        NamespaceWorld().check()
    except (TestbedError, ImportError) as problem:
        detail = str(problem).removeprefix("--world namespace: ")
        detail = detail.removesuffix("; use --world virtual")
        return Finding("namespace world", False, detail, _namespace_fix(detail))
    return Finding("namespace world", True, "this machine's own kernel has netem and tbf")


def _namespace_fix(detail: str) -> str:
    if "netem" in detail or "tbf" in detail:
        return "modprobe sch_netem sch_tbf, or do without: the virtual world has them"
    return "allow unprivileged user namespaces, or do without: the virtual world needs none"


def _cores() -> Finding:
    count = len(os.sched_getaffinity(0))
    return Finding("cores", True, f"{count}: a sweep makes {count} calls at a time")


def _memory() -> Finding:
    free = _free_memory_mb()
    return Finding(
        "memory",
        free >= CALL_MEMORY_MB,
        f"{free} MB free; a call uses up to {CALL_MEMORY_MB} MB",
        "free some memory, or make fewer calls at a time (sweep --jobs 1)",
        needed=True,
    )


def _free_memory_mb() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) // 1024
    return 0


def _disk() -> Finding:
    scratch = temporary.plain()
    free = shutil.disk_usage(scratch).free >> 20
    shm = Path("/dev/shm")
    shm_free = shutil.disk_usage(shm).free >> 20 if shm.is_dir() else 0
    return Finding(
        "disk",
        free >= FREE_DISK_MB,
        f"{free} MB free in {scratch}, {shm_free} MB in {shm} (below {CALL_MEMORY_MB + 256} MB the "
        "kernel's memory is a file in the former, which is slower)",
        f"free {FREE_DISK_MB} MB in {scratch}, or set TMPDIR",
        needed=True,
    )


def _sequence(name: str) -> Finding:
    from gcc_testbed.run.sequences import NAMED, find, search_path

    found = find(NAMED[name])
    if found is not None:
        return Finding(f"sequence {name}", True, str(found))
    return Finding(
        f"sequence {name}",
        False,
        "will be downloaded, or a generated one takes its place",
        f"put {NAMED[name].files[0]} into {search_path()[-1]}, or set GCC_SEQUENCES",
    )


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
