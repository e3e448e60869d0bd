"""Read presentations and drawings: each page is a section with its title as the heading (ODF 1.3 part 3, 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.documents.ooxml import local_name
from wellread.documents.opendocument.styles import Attributes, TextProperties, TextState
from wellread.hidden_text import HiddenReason
from wellread.types import Block, Kind, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from xml.etree.ElementTree import Element

    from wellread.documents.opendocument.text_reader import BodyReader

_TITLES: Final = frozenset({"title"})


class SlideReader:
    """Reads pages with the text reader."""

    def __init__(self, body: BodyReader, master_pages: Mapping[str, Element], noun: str) -> None:
        """Set the master pages by their names, and the noun for a page without a title."""
        self.pages_without_text = 0
        self.note_count = 0
        self._body = body
        self._master_pages = master_pages
        self._noun = noun

    def blocks(self, pages: Iterable[Element]) -> list[Block]:
        """Return the blocks of all pages."""
        blocks: list[Block] = []
        for number, page in enumerate(pages, 1):
            attributes = Attributes(page)
            if self._body.styles.is_hidden_page(attributes.get("style-name")):
                self._body.count_hidden(HiddenReason.HIDDEN_SLIDE, page)
                continue
            blocks.extend(self._page(page, attributes, number))
        return blocks

    def _page(self, page: Element, attributes: Attributes, number: int) -> list[Block]:
        state = TextState(look=TextProperties(is_painted=self._is_painted(page, attributes)))
        title: list[Block] = []
        content: list[Block] = []
        pictures = self._body.unread.total()
        for element in page:
            if local_name(element.tag) == "notes":
                content.extend(self._notes(element))
                continue
            is_title = not title and Attributes(element).get("class") in _TITLES
            (title if is_title else content).extend(self._body.blocks([element], state))
        spans = _joined(title)
        if not spans and not content:
            self.pages_without_text += self._body.unread.total() > pictures
            return []
        heading = Block(Kind.HEADING, spans or (Span(f"{self._noun} {number}"),), level=2)
        return [self._body.spend(heading), *content]

    def _notes(self, element: Element) -> list[Block]:
        """Count the speaker's notes; return them in mode `recall`."""
        frames = [frame for frame in element if Attributes(frame).get("class") == "notes"]
        if not any("".join(frame.itertext()).strip() for frame in frames):
            return []
        self.note_count += 1
        if not self._body.keeps_all:
            return []
        blocks = self._body.blocks(frames, TextState())
        if blocks and blocks[0].kind is Kind.PARAGRAPH:
            blocks[0] = blocks[0]._replace(spans=(Span("Note: "), *blocks[0].spans))
        return blocks

    def _is_painted(self, page: Element, attributes: Attributes) -> bool:
        """Tell whether white text may be visible: the page, its master, or a picture or shape on them has a colour."""
        styles = self._body.styles
        master = self._master_pages.get(attributes.get("master-page-name"))
        for surface in (page, master):
            if surface is None:
                continue
            if styles.has_fill("drawing-page", Attributes(surface).get("style-name")):
                return True
            for part in surface.iter():
                if local_name(part.tag) == "image" or styles.has_fill("graphic", Attributes(part).get("style-name")):
                    return True
        return False


def _joined(blocks: Iterable[Block]) -> tuple[Span, ...]:
    """Return the text of a title in one line."""
    spans: list[Span] = []
    for block in blocks:
        own_spans = [Span(" ", span.style, span.href) if span.text == "\n" else span for span in block.spans]
        spans.extend([Span(" "), *own_spans] if spans and own_spans else own_spans)
    return tuple(spans)
