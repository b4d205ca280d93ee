"""Ends of ours that report by RFC 8888 over plain UDP: their lines, and their processes."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import application

MEDIA, RTCP = 5704, 5705

SENDER = (
    "rtpbin name=rtp rtp-profile=avpf videotestsrc is-live=true ! "
    "video/x-raw,width=320,height=240,framerate=30/1 ! "
    "vp8enc deadline=1 target-bitrate=300000 ! rtpvp8pay mtu=1200 ! "
    "gccsender feedback=ccfb ecn=ect1 manage=all trace-location={trace} ! rtp.send_rtp_sink_0 "
    f"rtp.send_rtp_src_0 ! udpsink host=127.0.0.1 port={MEDIA} "
    f"udpsrc address=127.0.0.1 port={RTCP} ! rtp.recv_rtcp_sink_0"
)
RECEIVER = (
    "rtpbin name=rtp rtp-profile=avpf "
    f"udpsrc address=127.0.0.1 port={MEDIA} socket-timestamp=realtime "
    'caps="application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=96" ! '
    "gccreceiver feedback=ccfb ! rtp.recv_rtp_sink_0 "
    "rtp. ! rtpvp8depay ! fakesink async=false "
    f"rtp.send_rtcp_src_0 ! udpsink host=127.0.0.1 port={RTCP} async=false sync=false"
)


@contextmanager
def running(line: str, folder: Path) -> Iterator[None]:
    """A pipeline, which has to be there to the end."""
    process = subprocess.Popen(
        f"exec gst-launch-1.0 -q {line}",
        shell=True,
        env=application.environment(folder),
        stdout=subprocess.DEVNULL,
    )
    try:
        yield
        assert process.poll() is None
    finally:
        process.terminate()
        process.wait()
