"""Prints a piece of a snapshot as the page that a caller asked for; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.citations import cursors
from wellread.extraction import confidence_score
from wellread.reading import token_estimate
from wellread.types import Kind, Page, Style

if TYPE_CHECKING:
    from wellread.output import PrintedDocument
    from wellread.output.link_styles import LinkView
    from wellread.reading.snapshot_building import ReadResult
    from wellread.types import Document, Extraction, Format, LinkStyle, Notice

_IMAGE = int(Style.IMAGE)
_PICTURES_LEFT_OUT: Final = "pictures_left_out"


def printed_page(
    result: ReadResult,
    *,
    format: Format = "markdown",
    start: int = 0,
    max_length: int | None = None,
    max_tokens: int | None = None,
    images: bool = False,
    links: LinkStyle = "inline",
    total_time_ms: int = 0,
) -> Page:
    """Return one piece of a document as the page that the caller asked for.

    `start` counts in the canonical text for markdown, else in the text of the format. The piece has `max_length`
    characters at most, and `max_tokens` tokens by the estimate of `token_estimate`.

    Raises:
        InvalidCursor, InvalidInput: as `cursors.cut`.
    """
    snapshot, prints = result.snapshot, result.prints
    full_print = prints.printed(format, images=images)
    view = prints.link_view(links, images=images) if links != "inline" and format == "markdown" else None
    shown = full_print if view is None else view.printed
    piece = _piece(shown, view, start, max_length=max_length, max_tokens=max_tokens)
    goes_on = piece.end < len(full_print.text)
    following = cursors.Cursor(snapshot.id, format, piece.end, images, links)
    about = snapshot.extraction.metadata
    return Page(
        text=piece.text,
        format=format,
        word_count=confidence_score.words(confidence_score.shown(full_print.text[start : piece.end])),
        truncated=goes_on,
        cursor=cursors.encode(following) if goes_on else None,
        url=snapshot.url,
        final_url=snapshot.final_url,
        title=about.title,
        byline=about.byline,
        author=about.author,
        description=about.description,
        published_date=about.published_date,
        modified_date=about.modified_date,
        canonical_url=about.canonical_url,
        language=about.language,
        site_name=about.site_name,
        primary_image=about.primary_image,
        images=about.images,
        links=snapshot.extraction.links,
        all_links=snapshot.extraction.all_links,
        headings=full_print.headings,
        posts=_posts(snapshot.extraction.document, full_print),
        confidence=snapshot.confidence,
        extraction_method=snapshot.extraction.method,
        page_type=snapshot.extraction.page_type,
        snapshot_id=snapshot.id,
        start=start,
        end=piece.end,
        total_chars=len(full_print.text),
        rendered=snapshot.rendered,
        cached=result.cached,
        notices=_page_notices(snapshot.extraction, images=images),
        fetch_time_ms=snapshot.fetch_time_ms,
        extraction_time_ms=snapshot.extraction_time_ms,
        total_time_ms=total_time_ms,
        status=snapshot.status,
        content_type=snapshot.content_type,
    )


def _posts(document: Document, full_print: PrintedDocument) -> tuple[Page.Post, ...]:
    """Return the author, the date and the place of each post of a thread: it ends at the next byline."""
    lines = [block for block in document if block.kind is Kind.BYLINE]
    starts = [mark.start for mark in full_print.marks if mark.kind is Kind.BYLINE] if lines else []
    spots = zip(lines, starts, [*starts[1:], len(full_print.text)], strict=False)
    return tuple(Page.Post(line.spans[0].text, line.label or None, start, end) for line, start, end in spots)


def _page_notices(extraction: Extraction, *, images: bool) -> tuple[Notice, ...]:
    """Return the notices that hold for a page printed so: pictures that are printed are not left out."""
    count = _picture_count(extraction.document) if images else 0
    if not count:
        return extraction.notices
    pictures = (notice for notice in extraction.notices if notice.code == _PICTURES_LEFT_OUT)
    others = tuple(notice for notice in extraction.notices if notice.code != _PICTURES_LEFT_OUT)
    return others + tuple(notice._replace(count=notice.count - count) for notice in pictures if notice.count > count)


def _picture_count(document: Document) -> int:
    count = 0
    stack = list(document)
    while stack:
        block = stack.pop()
        count += sum(bool(span.style & _IMAGE and (span.href or span.text)) for span in block.spans)
        stack.extend(block.children)
    return count


class _PagePiece(NamedTuple):
    """A piece of a document as it is shown, with the definitions of its references."""

    text: str
    end: int
    """Where it ends, counted as `Page.end` is."""


def _piece(
    shown: PrintedDocument, view: LinkView | None, start: int, *, max_length: int | None, max_tokens: int | None
) -> _PagePiece:
    """Return the longest piece within the limits that ends at a good place.

    Raises:
        InvalidCursor, InvalidInput: as `cursors.cut`.
    """
    if view is not None:
        start = view.shown_offset(start)
    max_chars = max_length
    if max_tokens is not None and start < len(shown.text):
        fitting = token_estimate.fitting_chars(shown.text, start, max_tokens)
        max_chars = min(filter(None, (max_chars, fitting)))
    while True:
        end = cursors.cut(shown, start, max_chars)
        if view is None:
            return _PagePiece(shown.text[start:end], end)
        canonical_end = view.canonical_offset(end)
        end = view.shown_offset(canonical_end)
        if end <= start:  # a block without a place in it
            end = next((border for border in shown.cuts if border > start), len(shown.text))
            canonical_end = view.canonical_offset(end)
        piece = _PagePiece(shown.text[start:end] + view.definitions(start, end), canonical_end)
        if max_chars is None or max_chars <= 1:
            return piece
        excess = _excess(piece.text, max_length, max_tokens)
        if excess <= 0:
            return piece
        # The definitions count, too: fewer characters need fewer of them. A piece may also have been moved to a place
        # that both prints have.
        max_chars = max(int(min(max_chars, end - start) * (1 - excess)), 1)


def _excess(text: str, max_length: int | None, max_tokens: int | None) -> float:
    """Return by which share of itself, from 0 to 1, a piece is too long."""
    excess = 0.0
    if not text:
        return excess
    if max_length is not None:
        excess = 1 - max_length / len(text)
    if max_tokens is not None:
        excess = max(excess, 1 - max_tokens / token_estimate.estimated_tokens(text))
    return excess
