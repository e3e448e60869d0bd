"""Print a document as markdown, text or HTML from the same tree, with the offsets of its units."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from wellread.bounded_cache import WeightedCache, tree_bytes
from wellread.output.html_printer import markup
from wellread.output.text_printer import prose
from wellread.output.unit_writer import PrintedDocument, UnitMark, print_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.types import Document, Format

__all__ = ["PrintedDocument", "UnitMark", "is_print_memoized", "keep_prints", "print_document"]

# The snapshot id, paging, ranking and search of a page need the same print, and printing takes longer than all other
# work of a cached read. The memo holds the document with its print, so that no other document can get its `id`.
_MEMO: WeightedCache[tuple[Document, PrintedDocument]] = WeightedCache(8_000_000)

_PrintKey = tuple[int, "Format", bool]
_SCOPED_PRINTS: ContextVar[dict[_PrintKey, tuple[Document, PrintedDocument]] | None] = ContextVar(
    "_SCOPED_PRINTS", default=None
)


@contextmanager
def keep_prints() -> Iterator[None]:
    """Keep every print until the block ends, also of documents that are too large for the memo."""
    token = _SCOPED_PRINTS.set({})
    try:
        yield
    finally:
        _SCOPED_PRINTS.reset(token)


def print_document(document: Document, format: Format, *, images: bool = False) -> PrintedDocument:
    """Print `document`; `images` adds pictures as links.

    The markdown of a whole document is the canonical text of its snapshot: offsets and ids count in it.
    """
    key = (id(document), format, images)
    prints = _SCOPED_PRINTS.get()
    if prints is not None and key in prints:
        return prints[key][1]
    entry = _MEMO.recall(key, lambda: (document, _print(document, format, images)), _bytes)
    if prints is not None:
        prints[key] = entry
    return entry[1]


def is_print_memoized(document: Document, format: Format, *, images: bool = False) -> bool:
    """Tell whether the memo of `print_document` holds this print; prints of large documents are never in it."""
    return _MEMO.holds((id(document), format, images))


def _print(document: Document, format: Format, images: bool) -> PrintedDocument:  # noqa: FBT001 - a private function
    if format == "html":
        return markup(document, images=images)
    return prose(document, marked=format == "markdown", images=images)


def _bytes(entry: tuple[Document, PrintedDocument]) -> int:
    document, document_print = entry
    return tree_bytes(document) + print_bytes(document_print)
