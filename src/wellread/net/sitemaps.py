"""Reads site maps (sitemaps.org protocol 0.9): the pages that a site names, and the further maps of an index.

Pure: bytes in, entries out. Expat reads the XML, and whatever declares entities is refused.
"""

from __future__ import annotations

import re
import zlib
from itertools import chain, dropwhile
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from ada_url import URL
from protego import Protego

from wellread.errors import Unsupported, without_quotations

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 50_000_000
"""Unpacked; the protocol's own limit."""
MAX_ENTRIES = 50_000
"""The protocol's own limit."""
MAX_ELEMENTS = 1_000_000
"""Twenty for each entry: there are also translations and pictures."""
MAX_DEPTH = 100
MAX_LINES = 4 * MAX_ENTRIES
MAX_URL_CHARS = 2_048
"""The protocol's own limit."""

DEFAULT_PRIORITY = 0.5
"""The protocol's own default."""

_FIELDS = frozenset({"loc", "lastmod", "priority"})
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:T[0-9:.+Zz-]{4,24})?)?")
_GZIP = b"\x1f\x8b"
_BLANKS = b"\xef\xbb\xbf \t\r\n"
"""With the bytes of a byte order mark."""
_PIECE_BYTES = 1 << 16
_MAX_TEXT = 1 << 16
"""Bytes of a line, and about as many characters of a field, that are kept."""
_MAX_TAG_BYTES = 1 << 20
_WEB_URL = re.compile(r"https?://\S+", re.IGNORECASE)


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
    left_out: int = 0
    """About how many entries lie beyond the limits; they are not read."""


class _Refused(Exception):
    """It declares entities, or is built to be costly."""


def parse(body: bytes, url: str) -> Sitemap:
    """Read a site map: XML or a list of URLs, packed by gzip or not. One that breaks off gives the URLs before that.

    Raises:
        Unsupported: it is no site map.
    """
    pieces = dropwhile(lambda piece: not piece.strip(_BLANKS), _unpacked(body, url))
    start = next(pieces, b"")
    if start.lstrip(_BLANKS).startswith(b"<"):
        return _from_xml(chain([start], pieces), url)
    return _from_lines(chain([start], pieces), url)


def _from_lines(pieces: Iterator[bytes], url: str) -> Sitemap:
    pages: dict[str, SitemapPage] = {}
    lines_read = left_out = 0
    unended = b""
    for piece in chain(pieces, [b"\n"]):
        if len(pages) >= MAX_ENTRIES or lines_read >= MAX_LINES:
            left_out += piece.count(b"://")
            continue
        *lines, unended = (unended + piece).split(b"\n")
        unended = unended[:_MAX_TEXT]
        lines_read += len(lines)
        for line in lines:
            page_url = _line_url(line, url)
            if page_url is not None and len(pages) < MAX_ENTRIES:
                pages.setdefault(page_url, SitemapPage(page_url))
            elif page_url is not None:
                left_out += 1
    if not pages:
        raise Unsupported(f"{url} is not a site map", url=url, hint="")
    return Sitemap(tuple(pages.values()), (), left_out)


def _line_url(line: bytes, base: str) -> str | None:
    text = line.strip().decode("utf-8", "replace")
    if _WEB_URL.fullmatch(text) is None:
        return None
    return _resolved(text, base)


def _from_xml(pieces: Iterator[bytes], url: str) -> Sitemap:
    site_map_parser = _SiteMapParser()
    left_out = 0
    try:
        for piece in pieces:
            if site_map_parser.is_full:
                left_out += piece.count(b"<loc")
            else:
                site_map_parser.feed(piece)
        site_map_parser.close()
    except (expat.ExpatError, _Refused) as error:
        if not site_map_parser.entries["url"] and not site_map_parser.entries["sitemap"]:
            raise Unsupported(f"{url} is not a site map: {without_quotations(str(error))}", url=url, hint="") from error
    if not site_map_parser.is_map:
        raise Unsupported(f"{url} is XML, but not a site map", url=url, hint="")
    maps = [entry["loc"] for entry in site_map_parser.entries["sitemap"]]
    left_out += site_map_parser.left_out
    return Sitemap(_pages(site_map_parser.entries["url"], url), _absolute(maps, url), left_out)


def sitemaps_in_robots(robots_txt: bytes, url: str) -> tuple[str, ...]:
    """Return the site maps that a robots.txt names."""
    return _absolute(list(Protego.parse(_only_maps(robots_txt)).sitemaps), url)


def _only_maps(robots_txt: bytes) -> str:
    """Keep the lines in question: protego's time grows with the square of the others."""
    text = robots_txt.decode("utf-8", "replace").removeprefix("\ufeff")
    return "\n".join(line for line in text.splitlines() if line.lstrip().lower().startswith("sitemap"))


def _unpacked(body: bytes, url: str) -> Iterator[bytes]:
    """Yield a body unpacked, piece by piece, up to the limit of bytes."""
    if not body.startswith(_GZIP):
        yield from (body[start : start + _PIECE_BYTES] for start in range(0, min(len(body), MAX_BYTES), _PIECE_BYTES))
        return
    inflater = zlib.decompressobj(wbits=31)
    unpacked_bytes = 0
    try:
        for start in range(0, len(body), _PIECE_BYTES):
            packed = body[start : start + _PIECE_BYTES]
            while packed and unpacked_bytes < MAX_BYTES:
                piece = inflater.decompress(packed, _PIECE_BYTES)
                packed = inflater.unconsumed_tail
                unpacked_bytes += len(piece)
                yield piece
    except zlib.error as error:
        raise Unsupported(f"{url} is damaged: {error}", url=url, hint="") from error


class _SiteMapParser:
    """Takes in the elements of a map."""

    def __init__(self) -> None:
        self.entries: dict[str, list[dict[str, str]]] = {"url": [], "sitemap": []}
        """The fields of each entry that has a `loc`, by the name of its element."""
        self.left_out = 0
        """Entries beyond the limit."""
        self.is_map = False
        self._element_count = 0
        self._fed_bytes = 0
        self._fields: dict[str, str] = {}
        self._ancestors: list[str] = []
        self._text = ""
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text
        self._parser.EntityDeclHandler = self._refuse

    @property
    def is_full(self) -> bool:
        """Whether the limits are reached, so that nothing more is to be fed."""
        return self._element_count >= MAX_ELEMENTS or self._entry_count >= MAX_ENTRIES

    @property
    def _entry_count(self) -> int:
        return len(self.entries["url"]) + len(self.entries["sitemap"])

    def feed(self, piece: bytes) -> None:
        """Take in the next piece."""
        self._parser.Parse(piece, False)  # noqa: FBT003 - expat's own signature
        self._fed_bytes += len(piece)
        if self._fed_bytes - self._parser.CurrentByteIndex > _MAX_TAG_BYTES:
            raise _Refused(f"it has a tag or a comment of more than {_MAX_TAG_BYTES:,} bytes")

    def close(self) -> None:
        """Take in the end, unless the map is cut."""
        if not self.is_full:
            self._parser.Parse(b"", True)  # noqa: FBT003 - expat's own signature

    def _begin(self, tag: str, _: dict[str, str]) -> None:
        name = tag.rpartition(":")[2].lower()
        self._element_count += 1
        self.is_map = self.is_map or (not self._ancestors and name in {"urlset", "sitemapindex"})
        if len(self._ancestors) == 1:
            self._fields = {}
        self._ancestors.append(name)
        if len(self._ancestors) > MAX_DEPTH:
            raise _Refused(f"its elements stand in each other more than {MAX_DEPTH} deep")
        self._text = ""

    def _end(self, _: str) -> None:
        name = self._ancestors.pop()
        depth = len(self._ancestors)
        # <image:loc> stands deeper: inside <image:image>.
        if depth == 2 and name in _FIELDS and self._ancestors[-1] in self.entries:
            self._fields[name] = self._text.strip()
        elif depth == 1 and name in self.entries and self._fields.get("loc"):
            if self._entry_count < MAX_ENTRIES:
                self.entries[name].append(self._fields)
            else:
                self.left_out += 1

    def _add_text(self, text: str) -> None:
        if self._ancestors[-1] in _FIELDS and len(self._text) < _MAX_TEXT:
            self._text += text

    def _refuse(self, *_: object) -> None:
        raise _Refused("it declares entities")


def _pages(entries: list[dict[str, str]], base: str) -> tuple[SitemapPage, ...]:
    pages: dict[str, SitemapPage] = {}
    for entry in entries:
        url = _resolved(entry["loc"], base)
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
