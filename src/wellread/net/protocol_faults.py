"""Names the faults of a peer's HTTP in own words; pure.

The messages of h11, h2 and httpcore quote bytes of the peer: a server could speak in the voice of wellread by them.
"""

from __future__ import annotations

import re
from typing import Final

import h11
import httpcore2

_OTHER_FAULT: Final = "it sends what HTTP does not allow"
_FAULTS: Final = (
    ("illegal status line", "its status line is not valid"),
    ("illegal header line", "a line of its header is not valid"),
    ("illegal chunk", "the header of a chunk is not valid"),
    ("malformed chunk", "the end of a chunk is not valid"),
    ("illegal trailer", "a line behind the body is not valid"),
    ("illegal request line", "it sends bytes that are not HTTP"),
    ("continuation line", "its header begins in the middle of a line"),
    ("no response line", "it sends no status line"),
    ("bad content-length", "its Content-Length is no number"),
    ("conflicting content-length", "it sends different values of Content-Length"),
    ("multiple transfer-encoding", "it sends several transfer encodings"),
    ("only transfer-encoding", "its transfer encoding is not chunked"),
    ("illegal header name", "the name of a header field is not valid"),
    ("illegal header value", "the value of a header field is not valid"),
    ("http version should be", "its version of HTTP is not valid"),
    ("peer closed connection without", "the body is shorter than it should be"),
    ("peer unexpectedly closed", "the answer did not come"),
    ("server disconnected", "the answer did not come"),
    ("receive buffer too long", "its header is too long"),
)
"""Beginnings of the messages of the libraries, and own words."""
_CONTENT_RANGE: Final = re.compile(r"bytes (?:[0-9]{1,18}-[0-9]{1,18}|\*)/(?:[0-9]{1,18}|\*)", re.IGNORECASE)
_SHORT_BODY: Final = re.compile(
    r"peer closed connection without sending complete message body"
    r" \((?:incomplete chunked read|received [0-9]{1,20} bytes, expected [0-9]{1,20})\)"
)
"""The one message of h11 that is passed on: it has numbers alone."""
_BAD_HTTP: Final = (httpcore2.ProtocolError, h11.ProtocolError)


def protocol_fault(error: object) -> str:
    """Return what is wrong with the HTTP of a peer, without a byte of its own.

    `error` is an exception of a library, its sentence, or an event of HTTP/2 that ended the exchange.
    """
    if isinstance(error, _BAD_HTTP) and error.args and not isinstance(error.args[0], str):
        return protocol_fault(error.args[0])
    if isinstance(error, str | Exception):
        message = str(error).lower()
        if _SHORT_BODY.fullmatch(message):
            return message
        return next((fault for beginning, fault in _FAULTS if message.startswith(beginning)), _OTHER_FAULT)
    code = getattr(error, "error_code", None)
    if code is None:
        return _OTHER_FAULT
    return f"it ended the exchange of HTTP/2 ({getattr(code, 'name', None) or int(code)})"


def shown_range(content_range: str | None) -> str:
    """Return a Content-Range for a message (RFC 9110 section 14.4), or what is the matter with it."""
    if content_range is None:
        return "without Content-Range"
    if _CONTENT_RANGE.fullmatch(content_range.strip()) is None:
        return "its Content-Range is not valid"
    return content_range.strip()
