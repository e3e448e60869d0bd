"""Reads the words in class and id attributes: what authors call their boxes says much about what is in them."""

from __future__ import annotations

import re
from typing import Final

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_MOST_CACHED = 20_000
_LONGEST = 400


def word_set(text: str) -> frozenset[str]:
    """Make a set of the words in `text`."""
    return frozenset(text.split())


BOILERPLATE: Final = word_set(
    "nav navbar navigation menu submenu megamenu dropdown breadcrumb breadcrumbs crumbs footer foot sidebar sidenav "
    "sidemenu toolbar topbar masthead banner cookie cookies consent gdpr ccpa popup modal overlay lightbox share "
    "sharing sharedaddy social socials addthis follow newsletter subscribe subscription signup login signin register "
    "related recommend recommended recommendations recommendation similar promo promotion advert advertisement ads ad "
    "adsense sponsor sponsored outbrain taboola pagination pager paging prevnext copyright disclaimer skip skiplink "
    "skiplinks widget widgets"
)
"""Words that name what stands around the content."""
CONTENT: Final = word_set("article content entry post story body main text prose markdown description")
"""Words that name the content itself."""
COMMENTS: Final = word_set("comment comments disqus respond commentlist replies")
BYLINES: Final = word_set("byline author authors dateline timestamp meta postmeta entrymeta")

_cache: dict[str, frozenset[str]] = {}


def words(text: str) -> frozenset[str]:
    """Split `siteNav main-menu` into {site, nav, main, menu}; remembered, since a site repeats its names."""
    known = _cache.get(text)
    if known is None:
        if len(_cache) > _MOST_CACHED:
            _cache.clear()
        known = _cache[text] = frozenset(word.lower() for word in _WORD.findall(text[:_LONGEST]))
    return known
