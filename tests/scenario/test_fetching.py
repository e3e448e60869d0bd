"""Fetching from servers that misbehave: every ending is typed, in time and within limits."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import brotli  # type: ignore[import-untyped]  # the package has no annotations
import pytest
import zstandard

from scenario.loopback import (
    FETCH,
    HASTY,
    Server,
    client_for,
    fetched,
    head,
    moved,
    then_closes,
    then_resets,
    then_silence,
    whole,
    without_end,
)
from wellread.errors import (
    BlockedAddress,
    InvalidInput,
    InvalidUrl,
    Timeout,
    TooLarge,
    Unreachable,
    Unsupported,
    Upstream,
    WellreadError,
)
from wellread.types import Request, header

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio.abc import SocketStream

    from scenario.loopback import Handler


pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("no_pauses")]


# ------------------------------------------------------------------------------------------------------- plain answers


async def test_an_answer_comes_back_with_its_body_headers_and_place(server: Server) -> None:
    server.paths["/a?b=1"] = whole(b"hello", Content_Type="text/plain")
    response = await fetched(server, "/a?b=1#part")
    assert (response.status, response.body, response.partial) == (200, b"hello", None)
    assert (response.url, response.redirects) == (server.url("/a?b=1"), ())
    assert header(response.headers, "content-type") == "text/plain"


async def test_default_headers_and_headers_of_the_caller(server: Server) -> None:
    server.paths["/"] = whole(b"x")
    await fetched(server, headers=(("accept", "application/json"), ("If-None-Match", '"v1"')))
    sent = server.requests[0].decode().lower().split("\r\n")
    assert f"host: 127.0.0.1:{server.port}" in sent
    assert "user-agent: wellread/0.1" in sent
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


# ------------------------------------------------------------------------------------------- bodies that are not whole


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
async def test_a_body_that_breaks_off_is_kept_and_flagged(server: Server, broken: Handler) -> None:
    server.paths["/"] = broken
    response = await fetched(server, fetch=HASTY)
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


# ---------------------------------------------------------------------------------------------------- no usable answer


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
        (without_end(head(Transfer_Encoding="chunked"), (b"32\r\n" + b"hello" * 10 + b"\r\n") * 50), TooLarge),
    ],
)
async def test_what_is_no_answer_is_told_by_its_kind(
    server: Server, broken: Handler, error: type[WellreadError]
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


# ----------------------------------------------------------------------------------------------------------- deadlines


@pytest.mark.parametrize(
    ("slow", "stage"),
    [
        (then_silence(b""), "waiting for 127.0.0.1:PORT to answer"),
        (without_end(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n", 0.02), "waiting for 127.0.0.1:PORT to answer"),
        (without_end(head(), b"drip ", 0.02), "reading the body from 127.0.0.1:PORT"),
    ],
)
async def test_the_deadline_names_what_it_ran_out_on(server: Server, slow: Handler, stage: str) -> None:
    server.paths["/"] = slow
    with pytest.raises(Timeout, match="took longer than 1 s") as caught:
        await fetched(server, timeout_s=1)  # time enough to come as far as the stage, on a slow machine too
    assert stage.replace("PORT", str(server.port)) in caught.value.message


async def test_one_deadline_covers_all_redirects(server: Server) -> None:
    async def slow(stream: SocketStream, request: bytes) -> None:
        await anyio.sleep(0.3)  # slow redirects are what is tested
        await stream.send(moved(f"/{int(request.split(b' ')[1][1:] or 0) + 1}"))

    server.paths.update({f"/{n or ''}": slow for n in range(9)})
    with pytest.raises(Timeout):
        await fetched(server, timeout_s=1)
    assert 1 <= len(server.requests) <= 4


async def test_silence_from_the_start_of_the_body_is_a_timeout(server: Server) -> None:
    server.paths["/"] = then_silence(head(Content_Length="10"))
    with pytest.raises(Timeout, match=r"sent nothing for 0\.3 s"):
        await fetched(server, fetch=HASTY)


# -------------------------------------------------------------------------------------------------- what is never sent


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
