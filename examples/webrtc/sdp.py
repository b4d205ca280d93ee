"""What a call needs to be controlled by REMB, as read and written in SDP."""

from __future__ import annotations

import re
from collections.abc import Iterable

ABS_SEND_TIME = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"


class NoVideo(Exception):
    """The offer has no video that this application can take part in."""


def for_remb(offer: str) -> str:
    """The offer without what would rule instead of REMB.

    A browser that may use transport-wide feedback (transport-cc) follows only that. Of the header
    extensions webrtcbin would accept all, and its payloaders write few: abs-send-time stays, by
    which gccreceiver and the browser measure.
    """
    return "".join(
        line
        for line in offer.splitlines(keepends=True)
        if "transport-cc" not in line
        and (not line.startswith("a=extmap:") or ABS_SEND_TIME in line)
    )


def payload_type(offer: str, codec: str) -> int:
    found = re.search(rf"^a=rtpmap:(\d+) {codec}/90000", offer, re.MULTILINE)
    if found is None:
        raise NoVideo(f"the offer has no {codec}")
    return int(found[1])


def caps(offer: str, codec: str) -> str:
    """What we send in answer to it, as caps, from which webrtcbin writes SDP.

    A field `rtcp-fb-goog-remb` would be lost on the way: webrtcbin writes only the feedback that it
    knows. An attribute `a-...` is copied.
    """
    number = payload_type(offer, codec)
    fields = [
        f"application/x-rtp,media=video,encoding-name={codec},clock-rate=90000,payload={number}",
        f'a-rtcp-fb=(string)"{number} goog-remb"',
    ]
    extension = re.search(rf"^a=extmap:(\d+)(?:/\w+)? {ABS_SEND_TIME}", offer, re.MULTILINE)
    if extension is not None:
        fields.append(f"extmap-{extension[1]}=(string){ABS_SEND_TIME}")
    return ",".join(fields)


def with_candidates(answer: str, candidates: Iterable[str]) -> str:
    """The answer with the addresses that were gathered for it.

    webrtcbin of GStreamer 1.26 ends them with an empty one, which is no line of SDP: browsers
    refuse it.
    """
    return answer + "".join(f"a={candidate}\r\n" for candidate in candidates if candidate)
