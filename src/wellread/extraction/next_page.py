"""Finds the next page of a text that goes on: by addresses that differ in the number of a page alone.

No word of any language is needed. `<link rel=next>` of many blogs leads to another article, whose address differs more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.extraction.links import Links

_MOST_PAGES: Final = 99
"""Numbers beyond are those of articles."""
_MOST_LINKS: Final = 5_000
_LONGEST: Final = 300
"""Characters of an address."""
_SLASHES_OF_SITE: Final = 3
_LONGEST_ADDITION: Final = 60
"""Characters: more than `_NEXT` matches."""
_LONGEST_TEXT: Final = 60
_NEXT: Final = re.compile(
    r"(?P<joint>[/?&,;._~-]|/?[?&;/](?:[a-z_]{1,20}[=/])|)"
    r"(?P<word>(?:page|pagina|pag|pg|p|seite|s|sida|side|strona|str|part|teil|partie|parte|sivu|sayfa|paged)?)"
    r"(?P<joint2>[=/_.,-]?)(?P<number>\d{1,2})(?P<end>/?)",
    re.IGNORECASE,
)
"""The addition of a page's address to that of the first page: a joint, perhaps a word for a page, its number."""
_REST: Final = re.compile(r"/?(?:\.[a-z]{2,5})?(?:[?&;].{0,200})?", re.IGNORECASE)
"""The text that may follow the number: an ending, a query. More of a path makes a date of it."""
_COMMENTS: Final = re.compile(r"comment|cpage|reply|replies|review|print|version|lang|sort|view", re.IGNORECASE)
_SESSION: Final = frozenset({"sid", "phpsessid", "jsessionid"})
"""Parameters with the number of a visit, which is another on every visit."""
_OFFSET: Final = re.compile(r"[/?&;_-](?:start|offset|from|skip|st|s)[=/_-]?\d{1,4}", re.IGNORECASE)
"""The addition of a later page's address where entries are counted, not pages."""
_NAMES_OFFSET: Final = re.compile(r"[/?&;_-](?:start|offset|from|skip|st|s)[=/_-]?$", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")
_QUERY: Final = re.compile(r"[?&;]")
_LONGEST_NUMBER: Final = 2
"""Digits of the number of a page."""
_LONGEST_ENDING: Final = 7
"""Characters that `_REST` matches before a query: a slash and an ending."""


def following(tree: LexborHTMLParser, declared: Sequence[str], url: str | None, links: Links) -> str | None:
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
        if len(href) > _LONGEST or _DIGITS.search(href) is None:
            continue
        target = links.resolve(href)
        if target is not None and target.startswith(stem) and _leads_on(node, here, target):
            return target
    return None


def _stem(here: str) -> str:
    """Return the prefix that the next page's address has: all but a number and an ending that `_REST` matches."""
    query = _QUERY.search(here)
    return here[: max(0, (query.start() if query else len(here)) - _LONGEST_NUMBER - _LONGEST_ENDING)]


def is_next(here: str, other: str, *, named: bool = False, first: int = 2) -> bool:
    """Tell whether an address is that of the page after this one.

    `named`: only if it has a word for a page. `first` is the lowest number of the page after one without a number: some
    software counts pages from 0.
    """
    if len(other) > _LONGEST or len(here) > _LONGEST or here == other or not _may_continue(here, other):
        return False
    before, addition, after, number = _difference(here, other)
    if not addition or _COMMENTS.search(addition) is not None or before.count("/") < 3:
        return False
    match = _NEXT.fullmatch(addition)
    if match is None or _REST.fullmatch(after) is None:
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
    if len(other) > _LONGEST or len(here) > _LONGEST:
        return False
    here, other = _without_session(here), _without_session(other)
    if here == other or not _may_continue(here, other):
        return False
    before, addition, after, number = _difference(here, other)
    if number is not None:
        return _NAMES_OFFSET.search(before) is not None and int(addition) > number
    return _OFFSET.fullmatch(addition) is not None and _REST.fullmatch(after) is not None


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
