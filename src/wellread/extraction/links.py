"""Makes links absolute, and drops links that lead neither to a place on the web nor to a person's mail."""

from __future__ import annotations

import re

from ada_url import join_url, normalize_url

from wellread.metadata.cleaning import key
from wellread.output.inline_text import is_printed_link

_WEB = ("http://", "https://")
_SCHEME = re.compile(r"\s*[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LONGEST = 2_048
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
        if absolute_base and len(absolute_base) <= _LONGEST:
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
        if not self._covers or len(words) > _LONGEST:
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
        if len(href) >= _LONGEST:
            return None
        address = href.strip().partition("?")[0]
        if address[:7].lower() == "mailto:" and is_printed_link(address):
            return f"mailto:{address[7:]}"
        return None

    def _resolve(self, href: str) -> str | None:
        if len(href) >= _LONGEST:
            return None
        target = _absolute(href.strip(), self._base)
        if target is None or not target.startswith(_WEB) or len(target) > _LONGEST:
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
