"""Reads cookies from files: the form of Netscape and curl (`cookies.txt`), and that of Playwright and extensions."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from wellread.credentials import StoredCookie
from wellread.errors import InvalidInput
from wellread.lazy_pattern import lazy_pattern
from wellread.net.cookies import MAX_COOKIE_CHARS, is_registry
from wellread.net.transport import is_token

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_COOKIES_IN_FILE: Final = 10_000
_HTTP_ONLY: Final = "#HttpOnly_"
_VALUE: Final = lazy_pattern(r"[\x20-\x3a\x3c-\x7e]*")
"""Printable ASCII without the semicolon, which would begin another cookie."""
_NUMBER: Final = lazy_pattern(r"-?[0-9]+(\.[0-9]+)?")
_HINT: Final = "use a cookies.txt file (Netscape), or a storage state of Playwright (JSON)"


def parse_cookies(text: str) -> tuple[StoredCookie, ...]:
    """Return the cookies of a file in either form.

    Raises:
        InvalidInput: it has neither form; the message has no value of it.
    """
    stripped = text.lstrip("\ufeff \t\r\n")
    parse = _netscape_cookies
    if stripped.startswith(("{", "[")):
        parse = _json_cookies
    cookies = parse(stripped)
    if len(cookies) > MAX_COOKIES_IN_FILE:
        hint = "keep only those of the site"
        raise InvalidInput(f"the file has more than {MAX_COOKIES_IN_FILE:,} cookies", hint=hint)
    return tuple(cookies)


def cookies_of_state(rows: Iterable[Mapping[str, Any]]) -> tuple[StoredCookie, ...]:  # Any: JSON
    """Return the cookies in Playwright's form; a partitioned cookie belongs to a frame, and is left out.

    Raises:
        InvalidInput: a row is not a cookie; the message has no value of it.
    """
    return tuple(_json_cookie(row) for row in rows if not row.get("partitionKey"))


def cookie(  # the attributes of RFC 6265bis section 5.7
    name: str,
    value: str,
    *,
    domain: str,
    is_host_only: bool,
    path: str = "/",
    is_secure: bool = False,
    expires: float | None = None,
    label: str | None = None,
) -> StoredCookie:
    """Return a cookie whose name, value and domain were checked; errors have `label`, or its name without one.

    Raises:
        InvalidInput: it could not be sent, or would be sent to sites of others; the message has no value of it.
    """
    host = domain.lower().removeprefix(".").rstrip(".")
    label = label or f"the cookie {name[:60]!r}"
    if not is_token(name) or not _VALUE.fullmatch(value) or len(name) + len(value) > MAX_COOKIE_CHARS:
        raise InvalidInput(f"{label} has characters or a length that no cookie can have")
    if not host or (not is_host_only and is_registry(host)):
        raise InvalidInput(f"{label} is for {domain[:100]!r}, which is not the domain of one site")
    return StoredCookie(
        name=name,
        value=value,
        domain=host,
        is_host_only=is_host_only,
        path=_path(path),
        is_secure=is_secure,
        expires=expires,
    )


def _netscape_cookies(text: str) -> list[StoredCookie]:
    """Return the cookies of a cookies.txt file: seven fields a line, separated by tabs."""
    cookies = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or (line.startswith("#") and not line.startswith(_HTTP_ONLY)):
            continue
        fields = line.removeprefix(_HTTP_ONLY).split("\t")
        # An empty value at the end of the line is often lost; without a time, it is another field that is.
        if len(fields) == 6 and _NUMBER.fullmatch(fields[4]):
            fields.append("")
        if len(fields) != 7:
            raise InvalidInput(f"line {number} of the cookie file has {len(fields)} fields, not 7", hint=_HINT)
        domain, with_subdomains, path, is_secure, expires, name, value = fields
        stored = cookie(
            name,
            value.rstrip("\r"),
            domain=domain,
            is_host_only=with_subdomains.upper() != "TRUE",
            path=path,
            is_secure=is_secure.upper() == "TRUE",
            expires=_expires(expires),
            # In a row with a field too few or too many, the value may stand in the place of the name.
            label=f"the cookie in line {number} of the file",
        )
        cookies.append(replace(stored, is_http_only=line.startswith(_HTTP_ONLY)))
    return cookies


def _json_cookies(text: str) -> list[StoredCookie]:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        # The text of a JSON error has a position, never a piece of the file.
        raise InvalidInput(f"the cookie file is not JSON: {error}", hint=_HINT) from error
    rows = parsed
    if isinstance(parsed, dict):
        rows = parsed.get("cookies")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InvalidInput("the cookie file has no list of cookies", hint=_HINT)
    return list(cookies_of_state(rows))


def _json_cookie(row: Mapping[str, Any]) -> StoredCookie:  # Any: JSON
    texts = {name: row.get(name) for name in ("name", "value", "domain")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise InvalidInput("a cookie of the file lacks its name, value or domain", hint=_HINT)
    domain = str(texts["domain"])
    stored = cookie(
        str(texts["name"]),
        str(texts["value"]),
        domain=domain,
        is_host_only=not domain.startswith(".") and row.get("hostOnly") is not False,
        path=_path(row.get("path")),
        is_secure=row.get("secure") is True,
        expires=_expires(row.get("expires", row.get("expirationDate"))),
    )
    return replace(stored, is_http_only=row.get("httpOnly") is not False)


def _path(path: object) -> str:
    if isinstance(path, str) and path.startswith("/"):
        return path
    return "/"


def _expires(moment: object) -> float | None:
    """Return the seconds since 1970; None for a cookie of a session, which files write as 0 or -1."""
    try:
        seconds = float(str(moment))
    except ValueError:
        return None
    if seconds <= 0:
        return None
    return seconds
