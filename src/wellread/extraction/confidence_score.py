"""Estimates how much of a page was read, by its words and its share of text; and counts words."""

from __future__ import annotations

import re
from itertools import pairwise
from math import ceil

# Where scripts do not part words with spaces, a word is taken to be so many characters: two in Chinese and Japanese
# (the mean length of a Chinese word in running text is about 1.6, of a Japanese one about 2.5), five in Thai, Lao,
# Khmer and Burmese. Vowel signs and tone marks there are not \w, so the runs are matched by block.
_CJK = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
_SOUTH_EAST = "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"
_CHARS_PER_WORD = ((re.compile(f"[{_CJK}]+"), 2), (re.compile(f"[{_SOUTH_EAST}]+"), 5))
_WORD = re.compile(r"\w+")

# (From so many words on, confidence there), straight lines between; exactly 800 words close 300's band.
_KNOTS = ((0, 0.0), (120, 0.5), (300, 0.7), (800, 0.9), (4_000, 1.0))
_BELOW_HALF = 0.49
_RATIO_STEP = 0.1
_RICH_RATIO = 0.3
_POOR_RATIO = 0.1
_ADDRESS = re.compile(r"\]\((?:[^()\s]++|\([^()\s]*+\))*+\)")


def shown(markdown: str) -> str:
    """Return a text without the addresses of its links, which nobody reads."""
    if "](" in markdown:
        return _ADDRESS.sub("]", markdown)
    return markdown


def words(text: str) -> int:
    r"""Count the words of a text: runs of `\w`, and in scripts without spaces two (or five) characters to a word."""
    if text.isascii():
        return len(_WORD.findall(text))
    count = 0
    for script, chars in _CHARS_PER_WORD:
        runs = script.findall(text)
        if runs:
            count += sum(ceil(len(run) / chars) for run in runs)
            text = script.sub(" ", text)
    return count + len(_WORD.findall(text))


def confidence(words: int, text_chars: int, source_chars: int) -> float:
    """Return how sure we are to have read the page, in [0, 1]; more words never lower it.

    Args:
        words: words read.
        text_chars: characters read.
        source_chars: characters of the source; 0 when unknown, and then the ratio of the two plays no part.
    """
    low, high = _band(words)
    scored = _base(words) + _ratio_bonus(text_chars, source_chars)
    return round(min(max(scored, low), high), 4)


def _band(words: int) -> tuple[float, float]:
    """Return the bounds that the number of words guarantees, whatever the ratio (property 7)."""
    if words < 120:
        return 0.0, _BELOW_HALF
    if words < 300:
        return 0.5, 0.7
    if words <= 800:
        return (0.7, 0.9)
    return (0.9, 1.0)


def _base(words: int) -> float:
    for (low_words, low_score), (high_words, high_score) in pairwise(_KNOTS):
        if words <= high_words:
            return low_score + (high_score - low_score) * (max(words, low_words) - low_words) / (high_words - low_words)
    return _KNOTS[-1][1]


def _ratio_bonus(text_chars: int, source_chars: int) -> float:
    if source_chars <= 0:
        return 0.0
    ratio = text_chars / source_chars
    if ratio > _RICH_RATIO:
        return _RATIO_STEP
    if ratio < _POOR_RATIO:
        return -_RATIO_STEP
    return 0.0
