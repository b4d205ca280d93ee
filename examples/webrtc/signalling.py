"""The signalling server: a page, and two requests that it makes, over HTTPS.

`POST /offer` takes the page's SDP and answers with ours. `POST /stats` takes the page's numbers and
answers with ours. HTTPS, because away from localhost browsers give no camera to a page without it;
the certificate is made at the start, for the addresses of this machine, and signed by nobody: the
browser asks once whether to go on.
"""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGE = Path(__file__).with_name("page")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
CERTIFICATE_DAYS = 30

Stats = dict[str, float | str | None]


class Refused(Exception):
    """A request that cannot be granted, with the reason for the page to show."""


@dataclass(frozen=True)
class Handlers:
    """What the application does with a request."""

    offer: Callable[[str], str]
    stats: Callable[[Stats], Stats]


def addresses() -> list[str]:
    """Where a browser finds this machine: itself, and the network of its default route."""
    found = ["127.0.0.1"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # nothing is sent: this only asks which address it would be sent from
            probe.connect(("192.0.2.1", 9))
            found.append(probe.getsockname()[0])
        except OSError:
            pass
    return found


def make_certificate(folder: Path) -> ssl.SSLContext:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    names = ",".join(["DNS:localhost", *(f"IP:{address}" for address in addresses())])
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=gst-gcc"),
            *("-days", str(CERTIFICATE_DAYS), "-addext", f"subjectAltName={names}"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


class Request(BaseHTTPRequestHandler):
    """One request of the page."""

    handlers: Handlers
    # a connection stays open: /stats comes several times a second
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        file = PAGE / (self.path.strip("/") or "index.html")
        if file.parent != PAGE or not file.is_file():
            self._reply(404, "text/plain", b"not found\n")
        else:
            self._reply(200, TYPES[file.suffix], file.read_bytes())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        try:
            if self.path == "/offer":
                self._reply(200, "application/sdp", self.handlers.offer(body).encode())
            elif self.path == "/stats":
                stats = self.handlers.stats(json.loads(body))
                self._reply(200, "application/json", json.dumps(stats).encode())
            else:
                self._reply(404, "text/plain", b"not found\n")
        except (Refused, ValueError) as error:
            self._reply(400, "text/plain", f"{error}\n".encode())

    def _reply(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet: the terminal is for the call."""


class Server(ThreadingHTTPServer):
    """HTTPS with a certificate of its own making."""

    daemon_threads = True

    def __init__(self, port: int, handlers: Handlers) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self._context = make_certificate(Path(folder))
        super().__init__(("", port), type("Bound", (Request,), {"handlers": handlers}))

    def get_request(self) -> tuple[socket.socket, tuple[str, int]]:
        connection, address = self.socket.accept()
        # The handshake comes with the first read, in the request's thread: a browser that
        # hesitates over the certificate does not keep the others waiting.
        return (
            self._context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False),
            address,
        )

    def handle_error(self, *_: object) -> None:
        """A browser that does not trust the certificate hangs up; it says why by itself."""
