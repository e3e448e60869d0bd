"""Pages that a browser saved as one file (MHTML, RFC 2557): the first HTML part, as its server would have sent it.

Only the outermost parts are told apart, by their border alone: parts within parts, however deep, cost nothing.
"""

from __future__ import annotations

import binascii
import quopri
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from email.message import Message

_MAX_HEAD_BYTES: Final = 1 << 16
_MAX_PARTS: Final = 1_000
"""Looked at; the page itself comes first (RFC 2557, section 5)."""
_BEGINS: Final = lazy_pattern(rb"[A-Za-z-]{2,60}:")
_BLANK: Final = lazy_pattern(rb"\r?\n\r?\n")
_BORDER: Final = lazy_pattern(r'boundary="?([^";\s]{1,200})', re.IGNORECASE)
_NO_BASE64: Final = lazy_pattern(rb"[^A-Za-z0-9+/]")
_SENT: Final = ("To", "Received", "Return-Path", "Delivered-To", "Message-ID")
"""Headers of mails that were sent, which browsers do not write."""
_CUT: Final = "the file was cut off"


class MhtmlPage(NamedTuple):
    """The page of an MHTML file."""

    body: bytes
    content_type: str
    location: str
    """Where it came from; empty where the file does not say."""
    lost: str | None
    """Why it is not whole, if it is not."""


def is_mhtml(body: bytes) -> bool:
    """Return whether the first lines are those of MHTML; a mail with pictures in its text begins the same way."""
    if _BEGINS.match(body) is None:
        return False
    headers, _ = _split(body)
    is_sent = any(name in headers for name in _SENT) and "saved by" not in _header(headers, "From").lower()
    return _header(headers, "Content-Type").startswith("multipart/related") and not is_sent


def saved(body: bytes) -> MhtmlPage | None:
    """Return the page of an MHTML file; None where it holds no HTML."""
    headers, body_of_parts = _split(body)
    boundary = _BORDER.search(_header(headers, "Content-Type"))
    separator = b"\n--"
    if boundary:
        separator += boundary[1].encode()
    parts = (b"\n" + body_of_parts).split(separator, _MAX_PARTS)
    for number, part in enumerate(parts[1:], 1):
        part_headers, encoded = _split(part.lstrip(b"\r\n"))
        content_type = _header(part_headers, "Content-Type")
        if content_type.lower().startswith(("text/html", "application/xhtml+xml")):
            lost = _CUT if number == len(parts) - 1 else None
            location = _header(part_headers, "Content-Location") or _header(headers, "Snapshot-Content-Location")
            page, damage = _decoded(encoded, _header(part_headers, "Content-Transfer-Encoding").lower())
            return MhtmlPage(page, content_type, location, lost or damage)
    return None


def _split(body: bytes) -> tuple[Message, bytes]:
    from email.parser import BytesHeaderParser  # here, because few files are MHTML

    end, start = _MAX_HEAD_BYTES, len(body)
    if blank_line := _BLANK.search(body, 0, _MAX_HEAD_BYTES):
        end, start = blank_line.span()
    return BytesHeaderParser().parsebytes(body[:end]), body[start:]


def _header(headers: Message, name: str) -> str:
    return " ".join(str(headers.get(name, "")).split())


def _decoded(encoded: bytes, coding: str) -> tuple[bytes, str | None]:
    if coding == "quoted-printable":
        return quopri.decodestring(encoded), None
    if coding == "base64":
        try:
            return binascii.a2b_base64(encoded), None
        except binascii.Error:
            digits = _NO_BASE64.sub(b"", encoded)
            return binascii.a2b_base64(digits[: len(digits) // 4 * 4]), _CUT
    return encoded, None
