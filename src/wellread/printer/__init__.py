"""Prints a document as markdown, text or HTML from the same tree, and says where its units stand in the text."""

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

# A page is named by its text, cut into pieces, ranked and searched: each asks for the same print, and a print takes
# longer than all the rest of a kept read. The document is held with it, so no other can come by its `id`.
_MEMO: Memo[tuple[Document, Printed]] = Memo(8_000_000)

_Key = tuple[int, "Format", bool]
_LARGE: ContextVar[dict[_Key, tuple[Document, Printed]] | None] = ContextVar("_LARGE", default=None)


@contextmanager
def prints_kept() -> Iterator[None]:
    """Keep every print until the block ends, also of documents that are too large for the memo."""
    token = _LARGE.set({})
    try:
        yield
    finally:
        _LARGE.reset(token)


def printed(document: Document, format: Format, *, images: bool = False) -> Printed:
    """Print `document`; `images` adds pictures as links.

    The markdown of a whole document is the canonical text of its snapshot: offsets and ids count in it.
    """
    key = (id(document), format, images)
    prints = _LARGE.get()
    if prints is not None and key in prints:
        return prints[key][1]
    entry = _MEMO.recall(key, lambda: (document, _print(document, format, images)), _bytes)
    if prints is not None:
        prints[key] = entry
    return entry[1]


def is_at_hand(document: Document, format: Format, *, images: bool = False) -> bool:
    """Tell whether `printed` has it already; such a document is no large one."""
    return _MEMO.holds((id(document), format, images))


def _print(document: Document, format: Format, images: bool) -> Printed:  # noqa: FBT001 - as it came
    if format == "html":
        return markup(document, images=images)
    return prose(document, marked=format == "markdown", images=images)


def _bytes(made: tuple[Document, Printed]) -> int:
    document, told = made
    return tree_bytes(document) + print_bytes(told)
