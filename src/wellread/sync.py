"""The same `Web` for code without an event loop: every call runs the same coroutine to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, TypeVar

from anyio.from_thread import start_blocking_portal

from wellread.apps.build import Web as AsyncWeb
from wellread.apps.build import extract

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from pathlib import Path
    from typing import Unpack

    from wellread.config import Settings
    from wellread.net.downloads import Download
    from wellread.ports import Freshness
    from wellread.types import Found, Gathered, Page, Passage, Step, Verdict
    from wellread.web.find import Spots
    from wellread.web.pipeline import ReadOptions

__all__ = ["Web", "extract"]

T = TypeVar("T")


class Web:
    """`with Web() as web: page = web.read(url)`. One event loop in a thread of its own serves all calls."""

    def __init__(
        self, settings: Settings | None = None, *, replay: Path | str | None = None, record: Path | str | None = None
    ) -> None:
        """Take what `wellread.Web` takes."""
        self._portal_context = start_blocking_portal()
        self._web = AsyncWeb(settings, replay=replay, record=record)

    def __enter__(self) -> Self:
        """Start the event loop."""
        self._portal = self._portal_context.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        """Close everything and stop the event loop."""
        try:
            self._portal.call(self._web.aclose)
        finally:
            self._portal_context.__exit__(None, None, None)

    def read(self, url: str, **options: Unpack[ReadOptions]) -> Page:
        """Return the page at `url`; options and errors as in `wellread.Web.read`."""
        return self._run(lambda: self._web.read(url, **options))

    def search(
        self, query: str, *, count: int = 10, region: str | None = None, freshness: Freshness | None = None
    ) -> Found:
        """Return hits for `query`."""
        return self._run(lambda: self._web.search(query, count=count, region=region, freshness=freshness))

    def gather(self, question: str, *, num_results: int | None = None, gather_top: int | None = None) -> Gathered:
        """Return the passages that answer `question` best, each with its citation."""
        return self._run(lambda: self._web.gather(question, num_results=num_results, gather_top=gather_top))

    def gathering(
        self, question: str, *, num_results: int | None = None, gather_top: int | None = None
    ) -> Iterator[Step]:
        """Gather, and yield each step as it ends; closing the iterator ends the work."""
        work = self._web.gathering(question, num_results=num_results, gather_top=gather_top)
        block = self._portal.wrap_async_context_manager(work)
        steps = block.__enter__()
        try:
            while (step := self._run(lambda: anext(steps, None))) is not None:
                yield step
        finally:
            # What ends this generator early is nothing that the event loop may see: it would end with it.
            block.__exit__(None, None, None)

    def index(self, url: str, **options: Unpack[ReadOptions]) -> bool:
        """Read `url` and keep it in the local index."""
        return self._run(lambda: self._web.index(url, **options))

    def find(self, url: str, pattern: str, *, regex: bool = False, limit: int = 10) -> Spots:
        """Return where `pattern` stands in the page."""
        return self._run(lambda: self._web.find(url, pattern, regex=regex, limit=limit))

    def download(self, url: str, *, to: Path | str = ".", sha256: str | None = None) -> Download:
        """Save what is at `url`."""
        return self._run(lambda: self._web.download(url, to=to, sha256=sha256))

    def forget(self, url: str) -> bool:
        """Take `url` out of the local index."""
        return self._run(lambda: self._web.forget(url))

    def indexed(self) -> tuple[str, ...]:
        """Return the URLs that the local index holds."""
        return self._run(self._web.indexed)

    def verify(self, cited: Sequence[Passage], *, read_again: bool = False) -> tuple[Verdict, ...]:
        """Prove each passage against the snapshot that it cites."""
        return self._run(lambda: self._web.verify(cited, read_again=read_again))

    def _run(self, work: Callable[[], Awaitable[T]]) -> T:
        return self._portal.call(work)
