"""Makes leaves of the raw text between two borders: white space collapsed, invisible characters gone, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.types import Span, Style
from wellread.web.extract import characters
from wellread.web.extract.boxes import Leaf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.web.extract.boxes import Box

BREAK: Final = -1
"""The style that marks a <br>."""
PREFORMATTED: Final = 7
"""The mode of code; 1 to 6 are headings, 0 is everything else."""
_IMAGE: Final = int(Style.IMAGE)
_MATH: Final = int(Style.MATH)
_NEWLINE: Final = Span("\n")

Part = tuple[str, int, "str | None"]
"""Raw text, style, link."""


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


def leaf(box: Box, parts: Sequence[Part], mode: int) -> tuple[Leaf | None, int]:
    """Return the leaf that `parts` make, if they hold anything, and how many telling invisible characters went."""
    if len(parts) == 1 and parts[0][1] >= 0 and not parts[0][1] & _IMAGE:
        return _plain(box, parts[0], mode)
    line = _Line()
    for text, style, href in parts:
        if style == BREAK:
            line.end()
        elif style & _IMAGE:
            line.spans.append(Span(" ".join(text.split()), style, href))
        else:
            line.add(text, style, href)
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
        words, told = characters.cleaned(words)
    if not words:
        return None, told
    made = Leaf(box, (Span(words, style, href),), mode)
    made.chars = len(words)
    if href:
        made.link_chars, made.links = made.chars, 1
    return made, told


def code(box: Box, parts: Sequence[Part]) -> tuple[Leaf | None, int]:
    """Return a leaf of preformatted text as it is written."""
    text, told = characters.cleaned("".join(text for text, style, _ in parts if style < 0 or not style & _IMAGE))
    if not text or text.isspace():
        return None, told
    made = Leaf(box, (Span(text),), PREFORMATTED)
    made.chars = len(text.strip())
    return made, told


def rule(box: Box) -> Leaf:
    """Return the leaf that stands for a rule across the page."""
    return Leaf(box, (), 0)


class _Line:
    """Collapses white space across spans, as a browser lays out a line (CSS Text 3, 4.1.1)."""

    __slots__ = ("chars", "link_chars", "links", "space", "spans", "told")

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.chars = self.link_chars = self.links = self.told = 0
        self.space = False

    def end(self) -> None:
        """End the line."""
        if self.spans and self.spans[-1] is not _NEWLINE:
            self.spans.append(_NEWLINE)
        self.space = False

    def add(self, text: str, style: int, href: str | None) -> None:
        """Add raw text."""
        words = " ".join(text.split())
        if words and not (words.isascii() and words.isprintable()):
            words, told = characters.cleaned(words)
            self.told += told
        if not words:
            self.space = self.space or text[:1].isspace()
            return
        spans = self.spans
        if (self.space or text[0].isspace()) and spans:
            self._append_space()
        self.space = text[-1].isspace()
        self.chars += len(words)
        if href:
            self.link_chars += len(words)
            self.links += not spans or spans[-1].href != href
        if spans:
            last = spans[-1]
            if last.style == style and last.href == href and last is not _NEWLINE and not style & _MATH:
                spans[-1] = Span(last.text + words, style, href)
                return
        spans.append(Span(words, style, href))

    def _append_space(self) -> None:
        """Put a space after the last span, inside it only when it has no look of its own."""
        last = self.spans[-1]
        if last is _NEWLINE or last.text[-1:] == " ":
            return
        if last.style or last.href:
            self.spans.append(Span(" "))
        else:
            self.spans[-1] = Span(last.text + " ")
