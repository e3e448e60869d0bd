"""Fetching from loopback servers that misbehave exactly as told: every ending is typed, in time, within limits."""

from __future__ import annotations

import gzip
import re
import socket
import struct
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import anyio.abc
import brotli  # type: ignore[import-untyped]  # the package has no annotations
import pytest
import stamina
import zstandard

from wellread.config import FetchSettings, NetSettings, Settings
from wellread.errors import (
    BlockedAddress,
    InvalidInput,
    InvalidUrl,
    RateLimited,
    RedirectLoop,
    Robots,
    Timeout,
    TooLarge,
    Unreachable,
    Unsupported,
    Upstream,
    WellreadError,
)
from wellread.net import guard
from wellread.net.client import Client
from wellread.net.dial import NetworkTransport
from wellread.net.wire import Answer, Hop
from wellread.testing import FakeClock
from wellread.types import Request, Response, header

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator

    from anyio.abc import SocketStream

    from wellread.types import Headers

    type_handler = Callable[[SocketStream, bytes], Awaitable[None]]

pytestmark = pytest.mark.anyio

LIMIT = 100_000
FETCH = FetchSettings(timeout_s=5, idle_s=0.3, max_bytes=LIMIT, attempts=2)


def head(status: str = "200 OK", **fields: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def whole(body: bytes = b"", status: str = "200 OK", **fields: str) -> bytes:
    return head(status, Content_Length=str(len(body)), **fields) + body


def moved(place: str, status: str = "302 Found") -> bytes:
    return whole(b"moved", status, Location=place)


class Server:
    """Answers each path with bytes, with a list of answers in turn, or by a handler; notes what it was asked."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.paths: dict[str, bytes | list[bytes] | type_handler] = {}
        self.requests: list[bytes] = []
        self.connections = 0

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def asked(self) -> list[str]:
        return [request.split(b" ", 2)[1].decode() for request in self.requests]

    async def serve(self, stream: SocketStream) -> None:
        self.connections += 1
        async with stream:
            try:
                while True:
                    await self._answer(stream)
            except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
                return

    async def _answer(self, stream: SocketStream) -> None:
        request = b""
        while b"\r\n\r\n" not in request:
            request += await stream.receive()
        length = re.search(rb"content-length: (\d+)", request, re.IGNORECASE)
        while length and len(request.partition(b"\r\n\r\n")[2]) < int(length[1]):
            request += await stream.receive()
        self.requests.append(request)
        said = self.paths.get(request.split(b" ", 2)[1].decode(), whole(b"nothing here", "404 Not Found"))
        if isinstance(said, list):
            said = said.pop(0) if len(said) > 1 else said[0]
        if isinstance(said, bytes):
            await stream.send(said)
            if b"Content-Length" not in said:
                await stream.aclose()
        else:
            await said(stream, request)
            await stream.aclose()


async def reset(stream: SocketStream) -> None:
    raw = stream.extra(anyio.abc.SocketAttribute.raw_socket)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await anyio.aclose_forcefully(stream)


def then_resets(start: bytes) -> type_handler:
    async def handler(stream: SocketStream, _: bytes) -> None:
        await stream.send(start)
        await anyio.lowlevel.checkpoint()
        await reset(stream)

    return handler


def then_closes(start: bytes) -> type_handler:
    async def handler(stream: SocketStream, _: bytes) -> None:
        await stream.send(start)

    return handler


def then_silence(start: bytes) -> type_handler:
    async def handler(stream: SocketStream, _: bytes) -> None:
        if start:
            await stream.send(start)
        await stream.receive()  # until the client goes

    return handler


def without_end(start: bytes, piece: bytes, pause_s: float = 0) -> type_handler:
    async def handler(stream: SocketStream, _: bytes) -> None:
        await stream.send(start)
        while True:
            await stream.send(piece)
            await anyio.sleep(pause_s)

    return handler


@asynccontextmanager
async def serving() -> AsyncGenerator[Server, None]:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    server = Server(listener.extra(anyio.abc.SocketAttribute.local_port))
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, server.serve)
        yield server
        tasks.cancel_scope.cancel()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as server:
        yield server


@pytest.fixture
async def other() -> AsyncIterator[Server]:
    async with serving() as other:
        yield other


@pytest.fixture(autouse=True)
def no_pauses() -> Iterator[None]:
    with stamina.set_testing(True, attempts=100, cap=True):
        yield


@asynccontextmanager
async def client_for(
    *servers: Server, fetch: FetchSettings = FETCH, **net: bool | float
) -> AsyncGenerator[Client, None]:
    settings = Settings(net=replace(NetSettings(), **net), fetch=fetch)  # type: ignore[arg-type]  # names checked there
    settings = replace(settings, net=replace(settings.net, allow_hosts=tuple(f"127.0.0.1:{s.port}" for s in servers)))
    transport = NetworkTransport(settings, policy=guard.policy(settings.net))
    client = Client(settings, transport, clock=FakeClock())
    try:
        yield client
    finally:
        await client.aclose()


async def fetched(server: Server, path: str = "/", *, fetch: FetchSettings = FETCH, **request: object) -> Response:
    async with client_for(server, fetch=fetch) as client:
        asked = Request(url=server.url(path), user_asked=True)
        return await client.fetch(replace(asked, **request))  # type: ignore[arg-type]  # names checked there


# --------------------------------------------------------------------------------------------- plain answers


async def test_an_answer_comes_back_with_its_body_headers_and_place(server: Server) -> None:
    server.paths["/a?b=1"] = whole(b"hello", Content_Type="text/plain")
    response = await fetched(server, "/a?b=1#part")
    assert (response.status, response.body, response.partial) == (200, b"hello", None)
    assert (response.url, response.redirects) == (server.url("/a?b=1"), ())
    assert header(response.headers, "content-type") == "text/plain"


async def test_a_request_says_who_asks_and_the_caller_s_headers_replace_ours(server: Server) -> None:
    server.paths["/"] = whole(b"x")
    await fetched(server, headers=(("accept", "application/json"), ("If-None-Match", '"v1"')))
    sent = server.requests[0].decode().lower().split("\r\n")
    assert f"host: 127.0.0.1:{server.port}" in sent
    assert "user-agent: wellread/0.1 (+https://pypi.org/project/wellread/)" in sent
    assert "accept-encoding: gzip, deflate, br, zstd" in sent
    assert [line for line in sent if line.startswith("accept:")] == ["accept: application/json"]
    assert 'if-none-match: "v1"' in sent
    assert not [line for line in sent if line.startswith("cookie")]


@pytest.mark.parametrize("status", ["404 Not Found", "410 Gone", "403 Forbidden", "304 Not Modified", "204 No Content"])
async def test_any_status_is_an_answer(server: Server, status: str) -> None:
    server.paths["/"] = head(status, Content_Length="0")
    assert (await fetched(server)).status == int(status[:3])


async def test_head_asks_for_no_body(server: Server) -> None:
    server.paths["/"] = head(Content_Length="999999999")
    response = await fetched(server, method="head")
    assert (response.status, response.body, response.partial) == (200, b"", None)
    assert server.requests[0].startswith(b"HEAD ")


@pytest.mark.parametrize(
    ("coding", "pack"),
    [("gzip", gzip.compress), ("br", brotli.compress), ("zstd", zstandard.ZstdCompressor().compress)],
)
async def test_a_packed_body_is_unpacked(server: Server, coding: str, pack: Callable[[bytes], bytes]) -> None:
    server.paths["/"] = whole(pack(b"hello " * 1_000), Content_Encoding=coding)
    assert (await fetched(server)).body == b"hello " * 1_000


async def test_an_unknown_coding_is_unsupported(server: Server) -> None:
    server.paths["/"] = whole(b"????", Content_Encoding="exi")
    with pytest.raises(Unsupported, match="'exi'"):
        await fetched(server)


# -------------------------------------------------------------------------------------- bodies that are not whole


@pytest.mark.parametrize(
    "broken",
    [
        then_resets(head(Content_Length="5000") + b"hello"),
        then_closes(head(Content_Length="5000") + b"hello"),
        then_closes(head(Transfer_Encoding="chunked") + b"5\r\nhello\r\n"),
        then_closes(head(Transfer_Encoding="chunked") + b"5\r\nhello\r\nXYZ not a chunk\r\n"),
        then_silence(head(Content_Length="5000") + b"hello"),
    ],
    ids=["reset", "short", "no last chunk", "garbage between chunks", "silence"],
)
async def test_a_body_that_breaks_off_is_kept_and_flagged(server: Server, broken: type_handler) -> None:
    server.paths["/"] = broken
    response = await fetched(server)
    assert response.body == b"hello"
    assert response.partial
    assert len(server.requests) == 1


async def test_more_bytes_than_announced_are_not_part_of_the_body(server: Server) -> None:
    server.paths["/"] = then_closes(head(Content_Length="5") + b"hello and more")
    response = await fetched(server)
    assert (response.body, response.partial) == (b"hello", None)


async def test_a_packed_body_that_is_cut_is_flagged(server: Server) -> None:
    packed = gzip.compress(bytes(i * i % 251 for i in range(20_000)))
    server.paths["/"] = whole(packed[: len(packed) // 2], Content_Encoding="gzip")
    response = await fetched(server)
    assert response.body
    assert response.partial == "the gzip coding breaks off"


# --------------------------------------------------------------------------------------------- no usable answer


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (then_closes(b""), Unreachable),
        (then_resets(b""), Unreachable),
        (then_closes(b"HTTP/1.1 200 OK\r\nContent-Le"), Unreachable),
        (then_closes(head(Content_Length="50")), Unreachable),
        (then_closes(b"<html>HTTP/0.9 had no head</html>\r\n\r\n"), Upstream),
        (then_closes(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), Upstream),
        (then_closes(bytes(range(128, 256)) * 40 + b"\r\n\r\n"), Upstream),
        (then_closes(head(Content_Length="minus one") + b"x"), Upstream),
        (then_closes(head(Transfer_Encoding="chunked") + b"no chunk at all\r\n"), Upstream),
        (then_closes(b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 100_000 + b"\r\n\r\n"), TooLarge),
        (then_closes(b"HTTP/1.1 200 OK\r\n" + b"X-Many: a\r\n" * 8_000 + b"\r\n"), TooLarge),
        (without_end(b"HTTP/1.1 200 OK\r\n", b"X-Endless: header\r\n" * 100), TooLarge),
        (without_end(head(), b"never-ending " * 1_000), TooLarge),
        (without_end(head(Transfer_Encoding="chunked"), b"5\r\nhello\r\n" * 500), TooLarge),
    ],
)
async def test_what_is_no_answer_is_told_by_its_kind(
    server: Server, broken: type_handler, error: type[WellreadError]
) -> None:
    server.paths["/"] = broken
    with pytest.raises(error) as caught:
        await fetched(server, fetch=replace(FETCH, attempts=1))
    assert str(server.port) in caught.value.message


BOMBS = {
    "gzip": gzip.compress(bytes(5_000_000)),
    "br": brotli.compress(bytes(50_000_000), quality=4),
    "zstd": zstandard.ZstdCompressor().compress(bytes(5_000_000)),
}


@pytest.mark.parametrize("coding", BOMBS)
@pytest.mark.parametrize("status", ["200 OK", "404 Not Found", "500 Oops"])
async def test_a_bomb_is_too_large_with_every_status(server: Server, status: str, coding: str) -> None:
    server.paths["/"] = whole(BOMBS[coding], status, Content_Encoding=coding)
    with pytest.raises(TooLarge, match="100,000"):
        await fetched(server)


async def test_the_body_of_a_redirect_is_not_read(server: Server) -> None:
    bomb = whole(BOMBS["gzip"] * 30, "302 Found", Content_Encoding="gzip", Location="/end")
    endless = without_end(head("301 Moved", Location="/middle"), b"x" * 65_536)
    stalled = then_silence(head("307 Moved", Content_Length="9", Location="/start"))
    server.paths.update({"/": stalled, "/start": endless, "/middle": bomb, "/end": whole(b"the end")})
    response = await fetched(server)
    assert response.body == b"the end"
    assert response.redirects == tuple(map(server.url, ["/", "/start", "/middle"]))


# ---------------------------------------------------------------------------------------------------- deadlines


@pytest.mark.parametrize(
    ("slow", "stage"),
    [
        (then_silence(b""), "waiting for 127.0.0.1:PORT to answer"),
        (without_end(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n", 0.02), "waiting for 127.0.0.1:PORT to answer"),
        (without_end(head(), b"drip ", 0.02), "reading the body from 127.0.0.1:PORT"),
    ],
)
async def test_the_deadline_names_what_it_ran_out_on(server: Server, slow: type_handler, stage: str) -> None:
    server.paths["/"] = slow
    with pytest.raises(Timeout, match=r"took longer than 0\.2 s") as caught:
        await fetched(server, timeout_s=0.2)
    assert stage.replace("PORT", str(server.port)) in caught.value.message


async def test_one_deadline_covers_all_redirects(server: Server) -> None:
    async def slow(stream: SocketStream, request: bytes) -> None:
        await anyio.sleep(0.1)
        await stream.send(moved(f"/{int(request.split(b' ')[1][1:] or 0) + 1}"))

    server.paths.update({f"/{n or ''}": slow for n in range(9)})
    with pytest.raises(Timeout):
        await fetched(server, timeout_s=0.35)
    assert 1 <= len(server.requests) <= 4


async def test_silence_from_the_start_of_the_body_is_a_timeout(server: Server) -> None:
    server.paths["/"] = then_silence(head(Content_Length="10"))
    with pytest.raises(Timeout, match=r"fell silent for 0\.3 s"):
        await fetched(server)


# ---------------------------------------------------------------------------------------------------- redirects


async def test_redirects_are_followed_and_listed(server: Server, other: Server) -> None:
    server.paths.update({"/": moved("a/../b"), "/b": moved(other.url("/c d/\u00e9#f"))})
    other.paths["/c%20d/%C3%A9"] = whole(b"there")
    async with client_for(server, other) as client:
        response = await client.fetch(Request(url=server.url(), user_asked=True))
    assert response.body == b"there"
    assert response.redirects == (server.url(), server.url("/b"))
    assert response.url == other.url("/c%20d/%C3%A9")


async def test_a_short_redirect_leaves_the_connection_usable(server: Server) -> None:
    server.paths.update({"/": moved("/b"), "/b": moved("/c", "301 Moved"), "/c": whole(b"there")})
    assert (await fetched(server)).body == b"there"
    assert server.connections == 1


async def test_a_loop_is_named(server: Server) -> None:
    server.paths.update({"/": moved("/a"), "/a": moved("/b"), "/b": moved("/a")})
    with pytest.raises(RedirectLoop) as caught:
        await fetched(server)
    loop = " -> ".join(map(server.url, ["/a", "/b", "/a"]))
    assert loop in caught.value.message
    assert server.asked() == ["/", "/a", "/b"]


async def test_more_redirects_than_allowed_are_refused_and_as_many_are_followed(server: Server) -> None:
    server.paths.update({f"/{n}": moved(f"/{n + 1}") for n in range(1, 20)})
    server.paths["/20"] = whole(b"there")
    assert len((await fetched(server, "/10")).redirects) == 10
    with pytest.raises(RedirectLoop, match="more than 10 times"):
        await fetched(server, "/9")


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("http://169.254.169.254/latest/meta-data/", BlockedAddress),
        ("http://10.0.0.1/", BlockedAddress),
        ("http://127.0.0.1:8000/", BlockedAddress),
        ("http://localhost:8000/", BlockedAddress),
        ("//[::ffff:7f00:1]/", BlockedAddress),
        ("http://2130706433/", BlockedAddress),
        ("https://example.com:22/", BlockedAddress),
        ("file:///etc/passwd", InvalidUrl),
        ("javascript:alert(1)", InvalidUrl),
        ("ftp://example.com/", InvalidUrl),
        ("http://user:pass@example.com/", InvalidUrl),
        ("http:\\\\example.com\\", InvalidUrl),
        ("http://exa mple.com/", InvalidUrl),
    ],
)
async def test_a_redirect_passes_the_guard_like_any_request(
    server: Server, place: str, error: type[WellreadError]
) -> None:
    server.paths["/"] = moved(place)
    with pytest.raises(error, match="redirects to a refused place"):
        await fetched(server)
    assert server.asked() == ["/"]


async def test_a_redirect_to_a_listed_host_s_other_port_is_refused(server: Server, other: Server) -> None:
    server.paths["/"] = moved(other.url())
    with pytest.raises(BlockedAddress):
        await fetched(server)
    assert other.connections == 0


@pytest.mark.parametrize(
    ("status", "method", "becomes"),
    [
        ("301 Moved", "POST", "GET"),
        ("302 Found", "POST", "GET"),
        ("303 See Other", "POST", "GET"),
        ("303 See Other", "PUT", "GET"),
        ("303 See Other", "HEAD", "HEAD"),
        ("302 Found", "PUT", "PUT"),
        ("307 Temporary", "POST", "POST"),
        ("308 Permanent", "POST", "POST"),
    ],
)
async def test_a_redirect_changes_the_method_as_the_fetch_standard_says(
    server: Server, status: str, method: str, becomes: str
) -> None:
    answer = moved("/b", status) if method != "HEAD" else head(status, Location="/b", Content_Length="0")
    server.paths.update({"/": answer, "/b": whole()})
    body = b"" if method == "HEAD" else b"question"
    await fetched(server, method=method, body=body, headers=(("Content-Type", "text/plain"),))
    second = server.requests[1]
    assert second.startswith(becomes.encode() + b" /b ")
    assert second.endswith(b"question") is (becomes not in {"GET", "HEAD"})
    assert (b"Content-Type" in second) is (becomes != "GET")


SECRETS: Headers = (("Authorization", "Bearer s3cret"), ("Cookie", "a=s3cret"), ("X-Subscription-Token", "s3cret"))


async def test_secrets_go_to_the_same_origin_only(server: Server, other: Server) -> None:
    server.paths.update({"/": moved("/b"), "/b": moved(other.url("/c"))})
    other.paths.update({"/c": moved(server.url("/d"))})
    server.paths["/d"] = whole()
    async with client_for(server, other) as client:
        await client.fetch(Request(url=server.url(), user_asked=True, headers=(*SECRETS, ("Accept", "x/y"))))
    first, second, back = server.requests
    assert all(request.count(b"s3cret") == 3 for request in (first, second))
    assert b"s3cret" not in other.requests[0] + back
    assert b"Accept: x/y" in other.requests[0]


async def test_cookies_are_not_kept(server: Server) -> None:
    server.paths.update({"/": whole(b"", "302 Found", Location="/b", Set_Cookie="a=1"), "/b": whole()})
    await fetched(server)
    assert b"ookie" not in server.requests[1]


# ------------------------------------------------------------------------------------------------------ retries


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
async def test_a_passing_failure_is_asked_again(server: Server, status: int) -> None:
    server.paths["/"] = [whole(b"wait", f"{status} Oops", Retry_After="0"), whole(b"now")]
    assert (await fetched(server)).body == b"now"


async def test_a_lasting_failure_is_handed_back_with_its_body(server: Server) -> None:
    server.paths["/"] = whole(b"we are down", "503 Oops")
    response = await fetched(server, fetch=replace(FETCH, attempts=3))
    assert (response.status, response.body) == (503, b"we are down")
    assert len(server.requests) == 3


async def test_a_connection_that_breaks_before_the_first_byte_is_tried_again(server: Server) -> None:
    breaks = True

    async def handler(stream: SocketStream, _: bytes) -> None:
        nonlocal breaks
        breaks, broke = False, breaks
        await (reset(stream) if broke else stream.send(whole(b"now")))

    server.paths["/"] = handler
    assert (await fetched(server)).body == b"now"


async def test_a_retry_after_beyond_the_deadline_is_not_waited_for(server: Server) -> None:
    server.paths["/"] = whole(b"slow down", "429 Too Many Requests", Retry_After="30")
    response = await fetched(server)
    assert (response.status, header(response.headers, "retry-after")) == (429, "30")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "method"), [("503 Oops", "POST"), ("404 Not Found", "GET"), ("501 Never", "GET"), ("403 No", "GET")]
)
async def test_what_a_repetition_cannot_mend_or_might_harm_is_asked_once(
    server: Server, status: str, method: str
) -> None:
    server.paths["/"] = whole(b"", status)
    assert (await fetched(server, method=method)).status == int(status[:3])
    assert len(server.requests) == 1


# ------------------------------------------------------------------------------------------------------- robots


async def test_robots_txt_binds_agents_but_not_people(server: Server) -> None:
    server.paths.update(
        {"/robots.txt": whole(b"User-agent: *\nDisallow: /no"), "/no": whole(b"no"), "/yes": whole(b"y")}
    )
    async with client_for(server) as client:
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url("/no")))
        assert (await client.fetch(Request(url=server.url("/yes")))).body == b"y"
        assert (await client.fetch(Request(url=server.url("/no"), user_asked=True))).body == b"no"
    assert server.asked() == ["/robots.txt", "/yes", "/no"]


async def test_robots_txt_can_be_switched_off(server: Server) -> None:
    server.paths.update({"/robots.txt": whole(b"User-agent: *\nDisallow: /"), "/": whole(b"x")})
    async with client_for(server, robots=False) as client:
        await client.fetch(Request(url=server.url()))
    assert server.asked() == ["/"]


async def test_the_place_of_a_redirect_has_its_own_robots_txt(server: Server, other: Server) -> None:
    server.paths["/"] = moved(other.url("/no"))
    other.paths["/robots.txt"] = whole(b"User-agent: wellread\nDisallow: /no")
    async with client_for(server, other) as client:
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url()))
    assert other.asked() == ["/robots.txt"]


async def test_a_robots_txt_may_redirect_and_one_that_never_arrives_allows_all(server: Server) -> None:
    server.paths.update({"/robots.txt": moved("/r"), "/r": whole(b"User-agent: *\nDisallow: /no"), "/": whole(b"x")})
    async with client_for(server) as client:
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url("/no")))
    server.paths["/r"] = moved("/robots.txt")
    async with client_for(server) as client:
        assert (await client.fetch(Request(url=server.url()))).body == b"x"


async def test_a_failing_robots_txt_forbids_all_and_is_not_a_missing_one(server: Server) -> None:
    server.paths.update({"/robots.txt": whole(b"", "503 Oops"), "/": whole(b"x")})
    async with client_for(server) as client:
        with pytest.raises(Robots, match="answered 503"):
            await client.fetch(Request(url=server.url()))
    assert set(server.asked()) == {"/robots.txt"}


async def test_an_endless_robots_txt_counts_as_far_as_it_must(server: Server) -> None:
    start = head() + b"User-agent: *\nDisallow: /no\n"
    server.paths.update({"/robots.txt": without_end(start, b"# filler\n" * 5_000), "/": whole(b"x")})
    async with client_for(server) as client:
        assert (await client.fetch(Request(url=server.url()))).body == b"x"
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url("/no")))


async def test_a_silent_robots_txt_is_part_of_the_deadline(server: Server) -> None:
    server.paths["/robots.txt"] = then_silence(b"")
    async with client_for(server) as client:
        with pytest.raises(Timeout, match=r"reading the robots\.txt of 127\.0\.0\.1"):
            await client.fetch(Request(url=server.url(), timeout_s=0.2))


async def test_several_reads_of_a_site_ask_for_its_robots_txt_once(server: Server) -> None:
    server.paths.update({f"/{n}": whole(b"x") for n in range(5)})
    async with client_for(server) as client, anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(client.fetch, Request(url=server.url(f"/{number}")))
    assert Counter(server.asked())["/robots.txt"] == 1


# --------------------------------------------------------------------------------------------------- politeness


async def test_a_host_is_asked_few_things_at_a_time(server: Server) -> None:
    busy = most = 0

    async def handler(stream: SocketStream, _: bytes) -> None:
        nonlocal busy, most
        busy, most = busy + 1, max(most, busy + 1)
        await anyio.sleep(0.02)
        busy -= 1
        await stream.send(whole(b"x"))

    server.paths.update({f"/{n}": handler for n in range(8)})
    async with client_for(server, per_host=3) as client, anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(client.fetch, Request(url=server.url(f"/{number}"), user_asked=True))
    assert most == 3


async def test_requests_to_a_host_start_apart(server: Server) -> None:
    starts = []

    async def handler(stream: SocketStream, _: bytes) -> None:
        starts.append(anyio.current_time())
        await stream.send(whole(b"x"))

    server.paths["/"] = handler
    async with client_for(server, min_interval_s=0.1) as client:
        for _ in range(3):
            await client.fetch(Request(url=server.url(), user_asked=True))
    assert starts[2] - starts[0] >= 0.19


async def test_a_turn_that_comes_after_the_deadline_is_refused_at_once(server: Server) -> None:
    server.paths.update({"/robots.txt": whole(b"User-agent: *\nCrawl-delay: 8"), "/": whole(b"x")})
    async with client_for(server) as client:
        await client.fetch(Request(url=server.url()))
        began = anyio.current_time()
        with pytest.raises(RateLimited) as caught:
            await client.fetch(Request(url=server.url()))
    assert anyio.current_time() - began < 1
    assert caught.value.retry_after_s == pytest.approx(8, abs=1)


# ------------------------------------------------------------------------------------------- what is never sent


@pytest.mark.parametrize(
    "request_",
    [
        {"headers": (("X", "a\r\nEvil: 1"),)},
        {"headers": (("X", "a\nb"),)},
        {"headers": (("X", "a\0b"),)},
        {"headers": (("X\r\nEvil", "1"),)},
        {"headers": (("X Y", "1"),)},
        {"headers": (("", "1"),)},
        {"headers": (("X", "\u2603"),)},
        {"headers": (("Host", "other.example"),)},
        {"headers": (("transfer-encoding", "chunked"),)},
        {"headers": (("Content-Length", "3"),)},
        {"method": "GET / HTTP/1.1\r\nEvil: 1"},
        {"method": ""},
        {"method": "CONNECT"},
        {"method": "trace"},
    ],
)
async def test_what_could_smuggle_a_request_is_refused(server: Server, request_: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        await fetched(server, **request_)  # type: ignore[arg-type]  # names checked there
    assert server.connections == 0


@pytest.mark.parametrize(
    "url", ["", "no url", "file:///etc/passwd", "http://127.0.0.1:1/", "http://[::1]/", "http://a@b/"]
)
async def test_the_guard_comes_before_the_robots_txt(server: Server, url: str) -> None:
    async with client_for(server) as client:
        with pytest.raises((InvalidUrl, BlockedAddress)):
            await client.fetch(Request(url=url))
    assert server.connections == 0


# ------------------------------------------------------------------------------------------------------- replay


async def test_nobody_is_waited_for_in_a_replay() -> None:
    told = {"/robots.txt": [(200, b"User-agent: *\nCrawl-delay: 9")], "/": [(503, b""), (200, b"now")]}

    class Recording:
        @asynccontextmanager
        async def send(self, hop: Hop) -> AsyncGenerator[Answer, None]:
            async def chunks() -> AsyncGenerator[bytes, None]:
                yield body

            status, body = told[hop.target.path].pop(0)
            headers = (("Retry-After", "1"),)
            yield Answer(status=status, reason="", http_version="1.1", headers=headers, chunks=chunks(), replayed=True)

        async def aclose(self) -> None: ...

    with stamina.set_testing(False):
        client = Client(Settings(), Recording(), clock=FakeClock())
        began = anyio.current_time()
        response = await client.fetch(Request(url="http://example.com/"))
    assert (response.body, response.replayed) == (b"now", True)
    assert anyio.current_time() - began < 0.5
