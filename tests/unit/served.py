"""Reads files as a server would send them: bytes, a content type and a URL, in the process of the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.apps import local_reading
from wellread.apps.system_clock import SystemClock
from wellread.reading.installed_extractors import installed_extractors
from wellread.reading.sandbox import SandboxedReader
from wellread.reading.snapshot_building import DocumentReader
from wellread.types import Response

if TYPE_CHECKING:
    from wellread.types import Format, Mode, Page


def read_served(
    body: str | bytes,
    content_type: str,
    name: str = "file",
    *,
    format: Format = "markdown",
    mode: Mode = "balanced",
    images: bool = False,
) -> Page:
    """Return the page that `body` gives when https://files.example/NAME sends it as `content_type`."""
    response = Response(
        url=f"https://files.example/{name}",
        status=200,
        headers=(("content-type", content_type),),
        body=body.encode() if isinstance(body, str) else body,
    )
    reader = SandboxedReader(DocumentReader(installed_extractors()), SystemClock())
    return local_reading.print_page(response, reader, mode=mode, format=format, images=images)
