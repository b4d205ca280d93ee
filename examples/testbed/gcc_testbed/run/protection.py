"""Loss protection of a flow: retransmissions and forward error correction, and the repair by them.

The sender's words go between payloader and gccsender, which tells media, FEC and retransmissions
apart by their payload types. FEC shares the media's SSRC and sequence numbers (RFC 5109 within one
stream), retransmissions have an SSRC of their own (RFC 4588).

The receiver's words go behind its session. rtpbin has no property for either, and rtpulpfecdec
finds its storage upstream: so the parts of rtpbin stand in the line by themselves.
"""

from __future__ import annotations

from gcc_testbed.scenario.flows import GccFlow
from gcc_testbed.scenario.network import FEC_PAYLOAD_TYPE, MEDIA_PAYLOAD_TYPE, RTX_PAYLOAD_TYPE

_PAYLOAD_TYPE_MAP = (
    f"payload-type-map=application/x-rtp-pt-map,{MEDIA_PAYLOAD_TYPE}=(uint){RTX_PAYLOAD_TYPE}"
)


def sender(flow: GccFlow) -> tuple[str, ...]:
    """What adds the protection, to follow the payloader; FEC first, which is not sent again."""
    words: tuple[str, ...] = ()
    if "fec" in flow.protection:
        # Its percentage is gccsender's to set.
        words += ("!", "rtpulpfecenc", f"pt={FEC_PAYLOAD_TYPE}")
    if "rtx" in flow.protection:
        words += ("!", "rtprtxsend", _PAYLOAD_TYPE_MAP, "max-size-time=1000", "max-size-packets=0")
    return words


def receiver(flow: GccFlow, latency: int) -> tuple[str, ...]:
    """From the session's packets to repaired media of one payload type."""
    rtx, fec = "rtx" in flow.protection, "fec" in flow.protection
    # Of any payload type: the jitter buffer drops what its caps do not name.
    caps = "caps=application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000"
    return (
        *(("rtprtxreceive", _PAYLOAD_TYPE_MAP, "!") if rtx else ()),
        *("capssetter", "replace=true", caps, "!"),
        # Twice what is waited for: a lost packet's FEC is older than the packet's last chance.
        *(("rtpstorage", f"size-time={2 * latency * 1_000_000}", "!") if fec else ()),
        *("rtpssrcdemux", "!", "rtpjitterbuffer", f"latency={latency}", "do-lost=true"),
        # Only what is missing is asked for, not what is expected next.
        *(f"do-retransmission={str(rtx).lower()}", "rtx-next-seqnum=false"),
        *(("!", "rtpulpfecdec", f"pt={FEC_PAYLOAD_TYPE}") if fec else ()),
        *("!", "rtpptdemux", f"ignored-payload-types=<{FEC_PAYLOAD_TYPE}>", "name=media", "media."),
    )
