"""Run the assistant in the configured channels: messages, schedules, outgoing messages, and a health endpoint."""

from __future__ import annotations

import logging
import math
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

from wellread import plugins
from wellread.apps.assistant_requirements import check_channels, users
from wellread.apps.exit_codes import STATUS_BY_CODE
from wellread.apps.http.connection_timeouts import TimedConnection
from wellread.apps.http.exposure import is_loopback
from wellread.apps.http.serve import serve_until_signal
from wellread.apps.shared_stores import open_shared_state
from wellread.assistant.channels.port import ChannelAccount, ChannelContext
from wellread.errors import Auth, ConfigError, SharedStateFailed, Timeout, TooLarge, WellreadError
from wellread.net.background_tasks import run_beside
from wellread.net.endpoint_client import EndpointTimeouts, endpoint_client
from wellread.net.held_lease import held_lease

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from wellread.apps.assistant_runtime import AssistantRuntime
    from wellread.assistant.channels.port import Channel
    from wellread.config import Settings
    from wellread.ports import Clock, Leases
    from wellread.values import Secret

_log = logging.getLogger(__name__)

CALL_S = 10.0
"""How long one call may take to come."""
CALL_BYTES = 1_000_000
"""Most bytes of one call of a service."""
CONNECTIONS = 64
STANDBY_S = 1.0
"""The wait for a channel after which another replica is taken to listen there."""
IDLE_S = 75.0
"""The longest silence of a service: one that is asked for news keeps the request open for most of a minute."""


def configured_channels(settings: Settings) -> dict[str, type[Channel]]:
    """Return the channels that have a token.

    Raises:
        ConfigError: a channel that is not installed, or one in which nobody may talk.
        PluginError: a channel cannot be loaded.
    """
    check_channels(settings)
    installed, tokens = plugins.names("channels"), settings.channels.tokens
    return {name: plugins.load("channels", name) for name in installed if tokens.get(name)}


@asynccontextmanager
async def open_channels(
    settings: Settings, runtime: AssistantRuntime, clock: Clock
) -> AsyncGenerator[list[Channel], None]:
    """Open the configured channels, and register them for outgoing messages.

    Raises:
        ConfigError, PluginError: as `configured_channels`, or a token is not valid.
    """
    kinds = configured_channels(settings)
    store = runtime.database.for_all_users()
    channel_host = ChannelContext(of=runtime.of, store=store, clock=runtime.clock, ring=runtime.ring)
    async with AsyncExitStack() as stack:
        channels = []
        for name, kind in kinds.items():
            account = _account(settings, name, kind.home, clock)
            stack.push_async_callback(account.http.aclose)
            channels.append(kind(account, channel_host))
        runtime.join({channel.name: channel.send for channel in channels})
        yield channels


def _account(settings: Settings, name: str, home: str, clock: Clock) -> ChannelAccount:
    channel_settings = settings.channels
    own_url, hook = channel_settings.urls.get(name), channel_settings.hooks.get(name)
    url = (own_url.reveal() if own_url else home).rstrip("/")
    # One attempt: what was sent, and not answered, may have arrived.
    patience = EndpointTimeouts(clock=clock, attempts=1, idle_s=IDLE_S)
    if own_url:
        http = endpoint_client(settings.net, patience, public=(), named=(url,))
    else:
        http = endpoint_client(settings.net, patience, public=(url,), named=())
    return ChannelAccount(
        token=channel_settings.tokens[name],
        users=users(settings, name),
        url=url,
        hook=hook.reveal() if hook else None,
        max_bytes=channel_settings.max_bytes,
        http=http,
    )


async def run(settings: Settings, runtime: AssistantRuntime, clock: Clock, *, announce: Callable[[str], None]) -> None:
    """Open the channels and serve until the process is told to stop; then finish the work that has begun.

    Raises:
        ConfigError, PluginError: as `open_channels`, or the address for its health cannot be taken.
    """
    channel_settings = settings.channels
    if not channel_settings.hooks and not is_loopback(channel_settings.host):
        raise ConfigError(
            f"channels.host {channel_settings.host} is reachable from other machines, but channels.hooks is not set",
            hint="set channels.host to 127.0.0.1, or set channels.hooks",
        )
    async with serve_channels(settings, runtime, clock) as channels:
        config = uvicorn.Config(
            application({channel.name: channel for channel in channels}),
            host=channel_settings.host,
            port=channel_settings.port,
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=CONNECTIONS,
            http=TimedConnection,
        )
        await serve_until_signal(config, announce)


@asynccontextmanager
async def serve_channels(
    settings: Settings, runtime: AssistantRuntime, clock: Clock
) -> AsyncGenerator[list[Channel], None]:
    """Receive messages, run schedules and deliver messages while the block lasts; its end waits for work in progress.

    Raises:
        ConfigError, PluginError: as `open_channels`.
    """

    async def listen() -> None:
        async with anyio.create_task_group() as tasks:
            for channel in channels:
                tasks.start_soon(listen_alone, channel, settings.channels.tokens[channel.name], state)

    state = open_shared_state(settings.shared.url)
    async with (
        aclosing(state),
        open_channels(settings, runtime, clock) as channels,
        runtime.on_duty(),
        run_beside(listen),
    ):
        yield channels
        with anyio.move_on_after(settings.channels.drain_s):
            for channel in channels:
                await channel.rest()
            for channel in channels:
                await runtime.courier.deliver(channel.name)


async def listen_alone(channel: Channel, token: Secret, state: Leases) -> None:
    """Listen at `channel` while no other replica does: a service that is polled gives each update to one poller."""
    wait_s = STANDBY_S
    while True:
        try:
            async with held_lease(state, f"{channel.name} {token.reveal()}", wait_s=wait_s):
                await channel.listen()
        except Timeout:
            channel.state.working, channel.state.detail = True, "another replica listens"
            wait_s = math.inf
        except SharedStateFailed as error:
            wait_s = STANDBY_S
            channel.state.working, channel.state.detail = False, f"{error.code}: {error.message}"
            _log.warning("%s listens to nothing: %s", channel.name, error)
            await anyio.sleep(STANDBY_S)


def application(channels: Mapping[str, Channel]) -> FastAPI:
    """Return the web application: `GET /healthz`, and `POST /hooks/CHANNEL` for calls of the services."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    async def health() -> JSONResponse:
        states = {
            name: {"working": channel.state.working, "detail": channel.state.detail, **channel.state.counts}
            for name, channel in channels.items()
        }
        is_ok = all(channel.state.working for channel in channels.values())
        return JSONResponse({"ok": is_ok, "channels": states}, status_code=200 if is_ok else 503)

    async def hook(channel: str, request: Request) -> JSONResponse:
        if channel not in channels:
            return JSONResponse({}, status_code=404)
        try:
            channels[channel].knows(dict(request.headers))
        except Auth as error:
            return JSONResponse({"code": error.code, "message": error.message}, status_code=401)
        try:
            with anyio.fail_after(CALL_S):
                body = await _body(request)
            await channels[channel].called(body)
        except (TimeoutError, ClientDisconnect):
            return JSONResponse({"code": "timeout", "message": "the call did not come whole"}, status_code=408)
        except WellreadError as error:
            status = STATUS_BY_CODE[error.code].http_status
            return JSONResponse({"code": error.code, "message": error.message}, status_code=status)
        return JSONResponse({})

    app.add_api_route("/healthz", health, methods=["GET"])
    app.add_api_route("/hooks/{channel}", hook, methods=["POST"])
    return app


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > CALL_BYTES:
            raise TooLarge(f"a call has at most {CALL_BYTES:,} bytes", hint="")
    return bytes(body)
