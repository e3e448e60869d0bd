"""The MCP server: the registry's operations as tools, results by schema, progress on the request's own stream.

One server speaks the protocol revisions 2026-07-28 (stateless) and 2025-11-25 (sessions); the SDK tells them apart.
Source: https://modelcontextprotocol.io/specification/2026-07-28/server/tools
"""

from __future__ import annotations

import base64
import json
import logging
import mimetypes
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

import anyio
from anyio import to_thread
from mcp import MCPError
from mcp import types as mcp
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from wellread import __version__
from wellread.apps.mcp_clients import result_form
from wellread.apps.operations import definitions, render_text
from wellread.apps.operations.browser_handlers import Picture
from wellread.apps.operations.registry import BY_NAME, OPERATIONS
from wellread.apps.operations.results import PageResult, Saved
from wellread.apps.operations.step_events import Event, PageRead, Searched
from wellread.apps.operations.workspace import URI as DOWNLOADS
from wellread.apps.serialize import error_json
from wellread.errors import ConfigError, Gone, WellreadError
from wellread.text.counts import count_of
from wellread.text.prompt_quoting import NOTE, quoted_web_text
from wellread.types import Gathered, Page, ResearchFinding, ResearchPlan

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from mcp.server import ServerRequestContext

    from wellread.apps.mcp_clients import Form
    from wellread.apps.operations.dispatcher import OperationDispatcher
    from wellread.apps.operations.operation import Operation
    from wellread.sections import McpAnswers

    Context = ServerRequestContext[Any, Any]  # Any: neither lifespan nor request is of one type

PAGES = "wellread://page/"
MAX_RESOURCE_BYTES = 2_000_000
"""Most that `resources/read` hands out at once."""
MAX_LISTED_FILES = 200
PROGRESS_S = 1.0
CALLER = "wellread.caller"
"""The entry of the ASGI scope with the name of a caller's key, set by the HTTP server."""

_log = logging.getLogger(__name__)

SLIM = "slim"
SLIM_TOOLS = ("web_search", "web_read")
"""The tools of the profile `slim`: together below 2,000 tokens of definitions."""
INSTRUCTIONS = f"""Reads and searches the web. To answer a question with citations, use web_gather. To read one page, \
use web_read, and continue with its cursor. To find candidates only, use web_search. To operate a page (forms, \
buttons, menus), use browse_url and the page tools; they cost more. {NOTE} Every failure has a code and a hint \
with the next step."""


def server(
    open_dispatcher: Callable[[], Awaitable[OperationDispatcher]],
    *,
    answers: McpAnswers = "auto",
    tools: Sequence[str] = (),
    tools_listed: anyio.Event | None = None,
) -> Server[Any]:  # Any: no lifespan
    """Return an MCP server over the dispatcher, which is opened by the first call; `tools_listed` is set on listing.

    `tools` are those of the setting `server.mcp_tools`.

    Raises:
        ConfigError: there is no such tool.
    """
    offer = offered(tools)
    handlers = _Handlers(open_dispatcher, answers=answers, offer=offer, tools_listed=tools_listed or anyio.Event())
    return Server(
        "wellread",
        version=__version__,
        title="wellread",
        instructions=INSTRUCTIONS,
        # Else the SDK lists all tools again for each call by HTTP, to look for arguments that a header must repeat.
        get_tool_input_schema=_without_headers,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


async def run_stdio(
    open_dispatcher: Callable[[AsyncExitStack], Awaitable[OperationDispatcher]],
    *,
    answers: McpAnswers,
    tools: Sequence[str] = (),
) -> None:
    """Serve one client over standard input and output until it disconnects."""
    async with AsyncExitStack() as stack:
        dispatcher = LazyDispatcher(lambda: open_dispatcher(stack))
        tools_listed = anyio.Event()
        mcp_server = server(dispatcher.get, answers=answers, tools=tools, tools_listed=tools_listed)
        async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
            # The parts load once the client has what it waits for, the list of tools, while a model ponders over it.
            tasks.start_soon(_open, dispatcher, tools_listed)
            await mcp_server.run(incoming, outgoing, mcp_server.create_initialization_options())
            tasks.cancel_scope.cancel()


async def _open(dispatcher: LazyDispatcher, tools_listed: anyio.Event) -> None:
    await tools_listed.wait()
    try:
        await dispatcher.get()
    except WellreadError as error:
        # Each call will say so to its caller; this is for the person who reads the log.
        _log.warning("%s: %s (%s)", error.code, error.message, error.hint)


class LazyDispatcher:
    """A dispatcher that is opened once, by the first call."""

    def __init__(self, open_dispatcher: Callable[[], Awaitable[OperationDispatcher]]) -> None:
        """Take the function that opens the dispatcher."""
        self._open = open_dispatcher
        self._turn = anyio.Lock()
        self._dispatcher: OperationDispatcher | None = None

    async def get(self) -> OperationDispatcher:
        """Return the dispatcher, opened first if needed."""
        async with self._turn:
            if self._dispatcher is None:
                self._dispatcher = await self._open()
            return self._dispatcher


class _Handlers:
    def __init__(
        self,
        open_dispatcher: Callable[[], Awaitable[OperationDispatcher]],
        *,
        answers: McpAnswers,
        offer: Offer,
        tools_listed: anyio.Event,
    ) -> None:
        self._open_dispatcher = open_dispatcher
        self._names = frozenset(operation.name for operation in offer.operations)
        self._listed = tools_listed
        self._answers = answers
        self._tools = _tools(offer.operations, structured=not offer.is_slim)
        self._text_tools = _tools(offer.operations, structured=False)

    async def list_tools(self, context: Context, _params: object) -> mcp.ListToolsResult:
        self._listed.set()
        # A tool with an output schema must give structured results; where there are none, it has no schema.
        text_only = self._form(context) == "text"
        return mcp.ListToolsResult(
            tools=self._text_tools if text_only else self._tools,
            ttl_ms=3_600_000,
            # By `auto` the list depends on the client, so that no cache may hand it to another one.
            cache_scope="private" if self._answers == "auto" else "public",
        )

    async def call_tool(self, context: Context, params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
        if params.name not in self._names:
            raise MCPError(
                mcp.INVALID_PARAMS,
                f"Unknown tool: {params.name[:60]}",
                {"tools": [tool.name for tool in self._tools]},
            )
        progress = _Progress(context)
        try:
            dispatcher = await self._open_dispatcher()
            answer = await dispatcher.do(
                params.name, params.arguments or {}, interface="mcp", caller=_caller(context), tell=progress.tell
            )
        except WellreadError as error:
            return _result(render_text.failure_text(error), error_json(error), self._form(context), is_error=True)
        # Here and now, in no thread: texts are handed on as they are, and lists are bounded.
        return _result(answer.text(), answer.data(), self._form(context), attachment=_attachment(answer.value))

    def _form(self, context: Context) -> Form:
        return result_form(self._answers, _client_name(context))

    async def list_resources(self, _context: Context, _params: object) -> mcp.ListResourcesResult:
        dispatcher = await self._open_dispatcher()
        files = await to_thread.run_sync(dispatcher.workspace.files)
        return mcp.ListResourcesResult(
            resources=[
                mcp.Resource(name=name, uri=DOWNLOADS + quote(name), size=size, mime_type=_mime_type(name))
                for name, size in files[:MAX_LISTED_FILES]
            ],
            ttl_ms=0,
            cache_scope="private",
        )

    async def list_templates(self, _context: Context, _params: object) -> mcp.ListResourceTemplatesResult:
        return mcp.ListResourceTemplatesResult(
            resource_templates=[
                mcp.ResourceTemplate(
                    name="page",
                    title="A page that was read",
                    uri_template=PAGES + "{snapshot_id}",
                    description="The whole text of a page by its snapshot_id, while it is stored.",
                    mime_type="text/markdown",
                ),
                mcp.ResourceTemplate(
                    name="download",
                    title="A file that was downloaded",
                    uri_template=DOWNLOADS + "{name}",
                    description="A file that web_download has saved, by its name.",
                ),
            ],
            ttl_ms=3_600_000,
            cache_scope="public",
        )

    async def read_resource(self, _context: Context, params: mcp.ReadResourceRequestParams) -> mcp.ReadResourceResult:
        try:
            dispatcher = await self._open_dispatcher()
            contents = await to_thread.run_sync(_resource, dispatcher, params.uri)
        except WellreadError as error:
            raise MCPError(
                mcp.INVALID_PARAMS, error.message, {"uri": params.uri, **error_json(error)["error"]}
            ) from error
        return mcp.ReadResourceResult(contents=[contents], ttl_ms=0, cache_scope="private")


class _Progress:
    """Steps of an operation as progress: a search, then each page, then the ranking; the total is an upper bound."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._steps = 0
        self._total: float | None = None

    async def tell(self, event: Event) -> None:
        self._steps += 1
        if isinstance(event, Searched):
            self._total = 2.0 + len(event.hits)
            message = count_of(len(event.hits), "result")
        elif isinstance(event, PageRead | PageResult):
            message = f"read {event.url}"
        elif isinstance(event, Gathered):
            message = count_of(len(event.passages), "passage")
        elif isinstance(event, ResearchPlan):
            self._total = 2.0 + len(event.queries)
            message = count_of(len(event.queries), "query")
        elif isinstance(event, ResearchFinding):
            message = (
                f"{count_of(len(event.sources), 'page')} read, {count_of(len(event.claims), 'sentence')}: {event.query}"
            )
        else:
            message = f"missed {event.url}: {event.code}"
        # A client that does not read its stream loses progress messages; the request goes on.
        with anyio.move_on_after(PROGRESS_S):
            await self._context.session.report_progress(self._steps, self._total, message)


def _without_headers(_name: str) -> None:
    """Return None: no argument of a tool is repeated in a header."""


class Offer(NamedTuple):
    """The operations that a server offers."""

    operations: tuple[Operation, ...]
    is_slim: bool = False
    """Without output schemas, which are the larger part of a definition."""


def offered(names: Sequence[str]) -> Offer:
    """Return the operations of `server.mcp_tools`: all of them, those that are named, or the profile `slim`.

    Raises:
        ConfigError: there is no such tool.
    """
    if not names:
        return Offer(OPERATIONS)
    if tuple(names) == (SLIM,):
        return Offer(tuple(BY_NAME[name] for name in SLIM_TOOLS), is_slim=True)
    full_names = {name: next((full for full in (name, f"web_{name}") if full in BY_NAME), None) for name in names}
    unknown = [name for name, full_name in full_names.items() if full_name is None]
    if unknown:
        hint = f"use {SLIM} alone, or names of `wellread tools`, such as search,read"
        raise ConfigError(f"server.mcp_tools: there is no tool {unknown[0][:60]!r}", hint=hint)
    chosen = set(full_names.values())
    return Offer(tuple(operation for operation in OPERATIONS if operation.name in chosen))


def _tools(operations: Sequence[Operation], *, structured: bool) -> list[mcp.Tool]:
    return [mcp.Tool.model_validate(definitions.mcp(operation, structured=structured)) for operation in operations]


def _client_name(context: Context) -> str | None:
    """Return the client's name for itself, if it gave one.

    The SDK keeps the `clientInfo` of `initialize` (2025-11-25 and before), or of this very request's `_meta`
    (2026-07-28, where it may be missing), in the same place.
    """
    params = context.session.client_params
    return params.client_info.name if params is not None else None


def _result(
    text: str,
    data: dict[str, Any],  # Any: JSON
    form: Form,
    *,
    attachment: mcp.ContentBlock | None = None,
    is_error: bool = False,
) -> mcp.CallToolResult:
    """Return a result, or an error, in this form; each of its parts is complete.

    Where the form is `structured`, `content` is the same JSON, as the specification asks ("SHOULD also return the
    serialized JSON in a TextContent block"), so that clients that read only `content` miss nothing.
    Source: https://modelcontextprotocol.io/specification/2026-07-28/server/tools#structured-content
    """
    if form == "structured":
        text = json.dumps(data, ensure_ascii=False)
    content: list[mcp.ContentBlock] = [mcp.TextContent(text=text)]
    if attachment:
        content.append(attachment)
    return mcp.CallToolResult(
        content=content,
        structured_content=None if form == "text" else data,
        is_error=is_error,
    )


def _attachment(value: object) -> mcp.ResourceLink | mcp.ImageContent | None:
    """Return the content block beside the text of a result: a link to a file or a document, or a picture."""
    if isinstance(value, Picture):
        return mcp.ImageContent(data=base64.b64encode(value.png).decode("ascii"), mime_type="image/png")
    if isinstance(value, Saved):
        return mcp.ResourceLink(name=value.name, uri=value.uri, size=value.bytes, mime_type=value.content_type)
    if isinstance(value, Page) and (value.truncated or value.start):
        return mcp.ResourceLink(
            name=urlsplit(value.final_url).netloc or "page",
            uri=PAGES + value.snapshot_id,
            description="The whole document as markdown.",
            mime_type="text/markdown",
        )
    return None


def _resource(dispatcher: OperationDispatcher, uri: str) -> mcp.TextResourceContents | mcp.BlobResourceContents:
    if uri.startswith(DOWNLOADS):
        name = unquote(uri.removeprefix(DOWNLOADS))
        content = dispatcher.workspace.content(name, max_bytes=MAX_RESOURCE_BYTES)
        return mcp.BlobResourceContents(
            uri=uri, blob=base64.b64encode(content).decode("ascii"), mime_type=_mime_type(name)
        )
    if not uri.startswith(PAGES):
        raise Gone(
            f"unknown resource {uri[:200]!r}", hint="resources are wellread://page/... and wellread://downloads/..."
        )
    source, text = dispatcher.snapshot_text(uri.removeprefix(PAGES), max_chars=MAX_RESOURCE_BYTES)
    return mcp.TextResourceContents(uri=uri, text=quoted_web_text(text, source), mime_type="text/markdown")


def _mime_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def _caller(context: Context) -> str | None:
    scope = getattr(context.request, "scope", {})
    caller = scope.get(CALLER)
    return caller if isinstance(caller, str) else None
