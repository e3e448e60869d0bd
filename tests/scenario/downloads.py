"""Downloads from loopback servers, for the tests of downloading and of going on with what broke off."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenario.loopback import FETCH, Server, client_for, head
from wellread.errors import Gone, Unreachable
from wellread.net.downloads import Download, DownloadRequest, download

if TYPE_CHECKING:
    from pathlib import Path

    from anyio.abc import SocketStream

    from wellread.config import FetchSettings
    from wellread.types import Response

DATA = bytes(at * at % 251 for at in range(300_000))
DIGEST = hashlib.sha256(DATA).hexdigest()


class Archive:
    """A server of one file that breaks off after `cut` bytes and honours ranges (RFC 9110 section 14)."""

    def __init__(self, data: bytes = DATA, *, etag: str | None = '"v1"', cut: int | None = None) -> None:
        self.data = data
        self.etag = etag
        self.cut = cut
        self.content_range: str | None = None
        self.fields: dict[str, str] = {}
        self.asked: list[str | None] = []

    async def __call__(self, stream: SocketStream, request: bytes) -> None:
        told = dict(re.findall(r"(?im)^([\w-]+): (.*?)\r$", request.decode("latin-1")))
        sent = {name.lower(): value for name, value in told.items()}
        self.asked.append(sent.get("range"))
        start = int(sent["range"][6:-1]) if "range" in sent and sent.get("if-range") == self.etag else 0
        body = self.data[start:]
        fields = dict(self.fields)
        if self.etag:
            fields["ETag"] = self.etag
        if start:
            fields["Content_Range"] = self.content_range or f"bytes {start}-{len(self.data) - 1}/{len(self.data)}"
        status = "206 Partial Content" if start else "200 OK"
        await stream.send(head(status, Content_Length=str(len(body)), **fields) + body[: self.cut])


def refuse(response: Response) -> None:
    if response.status == 404:
        raise Gone(f"{response.url} answered 404: {response.body.decode()}")


async def brought(
    server: Server,
    to: Path,
    path: str = "/file.bin",
    *,
    fetch: FetchSettings = FETCH,
    also: tuple[Server, ...] = (),
    **order: object,
) -> Download:
    asked = DownloadRequest(url=server.url(path), to=to, user_asked=True)
    async with client_for(server, *also, fetch=fetch) as client:
        return await download(client, replace(asked, **order), refuse=refuse)  # type: ignore[arg-type]  # checked there


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def contents(folder: Path) -> list[bytes]:
    return sorted(path.read_bytes() for path in folder.iterdir())


async def cut_after(size: int, server: Server, to: Path, archive: Archive) -> None:
    server.paths["/file.bin"] = archive
    archive.cut = size
    with pytest.raises(Unreachable, match=f"broke off after {size:,} bytes"):
        await brought(server, to)
    archive.cut = None
