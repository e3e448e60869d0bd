"""What a hostile site map can cost: entries, elements, lines and bytes have limits, and the rest is counted."""

from __future__ import annotations

import gzip
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from wellread.net import sitemaps

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "http://www.example.com/sitemap.xml"
ENTRY = b"<url><loc>/a</loc></url>"


def entries(count: int, form: bytes) -> bytes:
    return b"".join(form % number for number in range(count))


@pytest.mark.parametrize("pack", [gzip.compress, bytes], ids=["packed", "plain"])
@pytest.mark.parametrize(
    ("start", "form", "end"),
    [
        (b"<urlset>", b"<url><loc>http://a.b/%d</loc></url>", b"</urlset>"),
        (b"<sitemapindex>", b"<sitemap><loc>http://a.b/%d</loc></sitemap>", b"</sitemapindex>"),
        (b"", b"http://a.b/%d\n", b""),
    ],
    ids=["pages", "maps", "lines"],
)
def test_entries_beyond_the_limit_are_counted(
    pack: Callable[[bytes], bytes], start: bytes, form: bytes, end: bytes
) -> None:
    site_map = sitemaps.parse(pack(start + entries(60_000, form) + end), URL)
    assert len(site_map.pages) + len(site_map.maps) == sitemaps.MAX_ENTRIES
    assert site_map.left_out == pytest.approx(10_000, abs=10)


@pytest.mark.parametrize(
    "filling",
    [
        b"<url/>" * 400_000,
        b"<url><lastmod>2026-01-01</lastmod></url>" * 60_000,
        b"<a>" * 4_000_000,
        b"<!--" + b"a" * 12_000_000,
        b"<a " + entries(300_000, b'a%d="" ') + b"/>",
        b"<url><loc>" + b"a" * 12_000_000 + b"</loc></url>",
        b"<url><loc>" + b"a&amp;" * 300_000 + b"</loc></url>",
    ],
    ids=["empty", "dates", "deep", "comment", "attributes", "text", "references"],
)
def test_memory_of_a_packed_map(filling: bytes) -> None:
    packed = gzip.compress(b"<urlset>" + ENTRY + filling + ENTRY + b"</urlset>", 1)
    tracemalloc.start()
    try:
        site_map = sitemaps.parse(packed, URL)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [page.url for page in site_map.pages] == ["http://www.example.com/a"]
    assert peak_bytes < 10_000_000


def test_lines_without_urls_are_not_read_on() -> None:
    site_map = sitemaps.parse(b"http://a.b/1\n" + b"\n" * 1_000_000 + b"http://a.b/2\n", URL)
    assert ([page.url for page in site_map.pages], site_map.left_out) == (["http://a.b/1"], 1)
    long_line = sitemaps.parse(b"a" * 10_000_000 + b"\nhttp://a.b/1", URL)
    assert [page.url for page in long_line.pages] == ["http://a.b/1"]
