"""Join the lines of a paragraph, and decide whether a hyphen at the end of a line belongs to the word.

No file has this information. The decision uses, in this order: a next line that begins with 'and', a capital or a
digit; the words of the file itself, which may hold the joined word, the hyphenated one or both halves; and short lists
of first and last parts.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from wellread.documents.pdf.bidi import in_logical_order
from wellread.text.characters import on_one_line
from wellread.text.writing_systems import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HYPHENS: Final = "-\u00ad\u2010\x02\ufffe"  # PDFium marks a hyphen that breaks a word with U+0002, or with U+FFFE
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TAIL: Final = re.compile(r"([^\W_]+(?:[-\u2010'\u2019][^\W_]+)*)[-\u00ad\u2010\x02\ufffe]\Z")
_MAX_ADDRESS_CHARS: Final = 500
_MAX_TAIL_CHARS: Final = 200
"""Characters at the end of a line that are searched for the broken word: a paragraph may have any length."""
_HEAD: Final = re.compile(r"[^\W_]+")
_ADDRESS: Final = re.compile(r"(?:[a-z]{2,9}://|www\.)\S{1,500}\Z", re.IGNORECASE)
_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_INNER_BREAK: Final = re.compile("(?<=\\w)[\x02\ufffe]\\s*(?=\\w)")


def _set_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


_AND: Final = _set_of("and or to und oder bzw sowie bis et ou y o e en of och eller og ja tai i a lub")
"""After a hyphen that replaces the second part of a word: 'pre- and postwar', 'Vor- und Nachteile'."""
_WHOLE_FIRST_PARTS: Final = _set_of("""
    well self ex long short high low full half cross left right north south east west one two three four five six seven
    eight nine ten twenty thirty forty fifty sixty seventy eighty ninety first second third real large small old new
    open hard soft free peut vice quasi semi
""")
_ENDINGS: Final = _set_of("""
    al age able ed en er ers est ful hood ing ings ish ism ist ity less ly ment ments ness or ous self selves ship ships
    some tion ty
""")
"""Parts that are no words: a hyphen before them only broke the word, as in 'short-ly'."""
_SMALL_WORDS: Final = _set_of("a and as at by de du for in la le of off on out over per s sur sous the to up vis à")
"""'mother-in-' and 'up-to-' continue with a hyphen."""
_LAST_PARTS: Final = _set_of("il elle ils elles là même mêmes moi toi lui nous vous ce ci t")
"""French words after the hyphen of 'est-il', 'lui-même'."""


class FileWords:
    """The unbroken words of a file, in lower case."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    @cached_property
    def _words(self) -> set[str]:
        words: set[str] = set()
        for line in self._lines:
            line_words = _WORD.findall(line.lower().replace("\u2010", "-"))
            if line_words and line.endswith(tuple(_HYPHENS)):
                line_words.pop()  # the part before a hyphen may be no word
            words.update(line_words)
            words.update(part for word in line_words if "-" in word for part in word.split("-"))
        return words

    def joined(self, rows: Sequence[str]) -> str:
        """Return the text of consecutive lines, without invisible characters."""
        text = ""
        for row in map(in_logical_order, rows):
            if not text:
                text = row
            elif text[-1] in _HYPHENS and row:
                text = self._across(text, row)
            elif _UNSPACED.match(row) and _UNSPACED.match(text, len(text) - 1):
                text += row
            else:
                text = f"{text} {row}"
        text = _INNER_BREAK.sub("", text).replace("\x02", "-").replace("\ufffe", "-")
        return on_one_line(text.replace("\u00ad", ""))

    def _across(self, text: str, row: str) -> str:
        """Join two lines, of which the first ends with a hyphen."""
        if _ADDRESS.search(text[-_MAX_ADDRESS_CHARS:].rpartition(" ")[2]):
            return f"{text[:-1]}-{row}"
        tail, head = _TAIL.search(text[-_MAX_TAIL_CHARS:]), _HEAD.match(row)
        if tail is None or head is None:
            return f"{text} {row}"  # a dash, or a bullet
        if head[0].lower() in _AND and not head[0].isupper():
            return f"{text[:-1]}- {row}"
        if self._owns_hyphen(tail[1], head[0], text[-1]):
            return f"{text[:-1]}-{row}"
        return text[:-1] + row

    def _owns_hyphen(self, tail: str, head: str, hyphen: str) -> bool:
        if hyphen == "\u00ad":
            return False
        in_capitals = len(head) > 1 and head.isupper() and tail.isupper()
        if tail[-1].isdigit() or not (head[0].islower() or in_capitals):
            return head[0].isupper() or head[0].isdigit() or tail[-1].isdigit()
        *before, last = tail.lower().replace("\u2010", "-").split("-")
        head = head.lower()
        if f"{last}{head}" in self._words or head in _ENDINGS:
            return False
        if f"{last}-{head}" in self._words or (before and last in _SMALL_WORDS):
            return True
        halves = last in self._words and head in self._words and min(len(last), len(head)) > 2
        return halves or last in _WHOLE_FIRST_PARTS or head in _LAST_PARTS
