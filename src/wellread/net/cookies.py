"""Cookies within one chain of redirects (RFC 6265bis): pure, and gone when the request ends.

Sites set a cookie, redirect, and expect it back. A read without credentials begins without cookies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.lazy_pattern import lazy_pattern
from wellread.net.http_dates import http_date

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from wellread.credentials import StoredCookie
    from wellread.net.guard import Target
    from wellread.types import Headers

MAX_COOKIE_CHARS: Final = 4_096
"""Name and value (RFC 6265bis section 5.6)."""
MAX_COOKIES: Final = 100
MAX_HEADER_CHARS: Final = 8_192
"""The size of one header field that most servers accept."""

_SECONDS = lazy_pattern(r"-?[0-9]{1,20}")
_MAX_AGE_S: Final = 400 * 86_400
"""A longer life is cut to this one (RFC 6265bis section 5.6.2)."""
_CONTROL = lazy_pattern(r"[\x00-\x08\x0a-\x1f\x7f]")
_SHORT_SECOND_LEVEL: Final = 3
"""`co.uk`, `com.au`, `ne.jp`: below a country, a second level of three letters or fewer is a registry's. Without the
list of public suffixes some registries pass; a cookie lives for one request, so the harm is small."""


class _Cookie(NamedTuple):
    name: str
    value: str
    domain: str
    is_host_only: bool
    path: str
    is_secure: bool

    @property
    def key(self) -> tuple[str, str, str]:
        """Return the identity of the cookie (section 5.7, step 23)."""
        return self.name, self.domain, self.path

    def fits(self, target: Target) -> bool:
        """Return whether the cookie belongs in a request for `target` (section 5.8.3)."""
        in_domain = target.host == self.domain if self.is_host_only else _is_in_domain(target.host, self.domain)
        return in_domain and _is_in_path(_path(target), self.path) and (target.scheme == "https" or not self.is_secure)


class CookieJar:
    """The cookies of one chain: those that it begins with, and those that its answers have set."""

    def __init__(self, cookies: Iterable[StoredCookie] = (), *, is_https: bool = False) -> None:
        """Begin with `cookies`; in a chain that begins over https, none of them goes over http."""
        begun = [
            _Cookie(
                name=cookie.name,
                value=cookie.value,
                domain=cookie.domain,
                is_host_only=cookie.is_host_only,
                path=cookie.path,
                is_secure=cookie.is_secure or is_https,
            )
            for cookie in cookies
        ]
        self._cookies: dict[tuple[str, str, str], _Cookie] = {cookie.key: cookie for cookie in begun}
        self._max_cookies = len(self._cookies) + MAX_COOKIES
        self.set_cookies: dict[tuple[str, str, str], dict[str, object]] = {}
        """The cookies that answers have set, in Playwright's form."""

    def store(self, target: Target, headers: Headers, now: datetime) -> None:
        """Store the cookies that a response from `target` sets and may set; others are ignored."""
        for name, value in headers:
            if name.lower() == "set-cookie" and len(value) <= 2 * MAX_COOKIE_CHARS:
                self._set(target, value, now)

    def header(self, target: Target, caller_field: str | None = None) -> str | None:
        """Return the Cookie field for a request to `target`, or None.

        `caller_field` is the field that the caller gave; a cookie of the jar replaces the caller's cookie of its name.
        """
        fitting = [cookie for cookie in self._cookies.values() if cookie.fits(target)]
        fitting.sort(key=lambda cookie: -len(cookie.path))  # section 5.8.3: longer paths first, else as they came
        names = {cookie.name for cookie in fitting}
        pairs = [pair.strip() for pair in (caller_field or "").split(";")]
        pairs = [pair for pair in pairs if pair and pair.partition("=")[0].strip() not in names]
        length = sum(len(pair) + 2 for pair in pairs)
        for cookie in fitting:
            pair = f"{cookie.name}={cookie.value}"
            length += len(pair) + 2
            if length > MAX_HEADER_CHARS:
                break
            pairs.append(pair)
        return "; ".join(pairs) or None

    def _set(self, target: Target, text: str, now: datetime) -> None:
        pair, _, attribute_text = text.partition(";")
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name or _CONTROL.search(text) or len(name) + len(value) > MAX_COOKIE_CHARS:
            return
        attributes = _attributes(attribute_text)
        cookie = _placed(target, name, value, attributes)
        if cookie is None:
            return
        self._cookies.pop(cookie.key, None)
        if not _is_expired(attributes, now) and len(self._cookies) < self._max_cookies:
            self._cookies[cookie.key] = cookie
            self.set_cookies[cookie.key] = _storage_row(cookie, attributes, now)


def _storage_row(cookie: _Cookie, attributes: dict[str, str], now: datetime) -> dict[str, object]:
    """Return a cookie as a storage state has it: a domain with a leading dot has subdomains, -1 ends with a session."""
    domain = cookie.domain
    if attributes.get("domain") and not _is_address(domain):
        domain = f".{domain}"
    same_site = attributes.get("samesite", "").capitalize()
    if same_site not in {"Strict", "Lax", "None"}:
        same_site = "Lax"
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": domain,
        "path": cookie.path,
        "expires": _expiry(attributes, now),
        "httpOnly": "httponly" in attributes,
        "secure": cookie.is_secure,
        "sameSite": same_site,
    }


def _expiry(attributes: dict[str, str], now: datetime) -> float:
    """Return when a cookie that is kept expires, in seconds since 1970; -1 for one that ends with the session."""
    max_age = attributes.get("max-age", "")
    if _SECONDS.fullmatch(max_age):
        return now.timestamp() + min(int(max_age), _MAX_AGE_S)
    expires = http_date(attributes.get("expires", ""))
    if expires is None:
        return -1.0
    return expires.timestamp()


def _attributes(text: str) -> dict[str, str]:
    """Return the attributes of a cookie; of several of one name the last counts."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _placed(target: Target, name: str, value: str, attributes: dict[str, str]) -> _Cookie | None:
    """Return the cookie that `target` may set, or None (section 5.7)."""
    domain = attributes.get("domain", "").removeprefix(".").lower()
    if domain and domain != target.host and (not _is_in_domain(target.host, domain) or is_registry(domain)):
        return None
    path = attributes.get("path", "")
    if not path.startswith("/"):
        path = _folder(_path(target))
    cookie = _Cookie(
        name=name,
        value=value,
        domain=domain or target.host,
        is_host_only=not domain or domain == target.host,
        path=path,
        is_secure="secure" in attributes,
    )
    if cookie.is_secure and target.scheme != "https":
        return None
    prefix = name.lower()
    if prefix.startswith("__secure-") and not cookie.is_secure:
        return None
    if prefix.startswith("__host-") and not (cookie.is_secure and not domain and attributes.get("path") == "/"):
        return None
    return cookie


def _is_expired(attributes: dict[str, str], now: datetime) -> bool:
    """Return whether a cookie deletes rather than sets; Max-Age goes before Expires."""
    max_age = attributes.get("max-age", "")
    if _SECONDS.fullmatch(max_age):
        return int(max_age) <= 0
    expires = http_date(attributes.get("expires", ""))
    return expires is not None and expires <= now


def _is_in_domain(host: str, domain: str) -> bool:
    return host == domain or (not _is_address(host) and host.endswith(f".{domain}"))


def _is_address(host: str) -> bool:
    return host.startswith("[") or host.replace(".", "").isdigit() or ":" in host


def is_registry(domain: str) -> bool:
    """Return whether names are sold below `domain`, as far as its form tells."""
    labels = domain.split(".")
    is_second_level = len(labels) == 2 and len(labels[1]) == 2 and len(labels[0]) <= _SHORT_SECOND_LEVEL
    return len(labels) == 1 or is_second_level


def _path(target: Target) -> str:
    return target.path.partition("?")[0]


def _folder(path: str) -> str:
    """Return the default path of a cookie (section 5.1.4)."""
    return path.rpartition("/")[0] or "/"


def _is_in_path(path: str, folder: str) -> bool:
    """Return whether a request's path lies in a cookie's (section 5.1.4)."""
    return path == folder or path.startswith(f"{folder.removesuffix('/')}/")
