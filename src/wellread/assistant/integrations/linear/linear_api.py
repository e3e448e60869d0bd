"""The client of Linear's GraphQL API: one POST for each query, errors translated into ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wellread.assistant.integrations.linear import queries
from wellread.assistant.integrations.service_client import JSON, ServiceRequest, unexpected_status
from wellread.errors import Auth, Gone, InvalidInput, RateLimited, Upstream

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.assistant.integrations.service_client import Json, ServiceClient, ServiceResponse
    from wellread.errors import WellreadError
    from wellread.values import Secret

KEY_HINT = "create a key in Linear's settings, under Security & access, and set integrations.keys.linear"
_NO_ACCESS = frozenset({"AUTHENTICATION_ERROR", "FORBIDDEN"})
_OWN_KEY = "lin_api_"
"""What personal keys begin with; they go without a scheme, tokens of OAuth with one."""


class LinearApi:
    """Linear's GraphQL API."""

    def __init__(self, url: str, key: Secret, client: ServiceClient) -> None:
        """Take the URL, the user's key, and the HTTP client."""
        self._url = url
        self._key = key
        self._client = client

    async def ask(self, query: str, **variables: object) -> Json:
        """Send a query, and return its data; a mutation is sent once and never again.

        Raises:
            InvalidInput, Auth, RateLimited, Gone, Upstream, Unreachable: see `api_error`.
        """
        body = json.dumps(queries.payload(query, variables)).encode()
        key = self._key.reveal()
        scheme = "" if key.startswith(_OWN_KEY) else "Bearer "
        headers = {"Content-Type": JSON, "Accept": JSON, "Authorization": f"{scheme}{key}"}
        request = ServiceRequest(method="POST", url=self._url, headers=headers, body=body)
        response = await self._client.send(request, reads=query.startswith("query"))
        payload = response.json
        data = payload.get("data")
        # GraphQL may answer in part: what has errors is not taken for done.
        if response.status != 200 or payload.get("errors") or not isinstance(data, dict):
            raise api_error(response)
        return data

    async def change(self, query: str, **variables: object) -> Json:
        """Send a mutation, and return the issue in its result.

        Raises:
            InvalidInput, Auth, RateLimited, Gone, Upstream, Unreachable: see `api_error`.
        """
        mutation = next(iter((await self.ask(query, **variables)).values()), None) or {}
        if not mutation.get("success"):
            raise Upstream("Linear did not make the change", hint="read the issue")
        return dict(mutation.get("issue") or {})


def api_error(response: ServiceResponse) -> WellreadError:
    """Return the error of a response (linear.app/developers/graphql, .../rate-limiting)."""
    error = _first(response.json)
    extensions = error.get("extensions")
    more: Mapping[str, Any] = extensions if isinstance(extensions, dict) else {}  # Any: JSON
    code = str(more.get("code", ""))
    error_text = str(more.get("userPresentableMessage") or error.get("message") or "")[:300]
    if code == "RATELIMITED" or response.status == 429:
        return RateLimited("Linear received too many requests", retry_after_s=_pause_s(response))
    if code in _NO_ACCESS or response.status in {401, 403}:
        return Auth(f"Linear does not accept the key: {error_text}".rstrip(": "), hint=KEY_HINT)
    if str(error.get("message", "")).startswith("Entity not found"):  # its code is that of any wrong input
        return Gone(f"Linear: {error_text}", hint="list or search the issues again")
    if response.status in {200, 400}:
        return InvalidInput(
            f"Linear rejected the request: {error_text or 'no reason given'}", hint="change the request"
        )
    return unexpected_status(response, "Linear", error_text)


def _first(payload: Json) -> Mapping[str, Any]:  # Any: JSON
    errors = payload.get("errors")
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        return errors[0]
    return {}


def _pause_s(response: ServiceResponse) -> float | None:
    """Return the seconds until the first used-up limit resets; Linear gives times, in milliseconds."""
    if response.retry_after_s is not None:
        return response.retry_after_s
    headers = dict(response.headers)
    resets_ms = [
        int(headers[f"x-ratelimit-{kind}-reset"])
        for kind in ("requests", "complexity", "endpoint-requests")
        if headers.get(f"x-ratelimit-{kind}-remaining") == "0"
        and headers.get(f"x-ratelimit-{kind}-reset", "").isdigit()
    ]
    if not resets_ms:
        return None
    return max(0.0, max(resets_ms) / 1_000 - response.at.timestamp())
