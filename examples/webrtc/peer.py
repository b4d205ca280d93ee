"""One call: a webrtcbin that sends and receives video under Google Congestion Control."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import gi
import sdp

gi.require_version("Gst", "1.0")
gi.require_version("GstSdp", "1.0")
gi.require_version("GstWebRTC", "1.0")
from gi.repository import Gst, GstSdp, GstWebRTC  # noqa: E402

# Without a STUN server only the addresses of this machine are gathered.
GATHERING_S = 5
# Until the encoder has its first picture and the payloader its caps.
START_S = 20

DECODED = "rtpvp8depay ! vp8dec ! videoconvert ! "


@dataclass(frozen=True)
class Settings:
    """What is sent and shown, within which limits, and which feedback may steer it."""

    source: str
    sink: str
    min_bitrate: int
    start_bitrate: int
    max_bitrate: int
    traces: Path | None = None
    feedback: str = "auto"

    @property
    def limits(self) -> str:
        return (
            f"min-bitrate={self.min_bitrate} start-bitrate={self.start_bitrate} "
            f"max-bitrate={self.max_bitrate}"
        )

    @property
    def element_feedback(self) -> str:
        """What the elements are told: to add no extension that SDP has not negotiated."""
        return "feedback=remb" if self.feedback == "remb" else "feedback=auto"

    def trace(self, side: str) -> str:
        return "" if self.traces is None else f'trace-location="{self.traces / side}.csv"'


class Peer:
    """Our end of a call, whoever offers it: `answer` an offer, or `offer` and `take_answer`."""

    def __init__(self, settings: Settings, failed: Callable[[str], None]) -> None:
        self._settings = settings
        self._failed = failed
        self._candidates: list[str] = []
        self._gathered = threading.Event()
        self._negotiable = threading.Event()

    def _start(self, caps: str) -> None:
        self._pipeline = self._make_pipeline(caps)
        self._webrtc = self._pipeline.get_by_name("webrtc")
        self._sender = self._make_sender()
        self._receiver_bin, self._receiver = self._make_receiver()
        self._connect()
        self._pipeline.set_state(Gst.State.PLAYING)

    def _make_pipeline(self, caps: str) -> Gst.Pipeline:
        """What webrtcbin negotiates follows from the caps that the payloader has to write."""
        return Gst.parse_launch(
            "webrtcbin name=webrtc bundle-policy=max-bundle "
            f"{self._settings.source} ! videoconvert ! "
            f"vp8enc deadline=1 ! rtpvp8pay mtu=1200 ! {caps} ! webrtc."
        )

    # --- where the two elements go ---

    def _make_sender(self) -> Gst.Element:
        """gccsender is the answer to request-aux-sender: downstream of RTX, before the session.

        There it is the last that sees the packets, and numbers them for transport-cc.
        """
        settings = self._settings
        return Gst.parse_launch(
            f"gccsender manage=all {settings.limits} {settings.element_feedback} "
            f"{settings.trace('sender')}"
        )

    def _make_receiver(self) -> tuple[Gst.Bin, Gst.Element]:
        """gccreceiver stands where rtpbin would decrypt RTP, which webrtcbin has done before."""
        box = Gst.parse_bin_from_description(
            f"gccreceiver name=receiver {self._settings.element_feedback} "
            f"{self._settings.trace('receiver')}",
            False,
        )
        receiver = box.get_by_name("receiver")
        for name in ("sink", "src"):
            box.add_pad(Gst.GhostPad.new(f"rtp_{name}", receiver.get_static_pad(name)))
        return box, receiver

    def _connect(self) -> None:
        webrtc = self._webrtc
        webrtc.connect("request-aux-sender", lambda *_: self._sender)
        webrtc.get_by_name("rtpbin").connect("request-rtp-decoder", lambda *_: self._receiver_bin)
        webrtc.connect("pad-added", self._pad_added)
        webrtc.connect("on-ice-candidate", lambda _, __, text: self._candidates.append(text))
        webrtc.connect("notify::ice-gathering-state", self._gathering_changed)
        webrtc.connect("on-negotiation-needed", lambda _: self._negotiable.set())
        webrtc.emit("get-transceiver", 0).set_property("do-nack", True)
        bus = self._pipeline.get_bus()
        bus.add_signal_watch()
        bus.connect("message::error", lambda _, message: self._failed(str(message.parse_error())))
        bus.connect("message::warning", lambda _, message: print(message.parse_warning()))
        # webrtcbin grows while it negotiates; without latency newer ones send no reports.
        bus.connect("message::latency", lambda *_: self._pipeline.recalculate_latency())

    # --- SDP ---

    def answer(self, offer: str) -> str:
        """Begins the call that the other end offers."""
        offer = sdp.understood(offer, self._settings.feedback)
        self._start(sdp.caps_for_answer(offer, "VP8", self._settings.feedback))
        self._take(GstWebRTC.WebRTCSDPType.OFFER, offer)
        return self._describe("answer")

    def offer(self) -> str:
        """What we offer to the other end."""
        self._start(sdp.caps_for_offer("VP8", self._settings.feedback))
        # before it would know no caps, and offer nothing
        if not self._negotiable.wait(START_S):
            raise TimeoutError("webrtcbin has nothing to offer")
        return self._describe("offer")

    def take_answer(self, answer: str) -> None:
        """Begins the call that we offered."""
        answer = sdp.understood(answer, self._settings.feedback)
        if not sdp.has_transport_cc(sdp.video(answer)):
            if self._settings.feedback == "transport-cc":
                raise sdp.NoTransportCc("the answer has no transport-cc")
            # The payloader goes on writing the extension that we offered; nobody reads it.
            self._sender.set_property("feedback", "remb")
        self._take(GstWebRTC.WebRTCSDPType.ANSWER, answer)

    def _call(self, action: str, argument: object) -> Gst.Structure | None:
        promise = Gst.Promise.new()
        self._webrtc.emit(action, argument, promise)
        promise.wait()
        return promise.get_reply()

    def _take(self, kind: GstWebRTC.WebRTCSDPType, text: str) -> None:
        _, message = GstSdp.SDPMessage.new_from_text(text)
        self._call(
            "set-remote-description",
            GstWebRTC.WebRTCSessionDescription.new(kind, message),
        )

    def _describe(self, kind: str) -> str:
        # The description is the reply's own: it lives as long as that does.
        reply = self._call(f"create-{kind}", None)
        description = reply.get_value(kind)
        self._call("set-local-description", description)
        # All at once: one request and one response are the whole of the signalling.
        self._gathered.wait(GATHERING_S)
        return sdp.with_candidates(description.sdp.as_text(), self._candidates)

    def _gathering_changed(self, webrtc: Gst.Element, _: object) -> None:
        state = webrtc.get_property("ice-gathering-state")
        if state == GstWebRTC.WebRTCICEGatheringState.COMPLETE:
            self._gathered.set()

    # --- media ---

    def _pad_added(self, _: Gst.Element, pad: Gst.Pad) -> None:
        if pad.direction != Gst.PadDirection.SRC:
            return
        shown = Gst.parse_bin_from_description(DECODED + self._settings.sink, True)
        self._pipeline.add(shown)
        shown.sync_state_with_parent()
        pad.link(shown.get_static_pad("sink"))

    def stats(self) -> dict[str, float | str | None]:
        """Rates in bit/s, as docs/traces.md has them; None is not known yet."""
        sent = self._sender.get_property("stats")
        received = self._receiver.get_property("stats")
        return {
            "feedback": sent.get_value("feedback"),
            "a_s_bps": sent.get_value("a-s-bps"),
            "v_bps": sent.get_value("v-bps"),
            "remb_bps": sent.get_value("remb-bps"),
            "sent_bps": sent.get_value("r-video-bps"),
            "a_r_bps": received.get_value("a-r-bps"),
            "received_bps": received.get_value("r-bps"),
            "rtt_ms": sent.get_value("rtt-ms"),
            "fraction_lost": sent.get_value("fraction-lost"),
        }

    def stop(self) -> None:
        self._pipeline.set_state(Gst.State.NULL)
        self._pipeline.get_bus().remove_signal_watch()
