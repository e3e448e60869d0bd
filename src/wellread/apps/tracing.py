"""Traces of steps: for an observer, and as spans where OpenTelemetry is in use.

A span says how long a step took, how it ended, and a few numbers. It never holds an address beyond its host, a query,
a key, or text of a page.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from wellread.errors import WellreadError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from opentelemetry.trace import Span

    from wellread.ports import Clock, Fact, Query, Renderer, Rendering, Searcher, Tell, Trace
    from wellread.types import Found, Request

    Listener = Callable[[str, str, float, dict[str, Fact]], None]


class Tracer:
    """The implementation of `ports.Trace`."""

    def __init__(self, clock: Clock) -> None:
        """Take the clock that measures steps."""
        self._clock = clock
        self.observe: Listener = _unobserved
        """Told of every step that has ended: its name, `ok` or the code of its failure, the seconds, and its facts."""

    @contextmanager
    def __call__(self, step: str, /, **facts: Fact) -> Iterator[Tell]:
        """Measure the block as one step; the yielded function adds facts."""
        started = self._clock.monotonic()
        code = "cancelled"
        with _span(step) as span:
            try:
                yield facts.update
                code = "ok"
            except Exception as error:
                code = error.code if isinstance(error, WellreadError) else "error"
                raise
            finally:
                if span is not None:
                    _write(span, code, facts)
                self.observe(step, code, self._clock.monotonic() - started, facts)


class TracedSearcher:
    """A searcher that traces each search as a step."""

    def __init__(self, searcher: Searcher, trace: Trace) -> None:
        """Take the searcher."""
        self._searcher = searcher
        self._trace = trace

    async def search(self, query: Query) -> Found:
        """Search, as the other does."""
        with self._trace("search") as tell:
            results = await self._searcher.search(query)
            tell(
                hits=len(results.hits),
                providers=",".join(f"{outcome.provider}:{outcome.code}" for outcome in results.outcomes),
            )
            return results


class TracedRenderer:
    """A renderer that traces each rendering as a step."""

    def __init__(self, renderer: Renderer, trace: Trace) -> None:
        """Take the renderer."""
        self._renderer = renderer
        self._trace = trace

    async def render(self, request: Request) -> Rendering:
        """Render, as the other does."""
        with self._trace("render") as tell:
            rendering = await self._renderer.render(request)
            tell(status=rendering.response.status, bytes=len(rendering.response.body))
            return rendering


@contextmanager
def continued(headers: dict[str, str]) -> Iterator[None]:
    """Continue the trace of a request's headers (https://www.w3.org/TR/trace-context/); other baggage is ignored."""
    if "traceparent" not in headers or "opentelemetry" not in sys.modules:
        yield
        return
    from opentelemetry import context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    token = context.attach(TraceContextTextMapPropagator().extract(headers))
    try:
        yield
    finally:
        context.detach(token)


def trace_id() -> str | None:
    """Return the id of the current trace as 32 hex digits; None outside of a trace."""
    if "opentelemetry" not in sys.modules:
        return None
    from opentelemetry import trace

    span_context = trace.get_current_span().get_span_context()
    if not span_context.is_valid:
        return None
    return f"{span_context.trace_id:032x}"


def _span(step: str) -> AbstractContextManager[Span | None]:
    # Who traces has loaded it before anything is read; for all others, loading it would cost more than it gives.
    if "opentelemetry" not in sys.modules:
        return nullcontext()
    from opentelemetry import trace

    # FastAPI loads it, too. Without a provider nobody receives the spans, and their context changes nothing.
    if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        return nullcontext()
    # Exceptions are not recorded: their messages name addresses.
    return trace.get_tracer("wellread").start_as_current_span(
        f"wellread.{step}", record_exception=False, set_status_on_exception=False
    )


def _write(span: Span, code: str, facts: dict[str, Fact]) -> None:
    span.set_attributes({f"wellread.{name}": value for name, value in facts.items()})
    if code != "ok":
        from opentelemetry.trace import StatusCode

        span.set_attribute("error.type", code)
        span.set_status(StatusCode.ERROR, code)


def _unobserved(_step: str, _code: str, _seconds: float, _facts: dict[str, Fact]) -> None:
    """Count nothing."""
