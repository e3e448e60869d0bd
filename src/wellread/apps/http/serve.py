"""Run the server: refuse a public interface without keys, and let running work finish at the end."""

from __future__ import annotations

import signal
import threading
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import Response

from wellread.apps.http import access_tokens, api_keys, single_message
from wellread.apps.http.app import api
from wellread.apps.http.connection_timeouts import HEADER_S, TimedConnection
from wellread.apps.http.crawl_jobs import CrawlJobs
from wellread.apps.http.crawl_routes import CrawlRoutes
from wellread.apps.http.exposure import refuse_open
from wellread.apps.http.logs import log_done
from wellread.apps.http.metrics import Metrics
from wellread.apps.http.request_guard import RequestGuard
from wellread.apps.mcp import server as mcp_server
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.errors import UnavailableError, WellreadError, first_error, reason_line
from wellread.net import local_socket
from wellread.net.balanced_acceptor import BalancedAcceptor
from wellread.net.forwarding import UnixForwarder
from wellread.net.server_sockets import bound_sockets, cannot_listen, close_all

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator
    from contextlib import AbstractAsyncContextManager

    from wellread.apps.assistant_runtime import AssistantRuntime
    from wellread.apps.build import Web
    from wellread.apps.http.request_guard import App, Message, Receive, Send
    from wellread.apps.http.server_processes import ServerProcess
    from wellread.apps.operations.dispatcher import OperationDispatcher
    from wellread.config import Settings
    from wellread.net.server_sockets import ServerSocket
    from wellread.ports import Clock

    OpenAssistant = Callable[[], AbstractAsyncContextManager[AssistantRuntime]]

SESSIONS = 200
SESSION_IDLE_S = 900.0
CONNECTIONS = 256
BACKLOG = 2_048
"""Connections that wait to be accepted."""
START_S = 20.0
"""The longest wait for the other processes, before the address is told."""


def application(
    settings: Settings,
    web: Web,
    clock: Clock,
    open_assistant: OpenAssistant | None = None,
    *,
    process: ServerProcess | None = None,
) -> RequestGuard:
    """Return the whole server as one ASGI application over `web`, which stays the caller's to close.

    With `open_assistant` it offers the assistant too, opened when the server starts. In a server of several processes,
    the first alone has crawls and conversations.

    Raises:
        ConfigError: a key is not a hash, or tokens could not be checked.
    """
    api_keys.check(settings.server.keys)
    access_tokens.check(settings.server)
    dispatcher = open_dispatcher(settings, web, clock)
    counted = Metrics(dispatcher.admission, dispatcher.sessions, lambda: web.browsers)
    web.tracer.observe = counted.step

    def observe(operation: str, code: str, seconds: float) -> None:
        counted.observe(operation, code, seconds)
        log_done(operation, code, seconds)

    dispatcher.observe = observe

    async def ready() -> OperationDispatcher:
        return dispatcher

    manager = StreamableHTTPSessionManager(
        app=mcp_server(ready, answers=settings.server.mcp_answers, tools=settings.server.mcp_tools),
        max_request_body_size=settings.server.max_request_bytes,
        session_idle_timeout=SESSION_IDLE_S,
        max_sessions=SESSIONS,
        stateless=settings.server.mcp_stateless,
    )
    handle_mcp = post_only(manager.handle_request) if settings.server.mcp_stateless else manager.handle_request

    jobs = CrawlJobs(web)
    talks = None
    if open_assistant is not None and (process is None or process.is_first):
        from wellread.apps.http.chat import AssistantRoutes  # loaded here, because it needs the extra `assistant`

        talks = AssistantRoutes(open_assistant)

    @asynccontextmanager
    async def alongside() -> AsyncGenerator[None, None]:
        own_work: AbstractAsyncContextManager[None] = jobs.running()
        if process is not None and not process.is_first:
            own_work = _telling_metrics(counted, process)
        async with manager.run(), own_work, talks.held() if talks else nullcontext():
            try:
                yield
            finally:
                with anyio.CancelScope(shield=True):
                    await dispatcher.aclose()

    app = api(
        dispatcher, counted,
        alongside=alongside, crawls=CrawlRoutes(jobs), talks=talks, recorded=web.recorded,
        metrics_sockets=process.metrics_paths_of_others if process is not None else (),
    )  # fmt: skip
    issued = access_tokens.TokenValidator(settings.server, web.parts.fetcher, clock) if settings.server.issuer else None
    forwarder = None
    if process is not None and not process.is_first:
        forwarder = UnixForwarder(process.first_path)
    mcp_app = single_message.answer_as_json(handle_mcp)
    return RequestGuard(
        app, mcp_app, settings.server, dispatcher.admission,
        issued=issued, first_process=forwarder, process=process,
    )  # fmt: skip


@asynccontextmanager
async def _telling_metrics(counted: Metrics, process: ServerProcess) -> AsyncGenerator[None, None]:
    """Tell the metrics of this process to the first one while the block lasts."""

    async def answer(_request: local_socket.Message) -> local_socket.Message:
        return {"text": counted.text().decode()}

    path = process.metrics_path(process.index)
    with local_socket.listening(path) as listener:
        async with local_socket.answering(listener, answer):
            yield


def post_only(app: App) -> App:
    """Return `app`, which is asked by POST alone.

    Without a session, a stream that a client of 2025-11-25 opens by GET would stay open and never carry a message.
    """

    async def wrapped(scope: Message, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            await app(scope, receive, send)
        else:
            await Response(status_code=405, headers={"allow": "POST"})(scope, receive, send)

    return wrapped


async def serve(
    settings: Settings,
    web: Web,
    clock: Clock,
    *,
    announce: Callable[[str], None],
    open_assistant: OpenAssistant | None = None,
    header_s: float = HEADER_S,
    process: ServerProcess | None = None,
    sockets: list[ServerSocket] | None = None,
) -> None:
    """Serve until the process is told to stop; `announce` is called with the address once the server listens.

    A connection has `header_s` for its header. `process` is the part of this process in a server of several. `sockets`
    are bound to the address of the settings, if the caller has taken it already.

    Raises:
        ConfigError: open on an interface that others can reach, or a setting is wrong.
    """
    refuse_open(settings.server)
    connection_facts: dict[str, object] = {"header_s": header_s}
    if process is not None:
        connection_facts["tell_count"] = process.tell_connections
    config = uvicorn.Config(
        application(settings, web, clock, open_assistant, process=process),
        host=settings.server.host,
        port=settings.server.port,
        log_config=None,
        access_log=False,
        server_header=False,
        http=type("TimedConnection", (TimedConnection,), connection_facts),
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=max(1, round(settings.server.drain_s)),
        backlog=BACKLOG,
    )
    if process is not None:
        await process.wait_before_start()
    await serve_until_signal(config, announce, process, sockets)


async def serve_until_signal(
    config: uvicorn.Config,
    announce: Callable[[str], None],
    process: ServerProcess | None = None,
    sockets: list[ServerSocket] | None = None,
) -> None:
    """Serve until the process is told to stop by SIGINT or SIGTERM; at the end, the sockets are closed.

    `sockets` are bound to the address of `config`, if the caller has taken it already.

    Raises:
        ConfigError: the address cannot be taken.
        WellreadError: the application could not start.
        UnavailableError: the same, for a reason that is no error of this package.
    """
    if process is not None:
        sockets = list(process.sockets)
    elif sockets is None:  # not by uvicorn, which would log its own line and end the process
        sockets = bound_sockets(config.host, config.port)
    config.app = observed = _ObservedApplication(config.app)
    server = _Server(config, announce, process)
    try:
        await server.serve(sockets)
    except SystemExit:  # uvicorn's way to say that the application could not start
        if observed.failure is None:
            raise
    except anyio.get_cancelled_exc_class():
        with anyio.CancelScope(shield=True):
            await server.shutdown()
        raise
    finally:
        close_all(sockets)
    if server.started:
        return
    if isinstance(observed.failure, WellreadError):
        raise observed.failure
    if observed.failure is not None:
        raise UnavailableError(
            f"the server could not start: {reason_line(observed.failure)}", hint=""
        ) from observed.failure


class _ObservedApplication:
    """An application, and why it could not start, which uvicorn only logs."""

    def __init__(self, app: Any) -> None:  # Any: uvicorn also takes the name of one
        self._app = app
        self.failure: Exception | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer as the application does."""
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            if scope["type"] == "lifespan":
                self.failure = first_error(error)
            raise


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, announce: Callable[[str], None], process: ServerProcess | None) -> None:
        super().__init__(config)
        self._announce = announce
        self._process = process
        self._acceptor: BalancedAcceptor | None = None

    async def startup(self, sockets: list[Any] | None = None) -> None:  # Any: sockets are named in `net` alone
        if self._process is None:
            try:
                await super().startup(sockets)
            except OSError as error:  # another program was faster to listen at the port
                raise cannot_listen(self.config.host, self.config.port, error) from error
            if self.started:
                self._tell_address(self.servers[0].sockets[0])
            return
        address, *others = self._process.sockets
        await super().startup(others)
        address.listen(BACKLOG)
        self._process.begin_serving()
        self._acceptor = BalancedAcceptor(address, self._process.connections_ahead)
        self._acceptor.start(self._connection)
        if self._process.announces:
            with anyio.move_on_after(START_S):
                # Polled: memory that processes share wakes nobody.
                while not self._process.all_serve() and not self._process.is_to_end():  # noqa: ASYNC110 - as said
                    await anyio.sleep(0.05)
            self._tell_address(address)

    def _tell_address(self, address: Any) -> None:  # Any: a socket
        host, port = address.getsockname()[:2]
        self._announce(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    def _connection(self) -> Any:  # Any: the protocol of a connection, as `uvicorn.Server.startup` makes it
        return self.config.http_protocol_class(  # type: ignore[call-arg]  # its type names no arguments
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    async def shutdown(self, sockets: list[Any] | None = None) -> None:  # Any: sockets
        if self._process is not None:
            self._process.end_serving()
        if self._acceptor is not None:
            await self._acceptor.aclose()
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or (self._process is not None and self._process.is_to_end())

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn's own raises the signal again when all is done, which would end the process before the web is closed.
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handlers = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
