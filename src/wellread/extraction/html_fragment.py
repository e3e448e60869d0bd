"""Reads HTML that is no page: a feed's summary, a converted document. All of it is content, so nothing is chosen.

What a person could not see goes by the same rules as on a page, for it is the same walk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from wellread.css.sheets import StyleSheets
from wellread.extraction import media_lines
from wellread.extraction.document_builder import assembled
from wellread.extraction.links import Links
from wellread.extraction.selection import BlockSelection
from wellread.segmentation.walk import walked
from wellread.step_counter import StepCounter
from wellread.worker.prescan import without_excess_markup

if TYPE_CHECKING:
    from wellread.types import Document, Notice


class Fragment(NamedTuple):
    """The visible text of a piece of HTML."""

    document: Document
    links: tuple[str, ...]
    """Absolute http(s) links, in order, without repeats."""
    notices: tuple[Notice, ...]


def read(html: str, url: str | None) -> Fragment:
    """Return the text of `html` that a browser would show; `url` makes links absolute."""
    tree = LexborHTMLParser(without_excess_markup(html))
    walked_page = walked(tree, StyleSheets(tree, counter=StepCounter(len(html))))
    choice = BlockSelection([True] * len(walked_page.leaves), "unknown")
    placed = media_lines.place_media(walked_page, choice, "balanced", keep_all=True)
    document, links = assembled(walked_page, choice, Links(url, None, {}), {}, placed)
    return Fragment(document, links, tuple(walked_page.notices))
