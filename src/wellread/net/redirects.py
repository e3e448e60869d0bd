"""Decides where a redirect leads, and which headers and body go along: pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellread.errors import BlockedAddress, InvalidUrl, RedirectLoop
from wellread.net import credential_scope, guard
from wellread.net.retries import SAFE_METHODS
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.credentials import Credentials
    from wellread.net.cookies import CookieJar
    from wellread.net.transport import Hop
    from wellread.types import Headers

STATUSES = frozenset({301, 302, 303, 307, 308})
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")

# The names of secrets cannot be listed, so the fields that may cross to another origin are.
_PUBLIC = frozenset({"user-agent", "accept", "accept-language", "accept-encoding", "content-type", "range", "if-range"})


def location(status: int, headers: Headers) -> str | None:
    """Return where the answer redirects to, or None when it does not."""
    value = header(headers, "location") if status in STATUSES else None
    if not value:
        return None
    # Servers send UTF-8, which the header brings as if it were Latin-1; other bytes are sent back as they came, as
    # browsers do (URL standard, isomorphic decoding).
    try:
        value = value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        value = _NOT_ASCII.sub(lambda match: f"%{ord(match[0]) & 0xFF:02X}", value)
    return value.strip().replace(" ", "%20") or None


def sends_again(status: int, hop: Hop) -> bool:
    """Return whether the redirect sends the body of the request once more, to another URL."""
    return status in {307, 308} and hop.method not in SAFE_METHODS


def follow(
    hops: Sequence[Hop],
    status: int,
    place: str,
    policy: guard.Policy,
    *,
    jar: CookieJar,
    credentials: Credentials | None,
    limit: int,
    replayed: bool,
) -> Hop:
    """Return the hop that comes after `hops`, with the cookies of `jar` and the login for its origin.

    A place that was asked before is a loop, unless cookies have changed since. A recording has no cookies, so that
    `replayed` chains may come back to a place.

    Raises:
        RedirectLoop: it was made before, or `limit` redirects were followed already.
        InvalidUrl, BlockedAddress: the guard refuses the place.
    """
    last = hops[-1]
    try:
        target = guard.check_url(place, policy, base=last.target.url)
    except (InvalidUrl, BlockedAddress) as error:
        message = f"{last.target.url} redirects to a refused place: {error.message}"
        raise type(error)(message, url=error.url, hint=error.hint) from error
    hop = replace(last, target=target)
    if _origin(target) != _origin(last.target):
        hop = _without_secrets(hop)
    hop = with_cookies(credential_scope.with_login(_rewritten(hop, status), credentials), jar)
    _refuse_endless(hops, hop, limit, replayed=replayed)
    return hop


def with_cookies(hop: Hop, jar: CookieJar) -> Hop:
    """Return a hop with the cookies of its target added to the caller's own."""
    return replace(hop, cookies=jar.header(hop.target, header(hop.headers, "cookie")))


def _rewritten(hop: Hop, status: int) -> Hop:
    """Turn unsafe methods into GET where the Fetch Standard does (HTTP-redirect fetch, step 12)."""
    becomes_get = (status in {301, 302} and hop.method == "POST") or (status == 303 and hop.method not in SAFE_METHODS)
    if not becomes_get:
        return hop
    headers = tuple(field for field in hop.headers if not field[0].lower().startswith("content-"))
    return replace(hop, method="GET", body=b"", headers=headers)


def _without_secrets(hop: Hop) -> Hop:
    """Return the hop with its public fields, each as it was before a field of the caller's credentials replaced it."""
    headers = [field for field in hop.headers if field[0].lower() not in hop.secret_fields]
    headers += hop.replaced_headers
    public = tuple(field for field in headers if field[0].lower() in _PUBLIC)
    return replace(hop, headers=public, secret_fields=frozenset(), replaced_headers=())


def _origin(target: guard.Target) -> tuple[str, str, int]:
    return target.scheme, target.host, target.port


def _refuse_endless(hops: Sequence[Hop], hop: Hop, limit: int, *, replayed: bool) -> None:
    earlier_steps = [(earlier.method, earlier.target.url, earlier.cookies) for earlier in hops]
    step = (hop.method, hop.target.url, hop.cookies)
    if step in earlier_steps and not replayed:
        loop = " -> ".join(url for _, url, _ in [*earlier_steps[earlier_steps.index(step) :], step])
        raise RedirectLoop(
            f"the redirects go in a loop: {loop}",
            url=hops[0].target.url,
            hint="check the address; its redirects form a loop",
        )
    if len(hops) > limit:
        raise RedirectLoop(
            f"{hops[0].target.url} redirects more than {limit} times; the last address is {hop.target.url}",
            url=hops[0].target.url,
            hint="raise fetch.max_redirects",
        )
