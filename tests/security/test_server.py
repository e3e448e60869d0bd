"""Attacks on the server itself: foreign pages, forged names, missing keys, paths, and bodies without end."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from scenario.interfaces import FAQ, PDF, http, serving, settings
from wellread.apps.http import api_keys
from wellread.apps.http.exposure import is_loopback, refuse_open
from wellread.apps.http.serve import CONNECTIONS, serve
from wellread.errors import ConfigError
from wellread.sections import ServerSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from anyio.abc import SocketStream

JSON = {"content-type": "application/json"}


@asynccontextmanager
async def half_asked(root: str, many: int) -> AsyncGenerator[list[SocketStream], None]:
    """Hold `many` connections that have sent half a header each."""
    async with AsyncExitStack() as stack:
        held: list[SocketStream] = []
        for _ in range(many):
            stream = await stack.enter_async_context(await anyio.connect_tcp("127.0.0.1", int(root.rpartition(":")[2])))
            await stream.send(b"GET /healthz HTTP/1.1\r\nHo")
            held.append(stream)
        yield held


async def test_connections_that_send_half_a_header_lock_nobody_out(tmp_path: Path) -> None:
    async with (
        serving(settings(tmp_path), header_s=3_600) as root,  # it is not their own slowness that ends them
        half_asked(root, CONNECTIONS + 10) as held,
    ):
        for _ in range(3):
            async with httpx2.AsyncClient(base_url=root, timeout=60) as other:
                assert (await other.get("/healthz")).status_code == 200
        with anyio.fail_after(60), pytest.raises(anyio.EndOfStream):
            await held[0].receive()  # the oldest made room


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"GET /healthz HTTP/1.1\r\nHo"),
        (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHo"),
        (b"POST /v1/read HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 9999\r\n\r\n", b"{"),
    ],
    ids=["nothing before", "after an answer", "in a body that was answered"],
)
async def test_a_connection_that_does_not_go_on_is_closed(
    tmp_path: Path, before: bytes, after: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    # By itself uvicorn would let it rest for longer than this test may take.
    monkeypatch.setattr(uvicorn, "Config", partial(uvicorn.Config, timeout_keep_alive=3_600))
    async with (
        serving(settings(tmp_path), header_s=1.0) as root,
        await anyio.connect_tcp("127.0.0.1", int(root.rpartition(":")[2])) as stream,
    ):
        with anyio.fail_after(60), suppress(anyio.BrokenResourceError):
            if before:
                await stream.send(before)
                assert (await stream.receive()).startswith(b"HTTP/1.1 ")
            await stream.send(after)
            async for _ in stream:
                pass


async def test_a_header_that_comes_in_pieces_is_heard(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, half_asked(root, 1) as [stream]:
        await stream.send(b"st: 127.0.0.1\r\n\r\n")
        assert (await stream.receive()).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "127.0.0.1.evil.example",
        "127.0.0.1:8765.evil.example",
        "0.0.0.0",
        "",
        "[::]",
    ],
)
@pytest.mark.parametrize("path", ["/v1/read", "/mcp", "/healthz", "/openapi.json"])
async def test_a_name_that_was_made_to_point_here_is_refused(tmp_path: Path, host: str, path: str) -> None:
    async with http(settings(tmp_path)) as client:
        answer = await client.post(path, content=b"{}", headers=JSON | {"host": host})
    assert answer.status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:3000", "http://127.0.0.1", "https://ours.example.evil"]
)
@pytest.mark.parametrize("path", ["/v1/read", "/mcp"])
async def test_a_page_in_a_browser_may_not_call(tmp_path: Path, origin: str, path: str) -> None:
    async with http(settings(tmp_path, origins=("https://ours.example",))) as client:
        for method in ("POST", "OPTIONS"):
            answer = await client.request(method, path, headers=JSON | {"origin": origin})
            assert answer.status_code == 403
            assert "access-control-allow-origin" not in answer.headers


async def test_a_page_of_ours_may_call_when_it_is_listed(tmp_path: Path) -> None:
    async with http(settings(tmp_path, origins=("https://ours.example",))) as client:
        asked = await client.options("/v1/read", headers={"origin": "https://ours.example"})
        assert asked.status_code == 204
        answer = await client.post("/v1/read", json={"url": FAQ}, headers={"origin": "https://ours.example"})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://ours.example"


async def test_origins_that_may_call_the_server(
    tmp_path: Path,
) -> None:
    async with http(settings(tmp_path)) as client:
        own = str(client.base_url).rstrip("/")
        port = int(own.rpartition(":")[2])
        answer = await client.post("/v1/read", json={"url": FAQ}, headers={"origin": own})
        assert answer.status_code == 200
        for other in (
            f"http://127.0.0.1:{port + 1}",
            f"http://localhost:{port}",
            f"{own}.evil.example",
            f"ftp:{own[5:]}",
        ):
            assert (await client.post("/v1/read", json={"url": FAQ}, headers={"origin": other})).status_code == 403
        # A page of the other scheme must ask before it sends JSON, and is not told that it may.
        asked = await client.options("/v1/read", headers={"origin": own.replace("http", "https")})
    assert asked.status_code == 405
    assert "access-control-allow-origin" not in asked.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
@pytest.mark.parametrize("path", ["/v1/read", "/mcp"])
async def test_a_form_that_any_page_can_send_is_no_request(tmp_path: Path, kind: str, path: str) -> None:
    async with http(settings(tmp_path)) as client:
        answer = await client.post(path, content=json.dumps({"url": FAQ}).encode(), headers={"content-type": kind})
    assert answer.status_code in {400, 415}


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.com"])
async def test_a_server_refuses_to_stand_open_on_a_public_interface(tmp_path: Path, host: str) -> None:
    given = settings(tmp_path, host=host)
    with pytest.raises(ConfigError) as caught:
        await serve(given, None, None, announce=print)  # type: ignore[arg-type]  # it must refuse before it needs them
    assert "--new-key" in caught.value.hint
    _, kept = api_keys.new_key("a")
    refuse_open(replace(given.server, keys={"a": kept}))


@pytest.mark.parametrize(
    ("host", "safe"),
    [
        ("127.0.0.1", True), ("::1", True), ("127.9.9.9", True), ("localhost", True),
        ("localhost.evil.example", False), ("0", False),
    ],
)  # fmt: skip
def test_loopback_is_known_by_its_address(host: str, *, safe: bool) -> None:
    assert is_loopback(host) is safe


@pytest.mark.parametrize("path", ["/v1/read", "/mcp", "/metrics", "/openapi.json", "/v1/nothing"])
@pytest.mark.parametrize("authorization", [None, "Bearer wrong", "Basic d3I6eA==", "Bearer", "Bearer sha256:00"])
async def test_nothing_is_told_without_a_key(tmp_path: Path, path: str, authorization: str | None) -> None:
    _, kept = api_keys.new_key("a")
    sent = JSON | ({"authorization": authorization} if authorization else {})
    async with http(settings(tmp_path, keys={"a": kept})) as client:
        answer = await client.post(path, content=b"{}", headers=sent)
        assert (await client.get("/healthz")).status_code == 200
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_key_opens_both_interfaces_and_its_hash_neither(tmp_path: Path) -> None:
    key, kept = api_keys.new_key("a")
    async with serving(settings(tmp_path, keys={"a": kept})) as root:
        async with httpx2.AsyncClient(base_url=root, headers={"authorization": f"Bearer {key}"}) as client:
            assert (await client.post("/v1/read", json={"url": FAQ})).status_code == 200
            async with Client(streamable_http_client(f"{root}/mcp", http_client=client)) as caller:
                assert not (await caller.call_tool("web_read", {"url": FAQ})).is_error
        answer = httpx2.Response(0)
        async with httpx2.AsyncClient(base_url=root, headers={"authorization": f"Bearer {kept}"}) as client:
            answer = await client.post("/v1/read", json={"url": FAQ})
        assert answer.status_code == 401


async def test_each_key_has_its_own_rate(tmp_path: Path) -> None:
    (one, kept_one), (two, kept_two) = api_keys.new_key("one"), api_keys.new_key("two")
    async with http(settings(tmp_path, keys={"one": kept_one, "two": kept_two}, key_per_min=2)) as client:
        codes = [
            (await client.get("/openapi.json", headers={"authorization": f"Bearer {key}"})).status_code
            for key in (one, one, one, two)
        ]
    assert codes == [200, 200, 429, 200]


@pytest.mark.parametrize("kept", ["wr_a-key-in-the-clear", "sha256:12", "", "md5:" + "0" * 32])
def test_a_key_in_the_clear_is_no_setting(kept: str) -> None:
    with pytest.raises(ConfigError) as caught:
        api_keys.check({"a": kept})
    assert kept not in caught.value.message or not kept


@pytest.mark.parametrize("chunked", [True, False])
@pytest.mark.parametrize("path", ["/v1/read", "/mcp"])
async def test_a_body_beyond_the_limit_is_not_read_on(tmp_path: Path, path: str, *, chunked: bool) -> None:
    async def without_end() -> object:
        for _ in range(100):
            yield b"x" * 1_000

    async with http(settings(tmp_path, max_request_bytes=5_000)) as client:
        content = without_end() if chunked else b"x" * 100_000
        answer = await client.post(path, content=content, headers=JSON)  # type: ignore[arg-type]  # bytes come of it
    assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")


async def test_a_download_lands_in_the_workspace_and_nowhere_else(tmp_path: Path) -> None:
    workspace = tmp_path / "only" / "here"
    async with http(settings(tmp_path / "data", workspace=workspace)) as client:
        saved = (await client.post("/v1/download", json={"url": PDF})).json()
        for bad in ({"to": "/etc"}, {"path": "../x"}, {"name": "../../x"}):
            assert (await client.post("/v1/download", json={"url": PDF, **bad})).status_code == 400
    assert [path.name for path in workspace.iterdir()] == [saved["name"]]
    assert str(tmp_path) not in json.dumps(saved)


async def test_a_session_of_one_key_is_closed_to_another(tmp_path: Path) -> None:
    (one, kept_one), (two, kept_two) = api_keys.new_key("one"), api_keys.new_key("two")
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip
    sent = JSON | {"accept": "application/json, text/event-stream"}
    async with http(settings(tmp_path, keys={"one": kept_one, "two": kept_two})) as client:
        opened = await client.post("/mcp", json=hello, headers=sent | {"authorization": f"Bearer {one}"})
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        stolen = await client.post("/mcp", json=listing, headers=sent | session | {"authorization": f"Bearer {two}"})
    assert (opened.status_code, stolen.status_code) == (200, 404)


async def test_a_caller_that_sends_its_body_too_slowly_is_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wellread.apps.http.request_guard.BODY_S", 0.05)

    async with serving(settings(tmp_path)) as root:
        port = int(root.rpartition(":")[2])
        async with await anyio.connect_tcp("127.0.0.1", port) as stream:
            head = f"POST /v1/read HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            await stream.send(head.encode() + b"Content-Length: 9\r\n\r\n{")
            with anyio.fail_after(60):
                assert b" 408 " in await stream.receive()


def test_settings_of_the_server_hold_no_key_in_the_clear() -> None:
    key, kept = api_keys.new_key("a")
    assert key not in repr(ServerSettings(keys={"a": kept}))
    with pytest.raises(ConfigError):
        api_keys.new_key("no spaces")
