"""Cleans metadata: entities are decoded, white space is folded, invisible characters are removed, lengths are bounded.

Metadata is as hostile as any other text, and no one sees it on the page: characters that only a machine would notice
(controls, bidi overrides, Unicode tags, runs of joiners and variation selectors) never pass.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

from wellread.lazy_pattern import lazy_pattern
from wellread.text.characters import on_one_line, repaired_encoding
from wellread.text.dates import within

MAX_LINE = 500
MAX_PROSE = 2_000
_LONGEST_STAMP = 14
"""Words of a line that tells who wrote, and when."""
_SHORTEST_SENTENCE = 8
_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f", "\u0964", "\u06d4", "\u061f", "\u0589", "\u1362")
"""How sentences end."""
_UNSPACED = lazy_pattern("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_LONGEST_UNSPACED_STAMP = 45
_SHORTEST_UNSPACED_SENTENCE = 15
"""The same in letters of scripts that put no spaces between words."""

_BY = lazy_pattern(r"(?:\w+ )?by\b", re.IGNORECASE)
_NUMBER = lazy_pattern(r"(?<!\w)\d")
_OF_OTHERS = lazy_pattern(
    r"(?i)\b(?:joined|registered|founded|since|expires|deadline|until|due|ends|closes|bis(?: zum)?|jusqu.au"
    r"|hasta(?: el)?|(?:register|apply|enroll?|rsvp|submit) by)\W*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\W*)?$"
)
"""Words before a day in somebody's life, or before a deadline."""
_DAY = lazy_pattern(r"(?:[^\W\d_]{3,9}\.? )?\d.*", re.DOTALL)
_INLINE = lazy_pattern(
    r"<(/?)(?:a|b|br|em|font|i|p|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE
)


def line(value: object, limit: int = MAX_LINE) -> str | None:
    """Return `value` as one clean line of at most `limit` characters, or None when nothing is left of it."""
    if not isinstance(value, str):
        return None
    text = value[: limit * 20]
    if "&" in text:
        text = html.unescape(text)
    text = " ".join(repaired_encoding(text).split())
    if not (text.isascii() and text.isprintable()):
        text = on_one_line(text)
    return _shorten(text, limit) or None


def rich(value: object, limit: int = MAX_LINE) -> str | None:
    """Return a line that may have been written with inline markup, which goes; `<video>: the element` stays."""
    text = line(value, limit * 2)
    if text is None or "<" not in text:
        if not text:
            return None
        return _shorten(text, limit)
    tags = _INLINE.findall(text)
    if "/" in tags or "<br" in text:
        text = _INLINE.sub(" " if "<br" in text or "<p" in text else "", text)
    return line(text, limit)


def prose(value: object) -> str | None:
    """Return a description: one clean line, longer than a title may be."""
    return rich(value, MAX_PROSE)


@lru_cache(maxsize=1_024)
def key(text: str) -> str:
    """Return the comparison key of a text: case, quotes, dashes and punctuation play no part."""
    return " ".join(re.findall(r"\w+", text.casefold().replace("'", "").replace("\u2019", "")))


def is_sentence(text: str) -> bool:
    """Return whether a line is a sentence, and not a byline with a date."""
    letters = 0 if text.isascii() else len(_UNSPACED.findall(text[:200]))
    if letters > _LONGEST_UNSPACED_STAMP or (letters >= _SHORTEST_UNSPACED_SENTENCE and text.endswith(_ENDS)):
        return True
    words = text.count(" ") + 1
    return words > _LONGEST_STAMP or (words >= _SHORTEST_SENTENCE and text.endswith(_ENDS))


def is_of_another(before: str, lead: str = "") -> bool:
    """Return whether the words before a day, or the beginning `lead` of its own line, give it another meaning."""
    return _OF_OTHERS.search(f"{before[-30:]}{_DAY.sub('', lead[:100], count=1)}") is not None


def is_postal(address: str) -> bool:
    """Return whether an <address> is a postal one: with a number, or more lines than a name and a day."""
    lines = [address_line for address_line in address.split("\n") if not within(address_line)]
    return _BY.match(address) is None and (len(lines) > 1 or any(map(_NUMBER.search, lines)))


def _shorten(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    if " " in head[limit // 2 :]:
        head = head.rsplit(" ", 1)[0]
    return head.rstrip() + "\u2026"
