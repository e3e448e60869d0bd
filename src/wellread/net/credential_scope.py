"""Decides which credentials a hop carries: each for its own hosts, and never from https to http. Pure."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import TYPE_CHECKING

from wellread.net import guard
from wellread.net.schemeless_urls import candidate_urls
from wellread.types import header

if TYPE_CHECKING:
    from wellread.credentials import Credentials, StoredCookie
    from wellread.net.guard import Target
    from wellread.net.transport import Hop


def origin(target: Target) -> str:
    """Return the origin of a target, with its port (RFC 6454)."""
    return f"{target.scheme}://{target.host}:{target.port}"


def origin_with_port(url: str) -> str:
    """Return the origin of a URL with its port; without a scheme, that of https.

    Raises:
        InvalidUrl: it is not a URL.
    """
    return origin(guard.parse_url(candidate_urls(url)[0]))


def basic(username: str, password: str) -> str:
    """Return the Authorization field of basic authentication (RFC 7617)."""
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()


def with_headers(hop: Hop, credentials: Credentials | None) -> Hop:
    """Return the first hop of a request with the caller's headers, if the hop goes to the origin that they are for."""
    if credentials is None or origin(hop.target) != credentials.origin:
        return hop
    names = frozenset(name.lower() for name, _ in credentials.headers)
    return replace(
        hop,
        headers=tuple(field for field in hop.headers if field[0].lower() not in names) + credentials.headers,
        secret_fields=hop.secret_fields | names,
        replaced_headers=tuple(field for field in hop.headers if field[0].lower() in names),
    )


def with_login(hop: Hop, credentials: Credentials | None) -> Hop:
    """Return a hop with the login for its origin, unless it has one."""
    if credentials is None or header(hop.headers, "authorization") is not None:
        return hop
    login = dict(credentials.logins).get(origin(hop.target))
    if login is None:
        return hop
    return replace(hop, headers=(*hop.headers, ("Authorization", login)))


def applies_to(credentials: Credentials, target: Target) -> bool:
    """Return whether a request to `target` would carry any of the credentials."""
    if origin(target) in {credentials.origin, *(place for place, _ in credentials.logins)}:
        return True
    return any(is_in_domain(cookie, target) for cookie in credentials.cookies)


def is_in_domain(cookie: StoredCookie, target: Target) -> bool:
    """Return whether a cookie is for the host of `target`."""
    return target.host == cookie.domain or (not cookie.is_host_only and target.host.endswith(f".{cookie.domain}"))
