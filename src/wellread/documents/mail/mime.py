"""Split a mail into its parts (RFC 5322, RFC 2045 to 2047, RFC 2231), in linear time and within limits.

The parser of the standard library reads a mail of nested parts by recursion, and each line once for every level. This
one splits a body by its boundary, to a limited depth, and counts the parts that it does not read.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import quopri
import re
from dataclasses import dataclass, field
from email.message import Message
from email.utils import collapse_rfc2231_value
from typing import Final

from wellread.net.media_types import decode
from wellread.text.characters import on_one_line

MAX_HEAD_BYTES: Final = 256_000
MAX_HEADER_CHARS: Final = 10_000
MAX_PARTS: Final = 1_000
MAX_DEPTH: Final = 12
MAX_BOUNDARY_CHARS: Final = 200
MAX_NAME_CHARS: Final = 200

_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_HEADER_FIELD: Final = re.compile(rb"([!-9;-~]{1,80})[ \t]{0,20}:")
_ENCODED_WORD: Final = re.compile(r"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,20})?\?([bBqQ])\?([^?]{0,5000})\?=")
_BASE64_NOISE: Final = re.compile(rb"[^A-Za-z0-9+/]")
_ESSENCE: Final = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,60}/[A-Za-z0-9!#$&^_.+-]{1,100}")
_UUENCODED_START: Final = re.compile(rb"begin [0-7]{3,4} [^\r\n]{1,300}\r?\n")
_INNER_TYPES: Final = {"multipart/digest": "message/rfc822"}
"""The media type of parts without one, by the type of their multipart (RFC 2046, section 5.1.5)."""
_CODECS: Final = frozenset({"utf_7", "hz", "iso2022_kr", "iso2022_jp_2", "iso2022_jp_ext", "cp437", "cp850", "cp1140"})
"""Python's names of encodings that mails use and browsers do not support."""


@dataclass(slots=True, kw_only=True)
class MailPart:
    """A part of a mail, or a mail."""

    headers: dict[str, str]
    """Names in lower case; of several headers of one name, the first."""
    content: bytes
    """As written; `decoded` undoes the transfer encoding."""
    media_type: str = "text/plain"
    parts: list[MailPart] = field(default_factory=list)
    """The parts of a multipart."""
    is_cut: bool = False
    """The boundary that ends a multipart is missing."""

    def header(self, name: str) -> str:
        """Return a header decoded, in one line; empty where there is none."""
        return header_text(self.headers.get(name.lower(), ""))

    def parameter(self, name: str, header: str = "content-type") -> str:
        """Return a parameter of a header, for example `charset` (RFC 2231); empty where there is none."""
        message = Message()
        try:
            message["content-type"] = self.headers.get(header, "")
            text = collapse_rfc2231_value(message.get_param(name, "") or "")
        except (ValueError, LookupError, TypeError, IndexError):
            return ""
        return header_text(text)

    @property
    def disposition(self) -> str:
        """`inline`, `attachment` or empty."""
        return self.header("content-disposition").partition(";")[0].strip().lower()

    @property
    def filename(self) -> str:
        """The file name of the part; empty where it has none."""
        name = self.parameter("filename", "content-disposition") or self.parameter("name")
        return name.replace("\\", "/").rpartition("/")[2][:MAX_NAME_CHARS].strip()

    def decoded(self) -> bytes:
        """Return the content without its transfer encoding; damaged pieces are skipped."""
        encoding = self.header("content-transfer-encoding").lower()
        if encoding == "base64":
            return _from_base64(self.content)
        if encoding == "quoted-printable":
            return quopri.decodestring(self.content)
        if encoding in {"x-uuencode", "uuencode", "x-uue"}:
            return _from_uuencode(self.content)
        return self.content

    def text(self) -> str:
        """Return the content as text, by its charset if that is plausible."""
        content = self.decoded()
        charset = self.parameter("charset")
        text = _decoded(content, charset, html=self.media_type == "text/html")
        return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(slots=True)
class PartCounter:
    """The number of parts that may still be read, and of parts that were not."""

    remaining: int = MAX_PARTS
    not_read: int = 0


def parse_mail(content: bytes, counter: PartCounter, *, depth: int = 0, default_type: str = "text/plain") -> MailPart:
    """Return a mail, or a part of one, with the parts in it."""
    headers, body = _split_head(content)
    counter.remaining -= 1
    part = MailPart(headers=headers, content=body)
    part.media_type = _media_type(headers, default_type)
    boundary = part.parameter("boundary")
    if part.media_type.startswith("multipart/"):
        if not 0 < len(boundary) <= MAX_BOUNDARY_CHARS or depth >= MAX_DEPTH:
            part.media_type = "text/plain"
            if depth >= MAX_DEPTH:
                part.media_type = "application/octet-stream"
            return part
        raw_parts, part.is_cut = _split_parts(body, boundary.encode("utf-8", "surrogateescape"), counter)
        if not raw_parts:
            part.media_type = "text/plain"
        inner_type = _INNER_TYPES.get(part.media_type, "text/plain")
        for raw_part in raw_parts:
            if counter.remaining <= 0:
                counter.not_read += 1
                continue
            part.parts.append(parse_mail(raw_part, counter, depth=depth + 1, default_type=inner_type))
    return part


def _split_head(content: bytes) -> tuple[dict[str, str], bytes]:
    """Return the headers, and the content after the first empty line or from the first line that is no header."""
    headers: dict[str, str] = {}
    name = ""
    lines: list[bytes] = []
    end = 0
    for line in _LINE.finditer(content, 0, MAX_HEAD_BYTES):
        field = _HEADER_FIELD.match(line[0])
        if field is None and not (name and line[0].startswith((b" ", b"\t"))):
            if not line[0].strip():
                end = line.end()
            break
        if field is not None:
            _add_header(headers, name, lines)
            name, lines = field[1].decode("ascii").lower(), [line[0][field.end() :]]
        else:
            lines.append(line[0])
        end = line.end()
    _add_header(headers, name, lines)
    return headers, content[end:]


def _add_header(headers: dict[str, str], name: str, lines: list[bytes]) -> None:
    if name and name not in headers:
        value = b"".join(lines)[:MAX_HEADER_CHARS]
        headers[name], _ = decode(value, None, html=False)


def _media_type(headers: dict[str, str], default: str) -> str:
    essence = headers.get("content-type", "").partition(";")[0].strip().lower()
    if _ESSENCE.fullmatch(essence):
        return essence
    return default


def _split_parts(body: bytes, boundary: bytes, counter: PartCounter) -> tuple[list[bytes], bool]:
    """Return the parts between lines of `boundary`, and whether the last of these lines is missing."""
    mark = b"\n--" + boundary
    body = b"\n" + body
    parts: list[bytes] = []
    start = -1
    offset = body.find(mark)
    while offset >= 0:
        line_end = body.find(b"\n", offset + len(mark))
        if line_end < 0:
            line_end = len(body)
        line = body[offset + len(mark) : line_end].strip()
        if line and line.split(None, 1)[0] != b"--":  # a longer boundary that begins with this one
            offset = body.find(mark, offset + len(mark))
            continue
        if start >= 0:
            parts.append(body[start:offset].removesuffix(b"\r"))
        if line or len(parts) > counter.remaining:
            counter.not_read += not line
            return parts, False
        start = line_end + 1
        offset = body.find(mark, max(start - 1, offset + 1))
    if start >= 0:
        parts.append(body[start:])
    return parts, True


# ----------------------------------------------------------------------------------------------- encodings


def header_text(value: str) -> str:
    """Return a header with its encoded words decoded (RFC 2047), in one line without invisible characters."""
    text = _decode_words(value[:MAX_HEADER_CHARS].replace("\r", "").replace("\n", ""))
    return on_one_line(text)


def _decode_words(text: str) -> str:
    """Decode encoded words; white space between two of them is no text, and a character may be split over both."""
    pieces: list[str] = []
    run = b""
    run_charset = ""
    end = 0
    for encoded_word in _ENCODED_WORD.finditer(text):
        between = text[end : encoded_word.start()]
        charset = encoded_word[1].lower()
        if run_charset and (between.strip() or charset != run_charset):
            pieces.append(_decoded(run, run_charset))
            run = b""
        if between.strip() or not run_charset:
            pieces.append(between)
        run += _word_bytes(encoded_word[2], encoded_word[3])
        run_charset = charset
        end = encoded_word.end()
    if run_charset:
        pieces.append(_decoded(run, run_charset))
    return "".join((*pieces, text[end:]))


def _word_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "bB":
        return _from_base64(raw)
    return quopri.decodestring(raw.replace(b"_", b" "), header=False)


def _decoded(content: bytes, charset: str, *, html: bool = False) -> str:
    codec = _codec(charset)
    if codec:
        return content.decode(codec, "replace")
    return decode(content, charset or None, html=html)[0]


def _codec(charset: str) -> str:
    """Return Python's name of an encoding that only mails use; empty for any other."""
    try:
        name = codecs.lookup(charset.strip()).name.replace("-", "_")
    except (LookupError, ValueError):
        return ""
    return name if name in _CODECS else ""


def _from_base64(content: bytes) -> bytes:
    try:
        return base64.b64decode(content, validate=False)
    except (binascii.Error, ValueError):
        digits = _BASE64_NOISE.sub(b"", content)
        return base64.b64decode(digits[: len(digits) // 4 * 4] + _padded(digits[len(digits) // 4 * 4 :]))


def _padded(digits: bytes) -> bytes:
    if len(digits) < 2:
        return b""
    return digits + b"=" * (4 - len(digits))


def _from_uuencode(content: bytes) -> bytes:
    start = _UUENCODED_START.search(content[:100_000])
    if start is None:
        return content
    decoded: list[bytes] = []
    for line in content[start.end() :].splitlines():
        if line.strip() in {b"end", b"`"}:
            break
        try:
            decoded.append(binascii.a2b_uu(line))
        except binascii.Error:
            continue
    return b"".join(decoded)
