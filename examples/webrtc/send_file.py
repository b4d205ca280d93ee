#!/usr/bin/python3
"""A call with a file beside its video, over webrtcbin's data channel.

    send_file.py receive PORT FILE         # waits for a call, and writes what it brings to FILE
    send_file.py send HOST:PORT FILE

Offer and answer go over TCP. By itself SCTP fills the queue of the path, and the video makes way:
so the file leaves at a part of the rate that gccsender has found.
"""

from __future__ import annotations

import socket
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402
from peer import Peer, Settings  # noqa: E402

PICTURE = (
    "videotestsrc is-live=true pattern=zone-plate kx2=20 ky2=20 kt=1 ! "
    "video/x-raw,width=640,height=480,framerate=30/1"
)
SETTINGS = Settings(
    source=PICTURE,
    sink="fakesink",
    min_bitrate=50_000,
    start_bitrate=500_000,
    max_bitrate=2_500_000,
)

# Of A_s, which is what the path has beside the file.
SHARE = 0.15
# One packet of SCTP.
CHUNK = 1100
# So much waits only where SCTP itself is slower.
MAX_WAITING = 20 * CHUNK
# After this time A_s has left room for the file by itself.
NOTICED_S = 2.0
LOOK_S = 0.2


class Video:
    """The rate of the video that arrives while a file does."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._rates: list[float] = []
        self._begin = time.monotonic()
        GLib.timeout_add(int(LOOK_S * 1000), self._look)

    def _look(self) -> bool:
        self._rates.append(self._peer.stats()["received_bps"] or 0.0)
        return True

    def __str__(self) -> str:
        kbps = statistics.mean(self._rates or [0.0]) / 1000
        return f"{time.monotonic() - self._begin:.1f} s, video beside it {kbps:.0f} kbit/s"


class FileSender(Peer):
    """The end that offers."""

    def __init__(self, file: BinaryIO, ended: Callable[[str], None]) -> None:
        super().__init__(SETTINGS, ended)
        self._file = file
        self._ended = ended

    def _start(self, caps: str) -> None:
        super()._start(caps)
        self._channel = self._webrtc.emit("create-data-channel", "file", None)
        self._channel.connect("on-open", self._opened)
        self._channel.connect("on-message-string", lambda _, text: self._ended(text))

    def _opened(self, _: object) -> None:
        threading.Thread(target=self._send, daemon=True).start()

    def _send(self) -> None:
        content = self._file.read()
        begin = due = time.monotonic()
        self._channel.emit("send-string", str(len(content)))
        for at in range(0, len(content), CHUNK):
            rate = SHARE * self._sender.props.target_bitrate
            # The video makes room before its packets wait for those of the file.
            is_noticed = time.monotonic() - begin > NOTICED_S
            self._sender.props.reserved_bitrate = 0 if is_noticed else int(rate)
            while self._channel.props.buffered_amount > MAX_WAITING:
                time.sleep(0.01)
            self._channel.emit("send-data", GLib.Bytes.new(content[at : at + CHUNK]))
            due = max(due, time.monotonic() - LOOK_S) + 8 * CHUNK / rate
            time.sleep(max(due - time.monotonic(), 0))
        self._sender.props.reserved_bitrate = 0


class FileReceiver(Peer):
    """The end that answers."""

    def __init__(self, file: BinaryIO, ended: Callable[[str], None]) -> None:
        super().__init__(SETTINGS, ended)
        self._file = file
        self._ended = ended
        self._missing = 0

    def _start(self, caps: str) -> None:
        super()._start(caps)
        self._webrtc.connect("on-data-channel", self._channel_comes)

    def _channel_comes(self, _: object, channel: GLib.Object) -> None:
        self._channel = channel
        channel.connect("on-message-string", self._begins)
        channel.connect("on-message-data", self._goes_on)

    def _begins(self, _: object, size: str) -> None:
        self._missing = int(size)
        self._video = Video(self)

    def _goes_on(self, channel: GLib.Object, data: GLib.Bytes) -> None:
        self._file.write(data.get_data())
        self._missing -= data.get_size()
        if self._missing <= 0:
            self._file.flush()
            said = f"the file arrived in {self._video}"
            channel.emit("send-string", said)
            GLib.timeout_add_seconds(1, self._ended, said)


def read_all(connection: socket.socket) -> str:
    return b"".join(iter(lambda: connection.recv(4096), b"")).decode()


def call(address: str, peer: Peer) -> None:
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(peer.offer().encode())
        connection.shutdown(socket.SHUT_WR)
        peer.take_answer(read_all(connection))


def be_called(port: str, peer: Peer) -> None:
    with socket.create_server(("", int(port))) as server:
        connection, _ = server.accept()
    with connection:
        connection.sendall(peer.answer(read_all(connection)).encode())


def main(role: str, where: str, name: str) -> None:
    Gst.init(None)
    loop = GLib.MainLoop()

    def ended(said: str) -> None:
        print(said, flush=True)
        loop.quit()

    is_sender = role == "send"
    with Path(name).open("rb" if is_sender else "wb") as file:
        peer = FileSender(file, ended) if is_sender else FileReceiver(file, ended)
        # The loop serves the messages of the pipeline meanwhile.
        begin = call if is_sender else be_called
        threading.Thread(target=begin, args=(where, peer), daemon=True).start()
        loop.run()
        peer.stop()


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("send", "receive"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
