"""One page as one line of JSON in UTF-8: its fields or its error, for commands and engines that read many pages."""

from __future__ import annotations

from dataclasses import asdict, field
from typing import TYPE_CHECKING, Any, Self

from wellread.apps import local_reading
from wellread.apps.local_inputs import STDIN, Input, open_input, standard_input
from wellread.apps.serialize import error_row, page_row
from wellread.config import ExtractSettings
from wellread.errors import WellreadError
from wellread.frozen import frozen

if TYPE_CHECKING:
    from wellread.reading.sandbox import SandboxedReader
    from wellread.types import Format, LinkStyle, Mode, Response


@frozen
class BatchOptions:
    """Options of a batch: how every page is read."""

    format: Format = "markdown"
    mode: Mode = "balanced"
    images: bool = False
    links: LinkStyle = "inline"
    all_notices: bool = False
    """Include the notices of the level `info`."""
    url: str | None = None
    member: str = ""
    """The file to read in an archive."""
    max_bytes: int = 10_000_000
    extract: ExtractSettings = field(default_factory=ExtractSettings)

    def as_json_fields(self) -> dict[str, Any]:  # Any: JSON
        """Return the options for a worker process."""
        return asdict(self)

    @classmethod
    def from_json_fields(cls, fields: dict[str, Any]) -> Self:  # Any: JSON
        """Return the options that `as_json_fields` returned in the parent."""
        extract = fields["extract"]
        settings = ExtractSettings(**{**extract, "ocr_languages": tuple(extract["ocr_languages"])})
        return cls(**{**fields, "extract": settings})


def input_row(page: Input, options: BatchOptions, reader: SandboxedReader, stdin_bytes: bytes | None = None) -> bytes:
    """Return the row of one input; empty for a WARC record that is no document."""
    try:
        if page.path == STDIN and stdin_bytes is None:
            stdin_bytes = standard_input(options.max_bytes)
        response = open_input(page, url=options.url, max_bytes=options.max_bytes, stdin_bytes=stdin_bytes or b"")
    except WellreadError as error:
        return error_row(error)
    return response_row(response, options, reader)


def response_row(response: Response | None, options: BatchOptions, reader: SandboxedReader) -> bytes:
    """Return the row of a local response; empty where there is none."""
    if response is None:
        return b""
    try:
        page = local_reading.print_page(
            response,
            reader,
            mode=options.mode,
            member=options.member,
            format=options.format,
            images=options.images,
            links=options.links,
        )
    except WellreadError as error:
        return error_row(error)
    return page_row(page, all_notices=options.all_notices)
