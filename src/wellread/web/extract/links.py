"""Makes links absolute, and drops those that lead nowhere on the web."""

from __future__ import annotations

from ada_url import join_url, normalize_url

_WEB = ("http://", "https://")
_LONGEST = 4_000


class Links:
    """Resolves the links of one page against its URL and its <base>."""

    def __init__(self, url: str | None, base: str | None = None) -> None:
        self._base = _joined(base, url) if base else url
        self._page = (url or "").partition("#")[0]
        self._known: dict[str, str | None] = {}

    def resolve(self, href: str | None) -> str | None:
        """Return the absolute http(s) URL; None for other schemes, and for places on this same page."""
        if not href or href[0] == "#":
            return None
        if href not in self._known:
            self._known[href] = self._resolve(href)
        return self._known[href]

    def _resolve(self, href: str) -> str | None:
        found = _joined(href.strip(), self._base) if len(href) < _LONGEST else None
        if found is None or not found.startswith(_WEB):
            return None
        page, hash_sign, _ = found.partition("#")
        return None if hash_sign and page == self._page else found


def _joined(href: str, base: str | None) -> str | None:
    try:
        return join_url(base, href) if base else normalize_url(href)
    except ValueError:
        return None
