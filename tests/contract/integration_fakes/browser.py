"""A user's browser, as far as a callback on loopback sees it; and a grant, opened without an assistant around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio
import h11

from accounts import owned
from wellread.apps.assistant_database import assistant_store
from wellread.apps.build import integration_context
from wellread.apps.integration_setup import open_integrations
from wellread.apps.system_clock import SystemClock

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from contract.integration_fakes.services import Services
    from wellread.assistant.integrations.oauth.grant import Grant


async def visit(url: str, *, method: str = "GET", host: str | None = None) -> tuple[int, dict[str, str], str]:
    """Do what a browser does with an address on loopback."""
    authority, _, path = url.removeprefix("http://").partition("/")
    client = h11.Connection(h11.CLIENT)
    async with await anyio.connect_tcp("127.0.0.1", int(authority.partition(":")[2])) as stream:
        asked = h11.Request(method=method, target=f"/{path}", headers=[("Host", host or authority)])
        await stream.send((client.send(asked) or b"") + (client.send(h11.EndOfMessage()) or b""))
        body, head = b"", None
        while not isinstance(event := client.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA:
                try:
                    client.receive_data(await stream.receive())
                except anyio.EndOfStream:
                    client.receive_data(b"")
            elif isinstance(event, h11.Response):
                head = event
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
    assert head is not None
    return head.status_code, {k.decode(): v.decode() for k, v in head.headers}, body.decode()


async def granting(google: Services, folder: Path, clock: Any = None) -> AsyncGenerator[Grant, None]:
    settings = google.settings(folder)
    database = assistant_store(settings)
    async with open_integrations(integration_context(settings, owned(database), clock or SystemClock()), "google") as (
        ready,
    ):
        assert ready.grant is not None
        yield ready.grant
    database.close()
