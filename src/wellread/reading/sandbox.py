"""Reads pages in child processes that can be killed at a deadline.

A caller that cannot wait for a child to start (`wellread.extract`) sends it only what may choke or crash its parser.

The child is the less trusted side: it hands back packed columns of text and numbers, which are checked one by one, and
the parent names what comes of them itself. It cleans and prints the document, too: the parent, whose threads share one
interpreter, has that to do for all of its children.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from wellread import errors
from wellread.documents import archive_urls
from wellread.errors import Challenge, Empty, InvalidInput, TooLarge, UnreadableError, WellreadError
from wellread.output import DocumentPrints
from wellread.output.packed_print import pack_print, unpack_print
from wellread.ports import untraced
from wellread.reading import snapshot_building
from wellread.reading.installed_extractors import installed_extractors, load_extractor
from wellread.reading.snapshot_building import PrintedExtraction, print_extraction
from wellread.store.codec import Packed, pack_extraction, unpack_extraction
from wellread.types import MAIN_CONTENT, OcrOptions, Source
from wellread.worker.worker_pool import TaskHandle

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyio import CapacityLimiter

    from wellread.ports import Clock, Extractor, Trace
    from wellread.reading.read_result import ReadResult
    from wellread.reading.snapshot_building import DocumentReader
    from wellread.types import Block, Mode, Notice, Response, SourceView
    from wellread.worker.worker_pool import WorkerPool

MAX_WAITING_READS: Final = 100
"""Reads of one `Web` that wait for a child at once, each in a thread; more of them wait for a thread."""
MAX_PIECES: Final = 300_000
"""Blocks and runs of text; no page that people read comes near."""
MAX_DEPTH: Final = 500
"""Blocks within blocks; no reader builds half of it."""
MAX_PART_BYTES: Final = 1 << 24
"""Bytes of text and structure that a child may hand back, expanded."""
WORK: Final = f"{__name__}:answer"
"""The function that a child serves."""

_READ, _FAILED = b"+", b"-"
_PAGE_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
_SIZE: Final = struct.Struct("!Q")
_PARTS: Final = struct.Struct("!QQQQ")
"""Bytes about an extraction and of its document, its words and their characters; the canonical print comes last."""
_MAY_FAIL_WITH: Final = {
    kind.code: kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, UnreadableError)
}


class SandboxedReader:
    """A reader that hands documents which may choke or crash it to child processes."""

    def __init__(
        self,
        reader: DocumentReader,
        clock: Clock,
        pool: WorkerPool | None = None,
        *,
        suspects_only: bool = False,
        timeout_s: float | None = None,
        trace: Trace = untraced,
    ) -> None:
        """Take the reader; without children, it reads everything in this process, within `timeout_s` if it can.

        With `suspects_only`, children read only the documents that are marked as suspect: see `Source.suspect`.
        """
        self._reader = reader
        self._clock = clock
        self._pool = pool
        self._suspects_only = suspects_only
        self._timeout_s = timeout_s
        self._trace = trace

    @cached_property
    def _threads(self) -> CapacityLimiter:
        """Threads that wait for a child take none from those that the stores work in.

        Made when it is first used: a saved page is read without an event loop, and asyncio takes long to load.
        """
        from anyio import CapacityLimiter

        return CapacityLimiter(MAX_WAITING_READS)

    async def warm(self) -> None:
        """Start a child, if there is none, so that it loads while the page is still being fetched."""
        from anyio import to_thread  # loaded here for the same reason

        if self._pool is not None and not self._pool.is_started:
            await to_thread.run_sync(self._pool.warm)

    async def read(
        self,
        response: Response,
        *,
        url: str,
        mode: Mode = "balanced",
        member: str = "",
        notices: tuple[Notice, ...] = (),
        view: SourceView = MAIN_CONTENT,
        store: Callable[[ReadResult], None] | None = None,
    ) -> ReadResult:
        """Read a response in a child process, as `read_blocking`; a caller that is cancelled kills the child.

        The thread that waits for the child cannot be stopped, but it only waits. It hands the result to `store` before
        it ends: a thread of its own would cost as much as all that is stored.

        Raises:
            WellreadError: as `read_blocking`.
        """
        from anyio import to_thread  # loaded here for the same reason

        call = TaskHandle()

        def read_and_store() -> ReadResult:
            result = self.read_blocking(
                response, url=url, mode=mode, member=member, notices=notices, view=view, call=call
            )
            for notice in result.snapshot.extraction.notices:
                if notice.code == "challenge_page":
                    raise Challenge(notice.detail, url=response.url, status=response.status)
            if store is not None and not call.cancelled:
                store(result)
            return result

        try:
            return await to_thread.run_sync(read_and_store, abandon_on_cancel=True, limiter=self._threads)
        finally:
            call.cancel()

    def read_blocking(
        self,
        response: Response,
        *,
        url: str,
        mode: Mode = "balanced",
        member: str = "",
        notices: tuple[Notice, ...] = (),
        view: SourceView = MAIN_CONTENT,
        call: TaskHandle | None = None,
    ) -> ReadResult:
        """Read a response into a snapshot, with its id and its confidence; blocks.

        `url` is the requested URL, also where the response came from elsewhere; of an archive with a `member`, that of
        the member. `notices` come from earlier steps, and are added to the others.

        Raises:
            UnavailableError, UnreadableError: the response tells of a failure, or as `extract`.
        """
        now, began = self._clock.now(), self._clock.monotonic()
        snapshot_building.refuse_failures(response, now=now)
        try:
            printed = self.extract(response, mode, call, member=member, view=view)
        except Empty as error:
            if response.partial is not None:  # what is missing, not a script, is what would have shown something
                error.message, error.hint = f"{error.message}: {response.partial}", "download the whole file again"
            raise
        elapsed = round((self._clock.monotonic() - began) * 1000)
        response = replace(response, url=archive_urls.join(response.url, member))
        if notices:
            extraction = replace(printed.extraction, notices=printed.extraction.notices + notices)
            printed = printed._replace(extraction=extraction)
        return snapshot_building.build_snapshot(
            printed, response, url=url, fetched_at=now.timestamp(), extraction_time_ms=elapsed
        )

    def extract(
        self,
        response: Response,
        mode: Mode,
        call: TaskHandle | None = None,
        *,
        member: str = "",
        view: SourceView = MAIN_CONTENT,
    ) -> PrintedExtraction:
        """Find and print the main content of an answer with a good status; blocks.

        `call` can cancel it from another thread.

        Raises:
            Unsupported, Empty, TooLarge, Gone: nothing in it can be read, or an archive has no such member.
            InvalidInput: a member is asked for, and it is no archive.
            Timeout, UnreadableError: its reader was killed at its deadline, or crashed.
        """
        with self._trace("extract", bytes=len(response.body)) as tell:
            printed = self._extracted(response, mode, call, member, view)
            extraction = printed.extraction
            tell(method=extraction.method, page_type=extraction.page_type, chars=extraction.source_chars)
            return printed

    def _extracted(
        self, response: Response, mode: Mode, call: TaskHandle | None, member: str, view: SourceView
    ) -> PrintedExtraction:
        if view.form == "raw":
            return print_extraction(snapshot_building.raw_source(response))
        # Where a child reads every source, nothing depends on the scan, which takes as long as all that is done here.
        scan = self._pool is None or self._suspects_only
        extractor, source = self._reader.prepared(response, mode, member, scan=scan)
        if view.selector and source.media_type not in _PAGE_TYPES:
            hint = "leave out the selector"
            raise InvalidInput(f"a selector is for web pages, and this is {source.media_type}", hint=hint)
        source = replace(
            source,
            read_on=self._clock.now().date().isoformat(),
            all_links=view.all_links or view.form == "links",
            selector=view.selector,
            field_selectors=view.field_selectors,
        )
        printed = self._content(extractor, source, call)
        if view.form == "links":
            return print_extraction(snapshot_building.links_of(printed.extraction, source.url))
        return printed

    def _content(self, extractor: Extractor, source: Source, call: TaskHandle | None) -> PrintedExtraction:
        """Extract and print the content of a source, in a child process if there are any."""
        if self._pool is None or (self._suspects_only and not source.suspect):
            return print_extraction(self._reader.extract(extractor, replace(source, timeout_s=self._timeout_s)))
        what = source.url or ("the page" if source.media_type in _PAGE_TYPES else "the file")
        task = _task(extractor.name, replace(source, timeout_s=self._pool.limits.timeout_s))
        try:
            return _result(self._pool.run(task, what, call), source.url)
        except WellreadError as error:
            error.url = source.url
            raise
        except (ValueError, RecursionError, struct.error) as error:
            raise UnreadableError(
                f"{what} made the worker process send an invalid result: {error}", url=source.url
            ) from error


def _task(name: str, source: Source) -> bytes:
    fields = ["media_type", "url", "charset", "mode", "timeout_s", "max_rows", "member", "read_on"]
    fields += ["all_links", "selector", "field_selectors"]
    source_fields = {field: getattr(source, field) for field in fields}
    head = json.dumps(source_fields | {"extractor": name, "ocr": asdict(source.ocr)}).encode()
    return b"".join((_SIZE.pack(len(head)), head, source.body))


def _result(answer: bytes, url: str | None) -> PrintedExtraction:
    """Return what a child has read and printed; raise the error that it reports.

    Raises:
        WellreadError: the child's error.
        ValueError, struct.error: the bytes are damaged, or beyond the child's own limits: one that was taken over would
            not hold to them.
    """
    if answer[:1] == _FAILED:
        failure = _checked(json.loads(answer[1:]))
        error = _MAY_FAIL_WITH.get(failure["code"], UnreadableError)(failure["message"], url=url, hint=failure["hint"])
        if isinstance(error, Empty):
            error.scripted = failure.get("scripted") is True
        raise error
    about_bytes, document_bytes, words, shown_chars = _PARTS.unpack_from(answer, 1)
    about_start = 1 + _PARTS.size
    document_start = about_start + about_bytes
    print_start = document_start + document_bytes
    packed = Packed(answer[about_start:document_start], answer[document_start:print_start])
    extraction = unpack_extraction(packed, max_bytes=MAX_PART_BYTES, max_pieces=MAX_PIECES, max_depth=MAX_DEPTH)
    canonical = unpack_print(answer[print_start:], max_pieces=MAX_PIECES)
    if max(words, shown_chars) > len(canonical.text):
        raise ValueError(f"{words:,} words and {shown_chars:,} characters of a text of {len(canonical.text):,}")
    return PrintedExtraction(extraction, DocumentPrints(extraction.document, canonical), words, shown_chars)


def _checked(failure: Any) -> dict[str, Any]:  # Any: fresh from JSON
    if not isinstance(failure, dict) or not all(
        isinstance(failure.get(key), str) for key in ("code", "message", "hint")
    ):
        raise ValueError("not the shape of a failure")
    return failure


# --------------------------------------------------------------------------------------------- in the child
# `worker/child.py` finds both functions by their names.


def prepare() -> None:
    """Load the modules that most pages need, so that the first page does not pay for them."""
    sample = Source(body=b"<p>Low water is at half past nine.", media_type="text/html", mode="balanced")
    print_extraction(load_extractor("html").extract(sample))


def answer(task: bytes) -> bytes:
    """Read one page in the child: from a task of `SandboxedReader` to the bytes that it expects."""
    start = _SIZE.unpack_from(task)[0] + _SIZE.size
    facts = json.loads(task[_SIZE.size : start])
    extractor = load_extractor(facts.pop("extractor"))
    options = facts.pop("ocr")
    ocr = OcrOptions(**options | {"languages": tuple(options["languages"])})
    source = Source(body=task[start:], suspect=True, ocr=ocr, **facts)
    try:
        extraction = _reader(source, extractor).extract(extractor, source)
        if _piece_count(extraction.document) > MAX_PIECES:
            raise TooLarge(f"{facts['url'] or 'the page'} has more than {MAX_PIECES:,} pieces", hint=_PIECES_HINT)
    except WellreadError as error:
        scripted = isinstance(error, Empty) and error.scripted
        facts = {"code": error.code, "message": error.message, "hint": error.hint, "scripted": scripted}
        return _FAILED + json.dumps(facts).encode()
    return pack_answer(print_extraction(extraction))


def pack_answer(printed: PrintedExtraction) -> bytes:
    """Return the bytes that a child hands back for a page that it has read."""
    about, document = pack_extraction(printed.extraction)
    parts = _PARTS.pack(len(about), len(document), printed.word_count, printed.shown_chars)
    return b"".join((_READ, parts, about, document, pack_print(printed.prints.canonical)))


def _reader(source: Source, extractor: Extractor) -> DocumentReader:
    """Return a reader that has the extractor, and for an archive all others, by which its members are read."""
    extractors = [extractor]
    if extractor.name == snapshot_building.ARCHIVE:
        extractors = installed_extractors()
    return snapshot_building.DocumentReader(extractors, max_rows=source.max_rows, ocr=source.ocr)


_PIECES_HINT: Final = "read another source"


def _piece_count(document: tuple[Block, ...]) -> int:
    """Return how many blocks and runs of text there are."""
    count = 0
    waiting = list(document)
    while waiting:
        _, spans, children, *_ = waiting.pop()
        count += 1 + len(spans)
        waiting.extend(children)
    return count
