"""Which blocks make a call together, and which are none."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from published import words
from published.blocks import Block

# Blocks with a pipeline that is not a call, and why.
NO_CALL = {
    "docs/how-to/pre-encoded.md 1": "a camera with streams of its own: tests/test_substreams.py",
    "docs/testbed.md 1": "a scenario file; its pipelines are filled in by the testbed",
}
# The other end, where it is not in the block that follows.
PARTNERS = {
    "docs/how-to/python.md 1": "README.md 2",
    "docs/how-to/size-and-frame-rate.md 1": "README.md 2",
    "plugin/gstgccscale.c 1": "plugin/gstgccreceiver.c 1",
    "plugin/gstgccsender.c 1": "plugin/gstgccreceiver.c 1",
    "plugin/gstgccsender.c 2": "examples/launch/protected-receiver.sh 1",
    "plugin/gstgccsender.c 3": "docs/how-to/video-and-audio.md 2",
    "examples/launch/sender.sh 1": "examples/launch/receiver.sh 1",
    "examples/launch/protected-sender.sh 1": "examples/launch/protected-receiver.sh 1",
}
# Blocks that are the same line, word for word.
SAME = (
    ("docs/how-to/size-and-frame-rate.md 1", "plugin/gstgccscale.c 1"),
    (
        "README.md 1",
        "docs/how-to/one-way-stream.md 1",
        "plugin/gstgccsender.c 1",
        "examples/launch/sender.sh 1",
    ),
    (
        "README.md 2",
        "docs/how-to/one-way-stream.md 2",
        "plugin/gstgccreceiver.c 1",
        "examples/launch/receiver.sh 1",
    ),
    ("docs/how-to/video-and-audio.md 1", "plugin/gstgccsender.c 3"),
    ("plugin/gstgccsender.c 2", "examples/launch/protected-sender.sh 1"),
)


@dataclass(frozen=True)
class Call:
    """Two lines: of host a, which sends, and of b, which receives; or one line at both."""

    at_a: Block
    at_b: Block
    words_a: tuple[str, ...]
    words_b: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.at_a.name

    @property
    def title(self) -> str:
        other = "" if self.at_b.document == self.at_a.document else f" → {self.at_b.title}"
        return f"{self.at_a.title}{other}"

    @property
    def digest(self) -> str:
        """Of all that is started; calls of the same words are one call."""
        return hashlib.sha256(json.dumps(self.commands()).encode()).hexdigest()[:16]

    @property
    def senders(self) -> tuple[str, ...]:
        """The hosts that send video."""
        return ("a", "b") if self.at_a == self.at_b else ("a",)

    def commands(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What is started."""
        return (
            tuple(words.as_run(list(self.words_a), "a")),
            tuple(words.as_run(list(self.words_b), "b")),
        )

    def says_transport_cc(self) -> bool:
        return "feedback=transport-cc" in words.pipeline(list(self.words_a))


def calls(blocks: list[Block]) -> list[Call]:
    """Each block that sends, with the one that receives."""
    known = {block.name: block for block in blocks}
    taken = {block.name: words.taken_apart(block) for block in blocks if block.name not in NO_CALL}
    found = []
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block.name not in taken or not _sends(taken[block.name]):
            continue
        other: Block | None = following
        if _receives(taken[block.name]):
            other = block
        elif block.name in PARTNERS:
            other = known[PARTNERS[block.name]]
        if other is None or other.name not in taken or not _receives(taken[other.name]):
            raise ValueError(f"{block.name}: no line follows that receives; see PARTNERS")
        ends = (tuple(taken[block.name]), tuple(taken[other.name]))
        found.append(Call(block, other, *ends))
    return found


def unclassified(blocks: Iterable[Block], made: Iterable[Call]) -> list[str]:
    """Blocks that are in no call, and not known to be none."""
    used = {block.name for call in made for block in (call.at_a, call.at_b)}
    return [block.name for block in blocks if block.name not in used | set(NO_CALL)]


def _sends(line: list[str]) -> bool:
    return "gccsender" in words.pipeline(line)


def _receives(line: list[str]) -> bool:
    # rtpsrc has no place for gccreceiver.
    return not {"gccreceiver", "rtpsrc"}.isdisjoint(words.pipeline(line))
