"""Prints a document as markdown, text or HTML from the same tree, and says where its units stand in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.printer.markup import markup
from wellread.printer.prose import prose
from wellread.printer.writer import Mark, Printed

if TYPE_CHECKING:
    from wellread.types import Document, Format

__all__ = ["Mark", "Printed", "printed"]


def printed(document: Document, format: Format, *, images: bool = False) -> Printed:
    """Print `document`; `images` adds pictures as links.

    The markdown of a whole document is the canonical text of its snapshot: offsets and ids count in it.
    """
    if format == "html":
        return markup(document, images=images)
    return prose(document, marked=format == "markdown", images=images)
