"""Failures as problem details (RFC 9457): status from the table of outcomes, and refusals of the HTTP layer itself."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from wellread.apps.exit_codes import STATUS_BY_CODE
from wellread.apps.serialize import error_json
from wellread.errors import RateLimited

if TYPE_CHECKING:
    from wellread.errors import WellreadError

MEDIA_TYPE = "application/problem+json"

OURS: dict[str, int] = {
    "unauthorized": 401,
    "insufficient_scope": 403,
    "wrong_origin": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "slow_request": 408,
    "request_too_large": 413,
    "not_json": 415,
    "wrong_host": 421,
    "no_issuer": 503,
}
"""Refusals of the HTTP layer itself, before any operation is asked."""

SCHEMA: dict[str, Any] = {  # Any: JSON Schema
    "type": "object",
    "description": "Problem details (RFC 9457). `code` is stable; `hint` says what helps.",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": [*STATUS_BY_CODE, *OURS]},
        "hint": {"type": "string"},
        "retryable": {"type": "boolean"},
        "url": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "retry_after_s": {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "upstream_status": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "request_id": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail", "code", "hint", "retryable", "request_id"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A failure as a response: status, fields and headers."""

    status: int
    fields: dict[str, object]
    headers: tuple[tuple[str, str], ...] = ()

    def body(self, request_id: str) -> dict[str, object]:
        """Return the problem as JSON."""
        return {
            "type": f"urn:wellread:problem:{self.fields['code']}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            **self.fields,
            "request_id": request_id,
        }

    def encoded(self, request_id: str) -> bytes:
        """Return the problem as bytes."""
        return json.dumps(self.body(request_id), ensure_ascii=True).encode("ascii")


def of(error: WellreadError) -> Problem:
    """Return an error as a problem."""
    fields = dict(error_json(error)["error"])
    fields["detail"] = fields.pop("message")
    if "status" in fields:
        fields["upstream_status"] = fields.pop("status")
    headers: tuple[tuple[str, str], ...] = ()
    if isinstance(error, RateLimited) and error.retry_after_s is not None:
        headers = (("retry-after", str(math.ceil(error.retry_after_s))),)
    return Problem(status=STATUS_BY_CODE[error.code].http_status, fields=fields, headers=headers)


def refusal(code: str, detail: str, *, hint: str = "", headers: tuple[tuple[str, str], ...] = ()) -> Problem:
    """Return a refusal of the HTTP layer."""
    fields: dict[str, object] = {"code": code, "detail": detail, "hint": hint, "retryable": False}
    return Problem(status=OURS[code], fields=fields, headers=headers)


def bug() -> Problem:
    """Return the problem for an unexpected failure: that it was logged."""
    hint = "report the error with the request id"
    fields: dict[str, object] = {"code": "error", "detail": "internal error", "hint": hint, "retryable": False}
    return Problem(status=STATUS_BY_CODE["error"].http_status, fields=fields)
