"""Calls with a real encoder, which flows of rtpgccbwe can make too: `v3-017` on the path of p3-017.

Nothing is drawn anew. The traffic model gives way to a sequence at its own frame rate, so that its
pictures are compared, and retransmission, which those flows lack, is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gcc_testbed.studies.drawn.calls import Drawn
from gcc_testbed.studies.paths import calls
from gcc_testbed.studies.paths.calls import Source

LETTER = "v"
# Of the drawn calls one in as many is made with a real encoder, too.
ONE_IN = 5
SEQUENCE = "foreman"
# An encoder fills no more with these pictures.
MOST_KBPS = 2500


def has(name: str) -> bool:
    """Whether a name is that of a call with a real encoder."""
    return name.startswith(LETTER)


def names(drawn_names: list[str]) -> list[str]:
    """Of the first ones, for so many calls."""
    return [LETTER + name[1:] for name in drawn_names[: math.ceil(len(drawn_names) / ONE_IN)]]


def apart(every: Iterable[str]) -> tuple[list[str], list[str]]:
    """The calls of the model, and those with a real encoder."""
    listed = list(every)
    return [name for name in listed if not has(name)], [name for name in listed if has(name)]


def drawn(name: str, source: Source) -> Drawn:
    """The call of a name."""
    call = calls.drawn(calls.LETTER + name[1:], source)
    flows = [_filmed(flow) if flow["kind"] == "gcc" else flow for flow in call.tables["flow"]]
    title = (
        f"path of {call.name}, {call.kinds['recording']}: {SEQUENCE}, "
        f"at most {flows[0]['max_kbps']} kbit/s"
    )
    changed = {"title": f"{name}: {title}", "quality": True, "flow": flows}
    return replace(call, name=name, title=title, tables={**call.tables, **changed})


def _filmed(flow: dict[str, Any]) -> dict[str, Any]:
    """A flow of the model as one of video."""
    of_model = ("source", "frame_rate", "protection")
    kept = {key: value for key, value in flow.items() if key not in of_model}
    return {**kept, "sequence": SEQUENCE, "max_kbps": min(flow["max_kbps"], MOST_KBPS)}
