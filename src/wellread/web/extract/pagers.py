"""Finds the next page of a text that goes on: by addresses that differ in the number of a page alone.

No word of any language is needed. `<link rel=next>` of many blogs leads to another article, whose address differs more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.web.extract.links import Links

_MOST_PAGES: Final = 99
"""Numbers beyond are those of articles."""
_MOST_LINKS: Final = 5_000
_LONGEST: Final = 300
"""Characters of an address."""
_LONGEST_TEXT: Final = 60
_NEXT: Final = re.compile(
    r"(?P<joint>[/?&,;._~-]|/?[?&;/](?:[a-z_]{1,20}[=/])|)"
    r"(?P<word>(?:page|pagina|pag|pg|p|seite|s|sida|side|strona|str|part|teil|partie|parte|sivu|sayfa|paged)?)"
    r"(?P<joint2>[=/_.,-]?)(?P<number>\d{1,2})(?P<end>/?)",
    re.IGNORECASE,
)
"""What the address of a page has more than that of the first one: a joint, perhaps a word for a page, its number."""
_REST: Final = re.compile(r"/?(?:\.[a-z]{2,5})?(?:[?&;].{0,200})?", re.IGNORECASE)
"""What may follow the number: an ending, a query. More of a path makes a date of it."""
_COMMENTS: Final = re.compile(r"comment|cpage|reply|replies|review|print|version|lang|sort|view", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")


def following(tree: LexborHTMLParser, declared: Sequence[str], url: str | None, links: Links) -> str | None:
    """Return the address of the next page of the same text, or None.

    `declared` are the targets of `<link rel=next>`. `url` is where the page is. A link in the page counts that says so
    by `rel=next`, names a page in its address, or has the number of that page as its text.
    """
    if url is None:
        return None
    here = url.partition("#")[0]
    for href in declared[:1]:
        found = links.resolve(href)
        if found is not None and is_next(here, found, first=1):
            return found
    for node in tree.css("a[href]")[:_MOST_LINKS]:
        href = node.attributes.get("href") or ""
        if len(href) > _LONGEST or _DIGITS.search(href) is None:
            continue
        found = links.resolve(href)
        if found is not None and _leads_on(node, here, found):
            return found
    return None


def is_next(here: str, other: str, *, named: bool = False, first: int = 2) -> bool:
    """Tell whether an address is that of the page after this one.

    `named`: only if it has a word for a page. `first` is the lowest number of the page after one without a number: some
    software counts pages from 0.
    """
    if len(other) > _LONGEST or len(here) > _LONGEST or here == other:
        return False
    before, inserted, after, number = _difference(here, other)
    if not inserted or _COMMENTS.search(inserted) is not None or before.count("/") < 3:
        return False
    found = _NEXT.fullmatch(inserted)
    if found is None or _REST.fullmatch(after) is None:
        return False
    page = int(found["number"])
    is_after = page == number + 1 if number is not None else first <= page <= 2
    is_named = bool(found["word"]) or "=" in found["joint"] or "page" in before[-12:].lower()
    return is_after and 1 <= page <= _MOST_PAGES and (is_named or not named)


def _leads_on(node: LexborNode, here: str, found: str) -> bool:
    """Tell whether a link leads to the next page: by `rel`, by that page's number as its text, or by its address."""
    page = found.partition("#")[0]
    if "next" in (node.attributes.get("rel") or "").lower().split():
        return is_next(here, page, first=1)
    text = (node.text(deep=True) or "")[:_LONGEST_TEXT].strip()
    if not text.isdecimal() or len(text) > 2:
        return is_next(here, page, named=True)
    number = int(text)
    if str(number) in _DIGITS.findall(page):
        return is_next(here, page)
    return number == 2 and is_next(here, page, first=1)


def _difference(here: str, other: str) -> tuple[str, str, str, int | None]:
    """Return what two addresses begin and end with alike, what the other has between, and the number that this one has.

    In the order of the address: beginning, what is between, end; then the number.
    """
    start = 0
    while start < min(len(here), len(other)) and here[start] == other[start]:
        start += 1
    end = 0
    while end < min(len(here), len(other)) - start and here[-1 - end] == other[-1 - end]:
        end += 1
    own, inserted = here[start : len(here) - end], other[start : len(other) - end]
    if own.isdigit() and inserted.isdigit():
        return _whole_numbers(here, other, start, end)
    if own in {"", "/"}:
        joint = own + inserted.removeprefix(own) if inserted.startswith(own) else inserted
        return here[:start], joint, here[len(here) - end :], None
    return here[:start], "", "", None


def _whole_numbers(here: str, other: str, start: int, end: int) -> tuple[str, str, str, int | None]:
    """Return the numbers that differ with all their digits: `11` and `12` begin alike."""
    while start and here[start - 1].isdigit():
        start -= 1
    while end and here[-end].isdigit():
        end -= 1
    own, inserted = here[start : len(here) - end], other[start : len(other) - end]
    if len(own) > 2 or not own.isdigit():
        return here[:start], "", "", None
    return here[:start], inserted, here[len(here) - end :], int(own)
