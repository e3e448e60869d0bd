"""Every port on one screen: what the rooms need from one another and from the world, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from anyio.abc import ByteStream

    from wellread.types import Extraction, Found, Hit, Request, Response, Snapshot, Source


class Clock(Protocol):
    """Time, handed down so that tests can hold it still."""

    def now(self) -> datetime:
        """Return the wall clock, aware, in UTC."""

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""


class Resolver(Protocol):
    """Names to addresses. Injectable in code only, never by settings or a page."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return every address of `host` as text, best first.

        Raises:
            Unreachable: the name does not exist or no server answers.
        """


class Dialler(Protocol):
    """Opens a TCP connection to an address that the guard has checked. Injectable in code only."""

    async def dial(self, address: str, port: int) -> ByteStream:
        """Connect to the literal `address`; must not resolve anything.

        Raises:
            OSError: nothing listens, or the network refuses.
        """


class Fetcher(Protocol):
    """The one door to the network."""

    async def fetch(self, request: Request) -> Response:
        """Send `request` through the guard and return the final answer, whatever its status.

        Raises:
            RefusedError, UnavailableError, UnreadableError: see `wellread.errors`.
        """


class Extractor(Protocol):
    """Reads one family of media types (`wellread.extractors`). Pure: no network, no clock."""

    name: str
    media_types: tuple[str, ...]

    def extract(self, source: Source) -> Extraction:
        """Read `source` into a tree of blocks.

        Raises:
            Unsupported, Empty, TooLarge: what is in the bytes cannot be read.
        """


class Kept(NamedTuple):
    """A snapshot from the store, and what is needed to ask whether it still holds."""

    snapshot: Snapshot
    fresh: bool
    etag: str | None
    last_modified: str | None


class SnapshotStore(Protocol):
    """Snapshots by cache key and by id; never errors, partial pages or challenges."""

    def get(self, key: str) -> Kept | None:
        """Return what is kept under `key`, fresh or stale, and count it as used."""

    def put(self, key: str, snapshot: Snapshot, *, etag: str | None = None, last_modified: str | None = None) -> None:
        """Keep `snapshot` under `key`, evicting the least recently used beyond the size limit."""

    def renew(self, key: str) -> None:
        """Start the time to live anew: the server said 304 Not Modified."""

    def by_id(self, snapshot_id: str) -> Snapshot | None:
        """Return the snapshot with this id, however old, or None when it has been evicted."""


class Index(Protocol):
    """The embedded full-text index."""

    def add(self, snapshot: Snapshot, text: str) -> bool:
        """Index `text` (canonical markdown) under the snapshot's URL; False when it is there already, unchanged."""

    def search(self, query: str, count: int) -> list[Hit]:
        """Return the best `count` hits by BM25, best first, snippets without markup."""

    def remove(self, url: str) -> bool:
        """Forget a URL; False when it was not there."""


class Searcher(Protocol):
    """Answers a query with hits and with how each provider ended."""

    async def search(self, query: str, *, count: int) -> Found:
        """Return at most `count` hits; an empty answer carries its reason in `outcomes`."""
