"""Print a document as markdown, text or HTML from the same tree, with the offsets of its units.

`DocumentPrints` has the prints of one document: each is made when it is first needed, and stays with the document.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from wellread.bounded_cache import tree_bytes
from wellread.output.link_styles import link_view
from wellread.output.text_printer import prose
from wellread.output.unit_writer import PrintedDocument, UnitMark, print_bytes

if TYPE_CHECKING:
    from wellread.output.link_styles import LinkView
    from wellread.types import Document, Format, LinkStyle


__all__ = ["DocumentPrints", "PrintedDocument", "UnitMark", "print_document"]


def print_document(document: Document, format: Format, *, images: bool = False) -> PrintedDocument:
    """Print `document`; `images` adds pictures as links.

    The markdown of a whole document is the canonical text of its snapshot: offsets and ids count in it.
    """
    if format == "html":
        from wellread.output.html_printer import markup  # here, because most pages are printed as Markdown

        return markup(document, images=images)
    return prose(document, marked=format == "markdown", images=images)


class DocumentPrints:
    """A document with its prints; safe for threads.

    The snapshot id, paging, ranking and search of a page need the same print, and printing takes longer than all other
    work of a cached read. There are at most six prints and four views, so that their number needs no bound.
    """

    def __init__(self, document: Document, canonical: PrintedDocument | None = None) -> None:
        """Take the document, and its canonical print if it is made already."""
        self.document = document
        self._prints: dict[tuple[Format, bool], PrintedDocument] = {}
        if canonical is not None:
            self._prints["markdown", False] = canonical
        self._views: dict[tuple[LinkStyle, bool], LinkView] = {}

    @property
    def canonical(self) -> PrintedDocument:
        """The document as markdown, without pictures: offsets and the snapshot id count in its text."""
        return self.printed("markdown")

    def printed(self, format: Format, *, images: bool = False) -> PrintedDocument:
        """Return the document in one format; `images` adds pictures as links."""
        key = (format, images)
        if key not in self._prints:  # two threads may both print it: the prints are equal
            self._prints[key] = print_document(self.document, format, images=images)
        return self._prints[key]

    def link_view(self, links: LinkStyle, *, images: bool = False) -> LinkView:
        """Return the document as markdown with links as references, or as labels alone."""
        key = (links, images)
        if key not in self._views:
            self._views[key] = link_view(self.document, links, images=images)
        return self._views[key]

    def has(self, format: Format, *, images: bool) -> bool:
        """Return whether `printed` needs no work."""
        return (format, images) in self._prints

    @property
    def size_bytes(self) -> int:
        """The approximate memory of the document and of the prints made so far."""
        prints = list(self._prints.values())
        for view in list(self._views.values()):
            prints += (view.canonical.printed, view.printed)
        return self._tree_bytes + sum(map(print_bytes, prints))

    @cached_property
    def _tree_bytes(self) -> int:
        return tree_bytes(self.document)
