"""Local web server for a page that shows a run while its record is being written.

It listens on the loopback address, requires the token in its URL, and serves two resources: the
page, and the lines of the record as server-sent events.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from volition.runtime.view.page import render_page

__all__ = ["LiveView", "events_of"]

HOST = "127.0.0.1"
_PAUSE = 0.2
"""Time between two reads of a record that is being written, in seconds."""


def _follow_lines(record: Path, closed: threading.Event) -> Iterator[str]:
    """Yield the complete lines of a record as they are written, until the run has ended or
    ``closed`` is set."""
    rest = ""
    while not record.exists():
        if closed.wait(_PAUSE):
            return
    with record.open(encoding="utf-8", errors="replace") as file:
        while not closed.is_set():
            text = file.read(1 << 16)
            if not text:
                time.sleep(_PAUSE)
                continue
            *lines, rest = (rest + text).split("\n")
            yield from (line for line in lines if line.strip())
            if any(line.startswith('{"kind":"end"') for line in lines):
                return


def events_of(record: Path, closed: threading.Event) -> Iterator[str]:
    """Yield the lines of a record as server-sent events, with a final event ``end``."""
    for line in _follow_lines(record, closed):
        yield f"data: {line}\n\n"
    yield "event: end\ndata: {}\n\n"


class LiveView:
    """Web server for the page of a record that may still grow. ``address`` is its URL."""

    def __init__(self, record: Path, *, port: int = 0) -> None:
        self._record = record
        self._token = secrets.token_urlsafe(16)
        self._closed = threading.Event()
        self._server = ThreadingHTTPServer((HOST, port), self._handler())
        self._server.daemon_threads = True
        self.address = f"http://{HOST}:{self._server.server_address[1]}/{self._token}/"

    def serve(self) -> None:
        """Serve requests until :meth:`close` is called from another thread."""
        self._server.serve_forever(poll_interval=_PAUSE)

    def close(self) -> None:
        """Stop the server and all open event streams."""
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        view = self

        class Handler(BaseHTTPRequestHandler):
            """Handler of one HTTP request for the page or for the lines of the record."""

            def do_GET(self) -> None:
                """Send the page or the lines of the record, depending on the path. Reject requests
                without the token, and requests for another host name."""
                port = view._server.server_address[1]
                if self.headers.get("Host") not in (f"{HOST}:{port}", f"localhost:{port}"):
                    # A request with another host name may come from a page of another site.
                    self.send_error(403)
                elif self.path == f"/{view._token}/":
                    self._answer("text/html; charset=utf-8", render_page([], live="lines").encode())
                elif self.path == f"/{view._token}/lines":
                    self._follow()
                else:
                    self.send_error(404)

            def _answer(self, kind: str, content: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.send_header("Referrer-Policy", "no-referrer")
                self.end_headers()
                self.wfile.write(content)

            def _follow(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                try:
                    for event in events_of(view._record, view._closed):
                        self.wfile.write(event.encode())
                        self.wfile.flush()
                except OSError:
                    pass  # the client has disconnected

            def log_message(self, format: str, *args: object) -> None:
                """Log nothing, because the terminal is used for the output of the command."""

        return Handler
