"""Runs the assistant in the channels that are configured: people, schedules, letters, and a word on its health."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

from wellread import plugins
from wellread.apps.http.arrivals import Arrival
from wellread.apps.http.serve import is_loopback, until_told
from wellread.apps.outcomes import DOORS
from wellread.apps.requirements import check_channels, users
from wellread.assistant.channels.port import Account, House
from wellread.errors import Auth, ConfigError, TooLarge, WellreadError
from wellread.net.background import beside
from wellread.net.endpoints import Patience, client

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from wellread.apps.household import Household
    from wellread.assistant.channels.port import Channel
    from wellread.config import Settings
    from wellread.ports import Clock

CALL_S = 10.0
"""How long one call may take to come."""
CALL_BYTES = 1_000_000
"""Most bytes of one call of a service."""
CONNECTIONS = 64
IDLE_S = 75.0
"""The longest silence of a service: one that is asked for news keeps the request open for most of a minute."""


def configured(settings: Settings) -> dict[str, type[Channel]]:
    """Return the channels that have a token.

    Raises:
        ConfigError: a channel that is not installed, or one in which nobody may talk.
        PluginError: a channel cannot be loaded.
    """
    check_channels(settings)
    known, tokens = plugins.names("channels"), settings.channels.tokens
    return {name: plugins.load("channels", name) for name in known if tokens.get(name)}


@asynccontextmanager
async def opened(settings: Settings, household: Household, clock: Clock) -> AsyncGenerator[list[Channel], None]:
    """Open the channels that are configured, and let the household carry letters to them.

    Raises:
        ConfigError, PluginError: as `configured`, or a token cannot be one.
    """
    kinds = configured(settings)
    store = household.database.for_all_users()
    house = House(of=household.of, store=store, clock=household.clock, ring=household.ring)
    async with AsyncExitStack() as stack:
        channels = []
        for name, kind in kinds.items():
            account = _account(settings, name, kind.home, clock)
            stack.push_async_callback(account.http.aclose)
            channels.append(kind(account, house))
        household.join({each.name: each.send for each in channels})
        yield channels


def _account(settings: Settings, name: str, home: str, clock: Clock) -> Account:
    said = settings.channels
    own, hook = said.urls.get(name), said.hooks.get(name)
    url = (own.reveal() if own else home).rstrip("/")
    # Once: what was sent, and not answered, may have arrived.
    patience = Patience(clock=clock, attempts=1, idle_s=IDLE_S)
    return Account(
        token=said.tokens[name],
        users=users(settings, name),
        url=url,
        hook=hook.reveal() if hook else None,
        max_bytes=said.max_bytes,
        http=client(settings.net, patience, public=() if own else (url,), named=(url,) if own else ()),
    )


async def run(settings: Settings, household: Household, clock: Clock, *, announce: Callable[[str], None]) -> None:
    """Open the channels and serve until the process is told to stop; then let what was begun come to its end.

    Raises:
        ConfigError, PluginError: as `opened`, or the address for its health cannot be taken.
    """
    said = settings.channels
    if not said.hooks and not is_loopback(said.host):
        raise ConfigError(f"channels.host {said.host} can be reached from other machines, and nobody calls", hint="")
    async with at_work(settings, household, clock) as channels:
        config = uvicorn.Config(
            application({each.name: each for each in channels}),
            host=said.host, port=said.port, log_config=None, access_log=False, server_header=False,
            limit_concurrency=CONNECTIONS, http=Arrival,
        )  # fmt: skip
        await until_told(config, announce)


@asynccontextmanager
async def at_work(settings: Settings, household: Household, clock: Clock) -> AsyncGenerator[list[Channel], None]:
    """Have people heard, schedules done and letters carried while the block lasts; its end waits for what was begun.

    Raises:
        ConfigError, PluginError: as `opened`.
    """

    async def listen() -> None:
        async with anyio.create_task_group() as tasks:
            for each in channels:
                tasks.start_soon(each.listen)

    async with opened(settings, household, clock) as channels, household.on_duty(), beside(listen):
        yield channels
        with anyio.move_on_after(settings.channels.drain_s):
            for each in channels:
                await each.rest()
            for each in channels:
                await household.courier.deliver(each.name)


def application(channels: Mapping[str, Channel]) -> FastAPI:
    """Return what is served: `GET /healthz`, and `POST /hooks/CHANNEL` for calls of the services."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    async def health() -> JSONResponse:
        told = {
            name: {"working": each.state.working, "detail": each.state.detail, **each.state.counts}
            for name, each in channels.items()
        }
        well = all(each.state.working for each in channels.values())
        return JSONResponse({"ok": well, "channels": told}, status_code=200 if well else 503)

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
            status = DOORS[error.code].http_status
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
