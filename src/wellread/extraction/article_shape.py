"""Measures the shape of pages with one article, in every language: one long run of paragraphs, and rows of entries.

Nothing here knows a word or a name. The prose of a page is its long blocks that are no links; boxes with the same path
of tags and classes are of one kind, and the kind that holds most of the prose is that of the article's paragraphs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.extraction.context_features import PROSE_CHARS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats, Integers
    from wellread.segmentation.boxes import Leaf, Walked

SHAPE_NUMBERS: Final = 19
_LONGEST_DATED: Final = 60
"""Characters of a line that may tell a date."""
_DATED: Final = re.compile(
    r"\b(?:19|20)\d\d\s?[./\u5e74\ub144-]\s?\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?(?:19|20)\d\d|\b\d{1,2}:\d\d\b"
)
"""A date in numbers, or a time of the day."""
_MIN_SUMMARY_CHARS: Final = 30
_MAX_HREF_CHARS: Final = 300
_LONG_PART: Final = 20
"""Characters in the last part of an address from which on it is that of an article, and not of a section."""


def article_shape(
    walked: Walked, texts: Sequence[str], chars: Floats, linked: Floats, kinds: Integers, titled: NDArray[np.bool_]
) -> Floats:
    """Return (N, 19): where each leaf is in the page's prose, in its row of like leaves, and where its links lead.

    `chars` and `linked` are the lengths of the leaves and of the links in them, `kinds` the numbers of their kinds,
    `titled` tells which repeat the page's title.
    """
    columns = [
        *_prose(chars, linked, kinds),
        *_runs(kinds),
        *_titles(walked.leaves, titled),
        np.array([len(text) <= _LONGEST_DATED and _DATED.search(text) is not None for text in texts]),
        _summarized(texts, walked.summary),
        *_targets(walked.leaves),
    ]
    return np.stack(columns, axis=1, dtype=np.float32)


def _prose(chars: Floats, linked: Floats, kinds: Integers) -> list[NDArray[np.generic]]:
    """Return where each leaf is, seen from the paragraphs of the kind that holds most of the prose."""
    count = len(chars)
    at = np.arange(count)
    is_prose = (chars >= PROSE_CHARS) & (linked * 3 < chars)
    prose = np.where(is_prose, chars, 0)
    of_kind = np.bincount(kinds, prose)
    total = max(1.0, float(of_kind.sum()))
    main = is_prose & (kinds == of_kind.argmax())
    places = np.flatnonzero(main)
    if not len(places):
        nothing = np.zeros(count, np.float32)
        return [nothing] * 9
    before = np.maximum.accumulate(np.where(main, at, -1))
    after = np.minimum.accumulate(np.where(main, at, count)[::-1])[::-1]
    first, last = int(places[0]), int(places[-1])
    usual = float(np.median(chars[places]))
    return [
        of_kind[kinds] / total,
        kinds == of_kind.argmax(),
        at < first,
        at > last,
        np.where(before >= 0, 1 / (1 + at - before), 0),
        np.where(after < count, 1 / (1 + after - at), 0),
        np.log1p(np.abs(at - np.clip(at, first, last))) / 4,
        np.log1p(chars / usual),
        np.full(count, np.log1p(len(places)) / 3),
    ]


def _runs(kinds: Integers) -> list[NDArray[np.generic]]:
    """Return how many leaves of its kind stand in a row with each, and where it is among them."""
    starts = np.flatnonzero(np.diff(kinds, prepend=-1))
    lengths = np.diff(starts, append=len(kinds))
    run = np.repeat(np.arange(len(starts)), lengths)
    place = np.arange(len(kinds)) - starts[run]
    return [np.log1p(lengths[run]) / 3, np.log1p(place) / 3]


def _titles(leaves: Sequence[Leaf], titled: NDArray[np.bool_]) -> list[NDArray[np.generic]]:
    """Return how many first-level headings and repeated titles are before each leaf, and whether it is below a title.

    Sites that append the next article head it as they head the first.
    """
    heads = np.cumsum([leaf.heading == 1 for leaf in leaves])
    below = np.cumsum(titled)
    last = np.flatnonzero(titled & np.array([leaf.heading > 0 for leaf in leaves]))
    under = np.arange(len(leaves)) > last[0] if len(last) else np.zeros(len(leaves), np.bool_)
    return [np.minimum(heads, 4) / 3, np.minimum(below, 4) / 3, under]


def _summarized(texts: Sequence[str], summary: str) -> NDArray[np.bool_]:
    """Return a mask of the leaves that begin as the page's summary for search engines."""
    start = summary[:_MIN_SUMMARY_CHARS]
    if len(start) < _MIN_SUMMARY_CHARS // 2:
        return np.zeros(len(texts), np.bool_)
    return np.array([text.startswith(start) for text in texts])


def _targets(leaves: Sequence[Leaf]) -> list[NDArray[np.generic]]:
    """Tell of the first link in each leaf whether it leads within the page, names its site, and has a long end."""
    rows = [_target(leaf) if leaf.links else (0.0, 0.0, 0.0) for leaf in leaves]
    return list(np.array(rows, np.float32).T)


def _target(leaf: Leaf) -> tuple[float, float, float]:
    href = next((span.href for span in leaf.spans if span.href), "").strip()[:_MAX_HREF_CHARS]
    if href.startswith("#") or not href:
        return 1.0, 0.0, 0.0
    path = href.partition("?")[0].partition("#")[0].rstrip("/")
    end = path.rpartition("/")[2]
    long = len(end) >= _LONG_PART or sum(map(str.isdigit, end)) >= 5
    return 0.0, float("://" in href[:10]), float(long)
