"""Comments and docstrings read as easily as the pages: things as subjects, no riddles."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
C_FOLDERS = ("gst/gcc", "plugin", "dropin", "testbed/model")

_RIDDLE = re.compile(r"\b(?:(?:is|are) told|tells? of|who is|nobody knows)\b")
_NOBODY = re.compile(r"(?:^|[.!?:] )(?:Who|Whoever|What) [^.?!]*(?:[.!]|$)")
_C_COMMENT = re.compile(r"/\*+(.*?)\*/", re.S)


def c_comments(text: str) -> Iterator[str]:
    for found in _C_COMMENT.finditer(text):
        yield re.sub(r"\n\s*\*", " ", found[1])


def python_comments(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    yield from (each.string.lstrip("# ") for each in tokens if each.type == tokenize.COMMENT)


def faults(comments: Iterator[str]) -> list[str]:
    words = (" ".join(comment.split()) for comment in comments)
    return [
        found[0][:60]
        for comment in words
        for rule in (_RIDDLE, _NOBODY)
        for found in rule.finditer(comment)
    ]


def sources() -> Iterator[Path]:
    for folder in C_FOLDERS:
        yield from (ROOT / folder).rglob("*.[ch]")
    yield from (ROOT / "testbed").rglob("*.py")


def test_comments_read_easily() -> None:
    found = {}
    for file in sources():
        name = file.relative_to(ROOT).as_posix()
        read = python_comments if file.suffix == ".py" else c_comments
        found[name] = faults(read(file.read_text(encoding="utf-8")))
    assert len(found) > 400
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize(
    "text",
    ["/* What is lost. */", "/**\n * A rate.\n * Who sends\n * it. */", "/* It tells of loss. */"],
)
def test_a_fault_of_c_is_found(text: str) -> None:
    assert faults(c_comments(text)) != []


@pytest.mark.parametrize("text", ['"""What a call is."""', "x = 1  # nobody knows", "# What is x."])
def test_a_fault_of_python_is_found(text: str) -> None:
    assert faults(python_comments(text)) != []


def test_a_question_is_none() -> None:
    assert faults(c_comments("/* What loses packets? A queue. */")) == []
