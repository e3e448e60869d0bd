"""Names a file that comes from the web: whatever a server says becomes one safe component of a path; pure."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from wellread.lazy_pattern import lazy_pattern
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.types import Response

MAX_BYTES = 200
"""Filesystems take 255; the rest is room for a number."""
MAX_EXTENSION_BYTES = 20
MAX_HEADER_CHARS = 4_096
"""Quotes that are never closed take quadratic time."""
OTHERWISE = "download"

_EXTENDED = lazy_pattern(r"(?:^|;)\s*filename\*\s*=\s*([\w!#$%&+^`{}~-]+)'[\w-]*'([^\s;,]+)", re.IGNORECASE)
_SIMPLE = lazy_pattern(r"(?:^|;)\s*filename\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^;\"]+))", re.IGNORECASE | re.DOTALL)
_PART = lazy_pattern(r"(?:^|;)\s*filename\*([0-9]{1,2})\s*=\s*(?:\"([^\"]*)\"|([^;\"]+))", re.IGNORECASE)
_CHARSET = lazy_pattern(
    r"utf-?8|us-ascii|iso-8859-[0-9]{1,2}|windows-125[0-8]|gbk|gb2312|gb18030|big5|shift_jis|euc-jp|euc-kr|koi8-[ru]",
    re.IGNORECASE,
)
"""The character sets of `filename*` that are met; RFC 8187 asks for UTF-8 alone."""
_QUOTED_PAIR = lazy_pattern(r"\\(.)", re.DOTALL)
_FORBIDDEN = lazy_pattern(r'[<>:"|?*]')
"""Windows forbids them; a colon names a stream there."""
_RESERVED = lazy_pattern(
    r"(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)", re.IGNORECASE
)
_NAMED_EXTENSION = lazy_pattern(r"\.([A-Za-z][A-Za-z0-9]{0,9})\Z")
"""An extension has a letter first: `v1.2` has none."""
_SCRIPTS = frozenset({"php", "asp", "aspx", "ashx", "jsp", "jspx", "cgi", "do", "action", "pl", "cfm"})
"""Extensions of the program that made the file, not of its format."""
_OFFICE = "application/vnd.openxmlformats-officedocument"
_EXTENSIONS = {
    f"{_OFFICE}.wordprocessingml.document": ".docx",
    f"{_OFFICE}.spreadsheetml.sheet": ".xlsx",
    f"{_OFFICE}.presentationml.presentation": ".pptx",
    "application/epub+zip": ".epub",
    "application/gzip": ".gz",
    "application/x-gzip": ".gz",
    "image/webp": ".webp",
}
"""Types that the table of the standard library lacks or names otherwise."""
_FILES = frozenset({
    "pdf", "zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "tar", "doc", "docx", "xls", "xlsx", "ppt", "pptx",
    "odt", "ods", "odp", "epub", "rtf", "csv", "tsv", "json", "jsonl", "parquet", "png", "jpg", "jpeg", "gif", "webp",
    "tif", "tiff", "svg", "mp3", "m4a", "ogg", "wav", "mp4", "webm", "mov", "exe", "msi", "dmg", "deb", "rpm", "apk",
    "iso", "whl", "jar",
})  # fmt: skip
"""Extensions of files that are no web pages."""
_TEXTUAL = frozenset({"csv", "tsv", "json", "jsonl", "svg", "rtf"})
"""Those of them that are text."""
_XML_START = lazy_pattern(rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,500}<(?:\?xml|error|message)[\s>]", re.IGNORECASE)
_JSON_START = lazy_pattern(rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,500}[{\[]")
_HTML_START = lazy_pattern(
    rb"(?:\xef\xbb\xbf)?[ \t\r\n]{0,500}<(?:!doctype[ \t\r\n]{1,9}html|html)[\s>]", re.IGNORECASE
)
_EXTENSION = lazy_pattern(r"(?:\.tar)?\.[^. ]+\Z", re.IGNORECASE)
# Controls, formats (bidi among them), surrogates, private use, unassigned, line and paragraph separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def file_name(response: Response) -> str:
    """Return a safe file name for `response`: from Content-Disposition, else from the end of its URL."""
    header_name = safe_name(disposition_name(header(response.headers, "content-disposition") or "") or "")
    extension = _extension_of(header(response.headers, "content-type") or "")
    if header_name:
        if _EXTENSION.search(header_name):
            return header_name
        return _shortened(header_name + extension)
    name = safe_name(unquote(urlsplit(response.url).path.rpartition("/")[2]))
    if not name:
        return OTHERWISE + extension
    extension_match = _NAMED_EXTENSION.search(name)
    if extension_match is not None and (extension_match[1].lower() not in _SCRIPTS or not extension):
        return name
    if extension_match is not None:
        name = name[: extension_match.start()]
    return _shortened(name + extension)


def message_instead(url: str, content_type: str | None, start: bytes) -> str | None:
    """Return the kind of message that came in place of the file in a URL: a web page, or a message in JSON or XML.

    Its type or its first bytes tell; None stands for what may be the file.
    """
    extension_match = _NAMED_EXTENSION.search(urlsplit(url).path)
    if extension_match is None or extension_match[1].lower() not in _FILES:
        return None
    extension = extension_match[1].lower()
    kind = (content_type or "").partition(";")[0].strip().lower()
    if kind in {"text/html", "application/xhtml+xml"} or _HTML_START.match(start):
        return "a web page (HTML)"
    if extension in _TEXTUAL:
        return None
    if kind.endswith(("/json", "+json")) and _JSON_START.match(start):
        return "a message in JSON"
    if kind.endswith(("/xml", "+xml")) and _XML_START.match(start):
        return "a message in XML"
    return None


def _extension_of(content_type: str) -> str:
    """Return the extension of a media type, with its dot; empty for types that say nothing of their content."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind in {"text/plain", "application/octet-stream", "binary/octet-stream"}:
        return ""
    from mimetypes import MimeTypes  # here, because a page that is read needs no name

    return _EXTENSIONS.get(kind) or MimeTypes().guess_extension(kind) or ""  # built-in tables: the same everywhere


def _decoded_words(name: str) -> str:
    """Decode the encoded words of RFC 2047, which servers send although RFC 6266 has no place for them."""
    if "=?" not in name:
        return name
    from email.errors import HeaderParseError  # here, because few names are encoded so
    from email.header import decode_header, make_header

    try:
        return str(make_header(decode_header(name)))
    except (HeaderParseError, LookupError, UnicodeError, ValueError):
        return name


def disposition_name(value: str) -> str | None:
    """Return the file name in a Content-Disposition header as it stands there, or None (RFC 6266, RFC 8187).

    `filename*` goes before `filename`. Bytes that are no ASCII are read as UTF-8 where they can be.
    """
    if not value:
        return None
    value = value[:MAX_HEADER_CHARS]
    # Quoted strings may hold what looks like a parameter, so `filename*` is looked for outside of them.
    extended = _EXTENDED.search(re.sub(r'"(?:[^"\\]|\\.)*"', '""', value, flags=re.DOTALL))
    if extended and _CHARSET.fullmatch(extended[1]):
        return unquote(extended[2], encoding=extended[1], errors="replace")
    simple = _SIMPLE.search(value)
    if simple is None:
        return _joined_parts(value)
    name = _QUOTED_PAIR.sub(r"\1", simple[1]) if simple[1] is not None else simple[2]
    with suppress(UnicodeError):
        name = name.encode("latin-1").decode("utf-8")
    return _unescaped(_decoded_words(name.strip()))


def _joined_parts(value: str) -> str | None:
    """Return the name whose parts stand in `filename*0`, `filename*1` and so on (RFC 2231, section 3)."""
    parts = {int(part[1]): part[2] or (part[3] or "").strip() for part in _PART.finditer(value)}
    return "".join(parts[number] for number in sorted(parts)) or None


def _unescaped(name: str) -> str:
    """Return a name with its percent escapes decoded, as Chromium does, where they are UTF-8."""
    try:
        return unquote(name, errors="strict")
    except UnicodeError:
        return name


def safe_name(name: str) -> str:
    """Return `name` as one component of a path that every system takes, or nothing if there is nothing left of it.

    No separators, no leading dots or dashes, nothing unseen, no name that Windows keeps for devices, at most 200 bytes.
    """
    last_component = re.split(r"[/\\]", name)[-1]
    visible_chars = "".join(
        char for char in last_component if char in "\t\n" or unicodedata.category(char) not in _UNSEEN
    )
    name_part = " ".join(_FORBIDDEN.sub("_", unicodedata.normalize("NFC", visible_chars)).split())
    name_part = name_part.lstrip(" .-~").rstrip(" .")
    if _RESERVED.fullmatch(name_part.partition(".")[0].rstrip()):
        name_part = f"_{name_part}"
    return _shortened(name_part)


def _shortened(name: str) -> str:
    if len(name.encode()) <= MAX_BYTES:
        return name
    extension_match = _EXTENSION.search(name)
    extension = (
        extension_match[0] if extension_match and len(extension_match[0].encode()) <= MAX_EXTENSION_BYTES else ""
    )
    stem = name.removesuffix(extension).encode()[: MAX_BYTES - len(extension.encode())]
    return (stem.decode("utf-8", "ignore").rstrip(" .") + extension).rstrip(" .")


def numbered_names(name: str) -> Iterator[str]:
    """Yield `name`, then `name` with (2), (3) and so on before its extension."""
    yield name
    extension_match = _EXTENSION.search(name)
    extension = extension_match[0] if extension_match and extension_match.start() else ""
    stem = name.removesuffix(extension)
    yield from (f"{stem} ({number}){extension}" for number in count(2))
