"""The messages between the client and its transport: the network, a recorder, or a recording."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from wellread.frozen import frozen
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from wellread.net.guard import Target
    from wellread.types import Headers


_TOKEN = lazy_pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = lazy_pattern(r"[\t\x20-\x7e\x80-\xff]*")


def is_token(text: str) -> bool:
    """Return whether `text` can be a method or the name of a header field (RFC 9110 section 5.6.2)."""
    return _TOKEN.fullmatch(text) is not None


def is_field(name: str, value: str) -> bool:
    """Return whether a header field can be sent without smuggling anything else along (RFC 9110 section 5.5)."""
    return is_token(name) and _VALUE.fullmatch(value) is not None


@frozen
class Hop:
    """One request to one target; a redirect, a retry and a robots.txt are hops of their own."""

    target: Target
    method: str = "GET"
    headers: Headers = field(default=(), repr=False)
    """Complete, Host included; never hop-by-hop fields of the connection."""
    body: bytes = field(default=b"", repr=False)
    cookies: str | None = field(default=None, repr=False)
    """The Cookie field of this hop: what the caller gave, and what earlier answers of the chain have set."""
    secret_fields: frozenset[str] = frozenset()
    """Names, in lower case, of header fields that sign in; a recording leaves them out."""
    replaced_headers: Headers = field(default=(), repr=False)
    """The fields that `secret_fields` replaced; they go to other origins instead."""


@frozen
class HopResponse:
    """The head of an answer, and its body as it came over the wire: transfer coding undone, content coding not."""

    status: int
    reason: str
    http_version: str
    """"1.0", "1.1" or "2"."""
    headers: Headers
    chunks: AsyncIterator[bytes]
    replayed: bool = False
    """It comes from a recording, so that there is nobody to wait for."""


class Transport(Protocol):
    """Carries one hop. Enforces no limits: the client does."""

    def send(self, hop: Hop) -> AbstractAsyncContextManager[HopResponse]:
        """Open the exchange; leaving the context closes it, read to the end or not.

        Raises:
            BlockedAddress, Unreachable: the guard or the network refused.
            Unrecorded: a recording is replayed and lacks this URL.
        """

    async def aclose(self) -> None:
        """Release connections and files."""
