"""Print a document as markdown, text or HTML from the same tree, with the offsets of its units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.output.html_printer import markup
from wellread.output.text_printer import prose
from wellread.output.unit_writer import PrintedDocument, UnitMark

if TYPE_CHECKING:
    from wellread.types import Document, Format

__all__ = ["PrintedDocument", "UnitMark", "print_document"]


def print_document(document: Document, format: Format, *, images: bool = False) -> PrintedDocument:
    """Print `document`; `images` adds pictures as links.

    The markdown of a whole document is the canonical text of its snapshot: offsets and ids count in it.
    """
    if format == "html":
        return markup(document, images=images)
    return prose(document, marked=format == "markdown", images=images)
