"""An answer of webrtcbin that keeps the feedback of the offer; answer.c is the same in C."""

from __future__ import annotations

import re

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import Gst, GstSdp, GstWebRTC  # noqa: E402

_RECVONLY = GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY


def answer_with_feedback_of_offer(webrtcbin: Gst.Element, offer: GstSdp.SDPMessage) -> None:
    """Makes the transceivers ask for the codecs of the offer, with its extensions and feedback.

    An answer of webrtcbin has the header extensions that its transceivers ask for, and no others:
    transport-cc and abs-send-time are lost without a word. To be called between
    set-remote-description and create-answer.
    """
    for index in range(offer.medias_len()):
        codecs = _codecs(offer.get_media(index))
        if codecs.is_empty():
            continue
        transceiver = webrtcbin.emit("get-transceiver", index)
        if transceiver is not None:
            transceiver.set_property("codec-preferences", codecs)
        else:  # what is only received has none before the answer is made
            webrtcbin.emit("add-transceiver", _RECVONLY, codecs)


def _codecs(media: GstSdp.SDPMedia) -> Gst.Caps:
    codecs = Gst.Caps.new_empty()
    for index in range(media.formats_len()):
        caps = media.get_caps_from_media(int(media.get_format(index)))
        if caps is None:
            continue
        media.attributes_to_caps(caps)
        codecs.append(Gst.Caps.from_string(_without_the_other_end(caps)))
    return codecs


def _without_the_other_end(caps: Gst.Caps) -> str:
    """Lines about the other end itself, such as its SSRCs, are no part of the answer."""
    # A structure of its own: that of caps has other methods in Python since GStreamer 1.26.
    kept = Gst.Structure.new_from_string(caps.to_string())
    kept.set_name("application/x-rtp")
    for name in [kept.nth_field_name(index) for index in range(kept.n_fields())]:
        if name.startswith(("a-", "ssrc")):
            kept.remove_field(name)
    # An end that answers receives what the other end sends: RFC 8851.
    turned = {"send": "recv", "recv": "send"}
    direction = r"(\brid-[^=,]+=\(string\)(?:< *)?)(send|recv)\b"
    return re.sub(direction, lambda found: found[1] + turned[found[2]], kept.to_string())
