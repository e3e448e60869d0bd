"""Several processes that serve at one address."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import anyio
import anyio.lowlevel
import httpx2
import pytest
from anyio import to_thread

from scenario.interfaces import settings
from scenario.loopback import whole
from streams import request_from
from warm import run
from wellread import Web
from wellread.apps.commands.demo import SITE
from wellread.apps.http.metrics import Metrics
from wellread.apps.http.request_guard import RequestGuard
from wellread.apps.http.serve import serve
from wellread.apps.http.server_processes import MAX_SHORT_LIVES, NOT_SERVING, ServerProcess, start_processes
from wellread.apps.system_clock import SystemClock
from wellread.config import ExtractSettings, Settings
from wellread.errors import SharedStateFailed
from wellread.net import local_socket
from wellread.net.forwarding import UnixForwarder
from wellread.net.server_sockets import bound_sockets
from wellread.sections import ServerSettings
from wellread.testing import FakeClock
from wellread.worker.shared_counts import SharedCounts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, MutableMapping

    from anyio.abc import SocketStream

    from redis_server import RedisServer
    from scenario.loopback import Server

PAGE = "<title>Tides</title><p>" + "The tide comes in twice a day, and goes out again, as the moon has it. " * 8
pytestmark = pytest.mark.anyio


@asynccontextmanager
async def serving(server: Server, redis: RedisServer, folder: Path) -> AsyncIterator[tuple[anyio.abc.Process, str]]:
    options_of_server = {
        "net.allow_hosts": f"127.0.0.1:{server.port}", "net.robots": "false", "render.enabled": "false",
        "shared.url": redis.url, "extract.processes": "0", "server.logs": "none", "cache.dir": folder,
    }  # fmt: skip
    options = [word for name, setting in options_of_server.items() for word in ("--set", f"{name}={setting}")]
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
            for index in range(2):
                assert f'wellread_operations_total{{code="ok",operation="web_read",process="{index}"}} 1.0' in counted

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


ERROR = 3 << 8
"""The status of a process that ended with the exit code 3."""


@pytest.mark.parametrize(
    ("ends", "exit_code", "start_count"),
    [
        ([(2, ERROR), (1, 0)], 3, 2),  # it could not start
        ([(2, signal.SIGKILL), *((number, ERROR) for number in range(3, 13)), (1, 0)], 1, 2 + MAX_SHORT_LIVES),
    ],
)
def test_error_of_a_replacement_ends_no_server(
    ends: list[tuple[int, int]], exit_code: int, start_count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    process_ids = iter(range(1, 99))
    monkeypatch.setattr(os, "fork", lambda: next(process_ids))
    monkeypatch.setattr(os, "wait", lambda: ends.pop(0))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    settings = Settings(server=ServerSettings(port=0, processes=2))
    assert start_processes(settings, FakeClock(), bound_sockets("127.0.0.1", 0)[0]) == exit_code
    assert (ends, next(process_ids)) == ([], start_count + 1)


@pytest.mark.parametrize(("total", "shares"), [(0, [0, 0, 0]), (2, [1, 1, 1]), (8, [3, 3, 2])])
def test_worker_processes_are_shared_out(total: int, shares: list[int]) -> None:
    settings = Settings(extract=ExtractSettings(processes=total))
    processes = server_processes(3, Path())
    assert [process.share_of(settings).extract.processes for process in processes] == shares


def server_processes(count: int, folder: Path, lifeline: int = 0) -> list[ServerProcess]:
    connections, running_tasks = SharedCounts(count), SharedCounts(count)
    return [
        ServerProcess(
            index=index, folder=folder, sockets=(), lifeline=lifeline, delay_s=0, count=count,
            is_replacement=True, connections=connections, running_tasks=running_tasks,
        )
        for index in range(count)
    ]  # fmt: skip


@pytest.fixture
def lifeline() -> Iterator[int]:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    yield reading
    os.close(reading)
    os.close(writing)


async def opened(root: str, count: int) -> list[httpx2.AsyncClient]:
    """Return clients with one connection each."""
    clients = [httpx2.AsyncClient(base_url=root, timeout=60) for _ in range(count)]
    for client in clients:
        assert (await client.get("/healthz")).status_code == 200
    return clients


async def test_connections_are_divided_among_the_processes(tmp_path: Path, lifeline: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as address, anyio.fail_after(60):
        processes = [replace(each, sockets=(address.dup(),)) for each in server_processes(2, tmp_path, lifeline)]
        for process in processes:
            process.end_serving()
        root = f"http://127.0.0.1:{address.getsockname()[1]}"
        counts = processes[0].connections
        async with Web(settings(tmp_path), replay=SITE) as web, anyio.create_task_group() as tasks:

            async def run(process: ServerProcess) -> None:
                await serve(settings(tmp_path), web, SystemClock(), announce=lambda _: None, process=process)

            tasks.start_soon(run, processes[0])
            early = await opened(root, 4)
            assert counts.all() == (4, NOT_SERVING)
            tasks.start_soon(run, processes[1])
            while counts.all() != (4, 0):
                await anyio.lowlevel.checkpoint()
            later = await opened(root, 3)
            while counts.all()[0] > 4:  # one that came to the first on a busy machine is closed
                await anyio.lowlevel.checkpoint()
            assert counts.all()[1] > 0
            processes[1].tell_connections(0)  # as if the clients of the second had left
            answer = await early[0].get("/healthz")
            assert answer.headers["connection"] == "close"
            for client in early + later:
                await client.aclose()
            tasks.cancel_scope.cancel()
        assert counts.all() == (NOT_SERVING, NOT_SERVING)  # not the counts of connections that end later


def test_connections_are_left_to_no_process_that_drains(tmp_path: Path) -> None:
    first, second = server_processes(2, tmp_path)
    for process, count in ((first, 3), (second, 1)):
        process.begin_serving()
        process.tell_connections(count)
    assert first.connections_ahead() == 2
    second.end_serving()
    second.tell_connections(0)
    assert first.connections_ahead() == 0


async def test_metrics_of_processes_are_told_apart(tmp_path: Path) -> None:
    places: Any = SimpleNamespace(running=1, waiting=0, count=lambda: 2)  # Any: stands in for two objects
    first, second = (Metrics(places, places, lambda: (0, 0)) for _ in range(2))
    first.observe("web_read", "ok", 0.2)
    second.observe("web_read", "ok", 0.3)
    second.observe("web_read", "timeout", 15)

    async def answer(_request: local_socket.Message) -> local_socket.Message:
        return {"text": second.text().decode()}

    path, starting_path = tmp_path / "second", tmp_path / "third"
    with local_socket.listening(path) as listener, socket.socket(socket.AF_UNIX) as starting:
        starting.bind(str(starting_path))
        async with local_socket.answering(listener, answer):
            text = (await to_thread.run_sync(first.text_of_all, [path, starting_path])).decode()
    lines = text.splitlines()
    assert starting_path.exists()
    for index in range(2):
        assert f'wellread_operations_total{{code="ok",operation="web_read",process="{index}"}} 1.0' in lines
    assert 'wellread_operations_total{code="timeout",operation="web_read",process="1"} 1.0' in lines
    assert 'wellread_operation_seconds_bucket{le="0.25",operation="web_read",process="0"} 1.0' in lines
    assert 'wellread_browser_sessions{process="1"} 2.0' in lines
    for index, up in enumerate((1.0, 1.0, 0.0)):
        assert f'wellread_server_process_up{{process="{index}"}} {up}' in lines


@pytest.mark.parametrize("answer", [whole(b"tides", "201 Created", X_Place="1", Date="now"), b""])
async def test_request_is_passed_on_to_the_first_process(tmp_path: Path, answer: bytes) -> None:
    requests, sent = [], []

    async def handle(stream: SocketStream) -> None:
        async with stream:
            requests.append(await request_from(stream))
            if answer:
                await stream.send(answer)

    async def receive() -> dict[str, Any]:  # Any: ASGI
        if received:
            return received.pop()
        await anyio.sleep_forever()
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:  # Any: ASGI
        sent.append(message)

    received = [{"type": "http.request", "body": b"{}", "more_body": False}]
    scope = {
        "method": "POST", "raw_path": b"/v1/crawl", "query_string": b"a=%20",
        "headers": [(b"host", b"pages.example"), (b"content-length", b"2")],
    }  # fmt: skip
    async with await anyio.create_unix_listener(tmp_path / "http") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, handle)
        forwarder = UnixForwarder(tmp_path / "http")
        with nullcontext() if answer else pytest.raises(SharedStateFailed):
            await forwarder(scope, receive, send)
        tasks.cancel_scope.cancel()
    head, body = requests[0]
    assert head.lower().startswith(b"post /v1/crawl?a=%20 http/1.1\r\nhost: pages.example")
    assert body == b"{}"
    if answer:
        assert (sent[0]["status"], sent[0]["headers"]) == (201, [(b"Content-Length", b"5"), (b"X-Place", b"1")])
        assert b"".join(message["body"] for message in sent[1:]) == b"tides"


@pytest.mark.parametrize(
    ("target", "host_count", "status"),
    [
        (b"/v1/crawl/../../x", 1, 201),
        (b"/v1/crawl/" + b"a" * 70_000, 1, 201),
        (b"/v1/crawl/\xff", 1, 400),
        (b"/v1/crawl", 0, 421),
        (b"/v1/crawl", 2, 421),
    ],
)
async def test_target_is_passed_on_as_it_came(tmp_path: Path, target: bytes, host_count: int, status: int) -> None:
    requests, sent = [], []

    async def handle(stream: SocketStream) -> None:
        async with stream:
            requests.append(await request_from(stream))
            await stream.send(whole(b"tides", "201 Created"))

    async def receive() -> dict[str, Any]:  # Any: ASGI
        await anyio.sleep_forever()
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:  # Any: ASGI
        sent.append(message)

    unused: Any = None  # Any: stands in for what the first process has
    scope = {
        "type": "http", "method": "GET", "path": "/v1/crawl/x", "raw_path": target, "query_string": b"",
        "headers": [(b"host", b"pages.example")] * host_count,
    }  # fmt: skip
    async with await anyio.create_unix_listener(tmp_path / "http") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, handle)
        forwarder = UnixForwarder(tmp_path / "http")
        guard = RequestGuard(unused, unused, ServerSettings(), unused, first_process=forwarder)
        await guard(scope, receive, send)
        tasks.cancel_scope.cancel()
    assert sent[0]["status"] == status
    if status == 201:
        assert requests[0][0].startswith(b"GET " + target + b" HTTP/1.1")
    else:
        assert b"urn:wellread:problem:" in sent[1]["body"]
