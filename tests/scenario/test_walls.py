"""Pages that are none: bot checks, cookie walls, login forms and soft errors under a good status."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenario.loopback import FETCH, Server, fetched, whole
from wellread.apps.build import Web
from wellread.config import CacheSettings, NetSettings, Settings
from wellread.errors import Challenge

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.types import Page

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.usefixtures("no_pauses"),
]

TEXT = "The ferry leaves the northern pier at seven in the morning and comes back at noon. "


async def read(server: Server, folder: Path, body: str, status: str = "200 OK", **fields: str) -> Page:
    server.paths["/"] = whole(body.encode(), status, Content_Type="text/html; charset=utf-8", **fields)
    net = replace(NetSettings(), allow_hosts=(f"127.0.0.1:{server.port}",), robots=False)
    async with Web(Settings(net=net, fetch=FETCH, cache=CacheSettings(dir=folder))) as web:
        return await web.read(server.url(), render="never")


def codes(page: Page) -> set[str]:
    return {notice.code for notice in page.notices} - {"thin_content"}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        ("202 Accepted", "<h1>Checking your browser</h1><p>Please complete the following challenge to go on.</p>"),
        ("200 OK", "<title>Just a moment...</title><p>Verify you are human by completing the action below.</p>"),
        ("200 OK", "<h1>Cookies required</h1><p>Your browser must accept cookies. Please enable cookies.</p>"),
        ("200 OK", "<h1>Bitte aktivieren Sie Cookies</h1><p>Cookies sind in Ihrem Browser deaktiviert.</p>"),
        ("200 OK", "<p>Vérifiez que vous n'êtes pas un robot</p>"),
        ("200 OK", "<h1>Pardon Our Interruption</h1><p>Something about your browser made us think you were a bot.</p>"),
        ("200 OK", "<p>请完成安全验证</p>"),
    ],
)
async def test_bot_check_with_a_good_status(server: Server, tmp_path: Path, status: str, body: str) -> None:
    with pytest.raises(Challenge) as caught:
        await read(server, tmp_path, f"<html><body>{body}</body></html>", status)
    assert caught.value.status == int(status[:3])


@pytest.mark.parametrize(
    "body",
    [
        "<title>Page not found - Acme</title><h1>404 - Page not found</h1><p>Sorry, the page does not exist.</p>",
        "<title>Seite nicht gefunden</title><h1>Seite nicht gefunden</h1><p>Die Seite gibt es nicht mehr.</p>",
        "<title>Erreur 404</title><h1>Page introuvable</h1><p>La page que vous cherchez n'existe pas.</p>",
        "<h1>Página no encontrada</h1><p>Lo sentimos.</p>",
        "<h1>ページが見つかりません</h1>",
        "<h1>Страница не найдена</h1>",
    ],
)
async def test_page_not_found_with_a_good_status(server: Server, tmp_path: Path, body: str) -> None:
    page = await read(server, tmp_path, f"<html><body>{body}</body></html>")
    assert codes(page) == {"not_found_page"}


@pytest.mark.parametrize(
    "body",
    [
        "<title>Sign in</title><h1>Sign in</h1><form action=/login><input name=user><input type=password></form>",
        "<h1>Anmelden</h1><form><input type=email><input type=password><button>Anmelden</button></form>",
    ],
)
async def test_login_form_instead_of_a_page(server: Server, tmp_path: Path, body: str) -> None:
    page = await read(server, tmp_path, f"<html><body>{body}<p>Please sign in to read on.</p></body></html>")
    assert codes(page) == {"login_page"}


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("/oauth2/v1/authorize", "<h1>Sign In</h1><p>Connecting to the wiki. Sign in to go on.</p>"),
        ("/wp-login.php", "<h1>Anmelden</h1><form><input type=email><button>Weiter</button></form>"),
    ],
)
async def test_redirect_to_a_login(server: Server, tmp_path: Path, target: str, body: str) -> None:
    server.paths[target] = whole(f"<html><body>{body}</body></html>".encode(), Content_Type="text/html; charset=utf-8")
    page = await read(server, tmp_path, "", "302 Found", Location=target)
    assert codes(page) == {"login_page"}


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>Why sites say page not found</h1><p>{TEXT * 20}</p>",
        f"<h1>404</h1><p>The number 404 is even. {TEXT * 20}</p>",
        f"<h1>Ferry</h1><p>{TEXT * 3}</p><form><input type=password></form>",
        f"<h1>Checking your browser for updates</h1><p>{TEXT * 20}</p>",
    ],
)
async def test_page_about_walls_is_a_page(server: Server, tmp_path: Path, body: str) -> None:
    assert codes(await read(server, tmp_path, f"<html><body><main>{body}</main></body></html>")) == set()


async def test_part_that_was_not_asked_for(server: Server, tmp_path: Path) -> None:
    part = f"<h1>Ferry</h1><p>{TEXT * 8}</p>"
    page = await read(server, tmp_path, part, "206 Partial Content", Content_Range="bytes 0-900/99999")
    assert "partial_body" in codes(page)


@pytest.mark.parametrize("content_range", ["bytes 0-2/3", "bytes 0-2/*"])
async def test_206_that_is_the_whole(server: Server, content_range: str) -> None:
    server.paths["/"] = whole(b"abc", "206 Partial Content", Content_Range=content_range)
    assert ((await fetched(server)).partial is None) is (content_range == "bytes 0-2/3")


@pytest.mark.parametrize("control", ["max-age=0, must-revalidate", "no-store", "private, no-cache"])
async def test_kept_copy_of_what_must_not_be_kept(server: Server, tmp_path: Path, control: str) -> None:
    server.paths["/"] = whole(
        f"<h1>Ferry</h1><p>{TEXT * 8}</p>".encode(), Content_Type="text/html", Cache_Control=control
    )
    net = replace(NetSettings(), allow_hosts=(f"127.0.0.1:{server.port}",), robots=False)
    async with Web(Settings(net=net, fetch=FETCH, cache=CacheSettings(dir=tmp_path))) as web:
        assert codes(await web.read(server.url(), render="never")) == set()
        again = await web.read(server.url(), render="never")
    assert codes(again) == {"kept_copy"}
    assert "fresh" in next(notice.detail for notice in again.notices if notice.code == "kept_copy")
