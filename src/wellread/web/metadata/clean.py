"""Makes a page's words about itself fit to hand on: entities undone, white space folded, nothing invisible, bounded.

Metadata is as hostile as any other text, and no one sees it on the page: characters that only a machine would notice
(controls, bidi overrides, Unicode tags, runs of joiners and variation selectors) never pass.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache

from wellread.characters import mended, on_one_line
from wellread.dates import within

MAX_LINE = 500
MAX_PROSE = 2_000
_LONGEST_STAMP = 14
"""Words of a line that tells who wrote, and when."""
_SHORTEST_SENTENCE = 8
_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f", "\u0964", "\u06d4", "\u061f", "\u0589", "\u1362")
"""How sentences end."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_LONGEST_UNSPACED_STAMP = 45
_SHORTEST_UNSPACED_SENTENCE = 15
"""The same in letters of scripts that put no spaces between words."""

_BY = re.compile(r"(?:\w+ )?by\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<!\w)\d")
_OF_OTHERS = re.compile(
    r"(?i)\b(?:joined|registered|founded|since|expires|deadline|until|due|ends|closes|bis(?: zum)?|jusqu.au"
    r"|hasta(?: el)?|(?:register|apply|enroll?|rsvp|submit) by)\W*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\W*)?$"
)
"""What leads to a day in the life of somebody, or to the last one to do something."""
_DAY = re.compile(r"(?:[^\W\d_]{3,9}\.? )?\d.*", re.DOTALL)
_INLINE = re.compile(
    r"<(/?)(?:a|b|br|em|font|i|p|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE
)


def line(value: object, limit: int = MAX_LINE) -> str | None:
    """Return `value` as one clean line of at most `limit` characters, or None when nothing is left of it."""
    if not isinstance(value, str):
        return None
    text = value[: limit * 20]
    if "&" in text:
        text = html.unescape(text)
    text = " ".join(mended(text).split())
    if not (text.isascii() and text.isprintable()):
        text = on_one_line(text)
    return _shorten(text, limit) or None


def rich(value: object, limit: int = MAX_LINE) -> str | None:
    """Return a line that may have been written with inline markup, which goes; `<video>: the element` stays."""
    text = line(value, limit * 2)
    if text is None or "<" not in text:
        return _shorten(text, limit) if text else None
    tags = _INLINE.findall(text)
    if "/" in tags or "<br" in text:
        text = _INLINE.sub(" " if "<br" in text or "<p" in text else "", text)
    return line(text, limit)


def prose(value: object) -> str | None:
    """Return a description: one clean line, longer than a title may be."""
    return rich(value, MAX_PROSE)


@lru_cache(maxsize=1_024)
def key(text: str) -> str:
    """Return what two wordings of one thing share: case, quotes, dashes and punctuation play no part."""
    return " ".join(re.findall(r"\w+", text.casefold().replace("'", "").replace("\u2019", "")))


def is_sentence(told: str) -> bool:
    """Say whether a line is a sentence, and not one that tells who wrote, and when."""
    letters = 0 if told.isascii() else len(_UNSPACED.findall(told[:200]))
    if letters > _LONGEST_UNSPACED_STAMP or (letters >= _SHORTEST_UNSPACED_SENTENCE and told.endswith(_ENDS)):
        return True
    words = told.count(" ") + 1
    return words > _LONGEST_STAMP or (words >= _SHORTEST_SENTENCE and told.endswith(_ENDS))


def is_of_another(before: str, told: str = "") -> bool:
    """Say whether the words before a day, and those with which a line `told` leads to it, give it another meaning."""
    return _OF_OTHERS.search(f"{before[-30:]}{_DAY.sub('', told[:100], count=1)}") is not None


def is_postal(told: str) -> bool:
    """Say whether the lines of an address are those of a place: with a number, or more than a name and a day."""
    lines = [one for one in told.split("\n") if not within(one)]
    return _BY.match(told) is None and (len(lines) > 1 or any(map(_NUMBER.search, lines)))


def _shorten(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    return (head.rsplit(" ", 1)[0] if " " in head[limit // 2 :] else head).rstrip() + "\u2026"
