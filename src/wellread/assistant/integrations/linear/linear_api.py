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

    def __init__(self, url: str, key: Secret, wire: ServiceClient) -> None:
        """Take the URL, the user's key, and the HTTP client."""
        self._url = url
        self._key = key
        self._wire = wire

    async def ask(self, query: str, **variables: object) -> Json:
        """Send a query, and return its data; a mutation is sent once and never again.

        Raises:
            InvalidInput, Auth, RateLimited, Gone, Upstream, Unreachable: see `api_error`.
        """
        body = json.dumps(queries.payload(query, variables)).encode()
        key = self._key.reveal()
        scheme = "" if key.startswith(_OWN_KEY) else "Bearer "
        headers = {"Content-Type": JSON, "Accept": JSON, "Authorization": f"{scheme}{key}"}
        message = ServiceRequest(method="POST", url=self._url, headers=headers, body=body)
        answer = await self._wire.send(message, reads=query.startswith("query"))
        response = answer.json
        data = response.get("data")
        # GraphQL may answer in part: what has errors is not taken for done.
        if answer.status != 200 or response.get("errors") or not isinstance(data, dict):
            raise api_error(answer)
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


def api_error(answer: ServiceResponse) -> WellreadError:
    """Return the error of a response (linear.app/developers/graphql, .../rate-limiting)."""
    error = _first(answer.json)
    extensions = error.get("extensions")
    more: Mapping[str, Any] = extensions if isinstance(extensions, dict) else {}  # Any: JSON
    code = str(more.get("code", ""))
    words = str(more.get("userPresentableMessage") or error.get("message") or "")[:300]
    if code == "RATELIMITED" or answer.status == 429:
        return RateLimited("Linear received too many requests", retry_after_s=_pause_s(answer))
    if code in _NO_ACCESS or answer.status in {401, 403}:
        return Auth(f"Linear does not accept the key: {words}".rstrip(": "), hint=KEY_HINT)
    if str(error.get("message", "")).startswith("Entity not found"):  # its code is that of any wrong input
        return Gone(f"Linear: {words}", hint="list or search the issues again")
    if answer.status in {200, 400}:
        return InvalidInput(f"Linear rejected the request: {words or 'no reason given'}", hint="change the request")
    return unexpected_status(answer, "Linear", words)


def _first(response: Json) -> Mapping[str, Any]:  # Any: JSON
    errors = response.get("errors")
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        return errors[0]
    return {}


def _pause_s(answer: ServiceResponse) -> float | None:
    """Return the seconds until the first used-up limit resets; Linear gives times, in milliseconds."""
    if answer.retry_after_s is not None:
        return answer.retry_after_s
    headers = dict(answer.headers)
    resets_ms = [
        int(headers[f"x-ratelimit-{kind}-reset"])
        for kind in ("requests", "complexity", "endpoint-requests")
        if headers.get(f"x-ratelimit-{kind}-remaining") == "0"
        and headers.get(f"x-ratelimit-{kind}-reset", "").isdigit()
    ]
    if not resets_ms:
        return None
    return max(0.0, max(resets_ms) / 1_000 - answer.at.timestamp())
