"""Reads site maps (sitemaps.org protocol 0.9): the pages that a site names, and the further maps of an index.

Pure: bytes in, entries out. Expat reads the XML, and whatever declares entities is refused.
"""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple
from xml.parsers import expat

from ada_url import URL
from protego import Protego

from wellread.errors import Unsupported, without_quotations

MAX_BYTES = 50_000_000
"""Unpacked; the protocol's own limit."""
MAX_URL_CHARS = 2_048
"""The protocol's own limit."""

DEFAULT_PRIORITY = 0.5
"""The protocol's own default."""

_FIELDS = frozenset({"loc", "lastmod", "priority"})
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:T[0-9:.+Zz-]{4,24})?)?")
_GZIP = b"\x1f\x8b"
_LINE = re.compile(r"^\s*(https?://\S+)\s*$", re.MULTILINE | re.IGNORECASE)


class SitemapPage(NamedTuple):
    """A page that a site map names."""

    url: str
    modified_date: str | None = None
    """`lastmod` as ISO 8601; None where it is missing, or is no date."""
    priority: float = DEFAULT_PRIORITY
    """From 0 to 1, beside other pages of the same site."""


class Sitemap(NamedTuple):
    """The entries of a site map, absolute, in order, without repeats."""

    pages: tuple[SitemapPage, ...]
    maps: tuple[str, ...]


class _Refused(Exception):
    """It declares entities."""


def parse(body: bytes, url: str) -> Sitemap:
    """Read a site map: XML or a list of URLs, packed by gzip or not. One that breaks off gives the URLs before that.

    Raises:
        Unsupported: it is no site map.
    """
    data = _unpacked(body, url)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        pages = _LINE.findall(data.decode("utf-8", "replace"))
        if not pages:
            raise Unsupported(f"{url} is not a site map", url=url, hint="")
        return Sitemap(tuple(map(SitemapPage, _absolute(pages, url))), ())
    site_map_parser = _SiteMapParser()
    try:
        site_map_parser.parser.Parse(data, True)  # noqa: FBT003 - expat's own signature
    except (expat.ExpatError, _Refused) as error:
        if not site_map_parser.entries["url"] and not site_map_parser.entries["sitemap"]:
            raise Unsupported(f"{url} is not a site map: {without_quotations(str(error))}", url=url, hint="") from error
    if not site_map_parser.is_map:
        raise Unsupported(f"{url} is XML, but not a site map", url=url, hint="")
    maps = [entry.get("loc", "") for entry in site_map_parser.entries["sitemap"]]
    return Sitemap(_pages(site_map_parser.entries["url"], url), _absolute(maps, url))


def sitemaps_in_robots(robots_txt: bytes, url: str) -> tuple[str, ...]:
    """Return the site maps that a robots.txt names."""
    return _absolute(list(Protego.parse(_only_maps(robots_txt)).sitemaps), url)


def _only_maps(robots_txt: bytes) -> str:
    """Keep the lines in question: protego's time grows with the square of the others."""
    text = robots_txt.decode("utf-8", "replace").removeprefix("\ufeff")
    return "\n".join(line for line in text.splitlines() if line.lstrip().lower().startswith("sitemap"))


def _unpacked(body: bytes, url: str) -> bytes:
    if not body.startswith(_GZIP):
        return body
    try:
        return zlib.decompressobj(wbits=31).decompress(body, MAX_BYTES)
    except zlib.error as error:
        raise Unsupported(f"{url} is damaged: {error}", url=url, hint="") from error


class _SiteMapParser:
    """Takes in the elements of a map."""

    def __init__(self) -> None:
        self.entries: dict[str, list[dict[str, str]]] = {"url": [], "sitemap": []}
        """The fields of each entry, by the name of its element."""
        self.is_map = False
        self._ancestors: list[str] = []
        self._text: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._add_text
        self.parser.EntityDeclHandler = self._refuse

    def _begin(self, tag: str, _: dict[str, str]) -> None:
        name = tag.rpartition(":")[2].lower()
        self.is_map = self.is_map or (not self._ancestors and name in {"urlset", "sitemapindex"})
        if name in self.entries and len(self._ancestors) == 1:
            self.entries[name].append({})
        self._ancestors.append(name)
        self._text = []

    def _end(self, _: str) -> None:
        name = self._ancestors.pop()
        kind = self._ancestors[-1] if self._ancestors else ""
        # <image:loc> stands deeper: inside <image:image>.
        if name in _FIELDS and kind in self.entries and len(self._ancestors) == 2:
            self.entries[kind][-1][name] = "".join(self._text).strip()

    def _add_text(self, text: str) -> None:
        if self._ancestors[-1] in _FIELDS:
            self._text.append(text)

    def _refuse(self, *_: object) -> None:
        raise _Refused("it declares entities")


def _pages(entries: list[dict[str, str]], base: str) -> tuple[SitemapPage, ...]:
    pages: dict[str, SitemapPage] = {}
    for entry in entries:
        url = _resolved(entry.get("loc", ""), base)
        if url is not None and url not in pages:
            pages[url] = SitemapPage(url, _date(entry.get("lastmod", "")), _priority(entry.get("priority", "")))
    return tuple(pages.values())


def _date(text: str) -> str | None:
    if _DATE.fullmatch(text):
        return text
    return None


def _priority(text: str) -> float:
    try:
        number = float(text[:10])
    except ValueError:
        return DEFAULT_PRIORITY
    return number if 0 <= number <= 1 else DEFAULT_PRIORITY


def _absolute(urls: list[str], base: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(absolute_url for url in urls if (absolute_url := _resolved(url, base))))


def _resolved(url: str, base: str) -> str | None:
    if not 0 < len(url) <= MAX_URL_CHARS:
        return None
    try:
        parsed = URL(url, base)
    except (ValueError, UnicodeEncodeError):
        return None
    if parsed.protocol not in {"http:", "https:"}:
        return None
    return parsed.href
