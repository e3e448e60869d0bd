"""Middleware before every request: assigns an id, checks Host, Origin and key, counts it, and bounds its body.

A web page in a browser on this machine can send requests here. Host is checked against DNS rebinding, Origin against
pages of other sites, and bodies must say that they are JSON, which no page can send without asking first
(https://fetch.spec.whatwg.org/#cors-safelisted-request-header).
"""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from wellread.apps import playground
from wellread.apps.http import access_tokens, api_keys, logs, problems
from wellread.apps.http.server_processes import is_for_first
from wellread.apps.mcp import CALLER
from wellread.apps.operations.handlers import HINTS
from wellread.apps.tracing import continued
from wellread.errors import InvalidInput, RateLimited, SharedStateFailed, WellreadError

if TYPE_CHECKING:
    from wellread.apps.http.access_tokens import TokenValidator
    from wellread.apps.http.problems import Problem
    from wellread.apps.http.server_processes import ServerProcess
    from wellread.apps.operations.admission import Admission
    from wellread.sections import ServerSettings

Message = MutableMapping[str, Any]  # Any: ASGI
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

PUBLIC_PATHS = frozenset({"/healthz", "/readyz", *(file.path for file in playground.pages())})
"""Paths that need no key: they tell nothing."""
BODY_S = 20.0
"""How long a caller may take to send its body."""
MAX_AHEAD = 2
"""Connections that a process has more than another, from which they are ended."""
REQUEST_ID = "wellread.request_id"
_READ_PATH = "/v1/read"
"""The only path that reads pages by GET."""
_ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_ALLOWED = (
    b"authorization, content-type, accept, x-request-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name"
)

_log = logging.getLogger(__name__)


class RequestGuard:
    """An ASGI application that passes valid requests to `app`, and requests for /mcp to `mcp`."""

    def __init__(
        self,
        app: App,
        mcp: App,
        settings: ServerSettings,
        admission: Admission,
        *,
        issued: TokenValidator | None = None,
        first_process: App | None = None,
        process: ServerProcess | None = None,
    ) -> None:
        """Take the applications behind the guard; with `issued`, tokens of an issuer are accepted besides keys.

        `first_process` passes requests on to the first process of the server, which checks them itself. `process` is
        this one, of several: where it has more connections than another, they end with their next answer.
        """
        self._app = app
        self._mcp = mcp
        self._settings = settings
        self._admission = admission
        self._tokens = issued
        self._first_process = first_process
        self._process = process

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass one request on, or answer with the reason why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        request_id = headers.get("x-request-id", "")
        if not _ID.fullmatch(request_id):
            request_id = uuid.uuid4().hex
        scope[REQUEST_ID] = request_id
        if self._first_process is not None and is_for_first(scope["path"]):
            await self._pass_on(self._first_process, scope, receive, send)
            return
        with continued(headers), logs.about(request=request_id):
            await self._answer(scope, receive, send, headers)

    @staticmethod
    async def _pass_on(first_process: App, scope: Message, receive: Receive, send: Send) -> None:
        """Let the first process answer, under the same request id; it checks the name in the one Host header."""
        request_id = scope[REQUEST_ID]
        reply = _GuardedSend(send, request_id, None)
        if len(_hosts(scope)) != 1:
            await reply.problem(_wrong_host())
            return
        headers = [field for field in scope["headers"] if field[0] != b"x-request-id"]
        headers.append((b"x-request-id", request_id.encode("ascii")))
        try:
            await first_process({**scope, "headers": headers}, receive, send)
        except (InvalidInput, SharedStateFailed) as error:
            await reply.problem(problems.of(error))

    async def _answer(self, scope: Message, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        request_id = scope[REQUEST_ID]
        origin = None if _own_page(headers) else headers.get("origin")
        reply = _GuardedSend(send, request_id, origin, self._process)
        problem = await self._refused(scope, headers, origin)
        metadata = access_tokens.metadata(self._settings, scope["path"]) if scope["method"] == "GET" else None
        if problem is not None:
            await reply.problem(problem)
        elif metadata is not None:
            await reply.whole(200, b"application/json", metadata, [(b"cache-control", b"max-age=3600")])
        elif scope["method"] == "OPTIONS" and origin is not None:
            await reply.preflight()
        else:
            await self._let_in(scope, receive, reply)

    async def _refused(self, scope: Message, headers: dict[str, str], origin: str | None) -> Problem | None:
        hosts = _hosts(scope)
        if len(hosts) != 1 or not self._ours(hosts[0].decode("latin-1").lower()):
            return _wrong_host()
        has_keys = bool(self._settings.keys or self._tokens)
        if problem := self._foreign(scope, headers, origin, has_keys=has_keys):
            return problem
        if scope["method"] == "OPTIONS" and origin is not None:
            return None
        if not has_keys or _is_open(scope["path"]):
            return None
        caller = await self._caller(scope["path"], headers.get("authorization"))
        if not isinstance(caller, str):
            return caller
        return await self._counted(scope, caller)

    def _foreign(
        self, scope: Message, headers: dict[str, str], origin: str | None, *, has_keys: bool
    ) -> Problem | None:
        """Return the problem of a request that a web page of another site makes, or could make unseen."""
        is_foreign = origin not in self._settings.origins
        if origin is None:
            is_foreign = _is_sent_by_other_site(scope, headers)
        if is_foreign:
            return problems.refusal(
                "wrong_origin",
                "requests from the origin of this web page are not allowed",
                hint="add it to server.origins",
            )
        if not has_keys and _may_be_sent_by_other_site(scope, headers):
            return problems.refusal(
                "wrong_origin",
                "over http, this server cannot tell whether a web page of another site makes this request",
                hint="use POST, or send the header X-Request-Id, which no page of another site can send",
            )
        return None

    async def _caller(self, path: str, authorization: str | None) -> str | Problem:
        """Return the name of the key or token, or the problem with it."""
        token_error: access_tokens.BadToken | None = None
        if self._tokens is not None and authorization is not None and access_tokens.is_token(authorization):
            try:
                return await self._tokens.caller(authorization)
            except access_tokens.BadToken as error:
                token_error = error
            except WellreadError as error:
                _log.warning("the issuer's keys cannot be had: %s: %s", error.code, error.message)
                return problems.refusal("no_issuer", "the token cannot be checked now", hint="try again later")
        elif (owner := api_keys.key_owner(self._settings.keys, authorization)) is not None:
            return owner
        code, reason = "unauthorized", "the key is unknown"
        if authorization is None:
            reason = "the request needs a key"
        elif token_error is not None:
            reason = token_error.why
            if token_error.scope:
                code = "insufficient_scope"
        return problems.refusal(
            code,
            reason,
            hint="send it as Authorization: Bearer KEY",
            headers=(("www-authenticate", access_tokens.challenge(self._settings, path, token_error)),),
        )

    async def _counted(self, scope: Message, caller: str) -> Problem | None:
        scope[CALLER] = caller
        logs.name_caller(caller)
        # By this the SDK keeps a session to the key that opened it.
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=caller, scopes=[]))
        try:
            await self._admission.count(caller)
        except (RateLimited, SharedStateFailed) as error:
            error.hint = HINTS.get(error.code, error.hint)
            return problems.of(error)
        return None

    def _ours(self, host: str) -> bool:
        bound_host = self._settings.host
        own_hosts = {
            *access_tokens.LOOPBACK,
            f"[{bound_host}]" if ":" in bound_host else bound_host,
            *self._settings.hosts,
        }
        return host in own_hosts or _without_port(host) in own_hosts

    async def _let_in(self, scope: Message, receive: Receive, reply: _GuardedSend) -> None:
        body = await self._body(scope, receive)
        if not isinstance(body, bytes):
            await reply.problem(body)
            return
        parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return parts.pop() if parts else await receive()

        path = scope["path"].rstrip("/") or "/"
        try:
            await (self._mcp if path == "/mcp" else self._app)(scope, again, reply)
        except Exception:
            _log.exception("request %s failed", reply.request_id)
            if reply.started:
                raise
            await reply.problem(problems.bug())

    async def _body(self, scope: Message, receive: Receive) -> bytes | Problem:
        if scope["method"] not in {"POST", "PUT", "PATCH"}:
            return b""
        max_bytes = self._settings.max_request_bytes
        body = bytearray()
        with anyio.move_on_after(BODY_S):
            has_more = True
            while has_more:
                message = await receive()
                body += message.get("body", b"")
                has_more = message.get("more_body", False)
                if len(body) > max_bytes:
                    return problems.refusal("request_too_large", f"the body has more than {max_bytes:,} bytes")
            return bytes(body)
        return problems.refusal("slow_request", f"the body did not come within {BODY_S:g} s")


def _hosts(scope: Message) -> list[bytes]:
    return [text for name, text in scope["headers"] if name == b"host"]


def _wrong_host() -> Problem:
    return problems.refusal("wrong_host", "the Host header does not name this server", hint="add it to server.hosts")


def _is_open(path: str) -> bool:
    return path in PUBLIC_PATHS or path in {access_tokens.METADATA, access_tokens.METADATA + access_tokens.MCP}


def _is_sent_by_other_site(scope: Message, headers: dict[str, str]) -> bool:
    """Return whether a page of another site makes the browser ask, by a picture or a link: that has no Origin.

    Browsers send Sec-Fetch-Site to loopback and over https; elsewhere `_may_be_sent_by_other_site` decides.
    """
    is_own = headers.get("sec-fetch-site", "none") in {"none", "same-origin"}
    return scope["path"].startswith("/v1/") and not is_own and "origin" not in headers


def _may_be_sent_by_other_site(scope: Message, headers: dict[str, str]) -> bool:
    """Return whether a page of another site could make a browser read a page by GET, unseen.

    Over http to another name than loopback, browsers send no Sec-Fetch-Site (W3C Fetch Metadata, section 2). A page
    cannot make them send a field such as X-Request-Id without asking first.
    """
    if scope["method"] != "GET" or scope["path"] != _READ_PATH:
        return False
    is_loopback = _without_port(headers.get("host", "").lower()) in access_tokens.LOOPBACK
    return not is_loopback and not headers.keys() & {"sec-fetch-site", "origin", "x-request-id"}


def _without_port(authority: str) -> str:
    return re.sub(r":\d{1,5}$", "", authority)


def _own_page(headers: dict[str, str]) -> bool:
    """Return whether the web page that calls, if any, came from this very host and port: the playground.

    Host is what the browser dialled, and one of ours. A page that came by the other scheme is let in, too, but is told
    none of what browsers ask for before they send JSON elsewhere or show an answer.
    """
    scheme, _, authority = headers.get("origin", "").partition("://")
    return scheme in {"http", "https"} and authority.lower() == headers.get("host", "").lower()


class _GuardedSend:
    """A `send` that adds the request's id and the headers that browsers need."""

    def __init__(self, send: Send, request_id: str, origin: str | None, process: ServerProcess | None = None) -> None:
        self._send = send
        self._process = process
        self.request_id = request_id
        self.started = False
        self._headers = [(b"x-request-id", request_id.encode("ascii")), (b"x-content-type-options", b"nosniff")]
        self._origin: list[tuple[bytes, bytes]] = []
        if origin is not None:
            self._origin = [
                (b"access-control-allow-origin", origin.encode("latin-1")),
                (b"access-control-expose-headers", b"x-request-id, retry-after, mcp-session-id"),
                (b"vary", b"origin"),
            ]

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            message = {**message, "headers": [*message.get("headers", ()), *self._headers, *self._origin]}
            if self._process is not None and self._process.connections_ahead() >= MAX_AHEAD:
                message["headers"].append((b"connection", b"close"))  # the caller opens the next one elsewhere
        await self._send(message)

    async def problem(self, problem: Problem) -> None:
        if problem.fields["code"] == "wrong_origin":
            self._origin = []
        headers = [(name.encode("ascii"), value.encode("ascii")) for name, value in problem.headers]
        await self.whole(problem.status, problems.MEDIA_TYPE.encode("ascii"), problem.encoded(self.request_id), headers)

    async def preflight(self) -> None:
        headers = [(b"access-control-allow-methods", b"GET, POST, DELETE"), (b"access-control-allow-headers", _ALLOWED)]
        await self.whole(204, b"text/plain", b"", headers)

    async def whole(self, status: int, media_type: bytes, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        """Send a complete response."""
        all_headers = [(b"content-type", media_type), (b"content-length", str(len(body)).encode("ascii")), *headers]
        await self({"type": "http.response.start", "status": status, "headers": all_headers})
        await self({"type": "http.response.body", "body": body})
