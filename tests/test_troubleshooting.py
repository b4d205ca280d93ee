"""docs/troubleshooting.md has every warning and error that the elements post, in its own words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "troubleshooting.md"
# From here on the headings are symptoms without a message.
SILENT = "## Without a message"

_CALL = re.compile(r"GST_ELEMENT_(?:WARNING|ERROR)\s*\((?:[^,\"]*,){3}\s*\(")
# A piece of the text. Between two there may be the word of GLib that ends a conversion.
_PIECE = re.compile(r'\s*(?:G_G\w+_FORMAT\s*)?"((?:[^"\\]|\\.)*)"')
_CONVERSION = re.compile(r"(?<!%)%(?:[-.0-9]*[a-z]|(?= ))")


def said(source: str) -> list[str]:
    """The texts of the messages that a source posts; … stands for what is filled in."""
    return [_text(source, call.end()) for call in _CALL.finditer(source)]


def _text(source: str, at: int) -> str:
    pieces: list[str] = []
    while piece := _PIECE.match(source, at):
        pieces.append(piece[1].replace('\\"', '"'))
        at = piece.end()
    return _CONVERSION.sub("…", "".join(pieces)).replace("….", "…").replace("%%", "%")


def posted() -> list[str]:
    sources = sorted((ROOT / "plugin").rglob("*.c"))
    return [text for source in sources for text in said(source.read_text(encoding="utf-8"))]


def explained(page: str) -> list[str]:
    """The headings of messages."""
    return re.findall(r"^### (.+)$", page.split(SILENT)[0], re.MULTILINE)


HEADINGS = explained(PAGE.read_text(encoding="utf-8"))


def test_the_sources_are_read() -> None:
    assert len(posted()) >= 20
    assert all(len(text) > 20 for text in posted())


@pytest.mark.parametrize("text", posted())
def test_every_message_is_on_the_page(text: str) -> None:
    assert text in HEADINGS


def test_the_page_has_no_message_that_is_gone() -> None:
    assert [heading for heading in HEADINGS if heading not in posted()] == []


def test_no_message_is_on_the_page_twice() -> None:
    assert len(HEADINGS) == len(set(HEADINGS))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('GST_ELEMENT_WARNING (self, A, B,\n  ("One " "two."), ("fix"));', "One two."),
        ('GST_ELEMENT_ERROR (a->b, A, B, ("%s (%.2g) is\\"",\n x, y), (NULL));', '… (…) is"'),
        (
            'GST_ELEMENT_WARNING (s, A, B, ("At %" G_GINT64_FORMAT\n " bit/s.", x), (""));',
            "At … bit/s.",
        ),
        ('GST_ELEMENT_WARNING (s, A, B, ("Ends%s.", x), (""));', "Ends…"),
    ],
)
def test_a_text_is_put_together(source: str, text: str) -> None:
    assert said(source) == [text]


def test_a_message_that_is_only_logged_is_none() -> None:
    assert said('GST_WARNING_OBJECT (self, "words");') == []
