"""Reads the facts of a page for crawlers: links, feeds, canonical address, and whether to index and follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ada_url import URL

from wellread.extraction.html import parse_page
from wellread.extraction.links import MAX_URL_CHARS, all_links
from wellread.metadata.cleaning import line
from wellread.net.media_types import decode, header_charset, sniff
from wellread.net.robots_directives import META_NAMES, directives, forbids, header_directives
from wellread.types import PageLink, header
from wellread.worker.prescan import is_suspect

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from wellread.types import Response

_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_FEEDS: Final = frozenset({"application/rss+xml", "application/atom+xml", "application/feed+json"})


class LinkedDocument(NamedTuple):
    """The facts of a page for crawlers."""

    title: str | None = None
    links: tuple[PageLink, ...] = ()
    left_out: int = 0
    """Links beyond the limit."""
    feeds: tuple[str, ...] = ()
    canonical_url: str | None = None
    noindex: bool = False
    nofollow: bool = False
    is_parsed: bool = True
    """False for what is no HTML, and for pages that look built to choke a parser: their links were not read here."""


def linked_document(response: Response, *, max_links: int) -> LinkedDocument:
    """Return the facts of a response for crawlers; blocks while it parses."""
    restrictions = header_directives(response.headers)
    media_type = sniff(response.body, header(response.headers, "content-type"), response.url)
    if media_type not in _HTML or is_suspect(response.body):
        return LinkedDocument(
            noindex=forbids(restrictions, "noindex"), nofollow=forbids(restrictions, "nofollow"), is_parsed=False
        )
    text, _ = decode(response.body, header_charset(response.headers), html=True)
    tree = parse_page(text, odd=False)
    restrictions |= _meta_directives(tree)
    links, left_out = all_links(tree, response.url, max_links=max_links)
    title = tree.css_first("title")
    return LinkedDocument(
        title=line(title.text()) if title is not None else None,
        links=tuple(links),
        left_out=left_out,
        feeds=tuple(_feeds(tree, response.url)),
        canonical_url=_canonical(tree, response),
        noindex=forbids(restrictions, "noindex"),
        nofollow=forbids(restrictions, "nofollow"),
    )


def _meta_directives(tree: LexborHTMLParser) -> frozenset[str]:
    names: set[str] = set()
    for node in tree.css("meta[name][content]"):
        if (node.attributes.get("name") or "").strip().lower() in META_NAMES:
            names |= directives(node.attributes.get("content") or "")
    return frozenset(names)


def _feeds(tree: LexborHTMLParser, base: str) -> list[str]:
    addresses = [
        node.attributes.get("href")
        for node in tree.css("link[rel][type][href]")
        if (node.attributes.get("type") or "").strip().lower() in _FEEDS
    ]
    return list(dict.fromkeys(url for address in addresses if (url := _absolute(address, base))))


def _canonical(tree: LexborHTMLParser, response: Response) -> str | None:
    for node in tree.css("link[rel][href]"):
        if "canonical" in (node.attributes.get("rel") or "").lower().split():
            return _absolute(node.attributes.get("href"), response.url)
    return None


def _absolute(address: str | None, base: str) -> str | None:
    if not address or len(address) > MAX_URL_CHARS:
        return None
    try:
        url = URL(address.strip(), base)
    except (ValueError, UnicodeEncodeError):
        return None
    url.hash = ""
    if url.protocol not in {"http:", "https:"} or len(url.href) > MAX_URL_CHARS:
        return None
    return url.href
