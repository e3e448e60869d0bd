"""Serves the demo site on loopback and records it into the WARC that `wellread demo` replays.

    python examples/demo_site/record.py [FILE]

The site goes through wellread's own door: its client, its guard, its recorder. Only the resolver and the dialler are
replaced, so that the name www.tidewater.example leads to the server below. It also shows how to do this in tests.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from anyio.abc import SocketAttribute

from wellread.config import NetSettings, Settings
from wellread.net import guard
from wellread.net.client import Client
from wellread.net.dial import NetworkTransport
from wellread.net.recording import RecordingTransport
from wellread.testing import FakeClock
from wellread.types import Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from anyio.abc import ByteStream, SocketStream

HOST = "www.tidewater.example"
HERE = Path(__file__).parent
SHIPPED = HERE.parents[1] / "src/wellread/apps/demo_site.warc.gz"
MODIFIED = "Sun, 16 Mar 2025 09:30:00 GMT"
RECORDED = datetime(2025, 4, 1, 12, tzinfo=UTC)

Page = dict[str, Any]  # Any: TOML values


class Loopback:
    """Leads every name to one port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def resolve(self, host: str, port: int) -> Sequence[str]:  # noqa: ARG002 - the port's shape
        return ["127.0.0.1"]

    async def dial(self, address: str, port: int) -> ByteStream:  # noqa: ARG002 - the port's shape
        return await anyio.connect_tcp(address, self.port)


def pages() -> list[Page]:
    """Return the manifest."""
    listed: list[Page] = tomllib.loads((HERE / "site.toml").read_text(encoding="utf-8"))["page"]
    return listed


def answer(page: Page) -> tuple[bytes, bytes]:
    """Return the head and the body with which the server answers."""
    body = (HERE / "pages" / page["file"]).read_bytes()
    if "charset" in page:
        body = body.decode("utf-8").encode(page["charset"])
    fields = [f"Content-Type: {page['type']}", f"Last-Modified: {MODIFIED}"]
    if "location" in page:
        fields.append(f"Location: {page['location']}")
    if "coding" in page:
        body = gzip.compress(body, mtime=0)
        fields.append(f"Content-Encoding: {page['coding']}")
    reason = {301: "Moved Permanently", 404: "Not Found"}.get(page.get("status", 200), "OK")
    first = f"HTTP/1.1 {page.get('status', 200)} {reason}"
    return "\r\n".join([first, *fields, f"Content-Length: {len(body)}", "", ""]).encode(), body


async def serve(stream: SocketStream) -> None:
    """Answer one connection from the manifest, request after request."""
    answers = {page["path"]: answer(page) for page in pages()}
    received = b""
    async with stream:
        while True:
            while b"\r\n\r\n" not in received:
                try:
                    received += await stream.receive()
                except (anyio.EndOfStream, anyio.BrokenResourceError):
                    return
            asked, _, received = received.partition(b"\r\n\r\n")
            await stream.send(b"".join(answers[asked.split(b" ")[1].decode()]))


async def record(path: Path) -> None:
    """Read every page of the manifest once, in order, and record it into `path`."""
    settings = Settings(net=NetSettings(allow_hosts=(f"{HOST}:80",)))
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, serve)
        loopback = Loopback(listener.extra(SocketAttribute.local_port))
        policy = guard.read_policy(settings.net)
        network = NetworkTransport(settings, policy=policy, resolver=loopback, dialler=loopback)
        clock = FakeClock(at=RECORDED)
        client = Client(settings, RecordingTransport(network, path, clock), clock=clock)
        for page in pages()[1:]:  # robots.txt, the first, is read before the next
            url = f"http://{HOST}{page['path']}"
            found = await client.fetch(Request(url=url, user_asked=page.get("asked", False)))
            print(f"{found.status}  {len(found.body):>7,}  {url}{'  <- ' + found.url if found.redirects else ''}")
            clock.advance(1)
        await client.aclose()
        group.cancel_scope.cancel()


def main() -> None:
    """Record into a file beside the target, then move it there whole."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SHIPPED
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        path = Path(folder) / target.name
        anyio.run(record, path)
        path.replace(target)
    print(f"{target.stat().st_size:,} bytes in {target}")


if __name__ == "__main__":
    main()
