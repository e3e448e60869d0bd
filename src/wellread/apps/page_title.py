"""Puts the title of a page above its text where the text does not begin with it: how readers of articles expect it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.output import print_document
from wellread.text.characters import folded_words
from wellread.types import Block, Kind, Span

if TYPE_CHECKING:
    from wellread.types import Page

_OPENING_CHARS: Final = 1_000
_OF_HTML: Final = "reader"
"""Files have hidden titles: the name of a template, or of another file."""


def says_title(page: Page) -> bool:
    """Tell whether the text of a page begins with its title: in a heading or a line that says little more."""
    title = folded_words(page.title or "")
    lines = [heading.text for heading in page.headings if heading.start < _OPENING_CHARS]
    lines += page.text[:_OPENING_CHARS].split("\n")
    return any(f" {title} " in f" {line} " and len(line) <= 2 * len(title) for line in map(folded_words, lines))


def text_with_headline(page: Page) -> str:
    """Return the text of an HTML page with its title as first heading, unless it has one, or is a later piece."""
    if page.start or not page.title or page.extraction_method != _OF_HTML or page.format == "links":
        return page.text
    if page.format == "raw" or says_title(page):
        return page.text
    if any(heading.level == 1 and heading.start < _OPENING_CHARS for heading in page.headings):
        return page.text
    heading = print_document((Block(Kind.HEADING, (Span(page.title),), level=1),), page.format).text.rstrip("\n")
    return f"{heading}\n\n{page.text}"
