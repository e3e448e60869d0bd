"""Resolves the links of a page, finds its next page, and collects its links with their places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ada_url import URL, join_url, normalize_url

from wellread.lazy_pattern import lazy_pattern
from wellread.metadata.cleaning import key, line
from wellread.output.inline_text import is_printed_link
from wellread.types import PageLink

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.types import LinkPlace


# ---------------------------------------------------------------------------------------------------- links of the text
# Makes links absolute, and drops links that lead neither to a place on the web nor to a person's mail.

_WEB = ("http://", "https://")
_SCHEME = lazy_pattern(r"\s*[a-z][a-z0-9+.-]*:", re.IGNORECASE)
MAX_URL_CHARS: Final = 2_048
"""Characters, of a link as it is written, of what it is relative to, and of what both make."""
_KICKER = 4
"""Words, as `Analysis` above a headline; of that more must be left."""
_ROOM = 8_000_000
"""Characters that all links of a page may have: short ones on a long base make a hundred times as much."""


class Links:
    """Resolves the links of one page against its URL and its <base>."""

    def __init__(self, url: str | None, base: str | None, covers: dict[str, str]) -> None:
        """Take the page's URL and its <base>; `covers` holds links laid over cards, by the keys of their labels."""
        self._covers = covers
        absolute_base = url
        if base:
            absolute_base = _absolute(base, url)
        self._base: str | None = None
        if absolute_base and len(absolute_base) <= MAX_URL_CHARS:
            self._base = absolute_base
        self._page = (_absolute(url or "", None) or url or "").partition("#")[0]
        self._known: dict[str, str | None] = {}
        self._room = _ROOM
        self.adrift = 0
        """Links of the text that lead nowhere because the page's address is not known."""

    def resolve(self, href: str | None) -> str | None:
        """Return the absolute http(s) URL; None for other schemes, for this same page and for places on it."""
        if not href or href[0] == "#":
            return None
        if href not in self._known:
            self._known[href] = self._resolve(href)
        target = self._known[href]
        self._room -= len(target or "")
        if self._room >= 0:
            return target
        return None

    def over(self, words: str) -> str | None:
        """Return the link laid over a line, as it is written; a word or two may stand before its label."""
        if not self._covers or len(words) > MAX_URL_CHARS:
            return None
        label_words = key(words).split()
        ends = (
            " ".join(label_words[skip:])
            for skip in range(_KICKER + 1)
            if skip == 0 or skip + _KICKER < len(label_words)
        )
        return next((self._covers[end] for end in ends if end in self._covers), None)

    def is_adrift(self, href: str) -> bool:
        """Tell a link that only the address of its page would lead to its goal, where that address is not known."""
        return self._base is None and href[:1] not in {"", "#"} and _SCHEME.match(href) is None

    def leads_within(self, url: str) -> bool:
        """Tell whether an absolute URL leads to the site of the page itself."""
        return url.split("/", 3)[:3] == self._page.split("/", 3)[:3]

    @staticmethod
    def mail(href: str) -> str | None:
        """Return the address of a mail link, as `mailto:`; the prepared subject and text are no part of a page."""
        if len(href) >= MAX_URL_CHARS:
            return None
        address = href.strip().partition("?")[0]
        if address[:7].lower() == "mailto:" and is_printed_link(address):
            return f"mailto:{address[7:]}"
        return None

    def _resolve(self, href: str) -> str | None:
        if len(href) >= MAX_URL_CHARS:
            return None
        target = _absolute(href.strip(), self._base)
        if target is None or not target.startswith(_WEB) or len(target) > MAX_URL_CHARS:
            return None
        if target.partition("#")[0] == self._page:
            return None
        return target


def _absolute(href: str, base: str | None) -> str | None:
    try:
        if base:
            return join_url(base, href)
        return normalize_url(href)
    except ValueError:
        return None


# -------------------------------------------------------------------------------------------------------- the next page
# Finds the next page of a text that goes on: by addresses that differ in the number of a page alone.
#
# No word of any language is needed. `<link rel=next>` of many blogs leads to another article, whose address differs
# more.

_MOST_PAGES: Final = 99
"""Numbers beyond are those of articles."""
_MOST_LINKS: Final = 5_000
_MAX_ADDRESS_CHARS: Final = 300
"""Characters of an address."""
_SLASHES_OF_SITE: Final = 3
_LONGEST_ADDITION: Final = 60
"""Characters: more than `_NEXT` matches."""
_LONGEST_TEXT: Final = 60
_NEXT: Final = lazy_pattern(
    r"(?P<joint>[/?&,;._~-]|/?[?&;/](?:[a-z_]{1,20}[=/])|)"
    r"(?P<word>(?:page|pagina|pag|pg|p|seite|s|sida|side|strona|str|part|teil|partie|parte|sivu|sayfa|paged)?)"
    r"(?P<joint2>[=/_.,-]?)(?P<number>\d{1,2})(?P<end>/?)",
    re.IGNORECASE,
)
"""The addition of a page's address to that of the first page: a joint, perhaps a word for a page, its number."""
_ENDING: Final = lazy_pattern(r"/?(?:\.[a-z]{2,5})?(?:[?&;].{0,200})?", re.IGNORECASE)
"""The text that may follow the number: an ending, a query. More of a path makes a date of it."""
_COMMENTS: Final = lazy_pattern(r"comment|cpage|reply|replies|review|print|version|lang|sort|view", re.IGNORECASE)
_SESSION: Final = frozenset({"sid", "phpsessid", "jsessionid"})
"""Parameters with the number of a visit, which is another on every visit."""
_OFFSET: Final = lazy_pattern(r"[/?&;_-](?:start|offset|from|skip|st|s)[=/_-]?\d{1,4}", re.IGNORECASE)
"""The addition of a later page's address where entries are counted, not pages."""
_NAMES_OFFSET: Final = lazy_pattern(r"[/?&;_-](?:start|offset|from|skip|st|s)[=/_-]?$", re.IGNORECASE)
_DIGITS: Final = lazy_pattern(r"\d+")
_QUERY: Final = lazy_pattern(r"[?&;]")
_LONGEST_NUMBER: Final = 2
"""Digits of the number of a page."""
_LONGEST_ENDING: Final = 7
"""Characters that `_ENDING` matches before a query: a slash and an ending."""


def next_page(tree: LexborHTMLParser, declared: Sequence[str], url: str | None, links: Links) -> str | None:
    """Return the address of the next page of the same text, or None.

    `declared` are the targets of `<link rel=next>`. `url` is where the page is. A link in the page counts that says so
    by `rel=next`, names a page in its address, or has the number of that page as its text.
    """
    if url is None:
        return None
    here = url.partition("#")[0]
    for href in declared[:1]:
        target = links.resolve(href)
        if target is not None and is_next(here, target, first=1):
            return target
    stem = _stem(here)
    for node in tree.css("a[href]")[:_MOST_LINKS]:
        href = node.attrs["href"] or ""
        if len(href) > _MAX_ADDRESS_CHARS or _DIGITS.search(href) is None:
            continue
        target = links.resolve(href)
        if target is not None and target.startswith(stem) and _leads_on(node, here, target):
            return target
    return None


def _stem(here: str) -> str:
    """Return the prefix that the next page's address has: all but a number and an ending that `_ENDING` matches."""
    query = _QUERY.search(here)
    return here[: max(0, (query.start() if query else len(here)) - _LONGEST_NUMBER - _LONGEST_ENDING)]


def is_next(here: str, other: str, *, named: bool = False, first: int = 2) -> bool:
    """Tell whether an address is that of the page after this one.

    `named`: only if it has a word for a page. `first` is the lowest number of the page after one without a number: some
    software counts pages from 0.
    """
    if (
        len(other) > _MAX_ADDRESS_CHARS
        or len(here) > _MAX_ADDRESS_CHARS
        or here == other
        or not _may_continue(here, other)
    ):
        return False
    before, addition, after, number = _difference(here, other)
    if not addition or _COMMENTS.search(addition) is not None or before.count("/") < 3:
        return False
    match = _NEXT.fullmatch(addition)
    if match is None or _ENDING.fullmatch(after) is None:
        return False
    page = int(match["number"])
    is_after = page == number + 1 if number is not None else first <= page <= 2
    is_named = bool(match["word"]) or "=" in match["joint"] or "page" in before[-12:].lower()
    return is_after and 1 <= page <= _MOST_PAGES and (is_named or not named)


def _may_continue(here: str, other: str) -> bool:
    """Tell at a glance whether two addresses are of one site, and one is not much longer: nearly all links are not."""
    site_length = 0
    for _ in range(_SLASHES_OF_SITE):
        site_length = here.find("/", site_length) + 1
        if not site_length:
            return False
    return here[:site_length] == other[:site_length] and len(other) - len(here) <= _LONGEST_ADDITION


def _leads_on(node: LexborNode, here: str, target: str) -> bool:
    """Tell whether a link leads to the next page: by `rel`, by that page's number as its text, or by its address."""
    page = target.partition("#")[0]
    if "next" in (node.attributes.get("rel") or "").lower().split():
        return is_next(here, page, first=1) or _counts_on(here, page)
    text = (node.text(deep=True) or "")[:_LONGEST_TEXT].strip()
    if not text.isdecimal() or len(text) > 2:
        return is_next(here, page, named=True)
    number = int(text)
    if str(number) in _DIGITS.findall(page):
        return is_next(here, page)
    return number == 2 and is_next(here, page, first=1)


def _counts_on(here: str, other: str) -> bool:
    """Tell whether an address is this one with the number of a later entry, as forums count posts: `&start=15`."""
    if len(other) > _MAX_ADDRESS_CHARS or len(here) > _MAX_ADDRESS_CHARS:
        return False
    here, other = _without_session(here), _without_session(other)
    if here == other or not _may_continue(here, other):
        return False
    before, addition, after, number = _difference(here, other)
    if number is not None:
        return _NAMES_OFFSET.search(before) is not None and int(addition) > number
    return _OFFSET.fullmatch(addition) is not None and _ENDING.fullmatch(after) is not None


def _without_session(address: str) -> str:
    path, _, query = address.partition("?")
    parameters = [part for part in query.split("&") if part.partition("=")[0].lower() not in _SESSION]
    if any(parameters):
        return f"{path}?{'&'.join(parameters)}"
    return path


def _difference(here: str, other: str) -> tuple[str, str, str, int | None]:
    """Return the common beginning of two addresses, the other's addition, the common end, and the number in this one.

    In the order of the address: beginning, addition, end; then the number.
    """
    start = 0
    while start < min(len(here), len(other)) and here[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(here), len(other)) - start and here[-1 - end] == other[-1 - end]:
        end += 1
    number, addition = here[start : len(here) - end], other[start : len(other) - end]
    if number.isdigit() and addition.isdigit():
        return _whole_numbers(here, other, start, end)
    if number in {"", "/"}:
        joint = number + addition.removeprefix(number) if addition.startswith(number) else addition
        return here[:start], joint, here[len(here) - end :], None
    return here[:start], "", "", None


def _whole_numbers(here: str, other: str, start: int, end: int) -> tuple[str, str, str, int | None]:
    """Return the numbers that differ with all their digits: `11` and `12` begin alike."""
    while start and here[start - 1].isdigit():
        start -= 1
    while end and here[-end].isdigit():
        end -= 1
    number, addition = here[start : len(here) - end], other[start : len(other) - end]
    if len(number) > 2 or not number.isdigit():
        return here[:start], "", "", None
    return here[:start], addition, here[len(here) - end :], int(number)


# ------------------------------------------------------------------------------------------------------------ all links
# Collects all links of a page, also those outside its content: menus, side bars and footers, with their places.

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
    names = (node.text(), node.attributes.get("aria-label"), _alternative_text(node), node.attributes.get("title"))
    words = next(filter(None, (line(name, MAX_TEXT_CHARS) for name in names)), "")
    return PageLink(target, words, tuple(rel), _place(node, places))


def _alternative_text(node: LexborNode) -> str | None:
    """Return the alternative text of a link that is a picture."""
    if node.tag == "area":
        return node.attributes.get("alt")
    picture = node.css_first("img[alt]")
    if picture is None:
        return None
    return picture.attributes.get("alt")


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
