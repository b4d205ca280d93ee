"""The other end of a call with examples/webrtc, without a browser: aiortc.

It makes the requests of the page, so that the application knows no difference:
`aiortc_peer.py https://ADDRESS:PORT SECONDS`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import ssl
import sys
import time
import urllib.request

import numpy as np
from aiortc import RTCPeerConnection, RTCSessionDescription, VideoStreamTrack
from aiortc.contrib.media import MediaBlackhole
from av import VideoFrame

INTERVAL_S = 0.5
WIDTH, HEIGHT = 320, 240
N_FRAMES = 30

# aiortc tells of a REMB that it obeys only here.
REMB_LINE = re.compile(r"receiver estimated maximum bitrate (\d+) bps")


class Noise(VideoStreamTrack):
    """A picture that needs its bitrate."""

    def __init__(self) -> None:
        super().__init__()
        noise = np.random.default_rng(1)
        self._frames = [
            np.kron(noise.integers(0, 256, (HEIGHT // 8, WIDTH // 8, 3)), np.ones((8, 8, 1)))
            for _ in range(N_FRAMES)
        ]
        self._n = 0

    async def recv(self) -> VideoFrame:
        pts, time_base = await self.next_timestamp()
        self._n += 1
        frame = VideoFrame.from_ndarray(
            self._frames[self._n % N_FRAMES].astype(np.uint8), format="rgb24"
        )
        frame.pts, frame.time_base = pts, time_base
        return frame


class RembLog(logging.Handler):
    """The rate of the last REMB, in bit/s."""

    rate: int | None = None

    def emit(self, record: logging.LogRecord) -> None:
        found = REMB_LINE.search(record.getMessage())
        if found is not None:
            self.rate = int(found[1])


class Page:
    """The requests that the page makes."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._trusting = ssl.create_default_context()
        self._trusting.check_hostname = False
        self._trusting.verify_mode = ssl.CERT_NONE

    async def post(self, path: str, body: str) -> str:
        request = urllib.request.Request(self._address + path, body.encode(), method="POST")
        return await asyncio.to_thread(self._send, request)

    def _send(self, request: urllib.request.Request) -> str:
        with urllib.request.urlopen(request, context=self._trusting, timeout=20) as response:
            return response.read().decode()


async def counters(connection: RTCPeerConnection) -> dict[str, float]:
    numbers: dict[str, float] = {"time_s": time.monotonic()}
    for entry in (await connection.getStats()).values():
        if entry.type == "transport":
            numbers["sent"] = entry.bytesSent
            numbers["received"] = entry.bytesReceived
        elif entry.type == "remote-inbound-rtp" and entry.roundTripTime is not None:
            numbers["rtt_ms"] = 1000 * entry.roundTripTime
            numbers["fraction_lost"] = entry.fractionLost / 256
    return numbers


async def call(page: Page, seconds: float, remb: RembLog) -> None:
    connection = RTCPeerConnection()
    shown = MediaBlackhole()
    connection.on("track", shown.addTrack)
    connection.addTrack(Noise())
    await connection.setLocalDescription(await connection.createOffer())
    answer = await page.post("/offer", connection.localDescription.sdp)
    # aiortc reads past it, browsers do not
    assert "a=\r\n" not in answer, answer
    await connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
    await shown.start()

    before = await counters(connection)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(INTERVAL_S)
        now = await counters(connection)
        passed = now["time_s"] - before["time_s"]
        stats = {
            "target_bps": remb.rate,
            "sent_bps": 8 * (now.get("sent", 0) - before.get("sent", 0)) / passed,
            "received_bps": 8 * (now.get("received", 0) - before.get("received", 0)) / passed,
            "rtt_ms": now.get("rtt_ms"),
            "fraction_lost": now.get("fraction_lost"),
        }
        print(await page.post("/stats", json.dumps(stats)), flush=True)
        before = now
    await connection.close()


def main(address: str, seconds: str) -> None:
    remb = RembLog()
    sender = logging.getLogger("aiortc.rtcrtpsender")
    sender.setLevel(logging.DEBUG)
    sender.addHandler(remb)
    sender.propagate = False
    asyncio.run(call(Page(address), float(seconds), remb))


if __name__ == "__main__":
    main(*sys.argv[1:])
