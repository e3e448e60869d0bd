"""Where a page sends its reader by a Refresh header or a meta element: pure.

HTML standard, 4.2.5.3 ("shared declarative refresh steps"); the header is processed in the same way.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final
from urllib.parse import urldefrag, urljoin

from wellread.net.charset import MAX_SAMPLE, decode
from wellread.types import header

if TYPE_CHECKING:
    from wellread.types import Response

MAX_DELAY_S: Final = 10
"""A later refresh is a ticker that loads itself again, or a slide show, more often than a redirect."""

_HTML: Final = ("text/html", "application/xhtml+xml")
_VALUE = re.compile(r"\s*([0-9]{1,9})?(?:\.[0-9.]*)?(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(.*)", re.IGNORECASE | re.DOTALL)
_NEAR: Final = re.compile(rb"http-equiv[^>]{0,40}refresh")
"""An attribute with this value, and anything like it; in lower case."""
_INERT: Final = frozenset({"noscript", "template", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
"""The content of these elements is text, or for readers without scripts."""


def needs_parser(response: Response) -> bool:
    """Return whether `place` has to parse the page, which takes up to 20 ms."""
    return header(response.headers, "refresh") is None and _may_declare(response)


def place(response: Response, *, max_delay_s: float = MAX_DELAY_S) -> str | None:
    """Return the absolute http or https URL that an answer leads on to within `max_delay_s`, or None.

    A page that refreshes itself leads nowhere.
    """
    value, base = header(response.headers, "refresh"), response.url
    if value is None:
        value, base = _declared(response)
    if not value:
        return None
    match = _VALUE.fullmatch(value[:MAX_SAMPLE])
    if match is None or match[1] is None or int(match[1]) > max_delay_s:
        return None
    address = _unquoted(match[2].strip())
    try:
        url = urljoin(base, address.strip())
    except ValueError:
        return None
    is_other = urldefrag(url)[0] != urldefrag(response.url)[0]
    if not address or not is_other or not url.lower().startswith(("http://", "https://")):
        return None
    return url


def _unquoted(address: str) -> str:
    """Return the text in quotes; text after the closing quote is ignored."""
    quote = address[:1]
    if quote not in {'"', "'"}:
        return address
    return address[1:].partition(quote)[0]


def _declared(response: Response) -> tuple[str | None, str]:
    """Return the content of the first meta element that refreshes, and the base of its URL."""
    if not _may_declare(response):
        return None, response.url
    page = _RefreshParser()
    try:
        page.feed(decode(response.body[:MAX_SAMPLE], None, html=True)[0])
        base = urljoin(response.url, page.base)
    except AssertionError:  # the parser of the standard library gives up on some declarations
        return None, response.url
    except ValueError:  # a base that is no URL counts as none
        base = response.url
    return page.refresh, base


def _may_declare(response: Response) -> bool:
    """Return whether the beginning of a page may have a meta element that refreshes; many pages have that word."""
    kind = (header(response.headers, "content-type") or "text/html").partition(";")[0].strip().lower()
    start = response.body[:MAX_SAMPLE].lower()
    return kind in _HTML and b"refresh" in start and _NEAR.search(start) is not None


class _RefreshParser(HTMLParser):
    """Reads the first `base` and the first meta element that refreshes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.base = ""
        self.refresh: str | None = None
        self._inert: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._inert is not None:
            return
        attributes = {name: value or "" for name, value in reversed(attrs)}
        if tag in _INERT:
            self._inert = tag
        elif tag == "base" and not self.base:
            self.base = attributes.get("href", "")
        elif tag == "meta" and self.refresh is None and attributes.get("http-equiv", "").strip().lower() == "refresh":
            self.refresh = attributes.get("content")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inert:
            self._inert = None
