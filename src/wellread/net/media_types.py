"""Decodes the text of a response, and detects its media type where the server is silent or wrong."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from wellread.lazy_pattern import lazy_pattern
from wellread.net.charset import decode, detect_utf16
from wellread.types import Headers, header

__all__ = ["decode", "header_charset", "is_json", "is_text", "sniff"]

OCTETS = "application/octet-stream"
START_BYTES = 4_096
MAX_JSON_BYTES = 1_000_000
MAX_CONTROL = 0.02
"""Share of control bytes above which a start is not text (random bytes have 0.1)."""

_GENERIC = {"", OCTETS, "binary/octet-stream", "application/binary", "application/unknown", "unknown/unknown", "*/*"}
_GENERIC |= {"application/x-unknown", "application/force-download", "application/download", "application/x-download"}
_TEXTUAL = lazy_pattern(
    r"text/.+|application/(?:x-)?(?:javascript|ecmascript|json|ndjson|xml|yaml|toml)|.+\+(?:xml|json)"
)
_ESSENCE = lazy_pattern(r"\s*([A-Za-z0-9!#$&^_.+*-]+/[A-Za-z0-9!#$&^_.+*-]+)")
# The MIME Sniffing Standard's binary data bytes.
_CONTROL = bytes({*range(0x20)} - {0x09, 0x0A, 0x0C, 0x0D, 0x1B})
_NO_TEXT = lazy_pattern("[\ufffd\ue000-\uf8ff]")

# Text that may stand before the first element. Atomic, for comments of a hostile page could be divided in 2^n ways.
_LEAD = rb"(?:\xef\xbb\xbf)?(?:\s+|(?><!--.*?-->)|(?><\?.*?\?>)|(?><!doctype\s++(?!html)[^>]*>))*+"
_FLAGS = re.IGNORECASE | re.DOTALL
_HTML = lazy_pattern(_LEAD + rb"<(?:!doctype\s+html|html[\s>])", _FLAGS)
_HTML_TAG = lazy_pattern(
    rb"\s*<(?:!--|(?:head|body|title|meta|link|script|style|iframe|div|p|span|a|b|br|img|font|center|table|form|ul|ol"
    rb"|h[1-6]|main|article|section|nav|header)[\s/>])",
    _FLAGS,
)
_XML_ROOTS = tuple(
    (lazy_pattern(_LEAD + rb"<(?:\w+:)?" + root + rb"[\s>]", _FLAGS), media_type)
    for root, media_type in (
        (rb"rss", "application/rss+xml"),
        (rb"feed", "application/atom+xml"),
        (rb"rdf", "application/rdf+xml"),
        (rb"svg", "image/svg+xml"),
    )
)
_FLAT_ODF = lazy_pattern(_LEAD + rb"<office:document[\s>]", _FLAGS)
_FLAT_ODF_KIND = lazy_pattern(
    rb"office:mimetype\s{0,9}=\s{0,9}[\"']application/vnd\.oasis\.opendocument\.([a-z]{1,20})"
)
_ODF_KINDS = {b"text", b"spreadsheet", b"presentation", b"graphics"}
_XML = lazy_pattern(rb"(?:\xef\xbb\xbf)?\s*<\?xml\s", _FLAGS)
_JSON = lazy_pattern(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*[\"}]|\[\s*(?:[\[\]{\"0-9-]|true|false|null))")

_TEXT_MAGIC = lazy_pattern(rb"(?:\xef\xbb\xbf)?\s*(?:(%PDF-\d)|(\{\\rtf)|(%!PS-Adobe))")
_TEXT_MAGIC_TYPES = ("application/pdf", "application/rtf", "application/postscript")
_MAGIC = (
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"PK\x05\x06", "application/zip"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (8, b"WEBPVP8", "image/webp"),
    (8, b"WAVEfmt", "audio/wav"),
    (8, b"AVI LIST", "video/x-msvideo"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (6, b"\x00\x00\x00\x00", "image/bmp"),  # with BM before it, see _by_magic
    (4, b"ftypavi", "image/avif"),
    (4, b"ftyphe", "image/heic"),
    (4, b"ftypmif1", "image/heic"),
    (4, b"ftypM4", "audio/mp4"),
    (4, b"ftypqt", "video/quicktime"),
    (4, b"ftyp", "video/mp4"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"\x1a\x45\xdf\xa3", "video/webm"),
    (0, b"\x1f\x8b\x08", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (257, b"ustar", "application/x-tar"),
    (0, b"MZ", "application/vnd.microsoft.portable-executable"),
    (0, b"\x7fELF", "application/x-elf"),
    (0, b"\xcf\xfa\xed\xfe", "application/x-mach-binary"),
    (0, b"\xca\xfe\xba\xbe", "application/x-mach-binary"),
    (0, b"\x00asm", "application/wasm"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
    (0, b"OTTO", "font/otf"),
    (0, b"\x00\x01\x00\x00", "font/ttf"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (0, b"!BDN", "application/vnd.ms-outlook-pst"),
)
_ZIP_END = b"PK\x05\x06"
_ZIP64_END = b"PK\x06\x06"
_ZIP64_END_BYTES = 76
"""The ZIP64 record and its locator, which stand between the directory and the end (APPNOTE 4.3.14, 4.3.15)."""
_OFFICE = "application/vnd.openxmlformats-officedocument."
_IN_ZIP = (
    (b"mimetypeapplication/epub+zip", "application/epub+zip"),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
    (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.spreadsheet"),
    (b"mimetypeapplication/vnd.oasis.opendocument.presentation", "application/vnd.oasis.opendocument.presentation"),
    (b"mimetypeapplication/vnd.oasis.opendocument.graphics", "application/vnd.oasis.opendocument.graphics"),
    (b"word/document.xml", f"{_OFFICE}wordprocessingml.document"),
    (b"word/document2.xml", f"{_OFFICE}wordprocessingml.document"),
    # Before workbooks: charts of presentations keep theirs in the file, sometimes without compression.
    (b"ppt/presentation.xml", f"{_OFFICE}presentationml.presentation"),
    # Written by programs that pack the file `mimetype` itself, or put it elsewhere.
    (b"META-INF/container.xml", "application/epub+zip"),
    (b"META-INF/manifest.xml", "application/vnd.oasis.opendocument.text"),
    (b"xl/workbook.", f"{_OFFICE}spreadsheetml.sheet"),
)
_OLE = "application/x-ole-storage"
_IN_OLE = tuple(
    (name.encode("utf-16-le"), media_type)
    for name, media_type in (
        ("__properties_version1.0", "application/vnd.ms-outlook"),  # [MS-OXMSG] 2.4
        ("EncryptedPackage", "application/x-encrypted-office"),  # [MS-OFFCRYPTO] 2.3.4.4
        ("WordDocument", "application/msword"),
        ("Workbook", "application/vnd.ms-excel"),
        ("PowerPoint Document", "application/vnd.ms-powerpoint"),
    )
)
_CONTAINERS = {
    "application/zip",
    "application/gzip",
    "application/x-ole-storage",
    "audio/ogg",
    "video/mp4",
    "video/webm",
}
_CERTAIN = {kind for *_, kind in (*_MAGIC, *_IN_ZIP, *_IN_OLE)} | {*_TEXT_MAGIC_TYPES}
_CERTAIN -= _CONTAINERS
_BY_SUFFIX = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), "text/html"),
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mkdn"), "text/markdown"),
    **dict.fromkeys((".yaml", ".yml"), "application/yaml"),
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".xml": "application/xml",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
}


def sniff(body: bytes, declared: str | None, url: str | None = None) -> str:
    """Return the media type of `body`: essence, lower case, no parameters.

    `declared` is the Content-Type header; it holds unless the bytes prove it wrong (after the MIME Sniffing Standard,
    bolder where servers err most: PDFs, archives and garbage served as text/html, pages served as text/plain).
    """
    claimed = _essence(declared)
    wide_text = _wide_text(body[:START_BYTES])
    start = body[:START_BYTES] if wide_text is None else wide_text.encode()
    magic_type = _by_magic(body)
    if magic_type is not None:
        is_finer = not _is_open(claimed) and claimed not in _CERTAIN | _CONTAINERS
        if magic_type in _CONTAINERS and is_finer:
            return claimed
        return magic_type
    if _is_binary(start) or (_is_binary(body) if wide_text is None else _is_noise(wide_text)):
        return OCTETS if _is_open(claimed) else claimed
    return _as_text(body, start, claimed, url)


def _essence(declared: str | None) -> str:
    match = _ESSENCE.match(declared or "")
    if match is None:
        return ""
    essence = match[1].lower()
    if essence in _GENERIC:
        return ""
    return essence


def _is_open(claimed: str) -> bool:
    """Return whether the claim is none, or one of text, which bytes can disprove."""
    return not claimed or _TEXTUAL.fullmatch(claimed) is not None


def _wide_text(start: bytes) -> str | None:
    """Return a start in UTF-16, which is full of zeros; None where it is in an ASCII-compatible encoding."""
    encoding = detect_utf16(start)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    if encoding is None:
        return None
    return start.decode(encoding, "replace")


def _is_binary(text: bytes) -> bool:
    return len(text) - len(text.translate(None, _CONTROL)) > len(text) * MAX_CONTROL


def _is_noise(text: str) -> bool:
    """Tell random bytes from UTF-16: every 30th of their pairs is half a character, every tenth a private one.

    The MIME Sniffing Standard takes whatever begins with a mark for text. A start may end in half a character.
    """
    return len(_NO_TEXT.findall(text)) > 1 + len(text) * MAX_CONTROL


def _by_magic(body: bytes) -> str | None:
    written = _TEXT_MAGIC.match(body[:START_BYTES])
    if written is not None and written.lastindex is not None:
        return _TEXT_MAGIC_TYPES[written.lastindex - 1]
    start = body[:320]
    if start[257:262] == b"ustar" and b"\0" in start[:257]:
        return "application/x-tar"  # the name of its first file may fill the first 64 bytes
    if len(start[:64]) == len(start[:64].translate(None, _CONTROL)):
        return None  # text may begin with "MZ" or "GIF8"; the real ones have control bytes near
    for offset, mark, media_type in _MAGIC:
        if start.startswith(mark, offset) and (media_type != "image/bmp" or start.startswith(b"BM")):
            return _inside(body, media_type)
    return None


def _inside(body: bytes, container: str) -> str:
    if container == "application/zip":
        return _in_zip(body)
    if container == _OLE:
        return next((media_type for mark, media_type in _IN_OLE if mark in body), container)
    return container


def _in_zip(body: bytes) -> str:
    """Return the media type of a format that is packed as ZIP, by the names in its directory.

    The bytes of a document that lies in an archive say nothing of the archive. A file that was cut off has no
    directory: then the names are looked for everywhere.
    """
    end = body.rfind(_ZIP_END, max(0, len(body) - 65_557))
    directory_bytes = int.from_bytes(body[end + 12 : end + 16], "little")
    if end >= _ZIP64_END_BYTES and body.startswith(_ZIP64_END, end - _ZIP64_END_BYTES):
        end -= _ZIP64_END_BYTES
    for mark, media_type in _IN_ZIP:
        if end < 0 or not 0 < directory_bytes <= end:
            if mark in body:
                return media_type
        elif mark.startswith(b"mimetype"):
            if mark in body and _zip_entry(b"mimetype").search(body, end - directory_bytes, end):
                return media_type
        elif _zip_entry(mark).search(body, end - directory_bytes, end):
            return media_type
    return "application/zip"


@cache
def _zip_entry(name: bytes) -> re.Pattern[bytes]:
    """Match an entry of a ZIP directory whose name begins with `name` (APPNOTE 4.3.12)."""
    return lazy_pattern(rb"PK\x01\x02.{42}/?" + re.escape(name), re.DOTALL)  # fixed length, names of our own


def _as_text(body: bytes, start: bytes, claimed: str, url: str | None) -> str:
    if _HTML.match(start):
        is_xml = claimed in {"application/xhtml+xml", "application/xml", "text/xml"}
        return "application/xhtml+xml" if is_xml else "text/html"
    if claimed in {"", "text/html", "application/xml", "text/xml"}:
        return (
            _by_root(start, claimed)
            or _by_shape(body, start, claimed, url)
            or claimed
            or _by_suffix(url)
            or "text/plain"
        )
    return claimed


def _by_root(start: bytes, claimed: str) -> str | None:
    kind = _FLAT_ODF_KIND.search(start) if _FLAT_ODF.match(start) else None
    if kind is not None and kind[1] in _ODF_KINDS:
        return f"application/vnd.oasis.opendocument.{kind[1].decode()}-flat-xml"
    root_type = next((media_type for root, media_type in _XML_ROOTS if root.match(start)), None)
    return (
        None if claimed == "text/html" and root_type == "image/svg+xml" else root_type
    )  # an HTML fragment may begin so


def _by_shape(body: bytes, start: bytes, claimed: str, url: str | None) -> str | None:
    if _XML.match(start):
        return claimed if claimed.endswith("/xml") else "application/xml"
    if _JSON.match(start) and _is_whole_json(body):
        return "application/json"
    # Markdown often begins with HTML: a logo in the middle of the page.
    is_page = not claimed and _by_suffix(url) != "text/markdown" and _HTML_TAG.match(start)
    return "text/html" if is_page else None


def is_text(body: bytes) -> bool:
    """Return whether `body` is text by its start, in an encoding that has ASCII or in UTF-16."""
    if _by_magic(body) is not None:
        return False
    wide_text = _wide_text(body[:START_BYTES])
    if wide_text is None:
        return not _is_binary(body[:START_BYTES])
    return not _is_noise(wide_text) and not _is_binary(wide_text.encode("utf-8", "replace"))


def is_json(body: bytes) -> bool:
    """Return whether `body` is a JSON object or array in an encoding that has ASCII; of a long one, by its two ends."""
    return _JSON.match(body[:START_BYTES]) is not None and _is_whole_json(body)


def _is_whole_json(body: bytes) -> bool:
    if len(body) > MAX_JSON_BYTES:
        return body[-64:].rstrip().endswith((b"}", b"]"))
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _by_suffix(url: str | None) -> str | None:
    try:
        return _BY_SUFFIX.get(PurePosixPath(urlsplit(url or "").path).suffix.lower())
    except ValueError:
        return None


def header_charset(headers: Headers) -> str | None:
    """Return the character set that Content-Type names, or None."""
    parameters = (header(headers, "content-type") or "").lower().partition("charset=")[2]
    return parameters.strip(" \"'").partition(";")[0] or None
