"""The files of a run directory: written during a call, read when it is measured."""

from __future__ import annotations

from gcc_testbed.scenario.flows import VideoFlow
from gcc_testbed.scenario.scenario import Scenario

METRICS = "metrics.json"
PER_SECOND = "per-second.csv"
LINK_LOGS = {"forward": "link.csv", "backward": "link-backward.csv"}
# Media after the repair, as sent within the receiving host.
REPAIRED = {"forward": "repaired.pcap", "backward": "repaired-backward.pcap"}
# The resident memory of every end of a flow, once a minute.
MEMORY = "memory.csv"
TCP_LOGS = {"a": "tcp-a.csv", "b": "tcp-b.csv"}


def capture(host: str) -> str:
    """The packets at a host."""
    return f"{host}.pcap"


def trace(scenario: Scenario, side: str, number: int) -> str:
    """The trace of a flow's sender or receiver; a single flow's has no name in it."""
    if len(scenario.flows) == 1:
        return f"{side}.csv"
    return f"{side}-{scenario.flows[number].name}.csv"


def restarted(file: str, again: int) -> str:
    """The trace of an end that has been started again, for the first time, the second, ..."""
    return file.replace(".csv", f"-restarted-{again}.csv") if again else file


def recording(flow: VideoFlow) -> str:
    """A flow's packets as they left the jitter buffer."""
    return f"received-{flow.name}.gdp"
