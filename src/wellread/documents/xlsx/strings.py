"""Strings of a workbook (ECMA-376 part 1, 18.4): runs joined, phonetic readings left out."""

from __future__ import annotations

from typing import Final

from wellread.documents.xlsx.part_parser import LocalNames, StopParsing, parse, unescaped
from wellread.text.characters import without_invisible

MAX_STRINGS: Final = 300_000
MAX_STRING_CHARS: Final = 5_000
"""Of a cell; Excel takes 32,767."""


def one_line(text: str) -> str:
    """Return the text of a cell with single spaces in place of line breaks and runs of spaces."""
    return " ".join(unescaped(text[:MAX_STRING_CHARS]).split())


class SharedStrings:
    """The strings that cells refer to by number."""

    def __init__(self, data: bytes, *, is_cut: bool) -> None:
        """Read at most `MAX_STRINGS` strings.

        Raises:
            ParseError: it is no well-formed XML.
        """
        self.strings: list[str] = []
        self.invisible_characters: dict[int, int] = {}
        """Number of a string -> invisible characters removed from it."""
        self.is_cut = is_cut
        self._names = LocalNames()
        self._texts: list[str] = []
        self._kept_chars = 0
        self._phonetic = 0
        self._is_text = False
        if data:
            parse(data, start=self._start, end=self._end, text=self._text, is_cut=is_cut)

    def _start(self, tag: str, _: dict[str, str]) -> None:
        name = self._names[tag]
        if name == "si":
            if len(self.strings) >= MAX_STRINGS:
                self.is_cut = True
                raise StopParsing
            self._texts.clear()
            self._kept_chars = 0
        elif name == "rPh":
            self._phonetic += 1
        self._is_text = name == "t" and not self._phonetic

    def _end(self, tag: str) -> None:
        name = self._names[tag]
        if name == "si":
            text, invisible_count = without_invisible(one_line("".join(self._texts)))
            if invisible_count:
                self.invisible_characters[len(self.strings)] = invisible_count
            self.strings.append(text)
        elif name == "rPh":
            self._phonetic -= 1
        self._is_text = False

    def _text(self, text: str) -> None:
        if self._is_text and self._kept_chars < MAX_STRING_CHARS:
            self._texts.append(text)
            self._kept_chars += len(text)
