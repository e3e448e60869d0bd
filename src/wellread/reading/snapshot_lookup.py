"""Finds snapshots that are at hand, in the local index or the store: they prove citations without a request."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.ports import Index, SnapshotStore
    from wellread.types import Hit, Mode, Snapshot

_LOCAL = "local"


def partial_place(snapshot: Snapshot) -> str:
    """Return where a partial reading is kept: its cursors find it, and no later read takes it for the page."""
    return f"partial:{snapshot.id}"


def places(key: str, *, user_asked: bool) -> tuple[str, ...]:
    """Return where a reading of a page may be kept, the place for a new one first.

    What a person asked for passes over robots.txt (RFC 9309), so it is kept apart: no read of an agent finds it. A
    person's read finds what agents were allowed to read.
    """
    if user_asked:
        return (f"user_asked:{key}", key)
    return (key,)


def rendered_place(key: str) -> str:
    """Return where the rendered reading of a page is kept: beside the one over HTTP, never in its place."""
    return f"rendered:{key}"


class SnapshotLookup:
    """Lookup of earlier snapshots, by URL and snapshot id."""

    def __init__(self, index: Index, store: SnapshotStore, cache_key: Callable[[str, Mode], str]) -> None:
        """Take where snapshots are kept."""
        self._index = index
        self._store = store
        self._cache_key = cache_key

    def cited(self, url: str, mode: Mode, snapshot_id: str) -> Snapshot | None:
        """Return the snapshot with this id if it was read at `url`: from the index, or the store if the guard allows.

        Raises:
            RefusedError: `url` is not in the index, and may not be fetched.
        """
        indexed = self._index.kept(url)
        if indexed is not None and indexed.id == snapshot_id:
            return indexed
        key = self._cache_key(url, mode)
        stored = self._store.get(key)
        if stored is not None and stored.snapshot.id == snapshot_id:
            return stored.snapshot
        snapshot = self._store.by_id(snapshot_id)
        # Mirrors share their text, and with it the id.
        if snapshot is None or key not in {
            self._cache_key(page_url, mode) for page_url in (snapshot.url, snapshot.final_url)
        }:
            return None
        return snapshot

    def last_known(self, hit: Hit) -> Snapshot | None:
        """Return the newest that is kept of a hit, however old: better than nothing where its page cannot be had now.

        The index tells of its own hits alone, as in `at_hand`.

        Raises:
            RefusedError: its URL may not be fetched.
        """
        key = self._cache_key(hit.url, "balanced")
        snapshots = [
            stored.snapshot for place in (key, rendered_place(key)) if (stored := self._store.get(place)) is not None
        ]
        if hit.source == _LOCAL and (indexed := self._index.kept(hit.url)) is not None:
            snapshots.append(indexed)
        return max(snapshots, key=lambda snapshot: snapshot.fetched_at, default=None)

    def at_hand(self, hit: Hit) -> Snapshot | None:
        """Return the snapshot of a hit of the local index that was read from a file or a recording.

        No other search service can make it tell.
        """
        if hit.source != _LOCAL:
            return None
        return self._index.kept(hit.url, at_hand=True)
