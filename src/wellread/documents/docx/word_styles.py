"""The styles of a Word document: headings, quotations, code, hidden text, list numbering."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents.docx.word_xml import attribute, child, is_on, value_of, whole_number
from wellread.hidden_text import HiddenReason, is_tiny, is_white_code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_HALF_POINTS: Final = 2
"""Units of sizes in a point."""
MAX_CHAIN: Final = 24
"""Styles that are based on one another; Word allows ten or so, and a hostile file a ring."""
_HEADING: Final = re.compile(r"heading ([1-9])")
_TITLES: Final = frozenset({"title"})
_QUOTES: Final = frozenset({"quote", "intense quote", "block text", "quotations"})
_CODE: Final = frozenset(
    {"html preformatted", "preformatted text", "source code", "code", "code block", "macro text", "macro"}
)
_CODE_RUNS: Final = frozenset({"html code", "html typewriter", "verbatim char", "source text", "code char"})
_DEPTH: Final = re.compile(r"(?:list(?: bullet| number| continue)?) ([2-9])")
_STEP: Final = 360
"""Twips by which the list styles of Word are indented, one after another."""
_BODY_LEVEL: Final = 9
"""The outline level of text (17.3.1.20)."""


class RunProperties:
    """The properties of a run that decide its visibility; None where a property is not set."""

    __slots__ = ("painted", "reasons")

    def __init__(self, properties: Element | None) -> None:
        self.reasons: dict[str, bool] = {}
        self.painted = False
        for part in properties if properties is not None else ():
            name = part.tag
            if name == "vanish":
                self.reasons[HiddenReason.HIDDEN_FONT] = is_on(part)
            elif name == "color":
                theme = attribute(part, "themeColor")
                # `val` keeps the colour that the theme had when the file was written, under any theme.
                self.reasons[HiddenReason.WHITE_TEXT] = is_white_code(attribute(part, "val")) or theme in _WHITE_THEMES
            elif name == "sz":
                size = attribute(part, "val")
                is_number = size.isascii() and size.isdigit() and len(size) < 6
                self.reasons[HiddenReason.TINY_FONT] = is_number and is_tiny(int(size) / _HALF_POINTS)
            elif name in {"shd", "highlight"}:
                self.painted = has_background_colour(part)


_WHITE_THEMES = frozenset({"background1", "light1"})


def has_background_colour(element: Element) -> bool:
    """Tell whether shading or highlighting puts a colour behind the text, on which white is visible."""
    fill = attribute(element, "fill") or attribute(element, "val")
    if attribute(element, "themeFill") in _WHITE_THEMES:
        return False
    return fill not in {"", "auto", "none", "clear", "white", "nil"} and not is_white_code(fill)


class StyleNumbering(NamedTuple):
    """The list numbering of a style."""

    num_id: str | None
    level: int | None
    style_id: str
    """The style that names the list."""


class _WordStyle(NamedTuple):
    name: str
    based_on: str
    look: RunProperties
    bold: bool | None
    italic: bool | None
    outline: int | None
    num_id: str | None
    level: int | None
    indent: int | None


class WordStyles:
    """The styles of a document, by id."""

    def __init__(self, sheet: Element | None) -> None:
        self._styles: dict[str, _WordStyle] = {}
        self.shaded: set[str] = set()
        """Styles of tables and paragraphs with a colour behind the text."""
        self.default_paragraph = ""
        self.base: dict[str, bool] = {}
        """Reason -> whether it hides text without a style."""
        self._reasons: dict[str, dict[str, bool]] = {}
        self._chains: dict[str, tuple[_WordStyle, ...]] = {}
        for element in sheet if sheet is not None else ():
            if element.tag == "style":
                self._add(element)
            elif element.tag == "docDefaults":
                self.base = RunProperties(child(child(element, "rPrDefault"), "rPr")).reasons

    def _add(self, element: Element) -> None:
        style_id = attribute(element, "styleId")
        run, paragraph = child(element, "rPr"), child(element, "pPr")
        numbering = child(paragraph, "numPr")
        self._styles[style_id] = _WordStyle(
            name=" ".join(value_of(element, "name").lower().split()),
            based_on=value_of(element, "basedOn"),
            look=RunProperties(run),
            bold=toggle(run, "b"),
            italic=toggle(run, "i"),
            outline=whole_number(value_of(paragraph, "outlineLvl")),
            num_id=value_of(numbering, "numId") or None,
            level=whole_number(value_of(numbering, "ilvl")),
            indent=indent_of(paragraph),
        )
        if any(part.tag == "shd" and has_background_colour(part) for part in element.iter()):
            self.shaded.add(style_id)
        if attribute(element, "type") == "paragraph" and attribute(element, "default") in {"1", "true", "on"}:
            self.default_paragraph = style_id

    def chain(self, style_id: str) -> tuple[_WordStyle, ...]:
        """Return a style and the styles that it is based on, nearest first."""
        if style_id not in self._chains:
            self._chains[style_id] = tuple(self._based(style_id))
        return self._chains[style_id]

    def _based(self, style_id: str) -> Iterator[_WordStyle]:
        for _ in range(MAX_CHAIN):
            style = self._styles.get(style_id)
            if style is None:
                return
            yield style
            style_id = style.based_on

    def reasons(self, style_id: str) -> dict[str, bool]:
        """Return reason -> whether it hides text of a style, with the styles that it is based on."""
        if style_id not in self._reasons:
            merged: dict[str, bool] = {}
            for style in reversed(self.chain(style_id)):
                merged |= style.look.reasons
            self._reasons[style_id] = merged
        return self._reasons[style_id]

    def heading(self, style_id: str) -> int:
        """Return the level of a heading, 1 to 6; 0 for other text."""
        chain = self.chain(style_id)
        for style in chain:
            match = _HEADING.fullmatch(style.name)
            if match is not None:
                return min(int(match[1]), 6)
            if style.outline is not None:
                return outline_heading(style.outline)
        return int(bool(chain) and chain[0].name in _TITLES)

    def is_quote(self, style_id: str) -> bool:
        """Tell whether paragraphs of a style are quotations."""
        return any(style.name in _QUOTES for style in self.chain(style_id))

    def is_code(self, style_id: str) -> bool:
        """Tell whether paragraphs of a style are lines of code."""
        return any(style.name in _CODE for style in self.chain(style_id))

    def is_code_run(self, style_id: str) -> bool:
        """Tell whether runs of a style are code."""
        return any(style.name in _CODE_RUNS for style in self.chain(style_id))

    def is_bold(self, style_id: str) -> bool:
        """Tell whether a style of characters is bold."""
        return next((style.bold for style in self.chain(style_id) if style.bold is not None), False)

    def is_italic(self, style_id: str) -> bool:
        """Tell whether a style of characters is italic."""
        return next((style.italic for style in self.chain(style_id) if style.italic is not None), False)

    def indent(self, style_id: str) -> int | None:
        """Return the indent of a style of paragraphs in twips; list styles without one have that of Word's own."""
        for style in self.chain(style_id):
            if style.indent is not None:
                return style.indent
        for style in self.chain(style_id):
            match = _DEPTH.fullmatch(style.name)
            if match is not None:
                return _STEP * int(match[1])
        return None

    def numbered(self, style_id: str) -> StyleNumbering | None:
        """Return the list that a style puts its paragraphs into."""
        level: int | None = None
        for _ in range(MAX_CHAIN):
            style = self._styles.get(style_id)
            if style is None:
                break
            if level is None:
                level = style.level
            if style.num_id is not None:
                return StyleNumbering(style.num_id, level, style_id)
            style_id = style.based_on
        return None


def toggle(properties: Element | None, name: str) -> bool | None:
    """Return whether a property is switched on or off; None where it is not set."""
    element = child(properties, name)
    if element is None:
        return None
    return is_on(element)


def outline_heading(level: int) -> int:
    """Return the level of a heading for an outline level, which counts from 0; 0 for text."""
    if 0 <= level < _BODY_LEVEL:
        return min(level + 1, 6)
    return 0


def indent_of(properties: Element | None) -> int | None:
    """Return the indent of a paragraph from the margin, in twips."""
    indent = child(properties, "ind")
    value = whole_number(attribute(indent, "left"))
    if value is None:
        value = whole_number(attribute(indent, "start"))
    return value
