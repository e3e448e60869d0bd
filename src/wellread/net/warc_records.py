"""One recorded answer at a time: from its place in a WARC file to a response, for reading many without a network."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

from warcio.limitreader import LimitReader

from wellread.errors import TooLarge
from wellread.net import warc
from wellread.net.body import BodyDecoder
from wellread.net.content_codings import DamagedBody, content_codings
from wellread.types import Response, header

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from wellread.types import Headers

_NO_ANSWERS: Final = {"warcinfo", "request", "metadata", "continuation"}
_NO_DOCUMENTS: Final = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript", "application/javascript")


def page_records(
    records: warc.RecordIterator, skipped_records: Counter[str]
) -> Iterator[tuple[warc.RecordSummary, str]]:
    """Yield the record and the URL of every page among `records`, in their order.

    What is an answer and no page is counted in `skipped_records`, by what it is.

    Raises:
        InvalidInput: the file cannot be read, is no WARC, or is damaged; all answers before that were yielded.
    """
    for note in records:
        url = (header(note.fields, "WARC-Target-URI") or "").removeprefix("<").removesuffix(">")
        if url.startswith("http") and note.kind not in _NO_ANSWERS:
            if skip_reason := _skip_reason(note, url):
                skipped_records[skip_reason] += 1
            else:
                yield note, url
    if records.torn:
        raise warc.torn(records.path)


def _skip_reason(note: warc.RecordSummary, url: str) -> str:
    """Return why an answer is passed over; nothing for a page."""
    if note.kind == "revisit":
        return "repeated answers"
    if note.kind != "response":
        return "records of other kinds"
    status = warc.status(note.start)
    if status is None or status >= 400:
        return "errors"
    if not 200 <= status < 300:
        return "redirects"
    if url.partition("?")[0].endswith("/robots.txt"):
        return "robots.txt"
    return ""


def response_of(path: warc.Openable, record: warc.RecordSummary, *, max_bytes: int) -> Response | None:
    """Return the answer of a record, from its first bytes where they are all of it; None as for `read_response`.

    Raises:
        InvalidInput, TooLarge, Unsupported: as `read_response`.
    """
    if not record.is_whole:
        return read_response(path, record.offset, max_bytes=max_bytes)
    block = LimitReader(BytesIO(record.start), len(record.start))
    return _response(path, record.offset, record.fields, block, max_bytes)


def read_response(path: warc.Openable, offset: int, *, max_bytes: int) -> Response | None:
    """Return the answer recorded at `offset`; None when its head says that it is no document.

    Raises:
        InvalidInput: the file cannot be read there, or has changed.
        TooLarge: the body is longer than `max_bytes`, as recorded or decoded.
        Unsupported: the body is coded in an unknown way.
    """
    block = warc.RecordBlock(path, offset)
    try:
        with warc.reading(path):
            return _response(path, offset, block.fields, block.stream, max_bytes)
    finally:
        block.close()


def _response(path: warc.Openable, offset: int, fields: Headers, block: LimitReader, max_bytes: int) -> Response | None:
    head = warc.http_head(block)
    if head is None:
        raise warc.damaged(path, f"there is no answer at byte {offset}")
    if (header(head.headers, "Content-Type") or "").strip().lower().startswith(_NO_DOCUMENTS):
        return None
    url = (header(fields, "WARC-Target-URI") or "").removeprefix("<").removesuffix(">")
    body, partial = _body(block, head.headers, url, max_bytes)
    if header(fields, "WARC-Truncated") is not None:
        partial = partial or "it was recorded only in part"
    return Response(url=url, status=head.status, headers=head.headers, body=body, partial=partial, replayed=True)


def _body(block: LimitReader, headers: Headers, url: str, max_bytes: int) -> tuple[bytes, str | None]:
    body = BodyDecoder(content_codings(headers, url), max_bytes, url)
    chunked = "chunked" in (header(headers, "Transfer-Encoding") or "").lower()
    try:
        for piece in (warc.dechunked if chunked else warc.pieces)(block):
            body.feed(piece)
        body.finish(None)
    except TooLarge:
        raise
    except (DamagedBody, warc.TruncatedBody) as error:
        return body.decoded(), str(error) or "it was recorded only in part"
    return body.decoded(), None
