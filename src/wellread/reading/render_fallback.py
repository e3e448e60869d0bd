"""The render fallback: a page that HTTP alone cannot read is rendered in the browser and read again.

`auto` renders what came out thin or empty and waits for its scripts, `always` whatever is asked for. Either falls back
to the reading over HTTP, and says why. Rendered snapshots are kept beside the others, never in their place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from anyio import to_thread

from wellread.errors import BlockedAddress, Challenge, Empty, InvalidUrl, RedirectLoop, Robots, WellreadError
from wellread.reading.sandbox import ReadRequest
from wellread.reading.single_flight import SingleFlight
from wellread.reading.snapshot_building import MIN_CONFIDENCE
from wellread.reading.snapshot_lookup import partial_place, rendered_place
from wellread.types import Notice, Request

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from wellread.ports import Clock, Renderer, SnapshotStore
    from wellread.reading.sandbox import SandboxedReader
    from wellread.types import Mode, Render, Snapshot


SWITCHED_OFF = "rendering is disabled (set render.enabled=true)"

_LEAST_S = 1.0
"""The least time for rendering, where the reading over HTTP has left next to none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderRequest:
    """Which page is to be read, and how."""

    url: str
    keys: Sequence[str]
    """The places of its readings over HTTP, as `recall.places` gives them: the one for a new reading first."""
    mode: Mode = "balanced"
    render: Render = "auto"
    fresh: bool = False
    user_asked: bool = False
    timeout_s: float | None = None


def render_request(
    url: str,
    keys: Sequence[str],
    options: Mapping[str, Any],  # Any: a TypedDict
    timeout_s: float | None,
) -> RenderRequest:
    """Read the options of `read`, a TypedDict, as an order."""
    given_options = {name: options[name] for name in ("mode", "render", "fresh", "user_asked") if name in options}
    return RenderRequest(url=url, keys=keys, timeout_s=timeout_s, **given_options)


class ReadResult(NamedTuple):
    """A reading, and whether it was kept already."""

    snapshot: Snapshot
    cached: bool


@dataclass(slots=True)
class _HttpReading:
    """The reading over HTTP, or the error in its place."""

    done: ReadResult | None = None
    failure: Empty | Challenge | RedirectLoop | None = None


def wants_rendering(snapshot: Snapshot) -> bool:
    """Decide whether a reading over HTTP is so thin that scripts probably show the rest."""
    return _is_thin(snapshot) and not snapshot.rendered


def is_better(rendered: Snapshot, first: Snapshot) -> bool:
    """Return whether the rendered reading is the better one: it is, unless it lost text of the first."""
    return rendered.confidence >= min(first.confidence, MIN_CONFIDENCE)


def unrendered(done: ReadResult, why: str) -> ReadResult:
    """Return a reading that says why the page was not rendered."""
    return with_notice(done, Notice("not_rendered", f"the page was not rendered: {why}"))


def with_notice(done: ReadResult, notice: Notice) -> ReadResult:
    """Return a reading with a notice more, which is told and not kept."""
    extraction = replace(done.snapshot.extraction, notices=(*done.snapshot.extraction.notices, notice))
    return ReadResult(replace(done.snapshot, extraction=extraction), done.cached)


def _is_thin(snapshot: Snapshot) -> bool:
    return any(notice.code == "thin_content" for notice in snapshot.extraction.notices)


class RenderFallback:
    """Reads pages through the browser where that is asked for or needed."""

    def __init__(self, renderer: Renderer, *, reader: SandboxedReader, store: SnapshotStore, clock: Clock) -> None:
        """Take the parts."""
        self._renderer = renderer
        self._reader = reader
        self._store = store
        self._clock = clock
        self._flights: SingleFlight[ReadResult] = SingleFlight(WellreadError)

    async def read(self, order: RenderRequest, by_http: Callable[[], Awaitable[ReadResult]]) -> ReadResult:
        """Return the best reading of a page.

        Raises:
            WellreadError: as the reading over HTTP, where there is no other.
        """
        began = self._clock.monotonic()
        first = _HttpReading() if order.render == "always" else await self._first(by_http)
        if first.done is not None and not wants_rendering(first.done.snapshot):
            return first.done
        if order.timeout_s is not None:
            left_s = order.timeout_s - (self._clock.monotonic() - began)
            order = replace(order, timeout_s=max(left_s, _LEAST_S))
        try:
            rendered = await self._rendered(order)
        except (InvalidUrl, BlockedAddress, Robots):
            raise
        except WellreadError as error:
            return await self._without(error, first, by_http)
        if first.done is not None and not is_better(rendered.snapshot, first.done.snapshot):
            return first.done
        return rendered

    async def _first(self, by_http: Callable[[], Awaitable[ReadResult]]) -> _HttpReading:
        try:
            return _HttpReading(await by_http())
        except (Challenge, RedirectLoop) as error:  # a browser runs the check, and keeps cookies
            return _HttpReading(failure=error)
        except Empty as error:
            if not error.scripted:
                raise
            return _HttpReading(failure=error)

    async def _without(
        self, error: WellreadError, first: _HttpReading, by_http: Callable[[], Awaitable[ReadResult]]
    ) -> ReadResult:
        """Fall back to the reading over HTTP, and say why."""
        why = " ".join(part for part in (error.message, f"({error.hint})" if error.hint else "") if part)
        hint: str | None = f"the page was not rendered: {why}"
        if isinstance(first.failure, RedirectLoop):
            hint = first.failure.hint  # a browser is rarely the remedy, and the lack of one is not the cause
        elif isinstance(error, Empty):
            hint = "read another source; a browser shows no text either"
        elif isinstance(error, Challenge):
            hint = f"the browser gets a bot check, too: {Challenge.default_hint}"
        try:
            if first.failure is not None:
                raise first.failure
            return unrendered(first.done or await by_http(), why)
        except (Empty, Challenge, RedirectLoop) as failure:
            raise type(failure)(failure.message, url=failure.url, hint=hint, status=failure.status) from error

    async def _rendered(self, order: RenderRequest) -> ReadResult:
        places = [rendered_place(key) for key in order.keys]
        for place in places:
            stored = await to_thread.run_sync(self._store.get, place)
            if stored is not None and stored.fresh and not order.fresh:
                return ReadResult(stored.snapshot, cached=True)
        return await self._flights.run(places[0], lambda: self._render(order, places[0]))

    async def _render(self, order: RenderRequest, place: str) -> ReadResult:
        request = Request(url=order.url, user_asked=order.user_asked, timeout_s=order.timeout_s)
        rendering = await self._renderer.render(request)
        read_request = ReadRequest(url=order.url, mode=order.mode, notices=rendering.notices)
        snapshot = replace(await self._reader.read(rendering.response, read_request), rendered=True)
        if any(notice.code == "still_loading" for notice in rendering.notices):
            place = partial_place(snapshot)
        await to_thread.run_sync(lambda: self._store.put(place, snapshot))
        return ReadResult(snapshot, cached=False)
