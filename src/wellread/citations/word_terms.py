"""Cuts statements and cited texts into terms that inflected words share; pure."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

from wellread.text.writing_systems import HANGUL, IDEOGRAPHS

STEM_CHARS: Final = 4
_MIN_CHARS: Final = 3
_WORD: Final = re.compile(rf"[{IDEOGRAPHS}]{{1,200}}|[^\W\d_{IDEOGRAPHS}]{{1,60}}")
_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHS}]")
_HANGUL: Final = re.compile(f"[{HANGUL}]")
_MARK: Final = re.compile(r"[\u0300-\u036f]")
_FUNCTION_WORD_LIST: Final = """
the and for with from that this these those are was were has have had been being may can will would should could must
does did its their his her our your they them she you who which what when where there here than then also into onto
any some more most very much many such each every all both only just still again per longer anymore
der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird werden wurde wurden hat haben
hatte kann konnen darf durfen muss mussen soll sollen will mit von vom zum zur auf aus bei nach fur uber unter als auch
noch mehr sehr sich sie wir ihr ihre sein seine man dort hier dass wenn wie gibt schon ganz
les des une est sont ont avait etait ete etre avoir dans pour par sur avec que qui dont aux ces cet cette leur leurs
son ses elle ils elles nous vous plus peut peuvent doit doivent fait tres aussi
los las una uno unos unas del con por para que como esta este estas estos son fue han hay ser sus puede pueden debe
deben mas muy tambien sobre entre desde hasta
"""
_FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORD_LIST.split())
_SHORT_FUNCTION_WORD_LIST: Final = """
an as at be by do go he if in is it me my no of oh ok on or so to up us we yes yet now too how why let one its him not
all but out off per via ago nor
am im zu um er es du da ja ob so wo ab an in bis nur man uns mir mich dir dich ihm ihn nie nun hin her weg
la le un il et en au aux du de je tu ce se sa si ne ou on oui non pas lui moi toi nos vos mes tes ici
el lo al su sus mi tu te se es en no ni ya yo si muy sin dos
"""
_SHORT_FUNCTION_WORDS: Final = _FUNCTION_WORDS | frozenset(_SHORT_FUNCTION_WORD_LIST.split())
_SHORT_WORD: Final = re.compile(
    rf"(?<![{IDEOGRAPHS}])[{IDEOGRAPHS}](?![{IDEOGRAPHS}])|(?<![^\W_])[{HANGUL}](?![^\W_])"
    rf"|(?<![^\W_])[^\W\d_{IDEOGRAPHS}]{{2,3}}(?![^\W_])"
)
_MAX_ENDING_CHARS: Final = 3
"""Letters that a short word may have behind it in another form: `eat`, `eating`."""


def unaccented(text: str) -> str:
    """Return a text in lower case without accents."""
    return unicodedata.normalize("NFC", _MARK.sub("", unicodedata.normalize("NFD", text.lower())))


def terms(text: str, min_chars: int = _MIN_CHARS) -> list[str]:
    """Return the beginnings of the words of a text that mean something, and each two neighbours of ideographs.

    Words with fewer than `min_chars` letters are left out.
    """
    stems: list[str] = []
    for match in _WORD.finditer(unaccented(text)):
        word = match[0]
        if _IDEOGRAPH.match(word):
            stems += [before + after for before, after in pairwise(word)]
        elif len(word) >= min_chars and word not in _FUNCTION_WORDS:
            stems.append(word[:STEM_CHARS])
    return stems


def short_words(text: str) -> list[str]:
    """Return the words of two or three letters that mean something, and ideographs that stand alone."""
    return [word for word in _SHORT_WORD.findall(unaccented(text)) if word not in _SHORT_FUNCTION_WORDS]


def has_short_word(word: str, words: frozenset[str]) -> bool:
    """Return whether a short word is among `words` of `known_short_words`; one of Hangul may end in another way."""
    if len(word) > 1 and _HANGUL.match(word):
        word = word[:-1]
    return word in words


def known_short_words(text: str) -> frozenset[str]:
    """Return the beginnings of the words of a text that may be other forms of short words, and its ideographs."""
    text = unaccented(text)
    beginnings = set(_IDEOGRAPH.findall(text))
    for word in _WORD.findall(text):
        shortest = max(1, len(word) - _MAX_ENDING_CHARS)
        beginnings.update(word[:length] for length in range(shortest, STEM_CHARS))
    return frozenset(beginnings)
