"""Refresh, by header and by meta element (HTML standard, 4.2.5.3), is followed as a redirect is."""

from __future__ import annotations

import pytest

from scenario.loopback import Server, client_for, fetched, moved, whole
from wellread.errors import BlockedAddress, RedirectLoop
from wellread.net import refresh
from wellread.types import Request, Response

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.usefixtures("no_pauses"),
]

THERE = whole(b"there")


def page(html: str, **fields: str) -> bytes:
    return whole(html.encode(), Content_Type="text/html", **fields)


@pytest.mark.parametrize(
    "html",
    [
        '<meta http-equiv="refresh" content="0; url=/there">',
        "<html><head><META HTTP-EQUIV=Refresh CONTENT='0;URL=there'></head><body>Moved</body></html>",
        '<meta content="5, there" http-equiv="REFRESH">',
        "<meta http-equiv=refresh content=\"3 ; url = 'there' ignored\">",
        "<!-- <meta http-equiv=refresh content='0;url=/no'> --><meta http-equiv=refresh content=0;/there>",
        "<script>'<meta http-equiv=refresh content=0;url=/no>'</script><meta http-equiv='refresh' content='1;there'>",
        "<base href='http://[x'><meta http-equiv=refresh content='0;url=/there'>",
        "<title>x</title><base href=/folder/><meta http-equiv=refresh content='0;url=../there'>",
        "<meta http-equiv=refresh content='0.5; url=&#47;there&quest;'>".replace("&quest;", ""),
    ],
)
async def test_meta_refresh_is_followed(server: Server, html: str) -> None:
    server.paths.update({"/": page(html), "/there": THERE})
    response = await fetched(server)
    assert response.body == b"there"
    assert response.redirects == (server.url(),)


@pytest.mark.parametrize("value", ["0; url=/there", "0;URL='there'", "2; there"])
async def test_refresh_header_is_followed(server: Server, value: str) -> None:
    server.paths.update({"/": page("", Refresh=value), "/there": THERE})
    assert (await fetched(server)).body == b"there"


@pytest.mark.parametrize(
    "html",
    [
        "<meta http-equiv=refresh content=300><p>a ticker",
        "<meta http-equiv=refresh content='300;url=/there'><p>a ticker",
        "<meta http-equiv=refresh content='0;url=/'><p>itself",
        "<meta http-equiv=refresh content='0;url=#top'><p>itself",
        "<noscript><meta http-equiv=refresh content='0;url=/there'></noscript><p>a page",
        "<template><meta http-equiv=refresh content='0;url=/there'></template><p>a page",
        "<textarea><meta http-equiv=refresh content='0;url=/there'></textarea><p>a page",
        "<meta http-equiv=refresh content='url=/there'><p>no time",
        "<meta http-equiv=refresh content='-1;url=/there'><p>no time",
        "<meta http-equiv=refresh content='0;url=javascript:alert(1)'><p>a script",
        "<meta http-equiv=refresh content='0;url=data:text/html,x'><p>data",
        "<meta name=refresh content='0;url=/there'><p>a name",
        "<base href='http://[x'><p>a page about the word refresh",
        "<meta http-equiv=refresh content='0;url=http://[x'><p>no URL",
    ],
)
async def test_what_is_no_refresh_to_another_page(server: Server, html: str) -> None:
    server.paths.update({"/": page(html), "/there": THERE})
    assert (await fetched(server)).body == html.encode()
    assert server.asked() == ["/"]


async def test_refresh_of_plain_text_is_text(server: Server) -> None:
    server.paths["/"] = whole(b"<meta http-equiv=refresh content='0;url=/there'>", Content_Type="text/plain")
    assert (await fetched(server)).body.startswith(b"<meta")


async def test_refresh_is_guarded(server: Server) -> None:
    server.paths["/"] = page("<meta http-equiv=refresh content='0;url=http://169.254.169.254/latest/'>")
    with pytest.raises(BlockedAddress):
        await fetched(server)


async def test_refreshes_count_as_redirects(server: Server) -> None:
    for at in range(20):
        place = f"/{at + 1}" if at else "/1"
        server.paths[f"/{at}"] = moved(place) if at % 2 else page(f"<meta http-equiv=refresh content='0;url={place}'>")
    with pytest.raises(RedirectLoop, match="more than 10 times"):
        await fetched(server, "/0")


async def test_refresh_loop(server: Server) -> None:
    server.paths.update({
        "/": page("<meta http-equiv=refresh content='0;url=/b'>"), "/b": page("", Refresh="0; url=/"),
    })  # fmt: skip
    with pytest.raises(RedirectLoop, match="in a loop"):
        await fetched(server)


async def test_refresh_is_not_followed_where_redirects_are_not(server: Server) -> None:
    server.paths.update({"/": page("<meta http-equiv=refresh content='0;url=/there'>"), "/there": THERE})
    async with client_for(server) as client:
        response = await client.fetch(Request(url=server.url(), user_asked=True, follow=False))
    assert b"refresh" in response.body


@pytest.mark.parametrize(
    ("html", "is_parsed"),
    [
        ("<meta http-equiv='content-type' content=x><script>refresh()</script><p>a page", False),
        ("<meta http-equiv = ' Refresh' content='9;url=/there'>", True),
    ],
)
def test_only_a_page_that_may_refresh_is_parsed(html: str, *, is_parsed: bool) -> None:
    response = Response(
        url="https://a.example/", status=200, headers=(("content-type", "text/html"),), body=html.encode()
    )
    assert refresh.needs_parser(response) is is_parsed
