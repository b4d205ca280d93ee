"""Cross traffic over the kernel's own TCP, and UDP at a constant rate.

This file runs inside a world, copied into the run directory, with the system's Python and nothing
but its standard library: `traffic.py sink PLAN` or `traffic.py send PLAN`. One process carries all
flows of a host. A plan is JSON, made by `experiment.py`.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
import json
import os
import random
import selectors
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

LOG_EVERY_S = 0.1
LOG_COLUMNS = "time_s,flow,cwnd,ssthresh,rtt_ms,unacked,retransmits"
# Unsent data that the kernel may hold. Small, so that the flow ends on time.
UNSENT_BYTES = 1 << 17
BLOCK = bytes(1 << 16)
RETRY_S = 1.0
# A connection's ports: repeated transfers take the next one, since TIME_WAIT holds the last.
PORTS_A_FLOW = 100

# struct tcp_info of linux/tcp.h: eight bytes, then 32-bit fields.
_INFO = struct.Struct("=8B24I")
_UNACKED, _RTT, _SSTHRESH, _CWND, _RETRANSMITS = (8 + field for field in (4, 15, 17, 18, 23))
_INFINITE = 0x7FFFFFFF

Action = Callable[[], None]


class Loop:
    """Sockets and timers, on the call's clock."""

    def __init__(self, origin_s: float) -> None:
        self.origin_s = origin_s
        self.selector = selectors.DefaultSelector()
        self._timers: list[tuple[float, int, Action]] = []
        self._number = itertools.count()

    def now(self) -> float:
        return time.time() - self.origin_s

    def at(self, when_s: float, action: Action) -> None:
        heapq.heappush(self._timers, (when_s, next(self._number), action))

    def run(self) -> None:
        """Runs until a signal ends the process."""
        while True:
            wait = None
            while self._timers:
                wait = self._timers[0][0] - self.now()
                if wait > 0:
                    break
                heapq.heappop(self._timers)[2]()
                wait = None
            for key, _ in self.selector.select(wait):
                key.data()


class Connection:
    """One TCP flow: a connection that never ends, or transfers with pauses between them."""

    def __init__(self, loop: Loop, plan: dict[str, Any]) -> None:
        self.name: str = plan["name"]
        self._loop = loop
        self._plan = plan
        self._random = random.Random(plan["seed"])
        self._count = 0
        self._left: int | None = None
        self._stopped = False
        self.socket: socket.socket | None = None
        loop.at(plan["start_s"], self._connect)
        loop.at(plan["stop_s"], self._stop)

    def info(self) -> tuple[int, ...]:
        assert self.socket is not None
        return _INFO.unpack(self.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _INFO.size))

    def _connect(self) -> None:
        if self._stopped:
            return
        transfers = self._plan["transfers"]
        if transfers is not None:
            self._left = self._random.randint(transfers["bytes_min"], transfers["bytes_max"])
        sock = self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Unsent data is discarded at the end, not delivered late.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_CONGESTION, self._plan["congestion"].encode()
        )
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        sock.bind(("", self._plan["source_port"] + self._count % PORTS_A_FLOW))
        self._count += 1
        sock.connect_ex((self._plan["address"], self._plan["port"]))
        self._loop.selector.register(sock, selectors.EVENT_WRITE, self._writable)

    def _writable(self) -> None:
        assert self.socket is not None
        try:
            while self._left is None or self._left > 0:
                block = BLOCK if self._left is None else BLOCK[: self._left]
                sent = self.socket.send(block)
                if self._left is not None:
                    self._left -= sent
            self.socket.shutdown(socket.SHUT_WR)
            self._loop.selector.modify(self.socket, selectors.EVENT_READ, self._readable)
        except BlockingIOError:
            pass
        except OSError as problem:
            self._broken(problem)

    def _readable(self) -> None:
        """The peer has closed: the transfer is complete."""
        assert self.socket is not None
        try:
            if self.socket.recv(1):
                return
        except OSError as problem:
            self._broken(problem)
            return
        self._close()
        idle = self._plan["transfers"]["idle_mean_s"]
        pause = self._random.expovariate(1 / idle) if idle else 0.0
        self._loop.at(self._loop.now() + pause, self._connect)

    def _broken(self, problem: OSError) -> None:
        print(f"{self.name}: {problem}; again in {RETRY_S:g} s", flush=True)
        self._close()
        self._loop.at(self._loop.now() + RETRY_S, self._connect)

    def _stop(self) -> None:
        self._stopped = True
        self._close()

    def _close(self) -> None:
        if self.socket is not None:
            self._loop.selector.unregister(self.socket)
            self.socket.close()
            self.socket = None


class Constant:
    """UDP at a constant rate, under an RTP header so that captures can tell the packets apart."""

    def __init__(self, loop: Loop, plan: dict[str, Any]) -> None:
        self._loop = loop
        self._plan = plan
        self._interval_s = plan["packet_bytes"] * 8 / (plan["rate_kbps"] * 1000)
        self._body = bytes(plan["packet_bytes"] - 40)
        self._sent = 0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("", plan["source_port"]))
        self._socket.setblocking(False)
        loop.at(plan["start_s"], self._send)

    def _send(self) -> None:
        header = struct.pack("!BBHII", 0x80, 97, self._sent & 0xFFFF, 0, self._plan["port"])
        with contextlib.suppress(BlockingIOError):
            self._socket.sendto(header + self._body, (self._plan["address"], self._plan["port"]))
        self._sent += 1
        due = self._plan["start_s"] + self._sent * self._interval_s
        if due < self._plan["stop_s"]:
            self._loop.at(due, self._send)


class Log:
    """Logs the kernel's TCP_INFO every 100 ms."""

    def __init__(self, loop: Loop, connections: list[Connection], file: TextIO) -> None:
        self._loop, self._connections, self._file = loop, connections, file
        file.write(LOG_COLUMNS + "\n")
        self._lines = 0
        loop.at(0.0, self._write)

    def _write(self) -> None:
        now = self._loop.now()
        for connection in self._connections:
            if connection.socket is None:
                continue
            info = connection.info()
            ssthresh = "" if info[_SSTHRESH] >= _INFINITE else info[_SSTHRESH]
            self._file.write(
                f"{now + self._loop.origin_s:.6f},{connection.name},{info[_CWND]},{ssthresh},"
                f"{info[_RTT] / 1000:g},{info[_UNACKED]},{info[_RETRANSMITS]}\n"
            )
        self._lines += 1
        self._loop.at(self._lines * LOG_EVERY_S, self._write)


def send(plan: dict[str, Any]) -> None:
    """Carries the flows that a host sends."""
    loop = Loop(int(os.environ["CALL_ORIGIN_US"]) / 1e6)
    connections = [Connection(loop, flow) for flow in plan["flows"] if flow["kind"] == "tcp"]
    for flow in plan["flows"]:
        if flow["kind"] == "udp-cbr":
            Constant(loop, flow)
    with open(plan["log"], "w") as file:  # noqa: PTH123 - the standard library's fastest start
        if connections:
            Log(loop, connections, file)
        loop.run()


def sink(plan: dict[str, Any]) -> None:
    """Receives what the other host sends, and discards it."""
    loop = Loop(0.0)
    hole = bytearray(1 << 18)
    kept = []

    def discard(taken: socket.socket) -> None:
        try:
            # MSG_TRUNC: the kernel discards the data without copying it.
            while count := taken.recv_into(hole, len(hole), socket.MSG_TRUNC):
                if count < len(hole):
                    return
        except BlockingIOError:
            return
        except OSError:
            pass
        loop.selector.unregister(taken)
        taken.close()

    def accept(listening: socket.socket) -> None:
        taken, _ = listening.accept()
        taken.setblocking(False)
        loop.selector.register(taken, selectors.EVENT_READ, lambda: discard(taken))

    for flow in plan["flows"]:
        tcp = flow["kind"] == "tcp"
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM if tcp else socket.SOCK_DGRAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("", flow["port"]))
        if tcp:
            sock.listen()
            loop.selector.register(sock, selectors.EVENT_READ, lambda sock=sock: accept(sock))
        else:
            # Never read: a full socket drops packets, which the captures have already recorded.
            kept.append(sock)
    loop.run()


def main(arguments: list[str]) -> None:
    signal.signal(signal.SIGINT, lambda *_: sys.exit(0))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    what, file = arguments
    with open(file) as content:  # noqa: PTH123
        plan = json.load(content)
    {"send": send, "sink": sink}[what](plan)


if __name__ == "__main__":
    main(sys.argv[1:])
