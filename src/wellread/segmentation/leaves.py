"""Makes leaves of the raw text between two borders: white space collapsed, invisible characters gone, counted."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from wellread.lazy_pattern import lazy_pattern
from wellread.segmentation import code_blocks, formulas
from wellread.segmentation.boxes import Leaf
from wellread.text import characters, dates
from wellread.types import Span, Style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selectolax.lexbor import LexborNode

    from wellread.segmentation.boxes import Box

BREAK: Final = -1
"""The style that marks a <br>."""
PREFORMATTED: Final = 7
"""The mode of code, one more in each line of it that is an element; 1 to 6 are headings, 0 is everything else."""
_IMAGE, _MATH, _NOTE, _CODE = (int(style) for style in (Style.IMAGE, Style.MATH, Style.NOTE, Style.CODE))
_CHANGED: Final = code_blocks.ADDED | code_blocks.REMOVED
_CLOSE: Final = int(Style.CODE | Style.SUP | Style.SUB | Style.MATH | Style.NOTE)
"""What may be written in several elements without a space: coloured code, indices, formulas."""
_APART: Final = lazy_pattern(
    r"""(?: [A-Za-z\xaa]{3} | [\d%] ) \n [$\u20ac\u00a3\u00a5\u20b9]     # before an amount with its currency
    | (?: ^ | \s ) \d+ (?: [.,]\d+ )* \n [A-Za-z\xaa]{5}                 # a number and a word that is no unit or suffix
    | [$\u20ac\u00a3\u00a5\u20b9] \d+ (?: [.,]\d+ )* \n [A-Za-z\xaa]{2}  # an amount with its currency and a word
    | \d[/.-]\d{2,4} \n \d{1,2}:\d\d                                     # a date and a time
    | \d \n \d+ (?: [.,]\d+ )* \s [A-Za-z\xaa]{3}                        # a number, and another with what it counts
    | \d (?: \s [A-Za-z\xaa]{1,3} | x ) \n (?: \d | [A-Za-z\xaa]{3} )    # a quantity with its unit and what follows
    | \s\S*[a-z]{2}\. \n [A-Z][a-z]                                      # a sentence and the next
    | [a-z]{5} \n \d+ (?: [.,]\d+ )* (?= \s | $ )                        # a word and a number
    | [,;!?)\]%] \n [A-Z][a-z.]                                          # what ends and what begins
    | [A-Za-z\xaa]{2}: \n [A-Z\d]                                        # a label and its value
    | [A-Z]{3} \n [A-Z][a-z]{2}                                          # a brand in capitals and a name
    | \s\S*[A-Za-z\xaa\d]{2} \n [A-Z] | \s\S*[A-Za-z\xaa]{3} \n \d # several words: more than a name in two colours
    | [A-Za-z\xaa\d]{2} \n (?= .*\s\S ) [A-Z]
    """,
    re.ASCII | re.VERBOSE,
)
"""Where two words meet, at the line feed, in the letters of `_in_ascii`."""
_APART_FROM_TEXT: Final = lazy_pattern(r"\s\S*[A-Za-z\xaa]{2}[a-z]\n[A-Z][a-z]", re.ASCII)
"""The same where no element begins, but bare text goes on."""
_BY_CATEGORY: Final = {"Lu": "A", "Ll": "a", "Lt": "\xaa", "Lm": "\xaa", "Lo": "\xaa", "Nd": "0"}
"""A letter without case has no such character in ASCII: it is written as one of them."""
_NEAR: Final = 40
"""Characters on either side of the place."""
_SPACE: Final = Span(" ")

_STAMP: Final = lazy_pattern(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?")
_YEAR: Final = lazy_pattern(r"\b(?:19|20)\d\d\b")
_LONGEST_DATE: Final = 45
_MAX_LINK_CHARS: Final = 200
_SHOWS_DATE: Final = re.compile(
    r"\d|^\s*$|\b(?:ago|yesterday|today|now|gestern|heute|vor|hier|il y a|ayer|hoy|hace|ontem|hoje|h\u00e1|ieri|oggi|fa"
    r"|gisteren|vandaag|geleden|ig\u00e5r|idag|sedan|siden|wczoraj|dzisiaj|temu|d\u00fcn|bug\u00fcn|\u00f6nce"
    r"|\u0432\u0447\u0435\u0440\u0430|\u0441\u0435\u0433\u043e\u0434\u043d\u044f|\u043d\u0430\u0437\u0430\u0434)\b"
    r"|[\u524d\u6628\u4eca\uc804]",
    re.IGNORECASE,
)
"""Words that tell when something was, or none, where scripts write them."""
"""Characters: `Wednesday, September 17, 2019 at 12:05:07 AM`."""

Part = tuple[str, int, "str | None"]
"""Raw text, style, link."""

_LINE_END: Final[Part] = ("\n", 0, None)


def paragraphs(parts: list[Part]) -> list[list[Part]]:
    """Cut where two line breaks follow one another: so are paragraphs written without <p>."""
    found = []
    start = 0
    broken = False
    for at, (text, style, _) in enumerate(parts):
        if style == BREAK:
            if broken:
                found.append(parts[start:at])
                start = at
            broken = True
        elif broken and text and not text.isspace():
            broken = False
    found.append(parts[start:])
    return found


def are_apart(before: Part, after: Part, *, bare: bool) -> bool:
    """Tell whether the text of an element and what follows are two words, though no space is written between them.

    Style sheets part them, which are rarely at hand. What follows is another element, or `bare` text. By WCXB's truths
    nearly all such pairs are two words.
    """
    close = (before[1] | after[1]) & _CLOSE
    apart = _APART_FROM_TEXT if bare else _APART
    near = before[0][-_NEAR:].replace("\n", " "), after[0][:_NEAR].replace("\n", " ")
    return not close and apart.search(_in_ascii("\n".join(near))) is not None


def _in_ascii(text: str) -> str:
    """Return `text` with an ASCII character of the same category for each letter, digit and space.

    `re` has no classes of capital and small letters, and the library that has them takes 20 ms to load.
    """
    if text.isascii():
        return text
    return "".join([character if character.isascii() else _ascii_character(character) for character in text])


def _ascii_character(character: str) -> str:
    if character.isspace():
        return " "
    return _BY_CATEGORY.get(unicodedata.category(character), character)


def whole(parts: Sequence[Part], style: int, told: str) -> list[Part]:
    """Return the one part that those of a note's label make, or of a formula; `told` is its link, or its TeX."""
    words = " ".join("".join(text for text, _, _ in parts).split())
    if style & _NOTE:
        made: Part = (words.strip("[]() "), _NOTE, told)
    elif told and formulas.tells(told, words):
        made = (" ".join(told.split()), _MATH, None)
    else:
        # Without its source, a formula is words in a row; to call that TeX would make a wrong formula of it.
        made = (words, style & ~_MATH, None)
    return [made] if words else []


def named(parts: Sequence[Part]) -> list[Part]:
    """Return the parts of a row in which the first, a name, is in bold unless it is code."""
    first = next((at for at, (text, _, _) in enumerate(parts) if text.strip()), 0)
    text, style, href = parts[first]
    bold = style if style < 0 or style & _CODE else style | int(Style.STRONG)
    return [*parts[:first], (text, bold, href), *parts[first + 1 :]]


def leaf(box: Box, parts: Sequence[Part], mode: int) -> tuple[Leaf | None, int]:
    """Return the leaf that `parts` make, if they hold anything, and how many telling invisible characters went."""
    if len(parts) == 1 and parts[0][1] >= 0 and not parts[0][1] & _IMAGE:
        return _plain(box, parts[0], mode)
    line = _Line()
    for text, style, href in parts:
        if style == BREAK:
            line.end(href)
        elif style & _IMAGE:
            line.image(text, style, href)
        else:
            line.add(text, style, href)
    line.close()
    if not line.chars and not any(span.style & _IMAGE for span in line.spans):
        return None, line.told
    made = Leaf(box, tuple(line.spans), mode)
    made.chars, made.link_chars, made.links = line.chars, line.link_chars, line.links
    return made, line.told


def _plain(box: Box, part: Part, mode: int) -> tuple[Leaf | None, int]:
    """Make a leaf of a single run of text, as most are."""
    text, style, href = part
    words, told = " ".join(text.split()), 0
    if not (words.isascii() and words.isprintable()):
        words, told = characters.without_invisible(words)
    if not words:
        return None, told
    made = Leaf(box, (Span(words, style, href),), mode)
    made.chars = len(words)
    if href:
        made.link_chars, made.links = made.chars, 1
    return made, told


def code(box: Box, parts: Sequence[Part]) -> tuple[Leaf | None, int]:
    """Return a leaf of preformatted text as it is written."""
    shown = [(text, style) for text, style, _ in parts if style < 0 or not style & _IMAGE]
    text = (
        _with_signs(shown)
        if any(style > 0 and style & _CHANGED for _, style in shown)
        else "".join(text for text, _ in shown)
    )
    text, told = characters.without_invisible(text.replace("\u00a0", " "))
    if not text or text.isspace():
        return None, told
    made = Leaf(box, (Span(text),), PREFORMATTED)
    made.chars = len(text.strip())
    return made, told


def _with_signs(shown: Sequence[tuple[str, int]]) -> str:
    """Return code in which lines begin with a sign that are added, or removed, as a whole."""
    lines: list[tuple[str, int]] = []
    line, change = "", _CHANGED
    for text, style in shown:
        pieces = text.split("\n")
        for number, piece in enumerate(pieces):
            if number:
                lines.append((line, change))
                line, change = "", _CHANGED
            line += piece
            if piece.strip():
                change &= max(style, 0)
    lines.append((line, change))
    return code_blocks.signed(lines)


def end_line(parts: list[Part], *, empty: bool = False) -> None:
    """End a line of code that is an element and has no line feed; one that is `empty` follows."""
    if parts and not parts[-1][0].endswith("\n"):
        parts.append(_LINE_END)
    if empty:
        parts.append(_LINE_END)


def source(attributes: Mapping[str, str | None]) -> str:
    """Return the address of a picture, which scripts may put in place later."""
    told = attributes.get("src") or ""
    later = not told or told.startswith("data:")
    return (attributes.get("data-src") or attributes.get("data-original") or "") if later else told


def stamp(attributes: Mapping[str, str | None]) -> str:
    """Return the date that an element has for machines, or as its title: in ISO 8601, or in words."""
    told = attributes.get("datetime") or attributes.get("title") or ""
    if found := _STAMP.match(told):
        return found[0]
    return dates.iso(told) or "" if len(told) <= _LONGEST_DATE and _YEAR.search(told) else ""


def place_stamp(node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> str:
    """Return the date that an element has for the place where it stands; of a link, only where it shows one, too.

    The title of the link to a user's journal is when the user last wrote there (Slashdot).
    """
    is_dated = (
        tag != "a" or "datetime" in attributes or _SHOWS_DATE.search((node.text(deep=True) or "")[:_MAX_LINK_CHARS])
    )
    return stamp(attributes) if is_dated else ""


class _Line:
    """Collapses white space across spans, as a browser lays out a line (CSS Text 3, 4.1.1)."""

    __slots__ = ("chars", "href", "link_chars", "links", "run", "seams", "space", "spans", "style", "told")

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.run: list[str] = []
        """The words of the span being built, whose look is `style` and `href`."""
        self.style = 0
        self.href: str | None = None
        self.chars = self.link_chars = self.links = self.told = 0
        self.space = False
        self.seams = _MATH
        """The styles that no space joins: of formulas, and of code after a space that is not in it."""

    def close(self) -> None:
        """End the span being built."""
        if self.run:
            self.spans.append(Span("".join(self.run), self.style, self.href))
            self.run = []

    def end(self, href: str | None) -> None:
        """End the line; a break within a link is part of it, so that the link stays one."""
        self.close()
        if self.spans and self.spans[-1].text != "\n":
            self.spans.append(Span("\n", 0, href))
        self.space = False

    def image(self, text: str, style: int, href: str | None) -> None:
        """Add a picture, by what it is said to show."""
        words, told = characters.without_invisible(" ".join(text.split()))
        self.told += told
        if self.space:
            self._append_space(0, None)
        self.space = False
        self.close()
        self.spans.append(Span(words, style, href))

    def add(self, text: str, style: int, href: str | None) -> None:
        """Add raw text."""
        words = " ".join(text.split())
        if words and not (words.isascii() and words.isprintable()):
            words, told = characters.without_invisible(words)
            self.told += told
        if not words:
            self.space = self.space or text[:1].isspace()
            self.seams |= _CODE & ~style
            return
        if self.space or text[0].isspace():
            self._append_space(style, href)
        self.space, self.seams = text[-1].isspace(), _MATH
        self.chars += len(words)
        if href:
            self.link_chars += len(words)
            self.links += self.href != href
        if style != self.style or href != self.href or style & _MATH:
            self.close()
            self.style, self.href = style, href
        self.run.append(words)

    def _append_space(self, style: int, href: str | None) -> None:
        """Put a space before text of this look: inside the span when nothing changes, else with what both share."""
        whole = style & self.style & self.seams
        if self.run and (href == self.href or not self.href) and style & self.style == self.style and not whole:
            self.run.append(" ")
        elif self.run:
            shared = Span(" ", style & self.style & ~self.seams, href if href == self.href else None)
            self.close()
            self.spans.append(shared)
        elif self.spans and self.spans[-1].text != "\n":
            self.spans.append(_SPACE)
