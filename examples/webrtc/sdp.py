"""What a call needs to be controlled, as read and written in SDP.

Congestion control takes two lines of each video section: transport-cc, or where the other end has
none, REMB. `caps` are what webrtcbin writes SDP from; it copies an attribute `a-...`, but would
lose a field `rtcp-fb-goog-remb`: it writes only the feedback that it knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

ABS_SEND_TIME = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
TRANSPORT_CC = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

# In an offer of ours, where nobody has chosen before. In a bundle an extension has one number, and
# webrtcbin does not see to it: further streams have to take the same.
PAYLOAD_TYPE = 96
ABS_SEND_TIME_ID, TRANSPORT_CC_ID = 3, 5

# What may steer: transport-cc where the other end has it, else REMB; only REMB; only transport-cc.
FEEDBACK = ("auto", "remb", "transport-cc")


class NoVideo(Exception):
    """The offer has no video that this application can take part in."""


class NoTransportCc(Exception):
    """The other end has no transport-cc, and nothing else is wanted."""


# --- reading ---


def sections(text: str) -> list[str]:
    """The session's own lines, then those of each m-line."""
    return re.split(r"^(?=m=)", text, flags=re.MULTILINE)


def video(text: str) -> str:
    found = next((one for one in sections(text) if one.startswith("m=video")), None)
    if found is None:
        raise NoVideo("there is no video")
    return found


def payload_type(section: str, codec: str) -> int:
    found = re.search(rf"^a=rtpmap:(\d+) {codec}/90000", section, re.MULTILINE)
    if found is None:
        raise NoVideo(f"there is no {codec}")
    return int(found[1])


def extension_id(section: str, uri: str) -> int | None:
    found = re.search(rf"^a=extmap:(\d+)(?:/\w+)? {re.escape(uri)}\s*$", section, re.MULTILINE)
    return None if found is None else int(found[1])


def has_transport_cc(section: str) -> bool:
    """Both halves: the packets are numbered, and somebody tells what became of them."""
    tells = re.search(r"^a=rtcp-fb:(\d+|\*) transport-cc\s*$", section, re.MULTILINE)
    return tells is not None and extension_id(section, TRANSPORT_CC) is not None


# --- what we take of an offer ---


def understood(offer: str, feedback: str = "auto") -> str:
    """The offer without what we do not do.

    webrtcbin accepts every header extension that it is offered, and its payloaders write few: those
    that measure the path stay. Where a section has only one half of transport-cc (Firefox's audio
    has none at all), that goes, too: half of it numbers packets of which nobody tells, or tells of
    packets that have no number. So does all of it with REMB: a browser that may use transport-cc
    follows only that. Of simulcast nothing stays: the extension that tells its streams apart is not
    one of ours.
    """
    wanted = feedback != "remb"
    return "".join(
        _understood_section(section, wanted and has_transport_cc(section))
        for section in sections(offer)
    )


def _understood_section(section: str, transport_cc: bool) -> str:
    uris = [ABS_SEND_TIME, *([TRANSPORT_CC] if transport_cc else [])]

    def stays(line: str) -> bool:
        if line.startswith("a=extmap:"):
            return any(uri in line for uri in uris)
        if line.startswith(("a=rid:", "a=simulcast:")):
            return False
        return transport_cc or not re.match(r"a=rtcp-fb:\S+ transport-cc", line)

    return "".join(line for line in section.splitlines(keepends=True) if stays(line))


# --- writing ---


def caps_for_answer(offer: str, codec: str, feedback: str = "auto") -> str:
    """What we send in answer to an offer (as `understood`): its numbers, no more than it has."""
    section = video(offer)
    if feedback == "transport-cc" and not has_transport_cc(section):
        raise NoTransportCc("the offer has no transport-cc")
    return _caps(
        codec,
        payload_type(section, codec),
        extension_id(section, ABS_SEND_TIME),
        extension_id(section, TRANSPORT_CC),
    )


def caps_for_offer(codec: str, feedback: str = "auto") -> str:
    """What we offer to send."""
    number = None if feedback == "remb" else TRANSPORT_CC_ID
    return _caps(codec, PAYLOAD_TYPE, ABS_SEND_TIME_ID, number)


def _caps(codec: str, payload: int, abs_send_time: int | None, transport_cc: int | None) -> str:
    fields = [
        f"application/x-rtp,media=video,encoding-name={codec},clock-rate=90000,payload={payload}",
        f'a-rtcp-fb=(string)"{payload} goog-remb"',
        # webrtcbin offers it by itself, even where there is no number
        f"rtcp-fb-transport-cc=(boolean){'false' if transport_cc is None else 'true'}",
    ]
    for number, uri in ((abs_send_time, ABS_SEND_TIME), (transport_cc, TRANSPORT_CC)):
        if number is not None:
            fields.append(f"extmap-{number}=(string){uri}")
    return ",".join(fields)


def with_candidates(description: str, candidates: Iterable[str]) -> str:
    """The description with the addresses that were gathered for it.

    They stand in the first section, whose transport all sections of a bundle have. webrtcbin of
    GStreamer 1.26 ends them with an empty one, which is no line of SDP: browsers refuse it.
    """
    session, first, *others = sections(description)
    lines = (f"a={candidate}\r\n" for candidate in candidates if candidate)
    return "".join((session, first, *lines, *others))
