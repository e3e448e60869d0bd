"""Reads evidence of a page's kind from its URL: `/docs/` and `forum.` are names, as class names are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.metadata import site_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats

_WEIGHT: Final = 0.7
"""Clues of one address say the same thing twice; by cross-validation as good as 1, and better than .5."""
_MOST: Final = 3.0
"""The most that an address counts against a kind, as a logarithm: alone it never overturns a sure judgement."""
_MOST_PARTS: Final = 8
_MOST_DEEP: Final = 4
_MOST_HYPHENS: Final = 5
_NUMBER: Final = re.compile(r"\d{5}")
_YEAR: Final = re.compile(r"(?:^|/)(?:19|20)\d\d/")
_LETTERS: Final = re.compile(r"[a-z]+")


class UrlEvidence:
    """How much likelier each clue in an address makes each kind of page."""

    def __init__(self, clue_names: Sequence[str], odds: NDArray[np.float16]) -> None:
        """Take the clues and (clues, kinds) the logarithms of how much likelier they are on pages of a kind."""
        self._rows: Final = {name: at for at, name in enumerate(clue_names)}
        self._odds: Final = odds.astype(np.float32)

    def evidence(self, url: str | None) -> Floats:
        """Return (kinds,): the logarithm of how likely an address makes each kind of page beside the likeliest's 0."""
        rows = sorted({self._rows[clue] for clue in url_clues(url) if clue in self._rows})
        log_odds = _WEIGHT * self._odds[rows].sum(axis=0)
        evidence: Floats = np.maximum(log_odds - log_odds.max(), -_MOST)
        return evidence


def url_clues(url: str | None) -> Iterator[str]:
    """Yield the clues in a page's URL: its parts, its depth, and the form of its last part."""
    address = site_address.resolve(url, None)
    if address is None:
        return
    host, _, path_and_query = address.lower().partition("://")[2].partition("/")
    path, _, query = path_and_query.partition("#")[0].partition("?")
    parts = [part for part in path.split("/") if part]
    yield f"deep {min(len(parts), _MOST_DEEP)}"
    yield from (f"host {label}" for label in host.split(".")[:-2][:_MOST_PARTS])
    if query:
        yield "query"
    if not parts:
        return
    *above, last = parts
    yield from (f"in {part}" for part in above[:_MOST_PARTS])
    yield from (f"at {word}" for word in _LETTERS.findall(last)[:_MOST_PARTS])
    yield f"hyphens {min(last.count('-') + last.count('_'), _MOST_HYPHENS)}"
    yield "numbered" if _NUMBER.search(path) else "unnumbered"
    if _YEAR.search(path):
        yield "dated"
    if "." in last:
        yield f".{last.rpartition('.')[2]}"
