"""The routes of crawls that run as jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from anyio import to_thread
from fastapi import Request, Response
from fastapi.responses import StreamingResponse

from wellread.apps.http import problems
from wellread.apps.http.crawl_jobs import CrawlJobArguments, JobState
from wellread.apps.http.request_bodies import JSON, Arguments, Streamed, given_in, problem_answer
from wellread.apps.http.request_guard import REQUEST_ID
from wellread.apps.http.stream import EventStream
from wellread.apps.mcp import CALLER
from wellread.apps.operations.operation_schemas import arguments_schema, parsed_arguments
from wellread.apps.serialize import as_json
from wellread.crawl.crawl_folder import PAGES
from wellread.errors import InvalidInput, WellreadError
from wellread.types import CrawlState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from enum import Enum

    from fastapi import FastAPI

    from wellread.apps.http.crawl_jobs import CrawlJob, CrawlJobs
    from wellread.apps.http.stream import Emit
    from wellread.apps.operations.operation_schemas import Schema

PATH = "/v1/crawl"
MAX_PIECE = 100
"""Lines of one answer."""
_TAGS: list[str | Enum] = ["crawls"]
_FACTS: Schema = {"anyOf": [{"type": "object"}, {"type": "null"}]}
_STATE: Schema = {"type": "string", "enum": list(get_args(JobState))}
_STATUS: Schema = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "state": _STATE,
        "arguments": {"type": "object", "description": "The arguments of the crawl, without the webhook."},
        "created_at": {"type": "number", "description": "Seconds since the epoch."},
        "progress": {**_FACTS, "description": "Counts of URLs by state, traps, bytes; null before the crawl begins."},
        "error": {**_FACTS, "description": "The failure of the job."},
        "webhook_error": {**_FACTS, "description": "Why the webhook could not be posted."},
    },
    "required": ["id", "state", "arguments", "created_at", "progress", "error", "webhook_error"],
    "additionalProperties": False,
}
_PAGES: Schema = {
    "type": "object",
    "properties": {
        "pages": {
            "type": "array",
            "items": {
                "type": "object",
                "description": "A line of the output of `wellread crawl`: a page, or why there is none.",
                "properties": {
                    "url": {"type": "string"},
                    "state": {"type": "string", "enum": list(get_args(CrawlState))},
                },
                "required": ["url", "state"],
            },
        },
        "cursor": {"type": "integer", "description": "Where the next piece begins."},
        "state": _STATE,
    },
    "required": ["pages", "cursor", "state"],
    "additionalProperties": False,
}
_JOBS: Schema = {
    "type": "object",
    "properties": {"jobs": {"type": "array", "items": _STATUS}},
    "required": ["jobs"],
    "additionalProperties": False,
}
_JSONL = "application/jsonl"


class CrawlRoutes:
    """Start, list, status, events, pages, pause, resumption and cancellation of crawls."""

    def __init__(self, jobs: CrawlJobs) -> None:
        """Take the jobs of the server."""
        self._jobs = jobs

    def add_to(self, app: FastAPI) -> None:
        """Add the routes to `app`."""
        body = {"required": True, "content": {JSON: {"schema": arguments_schema(CrawlJobArguments)}}}
        app.add_api_route(
            PATH, self._start, methods=["POST"], operation_id="start_crawl", summary="Start a crawl", tags=_TAGS,
            status_code=202, responses={202: _described(JSON, _STATUS)}, openapi_extra={"requestBody": body},
        )  # fmt: skip
        app.add_api_route(
            PATH, self._list, methods=["GET"], operation_id="list_crawls", summary="List your crawls, newest first",
            tags=_TAGS, responses={200: _described(JSON, _JOBS)},
        )  # fmt: skip
        status, pages = _described(JSON, _STATUS), _described(JSON, _PAGES)
        lines = _described(_JSONL, {"type": "string", "description": "One JSON object a line."})
        events = _described("text/event-stream", {"type": "string", "description": "record, done, failure"})
        for path, endpoint, operation_id, summary, answer in (
            ("/{job_id}", self._status, "crawl_status", "Return the state and the progress of a crawl", status),
            ("/{job_id}/pages", self._pages, "crawl_pages", "Return a piece of the pages of a crawl", pages),
            (
                "/{job_id}/pages.jsonl",
                self._pages_file,
                "crawl_pages_file",
                "Return the pages of a crawl as a file",
                lines,
            ),
            ("/{job_id}/events", self._events, "crawl_events", "Send each URL as an event when it is done", events),
        ):
            app.add_api_route(
                PATH + path, endpoint, methods=["GET"], operation_id=operation_id, summary=summary, tags=_TAGS,
                responses={200: answer},
            )  # fmt: skip
        for path, endpoint, operation_id, summary in (
            ("/{job_id}/pause", self._pause, "pause_crawl", "Pause a crawl"),
            ("/{job_id}/resume", self._resume, "resume_crawl", "Continue a paused crawl"),
        ):
            app.add_api_route(
                PATH + path, endpoint, methods=["POST"], operation_id=operation_id, summary=summary, tags=_TAGS,
                responses={200: status},
            )  # fmt: skip
        app.add_api_route(
            PATH + "/{job_id}", self._cancel, methods=["DELETE"], operation_id="cancel_crawl",
            summary="Cancel a crawl; its pages stay", tags=_TAGS, responses={200: status},
        )  # fmt: skip

    async def _start(self, request: Request) -> Response:
        arguments = await given_in(request)
        if not isinstance(arguments, Arguments):
            return problem_answer(arguments, request)
        try:
            parsed: Any = parsed_arguments(CrawlJobArguments, arguments.value, operation="crawl")  # Any: by its class
            job = await self._jobs.start(parsed, _caller(request))
            return await _status_answer(job, 202, webhook_secret=self._jobs.webhook_secret(job))
        except WellreadError as error:
            return problem_answer(problems.of(error), request)

    async def _status(self, request: Request, job_id: str) -> Response:
        try:
            return await _status_answer(self._jobs.job(job_id, _caller(request)))
        except WellreadError as error:
            return problem_answer(problems.of(error), request)

    async def _cancel(self, request: Request, job_id: str) -> Response:
        return await self._changed(request, job_id, self._jobs.cancel)

    async def _pause(self, request: Request, job_id: str) -> Response:
        return await self._changed(request, job_id, self._jobs.pause)

    async def _resume(self, request: Request, job_id: str) -> Response:
        return await self._changed(request, job_id, self._jobs.resume)

    async def _changed(self, request: Request, job_id: str, change: Callable[[CrawlJob], Awaitable[None]]) -> Response:
        try:
            job = self._jobs.job(job_id, _caller(request))
            await change(job)
            return await _status_answer(job)
        except WellreadError as error:
            return problem_answer(problems.of(error), request)

    async def _list(self, request: Request) -> Response:
        jobs = self._jobs.jobs(_caller(request))
        statuses = await to_thread.run_sync(lambda: [job.status() for job in jobs])
        return Response(as_json({"jobs": statuses}, indent=None), media_type=JSON)

    async def _pages_file(self, request: Request, job_id: str) -> Response:
        try:
            job = self._jobs.job(job_id, _caller(request))
        except WellreadError as error:
            return problem_answer(problems.of(error), request)
        size = await self._jobs.whole_lines_size(job)
        headers = {"content-length": str(size), "content-disposition": f'attachment; filename="{PAGES}"'}
        return StreamingResponse(self._jobs.pages_file(job, size), headers=headers, media_type=_JSONL)

    async def _pages(self, request: Request, job_id: str) -> Response:
        try:
            job = self._jobs.job(job_id, _caller(request))
            limit = _count(request, "limit", MAX_PIECE, most=MAX_PIECE)
            rows, end = await self._jobs.piece(job, _count(request, "cursor", 0), limit)
        except WellreadError as error:
            return problem_answer(problems.of(error), request)
        answer = {"pages": rows, "cursor": end, "state": job.state}
        return Response(await to_thread.run_sync(lambda: as_json(answer, indent=None)), media_type=JSON)

    async def _events(self, request: Request, job_id: str) -> Response:
        try:
            job, cursor = self._jobs.job(job_id, _caller(request)), _count(request, "cursor", 0)
        except WellreadError as error:
            return problem_answer(problems.of(error), request)

        async def work(emit: Emit) -> None:
            async for fields in self._jobs.events(job, cursor):
                await emit("record", fields)
            await emit("done", await to_thread.run_sync(job.status))

        return Streamed(EventStream(work, request.scope[REQUEST_ID]))


def _described(media_type: str, schema: Schema) -> dict[str, Any]:  # Any: JSON
    return {"description": "Success", "content": {media_type: {"schema": schema}}}


async def _status_answer(job: CrawlJob, status_code: int = 200, *, webhook_secret: str | None = None) -> Response:
    status = await to_thread.run_sync(job.status)
    if webhook_secret is not None:
        status["webhook_secret"] = webhook_secret
    return Response(as_json(status, indent=None), status_code, media_type=JSON)


def _caller(request: Request) -> str:
    return request.scope.get(CALLER) or ""


def _count(request: Request, name: str, default: int, *, most: int = 10**15) -> int:
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most):
        raise InvalidInput(f"{name} {text[:40]!r} is not a number up to {most}", hint=f"leave {name} out")
    return int(text)
