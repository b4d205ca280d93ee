"""The code blocks that have a pipeline, as the published texts have them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# A command of GStreamer or of an example, or elements that are linked.
_PIPELINE = re.compile(r"gst-launch-1\.0|examples/python/|(?<=\s)!(?=\s)")
_FENCED = re.compile(r"^(?P<quote>(?:> ?)?)```\w*\n(?P<code>.*?)^(?P=quote)```$", re.M | re.S)
_HEADING = re.compile(r"^(?: \* )?##+ (.*)$", re.M)
_SECTION = re.compile(r"^ \* \|\[.*?\n(?P<code>.*?)^ \* \]\|", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A block with a pipeline; the number counts those of its document, from 1."""

    document: str
    number: int
    text: str
    # What it stands under; empty where there is none.
    heading: str = ""

    @property
    def name(self) -> str:
        return f"{self.document} {self.number}"

    @property
    def title(self) -> str:
        return f"{self.document}, {self.heading}" if self.heading else self.document


# (heading, text) of the blocks of a document.
Read = Callable[[str], Iterator[tuple[str, str]]]


def of_markdown(text: str) -> Iterator[tuple[str, str]]:
    for found in _FENCED.finditer(text):
        yield _heading(text[: found.start()]), re.sub(r"^> ?", "", found["code"], flags=re.M)


def _of_section(text: str) -> Iterator[tuple[str, str]]:
    for found in _SECTION.finditer(text):
        yield _heading(text[: found.start()]), re.sub(r"^ \* ?", "", found["code"], flags=re.M)


def _whole(text: str) -> Iterator[tuple[str, str]]:
    yield "", text


def _heading(before: str) -> str:
    """The last one."""
    found = _HEADING.findall(before)
    return found[-1] if found else ""


# Where lines to copy stand, in the order in which a reader meets them.
_PLACES: tuple[tuple[str, Read], ...] = (
    ("README.md", of_markdown),
    ("docs/tutorial/*.md", of_markdown),
    ("docs/how-to/*.md", of_markdown),
    ("docs/*.md", of_markdown),
    ("plugin/*.c", _of_section),
    ("examples/launch/*", _whole),
)


def of_document(document: str, text: str, read: Read) -> list[Block]:
    codes = [(heading, code) for heading, code in read(text) if _PIPELINE.search(code)]
    return [
        Block(document, number, code, heading)
        for number, (heading, code) in enumerate(codes, start=1)
    ]


def published(root: Path = ROOT) -> list[Block]:
    """All of them."""
    return [
        block
        for pattern, read in _PLACES
        for file in sorted(root.glob(pattern))
        for block in of_document(
            str(file.relative_to(root)), file.read_text(encoding="utf-8"), read
        )
    ]
