"""Loss protection of a flow by retransmissions and forward error correction.

The sender's elements are between payloader and gccsender, which distinguishes media, FEC and
retransmissions by their payload types. FEC shares the media's SSRC and sequence numbers (RFC 5109
within one stream), retransmissions have an SSRC of their own (RFC 4588).

The receiver's elements are downstream of its session. rtpbin has no property for them, and
rtpulpfecdec looks for its storage upstream, so the receiver is built from rtpbin's parts.
"""

from __future__ import annotations

from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.network import FEC_PAYLOAD_TYPE, MEDIA_PAYLOAD_TYPE, RTX_PAYLOAD_TYPE

_PAYLOAD_TYPE_MAP = (
    f"payload-type-map=application/x-rtp-pt-map,{MEDIA_PAYLOAD_TYPE}=(uint){RTX_PAYLOAD_TYPE}"
)


def sender(flow: GccFlow) -> tuple[str, ...]:
    """The elements downstream of the payloader; FEC first, as it is not retransmitted."""
    elements: tuple[str, ...] = ()
    if "fec" in flow.protection:
        # gccsender sets its percentage.
        elements += ("!", "rtpulpfecenc", f"pt={FEC_PAYLOAD_TYPE}")
    if "rtx" in flow.protection:
        elements += (
            "!",
            "rtprtxsend",
            _PAYLOAD_TYPE_MAP,
            "max-size-time=1000",
            "max-size-packets=0",
        )
    return elements


def receiver(flow: GccFlow, latency: int) -> tuple[str, ...]:
    """From the session's packets to repaired media of one payload type."""
    rtx, fec = "rtx" in flow.protection, "fec" in flow.protection
    # Of any payload type: the jitter buffer drops what its caps do not name.
    caps = "caps=application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000"
    return (
        *(("rtprtxreceive", _PAYLOAD_TYPE_MAP, "!") if rtx else ()),
        *("capssetter", "replace=true", caps, "!"),
        # Twice the latency: the FEC of a lost packet is older than the packet's deadline.
        *(("rtpstorage", f"size-time={2 * latency * 1_000_000}", "!") if fec else ()),
        *("rtpssrcdemux", "!", "rtpjitterbuffer", f"latency={latency}", "do-lost=true"),
        # Requests only missing packets, not expected ones.
        *(f"do-retransmission={str(rtx).lower()}", "rtx-next-seqnum=false"),
        *(("!", "rtpulpfecdec", f"pt={FEC_PAYLOAD_TYPE}") if fec else ()),
        *("!", "rtpptdemux", f"ignored-payload-types=<{FEC_PAYLOAD_TYPE}>", "name=media", "media."),
    )
