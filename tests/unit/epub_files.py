"""Books in EPUB, written part by part: each test says what is in its file."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from unit.office import zipped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
XHTML = "http://www.w3.org/1999/xhtml"
OPS = "http://www.idpf.org/2007/ops"


def chapter(body: str, *, head: str = "", attributes: str = "") -> str:
    """Return an XHTML document."""
    return (
        f'<?xml version="1.0" encoding="utf-8"?><html xmlns="{XHTML}" xmlns:epub="{OPS}">'
        f"<head><title/>{head}</head><body {attributes}>{body}</body></html>"
    )


def epub(
    chapters: Mapping[str, str | bytes],
    *,
    metadata: str = "<dc:title>The Weir</dc:title>",
    manifest: str = "",
    spine: Sequence[str] | None = None,
    guide: str = "",
    files: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Return a book; `chapters` are documents below OEBPS/, `files` are others with their whole names.

    `spine` has the names of the documents in reading order, followed by attributes after a space.
    """
    items = "".join(
        f'<item id="{escape(name)}" href="{escape(name)}" media-type="application/xhtml+xml"/>' for name in chapters
    )
    references = "".join(
        f'<itemref idref="{escape(name.partition(" ")[0])}" {name.partition(" ")[2]}/>'
        for name in (chapters if spine is None else spine)
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">'
        f"{metadata}</metadata><manifest>{items}{manifest}</manifest><spine>{references}</spine>"
        f"<guide>{guide}</guide></package>"
    )
    return zipped(
        {
            "META-INF/container.xml": CONTAINER,
            "OEBPS/book.opf": package,
            **{f"OEBPS/{name}": text for name, text in chapters.items()},
            **(files or {}),
        }
    )
