"""Reads site maps (sitemaps.org protocol 0.9): the pages that a site names, and the further maps of an index.

Pure: bytes in, URLs out. Expat reads the XML, and whatever declares entities is refused.
"""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple
from xml.parsers import expat

from ada_url import URL
from protego import Protego

from wellread.errors import Unsupported

MAX_BYTES = 50_000_000
"""Unpacked; the protocol's own limit."""
MAX_URL_CHARS = 2_048
"""The protocol's own limit."""

_GZIP = b"\x1f\x8b"
_LINE = re.compile(r"^\s*(https?://\S+)\s*$", re.MULTILINE | re.IGNORECASE)


class SiteMap(NamedTuple):
    """The URLs in a site map, absolute, in order, without repeats."""

    pages: tuple[str, ...]
    maps: tuple[str, ...]


class _Refused(Exception):
    """It declares entities."""


def parse(body: bytes, url: str) -> SiteMap:
    """Read a site map: XML or a list of URLs, packed by gzip or not. One that breaks off gives the URLs before that.

    Raises:
        Unsupported: it is no site map.
    """
    data = _unpacked(body, url)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        pages = _LINE.findall(data.decode("utf-8", "replace"))
        if not pages:
            raise Unsupported(f"{url} is not a site map", url=url, hint="")
        return SiteMap(_absolute(pages, url), ())
    site_map_parser = _SiteMapParser()
    try:
        site_map_parser.parser.Parse(data, True)  # noqa: FBT003 - expat's own signature
    except (expat.ExpatError, _Refused) as error:
        if not site_map_parser.urls["url"] and not site_map_parser.urls["sitemap"]:
            raise Unsupported(f"{url} is not a site map: {error}", url=url, hint="") from error
    if not site_map_parser.is_map:
        raise Unsupported(f"{url} is XML, but not a site map", url=url, hint="")
    return SiteMap(_absolute(site_map_parser.urls["url"], url), _absolute(site_map_parser.urls["sitemap"], url))


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
        self.urls: dict[str, list[str]] = {"url": [], "sitemap": []}
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
        self._ancestors.append(name)
        self._text = []

    def _end(self, _: str) -> None:
        name = self._ancestors.pop()
        kind = self._ancestors[-1] if self._ancestors else ""
        # <image:loc> stands deeper: inside <image:image>.
        if name == "loc" and kind in self.urls and len(self._ancestors) == 2:
            self.urls[kind].append("".join(self._text).strip())

    def _add_text(self, text: str) -> None:
        if self._ancestors[-1] == "loc":
            self._text.append(text)

    def _refuse(self, *_: object) -> None:
        raise _Refused("it declares entities")


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
