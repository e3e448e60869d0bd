"""Bytes as servers send them, and errors that say what was waited for and when to try again."""

from __future__ import annotations

import gzip
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING
from zipfile import ZipFile

import anyio
import pytest

from scenario.loopback import FETCH, Server, client_for, fetched, head, moved, then_silence, whole
from wellread import tools
from wellread.apps.build import Web
from wellread.config import CacheSettings, NetSettings, Settings
from wellread.errors import Gone, InvalidUrl, Robots, Timeout, TooLarge, Unsupported, Upstream
from wellread.types import Request

if TYPE_CHECKING:
    from pathlib import Path

    from anyio.abc import SocketStream

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.usefixtures("no_pauses"),
]

TEXT = "The ferry leaves the northern pier at seven in the morning and comes back at noon. " * 8
PAGE = f"<html><title>Ferry</title><main><h1>Ferry</h1><p>{TEXT}</p></main>".encode()


def web_settings(server: Server, folder: Path, *, timeout_s: float = 20.0) -> Settings:
    net = replace(NetSettings(), allow_hosts=(f"127.0.0.1:{server.port}",))
    fetch = replace(FETCH, timeout_s=timeout_s, attempts=1)
    return Settings(net=net, fetch=fetch, cache=CacheSettings(dir=folder))


@pytest.mark.parametrize("coding", ["none", "UTF-8", "binary", "text/html", "identity, none"])
async def test_word_that_is_no_content_coding(server: Server, coding: str) -> None:
    server.paths["/"] = whole(b"the page", Content_Encoding=coding)
    assert (await fetched(server)).body == b"the page"


async def test_coding_beside_a_word_that_is_none(server: Server) -> None:
    server.paths["/"] = whole(gzip.compress(b"the page"), Content_Encoding="gzip, none")
    assert (await fetched(server)).body == b"the page"


@pytest.mark.parametrize("coding", ["compress", "dcb", "aes128gcm"])
async def test_registered_coding_that_is_not_read(server: Server, coding: str) -> None:
    server.paths["/"] = whole(b"\x1f\x9d", Content_Encoding=coding)
    with pytest.raises(Unsupported, match=coding):
        await fetched(server)


@pytest.mark.parametrize(("place", "asked"), [("/jos\xe9", "/jos%E9"), ("/caf\xe9?q=\xfc", "/caf%E9?q=%FC")])
async def test_location_in_latin_1(server: Server, place: str, asked: str) -> None:
    server.paths.update({"/": moved("PLACE").replace(b"PLACE", place.encode("latin-1")), asked: whole(b"there")})
    assert (await fetched(server)).body == b"there"


@pytest.mark.parametrize("codec", ["utf-16", "utf-8-sig", "utf-16-be", "utf-16-le", "utf-32"])
async def test_robots_txt_with_a_byte_order_mark(server: Server, codec: str) -> None:
    rules = "User-agent: *\nDisallow: /private\n".encode(codec)
    rules = b"\xfe\xff" + rules if codec == "utf-16-be" else rules
    server.paths.update({"/robots.txt": whole(rules), "/private": whole(b"no"), "/public": whole(b"yes")})
    async with client_for(server) as client:
        assert (await client.fetch(Request(url=server.url("/public")))).body == b"yes"
        with pytest.raises(Robots):
            await client.fetch(Request(url=server.url("/private")))


async def test_robots_txt_that_fails_can_be_tried_again(server: Server) -> None:
    server.paths["/robots.txt"] = whole(b"down", "503 Service Unavailable", Retry_After="40")
    async with client_for(server) as client:
        with pytest.raises(Robots, match="answered 503") as caught:
            await client.fetch(Request(url=server.url("/a")))
    assert caught.value.retryable
    assert caught.value.status == 503


@pytest.mark.parametrize("blank", [" ", "\n", "\t \r\n", "\u00a0", "\ufeff", "\u200b"])
async def test_url_with_blanks_around_it(server: Server, blank: str, tmp_path: Path) -> None:
    server.paths["/a"] = whole(PAGE, Content_Type="text/html")
    async with Web(web_settings(server, tmp_path)) as web:
        page = await web.read(f"{blank}{server.url('/a')}{blank}", render="never", user_asked=True)
    assert page.final_url == server.url("/a")


@pytest.mark.parametrize("path", ["/private", "/private.zip"])
async def test_page_for_a_person_is_not_cached_for_agents(server: Server, path: str, tmp_path: Path) -> None:
    archive = BytesIO()
    with ZipFile(archive, "w") as file:
        file.writestr("ferry.txt", TEXT)
    server.paths.update(
        {
            "/robots.txt": whole(b"User-agent: *\nDisallow: /private"),
            "/private": whole(PAGE, Content_Type="text/html"),
            "/private.zip": whole(archive.getvalue(), Content_Type="application/zip"),
        }
    )
    settings, url = web_settings(server, tmp_path), server.url(path)
    async with Web(settings) as web:
        first = await web.read(url, render="never", user_asked=True)
        again = await web.read(url, render="never", user_asked=True)
        with pytest.raises(Robots):
            await web.read(url, render="never")
    assert (first.cached, again.cached) == (False, True)
    async with Web(settings) as web, tools.openai(web) as kit:
        assert (await kit.call("web_read", {"url": url})).startswith("robots: ")


async def test_copy_of_an_agent_serves_a_person(server: Server, tmp_path: Path) -> None:
    server.paths["/a"] = whole(PAGE, Content_Type="text/html")
    async with Web(web_settings(server, tmp_path)) as web:
        await web.read(server.url("/a"), render="never")
        assert (await web.read(server.url("/a"), render="never", user_asked=True)).cached


async def test_url_with_a_blank_inside_is_refused(server: Server) -> None:
    with pytest.raises(InvalidUrl):
        await fetched(server, "/a b")


@pytest.mark.parametrize("status", ["503 Busy", "500 Error", "502 Bad"])
async def test_retry_after_of_a_failure(server: Server, status: str, tmp_path: Path) -> None:
    server.paths["/"] = whole(b"later", status, Retry_After="90")
    async with Web(web_settings(server, tmp_path)) as web:
        with pytest.raises(Upstream) as caught:
            await web.read(server.url(), render="never", user_asked=True)
    assert caught.value.retryable
    assert caught.value.retry_after_s == 90
    assert caught.value.status == int(status[:3])
    assert "90 s" in caught.value.hint


async def test_errors_carry_status_and_limit(server: Server, tmp_path: Path) -> None:
    server.paths.update({"/gone": whole(b"", "410 Gone"), "/large": head(Content_Length="999999999")})
    async with Web(web_settings(server, tmp_path)) as web:
        with pytest.raises(Gone) as gone:
            await web.read(server.url("/gone"), render="never", user_asked=True)
        with pytest.raises(TooLarge) as large:
            await web.read(server.url("/large"), render="never", user_asked=True)
    assert gone.value.status == 410
    assert large.value.limit_bytes == FETCH.max_bytes


async def test_timeout_names_robots_txt(server: Server, tmp_path: Path) -> None:
    server.paths.update({"/robots.txt": then_silence(b""), "/": whole(PAGE)})
    async with Web(web_settings(server, tmp_path, timeout_s=1.0)) as web:
        with pytest.raises(Timeout, match=r"robots\.txt") as caught:
            await web.read(server.url(), render="never")
    assert caught.value.limit_s == 1.0


async def test_timeout_names_the_server(server: Server, tmp_path: Path) -> None:
    server.paths["/"] = then_silence(b"")
    async with Web(web_settings(server, tmp_path, timeout_s=1.0)) as web:
        with pytest.raises(Timeout, match="to answer"):
            await web.read(server.url(), render="never", user_asked=True)


async def test_timeout_names_the_body(server: Server, tmp_path: Path) -> None:
    server.paths["/"] = then_silence(head(Content_Type="text/html", Content_Length="500"))
    async with Web(web_settings(server, tmp_path, timeout_s=1.0)) as web:
        with pytest.raises(Timeout, match="body"):
            await web.read(server.url(), render="never", user_asked=True)


async def test_timeout_names_the_queue(server: Server) -> None:
    asked = anyio.Event()

    async def stuck(stream: SocketStream, _: bytes) -> None:
        asked.set()
        await stream.receive()

    server.paths.update({"/stuck": stuck, "/": whole(PAGE)})
    async with client_for(server, per_host=1) as client, anyio.create_task_group() as group:
        group.start_soon(client.fetch, Request(url=server.url("/stuck"), user_asked=True))
        await asked.wait()
        with pytest.raises(Timeout, match="turn") as caught:
            await client.fetch(Request(url=server.url(), user_asked=True, timeout_s=0.2))
        group.cancel_scope.cancel()
    assert "net.per_host" in caught.value.hint


async def test_timeout_names_the_queue_before_the_server(server: Server) -> None:
    asked = anyio.Event()

    async def slow(stream: SocketStream, _: bytes) -> None:
        asked.set()
        await stream.receive()

    server.paths.update({"/slow": slow, "/silent": then_silence(b"")})
    async with client_for(server, per_host=1) as client, anyio.create_task_group() as group:

        async def first() -> None:
            with pytest.raises(Timeout):
                await client.fetch(Request(url=server.url("/slow"), user_asked=True, timeout_s=0.4))

        group.start_soon(first)
        await asked.wait()
        with pytest.raises(Timeout, match=r"to answer, after .* in the queue"):
            await client.fetch(Request(url=server.url("/silent"), user_asked=True, timeout_s=0.8))
