"""The content codings of HTTP, each decoded piece by piece so that no piece can fill the memory.

A decoder must not be handed more than `STEP` bytes at a time, because only brotli can be told how much it may give:
deflate expands at most 1,032-fold (256 KiB for a step), zstd makes 128 KiB from 4 bytes (8 MiB for a step).
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Protocol

import brotli  # type: ignore[import-untyped]  # the package has no annotations
import zstandard

from wellread.errors import Unsupported, without_quotations
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.types import Headers

STEP = 256
BROTLI_PIECE = 65_536
ZSTD_WINDOW = 2**23
"""RFC 9659: no content coding may ask for a larger window."""
MAX_CODINGS = 3
_PACKED_TYPES = frozenset({"application/gzip", "application/x-gzip", "application/x-tgz", "application/x-gtar"})
_UNREAD = frozenset(
    {
        "aes128gcm",
        "bzip2",
        "compress",
        "dcb",
        "dcz",
        "exi",
        "lzma",
        "pack200-gzip",
        "sdch",
        "x-bzip2",
        "x-compress",
        "xz",
    }
)
"""Codings of IANA's registry, and some that never were in it, whose bytes nobody would take for a page."""
ACCEPTED = "gzip, deflate, br, zstd"


class DamagedBody(Exception):
    """The bytes break the rules of their coding; stays within `net`: the reader of the body decides its meaning."""


def content_codings(headers: Headers, url: str, *, saved: bool = False) -> tuple[str, ...]:
    """Return the content codings in the order in which they were applied (RFC 9110 section 8.4).

    Words that are no registered coding ("none", "utf-8") are ignored, as browsers ignore them. `saved`: the body
    becomes a file. Servers call a packed file gzip twice, by its type and by its coding; it is kept packed then.

    Raises:
        Unsupported: one is registered but not read, or there are more than three.
    """
    values = ",".join(value for name, value in headers if name.lower() == "content-encoding")
    names = [part.strip().lower() for part in values.split(",")]
    codings = tuple(name for name in names if name in CODINGS)
    if saved and codings and codings[-1] in {"gzip", "x-gzip"} and _is_packed(headers, url):
        codings = codings[:-1]
    unread = [name for name in names if name in _UNREAD]
    if unread or len(codings) > MAX_CODINGS:
        problem = f"the content coding {unread[0]!r}" if unread else f"{len(codings)} content codings, one in another"
        raise Unsupported(
            f"{url} comes in {problem}", url=url, hint=f"supported: {ACCEPTED}, at most {MAX_CODINGS} nested"
        )
    return codings


def _is_packed(headers: Headers, url: str) -> bool:
    kind = (header(headers, "content-type") or "").partition(";")[0].strip().lower()
    return kind in _PACKED_TYPES or url.partition("?")[0].lower().endswith((".gz", ".tgz", ".svgz"))


class _Codec(Protocol):
    """A decoder of one member, frame or stream, as zlib's and zstandard's own objects are."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


MAX_MEMBERS = 1_000
"""Each costs a decoder of its own, however little is in it: 200 bytes can hold millions (measured: 17 s)."""


class _Brotli:
    """A brotli stream (RFC 7932) as a codec; `remaining` yields the output beyond the first piece."""

    unused_data = b""

    def __init__(self) -> None:
        self._codec = brotli.Decompressor()

    @property
    def eof(self) -> bool:
        return bool(self._codec.is_finished())

    def decompress(self, data: bytes, /) -> bytes:
        return bytes(self._codec.process(data, output_buffer_limit=BROTLI_PIECE))

    def remaining(self) -> Iterator[bytes]:
        while not self._codec.can_accept_more_data():
            yield self.decompress(b"")


class ContentDecoder:
    """Decodes one coding. Members or frames may follow one another; bytes after the last one are ignored."""

    def __init__(self, name: str, head_bytes: int, start: Callable[[bytes], _Codec | None]) -> None:
        self._name = name
        self._head_bytes = head_bytes
        self._start = start
        self._codec: _Codec | None = None
        self._pending = b""
        self._members = 0
        self._is_finished = False

    @property
    def complete(self) -> bool:
        """Return whether the bytes so far may be all."""
        return self._codec is None and self._members > 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the decoded bytes of `data`, in bounded pieces."""
        self._pending += data
        while self._pending and not self._is_finished:
            if self._codec is None and not self._begin():
                return
            yield from self._decode()

    def _begin(self) -> bool:
        """Start the next member, if enough is here to know it by."""
        if len(self._pending) < self._head_bytes:
            return False
        self._codec = self._start(self._pending[: self._head_bytes])
        if self._codec is None and not self._members:
            raise DamagedBody(f"the body is not {self._name}")
        self._is_finished = self._codec is None
        return not self._is_finished

    def _decode(self) -> Iterator[bytes]:
        codec = self._codec
        assert codec is not None
        data, self._pending = self._pending, b""
        try:
            yield codec.decompress(data)
            if isinstance(codec, _Brotli):
                yield from codec.remaining()
        except (zlib.error, zstandard.ZstdError, brotli.error) as error:
            raise DamagedBody(f"the {self._name} coding is damaged: {without_quotations(str(error))}") from error
        if codec.eof:
            self._pending = codec.unused_data
            self._codec = None
            self._members += 1
            if self._members > MAX_MEMBERS:
                raise DamagedBody(f"the {self._name} coding has more than {MAX_MEMBERS:,} members")
            self._is_finished = self._name not in _SEVERAL


def _gzip_member(head: bytes) -> _Codec | None:
    if head != b"\x1f\x8b":
        return None
    return zlib.decompressobj(31)


def _deflate(head: bytes) -> _Codec:
    """RFC 9110 section 8.4.1.2 means zlib (RFC 1950), but some servers send bare deflate: its header tells."""
    is_zlib = head[0] & 0x0F == 8 and int.from_bytes(head, "big") % 31 == 0
    return zlib.decompressobj(15 if is_zlib else -15)


def _zstd_frame(head: bytes) -> _Codec | None:
    skippable = 0x50 <= head[0] <= 0x5F and head[1:] == b"\x2a\x4d\x18"
    if head != b"\x28\xb5\x2f\xfd" and not skippable:
        return None
    return zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW).decompressobj()


_SEVERAL = frozenset({"gzip", "zstd"})
"""RFC 1952 section 2.2: a gzip file is a series of members; RFC 8878 section 3: so is zstd, of frames."""

CODINGS: dict[str, Callable[[], ContentDecoder]] = {
    "gzip": lambda: ContentDecoder("gzip", 2, _gzip_member),
    "x-gzip": lambda: ContentDecoder("gzip", 2, _gzip_member),
    "deflate": lambda: ContentDecoder("deflate", 2, _deflate),
    "br": lambda: ContentDecoder("br", 1, lambda _: _Brotli()),
    "zstd": lambda: ContentDecoder("zstd", 4, _zstd_frame),
}
