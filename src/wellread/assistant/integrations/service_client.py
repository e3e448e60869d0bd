"""Requests and responses of integrations: plain values, sent through the endpoint client only."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from wellread.assistant.tool_types import ToolResult
from wellread.errors import Timeout, Unreachable, Upstream
from wellread.net.endpoint_client import EndpointError
from wellread.net.http_dates import retry_after_s
from wellread.text.characters import without_invisible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from wellread.net.endpoint_client import EndpointClient
    from wellread.ports import Clock

Json = dict[str, Any]  # Any: JSON from the wire, read with care
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
DEADLINE_S = 90.0
"""Over all tries and the whole answer."""
OUTCOME_UNKNOWN_HINT = "it is not known whether the change was made; check before you try again"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """A request."""

    method: str
    url: str
    query: Sequence[tuple[str, str]] = ()
    headers: Mapping[str, str]
    body: bytes | None = None

    def __repr__(self) -> str:
        """Leave out the parts that may be secret: headers, query, body."""
        return f"ServiceRequest({self.method} {self.url})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ServiceResponse:
    """A response, whatever its status."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    at: datetime
    """When it came, by which a Retry-After is measured."""

    @property
    def json(self) -> Json:
        """The JSON object in the body; empty where there is none."""
        try:
            decoded = json.loads(self.body)
        except (ValueError, RecursionError):
            return {}
        if not isinstance(decoded, dict):
            return {}
        return decoded

    @property
    def retry_after_s(self) -> float | None:
        """The pause that the response asks for, in seconds."""
        return retry_after_s(self.headers, self.at)


class ServiceClient:
    """The HTTP client of integrations: retries requests that only read, never those that change something."""

    def __init__(self, reads: EndpointClient, writes: EndpointClient, clock: Clock) -> None:
        """Take a client with retries, and one without."""
        self._reads = reads
        self._writes = writes
        self._clock = clock

    async def send(self, request: ServiceRequest, *, reads: bool) -> ServiceResponse:
        """Send a request, and return the response whatever its status; `reads` says that sending it twice is harmless.

        Raises:
            Unreachable, Timeout: no whole answer came. After a change nobody knows then whether it was made.
            BlockedAddress, TooLarge: as the endpoint client.
        """
        client = self._reads if reads else self._writes
        hint = None if reads else OUTCOME_UNKNOWN_HINT
        try:
            with anyio.fail_after(DEADLINE_S):
                response = await client.request(
                    request.method,
                    request.url,
                    params=list(request.query) or None,
                    headers=dict(request.headers),
                    content=request.body,
                )
        except EndpointError as error:
            raise Unreachable(str(error), hint=hint) from error
        except TimeoutError as error:
            raise Timeout(
                f"no complete answer came within {DEADLINE_S:.0f} s", hint=hint or "try again later"
            ) from error
        return ServiceResponse(
            status=response.status_code,
            headers=tuple(response.headers.items()),
            body=response.content,
            at=self._clock.now(),
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._reads.aclose()
        await self._writes.aclose()


def tainted_result(text: str) -> ToolResult:
    """Return a service's text as a tool result: tainted, and without invisible characters."""
    return ToolResult(without_invisible(text)[0], tainted=True)


def unexpected_status(response: ServiceResponse, service: str, error_text: str) -> Upstream:
    """Return the error of a response that is not understood; `error_text` is the service's own message."""
    return Upstream(
        f"{service} answered {response.status}: {error_text[:300] or 'no reason given'}", status=response.status
    )
