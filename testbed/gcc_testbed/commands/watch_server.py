"""The page of `watch --web`: one file of HTML, and its values as JSON, on this host alone."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from gcc_testbed.measure.follow import Watch

_HOST = "127.0.0.1"
_PAGE = Path(__file__).with_name("watch.html")
# The page is complete, and loads only from this server.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Connection": "close",
}


def server(watch: Watch, port: int) -> ThreadingHTTPServer:
    """Listens; `serve_forever` then answers."""
    lock = threading.Lock()

    def state() -> bytes:
        with lock:
            shown = watch.step(time.monotonic())
        return json.dumps(asdict(shown), allow_nan=False).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802
            # A page of another site whose name leads here may not read it.
            port = self.connection.getsockname()[1]
            allowed = (f"{_HOST}:{port}", f"localhost:{port}")
            if self.headers.get("Host") not in allowed:
                self._answer(HTTPStatus.FORBIDDEN, "text/plain", b"not for this host\n")
            elif self.path == "/":
                self._answer(HTTPStatus.OK, "text/html; charset=utf-8", _PAGE.read_bytes())
            elif self.path == "/state":
                self._answer(HTTPStatus.OK, "application/json", state())
            else:
                self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"not found\n")

        def _answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
            self.send_response(status)
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nothing: a line for each poll would hide the address."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Nothing: a page that was closed is no error."""

    return Server((_HOST, port), Handler)
