"""The credentials of a read: cookies, headers and logins, each bound to the hosts that may receive it.

They are values without behaviour. `wellread.net.credential_scope` decides which of them a request carries.
"""

from __future__ import annotations

from dataclasses import field

from wellread.frozen import frozen


@frozen
class StoredCookie:
    """A cookie from a file, a profile or a caller (RFC 6265bis section 5.7)."""

    name: str
    value: str = field(repr=False)
    domain: str
    """Lower case, without a leading dot."""
    is_host_only: bool
    """Whether only the host `domain` gets it, and no subdomain."""
    path: str = "/"
    is_secure: bool = False
    is_http_only: bool = True
    """Whether scripts of pages cannot read it. A source that does not say so has it hidden."""
    expires: float | None = None
    """Seconds since 1970; None: at the end of the session, which here is never."""


@frozen
class Credentials:
    """Everything that signs one read in."""

    identity: str
    """A salted hash of the credentials: pages that are read with them are stored apart under it."""
    origin: str = ""
    """`https://example.com:443`: the only origin that gets `headers`."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: tuple[StoredCookie, ...] = field(default=(), repr=False)
    logins: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Pairs of an origin and the value of the Authorization field for it."""
    profile: str | None = None
    """The profile that the browser opens where the page is rendered."""
    profile_id: str = ""
    """The id of the profile, which each sign-in changes."""
    is_profile_alone: bool = False
    """Whether the profile has all of them, so that what sites set may be kept in it."""
