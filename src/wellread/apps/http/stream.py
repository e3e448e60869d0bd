"""Results as server-sent events.

A gather: hits, pages and misses as they come, then each passage, then the whole. An answer: the same events, then the
answer. A research: its plan, the finding of each query, then the report. Many pages: each result as its turn comes,
then how many there were.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread

from wellread.apps.http import problems
from wellread.apps.operations.dispatcher import without_long_lists
from wellread.apps.operations.results import PageResult, PageResults
from wellread.apps.operations.step_events import Event, PageRead, Searched
from wellread.apps.serialize import as_plain
from wellread.errors import WellreadError
from wellread.types import Gathered, Missed, ResearchFinding, ResearchPlan

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.apps.http.request_guard import Message, Receive, Send
    from wellread.apps.operations.dispatcher import OperationResult, Tell

    Emit = Callable[[str, object], Awaitable[None]]

PULSE_S = 15.0
"""A comment is sent this often, so that no proxy closes the stream as dead."""


EVENT_NAMES: dict[type, str] = {
    Searched: "hits",
    PageRead: "page",
    Missed: "missed",
    PageResult: "result",
    ResearchPlan: "plan",
    ResearchFinding: "finding",
}
"""The steps that are events of their own."""


def stepwise(
    work: Callable[[Tell], Awaitable[OperationResult]], include: frozenset[str]
) -> Callable[[Emit], Awaitable[None]]:
    """Return an operation that reports its steps as work that emits events; `include` as in the arguments."""

    async def run(emit: Emit) -> None:
        async def tell(event: Event) -> None:
            if isinstance(event, Gathered):
                for passage in event.passages:
                    await emit("passage", as_plain(passage))
                return
            if isinstance(event, PageResult):
                fields = await to_thread.run_sync(without_long_lists, event, include)
            else:
                fields = as_plain(event)
            await emit(EVENT_NAMES[type(event)], fields)

        answer = await work(tell)
        if isinstance(answer.value, PageResults):
            await emit("done", {"count": len(answer.value.results), "failed": answer.value.failed})
            return
        if isinstance(answer.value, Gathered):
            await tell(answer.value)
        await emit("done", await to_thread.run_sync(answer.data))

    return run


class EventStream:
    """An ASGI response: the events of one piece of work, which is cancelled when the caller disconnects."""

    def __init__(self, work: Callable[[Emit], Awaitable[None]], request_id: str) -> None:
        """Take the work, which is called with the function that emits its events."""
        self._work = work
        self._request_id = request_id
        self._events, self._sent = anyio.create_memory_object_stream[bytes](math.inf)

    async def __call__(self, _scope: Message, receive: Receive, send: Send) -> None:
        """Send the events. A failure before the first is a plain problem with its status."""
        failed: list[problems.Problem] = []
        async with self._sent, anyio.create_task_group() as tasks:
            tasks.start_soon(self._run, failed)
            tasks.start_soon(_cancel_when_gone, receive, tasks.cancel_scope)
            event = await self._next(forever=True)
            if event is None:
                await _plain(send, failed[0], self._request_id)
            else:
                await _begin(send)
                while event is not None:
                    await send({"type": "http.response.body", "body": event, "more_body": True})
                    event = await self._next()
                for problem in failed:
                    body = _event("failure", problem.body(self._request_id))
                    await send({"type": "http.response.body", "body": body, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
            tasks.cancel_scope.cancel()

    async def _run(self, failed: list[problems.Problem]) -> None:
        async with self._events:
            try:
                await self._work(self._emit)
            except WellreadError as error:
                failed.append(problems.of(error))

    async def _emit(self, name: str, data: object) -> None:
        await self._events.send(await to_thread.run_sync(_event, name, data))

    async def _next(self, *, forever: bool = False) -> bytes | None:
        try:
            with anyio.move_on_after(None if forever else PULSE_S):
                return await self._sent.receive()
        except anyio.EndOfStream:
            return None
        return b": still at it\n\n"


def _event(name: str, data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode("utf-8", "replace")


async def _cancel_when_gone(receive: Receive, scope: anyio.CancelScope) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def _begin(send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _plain(send: Send, problem: problems.Problem, request_id: str) -> None:
    headers = [(b"content-type", problems.MEDIA_TYPE.encode("ascii"))]
    headers += [(name.encode("ascii"), value.encode("ascii")) for name, value in problem.headers]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": problem.encoded(request_id)})
