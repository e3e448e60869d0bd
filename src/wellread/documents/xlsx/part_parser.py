"""Parse parts of a workbook element by element, without a tree: memory holds only the values that a handler stores."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

if TYPE_CHECKING:
    from collections.abc import Callable

_PIECE_BYTES: Final = 1 << 16

_ESCAPED: Final = re.compile("_x([0-9A-Fa-f]{4})_")


class StopParsing(Exception):
    """A handler needs no more of the part."""


class LocalNames(dict[str, str]):
    """Tag or attribute as written -> its name without the prefix of a namespace."""

    def __missing__(self, tag: str) -> str:
        name = tag.rpartition(":")[2]
        if len(self) < 10_000:
            self[tag] = name
        return name


class PartParser:
    """Calls handlers for the elements of a part; a cut part may have no end."""

    def __init__(
        self,
        start: Callable[[str, dict[str, str]], None],
        end: Callable[[str], None],
        text: Callable[[str], object],
        *,
        is_cut: bool,
    ) -> None:
        self.is_utf_8 = True
        """No other encoding is declared, so far."""
        self._is_cut = is_cut
        self._is_done = False
        self._expat = expat.ParserCreate()
        self._expat.buffer_text = True
        self._expat.buffer_size = _PIECE_BYTES
        self._expat.XmlDeclHandler = self._declaration
        self._expat.StartElementHandler = start
        self._expat.EndElementHandler = end
        self._expat.CharacterDataHandler = text

    def feed(self, data: bytes) -> None:
        """Parse more of the part, unless a handler has had `Enough`.

        Raises:
            ParseError: it is no well-formed XML.
        """
        for offset in range(0, len(data), _PIECE_BYTES):
            self._parse(data[offset : offset + _PIECE_BYTES], is_last=False)

    def close(self) -> None:
        """Parse the end of the part.

        Raises:
            ParseError: it ends within an element.
        """
        if not self._is_cut:
            self._parse(b"", is_last=True)
        # The handlers may belong to an object that holds this one: without them, both are freed at once.
        self._expat = expat.ParserCreate()

    def _parse(self, piece: bytes, *, is_last: bool) -> None:
        if self._is_done:
            return
        try:
            self._expat.Parse(piece, is_last)
        except StopParsing:
            self._is_done = True
        except expat.ExpatError as error:
            self._is_done = True
            if not self._is_cut:
                raise ParseError(str(error)) from error

    def _declaration(self, _: str, encoding: str | None, __: int) -> None:
        self.is_utf_8 = encoding is None or encoding.lower() in {"utf-8", "us-ascii"}


def parse(
    data: bytes,
    *,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], object],
    is_cut: bool,
) -> None:
    """Call the handlers for the elements of a part.

    Raises:
        ParseError: it is no well-formed XML.
    """
    parser = PartParser(start, end, text, is_cut=is_cut)
    parser.feed(data)
    parser.close()


def unescaped(text: str) -> str:
    """Return a string of a workbook with `_x000D_` and the like as characters (ECMA-376 part 1, 22.9.2.19)."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def is_true(value: str | None) -> bool:
    """Tell whether an attribute is an XML Schema boolean that is true."""
    return value in {"1", "true", "on"}


def whole_number(value: str | None, otherwise: int) -> int:
    """Return an attribute as a number of at most seven digits."""
    return int(value) if value and value.isascii() and value.isdigit() and len(value) < 8 else otherwise
