"""Requests to Google's APIs with the user's token: renewed once when it is refused, failures told in our own words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from wellread.assistant.integrations.wire import JSON, Message, failed
from wellread.errors import Auth, ConfigError, Gone, InvalidInput, Quota, RateLimited, Upstream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.assistant.integrations.oauth.grant import Grant
    from wellread.assistant.integrations.wire import Answer, Json, Wire
    from wellread.errors import WellreadError

_RATES = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})
_QUOTAS = frozenset({"quotaExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg"})
_SCOPES = frozenset({"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"})
_OFF = frozenset({"accessNotConfigured", "SERVICE_DISABLED"})


class Api:
    """One of Google's APIs."""

    def __init__(self, name: str, root: str, wire: Wire, grant: Grant) -> None:
        """Take what it is called, its base URL, and the way there."""
        self._name = name
        self._root = root
        self._wire = wire
        self._grant = grant

    async def get(self, *path: str, query: Sequence[tuple[str, str]] = ()) -> Json:
        """Read.

        Raises:
            Auth, Quota, RateLimited, Gone, Upstream, Unreachable: see `failure`.
        """
        return await self._send("GET", path, query=query)

    async def change(
        self, method: str, *path: str, query: Sequence[tuple[str, str]] = (), body: Json | None = None, etag: str = ""
    ) -> Json:
        """Change something, once; with an `etag` only if it is still what that stands for.

        Raises:
            Auth, Quota, RateLimited, Gone, Upstream, Unreachable: see `failure`.
        """
        return await self._send(method, path, query=query, body=body, etag=etag)

    async def _send(
        self,
        method: str,
        path: Sequence[str],
        *,
        query: Sequence[tuple[str, str]],
        body: Json | None = None,
        etag: str = "",
    ) -> Json:
        # Each part may be a model's word: none of them can reach another path.
        url = "/".join((self._root, *(quote(part, safe="") for part in path)))
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": JSON, **({"Content-Type": JSON} if data else {}), **({"If-Match": etag} if etag else {})}
        message = Message(method=method, url=url, query=query, headers=headers, body=data)
        token = await self._grant.token()
        answer = await self._once(message, token)
        if answer.status == 401:  # it was not done, so it may be asked again
            answer = await self._once(message, await self._grant.token(refused=token))
        if answer.status < 300:
            return answer.json
        error = failure(answer, self._name)
        if isinstance(error, Auth):
            raise await self._grant.lost(error.message)
        raise error

    async def _once(self, message: Message, token: str) -> Answer:
        asked = replace(message, headers={**message.headers, "Authorization": f"Bearer {token}"})
        return await self._wire.send(asked, reads=message.method == "GET")


def failure(answer: Answer, name: str) -> WellreadError:
    """Return the error of an answer.

    Sources: developers.google.com/workspace/calendar/api/guides/errors, .../gmail/api/guides/handle-errors.
    """
    reasons, words = _reasons(answer.json), _words(answer.json)
    if answer.status == 401 or reasons & _SCOPES:
        why = "grants too little" if reasons & _SCOPES else "accepts the connection no longer"
        return Auth(f"{name} {why}")
    if answer.status == 429 or reasons & _RATES:
        return RateLimited(f"{name} was asked too often", retry_after_s=answer.retry_after_s, hint=_later(answer))
    if reasons & _QUOTAS:
        return Quota(f"{name}: the quota is used up", hint="it is counted by day: try again tomorrow")
    if reasons & _OFF:
        return ConfigError(f"{name} is not switched on for this client", hint="enable the API in Google's console")
    return _plain(answer, name, words)


def _plain(answer: Answer, name: str, words: str) -> WellreadError:
    if answer.status == 400:
        return InvalidInput(f"{name} does not take this: {words[:300]}", hint="change what was asked")
    if answer.status in {404, 410}:
        return Gone(f"{name} has nothing there (any more)", hint="list or search again, from the start")
    if answer.status == 412:
        return Upstream(f"{name}: it was changed meanwhile, and nothing was done", hint="look again", status=412)
    return failed(answer, name, words)


def _later(answer: Answer) -> str | None:
    return None if answer.retry_after_s is not None else "try again in a minute"


def _reasons(told: Json) -> set[str]:
    """Return the reasons in the two forms in which Google gives them."""
    error = told.get("error")
    if not isinstance(error, dict):
        return set()
    given = [*(error.get("errors") or ()), *(error.get("details") or ())]
    return {str(it["reason"]) for it in given if isinstance(it, dict) and "reason" in it}


def _words(told: Json) -> str:
    error = told.get("error")
    return str(error.get("message", "")) if isinstance(error, dict) else ""
