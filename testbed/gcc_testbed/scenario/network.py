"""Identifiers of the packets of a flow: hosts, addresses, ports and RTP payload types."""

from __future__ import annotations

from dataclasses import dataclass

A_ADDRESS = "10.0.1.2"
B_ADDRESS = "10.0.2.2"
ADDRESS = {"a": A_ADDRESS, "b": B_ADDRESS}

MEDIA_PAYLOAD_TYPE = 96
RTX_PAYLOAD_TYPE = 97
FEC_PAYLOAD_TYPE = 100


def ends(direction: str) -> tuple[str, str]:
    """The hosts that send and receive a flow's media."""
    return ("a", "b") if direction == "forward" else ("b", "a")


@dataclass(frozen=True)
class Ports:
    """Ports of one flow; the source ports are fixed so that runs are repeatable."""

    rtp: int
    rtcp: int
    feedback: int
    # Within the receiving host: media after the repair.
    repaired: int
    # The first of a TCP flow's source ports.
    tcp_source: int

    @classmethod
    def of_flow(cls, index: int) -> Ports:
        base = 5000 + 10 * index
        return cls(
            rtp=base,
            rtcp=base + 1,
            feedback=base + 5,
            repaired=base + 7,
            tcp_source=20000 + 100 * index,
        )
