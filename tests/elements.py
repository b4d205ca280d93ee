"""Writes docs/reference/elements.md: the properties, pads and signals that gst-inspect-1.0 finds.

build/venv/bin/python tests/elements.py [BUILD_DIR]      # built with -Drtpgccbwe=enabled
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import inspected
import markdown_table
from inspected import Element, Pad, Property

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "elements.md"
ELEMENTS = ("gccsender", "gccreceiver", "gccscale", "rtpgccbwe")
# It has what all elements and bins have.
BASE = "bin"

HEADER = """# Elements

Written by `tests/elements.py` from `gst-inspect-1.0`; do not edit. What GStreamer's base classes
have is left out. A property with a star is written in the states NULL and READY only.
[The glossary](../glossary.md) has the words and symbols.
"""
# As GObject calls them.
_TYPES = {
    "Boolean": "gboolean",
    "Double": "gdouble",
    "Integer": "gint",
    "String": "gchararray",
    "Unsigned Integer": "guint",
}
# A pad that is always there has no note.
_THERE = {"always": ""}
# The states in which some properties are written.
_STOPPED = "NULL, READY"
# All that a guint holds.
_ANY = "0 to 4294967295"
# The fields of this property have a page.
_STATS = "stats"
_SHARED = "gccsender and gccreceiver"
_DEPRECATED = re.compile(r"^This (?:name|property) is deprecated and goes after version 0\.2: ")
table = partial(markdown_table.table, pipe="&#124;")


def inspect(build: Path) -> list[Element]:
    """Of that build only: other plugins of the system are not looked at."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "LC_ALL": "C",
            "GST_PLUGIN_SYSTEM_PATH": "",
            "GST_PLUGIN_PATH": f"{build / 'plugin'}:{build / 'dropin'}",
            "GST_REGISTRY": str(Path(folder) / "registry.bin"),
        }

        def said(name: str) -> str:
            command = ["gst-inspect-1.0", "--no-colors", name]
            return subprocess.run(
                command, env=environment, capture_output=True, text=True, check=True
            ).stdout

        inherited = inspected.names(said(BASE))
        return [inspected.read(name, said(name), inherited) for name in ELEMENTS]


def kind(each: Property) -> str:
    """Type and range; the meaning has the unit."""
    if each.values:
        name = f"[{each.type}](#{anchor(each.type)})"
    else:
        name = _TYPES.get(each.type, each.type)
    span = each.span if each.span != _ANY else ""
    return ", ".join(filter(None, (name, span, "" if each.set_in else "read only")))


def property_row(each: Property) -> Iterator[str]:
    yield f"`{each.name}`" + ("*" if each.set_in == _STOPPED else "")
    yield kind(each)
    yield f"`{each.default}`" if each.default else ""
    yield "[statistics](../stats.md)" if each.name == _STATS else each.meaning


def instead(each: Property) -> str:
    """Of a deprecated property: the sentence without what is the same for all of them."""
    return _DEPRECATED.sub("", each.meaning)


def property_table(properties: Sequence[Property]) -> str:
    titles = ("property", "type", "default", "meaning")
    present = (property_row(each) for each in properties if not each.is_deprecated)
    old = [(f"`{each.name}`", instead(each)) for each in properties if each.is_deprecated]
    also = f"\n{table(('deprecated, goes after 0.2', 'instead'), old)}" if old else ""
    return table(titles, present) + also


def pads_said(pads: Sequence[Pad]) -> str:
    """In a sentence: names, and caps."""
    each = (f"`{pad.name}`" + _THERE.get(pad.presence, f" ({pad.presence})") for pad in pads)
    return f"Pads: {', '.join(each)}; caps: {listed(dict.fromkeys(pad.caps for pad in pads))}.\n"


def signals_said(element: Element) -> str:
    """In a sentence, where there are any."""
    kinds = (("Signals", element.signals), ("Action signals", element.actions))
    said = [f"{title}: {listed(names)}." for title, names in kinds if names]
    return f"\n{' '.join(said)}\n" if said else ""


def anchor(heading: str) -> str:
    return heading.lower().replace(" ", "-")


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def element_section(element: Element, shared: Iterable[Property]) -> Iterator[str]:
    yield f"\n## {element.name}\n\n{element.description}. Plugin: `{element.plugin}`.\n\n"
    yield pads_said(element.pads)
    for properties in dict.fromkeys(pad.properties for pad in element.pads if pad.properties):
        pads = [pad.name for pad in element.pads if pad.properties == properties]
        yield f"\nProperties of the pads {listed(pads)}:\n\n{property_table(properties)}"
    own = [each for each in element.properties if each not in shared]
    also = "" if own == [*element.properties] else f", beside [those of both](#{anchor(_SHARED)})"
    yield f"\nProperties of the element{also}:\n\n{property_table(own)}"
    yield signals_said(element)


def enumerations(elements: Iterable[Element]) -> Iterator[str]:
    found = {
        each.type: each.values for element in elements for each in element.properties if each.values
    }
    for name, values in sorted(found.items()):
        rows = ([f"`{nick}`", meaning] for nick, meaning in values)
        yield f"\n### {name}\n\n{table(('value', 'meaning'), rows)}"


def render(elements: Sequence[Element]) -> str:
    sender, receiver, *others = elements
    shared = [each for each in sender.properties if each in receiver.properties]
    return "".join(
        [
            HEADER,
            *element_section(sender, shared),
            *element_section(receiver, shared),
            f"\n## {_SHARED}\n\n{property_table(shared)}",
            *(part for element in others for part in element_section(element, shared)),
            "\n## Values\n",
            *enumerations(elements),
        ]
    )


def main(words: list[str]) -> int:
    if len(words) > 1:
        sys.stderr.write(__doc__ or "")
        return 2
    PAGE.parent.mkdir(exist_ok=True)
    build = Path(words[0] if words else "build").resolve()
    PAGE.write_text(render(inspect(build)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
