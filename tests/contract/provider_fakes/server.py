"""One loopback server for all fake services: `/<service>/<fault>` and then the service's own path."""

from __future__ import annotations

import socket
import struct
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING

from contract.provider_fakes.exchange import Asked, Reply
from sites import HttpServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Decide = Callable[[str, str, Asked], Reply]


class _Server(HttpServer):
    decide: Decide
    asked: list[tuple[str, str, Asked]]
    over: threading.Event


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_PATCH(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _serve(self) -> None:
        path, _, query = self.path.partition("?")
        _, service, fault, rest = path.split("/", 3)
        length = int(self.headers.get("Content-Length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, f"/{rest}", query, headers, self.rfile.read(length))
        self.server.asked.append((service, fault, asked))
        with suppress(BrokenPipeError, ConnectionResetError):
            self._send(self.server.decide(service, fault, asked))

    def _send(self, reply: Reply) -> None:
        self.close_connection = True
        if reply.how == "resets":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        if reply.how == "is silent":
            self.server.over.wait(10)
            return
        head = [f"HTTP/1.1 {reply.status} {reply.reason}", f"Content-Length: {len(reply.body)}", "Connection: close"]
        head += [f"{name}: {value}" for name, value in reply.headers]
        self.wfile.write("\r\n".join([*head, "\r\n"]).encode("latin-1"))
        if reply.how == "drips":
            for at in range(len(reply.body)):
                self.wfile.write(reply.body[at : at + 1])
                if self.server.over.wait(0.01):
                    return
        self.wfile.write(reply.body[: reply.cut])


@contextmanager
def serving(decide: Decide) -> Iterator[tuple[int, list[tuple[str, str, Asked]]]]:
    """Serve until left; yields the port and the log of what was asked."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.decide, server.asked, server.over = decide, [], threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1], server.asked
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
