"""The JSON API, built from the registry: one route per operation, its OpenAPI, and routes for operators."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import anyio
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import HTTPException
from fastapi.responses import PlainTextResponse

from wellread import __version__
from wellread.apps import playground
from wellread.apps.http import metrics, problems
from wellread.apps.http.request_bodies import JSON, Arguments, Streamed, arguments_in_query, given_in, problem_answer
from wellread.apps.http.request_guard import REQUEST_ID
from wellread.apps.http.stream import EVENT_NAMES, EventStream, stepwise
from wellread.apps.mcp import CALLER
from wellread.apps.operations.browser_handlers import Picture
from wellread.apps.operations.registry import BY_NAME, OPERATIONS
from wellread.apps.profile_grants import Caller
from wellread.apps.serialize import as_json
from wellread.errors import WellreadError
from wellread.text.prompt_quoting import NOTE

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from wellread.apps.http.chat import AssistantRoutes
    from wellread.apps.http.crawl_routes import CrawlRoutes
    from wellread.apps.operations.dispatcher import OperationDispatcher, OperationResult, Tell
    from wellread.apps.operations.operation import Operation
    from wellread.apps.playground import PlaygroundFile

EVENTS = "text/event-stream"
PNG = "image/png"
WORDS = f"""Searches, reads and gathers the web for agents. Every operation takes a JSON object by POST and returns \
JSON; failures are problem details (RFC 9457) with a stable `code`. {NOTE}"""
_FAILURE: dict[str, Any] = {  # Any: JSON
    "description": "A problem",
    "content": {problems.MEDIA_TYPE: {"schema": problems.SCHEMA}},
}
_FAILURES = (400, 401, 403, 404, 405, 408, 413, 415, 421, 422, 429, 500, 502, 503, 504)


def api(
    dispatcher: OperationDispatcher,
    counted: metrics.Metrics,
    *,
    alongside: Callable[[], AbstractAsyncContextManager[None]],
    crawls: CrawlRoutes,
    talks: AssistantRoutes | None = None,
    recorded: Sequence[str] = (),
    metrics_sockets: Sequence[Path] = (),
) -> FastAPI:
    """Return the API over the dispatcher, with the assistant's routes if offered; `alongside` lives as the server does.

    `recorded` are the pages of the recording that is replayed, if one is. The other processes of the server tell their
    metrics at `metrics_sockets`.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None, None]:
        async with alongside():
            yield

    app = FastAPI(
        title="wellread", version=__version__, description=WORDS, lifespan=lifespan,
        # Their pages load scripts from another site's servers.
        docs_url=None, redoc_url=None,
        openapi_url=None,
    )  # fmt: skip
    _add_openapi(app)
    for operation in OPERATIONS:
        _add(app, operation, dispatcher)
    _add_read_by_get(app, dispatcher)
    _add_profiles(app, dispatcher)
    crawls.add_to(app)
    if talks:
        talks.add_to(app)

    _add_for_operators(app, dispatcher, counted, metrics_sockets)
    for file in playground.pages(playground.replayed(recorded)):
        app.add_api_route(file.path, _file_endpoint(file), methods=["GET"], include_in_schema=False)
    for failed in (HTTPException, 404, 405):
        app.add_exception_handler(failed, _unrouted)
    return app


def _add_openapi(app: FastAPI) -> None:
    """Offer the description of the API, which takes the CPU for a second when it is first made: in a thread."""

    @cache
    def document() -> bytes:
        return as_json(app.openapi(), indent=None).encode()

    async def endpoint() -> Response:
        return Response(await anyio.to_thread.run_sync(document), media_type=JSON)

    app.add_api_route("/openapi.json", endpoint, methods=["GET"], include_in_schema=False)


def _add_for_operators(
    app: FastAPI, dispatcher: OperationDispatcher, counted: metrics.Metrics, metrics_sockets: Sequence[Path]
) -> None:
    async def healthz() -> dict[str, str]:
        """Return that the process answers."""
        return {"status": "ok"}

    async def readyz() -> Response:
        """Return whether new work would be accepted."""
        if dispatcher.admission.open:
            return Response(as_json({"status": "ready"}), 200, media_type=JSON)
        return Response(as_json({"status": "busy"}), 503, media_type=JSON)

    async def counters() -> Response:
        """Return the metrics."""
        text = await anyio.to_thread.run_sync(counted.text_of_all, metrics_sockets)
        return Response(text, media_type=metrics.MEDIA_TYPE)

    app.add_api_route("/healthz", healthz, methods=["GET"], tags=["operators"])
    app.add_api_route("/readyz", readyz, methods=["GET"], tags=["operators"], responses={503: {"description": "Busy"}})
    app.add_api_route(
        "/metrics",
        counters,
        methods=["GET"],
        tags=["operators"],
        response_class=PlainTextResponse,
        responses={200: {"content": {metrics.MEDIA_TYPE: {"schema": {"type": "string"}}}}},
    )


def _add_read_by_get(app: FastAPI, dispatcher: OperationDispatcher) -> None:
    """Offer `web_read` by GET, for programs that only follow a URL; its arguments are the parameters of the query."""
    operation = BY_NAME["web_read"]
    schema = operation.arguments_schema

    async def endpoint(request: Request) -> Response:
        arguments = arguments_in_query(request.query_params.multi_items(), schema)
        caller = request.scope.get(CALLER)
        return await _watched(
            request, lambda: dispatcher.do(operation.name, arguments, interface="http", caller=caller)
        )

    parameters = [
        {"name": name, "in": "query", "required": name in schema["required"], "schema": field_schema}
        for name, field_schema in schema["properties"].items()
    ]
    answer = {"description": operation.title, "content": {JSON: {"schema": operation.result_schema(words=True)}}}
    app.add_api_route(
        operation.path,
        endpoint,
        methods=["GET"],
        operation_id=f"{operation.name}_by_get",
        summary=operation.title,
        description=operation.description,
        tags=["operations"],
        responses={200: answer, **dict.fromkeys(_FAILURES, _FAILURE)},
        openapi_extra={"parameters": parameters},
    )


def _add_profiles(app: FastAPI, dispatcher: OperationDispatcher) -> None:
    async def endpoint(request: Request) -> Response:
        names = dispatcher.grants.names(Caller("http", request.scope.get(CALLER)))
        return Response(as_json({"profiles": names}, indent=None), media_type=JSON)

    names_schema = {"type": "array", "items": {"type": "string"}}
    schema = {"type": "object", "properties": {"profiles": names_schema}, "required": ["profiles"]}
    app.add_api_route(
        "/v1/profiles",
        endpoint,
        methods=["GET"],
        operation_id="list_profiles",
        summary="List the names of the profiles that the owner granted to you",
        tags=["operations"],
        responses={200: {"description": "Success", "content": {JSON: {"schema": schema}}}},
    )


def _add(app: FastAPI, operation: Operation, dispatcher: OperationDispatcher) -> None:
    async def endpoint(request: Request) -> Response:
        arguments = await given_in(request)
        if not isinstance(arguments, Arguments):
            return problem_answer(arguments, request)
        caller = request.scope.get(CALLER)
        called = _chosen(operation, arguments.value)

        async def work(tell: Tell | None = None) -> OperationResult:
            return await dispatcher.do(called.name, arguments.value, interface="http", caller=caller, tell=tell)

        if called.streams and EVENTS in request.headers.get("accept", ""):
            return Streamed(EventStream(stepwise(work, _include(arguments.value)), request.scope[REQUEST_ID]))
        return await _watched(request, work)

    content: dict[str, Any] = {JSON: {"schema": operation.result_schema(words=True)}}  # Any: JSON
    if operation.result is Picture:
        content = {PNG: {"schema": {"type": "string", "format": "binary"}}}
    if operation.streams:
        content[EVENTS] = {
            "schema": {"type": "string", "description": f"{', '.join(EVENT_NAMES.values())}, passage, done, failure"}
        }
    answer = {"description": operation.title, "content": content, "links": _links(operation)}
    app.add_api_route(
        operation.path,
        endpoint,
        methods=["POST"],
        operation_id=operation.name,
        summary=operation.title,
        description=operation.description,
        tags=["operations"],
        responses={200: answer, **dict.fromkeys(_FAILURES, _FAILURE)},
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {JSON: {"schema": operation.arguments_schema, "example": dict(operation.example)}},
            }
        },
    )


def _chosen(operation: Operation, arguments: object) -> Operation:
    """Return the operation that a request is for: a read of `urls` is one of many pages."""
    if operation.name == "web_read" and isinstance(arguments, dict) and "urls" in arguments:
        return BY_NAME["web_read_many"]
    return operation


def _include(arguments: object) -> frozenset[str]:
    names = arguments.get("include") if isinstance(arguments, dict) else None
    if not isinstance(names, list):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str))


def _links(operation: Operation) -> dict[str, Any]:  # Any: JSON
    """Return the operations that continue the session that this one opens (OpenAPI, Link Object)."""
    result_fields, required = operation.result_schema()["properties"], operation.arguments_schema["required"]
    if "session" not in result_fields or "session" in required:
        return {}
    return {
        later_operation.name: {
            "operationId": later_operation.name,
            "requestBody": {"session": "$response.body#/session"},
        }
        for later_operation in OPERATIONS
        if "session" in later_operation.arguments_schema["required"]
    }


async def _watched(request: Request, work: Callable[[], Any]) -> Response:  # Any: a coroutine of an OperationResult
    """Run `work`, and cancel it when the caller disconnects."""
    answers: list[Response] = []

    async def run() -> None:
        try:
            answer = await work()
            if isinstance(answer.value, Picture):
                answers.append(Response(answer.value.png, media_type=PNG))
            elif answer.is_short:
                answers.append(Response(_encoded(answer), media_type=JSON))
            else:
                answers.append(Response(await anyio.to_thread.run_sync(_encoded, answer), media_type=JSON))
        except WellreadError as error:
            answers.append(problem_answer(problems.of(error), request))

    async def watch() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch)
        await run()
        tasks.cancel_scope.cancel()
    return answers[0] if answers else Response(status_code=499)


def _encoded(answer: OperationResult) -> bytes:
    return json.dumps(answer.data(), ensure_ascii=False).encode("utf-8", "replace")


def _file_endpoint(file: PlaygroundFile) -> Callable[[], Awaitable[Response]]:
    async def endpoint() -> Response:
        return Response(file.body, media_type=file.media_type, headers=playground.HEADERS)

    return endpoint


async def _unrouted(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    code = "method_not_allowed" if status == 405 else "not_found"
    allowed = getattr(error, "headers", None) or {}
    return problem_answer(
        problems.refusal(
            code,
            f"{request.method} {request.url.path[:100]} does not exist",
            hint="see /openapi.json",
            headers=tuple((name.lower(), value) for name, value in allowed.items()),
        ),
        request,
    )
