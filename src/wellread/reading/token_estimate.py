"""Estimates from above how many tokens of a language model a text takes, without a model's own vocabulary.

The weights are bounds fitted to five vocabularies at once (cl100k, o200k, Claude 2, DeepSeek, Tekken) on 343 pages of
30 countries and on the CLDR names of 21 languages; `benchmarks/tokens.py` measures them again. Vocabularies differ by
a factor of two and more outside English, so a text that must fit every model is estimated by the dearest of them.
"""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNIT: Final = re.compile(
    r"(?P<word>[A-Z\u00c0-\u00de]?[a-z\u00df-\u024f\u1e00-\u1eff]+|[A-Z\u00c0-\u00de]+)"
    r"|(?P<digits>[0-9]+)"
    r"|(?P<marks>[!-/:-@\[-`{-~]+)"
    r"|(?P<lines>\n+)"
    r"|(?P<spaces>[\x00-\x09\x0b-\x20]+)"
    r"|(?P<cyrillic>[\u0400-\u052f]+)"
    r"|(?P<semitic>[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+)"
    r"|(?P<devanagari>[\u0900-\u097f]+)"
    r"|(?P<cjk>[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]+)"
    r"|(?P<greek>[\u0370-\u03ff]+)"
    r"|(?P<script>[\u0530-\u058f\u0980-\u10ff\u1800-\u1dff\u1f00-\u1fff]+)"
    r"|(?P<rare>[\u1200-\u17ff]+)"  # Ethiopic, Cherokee, Khmer
    r"|(?P<sign>[\x7f-\uffff]+)"
    r"|(?P<astral>.)",
    re.DOTALL,
)
_PER_CHARACTER: Final = {
    "digits": 1.2,
    "semitic": 1.15,
    "devanagari": 1.3,
    "greek": 1.3,
    "cjk": 1.5,
    "script": 2.1,
    "rare": 3.0,
    "sign": 1.6,
    "astral": 4.0,
}
_SHORT_WORD: Final = 5
"""Letters of a Latin word that most vocabularies have as one token."""
_FREE_SPACES: Final = 1
"""A space before a word belongs to its token."""


def estimated_tokens(text: str) -> int:
    """Return how many tokens `text` takes at most, whichever model reads it; about 1.2 times the number in English."""
    return ceil(sum(weight for _, weight in _weights(text, 0)))


def fitting_chars(text: str, start: int, max_tokens: int) -> int:
    """Return how many characters of `text` from `start` on are estimated to take at most `max_tokens`; at least 1."""
    budget = float(max_tokens)
    for unit, weight in _weights(text, start):
        if weight > budget:
            part = int(len(unit[0]) * budget / weight)
            while part and _weight(unit.lastgroup or "", unit[0][:part]) > budget:  # a run costs something to begin
                part = part * 3 // 4
            return max(unit.start() + part - start, 1)
        budget -= weight
    return max(len(text) - start, 1)


def _weights(text: str, start: int) -> Iterator[tuple[re.Match[str], float]]:
    for unit in _UNIT.finditer(text, start):
        yield unit, _weight(unit.lastgroup or "", unit[0])


def _weight(kind: str, unit: str) -> float:
    """Return the tokens of one run of characters of the same kind."""
    length = len(unit)
    if kind == "word":
        foreign = length - len(unit.encode("ascii", "ignore"))
        return 0.65 + 0.8 * max(length - _SHORT_WORD, 0) + 2.5 * foreign
    if kind == "marks":
        return 1.1 + 0.4 * (length - 1)
    if kind == "lines":
        return 0.65
    if kind == "spaces":
        return 0.1 * max(length - _FREE_SPACES, 0)
    if kind == "cyrillic":
        return 1.1 + 0.5 * length
    return _PER_CHARACTER[kind] * length
