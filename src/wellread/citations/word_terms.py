"""Cuts statements and cited texts into terms that inflected words share; pure."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

from wellread.text.writing_systems import IDEOGRAPHS

STEM_CHARS: Final = 4
_MIN_CHARS: Final = 3
_WORD: Final = re.compile(rf"[{IDEOGRAPHS}]{{1,200}}|[^\W\d_{IDEOGRAPHS}]{{1,60}}")
_IDEOGRAPH: Final = re.compile(f"[{IDEOGRAPHS}]")
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
