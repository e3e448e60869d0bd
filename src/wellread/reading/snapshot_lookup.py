"""Finds snapshots that are at hand, in the local index or the store: they prove citations without a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.bounded_cache import WeightedCache
from wellread.output import DocumentPrints
from wellread.reading.read_result import ReadResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.ports import Index, SnapshotStore
    from wellread.types import Hit, Mode, Scroll, Snapshot

_LOCAL = "local"
MAX_PRINT_BYTES: Final = 16_000_000
"""Memory for documents with their prints; one document takes half of it at most."""


def partial_place(snapshot: Snapshot) -> str:
    """Return where a partial reading is kept: its cursors find it, and no later read takes it for the page."""
    return f"partial:{snapshot.id}"


def places(key: str, *, user_asked: bool, identity: str = "", view_key: str = "") -> tuple[str, ...]:
    """Return where a reading of a page may be kept, the place for a new one first.

    What a person asked for passes over robots.txt (RFC 9309), so it is kept apart: no read of an agent finds it. A
    person's read finds what agents were allowed to read. What was read with credentials is found only by reads with the
    same. Readings of something else than the main content are stored apart under `view_key`.
    """
    key = view_key + key
    if identity:
        key = f"signed_in:{identity}:{key}"
    if user_asked:
        return (f"user_asked:{key}", key)
    return (key,)


def rendered_place(key: str, *, scroll: Scroll = "auto") -> str:
    """Return where the rendered reading of a page is kept: beside the one over HTTP, never in its place."""
    if scroll == "all":
        return f"scrolled:{key}"
    return f"rendered:{key}"


class SnapshotLookup:
    """Lookup of earlier snapshots, by URL and snapshot id, with the prints that were made of them.

    All methods block.
    """

    def __init__(self, index: Index, store: SnapshotStore, cache_key: Callable[[str, Mode], str]) -> None:
        """Take where snapshots are stored."""
        self._index = index
        self.store = store
        self._cache_key = cache_key
        self._prints: WeightedCache[DocumentPrints] = WeightedCache(MAX_PRINT_BYTES)
        """By snapshot id; the prints hold only for the very document that they name."""

    def keys(self, url: str, mode: Mode, *, user_asked: bool, identity: str, view_key: str = "") -> tuple[str, ...]:
        """Return the keys that a reading of a page over HTTP may be stored under, as `places`.

        Raises:
            RefusedError: `url` may not be fetched.
        """
        key = self._cache_key(url, mode)
        return places(key, user_asked=user_asked, identity=identity, view_key=view_key)

    def result(self, snapshot: Snapshot) -> ReadResult:
        """Return a stored snapshot with its prints, if there are any of its document."""
        document = snapshot.extraction.document
        prints = self._prints.get(snapshot.id)
        # Mirrors share their text, and with it the id; their documents may differ in pictures.
        if prints is None or prints.document is not document:
            prints = DocumentPrints(document)
        return ReadResult(snapshot, prints, cached=True)

    def keep_prints(self, result: ReadResult, *, goes_on: bool = False) -> None:
        """Keep the prints of a snapshot for its next read, within the bound.

        What was just fetched is seldom read again, unless the printed piece is not its last.
        """
        if result.cached or goes_on:
            self._prints.put(result.snapshot.id, result.prints, result.prints.size_bytes)

    def cited(self, url: str, mode: Mode, snapshot_id: str, *, identity: str = "") -> ReadResult | None:
        """Return the snapshot with this id if it was read at `url`: from the index, or the store if the guard allows.

        A snapshot that was read with credentials is returned only for their `identity`.

        Raises:
            RefusedError: `url` is not in the index, and may not be fetched.
        """
        snapshot = self._cited(url, mode, snapshot_id, identity)
        if snapshot is None:
            return None
        return self.result(snapshot)

    def _cited(self, url: str, mode: Mode, snapshot_id: str, identity: str) -> Snapshot | None:
        indexed = self._index.stored_snapshot(url)
        if indexed is not None and indexed.id == snapshot_id:
            return indexed
        key = self._cache_key(url, mode)
        stored = self.store.get(key)
        if stored is not None and stored.snapshot.id == snapshot_id:
            return stored.snapshot
        snapshot = self.store.by_id(snapshot_id, identity=identity)
        # Mirrors share their text, and with it the id.
        if snapshot is None or key not in {
            self._cache_key(page_url, mode) for page_url in (snapshot.url, snapshot.final_url)
        }:
            return None
        return snapshot

    def last_known(self, hit: Hit, *, identity: str = "") -> ReadResult | None:
        """Return the newest that is stored of a hit, however old: better than nothing where its page cannot be had now.

        The index tells of its own hits alone, as in `at_hand`.

        Raises:
            RefusedError: its URL may not be fetched.
        """
        key = self.keys(hit.url, "balanced", user_asked=False, identity=identity)[0]
        snapshots = [
            stored.snapshot for place in (key, rendered_place(key)) if (stored := self.store.get(place)) is not None
        ]
        if hit.source == _LOCAL and not identity and (indexed := self._index.stored_snapshot(hit.url)) is not None:
            snapshots.append(indexed)
        if not snapshots:
            return None
        return self.result(max(snapshots, key=lambda snapshot: snapshot.fetched_at))

    def at_hand(self, hit: Hit) -> ReadResult | None:
        """Return the snapshot of a hit of the local index that was read from a file or a recording.

        No other search service can make it tell.
        """
        snapshot = self._index.stored_snapshot(hit.url, only_marked=True) if hit.source == _LOCAL else None
        if snapshot is None:
            return None
        return self.result(snapshot)
