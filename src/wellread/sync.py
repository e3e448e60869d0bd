"""The same `Web` for code without an event loop: every call runs the same coroutine to its end."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self, TypeVar

from anyio.from_thread import start_blocking_portal

from wellread.apps.build import Web as AsyncWeb
from wellread.apps.build import extract
from wellread.net.background_tasks import SharedContext

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import Unpack

    from anyio.from_thread import BlockingPortal

    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.browser.browse.targets import ClickOptions, HoverOptions, TypeOptions
    from wellread.config import Settings
    from wellread.errors import WellreadError
    from wellread.net.downloads import Download
    from wellread.net.ordered_results import OrderedResults
    from wellread.ports import Freshness
    from wellread.reading.find import Matches
    from wellread.reading.read_options import ReadOptions
    from wellread.types import Found, Gathered, Page, PageSnapshot, Passage, Render, Step, Verdict

__all__ = ["Tab", "Web", "extract"]

T = TypeVar("T")


class Web:
    """`with Web() as web: page = web.read(url)`. One event loop in a thread of its own serves all calls."""

    def __init__(
        self, settings: Settings | None = None, *, replay: Path | str | None = None, record: Path | str | None = None
    ) -> None:
        """Take the arguments of `wellread.Web`."""
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

    def read_many(
        self, urls: Iterable[str], *, concurrency: int = 8, **options: Unpack[ReadOptions]
    ) -> Iterator[Page | WellreadError]:
        """Read several pages at a time, and yield each page or error in the order of `urls`."""
        return self._each(self._web.read_many(urls, concurrency=concurrency, **options))

    def search(
        self,
        query: str,
        *,
        count: int = 10,
        region: str | None = None,
        freshness: Freshness | None = None,
        provider: str | None = None,
    ) -> Found:
        """Return hits for `query`."""
        return self._run(
            lambda: self._web.search(query, count=count, region=region, freshness=freshness, provider=provider)
        )

    def gather(
        self,
        question: str,
        *,
        num_results: int | None = None,
        gather_top: int | None = None,
        provider: str | None = None,
    ) -> Gathered:
        """Return the passages that answer `question` best, each with its citation."""
        return self._run(
            lambda: self._web.gather(question, num_results=num_results, gather_top=gather_top, provider=provider)
        )

    def gathering(
        self,
        question: str,
        *,
        num_results: int | None = None,
        gather_top: int | None = None,
        provider: str | None = None,
    ) -> Iterator[Step]:
        """Gather, and yield each step as it ends; closing the iterator ends the work."""
        work = self._web.gathering(question, num_results=num_results, gather_top=gather_top, provider=provider)
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

    def find(self, url: str, pattern: str, *, regex: bool = False, limit: int = 10, render: Render = "auto") -> Matches:
        """Return where `pattern` stands in the page."""
        return self._run(lambda: self._web.find(url, pattern, regex=regex, limit=limit, render=render))

    def download(
        self,
        url: str,
        *,
        to: Path | str = ".",
        sha256: str | None = None,
        skip_existing: bool = False,
        overwrite: bool = False,
    ) -> Download:
        """Save the file at `url`."""
        return self._run(
            lambda: self._web.download(url, to=to, sha256=sha256, skip_existing=skip_existing, overwrite=overwrite)
        )

    def download_many(
        self,
        urls: Iterable[str],
        *,
        to: Path | str = ".",
        skip_existing: bool = False,
        overwrite: bool = False,
        concurrency: int = 4,
    ) -> Iterator[Download | WellreadError]:
        """Save several files into a folder, and yield each file or error in the order of `urls`."""
        return self._each(
            self._web.download_many(
                urls, to=to, skip_existing=skip_existing, overwrite=overwrite, concurrency=concurrency
            )
        )

    def forget(self, url: str) -> bool:
        """Take `url` out of the local index."""
        return self._run(lambda: self._web.forget(url))

    def indexed(self) -> tuple[str, ...]:
        """Return the URLs that the local index holds."""
        return self._run(self._web.indexed)

    def verify(self, cited: Sequence[Passage], *, read_again: bool = False) -> tuple[Verdict, ...]:
        """Prove each passage against the snapshot that it cites."""
        return self._run(lambda: self._web.verify(cited, read_again=read_again))

    @contextmanager
    def browse(self, url: str, *, profile: str | None = None, user_asked: bool = False) -> Iterator[Tab]:
        """Open `url` in a browser session: `with web.browse(url) as tab: tab.click(3)`."""
        block = self._web.browse(url, profile=profile, user_asked=user_asked)
        held_tab = SharedContext(block, idle_s=math.inf)
        self._run(held_tab.open)
        try:
            yield Tab(held_tab, self._portal)
        finally:
            self._run(held_tab.close)
        if held_tab.failure is not None:
            raise held_tab.failure

    def _each(self, results: OrderedResults[str, T]) -> Iterator[T]:
        try:
            while (result := self._run(lambda: anext(results, None))) is not None:
                yield result
        finally:
            self._run(results.aclose)

    def _run(self, work: Callable[[], Awaitable[T]]) -> T:
        return self._portal.call(work)


class Tab:
    """A tab of a browser session; see `wellread.browser.browse.browse_session.BrowseSession`."""

    def __init__(self, held_tab: SharedContext[BrowseSession], portal: BlockingPortal) -> None:
        """Take the session, and the event loop that it runs in."""
        self._held_tab = held_tab
        self._portal = portal

    @property
    def snapshot(self) -> PageSnapshot:
        """The last snapshot of the tab."""
        return self._held_tab.value.snapshot

    def go(self, url: str) -> PageSnapshot:
        """Open `url`."""
        return self._do(lambda tab: tab.go(url))

    def back(self) -> PageSnapshot:
        """Go back in the tab's history."""
        return self._do(lambda tab: tab.back())

    def switch(self, number: int) -> PageSnapshot:
        """Show another tab, by its number in `snapshot.tabs`."""
        return self._do(lambda tab: tab.switch(number))

    def scroll(self, down: float = 1.0, *, right: float = 0.0, index: int | None = None) -> PageSnapshot:
        """Scroll by screens."""
        return self._do(lambda tab: tab.scroll(down, right=right, index=index))

    def close_tab(self, number: int) -> PageSnapshot:
        """Close a tab, by its number in `snapshot.tabs`."""
        return self._do(lambda tab: tab.close_tab(number))

    def wait(
        self,
        *,
        selector: str | None = None,
        text: str | None = None,
        gone: bool = False,
        download: bool = False,
        timeout_s: float | None = None,
    ) -> PageSnapshot:
        """Wait until an element or a text appears or disappears, downloads have ended, or the page has settled."""
        return self._do(
            lambda tab: tab.wait(selector=selector, text=text, gone=gone, download=download, timeout_s=timeout_s)
        )

    def click(self, index: int | None = None, **options: Unpack[ClickOptions]) -> PageSnapshot:
        """Click element `index`, or an element given by words, a selector or a point."""
        return self._do(lambda tab: tab.click(index, **options))

    def type(self, index: int | None, text: str, **options: Unpack[TypeOptions]) -> PageSnapshot:
        """Put `text` into field `index`; then press Enter with `submit`."""
        return self._do(lambda tab: tab.type(index, text, **options))

    def select(self, index: int, option: str) -> PageSnapshot:
        """Choose an option by its label or value."""
        return self._do(lambda tab: tab.select(index, option))

    def hover(self, index: int | None = None, **options: Unpack[HoverOptions]) -> PageSnapshot:
        """Move the pointer onto element `index`, or onto an element given by words, a selector or a point."""
        return self._do(lambda tab: tab.hover(index, **options))

    def drag(self, index: int, to: int | None = None, *, dx: float = 0.0, dy: float = 0.0) -> PageSnapshot:
        """Drag element `index` onto element `to`, or by pixels."""
        return self._do(lambda tab: tab.drag(index, to, dx=dx, dy=dy))

    def upload(self, index: int, *names: str) -> PageSnapshot:
        """Choose files of the workspace in file field `index`."""
        return self._do(lambda tab: tab.upload(index, *names))

    def drop(self, index: int, *names: str) -> PageSnapshot:
        """Drop files of the workspace on element `index`."""
        return self._do(lambda tab: tab.drop(index, *names))

    def press(self, key: str) -> PageSnapshot:
        """Press a key."""
        return self._do(lambda tab: tab.press(key))

    def look(self) -> PageSnapshot:
        """Take a new snapshot without any step."""
        return self._do(lambda tab: tab.look())

    def more(self, page: int) -> PageSnapshot:
        """Return a further page of the last snapshot."""
        return self._held_tab.value.more(page)

    def answer(self, how: str, *, prompt: str = "") -> None:
        """Answer questions of the page from now on: accept or dismiss."""
        self._held_tab.value.answer(how, prompt=prompt)

    def read(self) -> Page:
        """Read the page as it is now, as markdown."""
        return self._do(lambda tab: tab.read())

    def screenshot(self, path: Path | None = None, *, full: bool = False) -> bytes:
        """Return a picture of the window, or of the whole page, as PNG; `path` keeps it too."""
        return self._do(lambda tab: tab.screenshot(path, full=full))

    def _do(self, step: Callable[[BrowseSession], Awaitable[T]]) -> T:
        async def done() -> T:
            async with self._held_tab.use() as tab:
                return await step(tab)

        return self._portal.call(done)
