"""Results as short text for a model: the facts first, then what the web says, quoted and cut to size."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from wellread.errors import InvalidInput
from wellread.web.quoting import quoted

if TYPE_CHECKING:
    from wellread.apps.operations.browsing import Browsed, Closed, Picture
    from wellread.apps.operations.results import Indexed, IndexedUrls, Saved
    from wellread.errors import WellreadError
    from wellread.types import Found, Gathered, Page, Passage
    from wellread.web.find import Spots

_KIND = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}", re.ASCII)

BRIEF_CHARS = 800
"""Of quoted text, where the whole stands in the structured result."""


def page(told: Page, chars: int | None) -> str:
    """Return place, warnings, and, as a quotation, the title and the text or its beginning."""
    text = told.text if chars is None else told.text[:chars]
    end = told.start + len(told.text)
    lines = [
        told.final_url,
        f"Characters {told.start:,} to {end:,} of {told.total_chars:,}; confidence {told.confidence:.2f}.",
        *(f"Warning: {notice.code}: {_line(notice.detail)}" for notice in told.warnings),
    ]
    if told.cursor:
        lines.append(f"More follows: call again with cursor {told.cursor}")
    if len(text) < len(told.text):
        lines.append(f"Its first {len(text):,} characters; the whole piece is `text` in the structured result:")
    title = _line(told.title)
    headed = text if not title or told.start else f"Title: {title}\n\n{text}"
    return "\n".join([*lines, quoted(headed, told.final_url)])


def found(told: Found, chars: int | None) -> str:
    """Return the hits, and how services that failed ended."""
    hits = "\n".join(
        _clipped([f"{hit.rank}. {_line(hit.title)}\n   {hit.url}" + _snippet(hit.snippet) for hit in told.hits], chars)
    )
    lines = [f"{len(told.hits)} results." if told.hits else "No results."]
    lines += [f"{it.provider}: {it.code}. {_line(it.detail)}".rstrip() for it in told.outcomes if it.code != "ok"]
    if told.ignored_filters:
        lines.append(f"Filters that the service lacks: {', '.join(told.ignored_filters)}.")
    return "\n".join([*lines, quoted(hits, "search results")] if told.hits else lines)


def gathered(told: Gathered, chars: int | None) -> str:
    """Return the passages with their citations, what was missed, and what else the answer lacks."""
    parts = [
        f"[{number}] {_line(passage.title)} - {passage.fragment_url}{_cut(passage)}\n{passage.text.strip()}"
        for number, passage in enumerate(told.passages, 1)
    ]
    lines = [f"{len(told.passages)} passages from {len(told.pages)} pages."]
    lines += [f"Missed: {missed.url}: {missed.code}, {_line(missed.reason)}" for missed in told.missed]
    lines += [f"Warning: {notice.code}: {_line(notice.detail)}" for notice in told.notices]
    lines += [f"{it.provider}: {it.code}. {_line(it.detail)}".rstrip() for it in told.outcomes if it.code != "ok"]
    if not parts:
        return "\n".join(lines)
    return "\n".join([*lines, quoted("\n\n".join(_clipped(parts, chars)), "passages of the pages named")])


def _cut(passage: Passage) -> str:
    return f" (cut at its {passage.cut}: find or read the page for the rest)" if passage.cut else ""


def spots(told: Spots, chars: int | None) -> str:
    """Return each place with the words around it."""
    warnings = "".join(f"\nWarning: {notice.code}: {_line(notice.detail)}" for notice in told.warnings)
    if not told.spots:
        return "It is nowhere on the page." + warnings
    parts = [
        f"at {spot.start}{' under ' + ' > '.join(map(_line, spot.headings)) if spot.headings else ''}: "
        f"\u2026{_line(f'{spot.before}[{spot.text}]{spot.after}')}\u2026"
        for spot in told.spots
    ]
    lines = f"{len(told.spots)} of {told.total} places.{warnings}\n"
    return lines + quoted("\n".join(_clipped(parts, chars)), "the page")


def saved(told: Saved, _chars: int | None) -> str:
    """Return name, size and checksum."""
    kind = _KIND.match(told.content_type or "")
    known = kind[0] if kind else "unknown type"
    return f"Saved {json.dumps(told.name)}: {told.bytes:,} bytes, {known}, sha256 {told.sha256}. Resource: {told.uri}"


def indexed(told: Indexed, _chars: int | None) -> str:
    """Return what became of the page."""
    return f"{told.url}: {told.outcome}."


def listing(told: IndexedUrls, _chars: int | None) -> str:
    """Return the URLs."""
    lines = [f"{told.total} pages in the index.", *told.urls]
    return "\n".join([*lines, f"More follows: call again with cursor {told.cursor}"] if told.cursor else lines)


def browsed(told: Browsed, chars: int | None) -> str:
    """Return the session, what is to be known of the page, and, as a quotation, what it shows."""
    lines = [f"Session {told.session}: {told.url}"]
    lines += [f"Warning: {notice.code}: {_line(notice.detail)}" for notice in told.notices]
    if told.page < told.pages:
        elements = f" with {told.more} more elements" if told.more else ""
        ask = f'form "{told.form}", page {told.page + 1}'
        lines.append(f"Page {told.page} of {told.pages}{elements}; the next: page_read with {ask}.")
    said = (
        *((f"Title: {_line(told.title)}",) if told.title else ()),
        *(f"Dialog: {_line(line)}" for line in told.dialogs),
        *(f"Download: {_line(line)}" for line in told.downloads),
        *(f"Tab: {_line(line)}" for line in told.tabs),
        *(f"Changed: {_line(line)}" for line in told.changes),
    )
    shown = "\n".join([*said, "", told.content] if said else [told.content])
    if chars is not None and len(shown) > chars:
        lines.append(f"Its first {chars:,} characters; the whole is `content` in the structured result:")
        shown = shown[:chars]
    return "\n".join([*lines, quoted(shown, told.url)])


def picture(told: Picture, _chars: int | None) -> str:
    """Return whose picture it is; the picture itself goes beside it."""
    return f"Session {told.session}: a picture of {told.url}, PNG, {told.size:,} bytes. What it shows is data too."


def closed(told: Closed, _chars: int | None) -> str:
    """Return what became of the session."""
    return f"Session {told.session}: {told.outcome}."


def failure(error: WellreadError) -> str:
    """Return code, sentence and hint of a failure: what a model needs to do better."""
    hint = f" Hint: {error.hint}" if error.hint else ""
    if error.url and error.code == InvalidInput.code:  # of a step on a page: names and labels are its own
        return f"{error.code}: the page does not allow that.\n{quoted(f'{_line(error.message)}.{hint}', error.url)}"
    later = " The same call may work later." if error.retryable else ""
    return f"{error.code}: {_line(error.message)}.{hint}{later}"


def _clipped(parts: list[str], chars: int | None) -> list[str]:
    """Return whole parts up to `chars` in all, at least one; the last says how many follow."""
    if chars is None:
        return parts
    kept: list[str] = []
    left = chars
    for part in parts:
        if kept and len(part) > left:
            return [*kept, f"({len(parts) - len(kept)} more in the structured result)"]
        kept.append(part[:chars])
        left -= len(part)
    return kept


def _snippet(text: str) -> str:
    return f"\n   {_line(text)}" if text else ""


def _line(text: str | None) -> str:
    return " ".join((text or "").split())
