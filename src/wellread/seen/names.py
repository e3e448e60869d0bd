"""Reads the words in class and id attributes: what authors call their boxes says much about what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.bounded_cache import cached_calls
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_LOWER = lazy_pattern(r"[a-z]+|[0-9]+")
"""The same in lower-case ASCII, as most names are written."""
_MOST_CACHED = 20_000
NONE: Final[frozenset[str]] = frozenset()
_LONGEST = 400
_LONGEST_CALLED = 100

_FOR_SCREEN_READERS = ("sr only", "visually hidden", "visuallyhidden", "screen reader", "offscreen", "assistive text")
_OF_EBAY: Final = "clipped"
"""Alone: other sites call what they cut by this name beside one of its own."""
_FOR_MACHINES = "rich snippet hidden"
"""Microformats that a theme of blogs adds to its pages, of all kinds."""
_UNSEEN: Final = tuple(map(word_set, (*_FOR_SCREEN_READERS, _FOR_MACHINES)))
_MACHINERY: Final = word_set("headerlink editsection backlink")
_LINE_NUMBERS: Final = word_set("linenos lineno linenumber linenumbers gutter lnt boring")

_HINTS: Final = lazy_pattern("|".join({*(max(one, key=len) for one in _UNSEEN), _OF_EBAY, *_MACHINERY, *_LINE_NUMBERS}))
"""A class that holds none of these has no kind."""


@cached_calls(_MOST_CACHED)
def words(text: str) -> tuple[str, ...]:
    """Split `siteNav main-menu` into site, nav, main, menu, each as often as it stands there.

    Remembered, since a site repeats its names.
    """
    return tuple(split(text))


def listed(called: str | None, name: str | None) -> list[str]:
    """Return the names in the class and id of an element."""
    found = called[:_LONGEST].split() if called else []
    if name:
        found.append(name[:_LONGEST])
    return found


def split(text: str) -> list[str]:
    """Split a name, or what stands in its first 400 characters."""
    text = text[:_LONGEST]
    if text.isascii() and text.islower():
        return _LOWER.findall(text)
    return [word.lower() for word in _WORD.findall(text)]


def of(attributes: Mapping[str, str | None]) -> frozenset[str]:
    """Return the words in the class and id of an element."""
    called, name = attributes.get("class"), attributes.get("id")
    if name:
        return _of(called, name)
    return of_class(called) if called else NONE


@cached_calls(_MOST_CACHED)
def _of(called: str | None, name: str | None) -> frozenset[str]:
    return NONE.union(*map(words, listed(called, name)))


@cached_calls(_MOST_CACHED)
def of_class(called: str) -> frozenset[str]:
    """Return the words in a class."""
    return NONE.union(*map(words, listed(called, None)))


@cached_calls(_MOST_CACHED)
def kind(called: str) -> str:
    """Return what a class alone says of an element: `unseen`, `machinery`, `line numbers`, or nothing.

    Style sheets elsewhere hide what is for screen readers only; its names are the same on all sites.
    """
    return _kind(called) if _HINTS.search(called.lower()) else ""


def _kind(called: str) -> str:
    found = [NONE.union(words(_itself(name))) for name in called.split() if len(name) <= _LONGEST_CALLED]
    hides = [name for name in found if any(unseen <= name for unseen in _UNSEEN)]
    # `not-sr-only` shows again what is hidden elsewhere
    if called == _OF_EBAY or (hides and not any("not" in name for name in hides)):
        return "unseen"
    if any(not _MACHINERY.isdisjoint(split(name)[-1:]) for name in called.split()):
        return "machinery"
    # Whole names only: `hide-boring` and `gutter:true` speak of all the code.
    return "" if _LINE_NUMBERS.isdisjoint(called.lower().split()) else "line numbers"


def _itself(name: str) -> str:
    """Return a name without a modifier that speaks of a part: a `field--label-visually_hidden` has a hidden label."""
    if "--" not in name:
        return name
    block, _, modifier = name.partition("--")
    found = frozenset(split(modifier))
    return block if any(unseen < found for unseen in _UNSEEN) else name
