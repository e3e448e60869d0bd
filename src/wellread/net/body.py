"""Reads the body of an answer within limits that hold for every status.

The limit counts what came over the wire and, separately, what each content coding gave; a bomb stops there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import anyio

from wellread.errors import Timeout, TooLarge, Unreachable, Upstream
from wellread.net.content_codings import CODINGS, STEP, DamagedBody, content_codings
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from wellread.net.transport import Hop, HopResponse
    from wellread.types import Headers, Response

    Write = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyLimits:
    """How much of a body is read, and how long a silence is borne."""

    max_bytes: int
    idle_s: float
    cut: bool = False
    """At the limit the body ends there instead of being refused."""


class Sink(Protocol):
    """Takes a body piece by piece, so that it need not fit into memory."""

    async def begin(self, head: Response) -> int | None:
        """Return the most bytes that are taken of the body that follows `head`, or None: it is not wanted here.

        Where an attempt comes to nothing, the next one begins anew.
        """

    async def write(self, data: bytes) -> None:
        """Take the next piece, decoded; may be empty."""


async def read(
    answer: HopResponse, hop: Hop, limits: BodyLimits, write: Write | None = None
) -> tuple[bytes, str | None]:
    """Return the decoded body, and why it is not complete, or None when it is. Pieces given to `write` are left out.

    Raises:
        TooLarge: beyond the limit, on the wire or decoded.
        Unsupported: a content coding that is not known, or too many of them.
        Unreachable, Timeout, Upstream: the body broke off before its first byte (with a good status).
    """
    codings: tuple[str, ...] = ()
    expected: int | None = None
    if hop.method != "HEAD" and answer.status not in {204, 304}:
        codings = content_codings(answer.headers, hop.target.url, saved=write is not None)
        expected = _expected(answer.headers)
    body = BodyDecoder(codings, limits.max_bytes, hop.target.url)
    try:
        if not limits.cut:
            body.expect(expected)
        await _receive(answer, hop, body, limits.idle_s, write)
        body.finish(expected)
    except TooLarge:
        if not limits.cut:
            raise
        return body.decoded(), f"cut at {limits.max_bytes:,} bytes"
    except (Unreachable, Timeout, Upstream) as error:
        if body.size or answer.status >= 300:
            return body.decoded(), error.message
        raise
    except DamagedBody as error:
        if body.size or answer.status >= 300:
            return body.decoded(), str(error)
        message = f"{hop.target.url} cannot be decoded: {error}"
        raise Upstream(message, url=hop.target.url, hint="try again later, or read another source") from error
    return body.decoded(), None


async def _receive(answer: HopResponse, hop: Hop, body: BodyDecoder, idle_s: float, write: Write | None) -> None:
    while True:
        chunk: bytes | None = None
        with anyio.move_on_after(idle_s) as idle:
            chunk = await anext(answer.chunks, None)
        if idle.cancelled_caught:
            raise Timeout(
                f"{hop.target.authority} sent nothing for {idle_s:g} s",
                url=hop.target.url,
                hint="try again later",
                limit_s=idle_s,
            )
        if chunk is None:
            return
        try:
            body.feed(chunk)
        finally:
            if write is not None:
                await write(body.taken())


def _expected(headers: Headers) -> int | None:
    length = (header(headers, "content-length") or "").strip()
    chunked = header(headers, "transfer-encoding") is not None
    if chunked or not (length.isascii() and length.isdigit() and len(length) < 20):
        return None
    return int(length)


class BodyDecoder:
    """Decodes a body piece by piece; never more than the limit."""

    def __init__(self, codings: tuple[str, ...], max_bytes: int, url: str) -> None:
        self._names = codings[::-1]
        self._stages = [CODINGS[name]() for name in self._names]
        self._decoded_bytes = [0] * len(codings)
        self._max_bytes = max_bytes
        self._url = url
        self._pieces: list[bytes] = []
        self.wire = 0
        self.size = 0

    def expect(self, wire_bytes: int | None) -> None:
        """Refuse a body before its first byte if its announced length is beyond the limit."""
        if wire_bytes is not None and wire_bytes > self._max_bytes:
            raise self._too_large(f"has {wire_bytes:,} bytes")

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes from the wire.

        Raises:
            TooLarge: the limit is passed; what is within it has been kept.
            DamagedBody: the bytes are not what their coding asks for; what came before them is kept.
        """
        bytes_left = self._max_bytes - self.wire
        self.wire += len(chunk)
        for piece in self._decode(chunk[:bytes_left], 0):
            self.size += len(piece)
            self._pieces.append(piece)
        if len(chunk) > bytes_left:
            raise self._too_large("sends more")

    def finish(self, expected: int | None) -> None:
        """Check that nothing is missing at the end.

        Raises:
            DamagedBody: fewer bytes than announced, or a coding that breaks off.
        """
        if expected is not None and self.wire < expected:
            raise DamagedBody(f"only {self.wire:,} of {expected:,} bytes arrived")
        taken = [self.wire, *self._decoded_bytes]
        for name, stage, size in zip(self._names, self._stages, taken, strict=False):
            if size and not stage.complete:
                raise DamagedBody(f"the {name} coding breaks off")

    def decoded(self) -> bytes:
        """Return everything decoded so far and not taken."""
        return b"".join(self._pieces)

    def taken(self) -> bytes:
        """Return everything decoded since the last time, and let go of it."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)

    def _decode(self, data: bytes, level: int) -> Iterator[bytes]:
        if level == len(self._stages):
            yield data
            return
        for offset in range(0, len(data), STEP):
            for piece in self._stages[level].feed(data[offset : offset + STEP]):
                bytes_left = self._max_bytes - self._decoded_bytes[level]
                self._decoded_bytes[level] += len(piece)
                yield from self._decode(piece[:bytes_left], level + 1)
                if len(piece) > bytes_left:
                    raise self._too_large(f"decodes from {self._names[level]} to more")

    def _too_large(self, problem: str) -> TooLarge:
        return TooLarge(
            f"{self._url} {problem}; the limit is {self._max_bytes:,} bytes", url=self._url, limit_bytes=self._max_bytes
        )
