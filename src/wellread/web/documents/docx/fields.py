"""Fields of Word documents: their codes are not text, and some that have no result show what their code says.

ECMA-376 part 1, 17.16: a complex field runs from `begin` over its code, `separate` and its result to `end`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.web.documents.docx.word_xml import attribute, child, is_on, value_of, whole_number
from wellread.web.extract.symbol_fonts import UNKNOWN, symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from xml.etree.ElementTree import Element

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


class Shown(NamedTuple):
    """What a field without a usable result shows."""

    text: str = ""
    reading: str = ""
    """Of `text`, as ruby."""
    tex: str = ""
    """A formula."""
    is_lost: bool = False
    """Something that nothing in the file tells."""


@dataclass(slots=True)
class Field:
    """A complex field that is open."""

    is_hidden: bool = False
    """Where it begins nobody sees it."""
    form: Element | None = None
    """The data of a form field (17.16.17)."""
    code: list[str] = field(default_factory=list)
    in_code: bool = True
    has_result: bool = False
    href: str | None = None

    def instruction(self) -> str:
        """Return the code, as far as it matters."""
        return "".join(self.code)[:MAX_CODE_CHARS]

    def name(self) -> str:
        """Return the first word of the code: which field it is."""
        return next(iter(self.instruction().split(maxsplit=1)), "").upper()


def link_of(instruction: str) -> str | None:
    """Return the address of a HYPERLINK field."""
    match = _LINK.match(instruction)
    if match is None or match[1].startswith("\\"):
        return None
    return match[1]


def unmatched(root: Element) -> frozenset[int]:
    """Return the `begin` marks, by the ids of their elements, that no `end` follows: they would hide all text after."""
    begun: list[int] = []
    for element in root.iter():
        if element.tag == "fldChar":
            kind = attribute(element, "fldCharType")
            if kind == "begin":
                begun.append(id(element))
            elif kind == "end" and begun:
                begun.pop()
    return frozenset(begun)


def shown(opened: Field) -> Shown:
    """Return what a field shows whose result is missing, or does not say it: boxes, lists, signs, buttons, formulas."""
    name = opened.name()
    if name == "FORMCHECKBOX":
        return Shown(check_mark(_is_checked(opened.form)))
    if opened.has_result or not name or name in _SILENT:
        return Shown()
    return _READERS.get(name, _lost)(opened)


def _lost(_: Field) -> Shown:
    return Shown(is_lost=True)


def _drop_down(opened: Field) -> Shown:
    return Shown(_chosen(opened.form))


def _text_field(opened: Field) -> Shown:
    return Shown(value_of(child(opened.form, "textInput"), "default"))


def _button(opened: Field) -> Shown:
    match = _BUTTON.match(opened.instruction())
    if match is None:
        return Shown()
    return Shown(match[1].strip())


def _quoted(opened: Field) -> Shown:
    match = _QUOTED.match(opened.instruction())
    if match is None:
        return Shown(is_lost=True)
    return Shown(match[1].strip())


def check_mark(checked: bool) -> str:  # noqa: FBT001 - the state is all there is
    """Return a check box as text."""
    return ("[ ]", "[x]")[checked]


def _is_checked(form: Element | None) -> bool:
    box = child(form, "checkBox")
    state = child(box, "checked")
    if state is None:
        state = child(box, "default")
    return is_on(state)


def _chosen(form: Element | None) -> str:
    choices = child(form, "ddList")
    index = whole_number(value_of(choices, "result"))
    if index is None:
        index = whole_number(value_of(choices, "default"), 0) or 0
    entries = [attribute(part, "val") for part in choices or () if part.tag == "listEntry"]
    if 0 <= index < len(entries):
        return entries[index]
    return ""


def _sign(opened: Field) -> Shown:
    match = _SYMBOL.match(opened.instruction())
    if match is None:
        return Shown(is_lost=True)
    base = 10
    if match[1].lower().startswith("0x"):
        base = 16
    code = int(match[1], base)
    character = UNKNOWN
    font = _SYMBOL_FONT.search(opened.instruction())
    if font is not None:
        character = symbol(font[1], code)
    if character == UNKNOWN and 0x20 <= code < 0x100:
        character = bytes([code]).decode("cp1252", "replace")
    elif character == UNKNOWN and 0x100 <= code < 0xD800:
        character = chr(code)
    if character == UNKNOWN:
        return Shown(is_lost=True)
    return Shown(character)


# --------------------------------------------------------------------------------------------------- EQ fields


def _equation(opened: Field) -> Shown:
    r"""Return what an EQ field draws: ruby (`\o` with a raised text), `\f`, `\r`, `\s`; of others the texts alone."""
    match = _EQUATION.match(opened.instruction())
    if match is None:
        return Shown(is_lost=True)
    code = match[1]
    ruby = _ruby(code)
    if ruby is not None:
        return ruby
    parser = _EquationParser(code)
    tex = parser.row(end="")
    if not tex.strip():
        return Shown(is_lost=True)
    return Shown(tex=" ".join(tex.split()))


_RUBY: Final = re.compile(
    r"\\o(?:\\a[a-z])?\s*\(\s*\\s\\up\s*\d{0,3}\s*\(([^()]{1,200})\)\s*[,;]\s*([^()]{1,200})\)", re.IGNORECASE
)


def _ruby(code: str) -> Shown | None:
    match = _RUBY.search(code)
    if match is None:
        return None
    return Shown(text=match[2].strip(), reading=match[1].strip())


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
_READERS: Final[dict[str, Callable[[Field], Shown]]] = {
    "FORMDROPDOWN": _drop_down,
    "FORMTEXT": _text_field,
    "MACROBUTTON": _button,
    "GOTOBUTTON": _button,
    "QUOTE": _quoted,
    "SYMBOL": _sign,
    "EQ": _equation,
}
