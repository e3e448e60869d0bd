"""What interfaces do about a caller who goes away, too many at once, and a server that is told to stop."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest
from mcp import Client

from scenario import interfaces
from scenario.loopback import whole
from wellread import Web
from wellread.config import FetchSettings, GatherSettings, NetSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from anyio.abc import SocketStream

    from scenario.loopback import Server
    from wellread.config import Settings

PAGE = whole(
    b"<main><h1>Slack water</h1><p>The tide stands still for twenty minutes here.</p></main>", Content_Type="text/html"
)


class Slow:
    """A page that never comes; it notes that it was asked for, and that whoever asked has gone."""

    def __init__(self) -> None:
        self.asked = anyio.Event()
        self.left = anyio.Event()

    async def __call__(self, stream: SocketStream, _request: bytes) -> None:
        self.asked.set()
        try:
            await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            self.left.set()

    async def wait_until_left(self) -> None:
        with anyio.fail_after(60):
            await self.left.wait()


@asynccontextmanager
async def over(server: Server, folder: Path, **limits: object) -> AsyncGenerator[tuple[str, Slow], None]:
    """Serve the live pages of a loopback server, of which /slow never comes."""
    given: Settings = interfaces.settings(folder, **limits)
    given = replace(
        given,
        cache=replace(given.cache, ttl_min=0),
        fetch=FetchSettings(timeout_s=3_600, idle_s=3_600),  # no deadline ends what was to be given up
        gather=GatherSettings(timeout_s=3_600, page_timeout_s=3_600),
        net=NetSettings(allow_hosts=(f"127.0.0.1:{server.port}",)),
    )
    slow = Slow()
    server.paths |= {"/slow": slow, "/page": PAGE}
    async with interfaces.serving(given, web=Web(given)) as root:
        yield root, slow


async def test_work_ends_when_the_caller_of_the_api_goes_away(server: Server, tmp_path: Path) -> None:
    async with over(server, tmp_path) as (root, slow), httpx2.AsyncClient(base_url=root, timeout=60) as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: client.post("/v1/read", json={"url": server.url("/slow")}))
            await slow.asked.wait()
            tasks.cancel_scope.cancel()
        await slow.wait_until_left()
        assert "wellread_operations_running 0.0" in (await client.get("/metrics")).text


async def test_a_gather_ends_when_its_stream_of_events_is_closed(server: Server, tmp_path: Path) -> None:
    given = {"question": "Where does the tide stand still?"}
    async with over(server, tmp_path) as (root, slow), httpx2.AsyncClient(base_url=root, timeout=60) as client:
        await indexed(client, server, slow)
        async with client.stream("POST", "/v1/gather", json=given, headers={"accept": "text/event-stream"}) as answer:
            lines = answer.aiter_lines()
            assert await anext(lines) == "event: hits"
            await slow.asked.wait()
        await slow.wait_until_left()


@pytest.mark.parametrize("era", interfaces.ERAS)
async def test_a_gather_ends_when_an_mcp_client_gives_it_up(server: Server, tmp_path: Path, era: str) -> None:
    async with over(server, tmp_path) as (root, slow), httpx2.AsyncClient(base_url=root, timeout=60) as client:
        await indexed(client, server, slow)
        async with Client(f"{root}/mcp", mode=era) as caller:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(caller.call_tool, "web_gather", {"question": "Where does the tide stand still?"})
                await slow.asked.wait()
                tasks.cancel_scope.cancel()
            await slow.wait_until_left()


async def indexed(client: httpx2.AsyncClient, server: Server, slow: Slow) -> None:
    """Put the page that never comes into the index, as it was when it still came; it is asked for anew each time."""
    server.paths["/slow"] = PAGE
    assert (await client.post("/v1/index/add", json={"url": server.url("/slow")})).json()["outcome"] == "indexed"
    server.paths["/slow"] = slow


async def test_more_calls_than_places_are_told_to_come_back(server: Server, tmp_path: Path) -> None:
    async with (
        over(server, tmp_path, concurrency=1, queue=0) as (root, slow),
        httpx2.AsyncClient(base_url=root, timeout=60) as client,
        Client(f"{root}/mcp") as caller,
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(lambda: client.post("/v1/read", json={"url": server.url("/slow")}))
        await slow.asked.wait()
        answer = await client.post("/v1/read", json={"url": server.url("/page")})
        assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
        assert int(answer.headers["retry-after"]) >= 1
        assert (await client.get("/readyz")).status_code == 503
        told = await caller.call_tool("web_read", {"url": server.url("/page")})
        assert told.is_error
        assert told.structured_content["error"]["retry_after_s"] >= 1
        tasks.cancel_scope.cancel()


async def test_a_server_short_of_memory_begins_nothing_new(server: Server, tmp_path: Path) -> None:
    async with (
        over(server, tmp_path, max_memory_bytes=1) as (root, _),
        httpx2.AsyncClient(base_url=root, timeout=60) as client,
    ):
        answer = await client.post("/v1/read", json={"url": server.url("/page")})
    assert (answer.status_code, "retry-after" in answer.headers) == (429, True)


async def test_a_full_workspace_takes_no_more_files(server: Server, tmp_path: Path) -> None:
    async with (
        over(server, tmp_path, workspace_max_bytes=len(PAGE) // 2) as (root, _),
        httpx2.AsyncClient(base_url=root, timeout=60) as client,
    ):
        (tmp_path / "downloads").mkdir()
        (tmp_path / "downloads" / "kept.bin").write_bytes(b"x" * len(PAGE))
        answer = await client.post("/v1/download", json={"url": server.url("/page")})
        assert (answer.status_code, answer.json()["code"]) == (429, "budget")
        (tmp_path / "downloads" / "kept.bin").unlink()
        answer = await client.post("/v1/download", json={"url": server.url("/page")})
        assert (answer.status_code, answer.json()["code"]) == (422, "too_large")
    assert list((tmp_path / "downloads").iterdir()) == []


async def test_a_server_told_to_stop_finishes_what_it_began(server: Server, tmp_path: Path) -> None:
    asked, go_on = anyio.Event(), anyio.Event()

    async def when_told(stream: SocketStream, _request: bytes) -> None:
        asked.set()
        await go_on.wait()
        await stream.send(PAGE)

    server.paths["/later"] = when_told
    options = ["--set", f"cache.dir={tmp_path}", "--set", f"net.allow_hosts=127.0.0.1:{server.port}"]
    command = [sys.executable, "-m", "wellread", *options, "serve", "--port", "0"]
    answers: list[httpx2.Response] = []
    async with await anyio.open_process(command, stdout=None, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        root = (await process.stderr.receive()).decode().removeprefix("listening on ").strip()
        async with httpx2.AsyncClient(base_url=root, timeout=60) as client, anyio.create_task_group() as tasks:

            async def read() -> None:
                answers.append(await client.post("/v1/read", json={"url": server.url("/later")}))

            tasks.start_soon(read)
            await asked.wait()
            process.send_signal(signal.SIGTERM)
            go_on.set()
        with anyio.fail_after(60):
            assert await process.wait() == 0
    assert [answer.status_code for answer in answers] == [200]
    assert "tide stands still" in answers[0].json()["text"]
