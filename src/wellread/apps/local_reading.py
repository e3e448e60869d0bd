"""Joins the parts that read a page that is here already: no network, no browser, no cache.

Apart from `wellread.apps.build`, so that `wellread extract` and `wellread.extract` load none of those.
"""

from __future__ import annotations

import atexit
from functools import cache
from typing import TYPE_CHECKING, get_args

from wellread.apps.local_inputs import address
from wellread.apps.paths import is_file
from wellread.apps.system_clock import SystemClock
from wellread.config import load
from wellread.documents import archive_urls
from wellread.documents.text_types import is_text_file
from wellread.errors import ConfigError, InvalidInput
from wellread.lazy_pattern import lazy_pattern
from wellread.reading import snapshot_building
from wellread.reading.installed_extractors import installed_extractors
from wellread.reading.page_printing import printed_page
from wellread.reading.read_options import check_options
from wellread.reading.sandbox import WORK, SandboxedReader
from wellread.types import Format, OcrOptions, Response
from wellread.worker.worker_pool import TaskLimits, WorkerPool

if TYPE_CHECKING:
    from wellread.config import ExtractSettings
    from wellread.types import LinkStyle, Mode, Page

_LANGUAGE_DATA = lazy_pattern(r"(?:script/)?[A-Za-z][A-Za-z0-9_]{0,40}")


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    format: Format = "markdown",
    mode: Mode = "balanced",
    images: bool = False,
    links: LinkStyle = "inline",
    member: str | None = None,
) -> Page:
    """Read a page that you have as text or bytes, without a network, a browser or a cache.

    `url` makes links absolute. A `str` is HTML, unless `url` has the suffix of a text file, such as `.md` or
    `.csv`, and the text is not a complete page. Bytes may have any media type that an extractor reads; of an
    archive, the file `member` is read, or the list of its members. `images` and `links` are as for `Web.read`.
    Documents, and pages that may overload a parser, are read in a worker process with the limits of the settings
    `extract.*`. These settings come from the environment and the settings file when the first page is read. All
    other pages are read in the caller's process, with a limit for the work.

    Raises:
        Unsupported, Empty, TooLarge: it cannot be read.
        Gone: the archive has no such member.
        Timeout: its worker process was killed at the deadline.
        UnreadableError: it needs more work than its length allows, or it crashed its worker process.
        InvalidInput, InvalidUrl, ConfigError: an unknown format or mode; an invalid `url`; a wrong setting.
    """
    check_options({"links": links, "format": format})
    response = _response(html, url, format, mode)
    reader = local_reader(suspects_only=True)
    return print_page(response, reader, mode=mode, member=member or "", format=format, images=images, links=links)


def extract_in_worker(
    html: str | bytes, *, url: str | None = None, format: Format = "markdown", mode: Mode = "balanced"
) -> Page:
    """Read a page as `extract` does, but every page in a worker process: for programs that serve several callers.

    Raises:
        Unsupported, Empty, TooLarge, Timeout, UnreadableError, InvalidInput, InvalidUrl, ConfigError: as `extract`.
    """
    response = _response(html, url, format, mode)
    return print_page(response, local_reader(suspects_only=False), mode=mode, format=format)


def _response(html: str | bytes, url: str | None, format: Format, mode: Mode) -> Response:
    check_options({"format": format, "mode": mode})
    if format not in get_args(Format):
        raise InvalidInput(f"the format {format} needs a URL to read", hint="one of " + ", ".join(get_args(Format)))
    if not isinstance(html, str | bytes):  # a template's None, a path
        raise TypeError(f"extract takes the text or the bytes of a page, not {type(html).__name__}")
    if isinstance(html, str) and "<" not in html and "\n" not in html and is_file(html):
        hint = "give its bytes: extract(Path(...).read_bytes())"
        raise InvalidInput(f"extract takes the text or the bytes of a page, and {html} is a file", hint=hint)
    if isinstance(html, bytes):
        return Response(url=address(url), status=200, headers=(), body=html)
    media_type = "text/plain" if is_text_file(url) else "text/html"
    headers = (("content-type", f"{media_type}; charset=utf-8"),)
    return Response(url=address(url), status=200, headers=headers, body=html.encode("utf-8", "replace"))


def print_page(
    response: Response,
    reader: SandboxedReader,
    *,
    mode: Mode = "balanced",
    member: str = "",
    format: Format = "markdown",
    images: bool = False,
    links: LinkStyle = "inline",
) -> Page:
    """Read and print a local response, or the `member` of an archive.

    Raises:
        UnavailableError, UnreadableError: it tells of a failure, or nothing in it can be read.
    """
    result = reader.read_blocking(response, url=archive_urls.join(response.url, member), mode=mode, member=member)
    total_time_ms = result.snapshot.extraction_time_ms
    return printed_page(result, format=format, images=images, links=links, total_time_ms=total_time_ms)


@cache
def local_reader(*, suspects_only: bool) -> SandboxedReader:
    """Return the reader for local pages, shared by this process; worker processes start when first needed."""
    limits = load().extract
    return SandboxedReader(document_reader(limits), SystemClock(), worker_pool(limits), suspects_only=suspects_only)


def worker_pool(settings: ExtractSettings) -> WorkerPool | None:
    """Return the worker processes of this program under these settings; None where pages are read in this process.

    None of them is started yet. Every `Web` of the program shares them: one takes most of a second to load.
    """
    children = settings.process_count
    if not children:
        return None
    return _worker_pool(TaskLimits(timeout_s=settings.timeout_s, memory_bytes=settings.max_memory, children=children))


@cache
def _worker_pool(limits: TaskLimits) -> WorkerPool:
    pool = WorkerPool(WORK, limits, SystemClock())
    atexit.register(pool.close)
    return pool


def document_reader(settings: ExtractSettings) -> snapshot_building.DocumentReader:
    """Return a reader with all installed extractors.

    Raises:
        ConfigError: a language of text recognition has no possible name.
    """
    return snapshot_building.DocumentReader(
        installed_extractors(), max_rows=settings.max_rows, ocr=ocr_options(settings)
    )


def ocr_options(settings: ExtractSettings) -> OcrOptions:
    """Return how text in pictures is recognised.

    Raises:
        ConfigError: a language has no possible name.
    """
    for language in settings.ocr_languages:
        if not _LANGUAGE_DATA.fullmatch(language):
            hint = "use names such as eng, deu and chi_sim; `tesseract --list-langs` lists the installed languages"
            raise ConfigError(f"extract.ocr_languages: {language!r} is not a language of Tesseract", hint=hint)
    languages = settings.ocr_languages or ("eng",)
    return OcrOptions(enabled=settings.ocr == "auto", languages=languages, max_pages=settings.ocr_max_pages)
