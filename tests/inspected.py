"""What gst-inspect-1.0 says of an element, read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

# Of GstElement. gst-inspect-1.0 prints them where pads come and go.
PAD_SIGNALS = {"pad-added", "pad-removed", "no-more-pads"}

_ENTRY = re.compile(r"(\S+?) *: (.*)")
_SPAN = re.compile(r"(.+?)\. Range: *(\S+) - *(\S+) Default: *(\S+) *$")
_PLAIN = re.compile(r"(Boolean|String)\. Default: (.*)$")
_ENUM = re.compile(r'Enum "(\w+)" Default: -?\d+, "(.*)"')
_FLAGS = re.compile(r'Flags "(\w+)" Default: 0x[\da-f]+, "(.*)"')
_CLASS = re.compile(r'(?:Object|Boxed pointer) of type "(\w+)"')
_VALUE = re.compile(r"\((?:-?\d+|0x[\da-f]+)\): (\S+) +- (.*)")
_STATES = re.compile(r"changeable (?:only )?in ([A-Z, ]+(?: or [A-Z]+)?) state")
_PAD = re.compile(r" *(SINK|SRC) template: '(.+)'\n *Availability: (.+)\n *Capabilities:\n *(.+)\n")
_PLUGIN = re.compile(r"^Plugin Details:\n  Name +(\S+)", re.M)
_DESCRIPTION = re.compile(r"^  Description +(.+)", re.M)
# With what an action returns, since GStreamer 1.26.
_SIGNAL = re.compile(r'^  "([\w-]+)" (?:-> \w+ +)?:', re.M)


class UnreadableError(ValueError):
    """gst-inspect-1.0 says something that is unknown here."""


@dataclass(frozen=True)
class Property:
    """set_in is empty when an application cannot write the property."""

    name: str
    meaning: str
    type: str
    span: str
    default: str
    set_in: str
    values: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False


@dataclass(frozen=True)
class Pad:
    name: str
    direction: str
    presence: str
    caps: str
    properties: tuple[Property, ...]


@dataclass(frozen=True)
class Element:
    name: str
    description: str
    plugin: str
    pads: tuple[Pad, ...]
    properties: tuple[Property, ...]
    signals: tuple[str, ...]
    actions: tuple[str, ...]


def section(text: str, title: str) -> str:
    """The indented lines below a title; blank ones stand between fields of a structure, too."""
    text = re.sub(r" +$", "", text, flags=re.M)  # a blank line of GStreamer 1.26 is indented
    found = re.search(rf"^( *){title}:\n((?:\n*\1 +.*\n)*)", text + "\n", re.M)
    return found[2] if found is not None else ""


def entries(text: str) -> Iterator[list[str]]:
    """The lines that are indented as the first is, each with the deeper ones below it."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return
    depths = [len(line) - len(line.lstrip()) for line in lines]
    starts = [at for at, depth in enumerate(depths) if depth == depths[0]]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield [line.strip() for line in lines[start:end]]


def kind(text: str) -> tuple[str, str, str]:
    """Type, range and default."""
    if span := _SPAN.match(text):
        return span[1], f"{span[2]} to {span[3]}", span[4]
    if plain := _PLAIN.match(text):
        return plain[1], "", plain[2].strip('"')
    if enum := _ENUM.match(text):
        return enum[1], "", enum[2]
    if flags := _FLAGS.match(text):
        return flags[1], "", flags[2]
    if structured := _CLASS.match(text):
        return structured[1], "", ""
    raise UnreadableError(text)


def in_order(flags: str, nicks: list[str]) -> str:
    """gst-inspect-1.0 begins with the greatest."""
    return "+".join(sorted(flags.split("+"), key=nicks.index))


def states(flags: str) -> str:
    if "writable" not in flags:
        return ""
    found = _STATES.search(flags)
    if found is None or "PLAYING" in found[1]:
        return "any state"
    return found[1].replace(" or ", ", ")


def read_property(lines: list[str]) -> Property:
    """From the line with its name; the next ones are its flags and its type."""
    entry = _ENTRY.match(lines[0])
    if entry is None or len(lines) < 3:
        raise UnreadableError("\n".join(lines))
    type_name, span, default = kind(lines[2])
    values = [(found[1], found[2]) for line in lines[3:] if (found := _VALUE.match(line))]
    if lines[2].startswith("Flags"):
        default = in_order(default, [nick for nick, _ in values])
    return Property(
        name=entry[1],
        meaning=entry[2],
        type=type_name,
        span=span,
        default=default,
        set_in=states(lines[1]),
        values=tuple(values),
        is_deprecated="deprecated" in lines[1],
    )


def read_pads(text: str) -> Iterator[Pad]:
    blocks = re.split(r"^(?=  S(?:INK|RC) template)", text, flags=re.M)
    for block in filter(str.strip, blocks):
        found = _PAD.match(block)
        if found is None:
            raise UnreadableError(block)
        properties = map(read_property, entries(section(block, "Pad Properties")))
        yield Pad(found[2], found[1].lower(), found[3].lower(), found[4], tuple(properties))


def names(text: str) -> set[str]:
    """Of the properties, signals and action signals."""
    properties = {lines[0].split()[0] for lines in entries(section(text, "Element Properties"))}
    return properties.union(*(signals(text, title) for title in ("Signals", "Actions")))


def signals(text: str, title: str) -> list[str]:
    return _SIGNAL.findall(section(text, f"Element {title}"))


def read(name: str, text: str, inherited: Collection[str]) -> Element:
    """Reads the output for an element, without the properties and signals that it inherits."""
    plugin, description = _PLUGIN.search(text), _DESCRIPTION.search(text)
    if plugin is None or description is None:
        raise UnreadableError(text)
    properties = map(read_property, entries(section(text, "Element Properties")))
    known = {*inherited, *PAD_SIGNALS}
    return Element(
        name,
        description[1],
        plugin[1],
        tuple(read_pads(section(text, "Pad Templates"))),
        tuple(each for each in properties if each.name not in inherited),
        tuple(each for each in signals(text, "Signals") if each not in known),
        tuple(each for each in signals(text, "Actions") if each not in known),
    )
