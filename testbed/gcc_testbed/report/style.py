"""Colours and matplotlib settings of every plot."""

from __future__ import annotations

from typing import Any

import matplotlib

matplotlib.use("Agg")

# Every colour of every plot. Distinguishable with colour vision deficiencies.
COLOUR = {
    "capacity": "#d9d9d9",
    "capacity edge": "#8c8c8c",
    "received": "#0b5fa5",
    "A_s": "#d1660a",
    "A_r": "#2e8b57",
    "v": "#8a6d00",
    "r_{FEC}": "#b3202c",
    "r_{RTX}": "#5b3a8c",
    "r_{ack}": "#0e8f8f",
    "delay-based": "#a0497f",
    "pacing": "#b0b0b0",
    "probe": "#c2185b",
    "alr": "#f3d27a",
    "delay": "#0b5fa5",
    "loss": "#b3202c",
    "ecn": "#2e8b57",
    "m": "#5b3a8c",
    "gamma": "#555555",
    "overuse": "#f2b8b5",
    "underuse": "#b9d7f2",
    "increase": "#8cc79b",
    "hold": "#e8d27a",
    "decrease": "#e58e88",
    # Of the loss estimate.
    "no loss": "#cfcfcf",
    "decreasing": "#e58e88",
    "increasing": "#8cc79b",
    "padding": "#b9d7f2",
    "text": "#222222",
}

# Rows of states and events below a trace's rates, and the reasons of its falls.
LANE = {
    "over-use": "#b3202c",
    "under-use": "#0b5fa5",
    "drain": "#5b3a8c",
    "loss test": "#a0497f",
    "beside TCP": "#8a6d00",
    "source-limited": "#d9a514",
    "no feedback": "#777777",
    "probe": COLOUR["probe"],
    "overuse": "#111111",
    "loss": "#b3202c",
    "ecn": COLOUR["ecn"],
    "round-trip": "#8a6d00",
    "remb": "#2e8b57",
    "no-feedback": "#777777",
    "tcp": "#0e8f8f",
    "limits": "#8c8c8c",
}

# Colours of flows by number, gcc before all others; the grey ones are many TCP flows.
FLOWS = ("#0b5fa5", "#d1660a", "#2e8b57", "#5b3a8c", "#b3202c", "#8a6d00", "#0e8f8f", "#a0497f")
CROWD = "#9a9a9a"
# More flows of one kind than this are a crowd: one colour, one label.
CROWD_FROM = 5

STYLE: dict[Any, Any] = {
    "font.size": 9,
    # The same data gives the same file.
    "svg.hashsalt": "gcc-testbed",
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#eeeeee",
    "axes.axisbelow": True,
    "text.color": COLOUR["text"],
    "axes.labelcolor": COLOUR["text"],
}
