"""Reads class, id and href: they tell bylines, and the page's own elements from neighbouring content.

All of it looks at whole words, each once, so that no name costs more than its length.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wellread.css.words import word_set
from wellread.seen import names

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_LABEL = 500

AUTHORS = word_set("author creator")
"""The values of `itemprop` and `rel` for an author."""
BY = word_set("byline byauthor")
_WRITERS = word_set("author authors auteur autor writer")
_WRITER_PARTS = word_set("name names fmt link links info by line")
_NEIGHBOURS = word_set(
    "comment comments commentlist disqus reply replies related recommend recommended recommendation recommendations "
    "sidebar teaser teasers promo promos carousel slider popular trending latest recent newsletter breadcrumb "
    "breadcrumbs testimonial testimonials review reviews tweet tweets card cards timeline widget widgets"
)
_AUTHOR_BOXES = word_set("bio box card follow about desc photo img image avatar")
_HOLDERS = word_set(
    "has no with is mode wrap wrapper container contain contains layout content main enabled active open area"
)
"""Words that make of a neighbour's name the name of what it stands in: `has-comments`, `sidebar-layout`."""
_AUTHOR_PAGE = re.compile(
    r"(?<!/licenses)/(?:authors?|profile|writers?|staff|contributors?|people|by)/[^/?#]|[?&]author=", re.IGNORECASE
)
_BUILDERS = frozenset({"widget", "widgets"})
"""The class of all parts in a page builder."""
_SITES = word_set("site page global posts")
"""Whose footer is no article's."""


def of(attributes: Mapping[str, str | None]) -> str:
    """Return the class and the id of an element."""
    called, name = attributes.get("class"), attributes.get("id")
    return f"{called or ''} {name or ''}"[:MAX_LABEL]


@lru_cache(maxsize=4_096)
def is_neighbour(label: str) -> bool:
    """Return whether class and id name a part of the page that is not its own: comments, teasers, a sidebar."""
    return any(
        (
            not (words - _BUILDERS if "elementor" in words else words).isdisjoint(_NEIGHBOURS)
            and words.isdisjoint(_HOLDERS)
        )
        or ("author" in words and not words.isdisjoint(_AUTHOR_BOXES))
        or ("footer" in words and not words.isdisjoint(_SITES))
        for words in map(frozenset, map(names.words, label.split()))
    )


def is_edge(label: str) -> bool:
    """Say whether class and id name a footer."""
    footers = (names.words(at) for at in label.split() if "ooter" in at)
    return any("footer" in called and _HOLDERS.isdisjoint(called) for called in footers)


def signs(attributes: Mapping[str, str | None]) -> bool:
    """Say whether the class of an element is that of an author's name."""
    called = attributes.get("class")
    return called is not None and _signs(called[:MAX_LABEL])


@lru_cache(maxsize=4_096)
def _signs(label: str) -> bool:
    """Say whether a class is that of an author's name: `author`, `post-hero__author`, `article__author-name`."""
    for name in label.split():
        words = names.split(name)
        while words and words[-1] in _WRITER_PARTS:
            words.pop()
        if words and words[-1] in _WRITERS:
            return True
    return False


def is_of_author(attributes: Mapping[str, str | None]) -> bool:
    """Say whether a link leads to an author's page."""
    return _AUTHOR_PAGE.search((attributes.get("href") or "")[:500]) is not None
