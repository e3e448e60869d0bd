"""Reads documents in the process of the tests, where their limits can be lowered; other tests see the child process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.apps import local_reading
from wellread.apps.system_clock import SystemClock
from wellread.reading.installed_extractors import installed_extractors
from wellread.reading.sandbox import SandboxedReader
from wellread.reading.snapshot_building import DocumentReader
from wellread.types import Response

if TYPE_CHECKING:
    from wellread.types import Mode, Page


def extract(body: bytes, *, mode: Mode = "balanced", max_rows: int = 20_000) -> Page:
    response = Response(url="about:blank", status=200, headers=(), body=body)
    return local_reading.print_page(
        response,
        SandboxedReader(DocumentReader(installed_extractors(), max_rows=max_rows), SystemClock()),
        mode=mode,
    )
