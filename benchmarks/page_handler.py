"""The handler of benchmarks that serve pages on loopback."""

from __future__ import annotations

from contextlib import suppress
from http.server import BaseHTTPRequestHandler


class PageHandler(BaseHTTPRequestHandler):
    """Answers every GET with a whole HTML page, and prints no line for each request."""

    def page(self) -> bytes:
        """Return the page that this request asks for."""
        raise NotImplementedError

    def do_GET(self) -> None:
        """Send the page with status 200."""
        body = self.page()
        with suppress(OSError):  # the browser has closed the connection
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""
