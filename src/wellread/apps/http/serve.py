"""Runs the server: refuses to stand open on a public interface, and lets work that has begun come to its end."""

from __future__ import annotations

import ipaddress
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from wellread.apps.http import keys
from wellread.apps.http.app import api
from wellread.apps.http.gate import Gate
from wellread.apps.http.metrics import Metrics
from wellread.apps.mcp import server as mcp_server
from wellread.apps.operations.desk import open_desk
from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from wellread.apps.operations.desk import Desk
    from wellread.config import Settings
    from wellread.ports import Clock
    from wellread.sections import ServerSettings
    from wellread.web.pipeline import Pipeline

SESSIONS = 200
SESSION_IDLE_S = 900.0
CONNECTIONS = 256


def application(settings: Settings, web: Pipeline, clock: Clock) -> Gate:
    """Return the whole server as one ASGI application over `web`, which stays the caller's to close.

    Raises:
        ConfigError: a key is no hash, or `server.mcp_answers` is none.
    """
    keys.check(settings.server.keys)
    desk = open_desk(settings, web, clock)
    counted = Metrics(desk.admission)
    desk.observe = counted.observe

    async def ready() -> Desk:
        return desk

    manager = StreamableHTTPSessionManager(
        app=mcp_server(ready, answers=settings.server.mcp_answers),
        max_request_body_size=settings.server.max_request_bytes,
        session_idle_timeout=SESSION_IDLE_S,
        max_sessions=SESSIONS,
    )

    @asynccontextmanager
    async def alongside() -> AsyncGenerator[None, None]:
        async with manager.run():
            yield

    return Gate(api(desk, counted, alongside=alongside), manager.handle_request, settings.server, desk.admission)


async def serve(settings: Settings, web: Pipeline, clock: Clock, *, announce: Callable[[str], None]) -> None:
    """Serve until the process is told to stop; `announce` is handed the address once it listens.

    Raises:
        ConfigError: open on an interface that others can reach, or a setting is wrong.
    """
    refuse_open(settings.server)
    config = uvicorn.Config(
        application(settings, web, clock),
        host=settings.server.host,
        port=settings.server.port,
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=max(1, round(settings.server.drain_s)),
    )
    await _Server(config, announce).serve()


def refuse_open(settings: ServerSettings) -> None:
    """Refuse to let anybody in who can reach the interface.

    Raises:
        ConfigError: not loopback, and no keys.
    """
    if not settings.keys and not is_loopback(settings.host):
        raise ConfigError(
            f"server.host {settings.host} can be reached from other machines, and there are no keys",
            hint="make one with `wellread serve --new-key NAME`, or listen on 127.0.0.1",
        )


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, announce: Callable[[str], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # sockets: net's word
        await super().startup(sockets)  # type: ignore[arg-type]  # the same
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._announce(f"http://{f'[{host}]' if ':' in host else host}:{port}")
