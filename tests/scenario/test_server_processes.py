"""Several processes that serve at one address."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest

from scenario.loopback import whole
from warm import run
from wellread.apps.http.server_processes import ServerProcess
from wellread.config import ExtractSettings, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from redis_server import RedisServer
    from scenario.loopback import Server

PAGE = "<title>Tides</title><p>" + "The tide comes in twice a day, and goes out again, as the moon has it. " * 8
pytestmark = pytest.mark.anyio


@asynccontextmanager
async def serving(server: Server, redis: RedisServer, folder: Path) -> AsyncIterator[tuple[anyio.abc.Process, str]]:
    settings = {
        "net.allow_hosts": f"127.0.0.1:{server.port}", "net.robots": "false", "render.enabled": "false",
        "shared.url": redis.url, "extract.processes": "0", "server.logs": "none", "cache.dir": folder,
    }  # fmt: skip
    options = [word for name, setting in settings.items() for word in ("--set", f"{name}={setting}")]
    command = [sys.executable, "-m", "wellread", *options, "serve", "--port", "0", "--processes", "2"]
    async with await anyio.open_process(command, stdout=None, stderr=subprocess.PIPE) as parent:
        try:
            assert parent.stderr is not None
            yield parent, (await parent.stderr.receive()).decode().removeprefix("listening on ").split()[0]
        finally:
            if parent.returncode is None:
                parent.kill()


def children(process_id: int) -> list[int]:
    """Return the processes of a server, the first one first."""
    return [int(word) for word in Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()]


def runs(process_id: int) -> bool:
    return Path(f"/proc/{process_id}").exists()


@contextmanager
def halted(process_id: int) -> Iterator[None]:
    os.kill(process_id, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process_id, signal.SIGCONT)


async def answered(root: str, method: str, path: str, **options: object) -> httpx2.Response:
    """Return the answer to a request over a connection of its own."""
    async with httpx2.AsyncClient(base_url=root, timeout=60) as client:
        response = await client.request(method, path, **options)  # type: ignore[arg-type]  # options of the library
    assert response.status_code < 300, response.text
    return response


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc")
async def test_processes_share_and_are_replaced(server: Server, redis: RedisServer, tmp_path: Path) -> None:
    server.anything = whole(PAGE.encode(), Content_Type="text/html")
    with anyio.fail_after(120):
        async with serving(server, redis, tmp_path) as (parent, root):
            first, second = children(parent.pid)
            with halted(first):
                await answered(root, "POST", "/v1/read", json={"url": server.url("/a")})
            with halted(second):
                await answered(root, "POST", "/v1/read", json={"url": server.url("/b")})
                job = await answered(root, "POST", "/v1/crawl", json={"urls": [server.url("/c")], "limit": 1})
            path, headers = f"/v1/crawl/{job.json()['id']}", {"x-request-id": "of-the-test"}
            for _ in range(8):  # some of these come to the second process, which has no crawls itself
                answer = await answered(root, "GET", path, headers=headers)
                assert answer.headers.get_list("x-request-id") == ["of-the-test"]
            counted = (await answered(root, "GET", "/metrics")).text
            assert 'wellread_operations_total{code="ok",operation="web_read"} 2.0' in counted

            os.kill(first, signal.SIGKILL)
            os.kill(second, signal.SIGKILL)
            assert (await answered(root, "GET", path)).json()["state"] in {"done", "running"}
            assert not {first, second} & set(children(parent.pid))
            replacements = children(parent.pid)

            parent.terminate()
            assert await parent.wait() == 0
            assert not any(map(runs, replacements))


def test_processes_that_share_nothing_are_refused(tmp_path: Path) -> None:
    ended = run("serve", "--port", "0", "--processes", "2", home=tmp_path)
    assert ended.code == 3
    assert "needs shared.url" in ended.err


@pytest.mark.parametrize(("total", "shares"), [(0, [0, 0, 0]), (2, [1, 1, 1]), (8, [3, 3, 2])])
def test_worker_processes_are_shared_out(total: int, shares: list[int]) -> None:
    settings = Settings(extract=ExtractSettings(processes=total))
    processes = [
        ServerProcess(index=index, folder=Path(), sockets=(), lifeline=0, delay_s=0, count=3, is_replacement=False)
        for index in range(3)
    ]
    assert [process.share_of(settings).extract.processes for process in processes] == shares
