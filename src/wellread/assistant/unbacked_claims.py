"""Finds replies that claim a change (saved, sent, scheduled) in a turn without receipts.

A reply passes without a note only if it is in a language known here and has none of that language's words for done
actions. Every other reply (another language, a few words, numbers) gets the note, which is true in any case. So the
check errs towards saying once too often that nothing was changed.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTHING_CHANGED_NOTE = "No tool has saved, sent or changed anything in this turn."


class _Language(NamedTuple):
    common: frozenset[str]
    """Words that nearly every sentence has."""
    deeds: re.Pattern[str]
    """Beginnings of words that tell of a deed done."""


def _language(words: Mapping[str, str], *, begins: str = r"(?<![^\W_])") -> _Language:
    stems = "|".join(words["deeds"].split())
    deeds = re.compile(f"{begins}(?:{stems})", re.IGNORECASE)  # words of this module, no quantifier
    return _Language(frozenset(words["common"].split()), deeds)


_KNOWN = tomllib.loads(files("wellread.assistant").joinpath("deeds.toml").read_text(encoding="utf-8"))
_ANYWHERE = _language(_KNOWN.pop("anywhere"), begins="")
_LANGUAGES = tuple(_language(words) for words in _KNOWN.values())
_OWN_SCRIPT = re.compile("[\u0590-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r"```.*?```|^>.*$", re.DOTALL | re.MULTILINE)
MIN_SHARE = 0.2
"""Of the words of a text in a language, at least this many are among its common ones."""


def is_unbacked(reply: str) -> bool:
    """Tell whether `reply`, of a turn without changes, may make its reader believe that something was changed."""
    text = _QUOTED.sub(" ", reply)
    words = [word.lower() for word in _WORD.findall(text)]
    if not words:
        return bool(reply.strip()) and not reply.strip().isascii()
    own_script_chars = sum(len(word) for word in words if _OWN_SCRIPT.search(word))
    if own_script_chars * 2 > sum(map(len, words)):
        return _ANYWHERE.deeds.search(text) is not None
    if _ANYWHERE.deeds.search(text):
        return True
    counts = [sum(word in language.common for word in words) for language in _LANGUAGES]
    if max(counts) < max(2, MIN_SHARE * len(words)):
        return True
    # Neighbours share their small words (Russian and Ukrainian), and a short text may lean either way.
    likely_languages = [
        language for language, count in zip(_LANGUAGES, counts, strict=True) if count * 2 >= max(counts)
    ]
    return any(language.deeds.search(text) for language in likely_languages)
