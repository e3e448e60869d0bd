"""The map of a site: its URLs from site maps, feeds and links, ranked, bounded and counted."""

from __future__ import annotations

import gzip
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import anyio.lowlevel
import pytest

from scenario.loopback import Server, moved, serving, whole
from wellread import Settings, Web
from wellread.config import CacheSettings, NetSettings
from wellread.errors import Gone, InvalidInput
from wellread.sections import CrawlSettings
from wellread.types import Missed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from wellread.types import SiteMap

pytestmark = pytest.mark.anyio

CRAWL = CrawlSettings()
FEED = """<rss version="2.0"><channel><title>Tides</title><item><title>Spring &amp; neap</title><link>/spring</link>
<pubDate>Tue, 03 Mar 2026 08:00:00 GMT</pubDate></item></channel></rss>"""


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving() as server:
        yield server


@asynccontextmanager
async def opened(folder: Path, server: Server, crawl: CrawlSettings = CRAWL) -> AsyncIterator[Web]:
    net = NetSettings(allow_hosts=(f"127.0.0.1:{server.port}",))
    settings = Settings(net=net, cache=CacheSettings(dir=folder), crawl=crawl)
    async with Web(settings) as web:
        yield web


def page(body: str, title: str = "", head: str = "") -> bytes:
    html = f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return whole(html.encode(), Content_Type="text/html")


def sitemap(*entries: str, root: str = "urlset") -> bytes:
    return f'<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(entries)}</{root}>'.encode()


def paths(site_map: SiteMap) -> list[str]:
    return ["/" + entry.url.partition("://")[2].partition("/")[2] for entry in site_map.entries]


async def test_map_joins_site_maps_feeds_and_links(tmp_path: Path, server: Server) -> None:
    server.paths["/robots.txt"] = whole(f"Sitemap: {server.url('/maps.xml')}".encode())
    nested = f"<sitemap><loc>{server.url('/pages.xml.gz')}</loc></sitemap>"
    server.paths["/maps.xml"] = whole(sitemap(nested, root="sitemapindex"))
    entry = f"<url><loc>{server.url('/pool')}</loc><lastmod>2026-02-01</lastmod><priority>0.8</priority></url>"
    server.paths["/pages.xml.gz"] = whole(gzip.compress(sitemap(entry)))
    server.paths["/feed"] = whole(FEED.encode(), Content_Type="application/rss+xml")
    feed_link = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    menu = (
        '<nav><a href="/pool#deep">Pools</a> <a href="/walks/">Guided walks</a></nav><a href="https://b.example/">b</a>'
    )
    server.paths["/"] = page(menu, title="Shore", head=feed_link)
    async with opened(tmp_path, server) as web:
        site_map = await web.map(server.url("/"))
    facts = [(entry.title, entry.modified_date, entry.source, entry.depth) for entry in site_map.entries]
    assert dict(zip(paths(site_map), facts, strict=True)) == {
        "/": ("Shore", None, "start", 0),
        "/pool": ("Pools", "2026-02-01", "sitemap", 1),
        "/spring": ("Spring & neap", "2026-03-03T08:00:00Z", "feed", 1),
        "/walks/": ("Guided walks", None, "link", 1),
    }
    assert (site_map.total, site_map.other_hosts, site_map.missed) == (4, 1, ())


async def test_map_follows_links_to_the_depth(tmp_path: Path, server: Server) -> None:
    server.paths["/"] = page('<a href="/a">a</a>')
    server.paths["/a"] = page('<a href="/b">b</a> <a href="/gone">gone</a>', title="Page a")
    server.paths["/b"] = page('<a href="/c">c</a>')
    async with opened(tmp_path, server) as web:
        assert paths(await web.map(server.url("/"), depth=0)) == ["/"]
        assert paths(await web.map(server.url("/"))) == ["/", "/a"]
        assert "/b" not in server.asked()
        site_map = await web.map(server.url("/"), depth=3)
    assert paths(site_map) == ["/", "/a", "/b", "/gone", "/c"]
    assert site_map.entries[1].title == "Page a"
    assert [missed.code for missed in site_map.missed] == ["gone"]


async def test_map_ranks_by_words_and_counts_the_others(tmp_path: Path, server: Server) -> None:
    entries = [f"<url><loc>{server.url(f'/article-{number}')}</loc></url>" for number in range(2_000)]
    entries.append(f"<url><loc>{server.url('/opening-hours')}</loc></url>")
    server.paths["/sitemap.xml"] = whole(sitemap(*entries))
    server.paths["/"] = page("<p>nothing")
    async with opened(tmp_path, server) as web:
        ranked = await web.map(server.url("/"), search="opening hours")
        cut = await web.map(server.url("/"), limit=10)
    assert paths(ranked)[0] == "/opening-hours"
    assert (len(cut.entries), cut.total) == (10, 2_002)


async def test_map_of_endless_site_maps_leaves_the_loop_free(tmp_path: Path, server: Server) -> None:
    """Three maps of 2.7 million lines once silenced a server for minutes."""
    urls = b"".join(b"http://a.example/%d\n" % number for number in range(60_000))
    names = [f"/{number}.txt.gz" for number in range(3)]
    server.paths["/robots.txt"] = whole("".join(f"Sitemap: {server.url(name)}\n" for name in names).encode())
    server.paths |= dict.fromkeys(names, whole(gzip.compress(urls)))
    server.paths["/"] = page("<p>nothing")
    sharing = 0

    async def share() -> None:
        nonlocal sharing
        while True:
            await anyio.lowlevel.checkpoint()
            sharing += 1

    async with opened(tmp_path, server) as web, anyio.create_task_group() as tasks:
        tasks.start_soon(share)
        site_map = await web.map(server.url("/"), limit=10)
        tasks.cancel_scope.cancel()
    assert server.asked().count(names[1]) == 0  # 50,000 URLs are enough for ten
    assert (site_map.other_hosts, site_map.unread_maps) == (50_000, 2)
    assert site_map.total == pytest.approx(10_001, abs=10)
    assert sharing > 50  # the batches, at least


async def test_map_ends_at_its_limits_and_says_so(tmp_path: Path, server: Server) -> None:
    async def silent(*_: object) -> None:
        await anyio.sleep_forever()

    names = ["/1.xml", "/2.xml", "/3.xml"]
    server.paths["/robots.txt"] = whole("".join(f"Sitemap: {server.url(name)}\n" for name in names).encode())
    server.paths["/1.xml"] = whole(sitemap(f"<url><loc>{server.url('/pool')}</loc></url>", f"<!--{'x' * 5_000}-->"))
    server.paths["/2.xml"] = server.paths["/3.xml"] = silent
    server.paths["/"] = page('<a href="/a">a</a>')
    async with opened(tmp_path / "a", server, CrawlSettings(map_timeout_s=1)) as web:
        timed = await web.map(server.url("/"))
    async with opened(tmp_path / "b", server, CrawlSettings(map_max_bytes=5_000)) as web:
        sized = await web.map(server.url("/"), depth=2)
    assert (paths(timed), timed.unread_maps) == (["/", "/pool"], 2)
    assert [(missed.url, missed.code) for missed in timed.missed] == [(server.url("/"), "timeout")]
    assert "crawl.map_timeout_s = 1: 2 site maps, feeds or pages were not read" in timed.missed[0].reason
    assert (paths(sized), sized.unread_maps) == (["/", "/pool", "/a"], 3)
    assert [missed.code for missed in sized.missed] == ["too_large"]


async def test_map_without_start_page_uses_site_maps(tmp_path: Path, server: Server) -> None:
    server.paths["/sitemap.xml"] = whole(sitemap(f"<url><loc>{server.url('/pool')}</loc></url>"))
    async with opened(tmp_path, server) as web:
        site_map = await web.map(server.url("/missing"))
    assert paths(site_map) == ["/pool"]
    assert site_map.missed == (Missed(server.url("/missing"), "gone", f"{server.url('/missing')} answered 404"),)


async def test_map_of_nothing_fails_as_the_start_page(tmp_path: Path, server: Server) -> None:
    async with opened(tmp_path, server) as web:
        with pytest.raises(Gone):
            await web.map(server.url("/missing"))
        with pytest.raises(InvalidInput):
            await web.map(server.url("/"), search=" ")


async def test_map_asks_only_what_robots_allows(tmp_path: Path, server: Server) -> None:
    server.paths["/robots.txt"] = whole(b"User-agent: *\nDisallow: /private")
    server.paths["/old"] = moved("/")
    server.paths["/"] = page('<a href="/private/x">x</a>')
    async with opened(tmp_path, server) as web:
        site_map = await web.map(server.url("/old"), depth=2)
    assert site_map.url == server.url("/")
    assert paths(site_map) == ["/", "/private/x"]
    assert "/private/x" not in server.asked()
    assert [missed.code for missed in site_map.missed] == ["robots"]
