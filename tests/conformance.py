"""Writes docs/conformance.md: how many published vectors of each source pass.

`conformance.py BUILD_DIR` runs the suite `conformance` of that build and writes the page;
with `--check` it writes nothing and fails when the page is not what the run says. `--vectors FILE`
writes every vector, what it expects and what it got, into a file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import markdown_table

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "conformance.md"
SUITE = "conformance"

# As tests/unit/conformance.h prints them.
PREFIX = "vector|"
PASS, FAIL, NOT_APPLICABLE = "pass", "FAIL", "n/a"


@dataclass(frozen=True)
class Vector:
    """One line of a test: what a source expects and what came out."""

    source: str
    name: str
    expected: str
    got: str
    verdict: str


# What the sources are called in front of a test's file or a section.
SOURCES = {
    "AIO": "aiortc, tests/test_rate.py and tests/test_rtp.py",
    "C13": "libwebrtc of August 2013",
    "C15a": "libwebrtc of June 2015: AIMD, but a static threshold yet",
    "C20": "libwebrtc of early 2020",
    "C26": "libwebrtc of July 2026",
    "CCR16": "Carlucci, De Cicco, Mascolo: the AQM interplay paper, CCR 2016",
    "G02": "draft-ietf-rmcat-gcc-02",
    "GST22": "GStreamer 1.22, tests/check/elements/rtpsession.c",
    "PI": "pion/interceptor",
    "PR": "pion/rtcp",
    "PV13": "De Cicco, Carlucci, Mascolo: on the dynamic behaviour of GCC, Packet Video 2013",
    "RFC": "the RFC's equation",
}

# Published vectors that no test prints, since there is nothing here to try them on. One that a
# test could print as not applicable stands there instead.
_NO_2015 = "no profile of that generation"
WITHOUT_A_TEST = (
    Vector(
        "PR receiver_estimated_maximum_bitrate_test",
        "RTCP header around the FCI",
        "8fce00050000000100000000",
        "the 12 bytes are written by GStreamer, not by the library",
        NOT_APPLICABLE,
    ),
    Vector(
        "PR receiver_estimated_maximum_bitrate_test",
        "more than 255 SSRCs",
        "error",
        "a programming error here: the count is bounded by the caller",
        NOT_APPLICABLE,
    ),
    Vector(
        "C15a overuse_detector_unittest",
        "frames to over-use, threshold 25, in the harness of C20",
        "6, 4, 4 ± 1, 79 ± 30, 29 ± 5, 79 ± 15, 30 ± 5, 12 ± 2; low variance: 6",
        _NO_2015,
        NOT_APPLICABLE,
    ),
    Vector(
        "C15a remote_bitrate_estimator_*_unittest",
        "initial, reordering, ramp (MIMD, AIMD), drop (MIMD, abs-send-time)",
        "508017, 506422, 1621, 1090, 733, 700",
        _NO_2015,
        NOT_APPLICABLE,
    ),
)


class ConformanceError(Exception):
    """What keeps the page from being made, in one line."""


def run_suite(build: Path) -> list[Vector]:
    """Runs the conformance tests, and returns their vectors in the order of the tests' names."""
    log = build / "meson-logs" / f"{SUITE}.json"
    log.unlink(missing_ok=True)
    command = ["meson", "test", "-C", str(build), "--suite", SUITE, "--logbase", SUITE]
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ConformanceError("meson is missing; install it: apt install meson") from None
    if not log.is_file():
        said = (run.stderr.strip() or run.stdout.strip()).splitlines()
        raise ConformanceError(f"the tests of {build} did not run: {said[-1] if said else command}")
    return read_log(log)


def read_log(log: Path) -> list[Vector]:
    """The vectors of one of meson's test logs (one JSON object a line)."""
    tests = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    vectors: list[Vector] = []
    for test in sorted(tests, key=lambda test: test["name"]):
        found = list(parse_output(test.get("stderr", "")))
        crashed = test["result"] != "OK" and all(vector.verdict != FAIL for vector in found)
        if crashed or not found:
            raise ConformanceError(f"{test['name']}: {test['result']}, {len(found)} vectors")
        vectors += found
    return vectors


def parse_output(output: str) -> Iterable[Vector]:
    """The vectors in what a test printed."""
    for line in output.splitlines():
        if line.startswith(PREFIX):
            source, name, expected, got, verdict = line.removeprefix(PREFIX).split("|")
            yield Vector(source, name, expected.replace("+-", "±"), got, verdict)


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The lines of a table, and an empty one."""
    return [*markdown_table.table(header, rows).splitlines(), ""]


def render(vectors: list[Vector]) -> str:
    """The page. It depends on the vectors alone."""
    applicable, others = apart(vectors)
    page = [
        "# Published vectors",
        "",
        "Generated from the test run; do not edit: `tests/conformance.py build`. Every vector,",
        "what it expects and what it got, or why it is not applicable here:",
        "`tests/conformance.py build --vectors FILE`.",
        "",
    ]
    every = [*applicable, *others]
    tags = [tag for tag in SOURCES if any(vector.source.split()[0] == tag for vector in every)]
    page += table(
        ("", "source", "pass", "FAIL", "n/a: of something that there is none of here"),
        (
            (
                f"`{tag}`",
                SOURCES[tag],
                *(count(every, tag, verdict) for verdict in (PASS, FAIL, NOT_APPLICABLE)),
            )
            for tag in tags
        ),
    )
    return "\n".join(page).rstrip() + "\n"


def list_vectors(vectors: list[Vector]) -> str:
    """Every vector, by source."""
    applicable, others = apart(vectors)
    page = [
        "# Published vectors",
        "",
        "± is the tolerance of the source's own test, or that of a number it gives rounded;",
        "*derived* are numbers that others computed from the source's formulas. -1 is unknown.",
        "",
    ]
    for source in sources(applicable):
        page += [f"## {source}", ""]
        page += table(
            ("vector", "expected", "got", "verdict"),
            (
                (escape(vector.name), vector.expected, vector.got, vector.verdict)
                for vector in applicable
                if vector.source == source
            ),
        )
    page += ["## Not applicable", "", "Published, but of something that there is none of here.", ""]
    page += table(
        ("source", "vector", "expected", "why not"),
        (
            (escape(vector.source), escape(vector.name), vector.expected, vector.got)
            for vector in others
        ),
    )
    return "\n".join(page).rstrip() + "\n"


def apart(vectors: list[Vector]) -> tuple[list[Vector], list[Vector]]:
    """Those that can be tried, and those that cannot."""
    others = [vector for vector in vectors if vector.verdict == NOT_APPLICABLE]
    return [each for each in vectors if each not in others], [*others, *WITHOUT_A_TEST]


def sources(vectors: list[Vector]) -> list[str]:
    return sorted({vector.source for vector in vectors})


def count(vectors: list[Vector], tag: str, verdict: str) -> str:
    """How many vectors of a source have this verdict."""
    own = (vector for vector in vectors if vector.source.split()[0] == tag)
    return str(sum(vector.verdict == verdict for vector in own))


def escape(text: str) -> str:
    """Keeps Markdown from reading anything into a name."""
    return text.replace("*", "\\*").replace("<<", "&lt;&lt;").replace(" < ", " &lt; ")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, metavar="BUILD_DIR", help="a configured build")
    parser.add_argument(
        "--check", action="store_true", help="fail when the page is not what the run says"
    )
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="write every vector there")
    options = parser.parse_args(arguments)

    try:
        vectors = run_suite(options.build)
    except ConformanceError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1

    failed = [vector for vector in vectors if vector.verdict == FAIL]
    for vector in failed:
        print(
            f"failed: {vector.source}: {vector.name}: expected {vector.expected}, got {vector.got}",
            file=sys.stderr,
        )
    if options.vectors is not None:
        options.vectors.write_text(list_vectors(vectors), encoding="utf-8")
        return 1 if failed else 0
    page = render(vectors)
    if not options.check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != page:
        print(
            f"error: {PAGE.relative_to(ROOT)} is not what the tests say: "
            f"python3 tests/conformance.py {options.build}",
            file=sys.stderr,
        )
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
