"""A server on loopback over the recorded site, and clients for it: what the tests of the interfaces share."""

from __future__ import annotations

import os
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters

from wellread import Settings, Web
from wellread.apps.commands.demo import HOME, SITE
from wellread.apps.http.connection_timeouts import HEADER_S
from wellread.apps.http.serve import serve
from wellread.apps.system_clock import SystemClock
from wellread.config import CacheSettings, SearchSettings
from wellread.sections import ServerSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

FAQ = HOME + "faq"
LONG = HOME + "reference"
PDF = HOME + "reports/petrel-count-2024.pdf"
QUESTION = "Why was the lamp of the lighthouse changed?"
ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
"""How a client negotiates -> the protocol revision that comes of it."""


def settings(folder: Path, **server: Any) -> Settings:  # Any: fields of the section, each of its type
    return Settings(
        cache=CacheSettings(dir=folder),
        search=SearchSettings(providers=("local",)),
        server=replace(ServerSettings(port=0), **server),
    )


@asynccontextmanager
async def serving(given: Settings, *, web: Web | None = None, header_s: float = HEADER_S) -> AsyncGenerator[str, None]:
    """Serve over the recorded site, or over `web`; yields the root URL."""
    async with web or Web(given, replay=SITE) as opened, anyio.create_task_group() as tasks:
        listening = anyio.Event()
        urls: list[str] = []

        def announce(url: str) -> None:
            urls.append(url)
            listening.set()

        async def run() -> None:
            await serve(given, opened, SystemClock(), announce=announce, header_s=header_s)

        tasks.start_soon(run)
        with anyio.fail_after(60):
            await listening.wait()
        yield urls[0]
        tasks.cancel_scope.cancel()


@asynccontextmanager
async def http(given: Settings, *, web: Web | None = None) -> AsyncGenerator[httpx2.AsyncClient, None]:
    async with serving(given, web=web) as root, httpx2.AsyncClient(base_url=root, timeout=60) as client:
        yield client


def stdio(folder: Path, *options: str) -> StdioServerParameters:
    arguments = ["-m", "wellread", "--set", f"cache.dir={folder}", "--set", "search.providers=local"]
    # Where tests run on a source tree that is not installed, the server must run on it, too.
    path = {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
    return StdioServerParameters(
        command=sys.executable,
        args=[*arguments, "mcp", "--replay", str(SITE), *options],
        env={"HOME": str(folder), **path},
    )


@asynccontextmanager
async def connected(folder: Path, transport: str, era: str) -> AsyncGenerator[Client, None]:
    """Connect the SDK's own client, by `stdio` to a process or by `http` to a server."""
    if transport == "stdio":
        async with Client(stdio(folder), mode=era) as client:
            yield client
    else:
        async with serving(settings(folder)) as root, Client(f"{root}/mcp", mode=era) as client:
            yield client
