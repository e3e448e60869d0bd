"""Reads pages in the worker process of an engine: each in a child process, so that a page costs only itself.

Engines retry what kills their workers, Ray without end. Here a page kills at most a child of the worker: it is tried
once more in a fresh child, and then becomes an error row.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from wellread.apps.local_inputs import address
from wellread.apps.local_reading import document_reader, worker_pool
from wellread.apps.page_rows import BatchOptions, response_row
from wellread.apps.serialize import error_row
from wellread.apps.system_clock import SystemClock
from wellread.config import load
from wellread.errors import InvalidInput, InvalidUrl, TooLarge, UnreadableError
from wellread.reading.sandbox import SandboxedReader
from wellread.types import Response

if TYPE_CHECKING:
    from wellread.errors import WellreadError
    from wellread.types import Format, LinkStyle, Mode


class BulkRow(NamedTuple):
    """One page in an engine. Every page has a row."""

    source: str
    text: str
    """Empty where the page could not be read."""
    title: str
    language: str
    page_type: str
    complete: bool
    """Whether the page has all of its text."""
    error: str
    """The code of the error; empty for a page that was read."""
    message: str
    """The message of the error."""
    page: str
    """All fields of the page, or the error, as JSON: the line of `wellread extract --out` without `source`."""


class BulkPageReader:
    """A reader of pages for an engine; it may be pickled, and starts its child process with the first page."""

    def __init__(
        self,
        *,
        format: Format = "markdown",
        mode: Mode = "balanced",
        images: bool = False,
        links: LinkStyle = "inline",
        all_notices: bool = False,
    ) -> None:
        """Set how each page is read; the options are those of `wellread extract`."""
        self._options = BatchOptions(format=format, mode=mode, images=images, links=links, all_notices=all_notices)
        self._reader: SandboxedReader | None = None

    def __getstate__(self) -> dict[str, object]:
        """Return the options: a child process stays where it is."""
        return {"_options": self._options, "_reader": None}

    def row(self, source: str, body: bytes | None, *, url: str | None = None, content_type: str = "") -> BulkRow:
        """Return the row of one page, read from its bytes; `url` makes links absolute.

        A page without a body is an error row, as tables have nulls.

        Raises:
            ConfigError: a setting of this machine is wrong.
        """
        if body is None:
            hint = "leave the row out, or give an empty body"
            return failed_row(source, InvalidInput(f"{source} has no body", url=url, hint=hint))
        if self._reader is None:
            settings = load()
            self._options = replace(self._options, max_bytes=settings.fetch.max_bytes, extract=settings.extract)
            self._reader = SandboxedReader(
                document_reader(settings.extract), SystemClock(), worker_pool(settings.extract)
            )
        row = _row(source, _line(self._reader, self._options, body, url or source, content_type))
        if row.error == UnreadableError.code:  # it crashed its child, perhaps for reasons of the machine
            return _row(source, _line(self._reader, self._options, body, url or source, content_type))
        return row


def failed_row(source: str, error: WellreadError) -> BulkRow:
    """Return the row of a page that cannot be read."""
    return _row(source, error_row(error))


def _line(reader: SandboxedReader, options: BatchOptions, body: bytes, url: str, content_type: str) -> bytes:
    if len(body) > options.max_bytes:
        return error_row(TooLarge(f"{url} has more than {options.max_bytes:,} bytes"))
    try:
        page_url = address(url)
    except InvalidUrl:  # a name of a file
        page_url = "about:blank"
    headers = (("content-type", content_type),) if content_type else ()
    response = Response(url=page_url, status=200, headers=headers, body=body)
    return response_row(response, options, reader)


def _row(source: str, line: bytes) -> BulkRow:
    fields = json.loads(line)
    error = fields.get("error") or {}
    return BulkRow(
        source=source,
        text=fields.get("text", ""),
        title=fields.get("title") or "",
        language=fields.get("language") or "",
        page_type=fields.get("page_type") or "",
        complete=fields.get("complete", False),
        error=error.get("code", ""),
        message=error.get("message", ""),
        page=line.decode(),
    )
