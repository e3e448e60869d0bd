"""Collects all links of a page, also those outside its content: menus, side bars and footers, with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ada_url import URL

from wellread.metadata.cleaning import line
from wellread.types import PageLink

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.types import LinkPlace

MAX_URL_CHARS: Final = 2_048
MAX_TEXT_CHARS: Final = 200
_MAX_REL_CHARS: Final = 200
_MAX_DEPTH: Final = 200
"""Elements around a link that are looked at for its place."""
_PLACES: Final[dict[str, LinkPlace]] = {
    "nav": "nav",
    "header": "header",
    "footer": "footer",
    "aside": "aside",
    "main": "main",
    "article": "main",
}


def all_links(tree: LexborHTMLParser, url: str, *, max_links: int) -> tuple[list[PageLink], int]:
    """Return the links of a parsed page in document order, each URL once, and how many were left out by `max_links`.

    Links are resolved against `url`, or against the page's own base. Where two links have one URL, the first that has
    words counts, and `nofollow` holds only if all of them have it.
    """
    base = _base(tree, url)
    links: dict[str, PageLink] = {}
    left_out: set[str] = set()
    places: dict[int, LinkPlace] = {}
    for node in tree.css("a[href], area[href]"):
        target = _resolved(node.attributes.get("href"), base)
        if target is None:
            continue
        if target not in links and len(links) >= max_links:
            left_out.add(target)
            continue
        links[target] = _merged(links.get(target), _link(node, target, places))
    return list(links.values()), len(left_out)


def _merged(earlier: PageLink | None, link: PageLink) -> PageLink:
    if earlier is None:
        return link
    rel = earlier.rel
    if "nofollow" not in link.rel:
        rel = tuple(word for word in rel if word != "nofollow")
    return earlier._replace(text=earlier.text or link.text, rel=rel)


def _link(node: LexborNode, target: str, places: dict[int, LinkPlace]) -> PageLink:
    rel = (node.attributes.get("rel") or "")[:_MAX_REL_CHARS].lower().split()
    words = line(node.text(), MAX_TEXT_CHARS) or line(node.attributes.get("title"), MAX_TEXT_CHARS) or ""
    return PageLink(target, words, tuple(rel), _place(node, places))


def _place(node: LexborNode, places: dict[int, LinkPlace]) -> LinkPlace:
    """Return the place of a link; `places` keeps those of the elements around earlier links."""
    path: list[int] = []
    place: LinkPlace = "main"
    parent = node.parent
    while parent is not None and len(path) < _MAX_DEPTH:
        declared = places.get(parent.mem_id) or _PLACES.get(parent.tag or "")
        path.append(parent.mem_id)
        if declared is not None:
            place = declared
            break
        parent = parent.parent
    places.update(dict.fromkeys(path, place))
    return place


def _base(tree: LexborHTMLParser, url: str) -> str:
    node = tree.css_first("base[href]")
    declared = node.attributes.get("href") if node is not None else None
    return _resolved(declared, url) or url


def _resolved(href: str | None, base: str) -> str | None:
    """Return the absolute web address without its fragment; None for other schemes and for places on the page."""
    if not href or href[0] == "#" or len(href) > MAX_URL_CHARS:
        return None
    try:
        target = URL(href.strip(), base)
    except (ValueError, UnicodeEncodeError):
        return None
    if target.protocol not in {"http:", "https:"}:
        return None
    target.hash = ""
    return target.href if len(target.href) <= MAX_URL_CHARS else None
