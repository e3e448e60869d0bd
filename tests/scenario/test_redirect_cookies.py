"""Cookies within one chain of redirects (RFC 6265): sent where they belong, forgotten when the request ends."""

from __future__ import annotations

import re

import pytest

from scenario.loopback import Server, client_for, fetched, head, moved, whole
from wellread.errors import RedirectLoop
from wellread.types import Request

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.usefixtures("no_pauses"),
]


def setting(place: str, *cookies: str) -> bytes:
    lines = "".join(f"Set-Cookie: {cookie}\r\n" for cookie in cookies)
    return head("302 Found", Location=place, Content_Length="0").replace(b"\r\n\r\n", f"\r\n{lines}\r\n".encode())


def cookies(request: bytes) -> str | None:
    found = re.search(rb"\r\ncookie: ([^\r]*)", request, re.IGNORECASE)
    return found[1].decode("latin-1") if found else None


def sent(server: Server) -> list[str | None]:
    return [cookies(request) for request in server.requests]


async def test_redirect_to_itself_with_a_cookie(server: Server) -> None:
    server.paths["/"] = [setting("/", "seen=1; Path=/"), whole(b"the page")]
    assert (await fetched(server)).body == b"the page"
    assert sent(server) == [None, "seen=1"]


async def test_consent_round_trip_collects_cookies(server: Server) -> None:
    server.paths.update({
        "/article": [setting("/consent?back=/article", "visit=a%20b"), whole(b"the page")],
        "/consent?back=/article": setting("/article", "consent=yes; Max-Age=600; HttpOnly; SameSite=Lax"),
    })  # fmt: skip
    assert (await fetched(server, "/article")).body == b"the page"
    assert sent(server) == [None, "visit=a%20b", "visit=a%20b; consent=yes"]


async def test_redirect_loop_with_the_same_cookie(server: Server) -> None:
    server.paths["/"] = setting("/", "seen=1")
    with pytest.raises(RedirectLoop):
        await fetched(server)
    assert sent(server) == [None, "seen=1"]


async def test_redirect_loop_with_a_counting_cookie(server: Server) -> None:
    server.paths["/"] = [setting("/", f"n={count}") for count in range(40)]
    with pytest.raises(RedirectLoop, match="more than 10 times"):
        await fetched(server)


async def test_cookie_deleted_on_the_way(server: Server) -> None:
    server.paths.update({
        "/": setting("/b", "a=1", "b=2", "c=3"),
        "/b": setting("/c", "a=; Max-Age=0", "b=gone; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
        "/c": whole(b"there"),
    })  # fmt: skip
    await fetched(server)
    assert sent(server) == [None, "a=1; b=2; c=3", "c=3"]


@pytest.mark.parametrize(
    "cookie",
    [
        "a=1; Secure",
        "a=1; Path=/elsewhere",
        "a=1; Path=/b/",
        "a=1; Domain=example.com",
        "a=1; Domain=0.0.1",
        "__Host-a=1; Path=/",
        "__Secure-a=1",
        "=1",
        "a b\x01=1",
        "a=" + "x" * 5_000,
    ],
)
async def test_cookie_of_another_place_is_not_sent(server: Server, cookie: str) -> None:
    server.paths.update({"/": setting("/b", cookie), "/b": whole(b"there")})
    assert (await fetched(server)).body == b"there"
    assert sent(server) == [None, None]


async def test_cookie_path_defaults_to_the_folder(server: Server) -> None:
    server.paths.update({"/a/b": setting("/a/c", "x=1"), "/a/c": moved("/d"), "/d": whole(b"there")})
    await fetched(server, "/a/b")
    assert sent(server) == [None, "x=1", None]


async def test_cookie_jar_is_bounded(server: Server) -> None:
    server.paths.update({"/": setting("/b", *(f"c{at}={'x' * 200}" for at in range(250))), "/b": whole(b"there")})
    async with client_for(server) as client:
        assert (await client.fetch(Request(url=server.url(), user_asked=True))).body == b"there"
    assert len(sent(server)[1] or "") <= 8_192


async def test_cookies_end_with_their_request(server: Server) -> None:
    server.paths.update({"/": setting("/b", "a=1"), "/b": whole(b"there")})
    async with client_for(server) as client:
        for _ in range(2):
            await client.fetch(Request(url=server.url(), user_asked=True))
    assert sent(server) == [None, "a=1", None, "a=1"]


async def test_cookies_of_the_caller_stay(server: Server) -> None:
    server.paths.update({"/": setting("/b", "a=new", "b=2"), "/b": whole(b"there")})
    async with client_for(server) as client:
        await client.fetch(Request(url=server.url(), user_asked=True, headers=(("Cookie", "a=old; own=1"),)))
    assert sent(server) == ["a=old; own=1", "own=1; a=new; b=2"]
