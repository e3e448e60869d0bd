"""Names a file that comes from the web: whatever a server says becomes one safe component of a path; pure."""

from __future__ import annotations

import re
import unicodedata
from itertools import count
from mimetypes import MimeTypes
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

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

_EXTENDED = re.compile(r"(?:^|;)\s*filename\*\s*=\s*([\w!#$%&+^`{}~-]+)'[\w-]*'([^\s;,]+)", re.IGNORECASE)
_SIMPLE = re.compile(r"(?:^|;)\s*filename\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;,\"]+))", re.IGNORECASE | re.DOTALL)
_QUOTED_PAIR = re.compile(r"\\(.)", re.DOTALL)
_FORBIDDEN = re.compile(r'[<>:"|?*]')
"""Windows forbids them; a colon names a stream there."""
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)", re.IGNORECASE
)
_EXTENSION = re.compile(r"(?:\.tar)?\.[^. ]+\Z", re.IGNORECASE)
# Controls, formats (bidi among them), surrogates, private use, unassigned, line and paragraph separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def named(response: Response) -> str:
    """Return a safe name for what `response` carries: as the server says, else as its URL ends."""
    said = disposition(header(response.headers, "content-disposition") or "")
    segment = urlsplit(response.url).path.rpartition("/")[2]
    name = safe(said or "") or safe(unquote(segment))
    if name:
        return name
    kind = (header(response.headers, "content-type") or "").partition(";")[0].strip().lower()
    return OTHERWISE + (MimeTypes().guess_extension(kind) or "")  # the built-in table: every machine says the same


def disposition(value: str) -> str | None:
    """Return the file name in a Content-Disposition header as it stands there, or None (RFC 6266, RFC 8187).

    `filename*` goes before `filename`. Bytes that are no ASCII are read as UTF-8 where they can be.
    """
    value = value[:MAX_HEADER_CHARS]
    # Quoted strings may hold what looks like a parameter, so `filename*` is looked for outside of them.
    extended = _EXTENDED.search(re.sub(r'"(?:[^"\\]|\\.)*"', '""', value, flags=re.DOTALL))
    if extended and extended[1].lower() in {"utf-8", "iso-8859-1"}:
        return unquote(extended[2], encoding=extended[1], errors="replace")
    simple = _SIMPLE.search(value)
    if simple is None:
        return None
    name = _QUOTED_PAIR.sub(r"\1", simple[1]) if simple[1] is not None else simple[2]
    try:
        return name.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return name


def safe(name: str) -> str:
    """Return `name` as one component of a path that every system takes, or nothing if there is nothing left of it.

    No separators, no leading dots or dashes, nothing unseen, no name that Windows keeps for devices, at most 200 bytes.
    """
    last = re.split(r"[/\\]", name)[-1]
    seen = "".join(char for char in last if char in "\t\n" or unicodedata.category(char) not in _UNSEEN)
    told = " ".join(_FORBIDDEN.sub("_", unicodedata.normalize("NFC", seen)).split())
    told = told.lstrip(" .-~").rstrip(" .")
    return _shortened(f"_{told}" if _RESERVED.fullmatch(told.partition(".")[0].rstrip()) else told)


def _shortened(name: str) -> str:
    if len(name.encode()) <= MAX_BYTES:
        return name
    found = _EXTENSION.search(name)
    extension = found[0] if found and len(found[0].encode()) <= MAX_EXTENSION_BYTES else ""
    stem = name.removesuffix(extension).encode()[: MAX_BYTES - len(extension.encode())]
    return (stem.decode("utf-8", "ignore").rstrip(" .") + extension).rstrip(" .")


def candidates(name: str) -> Iterator[str]:
    """Yield `name`, then `name` with (2), (3) and so on before its extension."""
    yield name
    found = _EXTENSION.search(name)
    extension = found[0] if found and found.start() else ""
    stem = name.removesuffix(extension)
    yield from (f"{stem} ({number}){extension}" for number in count(2))
