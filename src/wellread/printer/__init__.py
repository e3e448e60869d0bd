"""Print a document as markdown, text or HTML from the same tree, with the offsets of its units."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from wellread.memo import Memo, tree_bytes
from wellread.printer.markup import markup
from wellread.printer.prose import prose
from wellread.printer.writer import Mark, Printed, print_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.types import Document, Format

__all__ = ["Mark", "Printed", "is_at_hand", "printed", "prints_kept"]

# The snapshot id, paging, ranking and search of a page need the same print, and printing takes longer than all other
# work of a cached read. The memo holds the document with its print, so that no other document can get its `id`.
_MEMO: Memo[tuple[Document, Printed]] = Memo(8_000_000)

_PrintKey = tuple[int, "Format", bool]
_SCOPED_PRINTS: ContextVar[dict[_PrintKey, tuple[Document, Printed]] | None] = ContextVar(
    "_SCOPED_PRINTS", default=None
)


@contextmanager
def prints_kept() -> Iterator[None]:
    """Keep every print until the block ends, also of documents that are too large for the memo."""
    token = _SCOPED_PRINTS.set({})
    try:
        yield
    finally:
        _SCOPED_PRINTS.reset(token)


def printed(document: Document, format: Format, *, images: bool = False) -> Printed:
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


def is_at_hand(document: Document, format: Format, *, images: bool = False) -> bool:
    """Tell whether the memo of `printed` holds this print; prints of large documents are never in it."""
    return _MEMO.holds((id(document), format, images))


def _print(document: Document, format: Format, images: bool) -> Printed:  # noqa: FBT001 - a private function
    if format == "html":
        return markup(document, images=images)
    return prose(document, marked=format == "markdown", images=images)


def _bytes(entry: tuple[Document, Printed]) -> int:
    document, document_print = entry
    return tree_bytes(document) + print_bytes(document_print)
