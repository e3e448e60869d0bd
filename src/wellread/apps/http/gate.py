"""Stands before every request: names it, checks Host, Origin and key, counts it, and bounds its body.

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
from wellread.apps.http import keys, logs, problems, tokens
from wellread.apps.mcp import CALLER
from wellread.apps.tracing import continued
from wellread.errors import RateLimited, WellreadError

if TYPE_CHECKING:
    from wellread.apps.http.problems import Problem
    from wellread.apps.http.tokens import Tokens
    from wellread.apps.operations.admission import Admission
    from wellread.sections import ServerSettings

Message = MutableMapping[str, Any]  # Any: ASGI
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

OPEN = frozenset({"/healthz", "/readyz", *(file.path for file in playground.pages())})
"""Paths that need no key: they tell nothing."""
BODY_S = 20.0
"""How long a caller may take to send its body."""
REQUEST_ID = "wellread.request_id"
_ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_ALLOWED = (
    b"authorization, content-type, accept, x-request-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name"
)

_log = logging.getLogger(__name__)


class Gate:
    """An ASGI application that lets good requests through to `app`, and those for /mcp to `mcp`."""

    def __init__(
        self, app: App, mcp: App, settings: ServerSettings, admission: Admission, issued: Tokens | None = None
    ) -> None:
        """Take what stands behind the gate; with `issued`, tokens of an issuer are taken besides keys."""
        self._app = app
        self._mcp = mcp
        self._settings = settings
        self._admission = admission
        self._tokens = issued

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let one request through, or answer why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        given = headers.get("x-request-id", "")
        request_id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        scope[REQUEST_ID] = request_id
        with continued(headers), logs.about(request=request_id):
            await self._answer(scope, receive, send, headers)

    async def _answer(self, scope: Message, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        request_id = scope[REQUEST_ID]
        origin = None if _own_page(headers) else headers.get("origin")
        reply = _Reply(send, request_id, origin)
        problem = await self._refused(scope, headers, origin)
        told = tokens.metadata(self._settings, scope["path"]) if scope["method"] == "GET" else None
        if problem is not None:
            await reply.problem(problem)
        elif told is not None:
            await reply.whole(200, b"application/json", told, [(b"cache-control", b"max-age=3600")])
        elif scope["method"] == "OPTIONS" and origin is not None:
            await reply.preflight()
        else:
            await self._let_in(scope, receive, reply)

    async def _refused(self, scope: Message, headers: dict[str, str], origin: str | None) -> Problem | None:
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._ours(hosts[0].decode("latin-1").lower()):
            return problems.refusal("wrong_host", "this is not the server you name", hint="list it in server.hosts")
        if origin is not None and origin not in self._settings.origins:
            return problems.refusal("wrong_origin", "no web page may call from there", hint="see server.origins")
        if scope["method"] == "OPTIONS" and origin is not None:
            return None
        if not (self._settings.keys or self._tokens) or _is_open(scope["path"]):
            return None
        caller = await self._caller(scope["path"], headers.get("authorization"))
        return self._counted(scope, caller) if isinstance(caller, str) else caller

    async def _caller(self, path: str, authorization: str | None) -> str | Problem:
        """Return whose key or token this is, or why it is nobody's."""
        bad: tokens.BadToken | None = None
        if self._tokens is not None and authorization is not None and tokens.is_token(authorization):
            try:
                return await self._tokens.caller(authorization)
            except tokens.BadToken as error:
                bad = error
            except WellreadError as error:
                _log.warning("the issuer's keys cannot be had: %s: %s", error.code, error.message)
                return problems.refusal("no_issuer", "tokens cannot be checked now", hint="try again later")
        elif (owner := keys.owner(self._settings.keys, authorization)) is not None:
            return owner
        said = "this key is not known" if bad is None else bad.why
        return problems.refusal(
            "insufficient_scope" if bad is not None and bad.scope else "unauthorized",
            "a key is needed" if authorization is None else said,
            hint="send it as Authorization: Bearer KEY",
            headers=(("www-authenticate", tokens.challenge(self._settings, path, bad)),),
        )

    def _counted(self, scope: Message, caller: str) -> Problem | None:
        scope[CALLER] = caller
        logs.name_caller(caller)
        # By this the SDK keeps a session to the key that opened it.
        scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=caller, scopes=[]))
        try:
            self._admission.count(caller)
        except RateLimited as error:
            return problems.of(error)
        return None

    def _ours(self, host: str) -> bool:
        bound = self._settings.host
        known = {*tokens.LOOPBACK, f"[{bound}]" if ":" in bound else bound, *self._settings.hosts}
        return host in known or re.sub(r":\d{1,5}$", "", host) in known

    async def _let_in(self, scope: Message, receive: Receive, reply: _Reply) -> None:
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
        most = self._settings.max_request_bytes
        body = bytearray()
        with anyio.move_on_after(BODY_S):
            more = True
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > most:
                    return problems.refusal("request_too_large", f"the body has more than {most:,} bytes")
            return bytes(body)
        return problems.refusal("slow_request", f"the body did not come within {BODY_S:g} s")


def _is_open(path: str) -> bool:
    return path in OPEN or path in {tokens.METADATA, tokens.METADATA + tokens.MCP}


def _own_page(headers: dict[str, str]) -> bool:
    """Tell whether the page that asks, if any, came from this very host and port: the playground.

    Host is what the browser dialled, and one of ours. A page that came by the other scheme is let in, too, but is told
    none of what browsers ask for before they send JSON elsewhere or show an answer.
    """
    scheme, _, place = headers.get("origin", "").partition("://")
    return scheme in {"http", "https"} and place.lower() == headers.get("host", "").lower()


class _Reply:
    """Sends on what an application answers, with the request's id and what browsers ask for."""

    def __init__(self, send: Send, request_id: str, origin: str | None) -> None:
        self._send = send
        self.request_id = request_id
        self.started = False
        self._headers = [(b"x-request-id", request_id.encode("ascii")), (b"x-content-type-options", b"nosniff")]
        self._origin = (
            []
            if origin is None
            else [
                (b"access-control-allow-origin", origin.encode("latin-1")),
                (b"access-control-expose-headers", b"x-request-id, retry-after, mcp-session-id"),
                (b"vary", b"origin"),
            ]
        )

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            message = {**message, "headers": [*message.get("headers", ()), *self._headers, *self._origin]}
        await self._send(message)

    async def problem(self, problem: Problem) -> None:
        if problem.fields["code"] == "wrong_origin":
            self._origin = []
        headers = [(name.encode("ascii"), value.encode("ascii")) for name, value in problem.headers]
        await self.whole(problem.status, problems.MEDIA_TYPE.encode("ascii"), problem.encoded(self.request_id), headers)

    async def preflight(self) -> None:
        headers = [(b"access-control-allow-methods", b"GET, POST, DELETE"), (b"access-control-allow-headers", _ALLOWED)]
        await self.whole(204, b"text/plain", b"", headers)

    async def whole(self, status: int, kind: bytes, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        """Send an answer that is at hand."""
        told = [(b"content-type", kind), (b"content-length", str(len(body)).encode("ascii")), *headers]
        await self({"type": "http.response.start", "status": status, "headers": told})
        await self({"type": "http.response.body", "body": body})
