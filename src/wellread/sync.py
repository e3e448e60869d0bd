"""The same `Web` for code without an event loop: every call runs the same coroutine to its end.

`Web` and `Tab` take their methods from the asynchronous classes, with their docstrings. `sync.pyi` declares them for
type checkers; `make stub` writes it.
"""

from __future__ import annotations

import inspect
import math
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Self, TypeVar

from anyio.from_thread import start_blocking_portal

from wellread.apps.build import Web as AsyncWeb
from wellread.apps.local_reading import extract
from wellread.browser.browse.browse_session import BrowseSession
from wellread.net.background_tasks import SharedContext

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from anyio.from_thread import BlockingPortal

    from wellread.config import Settings
    from wellread.crawl.crawl import Crawl
    from wellread.net.ordered_results import OrderedResults
    from wellread.types import CrawlRecord

__all__ = ["Tab", "Web", "extract"]

C = TypeVar("C", bound=type)
T = TypeVar("T")

_NOT_BLOCKING = frozenset({"aclose", "finish", "save", "sign_in", "watcher"})
"""Methods for the interfaces of this package, and those that the end of a block calls."""


def _blocking_methods(asynchronous: type) -> Callable[[C], C]:
    """Give a class the public methods and properties of `asynchronous`, as blocking calls."""

    def decorate(cls: C) -> C:
        for name, attribute in inspect.getmembers_static(asynchronous):
            if name.startswith("_") or name in _NOT_BLOCKING:
                continue
            if isinstance(attribute, property):
                setattr(cls, name, _blocking_property(attribute))
            elif inspect.isfunction(attribute):
                setattr(cls, name, _blocking_method(attribute))
        return cls

    return decorate


def _blocking_property(attribute: property) -> property:
    @wraps(attribute.fget)
    def get(self: Web | Tab) -> Any:  # Any: whatever the property returns
        return attribute.fget(self._target)

    return property(get)


def _blocking_method(method: Callable[..., Any]) -> Callable[..., Any]:  # Any: whatever the methods take and return
    """Return `method` as one that returns a result, an iterator or a context manager of code without an event loop."""
    signature = inspect.signature(method)
    adapt, returns = _adapter(signature.return_annotation)

    @wraps(method)
    def call(self: Web | Tab, *args: Any, **options: Any) -> Any:  # Any: as above
        return adapt(self._portal, self._call(lambda target: method(target, *args, **options)))

    call.__signature__ = signature.replace(return_annotation=returns)
    return call


def _adapter(returns: str) -> tuple[Callable[[BlockingPortal, Any], Any], str]:  # Any: as above
    """Return the function that adapts what a method returns, by its annotation, and the annotation after that."""
    if returns.startswith("OrderedResults[str, "):
        return _iterate_results, returns.replace("OrderedResults[str, ", "Iterator[")
    if returns == "Crawl":
        return _iterate_results, "Iterator[CrawlRecord]"
    if returns.startswith("AbstractAsyncContextManager[AsyncIterator["):
        return _iterate_in_context, returns.removeprefix("AbstractAsyncContextManager[Async").removesuffix("]")
    if returns == "AsyncGenerator[BrowseSession, None]":
        return _tab, "AbstractContextManager[Tab]"
    return _unchanged, returns


def _unchanged(_portal: BlockingPortal, result: T) -> T:
    return result


def _iterate_results(portal: BlockingPortal, results: OrderedResults[str, T] | Crawl) -> Iterator[T | CrawlRecord]:
    """Yield results as they come; closing the iterator ends the work."""
    try:
        while (result := portal.call(anext, results, None)) is not None:
            yield result
    finally:
        portal.call(results.aclose)


def _iterate_in_context(portal: BlockingPortal, context: AbstractAsyncContextManager[AsyncIterator[T]]) -> Iterator[T]:
    """Yield what a context manager's iterator yields; closing the iterator leaves the context."""
    with _opened(portal, context) as shared_context:
        while (result := portal.call(anext, shared_context.value, None)) is not None:
            yield result


@contextmanager
def _tab(portal: BlockingPortal, context: AbstractAsyncContextManager[BrowseSession]) -> Iterator[Tab]:
    with _opened(portal, context) as shared_context:
        yield Tab(shared_context, portal)


@contextmanager
def _opened(portal: BlockingPortal, context: AbstractAsyncContextManager[T]) -> Iterator[SharedContext[T]]:
    """Enter and leave `context` in one task, while calls in other tasks use its value."""
    shared_context = SharedContext(context, idle_s=math.inf)
    portal.call(shared_context.open)
    try:
        yield shared_context
    finally:
        portal.call(shared_context.close)
    if shared_context.failure is not None:
        raise shared_context.failure


@_blocking_methods(AsyncWeb)
class Web:
    """`with Web() as web: page = web.read(url)`. One event loop in a thread of its own serves all calls.

    The methods are those of `wellread.Web` without `async` and `await`. `gathering`, `read_many` and `download_many`
    return iterators, and closing one ends its work; `with web.browse(url) as tab: tab.click(3)`.
    """

    def __init__(
        self, settings: Settings | None = None, *, replay: Path | str | None = None, record: Path | str | None = None
    ) -> None:
        """Take the arguments of `wellread.Web`."""
        self._portal_context = start_blocking_portal()
        self._target = AsyncWeb(settings, replay=replay, record=record)

    def __enter__(self) -> Self:
        """Start the event loop."""
        self._portal = self._portal_context.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        """Close everything and stop the event loop."""
        try:
            self._portal.call(self._target.aclose)
        finally:
            self._portal_context.__exit__(None, None, None)

    def _call(self, work: Callable[[AsyncWeb], Awaitable[T] | T]) -> T:
        return self._portal.call(work, self._target)


@_blocking_methods(BrowseSession)
class Tab:
    """A tab of a browser session; see `wellread.browser.browse.browse_session.BrowseSession`."""

    def __init__(self, shared_context: SharedContext[BrowseSession], portal: BlockingPortal) -> None:
        """Take the session, and the event loop that it runs in."""
        self._shared_context = shared_context
        self._target = shared_context.value
        self._portal = portal

    def _call(self, work: Callable[[BrowseSession], Awaitable[T] | T]) -> T:
        async def call_in_session() -> T:
            async with self._shared_context.use() as session:
                result = work(session)
                if inspect.isawaitable(result):
                    return await result
                return result

        return self._portal.call(call_in_session)
