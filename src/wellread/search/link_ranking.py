"""Ranks links by words: in their text, and in the path of their URL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from wellread.index.relevance import bm25
from wellread.index.search_terms import QueryTerms

if TYPE_CHECKING:
    from collections.abc import Iterable

_SEPARATORS: Final = re.compile(r"[/_.\-?&=+%]+")


def link_scores(words: str, links: Iterable[tuple[str, str]]) -> list[float]:
    """Return the relevance of each link, given as its URL and its text; 0 where it has none of the words."""
    terms = QueryTerms(words)
    return bm25(terms.weights, [terms.count(_searched_text(url, text)) for url, text in links])


def _searched_text(url: str, text: str) -> str:
    """Return the text and the words of the path, the only words of a URL without a text."""
    parts = urlsplit(url)
    words = _SEPARATORS.sub(" ", unquote(f"{parts.path} {parts.query}"))
    return f"{text} {words}"
