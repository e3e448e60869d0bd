"""Reads codes of fields in Word and RTF documents: their links, and their text where no result is stored.

ECMA-376 part 1, 17.16.5. Programs that do not know a field keep its code and leave its result out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.extraction.symbol_fonts import UNKNOWN, symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_CODE_CHARS: Final = 4_000
_LINK: Final = re.compile(r'\s*HYPERLINK\s+"?([^"\s]{1,2048})"?', re.IGNORECASE)
_SYMBOL: Final = re.compile(r"\s*SYMBOL\s+(0x[0-9a-f]{1,4}|\d{1,5})(?=\s|$)", re.IGNORECASE)
_SYMBOL_FONT: Final = re.compile(r'\\f\s+"?([^"\\]{1,40})', re.IGNORECASE)
_BUTTON: Final = re.compile(r"\s*(?:MACROBUTTON|GOTOBUTTON)\s+\S{1,200}\s+(.*)", re.IGNORECASE | re.DOTALL)
_QUOTED: Final = re.compile(r'\s*QUOTE\s+"([^"]{0,2000})"', re.IGNORECASE)
_EQUATION: Final = re.compile(r"\s*EQ\s+(.*)", re.IGNORECASE | re.DOTALL)
_SILENT: Final = frozenset(
    {
        *(
            "XE",
            "TC",
            "TA",
            "RD",
            "SET",
            "ASK",
            "PRIVATE",
            "ADVANCE",
            "BIBLIOGRAPHY",
            "INDEX",
            "TOC",
            "TOA",
            "HYPERLINK",
        ),
        *("NEXT", "NEXTIF", "SKIPIF", "COMMENTS", "DATA", "LINK", "EMBED", "BOOKMARK", "SHAPE", "ADDIN", "PRINT"),
    }
)
"""These show nothing where they stand, if they have no result."""


class FieldText(NamedTuple):
    """The text of a field without a usable result."""

    text: str = ""
    reading: str = ""
    """Of `text`, as ruby."""
    tex: str = ""
    """A formula."""
    is_lost: bool = False
    """Something that nothing in the file tells."""


def link_of(instruction: str) -> str | None:
    """Return the address of a HYPERLINK field."""
    match = _LINK.match(instruction)
    if match is None or match[1].startswith("\\"):
        return None
    return match[1]


def check_mark(checked: bool) -> str:  # noqa: FBT001 - the state is all there is
    """Return a check box as text."""
    return ("[ ]", "[x]")[checked]


def field_text(code: str) -> FieldText:
    """Return the text of a field without a result."""
    name = name_of(code)
    if not name or name in _SILENT:
        return FieldText()
    return _READERS.get(name, _lost)(code)


def name_of(code: str) -> str:
    """Return the first word of a code: which field it is."""
    return next(iter(code.split(maxsplit=1)), "").upper()


def _lost(_: str) -> FieldText:
    return FieldText(is_lost=True)


def _button(code: str) -> FieldText:
    match = _BUTTON.match(code)
    if match is None:
        return FieldText()
    return FieldText(match[1].strip())


def _quoted(code: str) -> FieldText:
    match = _QUOTED.match(code)
    if match is None:
        return FieldText(is_lost=True)
    return FieldText(match[1].strip())


def _sign(code: str) -> FieldText:
    match = _SYMBOL.match(code)
    if match is None:
        return FieldText(is_lost=True)
    base = 10
    if match[1].lower().startswith("0x"):
        base = 16
    number = int(match[1], base)
    character = UNKNOWN
    font = _SYMBOL_FONT.search(code)
    if font is not None:
        character = symbol(font[1], number)
    if character == UNKNOWN and 0x20 <= number < 0x100:
        character = bytes([number]).decode("cp1252", "replace")
    elif character == UNKNOWN and 0x100 <= number < 0xD800:
        character = chr(number)
    if character == UNKNOWN:
        return FieldText(is_lost=True)
    return FieldText(character)


# --------------------------------------------------------------------------------------------------- EQ fields


def _equation(code: str) -> FieldText:
    r"""Return the text of an EQ field: ruby (`\o` with a raised text), `\f`, `\r`, `\s`; of others the texts alone."""
    match = _EQUATION.match(code)
    if match is None:
        return FieldText(is_lost=True)
    ruby = _ruby(match[1])
    if ruby is not None:
        return ruby
    tex = _EquationParser(match[1]).row(end="")
    if not tex.strip():
        return FieldText(is_lost=True)
    return FieldText(tex=" ".join(tex.split()))


_RUBY: Final = re.compile(
    r"\\o(?:\\a[a-z])?\s*\(\s*\\s\\up\s*\d{0,3}\s*\(([^()]{1,200})\)\s*[,;]\s*([^()]{1,200})\)", re.IGNORECASE
)


def _ruby(code: str) -> FieldText | None:
    match = _RUBY.search(code)
    if match is None:
        return None
    return FieldText(text=match[2].strip(), reading=match[1].strip())


class _EquationParser:
    """Reads the code of an EQ field once, from left to right."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._at = 0
        self._depth = 0

    def row(self, end: str) -> str:
        """Read up to one of the characters in `end`, which stays."""
        pieces: list[str] = []
        while self._at < len(self._code) and self._code[self._at] not in (end or "\x00"):
            char = self._code[self._at]
            self._at += 1
            if char == "\\":
                pieces.append(self._switch())
            elif char in "{}%#&_$^~":
                pieces.append(f"\\{char}")
            else:
                pieces.append(char)
        return "".join(pieces)

    def _switch(self) -> str:
        name = self._code[self._at : self._at + 1].lower()
        self._at += 1
        if not name.isalpha():
            return name
        options = self._options()
        if self._code[self._at : self._at + 1] != "(" or self._depth > 20:
            return ""
        arguments = self._arguments()
        return _drawn(name, options, arguments)

    def _options(self) -> str:
        r"""Read `\ad`, `\\up 9` and the like between a switch and its arguments."""
        start = self._at
        while self._at < len(self._code) and self._code[self._at] != "(":
            self._at += 1
        return self._code[start : self._at]

    def _arguments(self) -> list[str]:
        self._depth += 1
        arguments: list[str] = []
        while self._at < len(self._code) and self._code[self._at] != ")":
            self._at += 1
            arguments.append(self.row(end=",;)"))
        self._at += 1
        self._depth -= 1
        return arguments


def _drawn(name: str, options: str, arguments: Sequence[str]) -> str:
    parts = [argument.strip() for argument in arguments]
    if name == "f" and len(parts) == 2:
        return rf"\frac{{{parts[0]}}}{{{parts[1]}}}"
    if name == "r" and parts:
        degree = f"[{parts[0]}]" * (len(parts) > 1 and bool(parts[0]))
        return rf"\sqrt{degree}{{{parts[-1]}}}"
    if name == "s" and parts:
        mark = "^_"["do" in options]
        return f"{mark}{{{parts[0]}}}"
    if name == "i" and len(parts) == 3:
        operator = next((sign for switch, sign in _INTEGRALS.items() if switch in options), r"\int")
        return f"{operator}_{{{parts[0]}}}^{{{parts[1]}}}{{{parts[2]}}}"
    if name == "b" and parts:
        return f"({parts[0]})"
    return " ".join(part for part in parts if part)


_INTEGRALS: Final = {r"\su": r"\sum", r"\pr": r"\prod"}
_READERS: Final[dict[str, Callable[[str], FieldText]]] = {
    "MACROBUTTON": _button,
    "GOTOBUTTON": _button,
    "QUOTE": _quoted,
    "SYMBOL": _sign,
    "EQ": _equation,
}
