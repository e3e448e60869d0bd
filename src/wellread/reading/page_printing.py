"""Prints a piece of a snapshot as the page that a caller asked for; pure."""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from wellread.citations import cursors
from wellread.lazy_pattern import lazy_pattern
from wellread.text.word_count import count_words, without_link_targets
from wellread.types import Kind, Page, Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.output import PrintedDocument
    from wellread.output.link_styles import LinkView
    from wellread.reading.read_result import ReadResult
    from wellread.types import Document, Extraction, Format, LinkStyle, Notice, ReadFormat


_IMAGE = int(Style.IMAGE)
_PICTURES_LEFT_OUT: Final = "pictures_left_out"


def printed_page(
    result: ReadResult,
    *,
    format: ReadFormat = "markdown",
    start: int = 0,
    max_length: int | None = None,
    max_tokens: int | None = None,
    images: bool = False,
    links: LinkStyle = "inline",
    total_time_ms: int = 0,
) -> Page:
    """Return one piece of a document as the page that the caller asked for.

    `start` counts in the canonical text for markdown, else in the text of the format. The piece has `max_length`
    characters at most, and `max_tokens` tokens as `estimated_tokens` counts them.

    Raises:
        InvalidCursor, InvalidInput: as `cursors.cut`.
    """
    snapshot, prints = result.snapshot, result.prints
    full_print = prints.printed(document_format(format), images=images)
    view = prints.link_view(links, images=images) if links != "inline" and format == "markdown" else None
    shown = full_print if view is None else view.printed
    piece = _piece(shown, view, start, max_length=max_length, max_tokens=max_tokens)
    goes_on = piece.end < len(full_print.text)
    following = cursors.Cursor(snapshot.id, format, piece.end, images, links)
    about = snapshot.extraction.metadata
    return Page(
        text=piece.text,
        format=format,
        word_count=_word_count(result, full_print, start, piece.end),
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
        structured_data=snapshot.extraction.structured_data,
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


def document_format(format: ReadFormat) -> Format:
    """Return the format that the document of a snapshot is printed in: raw text and lists of links as they are."""
    if format in {"raw", "links"}:
        return "text"
    return cast("Format", format)


def _word_count(result: ReadResult, full_print: PrintedDocument, start: int, end: int) -> int:
    """Return the words of a piece; those of all of the canonical text may be counted already."""
    is_whole = start == 0 and end == len(full_print.text)
    if result.word_count is not None and is_whole and full_print is result.prints.canonical:
        return result.word_count
    return count_words(without_link_targets(full_print.text[start:end]))


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
        fitting = fitting_chars(shown.text, start, max_tokens)
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
        excess = max(excess, 1 - max_tokens / estimated_tokens(text))
    return excess


# --------------------------------------------------------------------------------------------------------------- tokens
# Estimates from above how many tokens of a language model a text takes, without a model's own vocabulary.
#
# The weights are bounds fitted to five vocabularies at once (cl100k, o200k, Claude 2, DeepSeek, Tekken) on 343 pages of
# 30 countries and on the CLDR names of 21 languages; `benchmarks/tokens.py` measures them again. Vocabularies differ by
# a factor of two and more outside English, so a text that must fit every model is estimated by the dearest of them.

_UNIT: Final = lazy_pattern(
    r"(?P<word>[A-Z\u00c0-\u00de]?[a-z\u00df-\u024f\u1e00-\u1eff]+|[A-Z\u00c0-\u00de]+)"
    r"|(?P<digits>[0-9]+)"
    r"|(?P<marks>[!-/:-@\[-`{-~]+)"
    r"|(?P<lines>\n+)"
    r"|(?P<spaces>[\x00-\x09\x0b-\x20]+)"
    r"|(?P<cyrillic>[\u0400-\u052f]+)"
    r"|(?P<semitic>[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+)"
    r"|(?P<devanagari>[\u0900-\u097f]+)"
    r"|(?P<cjk>[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]+)"
    r"|(?P<greek>[\u0370-\u03ff]+)"
    r"|(?P<script>[\u0530-\u058f\u0980-\u10ff\u1800-\u1dff\u1f00-\u1fff]+)"
    r"|(?P<rare>[\u1200-\u17ff]+)"  # Ethiopic, Cherokee, Khmer
    r"|(?P<sign>[\x7f-\uffff]+)"
    r"|(?P<astral>.)",
    re.DOTALL,
)
_PER_CHARACTER: Final = {
    "digits": 1.2,
    "semitic": 1.15,
    "devanagari": 1.3,
    "greek": 1.3,
    "cjk": 1.5,
    "script": 2.1,
    "rare": 3.0,
    "sign": 1.6,
    "astral": 4.0,
}
_SHORT_WORD: Final = 5
"""Letters of a Latin word that most vocabularies have as one token."""
_FREE_SPACES: Final = 1
"""A space before a word belongs to its token."""


def estimated_tokens(text: str) -> int:
    """Return how many tokens `text` takes at most, whichever model reads it; about 1.2 times the number in English."""
    return ceil(sum(weight for _, weight in _weights(text, 0)))


def fitting_chars(text: str, start: int, max_tokens: int) -> int:
    """Return how many characters of `text` from `start` on are estimated to take at most `max_tokens`; at least 1."""
    budget = float(max_tokens)
    for unit, weight in _weights(text, start):
        if weight > budget:
            part = int(len(unit[0]) * budget / weight)
            while part and _weight(unit.lastgroup or "", unit[0][:part]) > budget:  # a run costs something to begin
                part = part * 3 // 4
            return max(unit.start() + part - start, 1)
        budget -= weight
    return max(len(text) - start, 1)


def _weights(text: str, start: int) -> Iterator[tuple[re.Match[str], float]]:
    for unit in _UNIT.finditer(text, start):
        yield unit, _weight(unit.lastgroup or "", unit[0])


def _weight(kind: str, unit: str) -> float:
    """Return the tokens of one run of characters of the same kind."""
    length = len(unit)
    if kind == "word":
        foreign = length - len(unit.encode("ascii", "ignore"))
        return 0.65 + 0.8 * max(length - _SHORT_WORD, 0) + 2.5 * foreign
    if kind == "marks":
        return 1.1 + 0.4 * (length - 1)
    if kind == "lines":
        return 0.65
    if kind == "spaces":
        return 0.1 * max(length - _FREE_SPACES, 0)
    if kind == "cyrillic":
        return 1.1 + 0.5 * length
    return _PER_CHARACTER[kind] * length
