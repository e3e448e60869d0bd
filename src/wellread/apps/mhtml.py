"""A page that a browser saved as one file (MHTML, RFC 2557): the first HTML in it, as its server would have sent it.

Only the outermost parts are told apart, by their border alone: parts within parts, however deep, cost nothing.
"""

from __future__ import annotations

import binascii
import quopri
import re
from email.parser import BytesHeaderParser
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from email.message import Message

_LONGEST_HEAD: Final = 1 << 16
_MOST_PARTS: Final = 1_000
"""Looked at; the page itself comes first (RFC 2557, section 5)."""
_BEGINS: Final = re.compile(rb"[A-Za-z-]{2,60}:")
_BLANK: Final = re.compile(rb"\r?\n\r?\n")
_BORDER: Final = re.compile(r'boundary="?([^";\s]{1,200})', re.IGNORECASE)
_NO_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]")
_SENT: Final = ("To", "Received", "Return-Path", "Delivered-To", "Message-ID")
"""Headers of mails that were sent, which browsers do not write."""
_CUT: Final = "the file was cut off"


class Saved(NamedTuple):
    """The page in such a file."""

    body: bytes
    content_type: str
    location: str
    """Where it came from; empty where the file does not say."""
    lost: str | None
    """Why it is not whole, if it is not."""


def is_saved(body: bytes) -> bool:
    """Tell by its first lines whether a file is MHTML; a mail with pictures in its text begins in the same way."""
    if _BEGINS.match(body) is None:
        return False
    head, _ = _split(body)
    is_sent = any(name in head for name in _SENT) and "saved by" not in _said(head, "From").lower()
    return _said(head, "Content-Type").startswith("multipart/related") and not is_sent


def saved(body: bytes) -> Saved | None:
    """Return the page in an MHTML file; None where no HTML is in it."""
    head, rest = _split(body)
    border = _BORDER.search(_said(head, "Content-Type"))
    parts = (b"\n" + rest).split(b"\n--" + border[1].encode() if border else b"\n--", _MOST_PARTS)
    for number, part in enumerate(parts[1:], 1):
        about, packed = _split(part.lstrip(b"\r\n"))
        kind = _said(about, "Content-Type")
        if kind.lower().startswith(("text/html", "application/xhtml+xml")):
            lost = _CUT if number == len(parts) - 1 else None
            where = _said(about, "Content-Location") or _said(head, "Snapshot-Content-Location")
            page, damage = _decoded(packed, _said(about, "Content-Transfer-Encoding").lower())
            return Saved(page, kind, where, lost or damage)
    return None


def _split(body: bytes) -> tuple[Message, bytes]:
    border = _BLANK.search(body, 0, _LONGEST_HEAD)
    end, start = border.span() if border else (_LONGEST_HEAD, len(body))
    return BytesHeaderParser().parsebytes(body[:end]), body[start:]


def _said(head: Message, name: str) -> str:
    return " ".join(str(head.get(name, "")).split())


def _decoded(packed: bytes, coding: str) -> tuple[bytes, str | None]:
    if coding == "quoted-printable":
        return quopri.decodestring(packed), None
    if coding == "base64":
        try:
            return binascii.a2b_base64(packed), None
        except binascii.Error:
            whole = _NO_BASE64.sub(b"", packed)
            return binascii.a2b_base64(whole[: len(whole) // 4 * 4]), _CUT
    return packed, None
