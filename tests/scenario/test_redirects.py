"""Redirects: each place is a new target, and what may not travel there stays behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scenario.loopback import (
    Server,
    client_for,
    fetched,
    head,
    moved,
    whole,
)
from wellread.errors import (
    BlockedAddress,
    InvalidUrl,
    RedirectLoop,
    WellreadError,
)
from wellread.types import Request

if TYPE_CHECKING:
    from wellread.types import Headers


pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("no_pauses")]


# ----------------------------------------------------------------------------------------------------------- redirects


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


async def test_largest_number_of_redirects(server: Server) -> None:
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


@pytest.mark.parametrize(
    ("status", "method", "asked"),
    [(302, "GET", ["/"]), (302, "POST", ["/"]), (307, "GET", ["/"]), (307, "POST", ["/", "/b"])],
)
async def test_redirects_that_are_not_followed_and_307_with_a_body(
    server: Server, status: int, method: str, asked: list[str]
) -> None:
    server.paths.update({"/": moved("/b", f"{status} Moved"), "/b": whole(b"there")})
    async with client_for(server) as client:
        request = Request(url=server.url(), method=method, body=b"words", user_asked=True, follow=False)
        response = await client.fetch(request)
    assert server.asked() == asked
    assert response.status == (status if asked == ["/"] else 200)


async def test_body_that_must_stay_is_not_sent_to_where_a_307_leads(server: Server) -> None:
    server.paths["/"] = moved("/b", "307 Temporary")
    async with client_for(server) as client:
        request = Request(url=server.url(), method="POST", body=b"secret", follow=False, resend_body=False)
        assert (await client.fetch(request)).status == 307
    assert server.asked() == ["/"]
