"""Requests to Google's APIs with the user's token: renewed once when it is refused, errors translated into ours."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from wellread.assistant.integrations.service_client import JSON, ServiceRequest, unexpected_status
from wellread.errors import Auth, ConfigError, Gone, InvalidInput, Quota, RateLimited, Upstream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.assistant.integrations.oauth.grant import Grant
    from wellread.assistant.integrations.service_client import Json, ServiceClient, ServiceResponse
    from wellread.errors import WellreadError

_RATES = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})
_QUOTAS = frozenset({"quotaExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg"})
_SCOPES = frozenset({"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"})
_API_DISABLED = frozenset({"accessNotConfigured", "SERVICE_DISABLED"})


class GoogleApi:
    """The client of one of Google's APIs."""

    def __init__(self, name: str, root: str, client: ServiceClient, grant: Grant) -> None:
        """Take the API's name, its base URL, the HTTP client and the user's grant."""
        self._name = name
        self._root = root
        self._client = client
        self._grant = grant

    async def get(self, *path: str, query: Sequence[tuple[str, str]] = ()) -> Json:
        """Send a GET request.

        Raises:
            Auth, Quota, RateLimited, Gone, Upstream, Unreachable: see `api_error`.
        """
        return await self._send("GET", path, query=query)

    async def change(
        self, method: str, *path: str, query: Sequence[tuple[str, str]] = (), body: Json | None = None, etag: str = ""
    ) -> Json:
        """Send a changing request, once; with an `etag` only if the resource still has it.

        Raises:
            Auth, Quota, RateLimited, Gone, Upstream, Unreachable: see `api_error`.
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
        body_bytes, headers = None, {"Accept": JSON}
        if body is not None:
            body_bytes = json.dumps(body).encode()
            headers["Content-Type"] = JSON
        if etag:
            headers["If-Match"] = etag
        request = ServiceRequest(method=method, url=url, query=query, headers=headers, body=body_bytes)
        token = await self._grant.token()
        response = await self._send_once(request, token)
        if response.status == 401:  # it was not done, so it may be asked again
            response = await self._send_once(request, await self._grant.token(refused=token))
        if response.status < 300:
            return response.json
        error = api_error(response, self._name)
        if isinstance(error, Auth):
            raise await self._grant.lost(error.message)
        raise error

    async def _send_once(self, request: ServiceRequest, token: str) -> ServiceResponse:
        authorized = replace(request, headers={**request.headers, "Authorization": f"Bearer {token}"})
        return await self._client.send(authorized, reads=request.method == "GET")


def api_error(response: ServiceResponse, name: str) -> WellreadError:
    """Return the error of a response.

    Sources: developers.google.com/workspace/calendar/api/guides/errors, .../gmail/api/guides/handle-errors.
    """
    reasons, error_text = _reasons(response.json), _error_text(response.json)
    if response.status == 401 or reasons & _SCOPES:
        if reasons & _SCOPES:
            return Auth(f"{name} does not grant enough access")
        return Auth(f"{name} no longer accepts the connection")
    if response.status == 429 or reasons & _RATES:
        return RateLimited(
            f"{name} received too many requests", retry_after_s=response.retry_after_s, hint=_later(response)
        )
    if reasons & _QUOTAS:
        return Quota(f"{name}: the quota is used up", hint="the quota is per day; try again tomorrow")
    if reasons & _API_DISABLED:
        return ConfigError(f"{name} is not enabled for this client", hint="enable the API in Google's console")
    return _status_error(response, name, error_text)


def _status_error(response: ServiceResponse, name: str, error_text: str) -> WellreadError:
    if response.status == 400:
        return InvalidInput(f"{name} rejected the request: {error_text[:300]}", hint="change the request")
    if response.status in {404, 410}:
        return Gone(f"{name} does not have this (any more)", hint="list or search again")
    if response.status == 412:
        return Upstream(
            f"{name}: the data was changed meanwhile, and nothing was done",
            hint="read it again, then repeat the change",
            status=412,
        )
    return unexpected_status(response, name, error_text)


def _later(response: ServiceResponse) -> str | None:
    if response.retry_after_s is not None:
        return None
    return "try again in a minute"


def _reasons(body: Json) -> set[str]:
    """Return the reasons in the two forms in which Google gives them."""
    error = body.get("error")
    if not isinstance(error, dict):
        return set()
    details = [*(error.get("errors") or ()), *(error.get("details") or ())]
    return {str(detail["reason"]) for detail in details if isinstance(detail, dict) and "reason" in detail}


def _error_text(body: Json) -> str:
    error = body.get("error")
    if not isinstance(error, dict):
        return ""
    return str(error.get("message", ""))
