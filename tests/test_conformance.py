"""The published vectors, as docs/conformance.md counts them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import conformance
import pytest

BUILD = Path(os.environ.get("GCC_BUILD_DIR", conformance.ROOT / "build"))


@pytest.fixture(scope="module")
def vectors() -> list[conformance.Vector]:
    if shutil.which("meson") is None or not (BUILD / "build.ninja").is_file():
        pytest.skip(f"{BUILD} is no build: meson setup {BUILD}")
    return conformance.run_suite(BUILD)


def test_every_published_vector_passes(vectors: list[conformance.Vector]) -> None:
    assert len(vectors) > 400
    assert [vector for vector in vectors if vector.verdict == conformance.FAIL] == []


def test_the_page_says_what_the_tests_say(vectors: list[conformance.Vector]) -> None:
    page = conformance.PAGE.read_text(encoding="utf-8")
    assert page == conformance.render(vectors), "run tests/conformance.py build"


def test_the_page_explains_every_source(vectors: list[conformance.Vector]) -> None:
    sources = {vector.source.split()[0] for vector in (*vectors, *conformance.WITHOUT_A_TEST)}
    assert sources <= set(conformance.SOURCES)


def test_no_vector_is_without_an_expectation(vectors: list[conformance.Vector]) -> None:
    for vector in (*vectors, *conformance.WITHOUT_A_TEST):
        assert vector.name and vector.expected and vector.got


def test_the_file_of_vectors_says_why_one_is_not_applicable() -> None:
    written = conformance.list_vectors([])
    for vector in conformance.WITHOUT_A_TEST:
        assert vector.got in written


def test_a_failed_vector_is_shown_as_failed() -> None:
    (vector,) = conformance.parse_output("x\nvector|C20 test|rate, bit/s|5 +- 1|7|FAIL\ny\n")
    assert vector == conformance.Vector("C20 test", "rate, bit/s", "5 ± 1", "7", "FAIL")
    assert "| rate, bit/s | 5 ± 1 | 7 | FAIL |" in conformance.list_vectors([vector])
    assert "| `C20` | libwebrtc of early 2020 | 0 | 1 | 0 |" in conformance.render([vector])
